"""Cuts a message into sentences and clauses, keeping every offset of the original.

A clause carries its own words (`text`) and the form cues are matched on (`folded`): one script,
lower case, with quoted and code material blanked out, so that what somebody else said is never
taken for the speaker's own statement. Offsets count code points of the event's text.
"""

import re
from typing import Final

import msgspec

from slowwave.text.polarity import canonical

__all__ = ["BLANK", "Clause", "fold", "has_han", "split"]

BLANK: Final = "▒"
"""Stands for one character of quoted or code material in a folded text."""

_QUOTED = re.compile(
    r"“[^”\n]*[”\n]|「[^」\n]*[」\n]|『[^』\n]*[』\n]|《[^》\n]*[》\n]|```.*?(?:```|\Z)|`[^`\n]+`"
    r'|"[^"\n]{1,400}"'
    r"|(?<![\w'])'(?=[^\s'])(?:[^'\n]|'(?=\w)){0,300}?'(?!\w)"
    r"|<!--.*?(?:-->|\Z)",
    re.DOTALL,
)
_NOTE = re.compile(r"\[[a-z][^\[\]\n]{3,300}\]")
_STOPS = re.compile(r"[:,.;]")
"""A note in brackets ("[shared image: a boat, a pier]") is one piece."""

_SENTENCE_END = re.compile(
    r"[。！？!?；;\n]+[”」』\"')）]*|(?<![\d\W])\.(?=[\s\"')]|$)|(?<=\d)\.(?=\s|$)"
    r"|(?<=[)”\"'▒])\.(?=\s|$)|…{1,}(?=\s|$|[^…])|[~～]+(?=\s|$|[\u4e00-\u9fff])"
    r"|(?<=[\u4e00-\u9fff])[\U0001F300-\U0001FAFF]+"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:[ap]\.m|e\.g|i\.e|etc|mr|mrs|ms|dr|st|vs|no|approx|inc|ltd|jr|sr)|^\s*\d{1,2})\.$"
)
_CLAUSE_END = re.compile(
    r"[，：]\s*|:\s+|,\s+(?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff]),\s*|\s*——?\s*"
    r"|\s+[-–—]{1,2}\s+"
    r"|(?<=[\u4e00-\u9fff])[ ]+(?=[\u4e00-\u9fff]{4})"
    r"|,\s+(?=(?:and|but|so|because|since|which|who|while|until|though|although|unless|then"
    r"|i|i'm|im|i've|i'd|i'll|we|we're|we've|you|he|she|they"
    r"|it|it's|its|my|our|that's|there's|don't|dont|do|please(?=\s+\w)|just|never"
    r"|always(?!\s*(?:[.!?]|$))|no"
    r"|what|how|should|or)\b)"
    # "…, the intern is called Pim": a clause with a subject and a verb of its own.
    r"|,\s+(?=(?!(?:only|also|just|still|always|never|usually|often|now|both|each|really|mostly"
    r"|rarely|who|which"
    r"|that|currently|sometimes|though) )(?:(?:the"
    r"|your) )?[a-z][\w'’-]*(?: [\w'’-]+){0,2}? (?:is|are|was|were|has|have|had|can|can't"
    r"|will|won't|does|doesn't|hates?|likes?|loves?|runs?|works?|lives?|got|gets|starts?|ends?"
    r"|teaches"
    r"|goes|keeps?|handles|prefers?|moved|left|needs?|takes?|comes?) )"
    r"|(?<=[\w'▒ -]{28}),\s+(?=(?:keep|use|write|send|make|put|stick|switch|answer|reply|call"
    r"|ask|skip|leave|stop)"
    r" (?:everything|all|it|the|to|with|in|only|me|my|an?|every|no|them|that)\b)"
    r"|\s+(?=(?:so (?!much|many|far|long|good|bad|well|often|hard|very|happy|sad|tired|nice"
    r"|cool|fun|great|busy|late|early|sure|sorry|glad|excited|proud|on\b|to\b"
    r"|is\b)[a-z']+ [a-z]+|but (?:i|we|my|our|no|the|it|don't|he|she|they)"
    r"|because|and (?:i|i'm|i've|we|my|our|don't|dont|please|never|always|anyway|then|don't)"
    r"|anyway|except)\b)"
    r"|(?<=[\u4e00-\u9fff]{8})(?=(?:然后|另外|对了|对就|说正事|所以|但是|不过)[\u4e00-\u9fff])"
)
_HAN = re.compile(r"[\u3400-\u9fff]")
_NUMBERED = re.compile(
    r"(?:[一二三四五六七八九十]{1,2}、|[(（][一二三四五六七八九十\d]{1,2}[)）]\s*"
    r"|\d{1,2}(?:[)）、]|\.(?=\s))\s*"
    r"|[-*•·]\s+)(?=\S)"
)
"""What numbers the items of a list: it is not said."""

_TRIM = " \t\r\n，,、。.；;：:—–-~～…"


class Clause(msgspec.Struct, frozen=True):
    """One clause: `event.text[start:end]` is `text`; `folded` is what cues are matched on.

    `sentence` counts sentences from 0. `opener` is what stood before it ("" at a sentence start,
    else the separator), `closer` what ends its sentence ("?" for a question mark, "!" …, "").
    """

    start: int
    end: int
    text: str
    folded: str
    sentence: int
    opener: str
    closer: str


def has_han(text: str) -> bool:
    """Whether there is any Chinese character."""
    return _HAN.search(text) is not None


def fold(text: str) -> str:
    """The matching form of a whole text, same length: canonical, quotes and code blanked out."""
    folded = _QUOTED.sub(lambda m: BLANK * len(m.group()), canonical(text))
    return _NOTE.sub(lambda m: _STOPS.sub("·", m.group()), folded)


def split(text: str, folded: str) -> list[Clause]:
    """All clauses of a text in order. `folded` must be `fold(text)`."""
    clauses: list[Clause] = []
    for number, (start, end, closer) in enumerate(_sentences(folded)):
        clauses.extend(_clauses(text, folded, (start, end), number, closer))
    return clauses


def _sentences(folded: str) -> list[tuple[int, int, str]]:
    spans: list[tuple[int, int, str]] = []
    start = 0
    for match in _SENTENCE_END.finditer(folded):
        if match.group() == "." and _ABBREVIATION.search(
            folded[max(0, match.end() - 8) : match.end()]
        ):
            continue
        if folded[start : match.start()].strip():
            before = folded[max(0, match.start() - 1) : match.start()]
            spans.append((start, match.start(), _closer(match.group(), before)))
            start = match.end()
        elif spans and match.group().strip():
            start = match.end()
    if folded[start:].strip():
        spans.append((start, len(folded), ""))
    return spans


def _closer(mark: str, before: str) -> str:
    """What ended a sentence: "?" and "!" first, ":" for a heading line, then the mark itself."""
    if "?" in mark or "？" in mark:
        return "?"
    if "!" in mark or "！" in mark:
        return "!"
    if "\n" in mark:
        return ":" if before in (":", "：") else "\n"
    return mark.strip()[:1]


def _clauses(
    text: str, folded: str, span: tuple[int, int], number: int, closer: str
) -> list[Clause]:
    start, end = span
    found: list[Clause] = []
    opener = ""
    for match in _CLAUSE_END.finditer(folded, start, end):
        _add(found, text, folded, (start, match.start()), (number, opener, closer))
        start, opener = match.end(), match.group().strip() or " "
    _add(found, text, folded, (start, end), (number, opener, closer))
    return found


def _add(
    found: list[Clause], text: str, folded: str, span: tuple[int, int], place: tuple[int, str, str]
) -> None:
    start, end = span
    while start < end and text[start] in _TRIM:
        start += 1
    while end > start and text[end - 1] in _TRIM:
        end -= 1
    numbered = _NUMBERED.match(folded, start, end)
    if numbered and numbered.end() < end:
        start = numbered.end()
    if end > start:
        number, opener, closer = place
        found.append(Clause(start, end, text[start:end], folded[start:end], number, opener, closer))
