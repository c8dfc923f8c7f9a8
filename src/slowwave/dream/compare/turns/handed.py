"""What held a place is gone and something else holds it now, told without the words of the first.

"We keep the records in a notebook" ends with "the notebook is full, records go in X from today":
one clause says of what the earlier one names that it is gone, another gives the rest of it to
something new. An address is left by a move, whatever the words around it are.
"""

import re
from itertools import pairwise

from slowwave.dream.compare.grounds.alike import content, laid_beside, names_anything
from slowwave.dream.compare.grounds.weight import is_event
from slowwave.dream.compare.reading.lexicon import KIN_PATTERN
from slowwave.dream.compare.reading.quantity import quantities, same_value
from slowwave.dream.compare.reading.statement import Reading, stem_of
from slowwave.dream.compare.reading.topic import EN_NOW, ZH_CHANGE, ZH_NOW
from slowwave.text.lately import lately

__all__ = ["handed_on"]

HANDED = "the later one says that it is gone, and what is in its place"
SWITCHED = "the later one gives the same thing to somebody or something else"
MOVED = "the later one gives the address after a move"
LEFT_EN, LEFT_ZH = 2, 6
"""Most that the earlier one says besides (units, characters)."""

_GONE_ZH = re.compile(
    r"走了?$|调(?:走|到|去|离|任|岗|往|[^，。]{1,5}了$)|病休|请假|休了|退休|退了|离任|辞职?了?|"
    r"离职|离开|不干|不做|不管|跳槽|"
    r"休假|休产假|去世|"
    r"过世|病倒|病了|换人|换了|删|卸载?|丢了?|坏了?|停(?:用|产|业|办|刊|更|了)|关(?:了|门|停|闭|"
    r"张)|倒闭|不用|弃用|"
    r"废了?|卖了|没了|下架|下线|涨价|太贵|到期|满了|用完|搬走|升(?:了|任|职|到)|转(?:岗|走|到)|"
    r"毕业|解散"
)
_GONE_EN = re.compile(
    r"\b(?:left|leaves|leaving|retire[sd]?|retiring|moved|moves|moving|stepped down|stood down|"
    r"resign(?:ed|s)|gone|dropped|delet(?:ed|ing)|quits?|packed|closed|closing|shut|folded|"
    r"broke|lost|died|dead|cancell?ed|ditched|sacked|fired|transferred|promoted|sold|"
    r"uninstalled|binned|ended|finished|discontinued|went bust|too (?:dear|expensive)|full|"
    r"out of business|out|off|history|handed over|put (?:its|their|his|her) prices? up|wound up|"
    r"given up|gave up|done with|scrapped|relegated|emigrated|on (?:maternity )?leave)\b"
)
_NEW_ZH = re.compile(rf"{ZH_NOW.pattern}|{ZH_CHANGE.pattern}|换|改|接[手任替管]?|由|归|[是叫姓]")
_NEW_EN = re.compile(
    rf"{EN_NOW.pattern}|\b(?:new|took over|takes over|taking over|taken over|since|these days|"
    r"replaced|replaces|instead|in charge)\b"
)
_MAYBE = re.compile(r"\b(?:if|maybe|perhaps|might|would|could)\b|如果|要是|假如|万一|也许|可能")
_SINCE_THEN = re.compile(r"\b(?:since|from|as of) (?:yesterday|last)\b|从(?:昨天|上周|上个?月)")
_SINCE_DAY = re.compile(r"\b(?:since|from|as of) (?:yesterday|last \w+)\b")
_IS = re.compile(r"\b(?:is|are|'s)\b")
_OBJECT = re.compile(r" (?:the|a|an|my|our|his|her|their|some|\d+)\b|了[\u4e00-\u9fff]{2}")
_GETS_ZH = re.compile(r"[是叫在用到给由归姓找换订买进上存放装写记挂走]")
_GETS_EN = re.compile(r"\b(?:in|into|on|with|from|to|at|by|is|are|called|named)\b")
_ZH_PART = re.compile(r"[，。；;！!？?：（）()]+|[,:](?!\d)")
_EN_PART = re.compile(r"[;!?()]+|[,:](?!\d)|[.](?=\s|$)|\s[-–—]+\s|\b(?:and|but|so)\b")
_PERSON = re.compile(r"^(?:i|we|he|she|they|i've|we've|i'm|we're)\b")
_ZH_SWITCH = re.compile(
    r"^(?:.{0,10}?[把将])?(?P<thing>.{1,14}?)(?:已经|都|全|也|统一)?[换改转挪迁切](?:成|到|用|"
    r"订|买|在|走|去|由|给|上|喝|吃|"
    r"叫|找|为)+(?P<new>.{1,14}?)了?$"
)
_ZH_HAS = re.compile(r"[是用订在记放做走买喝找给归由叫]")
_EN_SWITCH = re.compile(
    r"\b(?:switched|changed|moved|swapped|shifted|transferred|taken|took|put)(?: over)? "
    r"(?:(?:my|our|the|his|her|their|all) )*(?P<thing>(?!from\b|over\b|"
    r"to\b)[^,.;]{2,40}?)(?: over)?"
    r" (?:to|with|into|onto|in) (?P<new>[^,.;]{2,40})$"
)
_EN_NOW_WITH = re.compile(
    r"^(?P<thing>[^,.;]{2,40}?) (?:is|are|comes?|goes?|lives?|runs?|sits?|gets? \w+)(?: now)? "
    r"(?:(?:with|in|on|from|into|to|at|by|through|via) )?(?P<new>(?!closed|open|shut|off|free|"
    r"busy)[^,.;]{2,40}?)$"
)
_EN_WITH_FOR = re.compile(
    r"\b(?:we're|i'm|we are|i am|we|i)(?: all| now)? (?:with|using|use|on|"
    r"go to) (?P<new>[^,.;]{2,30}?) "
    r"for (?:(?:my|our|the|all) )*(?P<thing>[^,.;]{2,40})$"
)
_SEVERAL = re.compile(r"\b(?:and|or|both|sometimes|also)\b|[和跟与、]")
_ADDRESS_ZH = re.compile(
    r"[路街巷弄里苑园庄村栋幢府城庭轩居座]\s?[a-z]?\s?\d|\d+\s?(?:号|栋|幢|弄|室)|小区|公寓|"
    r"宿舍|招待所|青旅|酒店|宾馆|民宿|"
    r"(?:堂|表)?[哥姐弟妹叔姨舅姑婶]家|租"
)
_ADDRESS_EN = re.compile(
    r"\b\d+[a-z]? (?:[a-z']+ ){1,3}(?:street|st|road|rd|lane|avenue|ave|drive|close|court|way|row|"
    r"square|place|gardens?|terrace|crescent|grove|hill|quay|mews|walk|park|yard|end|green|view|"
    r"rise|bank|fold|side|parade|wharf|lodge)\b|"
    r"\b(?:cottage|flat|house|room|caravan|apartment|bungalow)\b.*\b(?:in|on|at) [a-z]"
)
_OF_OTHERS = re.compile(
    r"(?:my|our|his|her|their) (?!address|new|own|place|home|house|flat)|"
    r"[他她]"
)
_STAYS_ZH = re.compile(r"住|寄|收货|快递|地址|租|落脚")
_STAYS_EN = re.compile(
    r"\b(?:liv(?:e|es|ing)|stay(?:ing|s)?|lodg(?:e|ing)|rent(?:ing|s)?|address|post|parcels?|mail|"
    r"letters|deliver\w*|based|put up|sleep\w*|camping out|(?:i'm|we're|we are|i am) at|for now|"
    r"for the moment)\b"
)
_MOVED_ZH = re.compile(
    r"(?:^|[，,。；])(?:[我咱]们?|家里?|我家|全家|终于|总算|上?周[一二三四五六日末]?|昨天|今天|"
    r"已经|刚刚?|从[^，。]{1,8}|折腾[^，。]{0,6})*"
    r"(?:搬|入住|乔迁)|(?:^|[，,。；])(?![^，,。；]{0,8}(?:公司|店|厂|办公室|学校|单位|客户|"
    r"医院|部))[^，,。；]{0,8}"
    r"搬(?:过来|进来|好|完|出来|家)|新(?:家|住址|地址|房)|现住|租好了?房|买了房"
)
_MOVED_EN = re.compile(
    r"(?:^|[,.;] ?|\b(?:i|we|i've|we've|have|finally|just) )(?:moved|moving)\b(?! (?:my|our|the|"
    r"to a )"
    r"(?!new\b))|\b(?:my|our) (?:new|own|permanent) (?:address|place|house|flat|home)\b|"
    r"\bthe (?:new )?(?:house|flat|place) is (?:ours|mine)\b|\bmoved (?:in|out)\b|\bgot (?:our|"
    r"my) own place\b"
)


def handed_on(earlier: Reading, later: Reading) -> str:
    """Why something else holds the place of which the earlier statement tells, or ""."""
    zh = later.han > 0.5
    ended = earlier.negators or "past" in earlier.marks or is_event(earlier)
    if (earlier.han > 0.5) != zh or ended or "once" in later.marks or _MAYBE.search(later.folded):
        return ""
    if _rehomed(earlier, later, zh):
        return MOVED
    if (is_event(later) and not _SINCE_THEN.search(later.folded)) or earlier.slots & {
        "like",
        "dislike",
        "allergy",
    }:
        return ""
    if _gone_and_filled(earlier, later, zh):
        return HANDED
    return SWITCHED if _switched(earlier, later, zh) else ""


@lately(4_096)
def _parts(folded: str, zh: bool) -> tuple[str, ...]:
    found = (_ZH_PART if zh else _EN_PART).split(folded)
    return tuple(part.strip() for part in found if part and part.strip())


def _gone_and_filled(earlier: Reading, later: Reading, zh: bool) -> bool:
    """Whether one clause says that something is gone, and another one fills its place."""
    parts = _parts(later.folded, zh)
    for at, part in enumerate(parts):
        gone = _gone(earlier.folded, part, zh)
        others = [*parts[:at], *parts[at + 1 :], *_joined(parts[at + 1 :])]
        if gone and any(_filled(earlier, later, other, gone, zh) for other in others):
            return True
    return False


def _joined(parts: tuple[str, ...]) -> list[str]:
    """Neighbouring clauses read as one ("the role has changed, it is N")."""
    return [f"{one} {other}" for one, other in pairwise(parts)]


def _gone(whole: str, part: str, zh: bool) -> frozenset[str]:
    """What the earlier one names and a clause says to be gone, nothing else beside it."""
    verb = (_GONE_ZH if zh else _GONE_EN).search(part)
    if verb is None:
        return frozenset()
    before, after = part[: verb.start()], part[verb.end() :]
    if _OBJECT.match(after) and names_anything(before, zh) and "left" not in verb[0]:
        return frozenset()  # something was done to something else
    if zh or (names_anything(before, zh) and not _PERSON.match(before)):
        named = before if names_anything(before, zh) else after
    else:
        named = after
    beside = laid_beside(whole, named, zh)
    besides = sum(map(len, beside.alone_second)) > 1 if zh else bool(beside.alone_second)
    return frozenset() if besides else beside.common


def _filled(earlier: Reading, later: Reading, part: str, gone: frozenset[str], zh: bool) -> bool:
    """Whether a clause gives the rest of what was said to something new."""
    if not (_NEW_ZH if zh else _NEW_EN).search(part) and not (_NEW_ZH if zh else _NEW_EN).search(
        later.folded
    ):
        return False
    beside = laid_beside(earlier.folded, part, zh)
    rest = beside.common - gone
    if not rest or not beside.alone_second or gone <= beside.common:
        return False
    names = {stem_of(word) for name in earlier.names for word in name.split()}
    person = not zh and gone <= names and bool(_IS.search(earlier.folded))
    if not (_GETS_ZH if zh else _GETS_EN).search(part):
        return False
    if not _names_new(earlier, later, part, zh, person):
        return False
    left = beside.alone_first - gone
    return (sum(map(len, left)) <= LEFT_ZH) if zh else (len(left) <= LEFT_EN)


def _names_new(earlier: Reading, later: Reading, part: str, zh: bool, person: bool) -> bool:
    """Whether a clause names what is there now; a person gives way to a person."""
    if zh:
        return not re.search(r"[很挺太]|不错|[不没]|[换买修配]了[\u4e00-\u9fff]{2}", part)
    fresh = {name for name in later.names if name in part and name not in earlier.folded}
    return bool(fresh) or (
        not person
        and bool(
            re.search(
                r"\b(?:in|into|on|with|from|to|by|called|named) (?:an? |the |my |"
                r"our )?[a-z]+",
                part,
            )
        )
    )


def _switched(earlier: Reading, later: Reading, zh: bool) -> bool:
    """Whether a thing of the earlier statement is put with something else in so many words."""
    if zh:
        return any(_zh_switch(earlier, part) for part in _parts(later.folded, zh))
    return any(_en_switch(earlier, later, part) for part in _parts(later.folded, zh))


def _zh_switch(earlier: Reading, part: str) -> bool:
    match = _ZH_SWITCH.match(part)
    if match is None or not _ZH_HAS.search(earlier.folded) or _SEVERAL.search(earlier.folded):
        return False
    thing, new = match["thing"], match["new"]
    beside = laid_beside(earlier.folded, thing, True)
    if not beside.common or beside.alone_second or beside.persons_only or not beside.opens:
        return False
    if not beside.alone_first or not content(new) or earlier.numbers or quantities(new):
        return False
    return not any(word in new for word in beside.alone_first)


def _en_switch(earlier: Reading, later: Reading, part: str) -> bool:
    now = EN_NOW.search(part) or _SINCE_THEN.search(part)
    bare = " ".join(_SINCE_DAY.sub(" ", EN_NOW.sub(" ", part)).split())
    match = _EN_SWITCH.search(bare)
    if match is None and now:
        match = _EN_NOW_WITH.match(bare) or _EN_WITH_FOR.search(bare)
    if match is None:
        return False
    fresh = [name for name in later.names if name in match["new"]]
    if not fresh or any(name in earlier.folded for name in fresh):
        return False
    names = {stem_of(word) for name in earlier.names for word in name.split()}
    for clause in _parts(earlier.folded, False):
        beside = laid_beside(clause, match["thing"], False)
        if beside.alone_second or not beside.common or beside.common <= names:
            continue
        if _SEVERAL.search(clause):
            continue
        if beside.alone_first and beside.alone_first <= names:
            return True
    return False


def _rehomed(earlier: Reading, later: Reading, zh: bool) -> bool:
    """Whether the speaker stayed at one place and tells of a move to another one."""
    if any(
        _OF_OTHERS.match(one.folded) or KIN_PATTERN.match(one.folded) for one in (earlier, later)
    ):
        return False
    stays, address, moved = (
        (_STAYS_ZH, _ADDRESS_ZH, _MOVED_ZH) if zh else (_STAYS_EN, _ADDRESS_EN, _MOVED_EN)
    )
    if not (stays.search(earlier.folded) and address.search(earlier.folded)):
        return False
    if not moved.search(later.folded) or not address.search(later.folded):
        return False
    if zh:
        return not _same_numbers(earlier, later)
    return not _same_numbers(earlier, later) and not (earlier.names & later.names)


def _same_numbers(earlier: Reading, later: Reading) -> bool:
    return any(same_value(one, other) for one in earlier.numbers for other in later.numbers)
