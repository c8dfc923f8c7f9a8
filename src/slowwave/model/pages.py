"""The vault's nouns: what the files are to say, and what people did to them."""

from typing import Literal

import msgspec

from slowwave.model.basics import Kind
from slowwave.model.memory import Memory

SECTION_TITLES = (
    ("How to work with me", "相处方式"),
    ("Work and technology", "工作与技术"),
    ("Life and taste", "生活与喜好"),
    ("Chronicle and agreements", "纪事与约定"),
    ("People", "人物"),
)
"""The sections of MEMORY.md (L7) in their order, in English and Chinese."""
SECTION_KINDS: tuple[Kind, ...] = ("rule", "project", "profile", "fact", "relationship")
"""What a bullet is taken for that a person adds to each of them."""

EditKind = Literal["text", "importance", "pinned", "status", "delete", "add"]


class Edit(msgspec.Struct, frozen=True, kw_only=True):
    """One thing a person did to a managed part of a file.

    `before` is what stood there when it was written, `after` what stands there now; `kind` is for
    a memory that is added.
    """

    file: str
    what: EditKind
    memory_id: str = ""
    before: str = ""
    after: str = ""
    kind: Kind = "fact"


class Clash(msgspec.Struct, frozen=True, kw_only=True):
    """What could not be brought in step, and why. The person's words stay where they are.

    `understood` is false where nothing clashes: what stands there cannot be read or done.
    """

    file: str
    reason: str
    memory_id: str = ""
    understood: bool = True


class Looked(msgspec.Struct, frozen=True, kw_only=True):
    """What stands in the files.

    `by_hand` is the text of MEMORY.md outside of the managed part. `told` are dreams the diary
    tells of already. `basis` is the adapter's own: the bytes it saw. `mark` is the place in the
    ledger up to which the files were brought in step, `touched` the memories whose files are not
    as they were left then.
    """

    edits: tuple[Edit, ...]
    clashes: tuple[Clash, ...]
    by_hand: str
    told: frozenset[str]
    most_chars: int | None
    basis: object
    mark: str = ""
    touched: tuple[str, ...] = ()


class Section(msgspec.Struct, frozen=True):
    """One section of MEMORY.md: its memories, and the line of each."""

    title: str
    memories: tuple[Memory, ...]
    lines: tuple[str, ...]


class DiaryPage(msgspec.Struct, frozen=True):
    """One entry of the dream diary: of which dream, its date as people read it, and the story."""

    dream_id: str
    date: str
    text: str


class Edition(msgspec.Struct, frozen=True, kw_only=True):
    """What the files are to say.

    `memories` are all of a space, or, where it is not `whole`, those that may not be in step; of
    the ids in `lost` there is no memory any more. `mark` is how far the ledger was read.
    `sections` and `pointer` (a line about what did not fit) make MEMORY.md, whose title (of a new
    file) is `title`; `diary` are entries to add, oldest first. `held` are (file, memory id) where a
    file keeps what a person wrote of a memory.
    """

    memories: tuple[Memory, ...]
    sections: tuple[Section, ...]
    pointer: str
    title: str
    diary: tuple[DiaryPage, ...]
    held: frozenset[tuple[str, str]]
    whole: bool = True
    lost: tuple[str, ...] = ()
    mark: str = ""


class Written(msgspec.Struct, frozen=True):
    """The files that were written, what was left alone, what else to tell, and files removed."""

    files: tuple[str, ...]
    clashes: tuple[Clash, ...] = ()
    warnings: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
