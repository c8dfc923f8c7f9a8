"""Which part of a message its sender only passed on: an attached document, a forwarded mail.

Such text is somebody else's, whatever person it is written in (R6). What stands before the mark is
the sender's own; what follows is not, to the end of the message, because a paragraph of a letter
cannot be told from an answer to it. A picture or a recording is the exception: the words after it
are its caption.
"""

import re
from collections.abc import Sequence
from typing import Final

__all__ = ["outside_foreign"]

_CAPTIONED: Final = (
    r"\.(?:jpe?g|png|gif|webp|heic|bmp|svg|mp[34]|m4a|ogg|oga|opus|wav|mov|webm|amr)"
)
_MARK: Final = re.compile(
    # A document that is attached: in brackets, or by its file name on a line of its own.
    rf"^[ \t]*\[(?:attach(?:ment|ed)s?|file|document|doc|pdf)\b(?![^\]\n]*{_CAPTIONED})[^\]\n]*\]"
    rf"|^[ \t]*【(?:附件|附上|文件|文档)(?![^】\n]*{_CAPTIONED})[^】\n]*】"
    rf"|^[ \t]*(?:attach(?:ment|ed)|附件|文件|文档)[ \t]*[:：](?![^\n]*{_CAPTIONED})"
    r"[^\n]*\.[a-z0-9]{2,5}[ \t]*$"
    # A forwarded or quoted mail.
    r"|^[ \t>]*[-=_*–—]{0,40}[ \t]*(?:begin )?(?:(?:forwarded|original|quoted) (?:message|mail"
    r"|email)"
    r"|转发的?(?:邮件|消息|信息)|原始?(?:邮件|信息|消息)|邮件原文)[ \t]*[-=_*–—:：]{0,40}[ \t]*$"
    r"|^[ \t]*(?:fwd?|转发)[ \t]*[:：]"
    r"|^[ \t]*(?:on .{6,80} wrote|.{2,60}[于在].{4,40}写[道到])[ \t]*[:：][ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_FIELD: Final = (
    r"^[ \t]*(?:from|to|cc|bcc|subject|date|sent|reply-to|发件人|寄件人|收件人|抄送|主题|日期"
    r"|发送时间"
    r"|时间)[ \t]*[:：][^\n]*"
)
_HEADER: Final = re.compile(rf"{_FIELD}(?:\n{{1,2}}{_FIELD})+", re.IGNORECASE | re.MULTILINE)
_PEOPLE: Final = re.compile(r"^[ \t]*(?:from|to|[发寄收]件人)[ \t]*[:：]", re.I | re.M)
_MAIL: Final = re.compile(
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
