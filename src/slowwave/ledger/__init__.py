"""What is believed and every change that led there: commit, why, and undoing one dream."""

from slowwave.ledger.commit import (
    WAITING,
    apply,
    check_quotes,
    choose,
    count,
    index_row,
    pick_changes,
    refuse_decided,
    with_dependants,
)
from slowwave.ledger.trace import Provenance, whole, why
from slowwave.ledger.undo import rollback

__all__ = [
    "WAITING",
    "Provenance",
    "apply",
    "check_quotes",
    "choose",
    "count",
    "index_row",
    "pick_changes",
    "refuse_decided",
    "rollback",
    "whole",
    "why",
    "with_dependants",
]
