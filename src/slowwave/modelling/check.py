"""`slowwave model check`: is the model there, may it be asked, and what can it do?"""

import msgspec

from slowwave.errors import ModelBusy, ModelRefused
from slowwave.model import Ask, Privacy
from slowwave.modelling.answers import parse_items
from slowwave.modelling.privacy import guarded
from slowwave.modelling.schema import list_schema
from slowwave.ports import ModelServer

__all__ = ["ModelCheck", "check"]


class Ready(msgspec.Struct, frozen=True):
    """The item of the smallest answer."""

    word: str


QUESTION = Ask(
    purpose="distill",
    system="This is a test of the connection. Answer in JSON.",
    user='Answer with exactly one item, whose word is "ready".',
    schema=list_schema(Ready),
    max_tokens=1_000,
    temperature=0.0,
)
"""Room for a model that thinks aloud before it answers."""


class ModelCheck(msgspec.Struct, frozen=True, kw_only=True):
    """What a check found.

    `format` is how the server can be held to JSON: `json_schema`, `json_object` or `text`. `ok`:
    its answer could be read; else `problem` says why not. `listed`: the server names this model.
    """

    ok: bool
    model: str
    answered_by: str
    address: str
    local: bool
    privacy: Privacy
    models: tuple[str, ...]
    listed: bool
    format: str
    ms: float
    tokens_in: int
    tokens_out: int
    problem: str = ""


def check(server: ModelServer, privacy: Privacy) -> ModelCheck:
    """Asks a server for its models and for one tiny answer; sends nothing that is anybody's.

    Tries once. Raises ModelError with what to do; ModelRefused before anything is sent to a server
    that is elsewhere under `local-only`.
    """
    if not (privacy == "masked" and not server.local):
        guarded(server, privacy)  # with masks the question, which holds nothing, may go
    reply = server.complete(QUESTION)
    models = _models(server)
    parsed = parse_items(reply.text, Ready, cut=reply.finish == "length")
    ok = parsed.usable and bool(parsed.items)
    problem = "" if ok else "; ".join(dict.fromkeys(one.reason for one in parsed.problems))
    return ModelCheck(
        ok=ok,
        model=server.name,
        answered_by=reply.model,
        address=server.shown,
        local=server.local,
        privacy=privacy,
        models=models,
        listed=server.name in models,
        format=server.mode,
        ms=round(reply.ms, 1),
        tokens_in=reply.tokens_in,
        tokens_out=reply.tokens_out,
        problem=problem or ("" if ok else "no item in the answer"),
    )


def _models(server: ModelServer) -> tuple[str, ...]:
    """The models of a server that has answered already; none where it does not tell."""
    try:
        return tuple(server.models())
    except (ModelRefused, ModelBusy):
        return ()
