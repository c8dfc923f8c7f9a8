"""Failures as clients of this protocol read them: `{"error": {"message", "type", "code"}}`.

The members of problem+json stand beside `error`, so that whoever reads those is served as well.
"""

import httpx
import msgspec

from slowwave.answers.encoding import encoded
from slowwave.errors import SlowwaveError
from slowwave.servers.problems import Refused, problem_of, status_of

__all__ = ["Loop", "UpstreamFailed", "body_of", "broken", "failed", "status_of"]


class UpstreamFailed(Refused):
    """No answer came from upstream."""

    def __init__(self, status: int, code: str, message: str, hint: str = "") -> None:
        super().__init__(status, message, hint)
        self.code = code


class Loop(UpstreamFailed):
    """The request was sent by this server itself."""

    def __init__(self) -> None:
        super().__init__(
            508, "loop", "the proxy's upstream is this server itself",
            "set base_url in [server.proxy] to the server of the model",
        )  # fmt: skip


def body_of(error: SlowwaveError) -> bytes:
    """An error as it is sent."""
    problem = msgspec.to_builtins(problem_of(error))
    status = status_of(error)
    kind = "invalid_request_error" if status < 500 else "slowwave_proxy_error"
    if status == 401:
        kind = "authentication_error"
    code = error.code if isinstance(error, UpstreamFailed) else type(error).__name__
    words = f"{error.message}: {error.hint}" if error.hint else error.message
    told = {"message": words, "type": kind, "param": None, "code": code}
    return encoded({**problem, "error": told})


def failed(error: httpx.HTTPError | httpx.InvalidURL, shown: str, seconds: float) -> UpstreamFailed:
    """Why nothing came from upstream. What the library says may hold an address with a login."""
    match error:
        case httpx.ConnectTimeout():
            return UpstreamFailed(504, "upstream_timeout", f"{shown} cannot be reached in time")
        case httpx.TimeoutException():
            return UpstreamFailed(
                504, "upstream_timeout", f"{shown} did not answer within {seconds:g} s",
                "raise timeout in [server.proxy]",
            )  # fmt: skip
        case httpx.ConnectError():
            return UpstreamFailed(
                502, "upstream_unreachable", f"nothing answers at {shown}",
                "start the model's server, or correct base_url in [server.proxy] or [model]",
            )  # fmt: skip
        case _:
            return UpstreamFailed(
                502, "upstream_broken", f"{shown} broke the connection before it answered"
            )


def broken(shown: str) -> bytes:
    """The last event of a stream that broke, after what came of it."""
    error = UpstreamFailed(502, "stream_broken", f"{shown} broke off in the middle of its answer")
    told = {"message": error.message, "type": "slowwave_proxy_error", "param": None,
            "code": error.code}  # fmt: skip
    return b"data: " + msgspec.json.encode({"error": told}) + b"\n\n"
