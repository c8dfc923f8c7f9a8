"""To another home and back: all of a space as lines, read again without loss.

    lines.py   one noun, one line
    send.py    a space → lines
    page.py    the same lines in a Markdown page that people can read
    check.py   whether what a file tells of may have been
    take.py    lines → a space

What can be made anew (indexes, vectors, the vault) and what belongs to a machine (settings) is not
carried.
"""

from slowwave.transfer.page import page
from slowwave.transfer.send import send
from slowwave.transfer.take import Taken, take

__all__ = ["Taken", "page", "send", "take"]
