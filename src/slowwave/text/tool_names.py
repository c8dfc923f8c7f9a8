"""What a tool's result is, by the tool's name."""

import re

from slowwave.model import Origin
from slowwave.text.later import later

__all__ = ["tool_origin"]

_MEMORY = later(r"memor|recall", re.IGNORECASE)
_NETWORK = later(r"web|fetch|brows|http|crawl|scrape|url", re.IGNORECASE)


def tool_origin(name: str) -> Origin:
    """Out of a memory, from the network, or plain."""
    if _MEMORY.search(name):
        return "recalled"
    return "external" if _NETWORK.search(name) else "tool"
