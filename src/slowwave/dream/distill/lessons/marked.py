"""Lessons from the agent's own messages, by how they are written (R4): no model is needed.

An agent marks what it learned: behind a label (`Lesson: …`, `错误：…`, `**Workflow** — …`), in a
list below a heading of that name, or in a sentence that says so ("next time I'll …", 下次我要 …).
Its words are kept as they are, as lessons of the agent. What it says of the user is no lesson: only
the user can say that (product: Trust).
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from slowwave.dream.compare.relation import Statement, compare
from slowwave.dream.distill.acts.reader import read_acts
from slowwave.dream.distill.clauses.cut import BLANK, fold, has_han, split
from slowwave.dream.distill.clauses.reading import Scene, readings
from slowwave.dream.distill.statements.claims import evidence_of
from slowwave.dream.distill.subject import AGENT
from slowwave.model import Claim, Event, Memory, Rejected
from slowwave.text.entities import find_entities
from slowwave.text.machine_lines import line_kind
from slowwave.text.noise import knowledge_spans
from slowwave.text.polarity import is_negated
from slowwave.text.segment import sentences, terms

__all__ = ["AT_MOST", "NEAR", "Category", "Learned", "category_of", "is_own", "learn", "titled"]

STAGE = "lessons"
AT_MOST = 5
"""Lessons of one turn (R4)."""
NEAR = 0.92
"""Cosine from which two lessons are one (R4)."""
LEAST_TERMS = 3
"""Of a lesson; what is shorter tells nobody what to do."""
LONGEST = 400
"""Characters of a lesson; of a longer paragraph its first sentences are kept."""

Category = Literal["lesson", "learned", "mistake", "workflow"]
Cosine = Callable[[str, str], float | None]

IMPORTANCE: Mapping[Category, int] = {
    "mistake": 70, "lesson": 65, "workflow": 65, "learned": 60,
}  # fmt: skip
STRONG = 10
"""Importance on top for what is always or never to be done."""

_LABELS: Mapping[Category, str] = {
    "lesson": r"(?:key |main |my )?lessons?(?: (?:learned|learnt))?|notes? to self"
    r"|(?:经验)?教训(?:总结)?|经验(?:总结)?|心得(?:体会)?|复盘(?:结论|总结)?",
    "learned": r"(?:what i(?:'ve| have)? |things? (?:i )?)?learn(?:ed|t|ings?)|til"
    r"|学习(?:到|记录|笔记|总结|心得)?|(?:我)?学到(?:了|的)?|收获",
    "mistake": r"(?:my |the )?(?:mistakes?|errors?|oversights?)(?: (?:made|i made))?"
    r"|what went wrong|(?:我的)?(?:错误|失误|疏忽|过错)(?:总结|记录)?|踩坑(?:记录)?|反思",
    "workflow": r"(?:proven |working |the |new )?workflows?|what worked"
    r"|(?:工作|操作|标准)?流程|有效(?:的)?(?:做法|方法|流程)",
}
_HEADS: Mapping[Category, str] = {
    "lesson": _LABELS["lesson"],
    "learned": _LABELS["learned"],
    "mistake": r"my (?:mistakes?|errors?|oversights?)|(?:mistakes?|errors?) (?:i )?made"
    r"|what went wrong|我的(?:错误|失误|疏忽)|(?:失误|过错)(?:总结|记录)?|踩坑(?:记录)?|反思",
    "workflow": r"(?:proven|working) workflows?|what worked|有效(?:的)?(?:做法|方法|流程)",
}
"""Labels whose list below is of the agent's own work: "Errors:" may head those of a text."""

_DONE = (
    r"(?:\w+ly )?(?:\w+ed|been|done|known|seen|gone|told|sent|taken|made|kept|read|run|set|put"
    r"|written|chosen|thought|left|given|found|caught|held|built)\b"
)
_SAYS: Mapping[Category, str] = {
    "lesson": r"(?:the|one|my|a) lesson (?:here |learned |i took |from \w+ )*(?:is|was)\b"
    r"|next time[, ]+(?:i|we)(?:'ll|'d| will| should| must)\b"
    r"|(?:这次|最大|得到|吸取)?的?教训(?:就)?是"
    r"|下次(?:我|我们)?(?:要(?!是)|会(?!议|面)|得|应该|必须|记得|一定|先|不要|别|不能)",
    "learned": r"(?:i|we)(?:'ve| have)? (?:just |now |also )?learn(?:ed|t)"
    r" (?:that|to|how|not to|why)\b|(?:我|我们)(?:这次|今天|刚刚)?(?:学到|学会|意识到)了?",
    "mistake": r"(?:my|our) (?:mistake|error|oversight) (?:here )?(?:is|was)\b"
    r"|(?:i|we) (?:made|introduced) (?:a|an|the) (?:\w+ )?(?:mistake|error)\b"
    rf"|(?:i|we) should(?:n't| not| never)? have {_DONE}"
    r"|(?:i|we) (?:forgot|neglected|failed) to (?!mention|say|tell|add|note|reply)"
    r"|(?:我|我们)(?:犯|出)了?(?:一)?个?[^，。]{0,6}(?:错|失误)"
    r"|(?:我|我们)(?:忘记|忘)了?(?:先|把|要|给|去|做)"
    r"|(?:我|我们)(?:本来|当时|一开始)(?:就)?(?:不)?应该"
    r"|(?:我|我们)(?:的)?(?:错误|失误|疏忽)(?:在于|就是|是)",
    "workflow": r"what (?:worked|works) (?:here |best |well )?(?:is|was)\b"
    r"|(?:the|this) (?:workflow|procedure|order of steps) that works? (?:is|was)\b"
    r"|(?:验证|证明)?(?:有效|可行|管用)的(?:做法|流程|办法|方法|步骤)(?:就)?是",
}
_MARK = r"(?:[>\s]*(?:[-*+•·]|\d{1,3}[.)、]|#{1,6})\s*)?(?:[^\w\s\[【(（*_\"'“”‘’`<]{1,3}\s*)?"
"""What stands before a line's first word: a bullet, a number, hashes, a sign such as a lamp."""


def _label(names: str) -> str:
    bare = rf"(?:{names})"
    set_off = rf"[【\[（(]\s*{bare}\s*[】\]）)]\s*[:：]?"
    bold = rf"(?P<b>[*_]{{1,3}}){bare}\s*(?:[:：]\s*(?P=b)|(?P=b)\s*(?:[:：]|\s[—–-]{{1,2}}\s|$))"
    return rf"(?:{set_off}|{bold}|{bare}\s*(?:[:：]|\s[—–-]{{1,2}}\s))"


_LABELLED: Mapping[Category, re.Pattern[str]] = {
    name: re.compile(rf"{_MARK}{_label(names)}\s*", re.IGNORECASE)
    for name, names in _LABELS.items()
}
_HEADING: Mapping[Category, re.Pattern[str]] = {
    name: re.compile(
        rf"\s*(?:#{{1,6}}\s*)?{_MARK}[*_【\[]{{0,3}}(?:{names})[*_】\]]{{0,3}}\s*[:：]?[*_]{{0,3}}\s*",
        re.IGNORECASE,
    )
    for name, names in _HEADS.items()
}
_SAYING: Mapping[Category, re.Pattern[str]] = {
    name: re.compile(
        rf"(?:(?:so|and|but|well|ok(?:ay)?|sorry|also|所以|那么?|抱歉|对不起|另外|看来)[,，:：\s]*)?(?:{cue})",
        re.IGNORECASE,
    )
    for name, cue in _SAYS.items()
}
_STOP = re.compile(r"[.!?;…][\"'”’)]*\s+|[。！？；…][”’』」）]*\s*")
_ITEM = re.compile(r"\s*(?:[-*+•·]|\d{1,3}[.)、])\s+(?=\S)|\s*\d{1,3}、(?=\S)")
_STRONG = re.compile(
    r"\b(?:always|never|must|under no circumstances|make sure|every time)\b"
    r"|务必|必须|一定要|千万|绝不|绝对不|永远|每次都", re.IGNORECASE,
)  # fmt: skip
_OF_USER = re.compile(
    r"\b(?:the )?(?:user|owner|customer|client|you)(?:'s \w+| (?:\w+ly|also|now|still|just))* "
    r"(?:is|are|was|were|has|have|had|likes?|loves?|prefers?|hates?|wants?|needs?|lives?|works?|"
    r"uses?|speaks?|owns?|drinks?|eats?|dislikes?|enjoys?|believes?|moved|can't|cannot|doesn't|"
    r"don't|isn't|aren't|never|always)\b"
    r"|\byou(?:'re|'ve)\b|\b(?:your|user's|owner's|users') \w+(?: \w+)? (?:is|are|was|were)\b"
    r"|(?:用户|主人|客户|你|您)(?:本人|现在|其实|一直|也|都|还|的[^，。；]{1,8})?"
    r"(?:是|有|没有|不?喜欢|讨厌|不?爱|住|在|叫|对[^，。]{1,10}过敏|想要|需要|习惯|偏好|偏爱|姓|会|不能|不吃|不喝|从不|总是)",
    re.IGNORECASE,
)


class Learned(NamedTuple):
    """The lessons of a turn, the most important first, and what was no lesson after all."""

    claims: tuple[Claim, ...]
    rejected: tuple[Rejected, ...]


class _Found(NamedTuple):
    """Words of an event that are marked as a lesson."""

    category: Category
    start: int
    end: int
    labelled: bool


def learn(
    events: Sequence[Event],
    known: Sequence[Memory],
    cosine: Cosine,
    owner: str = "",
    proposed: Sequence[Claim] = (),
) -> Learned:
    """The lessons of the agent's messages in `events`; at most `AT_MOST`, none that is `known`.

    `known` are live memories, of which only lessons count. `cosine` compares two texts by their
    vectors; without an embedder (None) only the same words are the same lesson. `owner` is the
    user's name; `proposed` are lessons that a model found in the same messages, which hold or fall
    by the same tests. Deterministic.
    """
    before = [memory.text for memory in known if memory.kind == "lesson"]
    kept: list[Claim] = []
    rejected: list[Rejected] = []
    found = [(event, one) for event in events if is_own(event) for one in _marked(event.text)]
    claims = [*(_claim(event, one) for event, one in found), *proposed]
    ranked = sorted(claims, key=lambda claim: -claim.importance)  # stable: else as they were said
    for claim in ranked:
        reason = _no_lesson(claim, owner) or _known(claim.text, before, cosine)
        if not reason and len(kept) == AT_MOST:
            reason = f"more than {AT_MOST} lessons in one turn"
        if reason:
            rejected.append(Rejected(STAGE, reason, claim.text, claim.evidence[0].event_id))
            continue
        kept.append(claim)
        before.append(claim.text)
    return Learned(tuple(kept), tuple(rejected))


def titled(category: str, title: str) -> str:
    """The title of a lesson's memory, which tells its category."""
    return f"{category}: {title}"


def category_of(claim: Claim) -> str:
    """The category of a lesson's claim."""
    return claim.rule.partition(":")[2]


def is_own(event: Event) -> bool:
    """Whether the agent said it itself."""
    return event.origin == "agent" and event.kind == "message"


def _claim(event: Event, found: _Found) -> Claim:
    text = event.text[found.start : found.end]
    strong = STRONG if _STRONG.search(text) else 0
    return Claim(
        kind="lesson", subject=AGENT, text=text,
        evidence=(evidence_of(event, found.start, found.end),),
        entities=tuple(dict.fromkeys(entity.text for entity in find_entities(text))),
        importance=IMPORTANCE[found.category] + strong,
        confidence=0.8 if found.labelled else 0.7,
        negated=is_negated(text), rule=f"lesson:{found.category}",
    )  # fmt: skip


# --- where they stand ---------------------------------------------------------------------------


def _marked(text: str) -> Iterator[_Found]:
    """The marked words of a message, line by line, none twice."""
    told = frozenset(knowledge_spans(text))
    below: Category | None = None
    at = 0
    for line in text.split("\n"):
        start, at = at, at + len(line) + 1
        heading = _of(_HEADING, line, whole=True)
        if heading:
            below = heading[0]
            continue
        if not line.strip():
            continue
        item = _ITEM.match(line)
        if below and not item:
            below = None
        if (start, start + len(line)) not in told:
            continue  # code, a log, a quotation
        yield from _of_line(text, start, line, below, item)


def _of_line(
    text: str, start: int, line: str, below: Category | None, item: re.Match[str] | None
) -> Iterator[_Found]:
    label = _label_in(line)
    told = line[: label[1]] if label else line
    if below and item and not (label and not label[1]):
        yield from _cut(text, below, start + item.end(), start + len(line))
        return
    for first, last in sentences(told):
        first += len(told[first:last]) - len(told[first:last].lstrip())
        mark = _ITEM.match(told[first:last])
        said = _of(_SAYING, told[first + mark.end() if mark else first : last])
        if said:
            yield from _cut(text, said[0], start + first, start + last, labelled=False)
    if label:
        # The label is for the rest of the line.
        yield from _cut(text, label[0], start + label[2], start + len(line))


def _label_in(line: str) -> tuple[Category, int, int] | None:
    """The first label of a line, at its start or behind a sentence: where it starts and ends."""
    for start in (0, *(match.end() for match in _STOP.finditer(line))):
        found = _of(_LABELLED, line[start:])
        if found:
            return found[0], start, start + found[1]
    return None


def _of(
    patterns: Mapping[Category, re.Pattern[str]], text: str, *, whole: bool = False
) -> tuple[Category, int] | None:
    """The category whose pattern the text begins with (or is), and where that ends."""
    for category, pattern in patterns.items():
        match = pattern.fullmatch(text) if whole else pattern.match(text)
        if match:
            return category, match.end()
    return None


def _cut(
    text: str, category: Category, start: int, end: int, *, labelled: bool = True
) -> Iterator[_Found]:
    """The words between, without what surrounds them; of a long paragraph its first sentences."""
    words = text[start:end]
    if len(words) > LONGEST:
        ends = [last for _, last in sentences(words) if last <= LONGEST]
        if not ends:
            return
        end = start + ends[-1]
        words = text[start:end]
    item = _ITEM.match(words)
    start += item.end() if item else len(words) - len(words.lstrip(" \t*_"))
    end -= len(text[start:end]) - len(text[start:end].rstrip(" \t\r*_"))
    if start < end:
        yield _Found(category, start, end, labelled)


# --- what is no lesson --------------------------------------------------------------------------


def _no_lesson(claim: Claim, owner: str) -> str:
    """Why a claim is no lesson, or "": by its text, and by the words that it rests on."""
    texts = dict.fromkeys((claim.text, *(span.quote for span in claim.evidence)))
    return next(filter(None, (_refused(text, owner) for text in texts)), "")


def _refused(text: str, owner: str) -> str:
    """Why marked words are no lesson, or ""."""
    if len(terms(text)) < LEAST_TERMS:
        return "too short for a lesson"
    if line_kind(text):
        return "a program's output"
    folded = fold(text)
    if folded.count(BLANK) * 2 > len(text):
        return "quoted material"
    if _OF_USER.search(_unnamed(folded, fold(owner.strip()))):
        return "the agent's words about the user"
    return _misread(text, folded)


def _unnamed(folded: str, owner: str) -> str:
    """The text with the user called so, where it names him."""
    return folded.replace(owner, "用户" if has_han(owner) else "the user") if owner else folded


def _misread(text: str, folded: str) -> str:
    """Why the clauses of marked words are no lesson, or ""."""
    clauses = split(text, folded)
    if not clauses or clauses[-1].closer == "?":
        return "a question"
    read = readings(clauses)
    read_acts(read, Scene(speaker_is_other=False, person=False, winks=False))
    told = any(reading.act in ("injection", "private") for reading in read)
    return "an instruction, no lesson" if told else ""


def _known(text: str, before: Sequence[str], cosine: Cosine) -> str:
    """Why a lesson is known already, or "".

    The cosine proposes, the words decide: with some embedders texts on unlike things are as near
    as that, and a lesson that is left out is lost.
    """
    bag = sorted(terms(text))
    for other in before:
        if sorted(terms(other)) == bag:
            return "the same lesson is known"
        like = cosine(other, text)
        if like is not None and like >= NEAR and _same(other, text, like):
            return f"near duplicate of a known lesson (cosine {like:.2f})"
    return ""


def _same(known: str, text: str, like: float) -> bool:
    """Whether a text says no more than a known one."""
    found = compare(Statement(known, "", AGENT), Statement(text, "", AGENT), like)
    return found.relation == "same" or (found.relation == "richer" and found.current == "a")
