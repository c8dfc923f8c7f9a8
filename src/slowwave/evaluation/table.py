"""A finished measurement: its rows, and the setting they were made in."""

from collections.abc import Mapping
from importlib import metadata

import msgspec

from slowwave import __version__
from slowwave.evaluation.bootstrap import RESAMPLES, SEED, Interval
from slowwave.evaluation.injection import InjectionRow
from slowwave.evaluation.metrics import Gain, Row
from slowwave.evaluation.rooms import Plan
from slowwave.settings import RecallSettings

__all__ = ["Cut", "Official", "Setting", "Split", "Table", "setting_of"]


class Setting(msgspec.Struct, frozen=True):
    """How it was measured. `changed` holds the recall settings that are not the defaults.

    `conversations` of `of` were finished: fewer after a stop. `commit` is empty when the package
    does not know it.
    """

    date: str
    version: str
    commit: str
    embedder: str
    changed: Mapping[str, float]
    min_score: float
    conversations: int
    of: int
    stopped: bool
    interval: str


class Split(msgspec.Struct, frozen=True):
    """The same table over some conversations: those the product was tuned on, or the others."""

    part: str
    conversations: tuple[str, ...]
    table: tuple[Row, ...]
    injection: tuple[InjectionRow, ...]


class Cut(msgspec.Struct, frozen=True):
    """Official measures at one cut-off, percent; the interval is that of `recall_all`."""

    k: int
    recall_any: float
    recall_all: float
    ndcg_any: float
    ci: Interval | None


class Official(msgspec.Struct, frozen=True):
    """One pipeline by LongMemEval's protocol at one level of documents and one convention."""

    pipeline: str
    level: str
    convention: str
    kind: str
    n: int
    at: tuple[Cut, ...]


class Table(msgspec.Struct, frozen=True):
    """`n` is the number of questions in the total, `skipped` of those without usable evidence."""

    dataset: str
    n: int
    skipped: int
    malformed: int
    setting: Setting
    table: tuple[Row, ...]
    gains: tuple[Gain, ...] = ()
    injection: tuple[InjectionRow, ...] = ()
    split: tuple[Split, ...] = ()
    official: tuple[Official, ...] = ()


def setting_of(plan: Plan, finished: int, of: int | None, *, stopped: bool) -> Setting:
    """What a run should say of itself; `of` None is as many as were finished."""
    defaults = RecallSettings()
    changed = {
        name: getattr(plan.settings, name)
        for name in plan.settings.__struct_fields__
        if getattr(plan.settings, name) != getattr(defaults, name)
    }
    drawn = "conversation" if plan.by_talk else "question"
    return Setting(
        date=plan.day.isoformat(),
        version=__version__,
        commit=_commit(),
        embedder=plan.embedder.name if plan.embedder is not None else "none",
        changed=changed,
        min_score=plan.settings.min_score,
        conversations=finished,
        of=finished if of is None else of,
        stopped=stopped,
        interval=f"95 %, percentile bootstrap by {drawn}, {RESAMPLES} resamples, seed {SEED}",
    )


def _commit() -> str:
    """The commit that the package was installed from, where the installer wrote it down."""
    try:
        said = metadata.distribution("slowwave").read_text("direct_url.json")
        value = msgspec.json.decode(said or "{}")
    except (metadata.PackageNotFoundError, msgspec.DecodeError):
        return ""
    origin = value.get("vcs_info") if isinstance(value, dict) else None
    return str(origin.get("commit_id") or "") if isinstance(origin, dict) else ""
