"""Whether a later statement lets go on what an earlier one has stopped: a hold, a freeze, a ban.

"The freeze is over", "you can merge again", "冻结解除了", "可以发版了". What is named must be what
was stopped; "the freeze" alone means the one freeze there is.
"""

import re
from typing import NamedTuple

from slowwave.dream.compare.reading.statement import stem_of
from slowwave.dream.compare.turns.reschedule import longest_shared, named_by
from slowwave.text.lately import lately
from slowwave.text.may import without_may
from slowwave.text.stopwords import ENGLISH

__all__ = ["LOOSELY_FREED", "RELEASE", "released", "tells_release"]

RELEASE = "release"
"""The rule of claims that say nothing but that something may go on."""

FREED = "what was stopped may go on"
LOOSELY_FREED = f"{FREED}, and nothing else that is stopped can be meant"
"""The hold is named by its sort alone: it counts where a single memory is meant."""

_HAN = re.compile(r"[\u3400-\u9fff]")
_CLAUSE = re.compile(
    r"[，。；;！!？?：（）()\n]+|[,:](?!\d)|[.](?=\s|$)|\s[-–—]+\s|\b(?:and|but|so)\b"
)
_SORT_EN = (
    r"(?:freeze|hold|ban|embargo|block(?:ade)?|moratorium|lockdown|lock|pause|stop|suspension|"
    r"restriction|blackout|quarantine|shutdown|halt)"
)
_FREE_EN = re.compile(
    rf"\b{_SORT_EN}s? (?:(?:is|are|was|were|has|have|'s)(?: now| been| finally| officially)* )?"
    rf"(?:over|lifted|ended|ends|done|gone|removed|expired|cleared|no longer|no more)\b|"
    # "The hold is off" frees, "hold off" stops.
    rf"\b{_SORT_EN}s? (?:is|are|was|were|'s)(?: now| all| finally| officially)* off\b|"
    rf"\b(?:lift(?:ed|ing)?|end(?:ed|ing)?|remov(?:ed|ing)|drop(?:ped)?|clear(?:ed)?) (?:the |"
    rf"our |that )?(?P<what>[\w -]{{0,30}}?){_SORT_EN}\b|"
    r"\b(?:resum(?:e|ed|es|ing)|restart(?:ed|ing)?|unpaus(?:e|ed)|unfreez(?:e|ed|ing)|unfroze|"
    r"unfrozen|"
    r"unblock(?:ed|ing)?|unlock(?:ed)?|reopen(?:ed|s|ing)?|re-enabled?|reinstated?|green-?lit|"
    r"green-?light(?:ed)?)\b|"
    r"\b(?:can|may|could|are (?:free|allowed|clear|cleared|welcome|good)|'re (?:free|allowed|"
    r"clear|cleared|good)|"
    r"(?:is|it's|are|now) (?:ok|okay|fine|safe|free|allowed|possible)) (?:to )?(?:now |all |"
    r"go ahead and |start )*"
    r"(?P<act>[\w' -]{2,60}?) (?:again|now(?! on)|as usual|once more)\b|"
    r"\b(?:can|may) now\b(?! on)|\bcan (?:go|come|be (?:switched|turned|put)) (?:back )?(?:on|up|"
    r"out|live|in)\b|\bfeel free to\b.*\bagain\b|"
    r"\b(?:go|going|went) ahead (?:with|and)\b|\b(?:is|are|'s) (?:good to go|a go|clear to go|"
    r"on again)\b|"
    r"\b(?:is|are|'s|was|were|has been|have been) (?:now |finally |all )?(?:back on|open for|"
    r"unfrozen|cleared|released|back to normal|(?:(?:perfectly|quite|all) )?(?:open|allowed|"
    r"running|free|available|fine|ok|okay|safe|possible|on|up|permitted|welcome|good) again)\b|"
    r"\bno longer (?:on hold|frozen|blocked|paused|banned|off limits|off-limits|embargoed|reserved|"
    r"suspended|locked|need to (?:wait|hold))\b|"
    r"\b(?:no need|don't (?:have|need)|needn't|not necessary) to (?:hold|wait|pause|"
    r"keep)\w*(?: off| back)?\b|"
    r"\bstop holding\b|\bback in business\b"
)
_FREE_ZH = re.compile(
    r"解[冻除禁封]|恢复(?!得|健康|训练|期|了?[不很])|重启|放行|放开|开放了|重新开[放始]|解锁|"
    r"取消(?:了)?(?:冻结|限制|禁令|暂停|封锁|管控)|(?:冻结|限制|禁令|暂停|封锁|管控|"
    r"封网)(?:期)?(?:已经|都)?(?:结束|取消|到期|过了|没了|撤了)|"
    r"(?<!不)(?:可以|能(?![源力量效耗见])|允许|准许)(?:继续|正常|重新|开始|随便|放心|"
    r"照常)?(?P<act>[^，。了吗呢不]{0,12})(?:了|啦)(?:$|[，。！])|"
    r"(?:不用|不必|无需|不需要|用不着)(?:再)?(?:等|停|压|憋|卡|拦|暂停|扣着|留着|锁)|"
    r"照常(?=[^，]{1,6})|(?:接着|继续)(?=[\u4e00-\u9fff])(?P<goes>[^，。]{1,10})(?:吧|了|啦)(?:$|"
    r"[，。])|开闸|绿灯|解套"
)
_MINE = re.compile(
    r"^(?:i|i'm|i've) |^(?:please )?(?:can|could|would|will) you |\bmy (?:knee|back|leg|doctor|"
    r"account)\b|我(?:可以|能)|终于|(?:才|刚)能|会[^，]{0,8}了$|"
    r"^[他她]|\b(?:he|she) (?:can|may)\b"
)
_STILL = re.compile(
    r"\b(?:not|\w+n't|never|until|unless|when|once|if|before|whether|hope|might)\b|还[不没]|"
    r"[没不](?:能|可以|解|恢复|放|重启)|[吗么？?]|"
    r"如果|要是|再(?:恢复|继续|开放|重启|放开)|等[^，]{0,12}[就再才]|什么时候|何时|之后(?:才|再)"
)
_NEED_NOT = re.compile(
    r"\b(?:no need|don't (?:have|need)|needn't|not necessary) to\b|\bno longer\b"
)
_STOPS = re.compile(
    rf"\b(?:no|not|don't|never|nothing|nobody|hold|wait|pause|stop|suspend|halt|keep|leave|avoid|"
    rf"frozen|blocked|banned|reserved|off limits|paused|suspended|{_SORT_EN})\b|n't\b|"
    r"[别勿停封禁冻锁]|不[要许准能得可]|暂|先[不压放扣留]|压着|保留|预留|占用|等[^，]{1,16}(?:再|"
    r"才|之后)"
)
_SORT_ZH = re.compile(r"冻结|限制|禁令|封锁|封网|管控|暂停|冻")
_SORTED_EN = re.compile(rf"\b{_SORT_EN}s?\b")
_GRAMMAR_EN = frozenset({
    "again", "now", "go", "goes", "going", "ahead", "resume", "resumed", "resuming", "restart",
    "restarted", "can", "may", "free", "feel", "allowed", "lifted", "lift", "lifting", "over",
    "back", "open", "okay", "ok", "safe", "fine", "clear", "cleared", "longer", "need", "hold",
    "wait", "normal", "usual", "unblocked", "unblock", "unfrozen", "unfreeze", "unpause",
    "unlocked", "unlock", "reopened", "reopen", "good", "need-not", "keep", "start", "started",
    "everyone", "everybody", "anyone", "finally", "officially", "signed", "off", "done", "gone",
    "please", "green-lit", "green-light", "greenlit", "greenlight", "yes", "released",
    "release-d", "available", "running", "today", "from", "as", "of", "ended", "ends", "end",
    "removed", "dropped", "already", "been",
})  # fmt: skip
_GRAMMAR_ZH = re.compile(
    r"解[冻除禁封锁]了?|恢复(?:正常)?了?|重启了?|放行了?|放开了?|开放了?|重新|可以|允许|准许|"
    r"继续|接着|正常|照常|已经|不用再?|不必再?|"
    r"无需|不需要|用不着|结束|取消|到期|随便|放心|开始|现在|今天|明天|起|大家|都|啦|了|吧|等|"
    r"你们?|您|现|又|就|也|全部|没问题|再"
)


class Release(NamedTuple):
    """A clause that lets something go on: its words, without those that only say so."""

    clause: str
    name: str
    sort: bool


def released(one: str, other: str) -> str:
    """Why a later canonical text ends what an earlier one has stopped, or ""."""
    if not _STOPS.search(one):
        return ""
    for told in tells_release(other):
        if told.name and _stopped(told.name, one):
            return FREED
        if told.sort and not _has_name(told.name):
            return LOOSELY_FREED
        if told.sort and _SORTED_EN.search(one) and _any_shared(told.name, one):
            return FREED
    return ""


@lately(4_096)
def tells_release(folded: str) -> tuple[Release, ...]:
    """The clauses of a canonical text that say of something stopped that it may go on."""
    found = []
    for part in _CLAUSE.split(folded):
        if not part or not part.strip():
            continue
        part = part.strip()
        han = _HAN.search(part)
        match = _FREE_ZH.search(part) if han else _FREE_EN.search(without_may(part))
        if match is None or _MINE.search(part) or _STILL.search(_NEED_NOT.sub(" ", part)):
            continue
        sort = (_SORT_ZH if han else _SORTED_EN).search(part) is not None
        found.append(Release(part, _name(part, han=bool(han)), sort))
    return tuple(found)


def _name(part: str, *, han: bool) -> str:
    if han:
        return " ".join(_GRAMMAR_ZH.sub(" ", _SORT_ZH.sub(" ", part)).split())
    bare = _SORTED_EN.sub(" ", part)
    words = re.findall(r"[a-z][a-z'-]*|\d+", bare)
    return " ".join(w for w in words if w not in _GRAMMAR_EN and w not in ENGLISH)


def _has_name(name: str) -> bool:
    return bool(re.search(r"[a-z]{3,}|[\u3400-\u9fff]", name))


def _stopped(name: str, hold: str) -> bool:
    """Whether what may go on stands in the hold, all of it, in any form of its words."""
    if _HAN.search(name):
        return _runs_stand(re.findall(r"[\u3400-\u9fff]+|[a-z0-9-]+", name), hold)
    stems, there = _stems(name), _stems(hold)
    if not stems:
        return False
    return stems <= there or named_by(name, hold) == "wholly"


def _runs_stand(runs: list[str], hold: str) -> bool:
    """Whether the thing stands in the hold, and what is done to it at least in part."""
    whole = [_run_in(run, hold) for run in runs]
    if all(whole):
        return True
    thing = any(ok and len(run) > 1 for run, ok in zip(runs, whole, strict=True))
    return thing and all(
        ok or (not run.isascii() and bool(set(run) & set(hold)))
        for run, ok in zip(runs, whole, strict=True)
    )


def _any_shared(name: str, hold: str) -> bool:
    return bool(_stems(name) & _stems(hold))


def _stems(text: str) -> frozenset[str]:
    words = re.findall(r"[a-z][a-z'-]*", text)
    return frozenset(stem_of(word.removesuffix("'s")) for word in words if word not in ENGLISH)


_LIGHT = frozenset("的了给把在对向和跟与上下里中个这那些我你")


def _run_in(run: str, hold: str) -> bool:
    """Whether a run stands in a hold, in any order of its parts; grammar may differ."""
    left = run
    while left:
        best = longest_shared(left, hold)
        if not best:
            break
        left = left.replace(best, "", 1)
    lost = set(left) - _LIGHT
    return not lost and bool(set(run) - _LIGHT)
