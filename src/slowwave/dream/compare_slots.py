"""Slots of a person that hold one filler at a time, whatever the wording: home, employer, status.

"I live in Ghent" and "we moved to Namur" share no word but one slot. A slot is only filled by a
frame that says so, and only by a name or an address: "we live far apart" fills nothing.
"""

import re
from functools import lru_cache

from slowwave.dream.compare_quantity import quantities
from slowwave.dream.compare_reading import Reading

__all__ = ["other_filler"]

_TO = r"(?:in|at|to|into|on|near)"
_ZH_END = r"(?P<to>[^，。；！!？?、的了]{1,18})"
_EN_END = r"(?P<to>[^,.;!?()]{2,40})"
_FRAMES: dict[str, tuple[re.Pattern[str], ...]] = {
    "home": (
        re.compile(rf"\b(?:live|lives|living|reside|resides|settled|based) {_TO} {_EN_END}"),
        re.compile(
            r"\b(?:i|we|he|she|they|i've|we've)(?: have| just| finally| recently| both)* "
            rf"(?:moved|relocated)(?: back| over| out| down| up)? {_TO} {_EN_END}"
        ),
        re.compile(r"\b(?:home|my address|our address) is (?:now )?(?:in |at )?" + _EN_END),
        re.compile(
            r"(?<![居暂借入])(?:住(?:在|到|进)|住(?![院宿校几了得不下着])|(?:我|我们|家)搬(?:到|去|进|来|至)|"
            rf"^搬(?:到|去|进|来|至)|新家(?:地址)?(?:是|在|换成|改成)|家(?:在|住)|定居){_ZH_END}"
        ),
    ),
    "work": (
        re.compile(
            r"\b(?:works?|working|employed|started(?: work(?:ing)?)?|(?:new )?job) (?:now )?"
            rf"(?:at|for|by) {_EN_END}"
        ),
        re.compile(r"在(?P<to>[^，。；、]{2,10})(?:上班|工作|任职|就职|供职)"),
        re.compile(rf"(?:跳槽|入职)(?:到|去|了)?{_ZH_END}"),
    ),
}
_AGE = re.compile(
    r"(?:\b(?:is|am|turned|turns|just turned)|'s|'m)(?: just turned| now| already)? (?P<to>[a-z\d-]+)"
    r"(?: years? old| now| today)?\W*$|(?P<sui>[\d一二两三四五六七八九十百]{1,3})岁"
)
_STATUS = (
    (re.compile(r"单身|\bsingle\b(?! \w)"), "single"),
    (re.compile(r"已婚|(?:我|我们|他|她)[^，。]{0,4}(?:结婚|领证)了|\b(?:am|i'm|is|are|got|'re) (?:now )?"
                r"married\b"), "married"),
    (re.compile(r"订婚|\b(?:am|i'm|is|are|got|'re) (?:now )?engaged\b(?! (?:in|with))"), "engaged"),
    (re.compile(r"离婚|离异|\b(?:am|i'm|is|are|got|'re) (?:now )?divorced\b"), "divorced"),
)  # fmt: skip
STATUS_WORDS = 10
"""Longest statement (words) that tells whether somebody is married."""
_GONE = re.compile(
    r"以前|从前|曾|当年|小时候|\b(?:used to|once|formerly|grew up|years ago)\b|\?|？|吗"
)


def other_filler(earlier: Reading, later: Reading) -> bool:
    """Whether both fill a slot of one person, with fillers that have nothing in common."""
    one, other = _fillers(earlier), _fillers(later)
    for name in sorted(one.keys() & other.keys()):
        if one[name] != other[name] if name in ("age", "status") else not _alike(one[name], other[name]):
            return True
    return False


def _alike(one: str, other: str) -> bool:
    """Whether a filler lies within the other ("Ghent", "the centre of Ghent")."""
    short, long = sorted((one.replace(" ", ""), other.replace(" ", "")), key=len)
    size = 4 if short.isascii() else 2
    return short[:size] in long or any(len(word) > 3 and word in other for word in one.split())


@lru_cache(maxsize=16_384)
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
        age = _AGE.search(reading.folded)
        value = quantities((age["to"] or age["sui"]) + (" years" if age["to"] else "岁")) if age else ()
        if len(value) == 1 and value[0].unit == "year" and reading.who not in ("", "third"):
            found["age"] = f"{reading.who}:{value[0].value}"
        if len(states) == 1 and not reading.negators:
            found["status"] = states[0]
    return found


def _filler(text: str, reading: Reading) -> bool:
    """A place or a firm: a name, or what Han characters call one."""
    text = text.strip()
    if reading.han > 0.5:
        return bool(text) and not re.match(r"[一几两三这那哪]|在?一起|很|得|外面|里面", text)
    return (
        any(text.startswith((name, "the " + name)) for name in reading.names) or text[:1].isdigit()
    )
