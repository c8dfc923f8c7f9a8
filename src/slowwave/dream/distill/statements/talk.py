"""Two people who talk about their own lives: what each of them says of himself is worth a claim.

In a log of a user and an agent most sentences are business with the agent, so a statement needs a
reason to be kept. Where both speakers are people (origin `other`), nearly every statement tells of
a life. So each turn gives what the rules keep, cut down to the clauses that say something, and
where they keep nothing its one clause with the most content. What only reacts ("wow, so cool")
or is about the listener says nothing. An answer is claimed together with the question it answers,
because "yes, in May" is no statement without it.
"""

import re
from collections.abc import Sequence
from typing import Final

from slowwave.dream.distill.clauses.cut import BLANK, fold, split
from slowwave.dream.distill.clauses.reading import KEPT, Act, Reading
from slowwave.dream.distill.statements.groups import Group
from slowwave.model import Event

__all__ = ["question_of", "relax", "trim"]

LONGEST: Final = 80
"""Characters of one claim of such a log; clauses after that are left to the evidence."""

ENOUGH: Final = 7
"""The least content of a clause that is kept although no rule keeps it."""

ENOUGH_TO_ANSWER: Final = 5
"""The same after a question."""

_OPEN: Final[frozenset[Act]] = frozenset(
    {
        "depend",
        "opinion",
        "smalltalk",
        "hypothetical",
        "fiction",
        "venting",
        "sarcasm",
        "private",
        "third_person",
    }
)
"""Acts that mean less between people: a novel is talked about, nobody is told to forget."""

_REACTS = re.compile(
    r"^(?:oh |aww?,? |haha |yeah,? |yes,? |wow,? |well,? |ok(?:ay)?,? |no,? |sure,? )*"
    r"(?:thanks?|thank you|wow|that(?:'s| is| was| sounds| looks| must)|this (?:is|looks)"
    r"|sounds|looks|so (?:cool|cute|nice|glad|happy|sweet)"
    r"|(?:i'm |i am )?(?:so |really )?(?:glad|happy|sorry|proud)"
    r"|congrat\w*|good (?:luck|for|job|to)|great|nice|awesome|amazing|cool"
    r"|love (?:that|this|it|the)|you|your|hope|hey|hi|hello|bye|see you|take care"
    r"|talk (?:soon|later)|keep|can't wait|let me know|no (?:problem|worries)|of course"
    r"|absolutely|definitely|exactly|totally|same here|me too|yep|yup"
    r"|i (?:bet|agree|understand|hear you|know|totally|see|hope|can imagine)|what an? |how )\b"
    r"|^(?:哇|真的?|太|好|哈|谢谢|恭喜|加油|你|您|嗯|是啊|对|不错|厉害|原来|那(?:挺|真|太|就)"
    r"|希望|祝)"
)
_ADDRESSED = re.compile(r"\byou(?:r|rs|'re|'ll|'ve|'d)?\b|[你您]")
_IMAGE = re.compile(r"^\[")
_WORD = re.compile(r"[a-z][a-z'’-]{3,}|\d[\d:.,]*|[\u4e00-\u9fff]{2}")


def relax(message: Sequence[Reading], *, answers: bool = False) -> None:
    """Marks the best clause of a turn as a fact where no rule has kept any; in place.

    `answers`: the turn follows a question, which makes a clause with less in it a statement.
    """
    if any(reading.act in KEPT for reading in message):
        return
    scored = [(_content(reading), -place, reading) for place, reading in enumerate(message)]
    best = max(scored, key=lambda item: item[:2], default=None)
    if best is not None and best[0] >= (ENOUGH_TO_ANSWER if answers else ENOUGH):
        best[2].act = "fact"


def _content(reading: Reading) -> int:
    """How much a clause tells: words with content, more of the speaker and his people."""
    folded = reading.folded
    if reading.act not in _OPEN or not reading.own or folded.count(BLANK) * 2 > len(folded):
        return 0
    if _IMAGE.match(folded) or folded.endswith("]"):
        return 0
    words = len(set(_WORD.findall(folded)))
    told = reading.any("i", "mine", "kin", "did", "he") or bool(reading.person())
    score = words + 2 * told + reading.any("day", "past", "pref", "change", "role", "place")
    score -= 3 * bool(_REACTS.match(folded)) + 2 * (bool(_ADDRESSED.search(folded)) and not told)
    return score


def trim(statement: Group) -> None:
    """Cuts a statement down: clauses that only comment go, and what is beyond `LONGEST`; in place.

    Only the ends are cut, so that the text stays one span of the evidence.
    """
    clauses = statement.clauses
    while len(clauses) > 1 and _comments(clauses[-1]):
        clauses.pop()
    while len(clauses) > 1 and clauses[-1].clause.end - statement.start > LONGEST:
        clauses.pop()
    while statement.since < 0 and len(clauses) > 1 and _comments(clauses[0]):
        clauses.pop(0)


def _comments(reading: Reading) -> bool:
    if reading.act in KEPT:
        return False
    plain = not reading.any("i", "mine", "kin", "day", "place", "past") and not reading.has_value()
    return plain or _REACTS.match(reading.folded) is not None


def question_of(event: Event) -> tuple[int, int] | None:
    """The span of the last sentence of a turn when the turn ends with a question, else None."""
    folded = fold(event.text)
    clauses = split(event.text, folded)
    asked = [clause for clause in clauses if clause.closer == "?"]
    if not asked or clauses[-1].sentence - asked[-1].sentence > 1:
        return None
    sentence = [clause for clause in clauses if clause.sentence == asked[-1].sentence]
    return sentence[0].start, sentence[-1].end
