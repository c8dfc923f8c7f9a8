"""Asking a model during one dream: tries, pauses, budget, audit, one repair, and when to give up.

A transport that fails is tried again after 30, 60 and 90 seconds (N16), or when the server says,
and each pause is told. Where nothing listens from the first question on, none is waited for. A
model that fails question after question is not asked any more in this dream. Whatever happens to a
question, a record of each try is left, and an answer that cannot be used is kept as it came.
"""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec

from slowwave.errors import (
    ModelBusy,
    ModelError,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
    ModelUnusable,
)
from slowwave.model import Ask, ModelCall, Outcome, RawAnswer, Reply, short_id, text_hash
from slowwave.modelling.answers import Parsed, Problem, parse_items
from slowwave.modelling.audit import Audit
from slowwave.modelling.budget import Budget, size_of
from slowwave.modelling.privacy import guarded
from slowwave.modelling.repairing import joined, needs_repair, repair
from slowwave.ports import Clock, LanguageModel
from slowwave.settings import ModelSettings
from slowwave.text.tokens import estimate

if TYPE_CHECKING:
    from tenacity import RetryCallState, Retrying

__all__ = ["Answer", "Asker", "prompt_hash"]

T = TypeVar("T")

PAUSES = (30.0, 60.0, 90.0)
"""Seconds before the second, third and fourth try (N16)."""

JITTER = 0.2
"""Each pause is up to this share longer, so that several do not come back at the same moment."""

LONGEST_PAUSE = 900.0
"""A server that wants a longer one is not waited for in this dream."""

GIVE_UP_AFTER = 3
"""Questions that failed one after the other, each with all its tries."""

_TROUBLE = {ModelTimeout: "took too long", ModelBusy: "has no time now"}

_ECHO = 40
"""Characters from which on a repeated piece of the question is no coincidence."""


def _untold(_words: str) -> None:
    """For one who does not look."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What a model answered, as items. `problems` are those that stayed after the repair.

    `truncated`: the answer was cut, and so was the rest of it when that was asked for: ask about
    less text at once. No item means that the model said there is none. `tokens` is the length of
    all that it said to this.
    """

    items: tuple[T, ...]
    problems: tuple[Problem, ...]
    truncated: bool
    repaired: bool
    model: str
    tokens: int = 0


@dataclass(slots=True)
class _Question:
    """One question with its repair: how often it was tried, and tokens of the answers so far."""

    ask: Ask
    prompt: str
    once: bool = False
    tries: int = 0
    said: int = 0
    raw: list[RawAnswer] = field(default_factory=list)


@dataclass(slots=True)
class Asker:
    """Asks one model during one dream. Not for several threads at once.

    `before` are the calls of this dream that a killed run has made: they count. `sleep` takes
    seconds; `chance` gives 0–1 for the jitter. `masked` wraps a model that is not on this machine
    (`privacy.guarded`). `tell` hears of each pause, in words for people. With `once` nothing is
    tried twice, as somebody waits for it. Raises ModelRefused at once for a model that
    `settings.privacy` does not allow.
    """

    model: LanguageModel
    settings: ModelSettings
    audit: Audit
    now: Clock
    dream_id: str = ""
    before: Sequence[ModelCall] = ()
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random
    masked: Callable[[LanguageModel], LanguageModel] | None = None
    once: bool = False
    tell: Callable[[str], None] = _untold
    budget: Budget = field(init=False)
    _failed: int = field(default=0, init=False)
    _last: ModelError | None = field(default=None, init=False)
    _met: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self.model = guarded(self.model, self.settings.privacy, self.masked)
        self.budget = Budget(self.settings, self.before)

    @property
    def gave_up(self) -> str:
        """Why this dream does not ask the model any more; "" while it does."""
        access = isinstance(self._last, ModelRefused) and self._last.why == "access"
        hopeless = access or self._is_empty(self._last)
        if self._last is not None and (hopeless or self._failed >= GIVE_UP_AFTER):
            return self._last.message
        return ""

    def items(self, ask: Ask, kind: type[T], *, once: bool = False) -> Answer[T]:
        """A list of `kind` (a struct, or `str`). Raises ModelError; ModelUnusable with the answers.

        An answer of which something is missing is asked for once more, for that only. `once` is as
        in `text`.
        """
        ask = self._bounded(ask)
        question = _Question(ask, prompt_hash(ask), once or self.once)
        reply, parsed = self._read(ask, kind, question)
        repaired = needs_repair(parsed)
        if repaired:
            try:
                reply, second = self._read(repair(ask, parsed), kind, question)
            except ModelError:
                if not parsed.usable:
                    self._quarantine(question)
                    raise
            else:
                parsed = joined(parsed, second)
        if needs_repair(parsed):
            self._quarantine(question)
        if not parsed.usable:
            reason = parsed.problems[0].reason
            raise ModelUnusable(
                f"{reply.model} answered twice, and neither answer could be used: {reason}",
                "both are kept in quarantine; a stronger model or a smaller text may do it",
                tuple(one.text for one in question.raw),
            )
        return Answer(
            parsed.items, parsed.problems, parsed.truncated, repaired, reply.model, question.said
        )

    def text(self, ask: Ask, *, once: bool = False) -> Reply:
        """Plain text. Raises ModelError; ModelUnusable for one that is empty or only an echo.

        `once`: what can be done without is not tried again, and waits for no server.
        """
        ask = self._bounded(ask)
        question = _Question(ask, prompt_hash(ask), once or self.once)
        reply = self._reply(ask, question)
        said = without_echo(reply.text, ask).strip()
        self._record(ask, question, reply, "ok" if said else "unusable")
        if not said:
            self._keep_raw(question, ask, reply, "nothing beside the question")
            self._quarantine(question)
            raise ModelUnusable(
                f"{reply.model} answered nothing", "ask again, or another model", (reply.text,)
            )
        return msgspec.structs.replace(reply, text=said)

    def _bounded(self, ask: Ask) -> Ask:
        """The question with an answer no longer than the settings allow."""
        most = min(ask.max_tokens, self.settings.max_answer_tokens)
        return msgspec.structs.replace(ask, max_tokens=most)

    # one question, with its tries

    def _read(self, ask: Ask, kind: type[T], question: _Question) -> tuple[Reply, Parsed[T]]:
        reply = self._reply(ask, question)
        said = without_echo(reply.text, question.ask)
        parsed = parse_items(said, kind, cut=reply.finish == "length")
        if not parsed.usable and said != reply.text:
            echo = Problem(0, "the answer repeats the question")
            parsed = Parsed((), (echo, *parsed.problems), usable=False, truncated=parsed.truncated)
        self._record(ask, question, reply, "ok" if parsed.usable else "unusable")
        if parsed.problems:
            reasons = dict.fromkeys(one.reason for one in parsed.problems)
            self._keep_raw(question, ask, reply, "; ".join(reasons))
        return reply, parsed

    def _reply(self, ask: Ask, question: _Question) -> Reply:
        """An answer by one of the tries, or the error of the last."""
        if self.gave_up:
            raise ModelUnreachable(
                f"the model is not asked any more in this dream: {self.gave_up}",
                self._last.hint if self._last else "",
            )
        try:
            reply = self._retrying(once=question.once)(self._once, ask, question)
        except (ModelUnreachable, ModelBusy, ModelTimeout) as error:
            self._failed += 1
            self._last = error
            raise
        except ModelRefused as error:
            if error.why == "access":
                self._last = error
            raise
        self._failed, self._last = 0, None
        return reply

    def _retrying(self, *, once: bool) -> "Retrying":
        try:
            # An extra: whoever has no model needs none of it.
            from tenacity import Retrying, retry_if_exception, stop_after_attempt  # noqa: PLC0415
        except ImportError as error:
            raise ModelError(
                "a model is set, but not all that speaks to models is installed",
                'install it: pip install "slowwave[model]"',
            ) from error
        # A server that was not there a moment ago gets no pauses: they would only add up.
        gone = isinstance(self._last, ModelUnreachable)
        tries = 1 if once or gone else len(PAUSES) + 1
        return Retrying(
            stop=stop_after_attempt(tries),
            wait=self._pause,
            retry=retry_if_exception(lambda error: _passing(error) and not self._is_empty(error)),
            before_sleep=self._told,
            sleep=self.sleep,
            reraise=True,
        )

    def _once(self, ask: Ask, question: _Question) -> Reply:
        """One try. What is answered is recorded when it was read; what fails, here."""
        size = size_of(ask)
        self.budget.require(ask, size)
        question.tries += 1
        began = time.monotonic()
        try:
            reply = self.model.complete(ask)
        except ModelError as error:
            self._met = self._met or not _is_nobody(error)
            ms = (time.monotonic() - began) * 1_000
            # A server that took the question and never answered has most likely counted it.
            used = size if isinstance(error, ModelTimeout) else 0
            missing = Reply(text="", tokens_in=used, ms=ms, model=self.model.name)
            self._record(ask, question, missing, _outcome(error))
            raise
        self._met = True
        return reply

    def _is_empty(self, error: BaseException | None) -> bool:
        """Whether nothing listens on this machine, and nothing did since this dream began."""
        return not self._met and _is_nobody(error)

    def _told(self, state: "RetryCallState") -> None:
        """Tells of a pause: minutes in which nothing is seen to happen look like a fault."""
        error = state.outcome.exception() if state.outcome else None
        trouble = _TROUBLE.get(type(error), "does not answer")
        self.tell(
            f"the model {trouble}: trying again in {state.upcoming_sleep:.0f} s "
            f"({state.attempt_number} of {len(PAUSES)}); Ctrl-C stops, nothing is lost"
        )

    def _pause(self, state: "RetryCallState") -> float:
        error = state.outcome.exception() if state.outcome else None
        pause = PAUSES[min(state.attempt_number, len(PAUSES)) - 1]
        if isinstance(error, ModelBusy) and error.retry_after is not None:
            pause = max(0.0, error.retry_after)
        return pause * (1 + JITTER * self.chance())

    # the record

    def _record(self, ask: Ask, question: _Question, reply: Reply, outcome: Outcome) -> None:
        tokens_in, tokens_out = reply.tokens_in, reply.tokens_out
        if outcome in ("ok", "unusable"):
            tokens_in = tokens_in or size_of(ask)
            tokens_out = tokens_out or estimate(reply.text)
            question.said += tokens_out
        self.audit.call(
            ModelCall(
                ts=self.now(),
                purpose=ask.purpose,
                prompt=question.prompt,
                model=reply.model or self.model.name,
                outcome=outcome,
                attempt=question.tries,
                tokens_in=tokens_in,
                tokens_out=tokens_out,
                ms=round(reply.ms, 1),
                cost=self.budget.charge(tokens_in, tokens_out),
                dream_id=self.dream_id,
            )
        )

    def _keep_raw(self, question: _Question, ask: Ask, reply: Reply, reason: str) -> None:
        ts = self.now()
        question.raw.append(
            RawAnswer(
                id=short_id(
                    "ra", question.prompt, self.dream_id, f"{ts.isoformat()}/{question.tries}"
                ),
                ts=ts,
                purpose=ask.purpose,
                prompt=question.prompt,
                model=reply.model or self.model.name,
                text=reply.text,
                reason=reason,
                dream_id=self.dream_id,
            )
        )

    def _quarantine(self, question: _Question) -> None:
        for answer in question.raw:
            self.audit.unusable(answer)


def prompt_hash(ask: Ask) -> str:
    """The same for the same question, whoever asks it: how often was it tried, over all runs?"""
    schema = msgspec.json.encode(ask.schema, order="deterministic").decode()
    return text_hash("\x1f".join((ask.purpose, ask.system, ask.user, schema)))


def without_echo(text: str, ask: Ask) -> str:
    """An answer without what it repeats of the question, whole or by its longer lines."""
    for piece in sorted((ask.system.strip(), ask.user.strip()), key=len, reverse=True):
        if len(piece) >= _ECHO:
            text = text.replace(piece, "")
    asked = {line.strip() for line in f"{ask.system}\n{ask.user}".splitlines()}
    lines = text.splitlines(keepends=True)
    kept = [line for line in lines if len(line) < _ECHO or line.strip() not in asked]
    return text if len(kept) == len(lines) else "".join(kept)


def _passing(error: BaseException) -> bool:
    """Whether the same question may be answered a little later."""
    if isinstance(error, ModelBusy):
        return error.retry_after is None or error.retry_after <= LONGEST_PAUSE
    return isinstance(error, ModelUnreachable | ModelTimeout)


def _is_nobody(error: BaseException | None) -> bool:
    return isinstance(error, ModelUnreachable) and error.nobody


def _outcome(error: ModelError) -> Outcome:
    match error:
        case ModelUnreachable():
            return "unreachable"
        case ModelBusy():
            return "busy"
        case ModelTimeout():
            return "timeout"
        case _:
            return "refused"
