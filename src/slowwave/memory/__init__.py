"""The front door: one object that does everything a door may ask of a memory.

    memory = slowwave.open("~/.slowwave")
    memory.log([Record(text="我对花生过敏", source="me")])
    memory.dream("today", apply=True)
    memory.recall(memory.query("晚饭吃什么好"))

`wiring` builds it. Calls are synchronous and safe from several threads; servers call them through
a thread pool. Each file of this package is one stretch of the way of the data.
"""

from slowwave.memory.correcting import Correcting
from slowwave.memory.leaving import Previewing
from slowwave.memory.looking_back import LookingBack
from slowwave.memory.refining import Refining
from slowwave.memory.trying import Trying
from slowwave.memory.turning import Turning

__all__ = ["SlowMemory"]


class SlowMemory(Turning, Trying, Correcting, LookingBack, Previewing, Refining):
    """One space of one home."""
