"""Is a memory's text junk? A detector of its own, that shares nothing with the dream's.

It judges the finished text alone, so what slipped past the noise gate and the loop guard of a
dream is not excused by the same mistake. Kinds, not examples: each pattern names a form.
"""

import re
from collections.abc import Mapping

__all__ = ["junk_of"]

_SHELL = re.compile(
    r"^\s*(?:[$#%>❯]\s+[a-z./~]|(?:PS )?[A-Z]:\\|(?:sudo|doas)\s+\S"
    r"|(?:git|npm|yarn|pnpm|pip3?|uv|cargo|docker|kubectl|systemctl|apt(?:-get)?|brew)\s+"
    r"(?:add|commit|push|pull|clone|checkout|install|run|build|ps|exec|status|restart|update|apply)\b"
    r"(?:\s+\S+){0,3}\s*$"
    r"|(?:git|npm|pip3?|uv|cargo|docker|kubectl|make|go|python3?|node)\s+(?:[a-z]+\s+)?"
    r"(?:-{1,2}[a-zA-Z]|\S*[/.:@=]\S)"
    r"|(?:cd|ls|rm|cp|mv|cat|mkdir|chmod|chown|grep|tail|head|curl|wget|ssh|scp|export|echo)\s+"
    r"(?:-\S|[~./$\"']\S*|https?:|\S+[=/]\S*|\d{3}\s))",
)
_PIPED = re.compile(r"\S\s*(?:&&|\|\||\|)\s*(?:grep|xargs|awk|sed|sort|tee|head|tail|wc|jq)\b|2>&1")
_CODE = re.compile(
    r"^\s*(?:import\s+[\w.{]+(?:\s*,|\s+from|\s+as|;|\s*$)|from\s+[\w.]+\s+import\b"
    r"|(?:async\s+)?def\s+\w+\s*\(|class\s+\w+\s*[:({]|(?:export\s+)?(?:const|let|var)\s+\w+\s*="
    r"|function\s*\w*\s*\(|#include\s*<|public\s+(?:static|class|void)\b|<\?php|</?[a-z]+[ >]"
    r"|SELECT\s.+\sFROM\s|INSERT\s+INTO\s|CREATE\s+TABLE\s|@\w+(?:\.\w+)*\(|[\w.]+\(.*\)\s*[;{]?\s*$"
    r"|```)",
)
_FORMULA = re.compile(r"\\\(.{0,400}?\\\)|\$[^$]{1,400}\$")
_CODE_SIGNS = frozenset("{}();=<>[]\\|&")
CODE_SHARE = 0.12
"""Share of signs that only code has so many of."""

_TRACE = re.compile(
    r"Traceback \(most recent|^\s*at [\w.$<>]+\(.*:\d+|^\s*File \".*\", line \d+|^[\w.]*(?:Error|"
    r"Exception): |^\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL)\]?[\s:]"
)
_METADATA = re.compile(
    r"^\s*[\[{]\s*\"|^\s*\[[A-Za-z]+ .*(?:id[:=]|\d{2}:\d{2}).*\]\s*$|^---\s*$|^\s*<[a-z][\w-]*>"
    r"|\b(?:message_id|sender_id|session_id|chat_id|channel_id|tool_call_id|conversation_label)\b"
    r"|untrusted metadata|HEARTBEAT|NO_REPLY|^\s*https?://\S+\s*$|^\s*\[[^\]]*\]\s*$"
    r"|^\s*\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}\S*\s*$"
    r"|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b",
)
_HEADING = re.compile(
    r"^\s*(?:#{1,6}\s.*|\*\*[^*]+\*\*[:：]?|__[^_]+__[:：]?|[=\-*_~]{3,}|[^\n。.!?！？]{1,60}[:：])\s*$"
)
_DREAMT = re.compile(
    r"<!--|-->|\bMEMORY\.md\b|\bDREAMS\.md\b|\bdream_id\b|\broute (?:salience|time|signals)\b"
    r"|\b(?:salience|time|signals) declined\b|\bstays a candidate\b|\bimportance \d+\b"
    r"|\bconfidence [01]\.\d|\bquiet days\b|\bsuperseded by\b|\bslowwave\b|^\s*(?:Light|REM|Deep) "
    r"Sleep\b|^\s*(?:Dream|Candidate|Reflection)s?:|梦境日记|长期记忆候选|重要性[:：]?\s*\d+",
    re.IGNORECASE,
)
_PLEASANT = re.compile(
    r"\b(?:hi|hey|hello|yo|good (?:morning|afternoon|evening|night|day)|morning|thanks?(?: you)?"
    r"(?: so much| a lot)?|many thanks|cheers|bye|goodbye|see (?:you|ya)(?: later| soon)?|take care"
    r"|welcome|you(?:'|’)?re welcome|no problem|sure(?: thing)?|ok(?:ay)?|yes|yep|yeah|no|nope|wow"
    r"|great|nice|cool|awesome|amazing|congrat(?:s|ulations)|lol|(?:ha){2,}|hm+|oh|sounds good"
    r"|got it|talk (?:to you )?(?:soon|later)|have a (?:good|great|nice) (?:day|one|night|weekend)"
    r"|please)\b|大家好|[你您]好|早安|[早下晚]上好|下午好|晚安|谢谢[你您啦了]?|多谢|辛苦[了啦]|再见|拜拜|回头见"
    r"|好的|嗯+|哦+|没事|不客气|哈哈+|嘿嘿+|收到|明白|知道了|在吗|加油|恭喜[你您]?",
    re.IGNORECASE,
)
_DANGLING = re.compile(
    r"(?:[,，、;；(（\[【{“‘《/\\+=&]|\b(?:and|but|or|nor|because|although|if|the|a|an|my|your|our"
    r"|their|than|into|via|every)"
    r"|(?:因为|但是|而且|或者|如果|虽然|以及|并且|关于|对于|把|被|跟|和|与|或|的是|就是说|然后|所以|接着))\s*$",
    re.IGNORECASE,
)
"""Words that no sentence ends with. English may end with "to", "with", "that" or "is"."""
_HEADLESS = re.compile(r"^\s*[,，、;；。.)）\]】}”’》!！?？]")
_PAIRS = (
    ("(", ")"),
    ("（", "）"),
    ("[", "]"),
    ("【", "】"),
    ("“", "”"),
    ("《", "》"),
    ("「", "」"),
)
_WORD = re.compile(r"[A-Za-z0-9][\w'’-]*|[\u3400-\u9fff]")
NAME_HAN = 2
LEAST_WORDS, LEAST_HAN = 3, 4
"""A statement has more: "me too" and "也是" say nothing by themselves."""


def junk_of(text: str) -> str:
    """The kind of junk a memory's text is, "" when it is none.

    Kinds: `own words`, `shell`, `code`, `log`, `metadata`, `heading`, `greeting`, `half sentence`.
    """
    found = next((kind for kind, pattern in _FORMS.items() if pattern.search(text)), "")
    if found:
        return found
    if _looks_like_code(text):
        return "code"
    if _is_greeting(text):
        return "greeting"
    return "half sentence" if _is_half(text) else ""


_FORMS: Mapping[str, re.Pattern[str]] = {
    "own words": _DREAMT,
    "shell": re.compile(f"{_SHELL.pattern}|{_PIPED.pattern}"),
    "code": _CODE,
    "log": _TRACE,
    "metadata": _METADATA,
    "heading": _HEADING,
}


def _looks_like_code(text: str) -> bool:
    text = _FORMULA.sub(" ", text)
    signs = sum(character in _CODE_SIGNS for character in text)
    return len(text) >= 20 and signs / len(text) > CODE_SHARE


def _is_greeting(text: str) -> bool:
    """Pleasantries and nothing else, but for a name beside each ("Thanks, Ines! Bye")."""
    rest, pleasant = _PLEASANT.subn(" ", text)
    left = _WORD.findall(rest)
    han = [word for word in left if word >= "\u3400"]
    names = all(word[0].isupper() for word in left if word < "\u3400")
    return names and len(han) <= NAME_HAN and 0 < pleasant >= len(left) - len(han)


def _is_half(text: str) -> bool:
    """Cut off at an end, a bracket that is never closed, or too short to say anything."""
    if _DANGLING.search(text) or _HEADLESS.search(text):
        return True
    if any(text.count(opening) != text.count(closing) for opening, closing in map(tuple, _PAIRS)):
        return True
    words = _WORD.findall(text)
    han = sum(word >= "\u3400" for word in words)
    return han < LEAST_HAN if han else len(words) < LEAST_WORDS
