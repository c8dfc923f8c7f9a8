"""Masking: private values out, stable placeholders in, and what is needed to come back (N17).

All texts of a dream are masked together: a name that one message introduces ("my wife …") is then
masked in every other message too. Pure; the same texts give the same placeholders.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from slowwave.privacy.cut_values import Torn
from slowwave.privacy.fields import find_fields
from slowwave.privacy.health import find_health
from slowwave.privacy.kinds import ALTERED, KINDS, Find, Found, Kind, written
from slowwave.privacy.names import is_word
from slowwave.privacy.numbers import find_numbers
from slowwave.privacy.papers import find_papers
from slowwave.privacy.people import find_people, name_parts, stands_for_person
from slowwave.privacy.places import find_places
from slowwave.privacy.reading import Seen, key_of, see
from slowwave.privacy.secret import find_secrets
from slowwave.privacy.spelled_out import find_spelled_out
from slowwave.privacy.terms import Terms, lower, word_set
from slowwave.privacy.web import find_web

__all__ = ["Masked", "MaskedText", "Piece", "mask"]

_FINDERS: tuple[Find, ...] = (
    find_web, find_numbers, find_papers, find_places, find_health, find_people, find_fields,
    find_spelled_out,
)  # fmt: skip
_RANK = {kind: rank for rank, kind in enumerate(KINDS)}
_ROLES = word_set(
    "user agent assistant system tool me you bot human ai owner world 用户 助手 我 你 系统"
)
"""What stands in the place of a speaker without naming a person."""

_LEAST_REPEATED = 5
"""A value with so many letters and figures is masked wherever it stands again."""


class Piece(msgspec.Struct, frozen=True):
    """One masked value: `original[start:end]` became `text[at:to]`, which is the placeholder."""

    start: int
    end: int
    at: int
    to: int
    placeholder: str
    kind: Kind


class MaskedText(msgspec.Struct, frozen=True):
    """One text, before and after. `pieces` are in order and do not overlap."""

    original: str
    text: str
    pieces: tuple[Piece, ...]


class Masked(msgspec.Struct, frozen=True):
    """The texts of a dream with placeholders in them.

    `legend` gives for each placeholder the spellings it stands for, in the order they came;
    `numbers` gives for each value (in the form that its spellings share) its placeholder. Both
    also hold those of the texts that were masked `before`.
    """

    texts: tuple[MaskedText, ...]
    legend: dict[str, tuple[str, ...]]
    numbers: dict[str, str]

    @property
    def counts(self) -> dict[Kind, int]:
        """How many values of each kind were masked in these texts, in the order of `KINDS`."""
        return self.counts_of(self.texts)

    @staticmethod
    def counts_of(texts: Iterable[MaskedText]) -> dict[Kind, int]:
        """As `counts`, of some of the texts."""
        found = Counter(piece.kind for text in texts for piece in text.pieces)
        return {kind: found[kind] for kind in KINDS if found[kind]}


def mask(
    texts: Sequence[str],
    names: Iterable[str] = (),
    before: Masked | None = None,
    *,
    secrets: bool = True,
) -> Masked:
    """The texts with every private value replaced by its placeholder.

    `names` are people that are known already: the owner, the speakers, subjects of memories.
    `before` is what was masked earlier in the same dream: its placeholders stay in force, and what
    was found then is found here too. With `secrets=False` the finders of `capture` are left out,
    for texts that went through them when they were captured.
    """
    seen = [see(text) for text in texts]
    finders = (*_FINDERS, find_secrets) if secrets else _FINDERS
    found = [[hit for find in finders for hit in find(one.text)] for one in seen]
    again = _repeated(seen, found, names, before)
    numbering = _Numbering(before)
    masked = tuple(
        _masked(text, _merged(one, [*hits, *again(one.text)]), numbering)
        for text, one, hits in zip(texts, seen, found, strict=True)
    )
    return Masked(masked, numbering.legend(), numbering.numbers)


def _repeated(
    seen: Sequence[Seen],
    found: Sequence[Sequence[Found]],
    names: Iterable[str],
    before: Masked | None,
) -> Callable[[str], list[Found]]:
    """Finds again, in any text, the values that were found in one of them."""
    kinds: dict[str, Kind] = {}
    for value, kind in _values(seen, found, names, before):
        parts = name_parts(value) if kind == "PERSON" else _whole(value, kind)
        for part in parts:
            kinds.setdefault(lower(part), kind)
            escaped = json.dumps(part, ensure_ascii=False)[1:-1]
            if escaped != part:  # as a question shows it within JSON
                kinds.setdefault(lower(escaped), kind)
    terms = Terms(kinds)
    torn = Torn({value: kind for value, kind in kinds.items() if kind not in ("HEALTH", "TEXT")})

    def again(text: str) -> list[Found]:
        hits = [
            Found(hit.start, hit.end, kinds[hit.term])
            for hit in terms.find(text)
            if kinds[hit.term] != "PERSON" or stands_for_person(hit.term, text[hit.start])
        ]
        looks = [Found(*match.span(), "TEXT") for match in ALTERED.finditer(text)]
        return [*hits, *looks, *torn.find(text)]

    return again


def _values(
    seen: Sequence[Seen],
    found: Sequence[Sequence[Found]],
    names: Iterable[str],
    before: Masked | None,
) -> Iterator[tuple[str, Kind]]:
    """What is known: the names that were given, and what was found before and now."""
    for name in names:
        plain = see(name).text.strip()
        if plain.lower() not in _ROLES:
            yield plain, "PERSON"
    for placeholder, spellings in before.legend.items() if before is not None else ():
        for spelling in spellings:
            yield see(spelling).text, _kind_of(placeholder)
    for one, hits in zip(seen, found, strict=True):
        for hit in hits:
            yield one.text[hit.start : hit.end], hit.kind


def _whole(value: str, kind: Kind) -> tuple[str, ...]:
    """What of a value is masked wherever it stands: itself where it is no accident, and its parts.

    Another question may show a part alone, or the value without what it was told by.
    """
    solid = sum(map(str.isalnum, value))
    digits = any(map(str.isdigit, value))
    if kind == "TEXT":
        return ()
    if kind == "HEALTH":
        telling = solid >= (_LEAST_REPEATED if value.isascii() else 2)
        return (value,) if telling and not is_word(lower(value)) else ()
    if kind in ("USER", "SECRET"):
        telling = solid >= _LEAST_REPEATED and (digits or not is_word(lower(value)))
        return (value,) if telling else ()
    if solid < _LEAST_REPEATED:
        return ()
    return (value, *_parts(value, kind))


def _parts(value: str, kind: Kind) -> Iterator[str]:
    """The parts of a long value that say something alone."""
    if kind in _OF_FIGURES:
        parts = _SPLIT.split(value)
        if len(parts) > 1:
            yield from (
                part for part in parts if len(part) >= _LEAST_PART and any(map(str.isdigit, part))
            )
    elif kind == "MAIL":
        local = value.partition("@")[0]
        if len(local) > _LEAST_PART and not is_word(lower(local)):
            yield local
    elif kind == "ADDRESS":
        for part in _SPLIT.split(value):
            if len(part) > _LEAST_PART and part.isalpha() and not is_word(lower(part)):
                yield part


_SPLIT = re.compile(r"[^0-9A-Za-zÀ-ɏ\u4e00-\u9fff]+")
_LEAST_PART = 4
_OF_FIGURES: frozenset[Kind] = frozenset(
    ("PHONE", "ID", "ACCOUNT", "CARD", "ORDER", "NUMBER", "PLATE")
)


def _kind_of(placeholder: str) -> Kind:
    name = placeholder[1:].partition("-")[0]
    return next(kind for kind in KINDS if kind == name)


def _merged(one: Seen, hits: Iterable[Found]) -> list[Found]:
    """The spans in the original text, in order; what overlaps is one, named by its longest part."""
    joined: list[Found] = []
    longest = (0, 0)
    spans = (Found(*one.original(hit.start, hit.end), hit.kind) for hit in hits if hit[0] < hit[1])
    for hit in sorted(spans):
        if joined and hit.start < joined[-1].end:
            last = joined[-1]
            size = (hit.end - hit.start, -_RANK[hit.kind])
            kind = hit.kind if size > longest else last.kind
            longest = max(longest, size)
            joined[-1] = Found(last.start, max(last.end, hit.end), kind)
        else:
            joined.append(hit)
            longest = (hit.end - hit.start, -_RANK[hit.kind])
    return joined


class _Numbering:
    """Gives each value its placeholder, in the order the values come."""

    def __init__(self, before: Masked | None) -> None:
        self.numbers = dict(before.numbers) if before else {}
        self._spellings = (
            {name: list(forms) for name, forms in before.legend.items()} if before else {}
        )
        self._last: Counter[str] = Counter(_kind_of(name) for name in self._spellings)

    def placeholder(self, value: str, kind: Kind) -> str:
        key = key_of(value) if kind != "TEXT" else f"\x00{value}"
        name = self.numbers.get(key)
        if name is None:
            self._last[kind] += 1
            name = self.numbers[key] = written(kind, self._last[kind])
        spellings = self._spellings.setdefault(name, [])
        if value not in spellings:
            spellings.append(value)
        return name

    def legend(self) -> dict[str, tuple[str, ...]]:
        return {name: tuple(spellings) for name, spellings in self._spellings.items()}


def _masked(text: str, found: Sequence[Found], numbering: _Numbering) -> MaskedText:
    parts: list[str] = []
    pieces: list[Piece] = []
    done = length = 0
    for start, end, kind in found:
        value = text[start:end]
        start += len(value) - len(value.lstrip())
        end -= len(value) - len(value.rstrip())
        if start >= end:
            continue
        name = numbering.placeholder(text[start:end], kind)
        length += start - done
        parts += [text[done:start], name]
        pieces.append(Piece(start, end, length, length + len(name), name, _kind_of(name)))
        length += len(name)
        done = end
    parts.append(text[done:])
    return MaskedText(text, "".join(parts), tuple(pieces))
