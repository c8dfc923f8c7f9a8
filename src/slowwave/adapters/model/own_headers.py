"""Only our own headers leave with a question.

The SDK adds what the environment holds for the service that it was made for: an organisation, a
project, headers of anybody's choice. None of that is for the server that a user has set for us.
"""

import os
from collections.abc import Callable
from typing import Any

__all__ = ["hook"]

_OF_THE_SERVICE = ("openai-organization", "openai-project")
_CHOSEN = "OPENAI_CUSTOM_HEADERS"


def hook(key: str, host: str) -> Callable[[Any], None]:
    """A request hook of the HTTP library.

    `host` is the name that the server is told, if another than that of its address.
    """
    ours = {"authorization": f"Bearer {key}", **({"host": host} if host else {})}

    def clean(request: Any) -> None:
        for name in _OF_THE_SERVICE:
            request.headers.pop(name, None)
        for line in os.environ.get(_CHOSEN, "").splitlines():
            name, _, value = (part.strip() for part in line.partition(":"))
            if name and request.headers.get(name) == value:
                del request.headers[name]
                if name.lower() in ours:
                    request.headers[name] = ours[name.lower()]

    return clean
