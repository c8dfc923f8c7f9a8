"""Ten questions to a model whose server fails in every way in the middle (cases 59 and 61, N16).

What was right is kept, what was wrong is refused with a reason, and the rest goes on.
"""

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from slowwave.adapters.model import OpenAIModel, address_of
from slowwave.errors import ModelBusy, ModelError, ModelTimeout, ModelUnreachable, ModelUnusable
from slowwave.model import Ask, ModelCall, RawAnswer
from slowwave.modelling import Asker, StoreAudit, list_schema, prompt_hash
from slowwave.settings import ModelSettings
from slowwave.testing import InMemoryStore
from slowwave.testing.scripted_model import (
    Request,
    ScriptedModel,
    busy,
    chatty,
    cut_off,
    echo,
    failing,
    fenced,
    holding,
    page,
    reset,
    thinking,
    truncated,
)

NOW = datetime(2031, 1, 2, 3, tzinfo=UTC)
SYSTEM = "You list the glazes that are named in the workshop's log, as JSON. You invent nothing."
HARD = 6
"""The question in whose turn something goes wrong."""


class Glaze(msgspec.Struct, frozen=True):
    text: str


def question(number: int) -> Ask:
    told = f"Part {number} of the log: on this day Ada mixed glaze number {number}, as she said."
    return Ask(purpose="distill", system=SYSTEM, user=told, schema=list_schema(Glaze))


def right(number: int) -> dict[str, Any]:
    return {"items": [{"text": f"glaze {number}"}, {"text": f"bucket {number}"}]}


class Night:
    """Ten questions, some of them asked again by a second run."""

    def __init__(self, *hard: Any, timeout: float = 5.0) -> None:
        self.hard = list(hard)
        self.timeout = timeout
        self.store = InMemoryStore()
        self.slept: list[float] = []
        self.done: dict[int, tuple[Glaze, ...]] = {}
        self.pending: dict[int, ModelError] = {}
        self.server = ScriptedModel(self.script)

    def script(self, request: Request) -> Any:
        number = int(request.prompt.removeprefix("Part ").split(" ", 1)[0])
        if number == HARD and self.hard:
            return self.hard.pop(0)
        return right(number)

    def run(self, numbers: Iterator[int] | range) -> None:
        model = OpenAIModel(address_of(self.server.base_url), "scripted", timeout=self.timeout)
        audit = StoreAudit(self.store, "alder")
        asker = Asker(model, ModelSettings(), audit, lambda: NOW, sleep=self.slept.append)
        for number in numbers:
            try:
                self.done[number] = asker.items(question(number), Glaze).items
            except ModelError as error:
                self.pending[number] = error

    @property
    def calls(self) -> list[ModelCall]:
        return self.store.model_calls("alder")

    @property
    def kept(self) -> list[RawAnswer]:
        return self.store.raw_answers("alder")

    def all_right(self, *but: int) -> bool:
        wanted = {number: (Glaze(f"glaze {number}"), Glaze(f"bucket {number}"))
                  for number in range(10) if number not in but}  # fmt: skip
        return {number: self.done[number] for number in wanted} == wanted


BREAKS: dict[str, tuple[Callable[[], Any], type[ModelError]]] = {
    "429": (lambda: busy(retry_after=2), ModelBusy),
    "500": (lambda: failing(500), ModelBusy),
    "time-out": (lambda: holding(20), ModelTimeout),
    "reset": (reset, ModelUnreachable),
    "cut off": (cut_off, ModelUnreachable),
    "page": (page, ModelBusy),
}


@pytest.mark.parametrize("name", BREAKS)
def test_one_break_is_got_over(name: str) -> None:
    fault, _ = BREAKS[name]
    night = Night(fault(), timeout=0.5)
    with night.server:
        night.run(range(10))
    assert night.all_right()
    assert len(night.slept) == 1
    assert len(night.calls) == 11
    assert night.kept == []


@pytest.mark.parametrize("name", BREAKS)
def test_what_stays_broken_waits_and_the_rest_goes_on(name: str) -> None:
    fault, error = BREAKS[name]
    night = Night(*[fault() for _ in range(4)], timeout=0.3)
    with night.server:
        night.run(range(10))
        assert night.all_right(HARD)
        assert list(night.pending) == [HARD]
        assert isinstance(night.pending[HARD], error)
        assert night.pending[HARD].hint
        tried = [call for call in night.calls if call.prompt == prompt_hash(question(HARD))]
        assert [call.attempt for call in tried] == [1, 2, 3, 4]
        assert all(call.outcome != "ok" for call in tried)
        night.run(iter([HARD]))
    assert night.all_right()
    assert len(night.calls) == 9 + 4 + 1


@pytest.mark.parametrize("shape", [fenced, chatty, thinking, echo])
def test_odd_ways_to_say_it_are_understood(shape: Callable[[Any], Any]) -> None:
    night = Night(shape(right(HARD)))
    with night.server:
        night.run(range(10))
    assert night.all_right()
    assert len(night.calls) == 10


def test_a_cut_answer_is_asked_on() -> None:
    night = Night(truncated(right(HARD), 0.7), {"items": [{"text": f"bucket {HARD}"}]})
    with night.server:
        night.run(range(10))
    assert night.all_right()
    assert len(night.calls) == 11


@pytest.mark.parametrize(
    "wrong", ["There are some glazes.", "", echo(), '{"items": [{"glaze": 5}]}', "[[1]]"]
)
def test_what_cannot_be_used_is_never_an_empty_success(wrong: Any) -> None:
    night = Night(wrong, wrong)
    with night.server:
        night.run(range(10))
        assert isinstance(night.pending[HARD], ModelUnusable)
        assert night.all_right(HARD)
        assert len(night.kept) == 2
        assert all(one.reason for one in night.kept)
        night.run(iter([HARD]))
    assert night.all_right()


def test_a_server_that_dies_is_left_alone_after_a_while() -> None:
    night = Night()

    def numbers() -> Iterator[int]:
        yield from range(5)
        server.close()
        yield from range(5, 10)

    with ExitStack() as server:
        server.enter_context(night.server)
        night.run(numbers())
    assert sorted(night.done) == [0, 1, 2, 3, 4]
    assert sorted(night.pending) == [5, 6, 7, 8, 9]
    assert all(isinstance(error, ModelUnreachable) for error in night.pending.values())
    assert len(night.slept) == 3


def test_a_dream_that_finds_no_server_waits_for_none() -> None:
    night = Night()
    with night.server:
        pass
    night.run(range(10))
    assert (night.done, sorted(night.pending)) == ({}, list(range(10)))
    assert (night.slept, len(night.store.model_calls("alder"))) == ([], 1)


def test_with_local_only_nothing_but_loopback_is_connected_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reached: list[Any] = []
    connect = socket.socket.connect

    def watched(self: socket.socket, address: Any) -> None:
        reached.append(address)
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", watched)
    monkeypatch.setenv("HTTPS_PROXY", "http://192.0.2.1:3128")
    monkeypatch.setenv("HTTP_PROXY", "http://192.0.2.1:3128")
    night = Night(failing(500), fenced(right(HARD)))
    with night.server:
        night.run(range(10))
    assert night.all_right()
    assert {address[0] for address in reached} == {"127.0.0.1"}
