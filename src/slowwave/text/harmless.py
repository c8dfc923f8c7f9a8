"""Words of others, made fit to stand in a system prompt: one line in which nothing acts.

Whoever wrote them (a web page, a person who sends messages) may want to end the frame, to open
markup, to speak in another role, to begin a section, or to hide what he writes. What such words say
stays readable; what they would do is taken from them.
"""

import re
import unicodedata
from collections.abc import Callable

from slowwave.text.frame import plain_names
from slowwave.text.later import later

__all__ = ["harmless", "quoted", "seen"]

_UNSEEN = later(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0e\uffa0"
    "\U000e0100-\U000e01ef]"
)
"""Letters and marks that nobody sees, beside the format characters (category Cf)."""
_SHOWN_AS = str.maketrans(
    {"<": "&lt;", ">": "&gt;", "＜": "&lt;", "＞": "&gt;", "﹤": "&lt;", "﹥": "&gt;", "`": "'"}
)
_ALIKE = str.maketrans(
    {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
    | {ord(other): ":" for other in "﹕︓︰∶꞉ː׃"}
    | dict(zip(map(ord, "ѕуеаорсіјһԁԛѡмтнвкхοаѵԍϲаϳιнѕАВЕНІЈКМОРСТУХЅΑΒΕΗΙΚΜΝΟΡΤΥΧΖ"),
               "syeaopcijhdqwmthbkxoavgcajihsABEHIJKMOPCTYXSABEHIKMNOPTYXZ", strict=True))
)  # fmt: skip
"""Letters and signs of other alphabets and widths by what they look like, one for one."""
_ROLE = later(
    r"(?<![^\W_]|-)(?P<role>system|assistant|user|human|ai|developer|tool|function|model|bot|gpt"
    r"|instructions?|response|prompt"
    r"|系统(?:提示词?|消息|指令|通知|命令)?|助手|用户|人类|开发者|管理员|工具|模型|指令|提示词)"
    r"(?P<mark>[\s*_\])】）]{0,6}:)(?=\s|\S)",
    re.IGNORECASE,
)
"""The name of a role as a header of a turn: it keeps its name and loses its colon."""
_TAG_LIKE = later(
    r"(?P<open>[\[【〔])(?=\s?/?\s?(?:[A-Z_]{3,}|(?i:inst|sys|system|assistant|user|human|tool)"
    r"|系统(?:提示词?|消息|指令|通知|命令)?|助手|用户)\s?[\]】〕])"
)
_DOUBLED = later(r"(?P<open>[\[{|%])(?=[\[{|%])")
_HEADING = later(r"(?<!\S)(?:#{1,6}(?=\s)|#{2,6})")
_RULE = later(r"(?<!\S)([-=*_~#'])(?:\s?\1){2,}(?!\S)|'{3,}|~{3,}")
_PICTURE = later(r"(?P<open>!)(?=\[)")
_STEERING = later(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)")
"""What a terminal obeys: colours, moves of the cursor, titles."""


def harmless(text: str) -> str:
    """One line without control, format, invisible or tag characters, and with nothing that acts."""
    line = " ".join(seen(text).translate(_SHOWN_AS).split())
    line = _changed(_HEADING, line, lambda _: "")
    line = _changed(_RULE, line, lambda _: "—")
    for doubled in (_PICTURE, _DOUBLED, _TAG_LIKE):
        line = _changed(doubled, line, lambda match: f"{match['open']} ")
    line = _changed(_ROLE, line, lambda match: f"{match['role']} –")
    return " ".join(plain_names(line).split())


def seen(text: str) -> str:
    """The text as somebody sees it: without what only steers, turns its direction, or hides.

    All that breaks a line, and every other control character, is a blank.
    """
    plain = _STEERING.sub("", text) if "\x1b" in text or "\x9b" in text else text
    return "".join(_seen(char) for char in _UNSEEN.sub("", plain))


def _changed(pattern: re.Pattern[str], line: str, by: Callable[[re.Match[str]], str]) -> str:
    """The line with what looks like the pattern changed; all else keeps its own letters."""
    if line.isascii():
        return pattern.sub(by, line)
    kept, at = [], 0
    for match in pattern.finditer(line.translate(_ALIKE)):
        kept += [line[at : match.start()], by(match)]
        at = match.end()
    return "".join((*kept, line[at:]))


def _seen(char: str) -> str:
    """The character; a blank for what only moves, nothing for what is not to be seen."""
    category = unicodedata.category(char)
    if category in ("Cf", "Co", "Cn", "Cs"):
        return ""
    return " " if category[0] in "CZ" else char


def quoted(text: str) -> str:
    """Harmless words within quotation marks that they cannot close."""
    return "“" + _MARKS.sub('"', text) + "”"


_MARKS = later("[“”„‟〝〞]")
