"""What is believed and every change that led there: commit, why, and undoing one dream."""

from slowwave.ledger.commit import (
    WAITING,
    apply,
    check_quotes,
    choose,
    count,
    index_row,
    is_quoted,
    pick_changes,
    refuse_decided,
    with_dependants,
)
from slowwave.ledger.trace import Provenance, whole, why
from slowwave.ledger.undo import rollback
from slowwave.ledger.withdrawn import in_force, withdrawn

__all__ = [
    "WAITING",
    "Provenance",
    "apply",
    "check_quotes",
    "choose",
    "count",
    "in_force",
    "index_row",
    "is_quoted",
    "pick_changes",
    "refuse_decided",
    "rollback",
    "whole",
    "why",
    "with_dependants",
    "withdrawn",
]
