"""Asking during one dream: tries, pauses, budget, audit, one repair, and giving up."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from slowwave.errors import (
    BudgetSpent,
    ModelBusy,
    ModelError,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
    ModelUnusable,
)
from slowwave.model import Ask, Reply
from slowwave.modelling import Asker, Collected, StoreAudit, prompt_hash
from slowwave.settings import ModelSettings
from slowwave.testing import InMemoryStore

NOW = datetime(2031, 1, 2, 3, tzinfo=UTC)
ASK = Ask(
    purpose="distill",
    system="You list what is said in a pottery, as JSON, and you never invent anything at all.",
    user="Maren: the kiln runs on Fridays. Ada: the blue glaze is in the left bucket",
    max_tokens=100,
)
OPEN = ModelSettings()


class Fact(msgspec.Struct, frozen=True):
    text: str
    importance: int = 50


class Doubled:
    """A model that says what it is told to say, one after the other."""

    def __init__(self, *turns: str | Reply | ModelError, local: bool = True) -> None:
        self.turns = list(turns)
        self.asked: list[Ask] = []
        self.local = local

    name = "double"

    def complete(self, ask: Ask) -> Reply:
        self.asked.append(ask)
        turn = self.turns.pop(0)
        if isinstance(turn, ModelError):
            raise turn
        return Reply(text=turn, tokens_in=50, tokens_out=10) if isinstance(turn, str) else turn


class Desk:
    """An asker with all that it touches."""

    def __init__(self, *turns: str | Reply | ModelError, **settings: Any) -> None:
        self.model = Doubled(*turns)
        self.audit = Collected()
        self.slept: list[float] = []
        self.told: list[str] = []
        self.asker = Asker(
            self.model, ModelSettings(**settings), self.audit, lambda: NOW,
            dream_id="dr1", sleep=self.slept.append, chance=lambda: 0.5, tell=self.told.append,
        )  # fmt: skip

    def items(self) -> tuple[Fact, ...]:
        return self.asker.items(ASK, Fact).items

    @property
    def outcomes(self) -> list[str]:
        return [call.outcome for call in self.audit.calls]


ONE = '{"items": [{"text": "the kiln runs on Fridays"}]}'
KILN = Fact("the kiln runs on Fridays")
NOBODY = ModelUnreachable("refused", "start it", nobody=True)
GONE, SLOW, FULL = ModelUnreachable("gone"), ModelTimeout("slow"), ModelBusy("full")


def test_an_answer_and_its_record() -> None:
    desk = Desk(ONE, price_in=2.0, price_out=10.0)
    answer = desk.asker.items(ASK, Fact)
    assert (answer.items, answer.problems) == ((KILN,), ())
    assert (answer.truncated, answer.repaired) == (False, False)
    [call] = desk.audit.calls
    assert (call.outcome, call.attempt, call.tokens_in, call.tokens_out) == ("ok", 1, 50, 10)
    assert call.cost == pytest.approx((50 * 2 + 10 * 10) / 1e6)
    assert (call.prompt, call.dream_id) == (prompt_hash(ASK), "dr1")
    assert "kiln" not in msgspec.json.encode(call).decode()
    assert desk.audit.answers == []
    assert desk.asker.budget.tokens == 60


def test_tokens_are_estimated_where_the_server_does_not_count() -> None:
    desk = Desk(Reply(text=ONE))
    desk.items()
    [call] = desk.audit.calls
    assert call.tokens_in > 30
    assert call.tokens_out > 5
    assert call.model == "double"


@pytest.mark.parametrize("error", [GONE, SLOW, FULL])
def test_it_is_tried_again_with_growing_pauses(error: ModelError) -> None:
    desk = Desk(error, error, error, ONE)
    assert desk.items() == (KILN,)
    assert desk.slept == pytest.approx([33, 66, 99])
    assert desk.outcomes[-1] == "ok"
    assert [call.attempt for call in desk.audit.calls] == [1, 2, 3, 4]
    assert {call.prompt for call in desk.audit.calls} == {prompt_hash(ASK)}


def test_a_question_fails_after_four_tries() -> None:
    desk = Desk(SLOW, SLOW, SLOW, SLOW, ONE)
    with pytest.raises(ModelTimeout):
        desk.items()
    assert desk.outcomes == ["timeout"] * 4
    assert not desk.asker.gave_up
    assert desk.items() == (KILN,)


def test_the_server_says_how_long_to_wait() -> None:
    desk = Desk(ModelBusy("full", retry_after=7), ModelBusy("full", retry_after=0), ONE)
    desk.items()
    assert desk.slept == pytest.approx([7.7, 0])


def test_a_server_that_wants_hours_is_not_waited_for() -> None:
    desk = Desk(ModelBusy("full", retry_after=7_200))
    with pytest.raises(ModelBusy):
        desk.items()
    assert desk.slept == []


@pytest.mark.parametrize("why", ["too_long", "content", "request"])
def test_what_is_refused_is_not_asked_again(why: str) -> None:
    desk = Desk(*[ModelRefused("no", "", why)] * 5, ONE)
    for _ in range(5):
        with pytest.raises(ModelRefused):
            desk.items()
    assert desk.slept == []
    assert desk.outcomes == ["refused"] * 5
    assert desk.items() == (KILN,)


def test_without_access_nothing_more_is_asked() -> None:
    desk = Desk(ModelRefused("wrong key", "check it", "access"))
    with pytest.raises(ModelRefused):
        desk.items()
    assert desk.asker.gave_up == "wrong key"
    with pytest.raises(ModelUnreachable, match="wrong key") as stopped:
        desk.items()
    assert stopped.value.hint == "check it"
    assert len(desk.model.asked) == 1


def test_a_model_that_fails_question_after_question_is_given_up() -> None:
    desk = Desk(*[SLOW] * 12)
    for _ in range(3):
        with pytest.raises(ModelTimeout):
            desk.items()
    assert desk.asker.gave_up
    with pytest.raises(ModelUnreachable, match="not asked any more"):
        desk.items()
    assert len(desk.model.asked) == 12


def test_an_answer_in_between_starts_the_count_anew() -> None:
    desk = Desk(*[SLOW] * 8, ONE, *[SLOW] * 8, ONE)
    for _ in range(2):
        for _ in range(2):
            with pytest.raises(ModelTimeout):
                desk.items()
        assert desk.items() == (KILN,)


def test_a_server_that_is_not_there_costs_its_pauses_once() -> None:
    desk = Desk(*[GONE] * 6)
    for _ in range(3):
        with pytest.raises(ModelUnreachable):
            desk.items()
    assert len(desk.slept) == 3
    assert desk.asker.gave_up
    assert desk.model.turns == []


def test_each_pause_is_told_with_what_it_is_for() -> None:
    desk = Desk(GONE, SLOW, ModelBusy("full", retry_after=7), ONE)
    desk.items()
    ends = "Ctrl-C stops, nothing is lost"
    assert desk.told == [
        f"the model does not answer: trying again in 33 s (1 of 3); {ends}",
        f"the model took too long: trying again in 66 s (2 of 3); {ends}",
        f"the model has no time now: trying again in 8 s (3 of 3); {ends}",
    ]


def test_where_nothing_listens_from_the_start_on_nothing_is_waited_for() -> None:
    desk = Desk(*[NOBODY] * 9)
    with pytest.raises(ModelUnreachable) as failed:
        desk.items()
    assert failed.value.hint == "start it"
    assert (desk.slept, desk.told, len(desk.model.asked)) == ([], [], 1)
    assert desk.asker.gave_up == "refused"
    with pytest.raises(ModelUnreachable, match="not asked any more"):
        desk.items()
    assert len(desk.model.asked) == 1


@pytest.mark.parametrize("first", [ONE, FULL, SLOW, GONE])
def test_a_server_that_was_there_a_moment_ago_may_come_back(first: str | ModelError) -> None:
    turns = [first, NOBODY, ONE] if first != ONE else [ONE, NOBODY, ONE]
    desk = Desk(*turns)
    assert desk.items() == (KILN,)
    if first == ONE:
        assert desk.items() == (KILN,)
    assert len(desk.slept) == len(turns) - (2 if first == ONE else 1)
    assert not desk.asker.gave_up


def test_the_budget_is_asked_before_the_model() -> None:
    desk = Desk(ONE, ONE, max_tokens_per_dream=200)
    desk.items()
    with pytest.raises(BudgetSpent, match="60 of its 200 tokens"):
        desk.items()
    assert len(desk.model.asked) == 1
    assert desk.outcomes == ["ok"]


def test_money_is_a_budget_too() -> None:
    desk = Desk(ONE, ONE, max_cost_per_dream=0.004, price_in=10.0, price_out=30.0)
    desk.items()
    with pytest.raises(BudgetSpent, match="cost"):
        desk.items()


def test_what_a_killed_run_spent_counts() -> None:
    desk = Desk(ONE)
    desk.items()
    again = Asker(
        Doubled(ONE), ModelSettings(max_tokens_per_dream=200), Collected(), lambda: NOW,
        before=desk.audit.calls,
    )  # fmt: skip
    with pytest.raises(BudgetSpent):
        again.items(ASK, Fact)


# ── answers ─────────────────────────────────────────────────────────────────────────────────────


def test_prose_is_asked_for_once_more() -> None:
    desk = Desk("There is a kiln and some glaze.", ONE)
    answer = desk.asker.items(ASK, Fact)
    assert (answer.items, answer.repaired) == ((KILN,), True)
    assert desk.outcomes == ["unusable", "ok"]
    again = desk.model.asked[1].user
    assert again.startswith(ASK.user)
    assert "no JSON in the answer" in again
    assert desk.audit.answers == []
    assert [call.prompt for call in desk.audit.calls] == [prompt_hash(ASK)] * 2


def test_what_cannot_be_used_twice_is_quarantined() -> None:
    desk = Desk("The kiln, the glaze.", '[{"importance": 3}]')
    with pytest.raises(ModelUnusable) as unusable:
        desk.items()
    assert unusable.value.raw == ("The kiln, the glaze.", '[{"importance": 3}]')
    assert "kiln" not in unusable.value.message
    kept = desk.audit.answers
    assert [one.text for one in kept] == list(unusable.value.raw)
    assert kept[0].reason == "no JSON in the answer"
    assert "text" in kept[1].reason
    assert len({one.id for one in kept}) == 2
    assert desk.outcomes == ["unusable", "unusable"]
    assert desk.asker.gave_up == ""


def test_a_cut_answer_goes_on_where_it_was_cut() -> None:
    cut = Reply(text='{"items": [{"text": "the kiln runs on Fridays"}, {"te', finish="length")
    desk = Desk(cut, '[{"text": "the kiln runs on Fridays"}, {"text": "the glaze is blue"}]')
    answer = desk.asker.items(ASK, Fact)
    assert answer.items == (KILN, Fact("the glaze is blue"))
    assert (answer.truncated, answer.problems) == (False, ())
    assert '"the kiln runs on Fridays"' in desk.model.asked[1].user.removeprefix(ASK.user)


def test_an_answer_that_is_cut_twice_says_so() -> None:
    cut = '{"items": [{"text": "the kiln runs on Fridays"}, {"te'
    desk = Desk(cut, '[{"text": "the glaze is blue"}, {"t')
    answer = desk.asker.items(ASK, Fact)
    assert answer.items == (KILN, Fact("the glaze is blue"))
    assert answer.truncated
    assert [one.reason for one in answer.problems] == ["truncated"]
    assert len(desk.audit.answers) == 2


def test_a_cut_answer_without_a_whole_item_is_no_success() -> None:
    desk = Desk('[{"te', '[{"te')
    with pytest.raises(ModelUnusable, match="truncated"):
        desk.items()


def test_only_refused_items_are_asked_for_again() -> None:
    desk = Desk(
        '[{"text": "the kiln runs on Fridays"}, {"text": "the glaze", "importance": "very"}]',
        '[{"text": "the glaze", "importance": 80}]',
    )
    answer = desk.asker.items(ASK, Fact)
    assert answer.items == (KILN, Fact("the glaze", 80))
    assert answer.problems == ()
    asked = desk.model.asked[1].user.removeprefix(ASK.user)
    assert '"very"' in asked
    assert "Fridays" not in asked


def test_what_cannot_be_corrected_stays_refused_and_is_kept() -> None:
    desk = Desk('[{"text": "the kiln runs on Fridays"}, {"importance": 3}]', "[]")
    answer = desk.asker.items(ASK, Fact)
    assert answer.items == (KILN,)
    assert [one.item for one in answer.problems] == [2]
    assert len(desk.audit.answers) == 1


def test_when_the_repair_fails_what_was_right_stays() -> None:
    desk = Desk('[{"text": "the kiln runs on Fridays"}, {"te', ModelRefused("no"))
    answer = desk.asker.items(ASK, Fact)
    assert (answer.items, answer.truncated) == ((KILN,), True)
    desk = Desk("prose", ModelRefused("no"))
    with pytest.raises(ModelRefused):
        desk.items()
    assert [one.text for one in desk.audit.answers] == ["prose"]


@pytest.mark.parametrize("echoed", [ASK.user, f"{ASK.system}\n{ASK.user}"])
def test_an_echo_is_no_answer(echoed: str) -> None:
    example = msgspec.structs.replace(ASK, user=f'{ASK.user} Such as: [{{"text": "an example"}}]')
    desk = Desk(echoed.replace(ASK.user, example.user), echoed.replace(ASK.user, example.user))
    with pytest.raises(ModelUnusable, match="repeats the question"):
        desk.asker.items(example, Fact)


def test_an_echo_of_some_lines_is_no_answer_either() -> None:
    told = '{"text": "the kiln, as it was told by Maren on Monday"}'
    ask = msgspec.structs.replace(ASK, user=f"The events:\n{told}\nList the facts.")
    desk = Desk(f"Events:\n\n  {told}\n", '{"items": []}')
    assert desk.asker.items(ask, Fact).items == ()
    assert desk.outcomes == ["unusable", "ok"]


def test_an_echo_before_the_answer_is_passed_over() -> None:
    desk = Desk(f"{ASK.system}\n{ASK.user}\n{ONE}")
    assert desk.items() == (KILN,)


def test_nothing_is_an_answer_when_it_is_said() -> None:
    desk = Desk('{"items": []}')
    assert desk.items() == ()
    assert len(desk.model.asked) == 1


def test_plain_text() -> None:
    desk = Desk("  A quiet day.\n", "", ASK.user)
    assert desk.asker.text(ASK).text == "A quiet day."
    for _ in range(2):
        with pytest.raises(ModelUnusable):
            desk.asker.text(ASK)
    assert desk.outcomes == ["ok", "unusable", "unusable"]
    assert len(desk.audit.answers) == 2


# ── privacy, and where the record goes ──────────────────────────────────────────────────────────


def _asker(model: Doubled, privacy: str, masked: Callable[[Any], Any] | None = None) -> Asker:
    settings = ModelSettings(privacy=privacy)  # type: ignore[arg-type]
    return Asker(model, settings, Collected(), lambda: NOW, masked=masked)


def test_what_is_not_on_this_machine_is_not_asked() -> None:
    for privacy in ("local-only", "masked"):
        with pytest.raises(ModelRefused, match="not on this machine"):
            _asker(Doubled(ONE, local=False), privacy)
    assert _asker(Doubled(ONE, local=False), "open").items(ASK, Fact).items == (KILN,)
    assert _asker(Doubled(ONE), "masked").items(ASK, Fact).items == (KILN,)


def test_a_mask_stands_before_what_is_not_on_this_machine() -> None:
    remote, mask = Doubled(local=False), Doubled(ONE)
    assert _asker(remote, "masked", lambda _: mask).items(ASK, Fact).items == (KILN,)
    assert remote.asked == []
    with pytest.raises(ModelRefused):
        _asker(remote, "local-only", lambda _: mask)


def test_the_record_goes_to_the_store_call_by_call() -> None:
    store = InMemoryStore()
    asker = Asker(
        Doubled("prose", "prose"), OPEN, StoreAudit(store, "alder", 30), lambda: NOW, dream_id="dr7"
    )
    with pytest.raises(ModelUnusable):
        asker.items(ASK, Fact)
    assert [one.dream_id for one in store.model_calls("alder")] == ["dr7", "dr7"]
    assert [one.text for one in store.raw_answers("alder")] == ["prose", "prose"]


def test_the_hash_is_that_of_the_whole_question() -> None:
    same = msgspec.structs.replace(ASK, max_tokens=5)
    assert prompt_hash(same) == prompt_hash(ASK)
    assert prompt_hash(msgspec.structs.replace(ASK, user="a \ud83c b"))
    for other in ({"user": "x"}, {"system": "x"}, {"schema": {"type": "object"}}):
        assert prompt_hash(msgspec.structs.replace(ASK, **other)) != prompt_hash(ASK)
