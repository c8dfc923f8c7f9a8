"""The Model Context Protocol, over HTTP (`/mcp`) and over stdio (`slowwave mcp`).

tools (what an agent may call, as data) · work (what each does) · told (answers in few tokens) ·
confirm (forgetting asks the person) · pages (resources and prompts) · server (the protocol) ·
owned (whose sessions over HTTP are)
"""

from slowwave.servers.mcp.server import Door, door, over_stdio

__all__ = ["Door", "door", "over_stdio"]
