"""What somebody does without, or what does not take place: told in the words of an order.

"No coffee since January" and the doctor's "no running for six weeks" are about the one who says
so, "no harp lesson this week" is about his week; "no calls after eight" is an order to whoever
helps him. Its form alone does not tell: what it rests on does.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from slowwave.dream.distill.clauses.reading import Reading, sentence_of
from slowwave.text.dates import TimeExpr, find_times

__all__ = ["abstains", "spell"]

_NONE: Final = re.compile(
    r"^(?:and |but |so far |still |also )*(?:no|not an?y?) (?:more )?(?!need\b|longer\b)\w"
)
_SINCE: Final = re.compile(
    r"\bsince (?!(?:i|we|he|she|they|it|you|there|this|that)(?:['’]\w+)?\b)"
    r"(?!.*\b(?:is|are|was|were)\b)"
    r"|\b(?:for|in) (?:[\w-]+ )?(?:days|weeks|months|years)(?: now| already)$|\bso far this \w+$"
    r"|\b(?:any ?more|now|from now on|for me) (?:because of|on account of) my\b"
)
"""How long it has been so already."""
_OFF: Final = re.compile(
    r"^(?:there is |there's |we have |i have )?no (?:[\w'’-]+ ){0,3}"
    r"(?:lesson|class|course|session|practice|rehearsal|match|game|meeting|"
    r"appointment|school|training|service|delivery|concert|market|mass|choir|club|seminar|lecture|"
    r"tutorial|\w+ing|\w+ball) (?:(?:for (?:me|us) )?"
    r"(?:this|next|on(?! \w+days\b)|today|tomorrow|tonight)\b"
    r"|for (?:me|us)\b)(?!.*\b(?:please|before|after)\b)"
)
"""One thing that would take place and does not, on its day."""
_HEALER_EN: Final = re.compile(
    r"\b(?:doctor|dr|gp|physio(?:therapist)?|surgeon|dentist|nurse|midwife|specialist|consultant|"
    r"hospital|clinic|\w+(?:ologist|opath|atrist|aedist|iatrician))['’]?s?\b"
)
_HEALER_ZH: Final = re.compile(r"医生|大夫|医院|医嘱|护士|治疗师|理疗师|康复师|门诊")
_BODY: Final = re.compile(
    r"\b(?:my|the) (?:left |right |lower |upper |bad )?(?:knees?|back|ankles?|hips?|shoulders?|"
    r"wrists?|elbows?|foot|feet|hands?|arms?|legs?|neck|eyes?|ears?|heart|stomach|throat|tooth|teeth|toe|"
    r"finger|rib|lungs?)\b"
)
_FOR_A_WHILE: Final = re.compile(
    r"\b(?:for|in) (?:at least |about |the next )?(?:[\w-]+ )?(?:days?|weeks?|months?)\b|"
    r"\b(?:until|till)\b|\bfor now\b|\bfor the time being\b"
)
_SPELL: Final = re.compile(
    r"\bfor (?:at least |about |the next )?(?P<en>[\w-]+ (?:days?|weeks?|months?))\b|"
    r"(?P<zh>[\d一二三四五六七八九十两]+(?:个月|个?星期|周|天))(?:之?内|里)?(?:都|先|暂时)?(?:不|别|禁|忌)",
    re.IGNORECASE,
)
_ACT: Final = re.compile(r"^(?:and |so |but )?(?:no|not an?y?) (?:\w+ )?\w+ing\b")
_CANNOT_ZH: Final = re.compile(
    r"^[^，我你那]{0,8}(?:别|不许|不让|禁止?|忌)[^，你]{1,10}$|"
    r"^[^，我你那]{0,4}[\d一二三四五六七八九十两半]+个?(?:月|星期|周|天|年)(?:之?内)?[^，你]{0,2}不(?:能|可以|要)"
)
_TO_AGENT: Final = re.compile(
    r"\b(?:you|please|recipes?|suggest\w*|recommend\w*|remind\w*|book|schedule|send|show|plan|answer|"
    r"invit\w+|messages?|calls?|emails?|meetings)\b|[你您请]|推荐|安排|提醒|建议.*给我|发给|菜谱"
)
"""What the one who helps him would do."""


def abstains(clauses: Sequence[Reading], index: int) -> bool:
    """Whether a clause that reads like a ban tells what the speaker does without, or what is off.

    What he does without is noted on the reading.
    """
    reading = clauses[index]
    before = [r for r in sentence_of(clauses, index) if r.clause.start < reading.clause.start]
    ordered = any(r.act in ("rule", "hold") for r in before)
    told = ordered or reading.has("remember") or _TO_AGENT.search(reading.folded)
    so_far = reading.en and _NONE.search(reading.folded) and _SINCE.search(reading.folded)
    if told and not so_far:
        return False
    worded = _NONE if reading.en else _CANNOT_ZH
    without = bool(so_far)
    if not without and worded.search(reading.folded):
        without = _is_prescribed(clauses, index)
    if without:
        reading.turn = "without"
        return True
    return reading.en and not told and _OFF.search(reading.folded) is not None


def spell(text: str, now: datetime) -> list[TimeExpr]:
    """The stretch of time from now that a text says something is to last ("for six weeks")."""
    said = _SPELL.search(text)
    if said is None:
        return []
    return find_times(f"for the next {said['en']}" if said["en"] else f"未来{said['zh']}", now)


def _is_prescribed(clauses: Sequence[Reading], index: int) -> bool:
    """Told by who heals him, or because of his body and for a while: nobody else could heed it."""
    reading = clauses[index]
    said = [r.folded for r in sentence_of(clauses, index) if r.clause.start <= reading.clause.start]
    after = [r.folded for r in clauses[index + 1 : index + 2]]
    healer = _HEALER_ZH if reading.zh else _HEALER_EN
    if any(healer.search(text) for text in (*said, *after)):
        return True
    if reading.zh:
        return _SPELL.search(reading.folded) is not None and any(
            r.has("body") for r in sentence_of(clauses, index)
        )
    hurt = any(_BODY.search(text) for text in said) and bool(_ACT.search(reading.folded))
    return hurt and bool(_FOR_A_WHILE.search(reading.folded))
