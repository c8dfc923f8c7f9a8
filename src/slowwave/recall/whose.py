"""Whose a sentence is: what somebody tells of himself, and what he says or asks about another.

Grammar decides, no topics: "I bought a kayak" is the speaker's own, "will you name your kayak?" is
about the one who hears it, "Ana has a kayak" is about Ana.
"""

import re
from collections.abc import Iterable, Mapping

from slowwave.recall import rank
from slowwave.text.lately import lately
from slowwave.text.later import later
from slowwave.text.segment import sentences

TOLD_OF: Mapping[tuple[str, bool, bool], tuple[float, float]] = {
    ("tell", True, False): (1.0, 0.0),
    ("tell", True, True): (0.6, 0.5),
    ("tell", False, True): (0.3, 0.7),
    ("tell", False, False): (0.7, 0.3),
    ("ask", True, False): (0.4, 0.4),
    ("ask", True, True): (0.4, 0.4),
    ("ask", False, True): (0.05, 0.8),
    ("ask", False, False): (0.25, 0.5),
}
"""How far a sentence tells of who says it, and of who hears it, by whether it asks and by whether
it has "I" and "you". In the proportions that a regression on four conversations of LoCoMo gave."""

OF_HIM = (1.0, 0.2)
"""The same of a sentence in which another one tells of him by name and not of himself."""

READ_LATELY = 2_048
"""Texts whose sentences are kept: they are judged for one question after another."""

_FIRST = later(
    r"\b(?:i|i'm|i've|i'd|i'll|me|my|mine|myself|we|we're|our|ours|us)\b|[我俺咱]", re.IGNORECASE
)
_SECOND = later(r"\b(?:you|you're|you've|you'd|you'll|your|yours)\b|[你您]", re.IGNORECASE)
_ASKING = later(r"[?？]\s*$|[吗呢]\s*$")


def tells_of(sentence: str, name: str) -> bool:
    """Whether the sentence has the name otherwise than to call him: "Ana plays", not "Hi Ana!"."""
    if not rank.named_speaker(sentence, [name]):
        return False
    first = re.escape(name.split()[0])
    told = rf"(?<![,，、] )(?<![,，、]){first}(?!\s*(?:[,，!！.。?？~]|$))"
    return re.search(told, sentence, re.IGNORECASE) is not None


@lately(READ_LATELY)
def given(text: str) -> tuple[tuple[str, float, float], ...]:
    """The sentences of a text, and how far each tells of who says it and of who hears it."""
    spans = [text[start:end] for start, end in sentences(text)]
    return tuple((sentence, *_of_whom(sentence)) for sentence in spans)


def _of_whom(sentence: str) -> tuple[float, float]:
    me, you = bool(_FIRST.search(sentence)), bool(_SECOND.search(sentence))
    kind = ("ask" if _ASKING.search(sentence) else "tell", me, you)
    return TOLD_OF[kind]


_CALLED = later(
    r"(?:我叫|我(?:的)?(?:大名|名字|全名|小名)(?:是|叫))([\u4e00-\u9fff·]{2,4})"
    r"|\b(?i:my (?:full )?name(?: is|'s)|call me|i go by"
    r"|this is(?= [\w' -]+ (?:here|from|speaking))"
    r"|i(?:['’]m| am)(?= [\w' -]+?(?:[,.;!—–(]|$| (?:and|from|at|in|here|by|the|your|with)\b)))"
    r" ((?:[A-Z][\w'-]+ ?){1,3})"
)
"""What somebody says he is called."""


def called(texts: Iterable[str]) -> set[str]:
    """What somebody says, in texts of his own, that he is called: a question by that name asks
    about him, and his own turns say "I"."""
    return {name for text in texts for pair in _CALLED.findall(text) for name in pair if name}
