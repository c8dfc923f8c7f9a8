"""The contract of `ports.Store` as tests. Every store must pass all of them, also together."""

from slowwave.testing.contract_calls import CallContract
from slowwave.testing.contract_index import IndexContract
from slowwave.testing.contract_journal import JournalContract
from slowwave.testing.contract_ledger import LedgerContract
from slowwave.testing.contract_purge import PurgeContract
from slowwave.testing.contract_reading import ReadingContract
from slowwave.testing.contract_recalls import RecallContract
from slowwave.testing.contract_restore import RestoreContract
from slowwave.testing.contract_vectors import VectorContract


class StoreContract(
    JournalContract,
    IndexContract,
    VectorContract,
    LedgerContract,
    ReadingContract,
    CallContract,
    RecallContract,
    PurgeContract,
    RestoreContract,
):
    """All of it. A subclass defines `open_store`."""
