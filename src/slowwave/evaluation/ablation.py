"""What each component of recall brings: all questions with everything on, and with one part off.

The same questions, in the same store, one after the other with everything and without each part,
so that the times are of the same minute; who is asked first changes from question to question.
Embedding the question is not in them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from time import perf_counter

import msgspec

from slowwave.evaluation.bootstrap import Interval, intervals
from slowwave.evaluation.metrics import (
    Answer,
    Asked,
    Conversation,
    Dataset,
    Score,
    kinds,
    percent,
    score,
)
from slowwave.evaluation.rooms import Plan, Room, Shared, opened
from slowwave.evaluation.run import read
from slowwave.evaluation.table import Setting, setting_of
from slowwave.ports import Progress, no_progress
from slowwave.settings import RecallSettings

__all__ = ["COMPONENTS", "AblationRow", "AblationTable", "Component", "ablate", "components"]

FULL = "everything"


class Component(msgspec.Struct, frozen=True):
    """One part of recall, and the settings that switch it off; `vectors` leaves those out."""

    name: str
    off: Mapping[str, float]
    vectors: bool = False


COMPONENTS = (
    Component("neighbours' words", {"around": 0.0, "around_zh": 0.0}),
    Component("own words", {"own": 0.0, "own_zh": 0.0}),
    Component("vectors", {}, vectors=True),
    Component("speaker", {"speaker_bonus": 0.0}),
    Component("dates", {"date_bonus": 0.0}),
)

NOT_COMPONENTS = frozenset({"k", "candidates", "neighbours", "min_score", "vector", "vector_zh"})
"""Settings that are sizes and thresholds, or are switched off in another way."""


class AblationRow(msgspec.Struct, frozen=True):
    """Recall without one component. `brings` is what it adds to R@10, in points, with its 95 %
    interval over the same questions; `ms` the median of a question, `ratio` the median of its times
    to those of everything on the same question."""

    without: str
    kind: str
    n: int
    r10: float
    brings: float | None
    ci: Interval | None
    ms: float
    ratio: float


class AblationTable(msgspec.Struct, frozen=True):
    """A finished ablation."""

    dataset: str
    n: int
    skipped: int
    malformed: int
    setting: Setting
    table: tuple[AblationRow, ...]


@dataclass
class _Sums:
    asked: list[Asked] = field(default_factory=list)
    seconds: dict[str, list[float]] = field(default_factory=dict)
    finished: int = 0
    stopped: bool = False


def components() -> tuple[Component, ...]:
    """The table above, and whatever else has a weight of its own in the settings.

    A weight that the table does not know is a component by itself, together with its Chinese
    twin; a switch is one as well.
    """
    known = {name for component in COMPONENTS for name in component.off} | NOT_COMPONENTS
    found = list(COMPONENTS)
    defaults = RecallSettings()
    for name in defaults.__struct_fields__:
        base = name.removesuffix("_zh")
        if name in known or not isinstance(getattr(defaults, name), float | bool):
            continue
        off = {each: 0.0 for each in (base, f"{base}_zh") if hasattr(defaults, each)}
        known.update(off)
        found.append(Component(base.removesuffix("_bonus").replace("_", " "), off))
    return tuple(component for component in found if _on(component, defaults))


def ablate(dataset: str, path: Path, plan: Plan, progress: Progress = no_progress) -> AblationTable:
    """Switches each component off on its own. Raises UsageError, InputError, EmbedderError.

    Ctrl-C ends the measuring, and the table is of what was finished.
    """
    if plan.embedder is not None:
        plan = replace(plan, embedder=Shared(plan.embedder))
    data = read(dataset, path, plan.limit)
    variants = _variants(plan)
    sums = _Sums()
    try:
        for talk in data.conversations:
            _measure(sums, data, talk, plan, variants, progress)
            sums.finished += 1
            progress(f"{data.name}: conversations", sums.finished, len(data.conversations))
    except KeyboardInterrupt:
        sums.stopped = True
    return AblationTable(
        data.name, sum(each.question.counts for each in sums.asked), data.skipped, data.malformed,
        setting_of(plan, sums.finished, len(data.conversations), stopped=sums.stopped),
        tuple(_rows(sums, plan)),
    )  # fmt: skip


def _on(component: Component, settings: RecallSettings) -> bool:
    return component.vectors or any(getattr(settings, name) for name in component.off)


def _variants(plan: Plan) -> dict[str, tuple[RecallSettings, bool]]:
    """The settings of each variant, and whether vectors take part."""
    with_vectors = plan.embedder is not None
    found = {FULL: (plan.settings, with_vectors)}
    for component in components():
        if component.vectors and not with_vectors:
            continue
        off = {
            name: type(getattr(plan.settings, name))(value) for name, value in component.off.items()
        }
        settings = msgspec.structs.replace(plan.settings, **off)
        found[component.name] = (settings, with_vectors and not component.vectors)
    return found


def _measure(
    sums: _Sums, data: Dataset, talk: Conversation, plan: Plan,
    variants: Mapping[str, tuple[RecallSettings, bool]], progress: Progress,
) -> None:  # fmt: skip
    with opened(talk, plan.embedder, progress) as room:
        for place, question in enumerate(talk.questions, start=1):
            if not (question.evidence and question.counts):
                continue
            # Once without measuring: whoever came first would pay for embedding and cold pages.
            room.ask(question.text, plan.settings, plan.embedder)
            scores: dict[str, Score] = {}
            taken: dict[str, float] = {}
            for name in _turned(list(variants), place):
                settings, vectors = variants[name]
                answer, taken[name] = _timed(room, question.text, settings, vectors=vectors)
                scores[name] = score(question, answer, room.sessions, whole=data.whole)
            for name, seconds in taken.items():
                sums.seconds.setdefault(name, []).append(seconds)
            in_order = {name: scores[name] for name in variants}
            sums.asked.append(Asked(talk.name, question, in_order))
            progress("questions", place, len(talk.questions))


def _turned(names: list[str], by: int) -> list[str]:
    """The names from another one on each time: no variant is always asked after the same one."""
    start = by % len(names)
    return names[start:] + names[:start]


def _timed(
    room: Room, text: str, settings: RecallSettings, *, vectors: bool
) -> tuple[Answer, float]:
    start = perf_counter()
    hits = room.ask(text, settings, room.embedder if vectors else None)
    taken = perf_counter() - start
    return Answer(tuple(hit.refs for hit in hits), tuple(hit.text for hit in hits)), taken


def _rows(sums: _Sums, plan: Plan) -> Iterator[AblationRow]:
    """Everything first; per kind what each component brings, in the order of the table."""
    times = {name: median(seconds) for name, seconds in sums.seconds.items()}
    full_times = sums.seconds.get(FULL, [])
    ratios = {
        name: median(mine / its for mine, its in zip(seconds, full_times, strict=True))
        for name, seconds in sums.seconds.items()
    }
    for kind, asked in kinds(sums.asked).items():
        names = list(asked[0].scores)
        columns = {name: [each.scores[name].r10 for each in asked] for name in names}
        differences = {name: _minus(columns[FULL], columns[name]) for name in names}
        talks = [each.talk for each in asked] if plan.by_talk else None
        ends = dict(zip(names, intervals(list(differences.values()), talks), strict=True))
        for name in names:
            end, full = ends[name], name == FULL
            yield AblationRow(
                name, kind, len(asked), percent(columns[name]),
                None if full else percent(differences[name]),
                None if full or end is None else (round(100 * end[0], 1), round(100 * end[1], 1)),
                round(1000 * times[name], 2), round(ratios[name], 2),
            )  # fmt: skip


def _minus(left: Sequence[float], right: Sequence[float]) -> list[float]:
    return [mine - its for mine, its in zip(left, right, strict=True)]
