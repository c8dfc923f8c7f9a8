"""Asking a language model so that nothing wrong comes back unnoticed (N10, N16, N17, N21).

`asking` (tries, budget, audit, one repair) → `answers` (an answer to typed items) → `fitting`
(one item to its type) over `loose_json` (JSON as models write it). `schema` says to the server
what `answers` will read. A stage that asks makes an `Asker` per dream and knows nothing else.
"""

from slowwave.modelling.answers import Parsed, Problem, parse_items
from slowwave.modelling.asking import Answer, Asker, prompt_hash
from slowwave.modelling.audit import Audit, Collected, StoreAudit
from slowwave.modelling.privacy import guarded
from slowwave.modelling.schema import list_schema

__all__ = [
    "Answer",
    "Asker",
    "Audit",
    "Collected",
    "Parsed",
    "Problem",
    "StoreAudit",
    "guarded",
    "list_schema",
    "parse_items",
    "prompt_hash",
]
