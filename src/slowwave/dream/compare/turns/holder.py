"""Who or what holds a place that has one holder at a time: a role, an address, the tool for a job.

"Our team lead is Sunita" names a holder; "Graham is our new team lead" names the next one.
"""

import re

from slowwave.dream.compare.grounds.mention import content_of
from slowwave.dream.compare.reading.statement import Reading, read
from slowwave.dream.compare.reading.turn import Turn

__all__ = ["takes_over"]

_EN_FRAME = re.compile(
    r"^(?:(?P<whose>my|our|the|his|her|their|\w+'s) )?(?P<thing>[a-z][a-z' /-]{1,40}?)"
    r"(?: is| are|'s|'re|:)(?: now| currently| called| named)*(?: (?:at|in|on|with))"
    r"? (?P<filler>.{2,60})$"
)
_EN_TURNED_FRAME = re.compile(
    r"^(?P<filler>[a-z][\w.'-]*(?: [a-z][\w.'-]*){0,2}) (?:is|'s) (?:my|our|the|his|her|their) "
    r"(?P<thing>[a-z][a-z' /-]{1,40})$"
)
_EN_VERB_FRAME = re.compile(
    r"^(?P<filler>[a-z][\w.'-]*(?: [a-z][\w.'-]*)?) (?:leads|runs|heads|manages|owns|handles|"
    r"supervises|coordinates|is in charge of|is responsible for|looks after|is leading|is running)"
    r" (?:my |our |the )?(?P<thing>[a-z][a-z' /-]{1,40})$"
)
_ZH_FRAME = re.compile(
    r"^(?P<thing>[^,，是叫为归由]{1,14}?)(?:现在|目前)?(?:是|叫|姓|为|用的是|用|归|由|[:：])"
    r" ?(?P<filler>[^,，]{1,14})$"
)
_ZH_TURNED_FRAME = re.compile(
    r"^(?P<filler>[^,，是我]{2,4})是(?:我们?|咱们?)的?(?P<thing>[^,，的]{2,10})$"
)
_ZH_WHOSE = re.compile(r"^(?:我们?|咱们?|俺们?|家里?|现在|目前|的)+")
_ZH_PREDICATE = re.compile(r"[很了过]|一[个名位]|不错|好|的$")
_MANY_HELD = frozenset(("boss", "landlord", "teacher", "client"))
"""The only kin-like words that hold one person at a time."""
_MANY = re.compile(
    r"宠物|朋友|书|歌|电影|菜谱?|爱好|习惯|客户|学生|成员|队员|新来|\b(?:pet|kitten|friend|book|"
    r"song|"
    r"movie|film|show|hobby|recipe|student|clients?|customers?|member|neighbou?r|intern|hire|"
    r"teammate|colleague|game|toy|plant|word|idea|favou?rite \w+ is one)s?\b"
)
LONGEST_ZH = 14
"""A longer filler (characters) is a statement of its own."""


def takes_over(turn: Turn, clause: str, earlier: Reading, later: Reading) -> bool:
    """Whether a clause of the earlier statement names another holder of what has a new one.

    Only what has one holder at a time: nobody's new friend ends an old one.
    """
    if _MANY.search(turn.thing) or read(turn.thing).kin - _MANY_HELD:
        return False
    if re.search(r"[\u4e00-\u9fff]", clause):
        return _zh_holder(turn, clause, later)
    return _named(turn, later) and _en_holder(turn, clause, earlier)


def _named(turn: Turn, later: Reading) -> bool:
    """Whether the new holder is a name or a number, and no mere quality ("my boss is nice now")."""
    if not turn.new or later.folded.startswith(turn.new) or any(c.isdigit() for c in turn.new):
        return True
    return any(name in turn.new or turn.new in name for name in later.names)


def _en_holder(turn: Turn, clause: str, earlier: Reading) -> bool:
    wanted, _ = content_of(turn.thing)
    if not wanted:
        return False
    for frame in (_EN_FRAME, _EN_TURNED_FRAME, _EN_VERB_FRAME):
        match = frame.match(clause)
        if match is None:
            continue
        thing, _ = content_of(match["thing"])
        stems = {stem for word in thing for stem in (word, word + "s")}
        if not (thing == wanted or wanted <= stems):
            continue
        filler = match["filler"]
        named = (
            frame is _EN_VERB_FRAME
            or any(name in filler for name in earlier.names)
            or any(c.isdigit() for c in filler)
        )
        if named and not (turn.new and _overlap(filler, turn.new)):
            return True
    return False


def _overlap(one: str, other: str) -> bool:
    """Whether two fillers may be one: a word of weight in common."""
    first, second = content_of(one)[0], content_of(other)[0]
    return bool(first & second) or one == other


def _zh_holder(turn: Turn, clause: str, later: Reading) -> bool:
    wanted = _ZH_WHOSE.sub("", turn.thing).strip()
    frames = [frame.match(clause) for frame in (_ZH_FRAME, _ZH_TURNED_FRAME)]
    for match in frames:
        if match is None or not wanted:
            continue
        thing = _ZH_WHOSE.sub("", match["thing"]).strip()
        filler = match["filler"].strip()
        if _ZH_PREDICATE.search(filler) or len(filler) > LONGEST_ZH:
            continue
        if turn.new and (filler in turn.new or turn.new in filler):
            continue
        if _same_role(thing, wanted, turn.new, later.folded):
            return True
    return False


def _same_role(thing: str, wanted: str, new: str, said: str) -> bool:
    if thing == wanted:
        return True
    short, long = sorted((thing, wanted), key=len)
    if len(short) < 2:
        return False
    if long.endswith(short):
        # What says whose it is must be said in both ("公司地址" and "公司搬了，新地址").
        more = long[: -len(short)].rstrip("的")
        return (long == wanted and more in ("新", "")) or (long == thing and more in said)
    return long == thing and thing.startswith(wanted) and new.endswith(thing[len(wanted) :])
