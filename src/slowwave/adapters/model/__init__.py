"""Language models behind `ports.LanguageModel`: any server that speaks the OpenAI protocol."""

from slowwave.adapters.model.address import Address, address_of
from slowwave.adapters.model.openai import OpenAIModel, available
from slowwave.errors import SettingsError

__all__ = ["Address", "OpenAIModel", "address_of", "available", "server_of"]


def server_of(
    base_url: str,
    name: str,
    api_key: str,
    waits: tuple[float, float],
    *,
    lookup: bool = True,
) -> OpenAIModel:
    """The model of that name on a server; connects to nothing.

    `waits` are the seconds for an answer and for a connection. `lookup`: other machines may be
    asked where the server is (`address_of`). Raises SettingsError for an address
    that is none, and where address or name are missing.
    """
    if not base_url:
        raise SettingsError(
            "no model is set: Slowwave dreams by its rules",
            'set base_url (such as "http://localhost:11434/v1") and name under [model] in '
            "slowwave.toml",
        )
    if not name:
        raise SettingsError(
            "model.base_url is set, but not which model to ask", "set name under [model] as well"
        )
    timeout, connecting = waits
    return OpenAIModel(
        address_of(base_url, lookup=lookup),
        name,
        api_key=api_key,
        timeout=timeout,
        connect_timeout=connecting,
    )
