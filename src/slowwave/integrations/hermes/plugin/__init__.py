"""Slowwave as a memory provider of Hermes: what Hermes loads. The work is done in `slowwave`.

Where `slowwave` cannot be imported, the provider says so, and how to mend it, and does nothing.
"""

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agent.memory_provider import MemoryProvider  # type: ignore[import-not-found]

try:
    from slowwave.integrations.hermes.provider import SCHEMAS, Connection, Provider

    MISSING = ""
except ImportError as error:
    MISSING = f"slowwave cannot be imported ({error}): {sys.executable} -m pip install slowwave"

__all__ = ["SlowwaveMemoryProvider", "register"]


def _thread(target: Callable[[], None], *, name: str) -> threading.Thread:
    """A thread that keeps Hermes's context, where this Hermes has contexts."""
    try:
        from agent.memory_provider import spawn_context_thread  # noqa: PLC0415 - newer ones only
    except ImportError:
        return threading.Thread(target=target, name=name, daemon=True)
    made: threading.Thread = spawn_context_thread(target, name=name)
    return made


class SlowwaveMemoryProvider(MemoryProvider):  # type: ignore[misc]
    """The provider `slowwave`."""

    pre_compress_checkpoint_api_version = 2

    def __init__(self) -> None:
        here = Path(__file__).parent
        self._work = None if MISSING else Provider(Connection.beside(here), _thread)

    @property
    def name(self) -> str:
        """What `memory.provider` names."""
        return "slowwave"

    def is_available(self) -> bool:
        """Whether `slowwave` can be imported."""
        return self._work is not None

    def unavailable_reason(self) -> str:
        """What to install, where it cannot."""
        return MISSING

    def initialize(self, session_id: str, **kwargs: Any) -> None:
        """Opens the memory for a session."""
        if self._work is not None:
            self._work.start(session_id, kwargs)

    def system_prompt_block(self) -> str:
        """Who the user is, how he wants things, and what is open."""
        return self._work.opening() if self._work is not None else ""

    def prefetch(self, query: str, *, session_id: str = "") -> str:
        """What is relevant for a turn."""
        return self._work.prefetch(query, session_id) if self._work is not None else ""

    def recall_status(self) -> Any:
        """How many memories the last turn was given, where Hermes shows that."""
        if self._work is None or not self._work.recalled:
            return None
        try:
            from agent.memory_provider import RecallStatus  # noqa: PLC0415 - newer ones only
        except ImportError:
            return None
        return RecallStatus(provider_label="Slowwave", count=self._work.recalled)

    def sync_turn(
        self,
        user_content: str,
        assistant_content: str,
        *,
        session_id: str = "",
        messages: list[dict[str, Any]] | None = None,
    ) -> None:
        """Takes in a finished turn; returns at once."""
        if self._work is not None:
            self._work.turn(user_content, assistant_content, session_id, messages)

    def on_pre_compress(
        self, messages: list[dict[str, Any]], *, require_checkpoint: bool = False
    ) -> str:
        """Takes in what is not written yet. Raises where it must be and could not be."""
        if self._work is not None:
            self._work.flush(messages)
        if require_checkpoint and (self._work is None or self._work.waits):
            raise RuntimeError(MISSING or "slowwave could not write the conversation down")
        return ""

    def on_session_end(self, messages: list[dict[str, Any]]) -> None:
        """As before compression."""
        if self._work is not None:
            self._work.flush(messages)

    def on_session_switch(self, new_session_id: str, **kwargs: Any) -> None:
        """Goes on under another session."""
        del kwargs
        if self._work is not None:
            self._work.switch(new_session_id)

    def on_memory_write(
        self, action: str, target: str, content: str, metadata: dict[str, Any] | None = None
    ) -> None:
        """What the agent wrote into Hermes's own memory is logged as its note."""
        del target
        if self._work is not None and action in ("add", "replace"):
            self._work.noted(content, str((metadata or {}).get("write_origin") or ""))

    def get_tool_schemas(self) -> list[dict[str, Any]]:
        """The tools, where there is a memory."""
        return list(SCHEMAS) if self._work is not None else []

    def handle_tool_call(self, tool_name: str, args: dict[str, Any], **kwargs: Any) -> str:
        """The answer of a tool, as JSON."""
        del kwargs
        return self._work.call(tool_name, args) if self._work is not None else "{}"

    def get_config_schema(self) -> list[dict[str, Any]]:
        """Nothing is to be set up."""
        return []

    def backup_paths(self) -> list[str]:
        """The home, for `hermes backup`."""
        return [self._work.home] if self._work is not None else []

    def shutdown(self) -> None:
        """Writes what waits, and closes."""
        if self._work is not None:
            self._work.close()


def register(ctx: Any) -> None:
    """Called by Hermes."""
    ctx.register_memory_provider(SlowwaveMemoryProvider())
