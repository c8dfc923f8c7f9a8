"""Dreams by itself while the server runs (P9-P11): the one of a home that does.

    loop.py      when and of which space: asks `scheduler`, starts, stops and tells
    watch.py     one space: what came in, what is unread, its brakes
    child.py     the process of one dream, seen from the server
    sleeper.py   the same process, seen from inside
    lock.py      one of a home; who it is, for others to read
    state.py     what can be seen of it

Dreams run in a process of their own, so that answers do not wait for one (docs/why/resident.md).
"""

from slowwave.servers.resident.lock import standing
from slowwave.servers.resident.loop import Resident
from slowwave.servers.resident.state import Dreaming, Ended, ResidentState, SpaceState, Tally

__all__ = ["Dreaming", "Ended", "Resident", "ResidentState", "SpaceState", "Tally", "standing"]
