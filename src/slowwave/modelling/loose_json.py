"""JSON as language models write it: inside chatter, with small slips, cut off in the middle.

Read, never guessed: trailing commas, comments, single and curly quotes, full-width commas and
colons, bare keys, line ends in strings, other languages' words for null have one meaning. What has
none (a quote too many) is damaged, and only the element that holds it is lost. Nothing that is cut
off is completed.
"""

import re
from typing import Any, NamedTuple

DEPTH = 32
"""Containers inside each other; no answer that anybody asked for is deeper."""

WORK = 2_000_000
"""Tokens read of one text; brackets without end would take time without end."""

_BLANK = re.compile(r"(?:\s|//[^\n]*)*")
_STRING = re.compile(
    r'"((?:[^"\\]|\\.)*)"' r"|'((?:[^'\\]|\\.)*)'" r"|“((?:[^”\\]|\\.)*)”", re.DOTALL
)
_QUOTES = "\"'“"
_COMMAS, _COLONS = ",，", ":："
_JUNK = re.compile(r"[^\[\]{}\"'“,，]+")
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])")
_WORD = re.compile(r"[A-Za-z_]\w*")
_OPEN = re.compile(r"[\[{]")
_STEP = re.compile(_STRING.pattern + r"|[\[\]{}]", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_SIGNS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "'": "'", "\\": "\\",
          "/": "/", "\n": ""}  # fmt: skip
_WORDS = {"true": True, "false": False, "null": None, "none": None, "undefined": None}
_SURROGATES = re.compile("[\ud800-\udfff]")
_MOST_DIGITS = 300
"""Python refuses to read very long numbers; none of them counts anything."""


class Found(NamedTuple):
    """A list or object that stands in a text, at which code points; `whole`: it was not cut."""

    value: Any
    start: int
    end: int
    whole: bool


class Scan(NamedTuple):
    """All lists and objects of a text, outermost ones, and how many more were damaged."""

    found: list[Found]
    damaged: int


class _Bad(Exception):
    """Something stands where it cannot."""


class _Cut(Exception):
    """The text ends inside a value."""


def scan(text: str) -> Scan:
    """The lists and objects in a text. Linear but for hostile texts, of which it reads a part."""
    reader = _Reader(text)
    found: list[Found] = []
    at = 0
    while (opening := _OPEN.search(text, at)) is not None:
        start = opening.start()
        try:
            value, at, whole = reader.container(start, 0)
        except _Bad:
            at = reader.after_damaged(start) or start + 1
            continue
        found.append(Found(value, start, at, whole))
    return Scan(found, reader.damaged)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.damaged = 0
        self._left = WORK

    def container(self, at: int, depth: int) -> tuple[Any, int, bool]:
        """The list or object that begins here, the end of it, and whether it is whole."""
        self._left -= 1
        if depth > DEPTH or self._left < 0:
            raise _Bad
        return self._list(at, depth) if self.text[at] == "[" else self._object(at, depth)

    def after_damaged(self, start: int) -> int | None:
        """The end of a container that cannot be read, by its brackets; None when it has none."""
        depth = 0
        for step in _STEP.finditer(self.text, start):
            self._left -= 1
            if self._left < 0:
                return None
            if step.group() in "[{":
                depth += 1
            elif step.group() in "]}":
                depth -= 1
                if not depth:
                    # Braces in prose are no lost answer; what holds a colon was to be one.
                    self.damaged += ":" in self.text[start : step.end()]
                    return step.end()
        return None

    def _list(self, at: int, depth: int) -> tuple[list[Any], int, bool]:
        items: list[Any] = []
        at = self._next(at + 1)
        while at < len(self.text):
            if self.text[at] == "]":
                return items, at + 1, True
            start = at
            try:
                value, at, whole = self._value(at, depth + 1)
            except _Cut:
                break
            except _Bad:
                at = self._after_lost(start)
            else:
                if not whole:
                    break
                items.append(value)
            at = self._after_comma(at, "]")
        return items, len(self.text), False

    def _after_lost(self, start: int) -> int:
        """Where an element ends that cannot be read: at its bracket, or before the next comma."""
        if self.text[start] in "[{":
            end = self.after_damaged(start)
        else:
            junk = _JUNK.match(self.text, start)
            end = junk.end() if junk else None
            self.damaged += 1
        if end is None:
            raise _Bad
        return end

    def _object(self, at: int, depth: int) -> tuple[dict[str, Any], int, bool]:
        fields: dict[str, Any] = {}
        at = self._next(at + 1)
        while at < len(self.text):
            if self.text[at] == "}":
                return fields, at + 1, True
            try:
                key, at = self._key(at)
                at = self._next(at)
                if at >= len(self.text):
                    break
                if self.text[at] not in _COLONS:
                    raise _Bad
                at = self._next(at + 1)
                if at >= len(self.text):
                    break
                value, at, whole = self._value(at, depth + 1)
            except _Cut:
                break
            fields[key] = value
            if not whole:
                break
            at = self._after_comma(at, "}")
        return fields, len(self.text), False

    def _after_comma(self, at: int, closing: str) -> int:
        """Where the next element (or the closing bracket) stands."""
        at = self._next(at)
        if closing == "]" and at < len(self.text) and (junk := _JUNK.match(self.text, at)):
            self.damaged += 1
            at = junk.end()
        if at < len(self.text) and self.text[at] != closing:
            if self.text[at] in _COMMAS:
                return self._next(at + 1)
            if closing != "]" or self.text[at] not in "[{":  # only there no comma means a comma
                raise _Bad
        return at

    def _value(self, at: int, depth: int) -> tuple[Any, int, bool]:
        self._left -= 1
        char = self.text[at]
        if char in "[{":
            return self.container(at, depth)
        if char in _QUOTES:
            value, at = self._string(at)
            return value, at, True
        if (number := _NUMBER.match(self.text, at)) is not None:
            # At the very end more digits may have followed.
            return _number(number.group()), number.end(), number.end() < len(self.text)
        word = _WORD.match(self.text, at)
        if word is None:
            raise _Bad
        if word.end() == len(self.text):
            raise _Cut
        if word.group().lower() not in _WORDS:
            raise _Bad
        return _WORDS[word.group().lower()], word.end(), True

    def _key(self, at: int) -> tuple[str, int]:
        if self.text[at] in _QUOTES:
            return self._string(at)
        word = _WORD.match(self.text, at)
        if word is None:
            raise _Bad
        return word.group(), word.end()

    def _string(self, at: int) -> tuple[str, int]:
        match = _STRING.match(self.text, at)
        if match is None:
            raise _Cut
        return _unescaped(match[match.lastindex or 0]), match.end()

    def _next(self, at: int) -> int:
        match = _BLANK.match(self.text, at)
        return match.end() if match else at


def _number(text: str) -> int | float | str:
    if len(text) > _MOST_DIGITS:
        return text
    return int(text) if text.lstrip("+-").isdecimal() else float(text)


def _unescaped(inner: str) -> str:
    if "\\" in inner:
        inner = _ESCAPE.sub(_sign, inner)
    # Two halves that were escaped one by one are one character; half a one is none.
    if _SURROGATES.search(inner):
        inner = inner.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return inner


def _sign(match: re.Match[str]) -> str:
    if match[1]:
        return chr(int(match[1], 16))
    return _SIGNS.get(match[2], match.group())
