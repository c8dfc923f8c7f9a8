"""Each thing that is said is logged once, whatever a client makes of its history."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.memory import SlowMemory
from slowwave.servers.proxy.pieces import Piece
from slowwave.servers.proxy.talks import CUT_OFF, Into, Talks, Who
from slowwave.wiring import Options, open_memory

Turn = tuple[str, str]


class Spaces:
    """Spaces without a disk: there are many of them here."""

    def __init__(self, home: Path) -> None:
        self._home = home

    def memory(self, name: str) -> SlowMemory:
        options = Options(home=str(self._home), tz="UTC", space=name)
        return open_memory(options, {"SLOWWAVE_EMBEDDER": "none"}, store=InMemoryStore())


@pytest.fixture(scope="module")
def spaces(tmp_path_factory: pytest.TempPathFactory) -> Spaces:
    return Spaces(tmp_path_factory.mktemp("talks"))


NUMBER = iter(range(10**9))


class Client:
    """One who talks through the proxy, and keeps a history of his own."""

    def __init__(self, memory: SlowMemory, who: Who) -> None:
        self.memory, self.who = memory, who
        self.talks = Talks(memory)
        self.history: list[Turn] = []
        self.said: list[Turn] = []
        self.sessions: set[str] = set()
        self.minutes = 0
        self.answers: set[str] = set()

    def send(self, answer: str | None, cut: str = "") -> None:
        """Sends the history; the answer (None: none came) goes into it."""
        now = self.memory.now() + timedelta(minutes=self.minutes)
        pieces = [_piece(one) for one in self.history]
        session = self.talks.find(self.who, pieces, now).session
        self.sessions.add(session)
        into = Into(self.who, session)
        place, _ = self.talks.log(into, pieces, now)
        if answer is not None:
            self.talks.answer(into._replace(cut=cut), place, [_piece(("assistant", answer))], now)

    def say(self, words: str, answer: str | None) -> None:
        self.history.append(("user", words))
        self.said.append(("user", words))
        self.send(answer)
        self.answers = {answer or ""}
        if answer is not None:
            self.said.append(("assistant", answer))
            self.history.append(("assistant", answer))

    def again(self, answer: str) -> None:
        """The last question once more, without its answer; the same answer to it is said once."""
        if not any(role == "user" for role, _ in self.history):
            return
        if self.history[-1][0] == "assistant":
            self.history.pop()
        self.send(answer)
        if answer not in self.answers:
            self.said.append(("assistant", answer))
        self.answers.add(answer)
        self.history.append(("assistant", answer))

    def restart(self) -> None:
        self.talks = Talks(self.memory)

    def logged(self) -> list[Turn]:
        return [(one.role, one.text) for one in self.memory.events_since(0)]


def _piece(one: Turn) -> Piece:
    return Piece("user" if one[0] == "user" else "assistant", "message", one[1])


def client(spaces: Spaces, session: str = "") -> Client:
    return Client(spaces.memory(f"space-{next(NUMBER)}"), Who(session))


WORDS = st.sampled_from(["yes", "no", "go on", "and then?", "why do you think so, after all?"])
ANSWERS = st.sampled_from(
    ["ok", "Because of the weather.", "Done.", "Shall I go on with it, then?"]
)
ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("say"), WORDS, ANSWERS),
        st.tuples(st.just("again"), WORDS, ANSWERS),
        st.tuples(st.just("restart"), WORDS, ANSWERS),
        st.tuples(st.just("fail"), WORDS, ANSWERS),
        st.tuples(st.just("retry"), WORDS, ANSWERS),
    ),
    max_size=14,
)  # fmt: skip


@given(ACTS, st.booleans())
@settings(max_examples=40, deadline=None)
def test_whole_histories_with_words_that_come_again(
    spaces: Spaces, acts: Sequence[tuple[str, str, str]], named: bool
) -> None:
    one = client(spaces, "s" if named else "")
    for act, words, answer in acts:
        match act:
            case "say":
                one.say(words, answer)
            case "again":
                one.again(answer + " Or rather not.")
            case "restart":
                one.restart()
            case "fail":
                one.say(words, None)
            case "retry" if one.history and one.history[-1][0] == "user":
                one.send(None)
    assert sorted(one.logged()) == sorted(one.said)
    assert len(one.sessions) <= 1


CHANGES = st.lists(
    st.one_of(
        st.tuples(st.just("say"), st.integers(0, 9)),
        st.tuples(st.just("say"), st.integers(0, 9)),
        st.tuples(st.just("trim"), st.integers(1, 6)),
        st.tuples(st.just("edit"), st.integers(0, 9)),
        st.tuples(st.just("sum up"), st.integers(2, 6)),
        st.tuples(st.just("space out"), st.integers(0, 9)),
        st.tuples(st.just("again"), st.integers(0, 9)),
        st.tuples(st.just("restart"), st.integers(0, 9)),
        st.tuples(st.just("later"), st.integers(0, 9)),
        st.tuples(st.just("rewrite"), st.integers(0, 9)),
    ),
    max_size=20,
)  # fmt: skip


def change(history: list[Turn], act: str, number: int, mark: str) -> list[Turn]:
    """What a client makes of its history; two answers stay, or nobody could tell."""
    answers = [at for at, turn in enumerate(history) if turn[0] == "assistant"]
    if len(answers) < 2:
        return history
    last = answers[-1]
    match act:
        case "trim":
            return history[min(number, answers[-2]) :]
        case "sum up":
            return [("user", f"[summary {mark}]"), *history[min(number, answers[-2]) :]]
        case "edit":
            # Not the last question: asked in another way that would be a new one.
            place = number % (last - 1)
            role, text = history[place]
            edited = ("user", f"edited {mark}") if role == "user" else (role, text)
            return [*history[:place], edited, *history[place + 1 :]]
        case "space out":
            text = f"  {history[last][1].replace(' ', '  ')}\n"
            return [*history[:last], ("assistant", text), *history[last + 1 :]]
    return [*history[:last], ("assistant", f"rewritten {mark}"), *history[last + 1 :]]


@given(CHANGES, st.booleans())
@settings(max_examples=40, deadline=None)
def test_histories_that_are_trimmed_edited_and_summed_up(
    spaces: Spaces, changes: Sequence[tuple[str, int]], named: bool
) -> None:
    one = client(spaces, "s" if named else "")
    for at, (act, number) in enumerate(changes):
        match act:
            case "say" | "later":
                # An answer that is asked for again an hour later may be to a new question.
                one.minutes += 60 * (act == "later")
                one.say(f"question {at} about the garden", f"answer {at}: dig, then wait a while")
            case "again":
                one.again(f"another answer {at}")
            case "restart":
                one.restart()
            case _:
                one.history = change(one.history, act, number, str(at))
    assert sorted(one.logged()) == sorted(one.said)


@given(st.lists(st.tuples(st.integers(0, 2), st.booleans()), max_size=14))
@settings(max_examples=40, deadline=None)
def test_conversations_in_one_space_stay_apart(
    spaces: Spaces, turns: Sequence[tuple[int, bool]]
) -> None:
    memory = spaces.memory(f"space-{next(NUMBER)}")
    talks = Talks(memory)
    people = [Client(memory, Who()) for _ in range(3)]
    for at, (number, restart) in enumerate(turns):
        one = people[number]
        talks = Talks(memory) if restart else talks
        one.talks = talks
        # The second questions and all short answers are the same words in each.
        words = f"I am number {number}" if not one.history else f"and {len(one.history)}?"
        one.say(words, "ok" if at % 2 else f"well, number {number}, here is what I think")
    logged = people[0].logged()
    assert sorted(logged) == sorted(turn for one in people for turn in one.said)
    assert all(len(one.sessions) <= 1 for one in people)
    assert len({name for one in people for name in one.sessions}) == sum(
        bool(one.history) for one in people
    )


def test_the_same_words_in_two_named_sessions_are_two(spaces: Spaces) -> None:
    memory = spaces.memory("two")
    talks = Talks(memory)
    for session in ("mine", "yours"):
        one = Client(memory, Who(session))
        one.talks = talks
        one.say("good morning", "morning!")
        one.say("anything new?", "nothing")
    events = list(memory.events_since(0))
    assert len(events) == 8
    assert [one.session for one in events] == ["mine"] * 4 + ["yours"] * 4


def test_the_same_beginning_on_another_day_is_another_conversation(spaces: Spaces) -> None:
    memory = spaces.memory("days")
    for day in range(3):
        one = Client(memory, Who())
        one.minutes = day * 24 * 60
        one.say("hello", "Hello! What can I do?")
        one.restart()
        one.say(f"something for day {day}", "Done.")
        one.say("thanks", "Always.")
        assert len(one.sessions) == 1
    events = list(memory.events_since(0))
    assert len(events) == 18
    assert len({one.session for one in events}) == 3


def test_other_clients_and_users_are_told_apart(spaces: Spaces) -> None:
    memory = spaces.memory("clients")
    talks = Talks(memory)
    for who in (Who(narrower="ann"), Who(narrower="ben"), Who(channel="phone")):
        one = Client(memory, who)
        one.talks = talks
        one.say("hello", "Hello!")
    assert len({event.session for event in memory.events_since(0)}) == 3


@pytest.mark.parametrize("kept", ["I would pl", "I would plant the beans in May, and the"])
def test_what_a_client_kept_of_a_cut_answer_is_no_new_one(spaces: Spaces, kept: str) -> None:
    for restart in (False, True):
        one = client(spaces, "cut")
        one.history.append(("user", "when do I plant beans?"))
        one.send("I would plant the beans in May", cut="client gone")
        if restart:
            one.restart()
        one.history.append(("assistant", kept))
        one.say("and peas?", "In March.")
        texts = [event.text for event in one.memory.events_since(0)]
        assert texts == ["when do I plant beans?", "I would plant the beans in May", "and peas?",
                         "In March."]  # fmt: skip
        assert [CUT_OFF in event.meta for event in one.memory.events_since(0)] == [
            False, True, False, False,
        ]  # fmt: skip


def test_an_answer_that_was_not_logged_is_found_in_the_history(spaces: Spaces) -> None:
    one = client(spaces, "lost")
    one.history = [("user", "where is the key?")]
    one.send(None)
    one.history += [("assistant", "under the mat"), ("user", "thanks")]
    one.send("welcome")
    assert [text for _, text in one.logged()] == [
        "where is the key?", "under the mat", "thanks", "welcome",
    ]  # fmt: skip


def test_a_history_from_before_comes_in_once(spaces: Spaces) -> None:
    one = client(spaces, "before")
    one.history = [("user", "a"), ("assistant", "b"), ("user", "c"), ("assistant", "d")]
    one.say("e", "f")
    one.restart()
    one.say("g", "h")
    assert [text for _, text in one.logged()] == list("abcdefgh")


def test_tools_that_say_the_same_again(spaces: Spaces) -> None:
    memory = spaces.memory("tools")
    talks = Talks(memory)
    call = Piece("assistant", "tool_call", 'poll {"job": 7}', "poll")
    waiting = Piece("tool", "tool_result", "pending", "poll")
    pieces = [Piece("user", "message", "is it ready?")]
    into = Into(Who("t"), "t")
    for _ in range(4):
        place, _ = talks.log(into, pieces, memory.now())
        talks.answer(into, place, [call], memory.now())
        # Clients write the arguments anew.
        pieces += [call._replace(text='poll {"job":7}'), waiting]
    talks.log(into, pieces, memory.now())
    kinds = [event.kind for event in memory.events_since(0)]
    assert kinds == ["message", *["tool_call", "tool_result"] * 4]


def test_what_is_kept_in_the_process_is_bounded(
    spaces: Spaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("slowwave.servers.proxy.talks.MOST_PIECES", 6)
    memory = spaces.memory("bounded")
    talks = Talks(memory)
    people = [Client(memory, Who(f"s{n}")) for n in range(4)]
    for turn in range(3):
        for number, one in enumerate(people):
            one.talks = talks
            one.say(f"turn {turn} of {number}", f"answer {turn} to {number}")
    assert talks._pieces <= 6 + 4
    assert sorted(people[0].logged()) == sorted(turn for one in people for turn in one.said)
