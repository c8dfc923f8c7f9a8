"""Things told apart by a number: room 12 and room 14, line 4 and line 7, 第一批 and 第二批.

Such a number is a name, not a value. It stands in what the statement is about, right behind its
noun and before the verb; in what is said of it ("the room is 12") it is a value that may change.
"""

import re

__all__ = ["labels_apart", "things_apart"]

_FUNCTION = (
    "i we you he she it they there this that these those who what which and or but if when while "
    "at in on of for from to with by about around over under after before until since than as per "
    "is are was were be been am has have had do does did will would can could may might must shall "
    "should not no only just still now today tomorrow yesterday some any each every all both "
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday week month year day"
)
_NO_NOUN = frozenset(_FUNCTION.split())
"""Words that name no thing a number could tell apart: function words, and what counts time."""

_NUMBERED = (
    "line bus tram train flight route gate platform track lane bay dock room floor building block "
    "house hall flat apartment unit pump machine engine crane sensor server node shard channel bed "
    "tank well box table desk team group class chapter part section phase step round batch lot "
    "shift season episode ticket issue ward station warehouse"
)
_NUMBERED_THINGS = frozenset(_NUMBERED.split())
"""What usually goes by a number. Only before a bare verb in -s, which may be a plural ("buys 12
eggs"), must the noun be one of them; before "is", "has" or "needs" it may be any."""

_LATIN = re.compile(
    r"^(?:(?:the|our|my|your|his|her|their|its|an?)\s+)?(?P<before>(?:[a-z][\w'-]*\s+){0,3}?)"
    r"(?P<noun>[a-z][a-z'-]+)\s+(?:no\.?\s*|number\s+|#\s*|nr\.?\s*)?(?P<label>\d{1,5}[a-z]?)\s+"
    r"(?:(?P<sure>(?:is|are|was|were|has|had|will|can|cannot|must|should|may|needs?|does|did)\b)"
    r"|[a-z]{2,}s\b)",
    re.IGNORECASE,
)
_HAN_NUMBER = "[0-9０-９一二三四五六七八九十百零两]"
_HAN = re.compile(
    rf"^(?:我们?的?|咱们?的?|这|那)?(?:第(?P<label>{_HAN_NUMBER}+)(?P<noun>[批期组队章节轮栋届版"
    rf"集课排条件个])"
    rf"|(?P<place>{_HAN_NUMBER}+)(?P<where>楼|层|栋|单元|室|班|号线|路车|号楼|号机|号仓|号桌|号厅))"
)


def labels_apart(one: str, other: str) -> bool:
    """Whether they are about two things of one kind that only their numbers tell apart."""
    first, second = _labelled(one), _labelled(other)
    if first is None or second is None:
        return False
    return first[0] == second[0] and first[1] != second[1]


def _labelled(text: str) -> tuple[str, str] | None:
    """What a statement is about, as its noun and its number; None where no number names it."""
    bare = text.strip()
    han = _HAN.match(bare)
    if han is not None:
        return (han["noun"] or han["where"]), (han["label"] or han["place"])
    found = _LATIN.match(bare)
    if found is None:
        return None
    noun = found["noun"].casefold()
    words = [word.casefold() for word in (*found["before"].split(), noun)]
    if any(word in _NO_NOUN for word in words):
        return None
    if found["sure"] is None and noun not in _NUMBERED_THINGS:
        return None
    return " ".join(words), found["label"].casefold()


_MORE_THINGS = (
    "crate container pallet locker cabin drawer shelf rack cage pen plot field parcel order invoi"
    "ce "
    "case file page slide figure experiment sample patient run job build test sprint milestone "
    "project lesson session exercise level court pool camera printer laptop host vm node cluster "
    "partition robot vehicle truck van car boat tent stall booth aisle carriage coach wagon "
    "cupboard cabinet bin barrel tray set pr task story bug candidate applicant volume part unit "
    "apartment store shop branch site zone area district gate hangar silo kiln oven "
)
_THEMES = _NUMBERED_THINGS | frozenset(_MORE_THINGS.split())
_THEME_EN = re.compile(
    r"\b(?P<noun>[a-z]+?)s?(?:\s|-|\s?#|\s(?:no\.?|number|"
    r"nr\.?)\s?)(?P<label>\d{1,6}[a-z]?)\b(?!\s?(?:am|pm|%|:\d))"
)
_VALUE_EN = re.compile(
    r"\b(?:to|in|into|at|on|onto|from|via|by|for|of|as|is|are|was|be|called|named|now|became)"
    r"(?: (?:the|a|an|my|our|your|his|her|their|new|old|big|small|back|left|right|upper|lower))* $"
)
"""What makes a numbered thing the place or the value of another one."""
_SORT_ZH = (
    "楼|机|库|仓|箱|柜|桌|床|房|车|门|窗口|线|厅|馆|院|井|泵|炉|锅炉|电梯|站|店|塔|棚|池|罐|窑|"
    "船|选手|车间|产线|服务器|节点|机位|工位|"
    "会议室|样品|样|病房|通道|码头|摊位|货架|机柜|教室|包厢|楼层|仓库|地块|炉子|机组|机床|病人|"
    "考场|赛道|球员|展位|档口"
)
_NAMED_ZH = (
    "车位|货架|机柜|房间|教室|包厢|工位|服务器|节点|箱子?|柜子?|摊位|仓库|车间|工单|订单|合同|"
    "机器|设备|样品|批次|展位|章|节|课|单元|关"
)
_THEME_ZH = re.compile(
    rf"(?P<label>{_HAN_NUMBER}{{1,6}})\s?号(?P<noun>{_SORT_ZH})"
    rf"|第(?P<label2>{_HAN_NUMBER}{{1,4}})(?P<noun2>[批期组队章节轮栋届版集课排条件关单])"
    rf"|(?P<label3>[a-z]?-?\d{{1,6}})(?P<noun3>车位|房间|房|室|教室|包厢|工位|机柜|栋|展位)"
    rf"|(?P<noun4>{_NAMED_ZH})\s?(?P<label4>[a-z]?-?\d{{1,6}})(?![号日月年点天%\d])"
)
_VALUE_ZH = re.compile(r"(?:[是为到在从去住改换搬叫成至]|改为|换成)(?:了|那个|这个|的)?$")


def things_apart(one: str, other: str) -> bool:
    """Whether two canonical texts are each of a numbered thing of one sort, and of two of them:
    "I moved crate 10 to bay 3", "I moved crate 11 to bay 4". A number that says where or what
    something is ("it is in bay 3") names none.
    """
    first, second = _themes(one), _themes(other)
    if not first or not second or first & second:
        return False
    return bool({noun for noun, _ in first} & {noun for noun, _ in second})


def _themes(text: str) -> frozenset[tuple[str, str]]:
    found = set()
    for match in _THEME_EN.finditer(text):
        if match["noun"] in _THEMES and not _VALUE_EN.search(text[: match.start()]):
            found.add((match["noun"], match["label"]))
    for match in _THEME_ZH.finditer(text):
        if _VALUE_ZH.search(text[: match.start()]):
            continue
        parts = match.groupdict()
        nouns = ("noun", "noun2", "noun3", "noun4")
        labels = ("label", "label2", "label3", "label4")
        for noun, label in zip(nouns, labels, strict=True):
            if parts[noun]:
                found.add((parts[noun], parts[label]))
    return frozenset(found)
