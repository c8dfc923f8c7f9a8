"""LangGraph's long-term memory on Slowwave: `langgraph.store.base.BaseStore`.

    from slowwave import Memory
    from slowwave.integrations.langgraph import SlowwaveStore

    graph = builder.compile(store=SlowwaveStore(Memory()))

There is no table for it. A value that is put is an event of the journal: its text is what can be
searched, its metadata hold namespace, key and value. The items are what these events add up to,
the last one of a key wins. So they survive what the journal survives, are shared between
processes, and go where the journal goes (export, forgetting).

store (the operations) · kept (events → items) · values (JSON, its text, filters)
"""

try:
    from slowwave.integrations.langgraph.store import SlowwaveStore
except ModuleNotFoundError as error:
    if (error.name or "").split(".")[0] not in ("langgraph", "langchain_core"):
        raise
    raise ModuleNotFoundError(
        "slowwave.integrations.langgraph needs LangGraph: pip install langgraph", name=error.name
    ) from error

__all__ = ["SlowwaveStore"]
