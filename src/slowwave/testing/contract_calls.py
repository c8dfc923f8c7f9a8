"""The store contract: the audit of a language model, and its answers in quarantine."""

# ruff: noqa: D102 - the name of a test says what it shows

from datetime import timedelta

import msgspec

from slowwave.erasure import Target, find_all
from slowwave.model import ModelCall, RawAnswer
from slowwave.testing.contract_base import Contract
from slowwave.testing.samples import MORNING, add, dream, event, quoting, words

CALL = ModelCall(
    ts=MORNING, purpose="distill", prompt="p1", model="m", outcome="ok", attempt=2,
    tokens_in=900, tokens_out=80, ms=12.5, cost=0.25, dream_id="dr1",
)  # fmt: skip
ANSWER = RawAnswer(
    id="ra1", ts=MORNING, purpose="distill", prompt="p1", model="m", text="no list", reason="prose"
)
FACT = "The studio door code is 4471"
LATER = MORNING + timedelta(days=1)


def _answer(text: str, **fields: object) -> RawAnswer:
    return msgspec.structs.replace(ANSWER, text=text, **fields)


class CallContract(Contract):
    """What was asked is kept; what was answered goes when it is forgotten."""

    def test_calls_come_back_oldest_first(self) -> None:
        with self.store() as store:
            later = msgspec.structs.replace(CALL, ts=LATER, outcome="timeout")
            store.record_calls("alder", [later, CALL])
            store.record_calls("birch", [CALL])
            assert store.model_calls("alder") == [CALL, later]
            assert store.model_calls("alder", LATER) == [later]
            assert store.model_calls("cedar") == []

    def test_the_same_call_twice_is_two_calls(self) -> None:
        with self.store() as store:
            store.record_calls("alder", [CALL])
            store.record_calls("alder", [CALL])
            assert store.model_calls("alder") == [CALL, CALL]

    def test_answers_are_kept_as_they_came(self) -> None:
        with self.store() as store:
            odd = _answer('{"text": "\\u7a91 \\"cold\\"\\n"} 窑 \u0000 🏺', id="ra2", ts=LATER)
            store.record_calls("alder", [], [odd, ANSWER])
            assert store.raw_answers("alder") == [ANSWER, odd]
            assert store.raw_answers("alder", LATER) == [odd]
            assert store.raw_answers("birch") == []
            assert store.model_calls("alder") == []
            assert "窑 " in "".join(one.text for one in store.texts("alder"))

    def test_old_answers_are_dropped_and_calls_are_not(self) -> None:
        with self.store() as store:
            store.record_calls("alder", [CALL], [ANSWER])
            month = MORNING + timedelta(days=30)
            store.record_calls("alder", [], [_answer("a", id="ra2", ts=month)], days=30)
            assert len(store.raw_answers("alder")) == 2
            store.record_calls("alder", [], [_answer("b", id="ra3", ts=LATER + timedelta(30))], 30)
            assert [one.id for one in store.raw_answers("alder")] == ["ra2", "ra3"]
            assert store.model_calls("alder") == [CALL]

    def test_answers_that_say_or_name_what_is_forgotten_go(self) -> None:
        with self.store() as store:
            source = store.append([event(FACT)]).stored[0]
            fact = quoting(source)
            store.commit(
                dream(add(fact), event_ids=(source.id,)), [words(fact.id, fact.text)], MORNING
            )
            said = [
                _answer(f"Sure! The facts: {FACT}.", id="ra2"),
                _answer(f'[{{"event_id": "{source.id}"', id="ra3"),
                _answer('["the studio\\ndoor code is \\u0034471"]', id="ra4"),
                _answer("nothing usable", id="ra5", reason=f"not JSON: {FACT}"),
            ]
            store.record_calls("alder", [CALL], [ANSWER, *said])
            store.record_calls("birch", [], [said[0]])
            target = Target(memory_ids=frozenset([fact.id]))
            store.erase(find_all(store, "alder", target, LATER).purge)
            assert store.raw_answers("alder") == [ANSWER]
            assert store.raw_answers("birch") == [said[0]]
            assert store.traces("alder", [source.id, fact.id]) == []
            assert store.model_calls("alder") == [CALL]
            # and an answer that was on its way meanwhile is not kept
            late = [msgspec.structs.replace(one, id=f"{one.id}-late") for one in said]
            store.record_calls("alder", [], late)
            assert store.raw_answers("alder") == [ANSWER]
