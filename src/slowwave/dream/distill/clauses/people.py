"""Who is named in a stretch of text: a person (or pet) by name, else by the kin or role term.

Chinese names are found by surname, nickname or title next to a word of kin or naming ("叫"), Latin
names by apposition ("my boss, Ada Bell"), by naming ("her name is"), or as the subject of what only
people do. Nothing is guessed: no name said, no name given.
"""

import re
from functools import lru_cache
from typing import Final

from slowwave.dream.distill.clauses.cues import Language, cue

__all__ = ["called_in", "companion_in", "is_pronoun", "kin_in", "person_in"]

_BY_NAME: Final[tuple[tuple[Language, str], ...]] = (
    ("zh", "reported"),
    ("en", "reported"),
    ("zh", "name_called"),
    ("zh", "name_foreign"),
    ("zh", "name_role"),
    ("zh", "name_kin"),
    ("zh", "name_latin"),
    ("en", "name_kin"),
    ("en", "name_apposed"),
    ("en", "name_mixed"),
    ("en", "name_called"),
    ("en", "name_role"),
    ("en", "name_met"),
    ("en", "name_full"),
    ("en", "name_lone"),
    ("zh", "name_lead"),
)


_TITLES: Final = frozenset(
    {"Dr", "Dr.", "Mr", "Mr.", "Mrs", "Mrs.", "Ms", "Ms.", "Prof", "Prof.", "Sir"}
)
"""Titles that stand alone name nobody."""

_NOBODY: Final = re.compile(
    r"[我你他她它咱俺谁您](?:们|俩)?|人家|对方|大家|自己|(?:he|she|they|it|him|her|them)",
    re.IGNORECASE,
)
"""Pronouns name nobody, wherever they stand."""

_SHORTENED: Final = re.compile(r"([A-Z][a-z]*)['’](?:m|re|ve|s|d|ll)\b ?(?=[A-Z]|$)")
"""A pronoun with its verb in front of a name; "Edda's" is a name in the genitive with no capital
after it."""
_SPEAKER: Final = frozenset({"I", "We"})
_PRONOUNS: Final = _SPEAKER | {"He", "She", "It", "They", "You", "That", "This", "There", "Here"}


@lru_cache(maxsize=2048)
def person_in(text: str, folded: str) -> str | None:
    """The person (or pet) a stretch of text is about, as it names them; None if none is.

    `folded` is the same stretch as `clauses.cut.fold` makes it. Chinese patterns are matched
    on it, Latin ones on the text as written, where capitals count.
    """
    for language, name in _BY_NAME:
        found = _named(language, name, text, folded)
        if found:
            return found
    if _search("zh", "kin_leads", folded):
        kin = _search("zh", "kin_term", folded)
        if kin:
            return text[kin.start() : kin.end()]
    if _search("en", "kin_leads", folded):
        match = _search("en", "kin_term", text) or _search("en", "kin_bare", text)
        return match.group(1) if match else None
    return None


def called_in(text: str, folded: str) -> str | None:
    """The name given by naming ("叫苏芮", "is called Ilse"), or None."""
    named = _named("zh", "name_called", text, folded)
    return named or _named("en", "name_called", text, folded)


def kin_in(text: str, folded: str) -> str | None:
    """A kin or role term with its "my", anywhere in the text, as it was said."""
    match = _search("en", "kin_term", text) or _search("en", "kin_within", text)
    if match:
        return match.group(1)
    pattern = cue("zh", "kin_term")
    terms = pattern.finditer(folded) if pattern else ()
    return next((text[kin.start() : kin.end()] for kin in terms if kin.group(1)), None)


def companion_in(text: str, folded: str) -> str | None:
    """Who is named beside somebody else ("和同事…一起吃"), or None: whom a later pronoun means."""
    return _named("zh", "companion", text, folded)


def _named(language: Language, name: str, text: str, folded: str) -> str | None:
    match = _search(language, name, folded if language == "zh" else text)
    if match is None or match.lastindex is None:
        return None
    found = text[match.start(match.lastindex) : match.end(match.lastindex)].strip(" ,")
    if name == "name_latin" and not found[:1].isupper():
        return None
    found = name_in(found)
    return None if found in _TITLES or is_pronoun(found) else found or None


def is_pronoun(words: str) -> bool:
    """Whether words are a pronoun and nothing else: it names nobody."""
    return _NOBODY.fullmatch(words.strip()) is not None


def name_in(words: str) -> str:
    """The name in words with capitals, without a pronoun and its verb in front of it.

    "It's Edda Marsh" names her; "I'm Edda Marsh" names the one who speaks, and so nobody else: "".
    """
    shortened = _SHORTENED.match(words)
    if shortened is None or shortened[1] not in _PRONOUNS:
        return words
    return "" if shortened[1] in _SPEAKER else words[shortened.end() :]


def _search(language: Language, name: str, text: str) -> re.Match[str] | None:
    pattern = cue(language, name)
    return pattern.search(text) if pattern else None
