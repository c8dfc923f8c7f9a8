"""A dream as other programs know it: the shape of Anthropic's Dreams API, as far as it maps.

A memory store is a space. The dream's result is not another store but a plan of the same space, to
be read and applied: its store id is `SPACE@DREAM`. What does not map is refused, not passed over.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Literal

import msgspec

from slowwave.errors import SlowwaveError, UsageError
from slowwave.memory import SlowMemory
from slowwave.model import Dream, DreamStatus, ModelCall
from slowwave.servers.rest.jobs import Job, State
from slowwave.servers.rest.reading import Name

__all__ = [
    "DreamJob", "DreamJobs", "Input", "ModelNamed", "OutputBehavior", "SessionsInput",
    "StoreInput", "asked_of", "of_dream", "of_job", "usage_by_dream",
]  # fmt: skip

RULES = "rules"
"""The name of the model that is none."""


class StoreInput(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True,
                 tag_field="type", tag="memory_store"):  # fmt: skip
    """The memory to dream about: the name of the space."""

    memory_store_id: Name


class SessionsInput(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True,
                    tag_field="type", tag="sessions"):  # fmt: skip
    """The conversations to read."""

    session_ids: Annotated[tuple[Name, ...], msgspec.Meta(min_length=1, max_length=100)]


Input = StoreInput | SessionsInput


class ModelNamed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What dreams: the name of the model of the settings, or `rules` for none."""

    id: Name
    speed: Literal["standard"] | None = None


class OutputBehavior(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`create_new`: a plan to be reviewed. `update_existing`: it is applied at once."""

    type: Literal["create_new", "update_existing"] = "create_new"


class Output(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="memory_store"):
    """The result: `SPACE@DREAM`, the space as the plan of that dream makes it."""

    memory_store_id: str


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens of the model; nothing is cached."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0


class DreamError(msgspec.Struct, frozen=True, kw_only=True):
    """Why it failed."""

    type: str
    message: str


class DreamJob(msgspec.Struct, frozen=True, kw_only=True):
    """A dream as a job. `dream` is what came of it in our own words: the plan, or what was done.

    `instructions`, `session_id` are always null.
    """

    id: str
    type: Literal["dream"] = "dream"
    status: State
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    model: ModelNamed
    instructions: None = None
    output_behavior: OutputBehavior
    session_id: None = None
    usage: Usage
    error: DreamError | None
    created_at: datetime
    ended_at: datetime | None
    archived_at: datetime | None = None
    dream: Dream | None = None


class DreamJobs(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the list of dreams as jobs."""

    data: Sequence[DreamJob]
    next_page: str | None


STATES: Mapping[DreamStatus, State] = {
    "planned": "completed", "approved": "completed", "applied": "completed",
    "rolled_back": "completed", "nothing_to_do": "completed", "refused": "failed",
    "rejected": "canceled",
}  # fmt: skip


def asked_of(
    memory: SlowMemory, inputs: Sequence[Input], model: str | ModelNamed | None
) -> Literal["rules", "llm"] | None:
    """Who distils a dream that was asked for so. Raises UsageError for what does not map."""
    stores = [one.memory_store_id for one in inputs if isinstance(one, StoreInput)]
    if stores != [memory.space]:
        # Whether there is another space of that name is none of the caller's business.
        raise UsageError("the memory store is not this space",
                         f"give one memory_store, {memory.space!r}; a token or ?space= says which "
                         "space a request is about")  # fmt: skip
    if sum(isinstance(one, SessionsInput) for one in inputs) > 1:
        raise UsageError("sessions are given twice", "give one list of them")
    named = model.id if isinstance(model, ModelNamed) else model
    known = memory.parts.settings.model.name if memory.parts.settings.model.base_url else ""
    if named is None:
        return None
    if named == RULES:
        return "rules"
    if named != known or not known:
        names = " or ".join(filter(None, (known, RULES)))
        raise UsageError(f"{named[:60]!r} is not the model of this server", f"use {names}")
    return "llm"


def usage_by_dream(calls: Iterable[ModelCall]) -> dict[str, Usage]:
    """What each dream took of the model."""
    found: dict[str, Usage] = {}
    for call in calls:
        one = found.get(call.dream_id, Usage())
        found[call.dream_id] = Usage(
            input_tokens=one.input_tokens + call.tokens_in,
            output_tokens=one.output_tokens + call.tokens_out,
        )
    return found


def of_job(job: Job, usage: Mapping[str, Usage], *, whole: bool = True) -> DreamJob:
    """A job that was started here; not `whole`: without the plan."""
    asked = job.asked
    made = job.made if isinstance(job.made, Dream) else None
    named = getattr(asked, "model", None)
    model = named if isinstance(named, ModelNamed) else ModelNamed(id=named or _model(made))
    return DreamJob(
        id=job.id, status=job.state,
        inputs=getattr(asked, "inputs", None) or (StoreInput(memory_store_id=job.space),),
        outputs=_outputs(made), model=model,
        output_behavior=getattr(asked, "output_behavior", None) or _behavior(made),
        usage=usage.get(made.dream_id, Usage()) if made else Usage(),
        error=_error(job.error), created_at=job.created, ended_at=job.ended,
        archived_at=job.archived, dream=made if whole else None,
    )  # fmt: skip


def of_dream(dream: Dream, usage: Mapping[str, Usage], *, whole: bool = True) -> DreamJob:
    """A dream of the ledger, however it came there."""
    state = STATES[dream.status]
    why = "; ".join(gate.detail for gate in dream.gates if not gate.ok) or dream.reason
    return DreamJob(
        id=dream.dream_id, status=state, inputs=(StoreInput(memory_store_id=dream.space),),
        outputs=_outputs(dream), model=ModelNamed(id=_model(dream)),
        output_behavior=_behavior(dream), usage=usage.get(dream.dream_id, Usage()),
        error=DreamError(type="refused", message=why) if state == "failed" else None,
        created_at=dream.run_at, ended_at=dream.run_at, dream=dream if whole else None,
    )  # fmt: skip


def _outputs(made: Dream | None) -> tuple[Output, ...]:
    if made is None or made.mode == "dry_run" or made.status == "nothing_to_do":
        return ()
    return (Output(memory_store_id=f"{made.space}@{made.dream_id}"),)


def _model(made: Dream | None) -> str:
    return made.model_used if made else RULES


def _behavior(made: Dream | None) -> OutputBehavior:
    applied = made is not None and made.mode == "apply"
    return OutputBehavior(type="update_existing" if applied else "create_new")


def _error(error: SlowwaveError | None) -> DreamError | None:
    return DreamError(type=type(error).__name__, message=error.message) if error else None
