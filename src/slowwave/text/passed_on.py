"""Which part of a message its sender only passed on: an attached document, a forwarded mail.

Such text is somebody else's, whatever person it is written in (R6). What stands before the mark is
the sender's own; what follows is not, to the end of the message, because a paragraph of a letter
cannot be told from an answer to it. A picture or a recording is the exception: the words after it
are its caption. Likewise what stands between tags, behind the marks of a quotation, in a block of
code, and what is given to be translated or polished.
"""

import re
from collections.abc import Sequence
from typing import Final

from slowwave.text.later import later
from slowwave.text.noise import knowledge_spans

__all__ = ["is_passed_on", "outside_elements", "outside_foreign", "own_spans"]

_CAPTIONED: Final = (
    r"\.(?:jpe?g|png|gif|webp|heic|bmp|svg|mp[34]|m4a|ogg|oga|opus|wav|mov|webm|amr)"
)
_MARK: Final = later(
    # A document that is attached: in brackets, or by its file name on a line of its own.
    rf"^[ \t]*\[(?:attach(?:ment|ed)s?|file|document|doc|pdf)\b(?![^\]\n]*{_CAPTIONED})[^\]\n]*\]"
    rf"|^[ \t]*【(?:附件|附上|文件|文档)(?![^】\n]*{_CAPTIONED})[^】\n]*】"
    rf"|^[ \t]*(?:attach(?:ment|ed)|附件|文件|文档)[ \t]*[:：](?![^\n]*{_CAPTIONED})"
    r"[^\n]*\.[a-z0-9]{2,5}[ \t]*$"
    # A forwarded or quoted mail.
    r"|^[ \t>]*(?:[-=_*–—]{1,40}[ \t]*)?(?:begin )?(?:(?:forwarded|original|quoted) (?:message|mail"
    r"|email)"
    r"|转发的?(?:邮件|消息|信息)|原始?(?:邮件|信息|消息)|邮件原文)"
    r"[ \t]*(?:[-=_*–—:：]{1,40}[ \t]*)?$"
    r"|^[ \t]*(?:fwd?|转发)[ \t]*[:：]"
    r"|^[ \t]*(?:on .{6,80} wrote|.{2,60}[于在].{4,40}写[道到])[ \t]*[:：][ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_FIELD: Final = (
    r"^[ \t]*(?:from|to|cc|bcc|subject|date|sent|reply-to|发件人|寄件人|收件人|抄送|主题|日期"
    r"|发送时间"
    r"|时间)[ \t]*[:：][^\n]*"
)
_HEADER: Final = later(rf"{_FIELD}(?:\n{{1,2}}{_FIELD})+", re.IGNORECASE | re.MULTILINE)
_PEOPLE: Final = later(r"^[ \t]*(?:from|to|[发寄收]件人)[ \t]*[:：]", re.I | re.M)
_MAIL: Final = later(
    r"^[ \t]*(?:subject|sent|主题|发送时间|[发寄收]件人)[ \t]*[:：]|@", re.I | re.M
)


def outside_foreign(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans of `text` before anything its sender only passed on."""
    mark = _MARK.search(text)
    starts = [mark.start()] if mark else []
    starts += [header.start() for header in _HEADER.finditer(text) if _is_mail(header.group())]
    end = min(starts, default=len(text))
    return [(start, min(stop, end)) for start, stop in spans if start < end]


def _is_mail(header: str) -> bool:
    """A mail's header: who to whom, and about what ("From: Oslo / To: Bergen" is a journey)."""
    return _PEOPLE.search(header) is not None and _MAIL.search(header) is not None


LONGEST = 20_000
"""Characters of a message that are looked at: what lies behind them was pasted, not said."""


def is_passed_on(text: str) -> bool:
    """Whether most of a message is what its sender passed on."""
    text = text[:LONGEST]
    spans = _unquoted(text, outside_foreign(text, outside_elements(text, [(0, len(text))])))
    own = sum(len(text[start:end].strip()) for start, end in spans)
    return own < len(text.strip()) / 2


def own_spans(text: str) -> list[tuple[int, int]]:
    """The spans of a message that may hold its sender's own words, line by line."""
    text = text[:LONGEST]
    spans = outside_foreign(text, outside_elements(text, knowledge_spans(text)))
    given = _GIVEN.search(text)
    end = given.end() if given else len(text)
    spans = [part for span in spans for part in _without(span, end, len(text))]
    return _unquoted(text, spans)


def _unquoted(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    kept = []
    for start, end in spans:
        at = start
        for quote in _QUOTED_LINE.finditer(text, start, end):
            kept.append((at, quote.start()))
            at = quote.end()
        kept.append((at, end))
    return [(start, end) for start, end in kept if start < end]


_QUOTED_LINE: Final = later(r"^[ \t]*[>＞][^\n]*", re.MULTILINE)
_GIVEN: Final = later(
    r"(?:翻译|译成|润色|改写|校对|改错|纠错|\b(?:translat|proofread|rephras|paraphras|rewrit|polish)\w*"
    r"|\bgrammar\b)[^\n:：。.!！?？]{0,60}[:：]",
    re.IGNORECASE,
)
"""What asks to work on a text that then follows."""


_ELEMENT: Final = later(r"<([A-Za-z][\w.-]{1,30})(?:\s[^<>]{0,200})?>(?!\s*</\1>)")
_FORMATTING = frozenset(
    {"br", "em", "strong", "sub", "sup", "code", "kbd", "small", "mark", "span", "del", "ins"}
)
"""Elements that people put around their own words."""


def outside_elements(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans without what stands between `<document>` and `</document>`, whatever its name.

    A message that carries such an element quotes somebody: a page, a file, a tool (R6). One that
    is never closed takes the rest with it when it stands at a line's end (else: "<laughs>").
    """
    kept = list(spans)
    place = 0
    while opening := _ELEMENT.search(text, place):
        place = opening.end()
        if opening.group(1).lower() in _FORMATTING:
            continue
        closing = text.find(f"</{opening.group(1)}>", place)
        if closing < 0 and not text.startswith("\n", place):
            continue
        end = closing + len(opening.group(1)) + 3 if closing >= 0 else len(text)
        kept = [part for span in kept for part in _without(span, opening.start(), end)]
        place = end
    return kept


def _without(span: tuple[int, int], start: int, end: int) -> list[tuple[int, int]]:
    """A span without the part from `start` to `end`."""
    parts = [(span[0], min(span[1], start)), (max(span[0], end), span[1])]
    return [(a, b) for a, b in parts if a < b]
