"""Slots of a person that hold one filler at a time, whatever the wording: home, employer, status.

"I live in Ghent" and "we moved to Namur" share no word but one slot. A slot is only filled by a
frame that says so, and only by a name or an address: "we live far apart" fills nothing.
"""

import re

from slowwave.dream.compare.reading.quantity import quantities
from slowwave.dream.compare.reading.statement import Reading
from slowwave.text.lately import lately

__all__ = ["other_filler", "slots_of"]

_TO = r"(?:in|at|to|into|on|near)"
_ZH_END = r"(?P<to>[^，。；！!？?、的了]{1,18})"
_EN_END = r"(?P<to>[^,.;!?()]{2,40})"
_FRAMES: dict[str, tuple[re.Pattern[str], ...]] = {
    "home": (
        re.compile(
            rf"\b(?:live|lives|living|reside|resides|settled|based|staying|stay) {_TO} {_EN_END}"
        ),
        re.compile(
            r"(?:\b(?:i|we|he|she|they|i've|we've)|^\w+)(?: have| has| just| finally| recently|"
            r" both)* "
            rf"(?:moved|relocated)(?: back| over| out| down| up)? {_TO} {_EN_END}"
        ),
        re.compile(r"\b(?:home|my address|our address) is (?:now )?(?:in |at )?" + _EN_END),
        re.compile(
            r"(?<![居暂借入])(?:住(?:在|到|进)|住(?![院宿校几了得不下着])|(?:我|我们|家)搬(?:到|"
            r"去|进|来|至)|(?:我|我们|家)(?:[^，。]{0,4}(?:已经?|刚刚?|终于|昨天|上周|"
            r"上个?月))搬(?:到|去|进|来|至)|"
            rf"^[^，。]{{0,7}}搬(?:到|去|进|来|至)|新家(?:地址)?(?:是|"
            rf"在|换成|改成)|家(?:在|住)|定居){_ZH_END}"
        ),
        re.compile(r"(?<![居暂借])在(?P<to>[^，。；、在]{2,10}?)(?:租房|合租|租了?[个间套])住?"),
    ),
    "work": (
        re.compile(
            r"\b(?:works?|working|employed|started(?: work(?:ing)?)?|(?:new )?job) (?:now )?"
            rf"(?:at|for|by) {_EN_END}"
        ),
        re.compile(r"[换调转搬](?:到|去)(?P<to>[^，。；、]{2,10})(?:上班|工作|任职|就职)"),
        re.compile(r"在(?P<to>[^，。；、]{2,10})(?:上班|工作|任职|就职|供职)"),
        re.compile(rf"(?:跳槽|入职)(?:到|去|了)?{_ZH_END}"),
    ),
}
_ZH_HOLDER = re.compile(
    r"(?P<who>(?!我|用户|暂时|先|临时|暂|搬|现在|目前|如今|家|新家|刚|已经|终于|上|下|昨|"
    r"今)[^，。在]{1,3}?)(?:现在|"
    r"目前|已经|还)?(?:住|搬|在[^，。]{2,10}(?:上班|工作|任职)|跳槽|入职)"
)
_AGE = re.compile(
    r"(?:\b(?:is|am|turned|turns|just turned)|'s|'m)(?: just turned| now|"
    r" already)? (?P<to>[a-z\d-]+)"
    r"(?: years? old| now| today)?\W*$|(?P<sui>[\d一二两三四五六七八九十百]{1,3})岁"
)
_BY_NOW = re.compile(r"今年|现在|已经|就|都|快|刚|满|\s|\bjust\b|\bnow\b|\balready\b")
_NOW_IS = r"\b(?:am|i'm|is|are|got|'re) (?:now )?"
_STATUS = (
    (re.compile(r"单身|\bsingle\b(?! \w)"), "single"),
    (re.compile(rf"已婚|[我们他她][^，。]{{0,4}}(?:结婚|领证)了|{_NOW_IS}married\b"), "married"),
    (re.compile(rf"订婚|{_NOW_IS}engaged\b(?! (?:in|with))"), "engaged"),
    (re.compile(rf"离婚|离异|{_NOW_IS}divorced\b"), "divorced"),
)
STATUS_WORDS = 10
"""Longest statement (words) that tells whether somebody is married."""
_GONE = re.compile(
    r"以前|从前|曾|当年|小时候|\b(?:used to|once|formerly|grew up|years ago)\b|\?|？|吗"
)


def other_filler(earlier: Reading, later: Reading) -> bool:
    """Whether both fill a slot of one person, with fillers that have nothing in common."""
    one, other = _fillers(earlier), _fillers(later)
    if _holder(earlier) != _holder(later):
        return False
    for name in sorted(one.keys() & other.keys()):
        if name.startswith("age"):
            differ = float(one[name]) < float(other[name])  # nobody grows younger
        elif name == "status":
            differ = one[name] != other[name]
        else:
            differ = not _alike(one[name], other[name])
        if differ:
            return True
    return False


def slots_of(reading: Reading) -> frozenset[str]:
    """The names of the slots that a statement fills."""
    return frozenset(name.split(" ")[0] for name in _fillers(reading))


def _holder(reading: Reading) -> str:
    """Who is spoken of: kin by their role, people by the name that opens the statement."""
    named = next((name for name in sorted(reading.names) if reading.folded.startswith(name)), "")
    if named or reading.han <= 0.5:
        return named or reading.who.replace("owner", "")
    before = _ZH_HOLDER.match(reading.folded)
    return before["who"] if before else reading.who.replace("owner", "")


def _alike(one: str, other: str) -> bool:
    """Whether a filler lies within the other ("Ghent", "the centre of Ghent")."""
    short, long = sorted((one.replace(" ", ""), other.replace(" ", "")), key=len)
    size = 4 if short.isascii() else 2
    return short[:size] in long or any(len(word) > 3 and word in other for word in one.split())


@lately(4_096)
def _fillers(reading: Reading) -> dict[str, str]:
    if _GONE.search(reading.folded):
        return {}
    found: dict[str, str] = {}
    for name, frames in _FRAMES.items():
        for frame in frames:
            match = frame.search(reading.folded)
            if match and _filler(match["to"], reading):
                found[name] = match["to"].strip()
                break
    if len(reading.words) <= STATUS_WORDS:
        states = [state for pattern, state in _STATUS if pattern.search(reading.folded)]
        found.update(_age(reading))
        if len(states) == 1 and not reading.negators:
            found["status"] = states[0]
    return found


def _age(reading: Reading) -> dict[str, str]:
    """The years of whoever the words before them name."""
    match = _AGE.search(reading.folded)
    if match is None or not _aged(reading):
        return {}
    years = quantities(f"{match['to']} years" if match["to"] else f"{match['sui']}岁")
    whose = _BY_NOW.sub("", reading.folded[: match.start()])
    plain = len(years) == 1 and years[0].unit == "year"
    return {f"age of {whose}": years[0].value} if plain else {}


def _aged(reading: Reading) -> bool:
    """Whether somebody is spoken of who has an age."""
    opens = any(reading.folded.startswith(name) for name in reading.names)
    return opens or reading.who not in ("", "third")


def _filler(text: str, reading: Reading) -> bool:
    """A place or a firm: a name, or what Han characters call one."""
    text = text.strip()
    if reading.han > 0.5:
        return bool(text) and not re.match(r"[一几两三这那哪]|在?一起|很|得|外面|里面", text)
    return (
        any(text.startswith((name, "the " + name)) for name in reading.names) or text[:1].isdigit()
    )
