"""`ports.LanguageModel` over the `openai` SDK, for any server that speaks the protocol.

Ollama, llama.cpp, vLLM, LM Studio, DashScope, OpenAI …: they differ in how they hold a model to a
schema and in what they call the limit of an answer. What a server refuses is asked for in the next
way, and the way that worked is remembered. Tries once: pauses and retries are the core's.
"""

import importlib
import importlib.util
import time
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from slowwave.adapters.model import deadline, own_headers, refusals
from slowwave.adapters.model.address import Address
from slowwave.adapters.model.plain import plain
from slowwave.adapters.model.reasoning import without_reasoning
from slowwave.errors import ModelBusy, ModelError, ModelRefused
from slowwave.model import Ask, Reply

if TYPE_CHECKING:
    from openai import OpenAI

PACKAGE = "openai"

MODES = ("json_schema", "json_object", "text")
"""Ways to ask for JSON, the strictest first."""

ELSEWHERE = (":cloud", "-cloud")
"""Names of models that Ollama, on this machine, asks of another one."""

LONGEST = 500_000
"""Characters of an answer that are read; none that was asked for is as long."""
_SHOWN = 120

_UNREADABLE = (ValueError, TypeError, AttributeError, LookupError, RecursionError)
"""What the SDK raises on an answer of another shape than it expects."""

_IN_WORDS = "Answer with one JSON object and nothing else. It must fit this JSON schema:\n"


def available() -> bool:
    """Whether the package is installed. Loads nothing."""
    return importlib.util.find_spec(PACKAGE) is not None


class OpenAIModel:
    """One model of one server. Nothing is loaded or connected before the first question.

    A server on this machine is reached directly, whatever proxies the environment names, and no
    redirect is followed. `timeout` is the seconds between a question and its answer.
    """

    def __init__(
        self,
        address: Address,
        name: str,
        *,
        api_key: str = "",
        timeout: float = 300.0,
        connect_timeout: float = 10.0,
    ) -> None:
        self.address = address
        self._name = name
        self._key = api_key
        self._timeout = timeout
        self._connect_timeout = connect_timeout
        self._mode = 0
        self._limit = "max_tokens"
        self._temperature = True
        self._thinking = True

    @property
    def name(self) -> str:
        """The model as its server calls it."""
        return self._name

    @property
    def local(self) -> bool:
        """Whether the model is on this machine, and not only the server that passes us on."""
        return self.address.local and not self._name.endswith(ELSEWHERE)

    @property
    def shown(self) -> str:
        """The server's address, without a login."""
        return self.address.shown

    @property
    def mode(self) -> str:
        """How JSON is asked for: `json_schema` until the server refused it."""
        return MODES[self._mode]

    def complete(self, ask: Ask) -> Reply:
        """One answer. Raises ModelError: see `refusals`."""
        client = self._client  # loading it is no part of the call
        began = time.perf_counter()
        answer = self._answered(client, ask)
        ms = (time.perf_counter() - began) * 1_000
        return _reply(answer, self._name, ms)

    def models(self) -> list[str]:
        """The models that the server has. Raises ModelError."""
        client = self._client
        try:
            return [str(one.id) for one in client.models.list().data or ()]
        except (self._sdk.OpenAIError, *_UNREADABLE) as error:
            raise self._translated(error, "") from error

    def _answered(self, client: "OpenAI", ask: Ask) -> Any:
        """What the server answers, asked in the first way that it takes."""
        mode = self._mode
        while True:
            try:
                answer = client.chat.completions.create(**self._request(ask, mode))
            except self._sdk.APIStatusError as error:
                change = refusals.objection(error, self._so_far)
                if change == "limit":
                    self._limit = "max_completion_tokens"
                elif change == "temperature":
                    self._temperature = False
                elif change == "thinking":
                    self._thinking = False
                elif change == "format" and ask.schema is not None and mode + 1 < len(MODES):
                    mode += 1
                else:
                    raise self._translated(error, ask.system + "\n" + ask.user) from error
            except (self._sdk.OpenAIError, *_UNREADABLE) as error:
                raise self._translated(error, ask.system + "\n" + ask.user) from error
            else:
                if ask.schema is not None:
                    self._mode = mode
                return answer

    def _request(self, ask: Ask, mode: int) -> dict[str, Any]:
        request: dict[str, Any] = {"model": self._name, self._limit: ask.max_tokens}
        if self._temperature:
            request["temperature"] = ask.temperature
        if not self._thinking:
            request["extra_body"] = {"enable_thinking": False}
        system = ask.system
        if ask.schema is not None:
            if MODES[mode] == "json_schema":
                form = {"name": "answer", "schema": ask.schema, "strict": True}
                request["response_format"] = {"type": "json_schema", "json_schema": form}
            else:
                schema = msgspec.json.encode(ask.schema).decode()
                system = f"{system}\n\n{_IN_WORDS}{schema}"
            if MODES[mode] == "json_object":
                request["response_format"] = {"type": "json_object"}
        said = {"system": system, "user": ask.user}
        # Half a character, from a log cut in the middle, cannot be sent.
        messages = [{"role": role, "content": text.encode("utf-8", "replace").decode()}
                    for role, text in said.items()]  # fmt: skip
        request["messages"] = messages if system else messages[1:]
        return request

    @property
    def _so_far(self) -> frozenset[str]:
        """What was given up before."""
        given_up = {"limit": self._limit != "max_tokens", "temperature": not self._temperature,
                    "thinking": not self._thinking}  # fmt: skip
        return frozenset(name for name, so in given_up.items() if so)

    @cached_property
    def _sdk(self) -> Any:
        try:
            # Half a second to load, and an extra: only a question to a model needs it.
            return importlib.import_module(PACKAGE)
        except ImportError as error:
            raise ModelError(
                "a model is set, but the package that speaks to models is not installed",
                'install it: pip install "slowwave[model]"',
            ) from error

    @cached_property
    def _client(self) -> "OpenAI":
        sdk, address = self._sdk, self.address
        # The SDK's own HTTP library: which one it is depends on its version.
        http = importlib.import_module(sdk.DefaultHttpxClient.__mro__[1].__module__.split(".")[0])
        timeout = http.Timeout(self._timeout, connect=self._connect_timeout)
        # Answers take seconds: a connection kept open saves nothing, and would have to be closed.
        options: dict[str, Any] = {"limits": http.Limits(max_keepalive_connections=0)}
        hooks = deadline.hooks(http, self._timeout)
        hooks["request"].append(own_headers.hook(self._key or "none", address.host))
        options["event_hooks"] = hooks
        if address.socket:
            options["transport"] = http.HTTPTransport(uds=address.socket)
        client: OpenAI = sdk.OpenAI(
            base_url=address.url,
            # Never the key of another service that happens to be in the environment.
            api_key=self._key or "none",
            max_retries=0,
            timeout=timeout,
            default_headers={"Host": address.host} if address.host else None,
            default_query=dict(address.query),
            http_client=sdk.DefaultHttpxClient(
                trust_env=not address.local, follow_redirects=False, timeout=timeout, **options
            ),
        )
        return client

    def _translated(self, error: Exception, prompt: str) -> ModelError:
        asked = " ".join(prompt.split())
        where = refusals.Where(
            self.address.shown, self._name, self._key, self._timeout, asked, self.address.local
        )
        return refusals.translated(error, self._sdk, where)


def _reply(answer: Any, name: str, ms: float) -> Reply:
    """The answer in our words. What servers leave out, or send instead, is taken as it is."""
    choices = getattr(answer, "choices", None)
    first = choices[0] if isinstance(choices, list) and choices else None
    message = getattr(first, "message", None)
    if message is None:
        raise ModelBusy(
            f"the server of {name} answered, but no completion",
            "check that model.base_url ends where its API begins, often in /v1",
        )
    refusal = getattr(message, "refusal", None)
    finish = plain(str(getattr(first, "finish_reason", None) or "stop"))[:_SHOWN]
    text = _text(getattr(message, "content", None))
    if len(text) > LONGEST:
        text, finish = text[:LONGEST], "length"
    if refusal or (finish == "content_filter" and not text):
        raise ModelRefused(
            f"{name} will not answer this", "another model may; the rules still can", "content"
        )
    usage = getattr(answer, "usage", None)
    called = plain(str(getattr(answer, "model", None) or name))
    return Reply(
        text=without_reasoning(plain(text)),
        finish=finish,
        tokens_in=_count(usage, "prompt_tokens"),
        tokens_out=_count(usage, "completion_tokens"),
        ms=ms,
        model=" ".join(called.split())[:_SHOWN] or name,
    )


def _text(content: Any) -> str:
    """Plain text, or the text of the parts that some servers send."""
    if isinstance(content, list):
        parts = (one.get("text") if isinstance(one, dict) else None for one in content)
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _count(usage: Any, name: str) -> int:
    number = getattr(usage, name, None)
    return number if isinstance(number, int) and number > 0 else 0
