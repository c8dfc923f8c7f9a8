"""Working memory: what must be remembered to go on working (N2).

Open projects, to-dos and decisions that still wait. A person adds items; a dream adds his projects
and plans, and what he said is still to do; it marks as done what was said to be finished or whose
memory has ended, and as stalled what nobody spoke of for two weeks, or whose day passed without a
word. Done and stalled items are kept, but not loaded into a context; and what stays silent for long
is not listened for any more. What a person changes by hand, and what is undone, the items follow at
once.
"""

from slowwave.working.following import follow, heed
from slowwave.working.items import add, mark

__all__ = ["add", "follow", "heed", "mark"]
