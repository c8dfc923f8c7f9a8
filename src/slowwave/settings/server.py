"""What the resident server may do, and when it dreams by itself (P9-P11)."""

from typing import Annotated, Literal

import msgspec

Whole = Annotated[int, msgspec.Meta(ge=0)]
Trigger = Literal["clock", "idle", "backlog", "forced"]
TimeOfDay = Annotated[str, msgspec.Meta(pattern=r"^([01]?[0-9]|2[0-3])[:：][0-5][0-9]$")]


class ProxySettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The OpenAI-compatible proxy: what it stands before, and what it does on the way.

    `base_url` is the server that answers (empty: that of `[model]`), `api_key` its key (empty: the
    client's own is passed on). `inject`: memories go into the system prompt, of at most `budget`
    tokens. `capture`: both sides are logged. `learn`: each turn is learned from at once (R1).
    `read_only` injects, and logs and counts nothing.
    """

    base_url: str = ""
    api_key: str = ""
    inject: bool = True
    capture: bool = True
    learn: bool = False
    read_only: bool = False
    budget: Annotated[int, msgspec.Meta(ge=1, le=100_000)] = 600
    timeout: Annotated[float, msgspec.Meta(gt=0)] = 600.0

    def __repr__(self) -> str:
        """All of it but the key."""
        told = {name: getattr(self, name) for name in self.__struct_fields__}
        told["api_key"] = "***" if self.api_key else ""
        return f"ProxySettings({', '.join(f'{name}={value!r}' for name, value in told.items())})"


class ServerSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The server: who comes in, and how much of it.

    `token` opens everything; narrower ones are made with `slowwave token add`. `hosts` are further
    names that the server is called by (this machine's own are always taken). A request has at most
    `body_mb` megabytes; a token (or, without one, an address) sends at most `requests_per_minute`,
    and an address at most `failures_per_minute` wrong tokens (0: no limit).
    """

    token: str = ""
    hosts: tuple[str, ...] = ()
    body_mb: Annotated[int, msgspec.Meta(ge=1, le=1024)] = 16
    requests_per_minute: Whole = 0
    failures_per_minute: Whole = 30
    proxy: ProxySettings = ProxySettings()

    def __repr__(self) -> str:
        """All of it but the token."""
        told = {name: getattr(self, name) for name in self.__struct_fields__}
        told["token"] = "***" if self.token else ""
        return f"ServerSettings({', '.join(f'{name}={value!r}' for name, value in told.items())})"


class ResidentSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When the resident dreams by itself (P9), what holds it back (P10), and apart from whom (P11).

    `triggers` are in force: the `clock` (nights, from `at` on, the user's time), `idle` (no word of
    the user for `idle_minutes`), `backlog` (more than `backlog` events not dreamed, and more come
    in than are dreamed), `forced` (every `forced_hours`). Between two dreams `gap_minutes` pass;
    after a failure `backoff_minutes`, doubling up to `backoff_most`. A day of the user has at most
    `dreams_a_day`; one of them is kept for the clock.
    The dream's process gets `cores` (0: all), at most `memory_mb` of address space (0: no cap) and
    runs `nice`; of the time-out of a model it has the share `patience`.
    """

    triggers: tuple[Trigger, ...] = ("clock",)
    at: TimeOfDay = "02:00"
    idle_minutes: Annotated[float, msgspec.Meta(gt=0)] = 10.0
    backlog: Annotated[int, msgspec.Meta(ge=1)] = 200
    forced_hours: Annotated[float, msgspec.Meta(gt=0)] = 4.0
    gap_minutes: Annotated[float, msgspec.Meta(ge=0)] = 15.0
    backoff_minutes: Annotated[float, msgspec.Meta(gt=0)] = 12.0
    backoff_most: Annotated[float, msgspec.Meta(gt=0)] = 120.0
    dreams_a_day: Annotated[int, msgspec.Meta(ge=1)] = 8
    cores: Whole = 1
    memory_mb: Whole = 2_048
    nice: Annotated[int, msgspec.Meta(ge=0, le=19)] = 10
    patience: Annotated[float, msgspec.Meta(gt=0, le=1)] = 0.5
