"""Lines of hand-written notes: under a heading a line needs neither verb nor subject.

Who writes "Metric units" under "Preferences" has curated it: the heading says what it is, the line
what it says. So a line of an owner's note is read by the innermost heading that names a kind; one
that is a sentence of its own, or stands under no such heading, is read like any message.
"""

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Final

import msgspec

from slowwave.dream.distill.clauses.cut import BLANK
from slowwave.dream.distill.clauses.reading import Act, Reading
from slowwave.dream.distill.statements.groups import Group
from slowwave.dream.distill.subject import AGENT, WORLD
from slowwave.model import USER, Event, Kind

__all__ = ["note_lines"]

LONGEST: Final = 160
"""Characters of a line that still counts as one curated statement."""

_OPEN: Final[frozenset[Act]] = frozenset(
    {"depend", "opinion", "smalltalk", "request", "refusal", "assent", "fact", "third_person"}
)
_TELLING: Final[tuple[tuple[Kind, str], ...]] = (
    (
        "plan",
        r"\b(?:to[- ]?dos?|tasks?|next(?: steps?| up)?|plans?|planned|upcoming"
        r"|open (?:items|points)|action items|backlog)\b|待办|要做|任务|计划|下一步|安排|打算",
    ),
    (
        "rule",
        r"\b(?:rules?|conventions?|guidelines?|instructions?|always|never|do['’]?s|don['’]?ts"
        r"|polic(?:y|ies)|boundaries)\b|规矩|规则|约定|准则|规范|要求|禁忌|原则",
    ),
    (
        "relationship",
        r"\b(?:people|team|family|contacts?|friends|colleagues|clients?|neighbou?rs"
        r"|who['’]?s who)\b|人物|团队|家人|家庭|联系人|同事|朋友|客户|亲友|邻居",
    ),
    (
        "preference",
        r"\b(?:preferences?|dis)?likes?\b|\b(?:preferences?|style|tastes?|communication|tone"
        r"|format(?:ting)?|favou?rites?)\b|偏好|喜好|喜欢|习惯|风格|口味|口吻|格式",
    ),
    (
        "environment",
        r"\b(?:stack|tools?|tooling|setup|environment|machines?|hardware|servers?|devices?"
        r"|infra\w*)\b|技术栈|工具|环境|配置|设备|服务器",
    ),
    ("project", r"\b(?:projects?|goals?|milestones?)\b|项目|目标|里程碑"),
    (
        "profile",
        r"\b(?:about (?:me|us)|profile|bio|who i am|user|owner|personal|identity|background"
        r"|health)\b|^me$|关于我|简介|个人|我是谁|用户|身份|背景|健康",
    ),
)
_HEADINGS: Final = tuple((kind, re.compile(words, re.IGNORECASE)) for kind, words in _TELLING)
"""Which kind a heading names; the first that fits."""

_TITLE: Final = 40
"""Characters of a heading; a longer one is a sentence."""

_BOX = re.compile(r"\[(?P<done>[ xX√✓-]?)\]\s*")
_DONE = re.compile(r"~~.+~~|[✅☑✔]|\b(?:done|cancelled)\b\W*$|(?:已完成|已取消)\W*$", re.IGNORECASE)
_FOREIGN = re.compile(r"https?://\S+|www\.\S+|\[[^\]]*\]\([^)]*\)|`[^`]*`|" + BLANK + "+")
_WORDS = re.compile(r"[^\W\d_]{2,}|[\u4e00-\u9fff]{2}")
_PERSON = re.compile(
    r"(?:[A-ZÀ-Þ][\w'’.-]+(?: [A-ZÀ-Þ][\w'’.-]+){0,2}|[\u4e00-\u9fff]{2,4})"
    r"(?=\s*(?:[,，:：(（、—–]|\s-\s))"
)


def note_lines(message: list[Reading], event: Event) -> list[Group]:
    """The statements of a note's lines that its heading explains; takes them from `message`.

    Each group has its `kind`; who is named first under "People" is its subject. Nothing is taken
    where no heading names a kind. Links, code, questions and ticked tasks are left alone.
    """
    kind = _kind_of(event.meta.get("heading", ""))
    if event.kind != "note" or event.origin != "owner" or kind is None:
        return []
    found: list[Group] = []
    lines = groupby(message, key=lambda r: event.text.count("\n", 0, r.clause.start))
    for line in [list(readings) for _, readings in lines]:
        statement = _statement(line, kind, event)
        if statement is not None:
            found.append(statement)
            taken = {id(reading) for reading in line}
            message[:] = [reading for reading in message if id(reading) not in taken]
    return found


def _kind_of(path: str) -> Kind | None:
    """The kind that the innermost telling heading of "A > B > C" names."""
    for title in reversed(path.split(" > ")):
        if len(title) > _TITLE:
            continue
        for kind, words in _HEADINGS:
            if words.search(title):
                return kind
    return None


def _statement(line: Sequence[Reading], kind: Kind, event: Event) -> Group | None:
    start, end = line[0].clause.start, line[-1].clause.end
    text = event.text[start:end]
    if not all(_is_open(reading) for reading in line) or end - start > LONGEST:
        return None
    if text.endswith((":", "：")) or not _WORDS.search(_FOREIGN.sub(" ", text)):
        return None
    box = _BOX.match(text)
    if kind == "plan":
        if _is_done(event, start) or (box is not None and box["done"].strip()):
            return None
    elif any(r.any("i", "mine", "kin", "he") for r in line):
        return None
    subject = _subject(text, kind)
    if subject is None:
        return None
    clauses = [_after_box(line[0], box.end() if box else 0), *line[1:]]
    for reading in clauses:
        reading.act = "rule" if kind == "rule" else "fact"
    return Group(clauses[0].act, subject, clauses, kind=kind)


def _is_open(reading: Reading) -> bool:
    return reading.own and reading.act in _OPEN and reading.clause.closer != "?"


def _is_done(event: Event, start: int) -> bool:
    """Whether a task is ticked, struck through or called done; the marks are outside its words."""
    since = event.text.rfind("\n", 0, start) + 1
    line = event.text[since:].partition("\n")[0]
    return event.meta.get("task") == "done" or _DONE.search(line) is not None


def _after_box(reading: Reading, length: int) -> Reading:
    """Without the box that a task is ticked in."""
    clause = reading.clause
    if 0 < length < len(clause.text):
        reading.clause = msgspec.structs.replace(
            clause,
            start=clause.start + length,
            text=clause.text[length:],
            folded=clause.folded[length:],
        )
    return reading


def _subject(text: str, kind: Kind) -> str | None:
    if kind == "relationship":
        named = _PERSON.match(text)
        return named.group() if named else None
    return {"rule": AGENT, "environment": WORLD}.get(kind, USER)
