"""Whether the speaker says who he is: "this is Ilse from billing", "本人…", "大家都叫我…".

A plain "I am Ilse" and "my name is …" are read by their cues; here are the ways of speaking in
which no such word stands, or in which others are the ones who call.
"""

import re

from slowwave.dream.distill.clauses.cues import cue

__all__ = ["introduces"]

_NAME = r"(?P<name>[A-ZÀ-Þ][\w’'-]+(?: [A-ZÀ-Þ][\w’'-]+){0,2})"
_HELLO = (
    r"^(?:(?:[Hh]i|[Hh]ello|[Hh]ey|[Gg]ood (?:morning|evening|afternoon))(?: there| all|"
    r" again)?[,!. ]+)?"
)
_ENGLISH = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_HELLO}(?:[Tt]his is|[Ii]t['’]?s|[Yy]ou['’]re (?:talking|speaking) (?:to|with)) {_NAME}"
        r"(?: (?:from|at|in|with|over at|of) .+| speaking| here|, (?:the|your|from) .+)$",
        rf"{_HELLO}{_NAME} (?:here|speaking)(?: from .+| at .+| in .+)?$",
        r"\b(?:[Ee]veryone|[Ee]verybody|[Pp]eople|[Ff]olks|[Mm]ost people|(?:[Mm]y )?(?:friends|"
        r"family|"
        r"mates|colleagues|kids|team|coworkers)|[Tt]hey(?: all)?|[Nn]obody but \w+) (?:just |"
        r"all |always |mostly |usually )?"
        rf"calls? me {_NAME}",
        rf"^(?:[Tt]he |[Mm]y )?[Nn]ame['’]?s {_NAME}",
        rf"\bI (?:go|usually go|mostly go|prefer to go) by {_NAME}",
    )
)
_CALLERS = (
    r"(?:大家|别人|人家|朋友们?|同事们?|同学们?|家里人?|家人|亲戚们?|街坊|邻居们?|身边的?人|熟人|"
    r"他们|她们|圈里|网友们?|客户们?|"
    r"学生们?|手下|从小|小时候|都|一般)"
)
_CHINESE = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_CALLERS}[^，]{{0,6}}?(?:都|也|就|习惯|喜欢|爱|一般)?(?:叫|喊|管|称呼?)我(?:叫|作|为|"
        rf"做)?(?P<name>[^，。]{{1,8}})$",
        r"^(?:我的?)?(?:外号|绰号|花名|网名|艺名|笔名|英文名|小名|乳名|曾用名)(?:叫|"
        r"是)?(?P<name>[^，。]{1,10})$",
    )
)
_MYSELF = ("本人", "在下", "鄙人", "敝人", "这里是", "我这边是", "这边是")


def introduces(text: str, folded: str) -> bool:
    """Whether a clause gives the speaker's own name. `folded` is the clause as cues match it."""
    if any(pattern.search(text) for pattern in _ENGLISH):
        return not _is_no_name(text)
    if any(pattern.search(folded) for pattern in _CHINESE):
        return True
    lead = next((word for word in _MYSELF if folded.startswith(word)), "")
    named = cue("zh", "own_name")
    return bool(lead) and named is not None and named.match(folded[len(lead) :]) is not None


def _is_no_name(text: str) -> bool:
    """Whether what stands in the place of a name is a day, a month or a word of grammar."""
    pattern = cue("en", "NOTNAME")
    found = next((m for p in _ENGLISH if (m := p.search(text))), None)
    return found is None or pattern is None or pattern.match(found["name"]) is not None
