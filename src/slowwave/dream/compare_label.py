"""Things told apart by a number: room 12 and room 14, line 4 and line 7, 第一批 and 第二批.

Such a number is a name, not a value. It stands in what the statement is about, right behind its
noun and before the verb; in what is said of it ("the room is 12") it is a value that may change.
"""

import re

__all__ = ["labels_apart"]

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
    rf"^(?:我们?的?|咱们?的?|这|那)?(?:第(?P<label>{_HAN_NUMBER}+)(?P<noun>[批期组队章节轮栋届版集课排条件个])"
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
