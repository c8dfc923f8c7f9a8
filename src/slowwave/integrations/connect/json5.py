"""JSON and JSON5, read with the place of every value, so that a file can be edited as text.

What people write into settings is tolerated: comments, trailing commas, single quotes, bare keys,
hexadecimal numbers. Strict JSON is a part of it. Grammar: https://spec.json5.org.
"""

import re
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Member", "Node", "Unreadable", "parse", "skip"]

DEEPEST = 100
"""Containers within containers; a settings file has five."""

_BLANK = re.compile(r"[\s\ufeff]+")
_LINE_COMMENT = re.compile(r"//[^\n\r\u2028\u2029]*")
_BARE_KEY = re.compile(r"[^\W\d][\w$\u200c\u200d]*|\$[\w$\u200c\u200d]*")
_NUMBER = re.compile(
    r"[+-]?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|Infinity|NaN)"
)
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None}
_PLAIN = {
    '"': re.compile(r'[^"\\\n\r]+'),
    "'": re.compile(r"[^'\\\n\r]+"),
}
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0"}
_HEX = re.compile(r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})")


class Unreadable(Exception):
    """The text is no JSON5: why, and in which line (from 1)."""

    def __init__(self, reason: str, text: str, at: int) -> None:
        self.line = text.count("\n", 0, at) + 1
        super().__init__(f"line {self.line}: {reason}")


@dataclass(slots=True)
class Member:
    """One entry of an object (from its key) or of an array, and the comma behind it."""

    start: int
    node: "Node"
    key: str = ""
    comma: int = -1
    """Where its comma stands; -1 without one."""

    @property
    def end(self) -> int:
        """Where its value ends."""
        return self.node.end


@dataclass(slots=True)
class Node:
    """A value and where it stands: `text[start:end]`. `members` of objects and arrays."""

    start: int
    end: int
    value: Any
    members: list[Member] = field(default_factory=list)

    def last(self, key: str) -> Member | None:
        """The member with this key; of several the last, which is the one that counts."""
        return next((one for one in reversed(self.members) if one.key == key), None)


def parse(text: str) -> Node:
    """The value of a document. Raises Unreadable."""
    reader = _Reader(text)
    node = reader.value(skip(text, 0), 0)
    end = skip(text, node.end)
    if end < len(text):
        raise Unreadable("something stands behind the end", text, end)
    return node


def skip(text: str, at: int) -> int:
    """The place behind blanks and comments. Raises Unreadable where a comment does not end."""
    while at < len(text):
        if blank := _BLANK.match(text, at):
            at = blank.end()
        elif comment := _LINE_COMMENT.match(text, at):
            at = comment.end()
        elif text.startswith("/*", at):
            end = text.find("*/", at + 2)
            if end < 0:
                raise Unreadable("a comment does not end", text, at)
            at = end + 2
        else:
            break
    return at


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text

    def value(self, at: int, depth: int) -> Node:
        """The value that begins at a place."""
        text = self.text
        if depth > DEEPEST:
            raise Unreadable("containers too deep within each other", text, at)
        sign = text[at : at + 1]
        if sign == "{":
            return self._object(at, depth)
        if sign == "[":
            return self._array(at, depth)
        if sign in ('"', "'"):
            end, string = self._string(at)
            return Node(at, end, string)
        if number := _NUMBER.match(text, at):
            return Node(at, number.end(), _number(number[0]))
        if (word := _BARE_KEY.match(text, at)) and word[0] in _WORDS:
            return Node(at, word.end(), _WORDS[word[0]])
        raise Unreadable(
            f"no value: {text[at : at + 12]!r}" if sign else "it ends too soon", text, at
        )

    def _object(self, at: int, depth: int) -> Node:
        node = Node(at, at, {})
        place = skip(self.text, at + 1)
        while self.text[place : place + 1] != "}":
            key_at = place
            end, key = self._key(place)
            place = skip(self.text, end)
            if self.text[place : place + 1] != ":":
                raise Unreadable(f"a colon is missing behind {key!r}", self.text, place)
            inner = self.value(skip(self.text, place + 1), depth + 1)
            node.value[key] = inner.value
            place = self._separated(node, Member(key_at, inner, key), "}")
        node.end = place + 1
        return node

    def _array(self, at: int, depth: int) -> Node:
        node = Node(at, at, [])
        place = skip(self.text, at + 1)
        while self.text[place : place + 1] != "]":
            inner = self.value(place, depth + 1)
            node.value.append(inner.value)
            place = self._separated(node, Member(place, inner), "]")
        node.end = place + 1
        return node

    def _separated(self, node: Node, member: Member, closing: str) -> int:
        """Takes in a member; the place of the next one, or of the closing sign."""
        node.members.append(member)
        place = skip(self.text, member.end)
        if self.text[place : place + 1] == ",":
            member.comma = place
            return skip(self.text, place + 1)
        if self.text[place : place + 1] != closing:
            raise Unreadable(f"a comma or {closing} is missing", self.text, place)
        return place

    def _key(self, at: int) -> tuple[int, str]:
        if self.text[at : at + 1] in ('"', "'"):
            return self._string(at)
        bare = _BARE_KEY.match(self.text, at)
        if bare is None:
            raise Unreadable(f"no key: {self.text[at : at + 12]!r}", self.text, at)
        return bare.end(), bare[0]

    def _string(self, at: int) -> tuple[int, str]:
        quote, text, parts = self.text[at], self.text, []
        place = at + 1
        while place < len(text):
            if plain := _PLAIN[quote].match(text, place):
                parts.append(plain[0])
                place = plain.end()
            elif text[place] == quote:
                return place + 1, "".join(parts).encode("utf-16", "surrogatepass").decode(
                    "utf-16", "replace"
                )
            elif text[place] == "\\":
                place, piece = self._escape(place + 1)
                parts.append(piece)
            else:
                break
        raise Unreadable("a string does not end", text, at)

    def _escape(self, at: int) -> tuple[int, str]:
        sign = self.text[at : at + 1]
        if self.text.startswith("\r\n", at):
            return at + 2, ""
        if sign in ("\n", "\r", "\u2028", "\u2029"):
            return at + 1, ""
        if coded := _HEX.match(self.text, at):
            return coded.end(), chr(int(coded[1] or coded[2], 16))
        if sign in ("x", "u", ""):
            raise Unreadable("an escape is cut off", self.text, at)
        return at + 1, _ESCAPED.get(sign, sign)


def _number(text: str) -> int | float:
    sign = -1 if text.startswith("-") else 1
    body = text.lstrip("+-")
    if body in ("Infinity", "NaN"):
        return sign * float(body.replace("Infinity", "inf"))
    if body[:2].lower() == "0x":
        return sign * int(body, 16)
    return sign * int(body) if body.isdecimal() else sign * float(body)
