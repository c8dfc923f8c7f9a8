"""The proof: a receipt is checked against everything that is kept."""

import msgspec

from slowwave.erasure.files import HomeFiles
from slowwave.model import Receipt, Span
from slowwave.ports import Store
from slowwave.text.signature import Seal, same_words

__all__ = ["Proof", "verify"]


class Proof(msgspec.Struct, frozen=True):
    """What a check of a receipt found; `findings` is empty when the forgetting holds."""

    receipt: str
    ok: bool
    findings: tuple[str, ...]
    texts: int
    """How many stored texts were compared with the signatures."""


def verify(store: Store, files: HomeFiles, receipt: Receipt) -> Proof:
    """Checks a receipt again: ids, texts, copies, files.

    Proved is that no stored text, sentence or file is one of the forgotten ones; the words are not
    known any more, so bytes are compared through the salted signatures. What was said again after
    the forgetting is new, and may be there.
    """
    known = {one.receipt.id: one for one in store.erasures(receipt.space)}
    erased = known.get(receipt.id)
    findings = []
    if erased is None:
        findings.append("the tombstone is not in the store: old evidence could bring it back")
    elif not erased.finished:
        findings.append("not finished: old bytes may be left; run `slowwave forget` again")
    if erased is not None and erased.receipt.tombstone.whole != receipt.tombstone.whole:
        findings.append("the receipt is not that of the tombstone in the store")
    ids = (*receipt.event_ids, *receipt.memory_ids)
    findings += [f"still named: {trace}" for trace in store.traces(receipt.space, ids)]
    seal = Seal(receipt.tombstone if erased is None else erased.receipt.tombstone)
    texts = 0
    again: set[str] = set()
    for stored in store.texts(receipt.space):
        texts += 1
        same = {seal.hash_of(stored.text[at:end]) for at, end in same_words(seal, stored.text)}
        if not seal.covers(stored.said):
            again |= same  # a new statement: it is in the files as well
        elif same:
            findings.append(f"forgotten words in {stored.where}, {stored.id}")

    def places(text: str) -> list[Span]:
        spans = same_words(seal, text)
        return [span for span in spans if seal.hash_of(text[span[0] : span[1]]) not in again]

    found = files.look(places)
    findings += [f"forgotten words in {one.path}, line {one.line}" for one in found]
    unique = tuple(dict.fromkeys(findings))
    return Proof(receipt.id, not unique, unique, texts)
