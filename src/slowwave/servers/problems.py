"""Errors as problem+json (RFC 9457): what happened, what to do next, never a traceback."""

from collections.abc import Mapping
from http import HTTPStatus

import msgspec

from slowwave import errors
from slowwave.errors import SlowwaveError

MEDIA_TYPE = "application/problem+json"


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a client is told: `type` names the kind, `detail` what happened, `hint` what to do."""

    type: str
    title: str
    status: int
    detail: str = ""
    hint: str = ""


class Refused(SlowwaveError):
    """The server itself will not: `status` says which kind of no it is."""

    def __init__(self, status: int, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.status = status


class NoToken(Refused):
    """Nobody knows who asks."""

    def __init__(self, message: str = "a token is needed") -> None:
        hint = "send `Authorization: Bearer TOKEN`; `slowwave token add` makes one"
        super().__init__(401, message, hint)


class NotAllowed(Refused):
    """It is known who asks, and this is not open to them."""

    def __init__(self, message: str, hint: str = "use a token with that scope and space") -> None:
        super().__init__(403, message, hint)


STATUS: Mapping[type[SlowwaveError], int] = {
    errors.NotFound: 404,
    errors.UsageError: 422,
    errors.InputError: 422,
    errors.AlreadyDecided: 409,
    errors.StalePlan: 409,
    errors.DreamError: 409,
    errors.StoreBusy: 503,
    errors.DiskFull: 507,
    errors.ModelError: 502,
    errors.EmbedderError: 503,
}
"""The status of each kind of error; what is none of these is 500."""


def status_of(error: SlowwaveError) -> int:
    """The HTTP status of an error: that of its nearest kind."""
    if isinstance(error, Refused):
        return error.status
    for kind in type(error).__mro__:
        if kind in STATUS:
            return STATUS[kind]
    return 500


def problem_of(error: SlowwaveError) -> Problem:
    """What is told of an error."""
    status = status_of(error)
    return Problem(
        type=f"urn:slowwave:error:{type(error).__name__}",
        title=HTTPStatus(status).phrase,
        status=status,
        detail=error.message,
        hint=error.hint,
    )
