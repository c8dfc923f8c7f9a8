"""What holds no knowledge: greetings, heartbeats, control words, code, logs, shell, markup (L1).

Kinds are told by their structure (a log line has a level behind a timestamp, a shell line a
command with options), not by lists of samples. In doubt a text is no noise: losing what a person
said is worse than reading one line too many.
"""

import re
import unicodedata
from collections.abc import Callable
from itertools import groupby

from slowwave.text.later import later
from slowwave.text.machine_lines import line_kind
from slowwave.text.wrappers import (
    MEMORY_CLOSE,
    MEMORY_OPEN,
    Unwrapped,
    is_recalled,
    strip_managed,
    unwrap,
)

__all__ = [
    "MEMORY_CLOSE",
    "MEMORY_OPEN",
    "Unwrapped",
    "is_control",
    "is_recalled",
    "knowledge_spans",
    "noise_reason",
    "strip_managed",
    "unwrap",
]


def noise_reason(text: str) -> str | None:
    """Why the text can hold no knowledge, or None when it may.

    Reasons: blank, recalled, control word, heartbeat, greeting, acknowledgement, no words, url,
    path, identifier, data, metadata, heading, markup, quotation, code, log, shell, fragment.
    An acknowledgement ("好的", "sounds good") says nothing by itself but may agree to what the
    other one proposed: whoever reads turns in context decides that first.
    """
    bare = text.strip()
    if not bare:
        return "blank"
    for reason, test in _WHOLE_TEXT:
        if test(bare):
            return reason
    reasons = [reason for _, _, reason in _blocks(bare)]
    if None in reasons:
        return None
    return next((reason for reason in reasons if reason not in _WEAK), reasons[0])


def knowledge_spans(text: str) -> list[tuple[int, int]]:
    """Spans of the lines that may hold knowledge: code blocks, logs, headings … are left out."""
    return [(start, end) for start, end, reason in _blocks(text) if reason is None]


def is_control(text: str) -> bool:
    """Whether a program wrote this in a person's place: control words, heartbeats, cron prompts."""
    first = text.lstrip()[:1]
    if first.isalpha() and first not in "ABCHNRS_TP":
        return False
    bare = text.strip()
    return bool(_CONTROL.match(bare)) or _is_heartbeat(bare)


# --- kinds of whole texts -----------------------------------------------------------------------

_CONTROL = later(
    r"(?:NO_REPLY|SILENT_REPLY|HEARTBEAT_OK|ANNOUNCE_SKIP|REPLY_SKIP)\b"
    r"|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\s*\Z"
    r"|__[a-z0-9]+(?:_[a-z0-9]+)*__\s*\Z|\[\[[a-z_]+(?::[^\]\n]*)?\]\]\s*\Z"
    r"|\[cron:[^\]\n]*\]|\[(?:Sub-?agent (?:Context|Task)|Inter-session message|System Message)\b"
    r"|A new session was started via /|Pre-compaction memory flush|Read HEARTBEAT\.md\b"
    r"|\[Request interrupted by user|\[(?:Image|File|Audio|Video)(?: #?\d+)?\]\s*\Z"
    r"|Caveat: The messages below|Post-Compaction Audit|System: \["
    r"|<(?:command-(?:name|message|args)|local-command-\w+|system-reminder|task-notification)>"
    r"|/[a-z][\w-]{0,30}(?:\s+(?:--?)?[\w.-]{1,30})?\s*\Z"
)
_HEARTBEAT = later(
    r"[\[【(<](?:heart-?beat|keep-?alive|health-?check|watchdog|心跳|保活|健康检查|存活检查)"
    r"[^\]】)>]*[\]】)>].*"
    r"|(?:heart-?beat|keep-?alive|health[ -]?check|ping|pong|watchdog)"
    r"(?:[\s:#=_.-]*(?:ok(?:ay)?|check(?:ed)?|ping|poll|tick|alive|received|sent|passed|success|healthy"
    r"|up|\d{1,9}(?!\d)))*[\s.!]*"
    r"|(?:系统|网关|服务)?(?:心跳|保活|健康检查|存活检查)(?:检测|检查|包|信号)?[：:\s]*"
    r"(?:一切正常|正常|成功|通过|ok|\d{1,9}(?!\d))*[\s。.!！]*",
    re.I | re.S,
)


def _is_heartbeat(text: str) -> bool:
    return len(text) <= 400 and bool(_HEARTBEAT.fullmatch(text))


def _no_words(text: str) -> bool:
    return not any(char.isalnum() for char in text)


_URL = later(r"[<(\[]?(?:https?|ftp|file)://[^\s<>]+[>)\]]?[,，、;]?")
_PATH = later(r"(?:~|\.{1,2})?(?:/[\w.@+-]+)+/?|[A-Za-z]:\\[^\n>]+")
_IDENTIFIER = later(
    r"(?:[\w-]{1,12}[:=])?(?:[0-9a-f]{7,64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[,;]?", re.I
)
_PAIR = r"[A-Za-z_][\w.-]*[=:][ \t]*[^\s\])},;=]+"
_METADATA = later(
    rf"(?:[-*\s]*[\[({{][ \t]*{_PAIR}(?:[ ,;]+{_PAIR})*[ \t]*[\])}}])+"
    r"|(?:[-*]?\s*[A-Za-z_][\w.-]*=[^\s=,;]+(?:[\s,;]+|\Z)){2,}"
)
_BLOB = later(r"(?:data:[\w/+.-]+;base64,)?[A-Za-z0-9+/=_%.-]{80,}")


def _is_url(text: str) -> bool:
    return "://" in text and all(map(_URL.fullmatch, text.split()))


def _is_path(text: str) -> bool:
    return bool(_PATH.fullmatch(text))


def _is_identifier(text: str) -> bool:
    return any(map(str.isdigit, text)) and all(map(_IDENTIFIER.fullmatch, text.split()))


def _is_data(text: str) -> bool:
    if len(text) >= 80 and _BLOB.fullmatch(text):
        return True
    pair = text[0] + text[-1]
    if pair == "{}":
        return bool(re.match(r"\{\s*(?:[\"'][\w .-]+[\"']\s*:|\})", text))
    return pair == "[]" and bool(re.match(r"\[\s*(?:[\[{\"\d-]|\])", text))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Closed classes of words: who only greets, thanks or nods uses nothing else.
_GREETING_CORE = _words(
    "hi hello hey hiya howdy yo greetings morning afternoon evening night goodnight goodbye bye "
    "byebye cheers thanks thank thx ty welcome farewell hola bonjour ciao hallo salut namaste "
    "congrats congratulations welcome goodbye cya ttyl"
)
_GREETING_FILL = _words(
    "good gd a an the to you u ya ye all everyone everybody guys folks team there again so very "
    "much lots lot of many for your help time how are is it going doing do been things what s up "
    "sup whats hows nice great glad pleased meet see later soon then now today tonight have has "
    "day one weekend week take care and my friend buddy pal dear old chap mate man sir madam "
    "happy merry new year christmas birthday holidays easter too bot assistant ai back in awake "
    "i m im we re well anyway ok okay oh ah really appreciate"
)
_ACK = _words(
    "ok okay k kk okey yes yeah yep yup no nope nah sure right alright fine good great cool nice "
    "perfect awesome excellent understood noted roger copy agreed exactly indeed done gotcha lol "
    "haha hahaha lmao hmm hm mm mhm uh huh oh ah wow ooh oops sorry please thanks thank you got it "
    "that works sounds good for me to as you wish makes sense will do i see of course no problem "
    "np absolutely definitely go ahead deal correct true bravo well done very much the a"
)
_ACK_CORE = _ACK - _words("that for me to as you it i of very much the a will do go")
_GREETING_PHRASE = later(
    r"\b(?:how (?:are|r|have) (?:you|u|ya|things)|how ?(?:s|is) (?:it|everything)|what ?s up|sup$"
    r"|(?:nice|glad|pleased|great) to (?:meet|see)|see you|take care|sweet dreams"
    r"|(?:happy|merry) (?:new|christmas|birthday|holidays|easter|weekend))\b"
)
_PARTICLE = "[啊呀哦喔呢吧啦哈嘛哒呐噢嗯诶哇么了咯嘞滴的]"
_NAME_CHAR = r"(?![好早晚您你师啊呀哈吗在谢])[㐀-鿿]"
_ZH_NAME = rf"(?:小|老|阿)(?:{_NAME_CHAR}){{1,2}}|助手|机器人|同学们?|老师|亲爱的?|朋友们?"
_ZH_GREETING = later(
    r"(?!(?:" + _ZH_NAME + r"|" + _PARTICLE + r")\Z)(?:"
    r"好久不见|(?:您|你|大家|各位|老师|同学们|朋友们?|亲爱的?)?(?:早上|上午|中午|下午|晚上)?好|早安?|晚安|午安"
    r"|嗨|哈喽|哈啰|嘿|喂|在吗|在不在|在么|谢谢?(?:你|您|大家|各位)?|感谢(?:你|您|大家)?|多谢|谢过"
    r"|非常|十分|太|辛苦(?:你|您|大家)?|麻烦(?:你|您)|再见|拜拜|再会|回见|(?:很|真)?高兴认识(?:你|您)"
    r"|(?:回头|明天|一会儿?|待会儿?|改天|下次)(?:见|聊)|打扰(?:你|您|一下)?|请问|不好意思|抱歉|对不起"
    r"|(?:新年|新春|春节|中秋|国庆|端午|元旦|圣诞|节日|周末|生日|假期)(?:快乐|愉快|安康|好)"
    r"|恭喜(?:发财|你|您)?|祝(?:你|您|大家)(?:好运|顺利|愉快|好梦)?|吃(?:饭)?了吗|幸会|久仰"
    r"|(?:最近|近来|今天)?(?:怎么样|过得好吗|还好吗|好吗)|休息吧|好梦|"
    + _ZH_NAME
    + "|"
    + _PARTICLE
    + r")++"
)
_ZH_ACK = later(
    r"(?:好|行|可以|没问题|没事|没关系|收到|明白|了解|知道|懂|呵呵|嘿嘿|嘻嘻|对|是|没错|不用|不客气|不必"
    r"|同意|当然|就这样|就这么(?:办|定)|成|中|妥|赞|棒|厉害|牛|不错|继续|稍等|等一下|等等|谢谢?(?:你|您)?|辛苦|"
    + _PARTICLE
    + r")++"
)
_HAN = later(r"[㐀-鿿]")


def _letters(text: str) -> str:
    """Folded text with all but letters, digits and single spaces taken out."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(c if c.isalnum() else " " for c in folded).split())


def _is_greeting(text: str) -> bool:
    return _is_made_of(text, _GREETING_CORE, _GREETING_FILL | _GREETING_CORE, _ZH_GREETING)


def _is_acknowledgement(text: str) -> bool:
    return _is_made_of(text, _ACK_CORE, _ACK, _ZH_ACK)


def _is_made_of(
    text: str, core: frozenset[str], allowed: frozenset[str], chinese: re.Pattern[str]
) -> bool:
    if len(text) > 80:
        return False
    letters = _letters(text)
    han = "".join(char for char in letters if _HAN.match(char))
    latin = "".join(" " if _HAN.match(char) else char for char in letters).split()
    if han and (len(han) > 30 or not chinese.fullmatch(han)):
        return False
    if not latin:
        return bool(han)
    spoken = [word for word in latin if word in allowed]
    others = len(latin) - len(spoken)
    if others and not _is_vocative(text, others, core):
        return False
    if han or any(word in core for word in latin):
        return True
    return core is _GREETING_CORE and bool(_GREETING_PHRASE.search(" ".join(latin)))


def _is_vocative(text: str, count: int, core: frozenset[str]) -> bool:
    """Whether the `count` unknown words of a greeting can be a name: "Hi Bob", "Hello, Dr. Wu"."""
    words = re.findall(r"[^\W\d_]+", text)
    first = words[0].casefold() if words else ""
    return (
        count <= 2
        and first in core | _GREETING_CORE
        and len(words) <= 2 + count
        and all(word[0].isupper() for word in words[-count:])
    )


_WHOLE_TEXT: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("recalled", is_recalled),
    ("control word", lambda text: bool(_CONTROL.match(text))),
    ("heartbeat", _is_heartbeat),
    ("no words", _no_words),
    ("url", _is_url),
    ("path", _is_path),
    ("identifier", _is_identifier),
    ("metadata", lambda text: ("=" in text or ":" in text) and bool(_METADATA.fullmatch(text))),
    ("data", _is_data),
    ("acknowledgement", _is_acknowledgement),
    ("greeting", _is_greeting),
)


# --- line by line -------------------------------------------------------------------------------

_WEAK = ("blank", "markup", "heading")
_FENCE = later(r"^[ \t]{0,3}(?P<mark>`{3,}|~{3,})(?P<info>[^`\n]*)$")
_HEADING = later(
    r"(?=.{1,48}\Z)#{1,6}\s+[^\s,，。;；]+(?: [^\s,，。;；]+){0,7}"
    r"|\*\*[^*]{1,60}\*\*:?|__[^_]{1,60}__:?|(?:[\w'’&/-]+ ){0,4}[\w'’&/-]+:|[㐀-鿿\w]{1,10}："
)
_MARKUP = later(
    r"[\s|:+=*_~#>`-]+|(?:<!--(?:(?!-->).)*-->|</?[A-Za-z][\w:-]*(?:\s[^<>]*)?/?>|\s)+"
    r"|<([A-Za-z][\w:-]*)(?:\s[^<>]*)?>[^\n]*</\1>|!\[[^\]]*\]\([^)]*\)"
)
_QUOTED = later(r">\s?[^>\s].*|>+\s.*")
_DANGLING = later(
    r"(?:\b(?:the|an|and|or|but|because|although|unless|my|our|your|their|than|whose|via|versus)"
    r"|(?:因为|但是|而且|以及|或者|如果|虽然|比如|例如|包括|关于|对于|并且|由于|为了|尽管|(?<![解清删开免消排拆去废扣剔铲])除了)"
    r"|(?<![温柔暖饱缓总随平谐调亲祥中共附掺拌搅])和|(?<![参给赠授相])与)\s*(?:[,，、:：]|\.{2,}|…+)?"
)
_ENDS_OPEN = later(r".*[(（\[【「『“]\s*", re.S)
_STARTS_CLOSED = later(r"[)\]）】」』”，,、；;。!！?？]+\s*\S")


def _is_fragment(line: str) -> bool:
    """A half sentence: opens with what closes, or ends on a word or bracket that opens."""
    if _STARTS_CLOSED.match(line) or _ENDS_OPEN.fullmatch(line):
        return True
    tail = line[-24:]
    at = max(tail.rfind(" "), 0)
    return bool(_DANGLING.fullmatch(tail[at:].strip())) or bool(
        _HAN.search(tail[-6:]) and re.search(rf"(?:{_DANGLING.pattern})\Z", tail)
    )


def _line_reason(line: str) -> str | None:
    bare = line.strip()
    if not bare:
        return "blank"
    item = _BULLET.sub("", bare)
    for reason, pattern, of in (
        ("markup", _MARKUP, bare), ("heading", _HEADING, item), ("quotation", _QUOTED, bare),
    ):  # fmt: skip
        if pattern.fullmatch(of):
            return reason
    kind = line_kind(line)
    if kind is not None:
        return kind
    for reason, test in _WHOLE_TEXT[1:]:
        if test(item or bare):
            return reason
    return "fragment" if _is_fragment(item) else None


_BULLET = later(r"\A(?:[-*+•]|\d{1,3}[.)、])\s+(?:\[[ xX]\]\s*)?")


def _blocks(text: str) -> list[tuple[int, int, str | None]]:
    """Every line with its span and its reason; lines inside a code block share the block's."""
    rows: list[tuple[int, int, str | None]] = []
    at, fence = 0, ""
    for line in text.split("\n"):
        end = at + len(line)
        mark = _FENCE.match(line.rstrip("\r"))
        if fence:
            rows.append((at, end, "code"))
            if mark and mark["mark"].startswith(fence) and not mark["info"].strip():
                fence = ""
        elif mark:
            fence = mark["mark"]
            rows.append((at, end, "code"))
        else:
            rows.append((at, end, _line_reason(line)))
        at = end + 1
    return _smooth(text, rows)


_CODE_INSIDE = later(r"\s{2,}\S|\t|[)\]}]+[;,]?$|\S+\(.*\)$|[\w.]+\s*[-+*/]?=\s*\S+$")


def _smooth(
    text: str, rows: list[tuple[int, int, str | None]]
) -> list[tuple[int, int, str | None]]:
    """Lines that are only code or log by their neighbours: indented, no prose, between two."""
    machine = ("code", "log", "shell")
    smoothed = list(rows)
    for kind, group in groupby(range(len(rows)), key=lambda place: rows[place][2] is None):
        places = list(group)
        before, after = places[0] - 1, places[-1] + 1
        if not kind or before < 0:
            continue
        reason = rows[before][2]
        enclosed = after >= len(rows) or rows[after][2] in (*machine, "blank")
        lines = [text[rows[place][0] : rows[place][1]] for place in places]
        if reason in machine and enclosed and all(_CODE_INSIDE.match(line) for line in lines):
            for place in places:
                smoothed[place] = (*rows[place][:2], reason)
    return smoothed
