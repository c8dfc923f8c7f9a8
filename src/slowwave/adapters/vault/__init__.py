"""The vault: Markdown files for people, and what people write back into them.

`regions` finds the managed part of a file and leaves every other byte as it is; `entries` is the
file of one memory, `page` MEMORY.md, `diary` DREAMS.md; `folder` brings them all in step; `state`
is what is remembered of the last time (derived: losing it loses nothing); `mirror` copies.
"""

from slowwave.adapters.vault.folder import FolderVault

__all__ = ["FolderVault"]
