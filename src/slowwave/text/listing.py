"""A memory as one line of MEMORY.md: what is read, not what is kept.

The ledger keeps the words; the line leaves out how a sentence was hung onto the one before it
("so", 因为) and what was only breathed behind it ("lol", 哈哈), and ends with the day when what it
says can change, so that of two lines everyone sees which is newer. `unlisted` leads back: what a
person did not touch in such a line is still the memory's own text.
"""

import re
from datetime import tzinfo
from functools import cache

import msgspec

from slowwave.model import Memory, day_of
from slowwave.text.markdown import line_of, shown, unshown

__all__ = ["bare", "listed", "undated", "unlisted"]

_SUBJECT = (
    r"(?=(?:i|i'm|i've|i'll|i'd|we|we're|we've|my|our|the|he|she|it|they|you|your|his|her|their"
    r"|this|that|there|please|let's)\b)"
)
_LEAD = (
    rf"(?:(?:so|because|but|and|also|then|or|anyway|well|oh|yeah|yep|ok|okay|hey|hi|um+|uh+|hm+|btw"
    rf"|by the way|fyi|ah|wow|lol|haha+)(?:\s*[,.!…:—-]+\s*|\s+{_SUBJECT}))"
    r"|(?:oh|ah|hm+|um+|uh+|yeah|ok|okay)\s+(?=(?:well|so|but|and|yeah|ok)\b)"
    r"|(?:因为|所以|但是|可是|不过|而且|并且|然后|于是|其实)(?![^\s，,]{0,1}$)[，,]?\s*"
    r"|(?:另外|还有|对了|反正|话说|顺便说一下|哦|嗯+|啊|诶|欸|唉|哎|好的|好吧|哈{2,}|嘿{2,}|呵{2,})[，,。!！~～…\s]+"
)
"""A conjunction or a sound that opens; English ones only where a sentence follows."""
_BREATHED = (
    r"lol|lmao|rofl|xd|omg|haha(?:ha)*|hehe(?:he)*|hihi|yay|ugh|meh|phew|sigh|whew|woohoo"
    r"|:-?[()DPp/]|;-?\)|\^_*\^|<3"
    r"|(?:so|how|too|very|really|pretty) (?:sad|happy|excited|exciting|tired|tiring|annoying"
    r"|annoyed|nice|cool|funny|good|bad|glad|proud|great|cute|weird|scary|relieved|crazy|lucky|unlucky)"
    r"|哈{2,}|嘿{2,}|呵{2,}|嘻{2,}|呜{2,}|唉+|哎+|啊+|呀+|哦+|嘛|啦|哇+"
    r"|(?:好|太|真|超|真是太?)(?:开心|难过|伤心|累|烦|气人|可惜|棒|好|激动|兴奋|可爱|搞笑|尴尬|无语)了?"
    r"|[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\u200d]+"
)
_TAIL = (
    rf"(?:[\s,，.。!！;；…~～—-]+(?:{_BREATHED})"
    r"|(?:哈{2,}|嘿{2,}|呵{2,}|呜{2,}|[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\u200d]+))"
    r"[\s.。!！…~～]*\Z"
)
"""What is breathed at the end, set off from the sentence (Chinese laughs and pictures need not)."""
_LINKING = (
    r"(?:\b(?:is|was|are|were|am|be|been|being|feel|feels|felt|look|looks|looked|seem|seems|seemed"
    r"|sound|sounds|smells?|tastes?|gets?|got|getting|became|becomes?|makes?|made"
    r"|not|and|or|but|me|it)|'s|'m|'re)\Z"
)
"""Before one of these "so sad" is not breathed but said: it belongs to the sentence."""
LEAST_LETTERS = 4
"""A line that would be shorter is left as it is."""

_CHANGING_KINDS = frozenset({"environment", "project", "plan"})
_CHANGING = (
    r"\b(?:live[sd]?|living|mov(?:e|ed|ing)|address|rent(?:ing|ed)?|landlord"
    r"|work(?:s|ed|ing)? (?:at|for|in|as)|job|position|employer|salary"
    r"|phone|mobile|e-?mail|password|currently|now|these days|version)\b"
    r"|@[\w-]+\.|住在|住址|地址|家住|搬到|搬家|租|房东|工作|上班|就职|入职|公司|职位|岗位|薪|工资"
    r"|电话|手机|邮箱|微信|现在|目前|最近|版本"
)
"""Where one lives, works, is reached, and what holds for now: grammar of what may be otherwise
tomorrow."""
_DATED = re.compile(r"(?:19|20)\d\d-\d\d-\d\d")
_SUFFIX = re.compile(r"\s*[(（](?:19|20)\d\d-\d\d-\d\d[)）]\s*\Z")


@cache
def _re(pattern: str) -> re.Pattern[str]:
    """A pattern, compiled when it is first needed: the program starts often and lists seldom."""
    return re.compile(pattern, re.IGNORECASE)


def bare(text: str) -> str:
    """The text without what only hung it into a talk; itself where too little would be left."""
    words = text.strip()
    for _ in range(3):
        cut = _untailed(_re(_LEAD).sub("", words, count=1) if _re(_LEAD).match(words) else words)
        if cut == words or sum(char.isalnum() for char in cut) < LEAST_LETTERS:
            break
        words = cut
    if words[:1].islower() and text.strip()[:1].isupper():
        words = words[0].upper() + words[1:]
    return words


def _untailed(words: str) -> str:
    tail = _re(_TAIL).search(words)
    if not tail or (tail[0][0].isspace() and _re(_LINKING).search(words[: tail.start()])):
        return words
    return words[: tail.start()].rstrip(" ,，;；、")


def listed(memory: Memory, zone: tzinfo | None = None) -> str:
    """The line of a memory, with the day (in `zone`) it was last said where it may change."""
    return shown(_spoken(memory)) + _suffix(memory, zone)


def undated(line: str) -> str:
    """A line without the day at its end."""
    return _SUFFIX.sub("", line)


def unlisted(
    memory: Memory, written: str, line: str, zone: tzinfo | None = None
) -> tuple[str, str]:
    """The texts that the line `written` stood for and that a person's `line` stands for now.

    A memory that has not changed since `written` stands for its whole text.
    """
    now, own = line, written
    suffix = _suffix(memory, zone)
    if suffix and written.endswith(suffix):
        own, now = undated(written), undated(line)
    same = written in (listed(memory, zone), shown(memory))
    before = memory.text if same else unshown(memory, own)
    return before, before if now == own else unshown(memory, now)


def _spoken(memory: Memory) -> Memory:
    words = bare(memory.text)
    if words == memory.text:
        return memory
    # Whom it is about may stand only in what is left out.
    lead = shown(memory).removesuffix(line_of(memory.text))
    return memory if lead else msgspec.structs.replace(memory, text=words)


def _suffix(memory: Memory, zone: tzinfo | None) -> str:
    changing = (
        memory.kind in _CHANGING_KINDS
        or memory.standing == "dated"
        or (memory.kind != "rule" and _re(_CHANGING).search(memory.text) is not None)
    )
    if not changing or _DATED.search(memory.text):
        return ""
    day = day_of(memory.last_seen, zone) if zone else memory.last_seen.date()
    return f" ({day.isoformat()})"
