"""Markdown that carries other people's words: one line each, with nothing in it that acts.

A memory may say anything: headings, fences, comment marks, our own markers. `line_of` makes a line
of it that Markdown reads as plain words and that cannot open or close anything; `text_of` gives
back what a person finds in such a line after editing it.
"""

import re
import unicodedata

from slowwave.model import USER, Memory

__all__ = [
    "REGION_CLOSE", "REGION_OPEN", "REGION_OPENS",
    "is_chinese", "line_of", "shown", "slug", "text_of", "unshown",
]  # fmt: skip

REGION_OPEN = "<!-- slowwave:begin"
REGION_CLOSE = "<!-- slowwave:end -->"
"""What stands between these is written by Slowwave: never evidence of anything."""
REGION_OPENS = re.compile(r"<!-- slowwave:begin(?: (?P<stamp>[0-9a-f]{12}))? -->")

_STEERING = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]"
)
_BLOCK_START = (
    r"#{1,6}(?:\s|\Z)|>|[-+*](?:\s|\Z)|([-*_])(?: ?\3){2,} *\Z|`{3}|~{3}"
    r"|\[[ xX]\](?:\s|\Z)|\[[^\]]+\]:"
)
_GUARDED = (
    re.compile(r"(<)(\\*)(?=!)"),  # comments, declarations
    re.compile(r"(?<!\\)()(\\*)(?=<[A-Za-z/?])"),  # tags
    re.compile(r"(--)(\\*)(?=>)"),  # the end of a comment
    re.compile(r"(!)(\\*)(?=\[)"),  # pictures, which a reader would fetch
    re.compile(rf"\A()(\\*)(?={_BLOCK_START})"),
    re.compile(r"\A(\d{1,9})(\\*)(?=[.)](?:\s|\Z))"),
)
"""Where a backslash takes the force out of what follows; one that stands there is doubled."""

_HAN = re.compile("[\u3400-\u9fff]")
_NOBODY = frozenset({USER, "agent", "assistant", "world", ""})


def line_of(text: str) -> str:
    """The text on one line, harmless in Markdown. Controls and line breaks become spaces."""
    line = " ".join(_STEERING.sub(" ", text).split())
    for pattern in _GUARDED:
        line = pattern.sub(lambda match: f"{match[1]}{match[2]}{match[2]}\\", line)
    return line


def text_of(line: str) -> str:
    """The text of a line that `line_of` made or a person wrote; `text_of(line_of(t)) == t`
    for a `t` without controls and runs of blanks."""  # fmt: skip
    text = " ".join(_STEERING.sub(" ", line).split())
    for pattern in reversed(_GUARDED):
        text = pattern.sub(_halved, text)
    return text


def _halved(match: re.Match[str]) -> str:
    run = match[2]
    return match[1] + (run[: len(run) // 2] if len(run) % 2 else run)


def shown(memory: Memory) -> str:
    """A memory as one line: its words, led by whom they are about where they do not say it."""
    return line_of(_lead(memory) + memory.text)


def is_chinese(text: str) -> bool:
    """Whether there are Chinese characters in a text."""
    return not text.isascii() and _HAN.search(text) is not None


def slug(text: str, most_bytes: int = 60) -> str:
    """A piece of a file name: letters and digits with hyphens between them; it may be empty."""
    folded = unicodedata.normalize("NFC", text).casefold()
    joined = re.sub(r"[\W_]+", "-", folded).strip("-")
    return joined.encode("utf-8", "ignore")[:most_bytes].decode("utf-8", "ignore").strip("-")


def unshown(memory: Memory, line: str) -> str:
    """The text of a memory in a line that a person edited."""
    return text_of(line).removeprefix(text_of(line_of(_lead(memory)))).strip()


def _lead(memory: Memory) -> str:
    if memory.subject in _NOBODY or memory.subject.casefold() in memory.text.casefold():
        return ""
    return f"{memory.subject}: "
