"""The same nights by the rules alone and with a model beside them: two tables as one."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from slowwave.evaluation.quality import Measure, QualityTable, dream_quality
from slowwave.evaluation.quality_nights import Setting
from slowwave.ports import Progress, no_progress
from slowwave.settings import ModelSettings

__all__ = ["PairLine", "QualityPair", "dream_quality_pair"]


class PairLine(msgspec.Struct, frozen=True):
    """One measure of both: values in `unit`, each out of its n, and the parts of the model's."""

    measure: str
    unit: str
    rules: float
    model: float
    n_rules: int
    n_model: int
    detail: str = ""


class QualityPair(msgspec.Struct, frozen=True):
    """A finished comparison: the lines side by side, and both measurements whole."""

    table: tuple[PairLine, ...]
    rules: QualityTable
    model: QualityTable


def dream_quality_pair(
    dataset: str,
    path: Path,
    model: ModelSettings,
    *,
    limit: int | None = None,
    plain: Setting,
    progress: Progress = no_progress,
) -> QualityPair:
    """Measures a data set twice: `plain` by the rules, then the same with `model` beside them.

    Raises as `dream_quality`, and ModelError when the model did nothing of a night.
    """
    by_rules = msgspec.structs.replace(plain, model=None)
    rules = dream_quality(dataset, path, limit=limit, setting=by_rules, progress=progress)
    by_model = msgspec.structs.replace(plain, model=model)
    with_model = dream_quality(dataset, path, limit=limit, setting=by_model, progress=progress)
    return QualityPair(tuple(_lines(rules, with_model)), rules, with_model)


def _lines(rules: QualityTable, model: QualityTable) -> Iterator[PairLine]:
    known = {line.measure: line for line in rules.table}
    for line in model.table:
        other = known.get(line.measure, Measure(line.measure, 0, line.unit, 0))
        yield PairLine(
            line.measure, line.unit, other.value, line.value, other.n, line.n, line.detail
        )
