"""What charts are made of: bars side by side, axes, colours, titles."""

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any

from slowwave.pictures.looks import HEIGHT, WIDTH, Look
from slowwave.pictures.tables import Step
from slowwave.pictures.words import Language

if TYPE_CHECKING:
    import altair as alt

__all__ = [
    "Drawn", "axis_x", "axis_y", "bars_of", "colour_of", "data_of", "joined", "log_ticks",
    "order_of", "short", "ticks_to", "titled",
]  # fmt: skip

Drawn = tuple[Any, str]
"""An Altair chart, and in words what it shows."""

ROOM = 0.22
"""Share of a step that stays free between two bars."""
MOST_TICKS, LARGE = 5, 10_000
"""Steps of a scale at the most; numbers from which it says thousands."""
LABELS = 8
"""Labels below an axis at the most."""


def data_of(rows: Sequence[dict[str, Any]]) -> "alt.InlineData":
    """Rows as Altair takes them, without pandas."""
    import altair as alt  # noqa: PLC0415 - slow to import; only pictures need it

    return alt.InlineData(values=list(rows))


def bars_of(
    rows: Sequence[dict[str, Any]], steps: Sequence[Step], look: Look, *, labels: bool = True
) -> "alt.Chart":
    """Bars of rows with `at` and `number`, one place for each step."""
    import altair as alt  # noqa: PLC0415 - as above

    chart = alt.Chart(data_of(rows)).mark_bar(stroke=look.page, strokeWidth=0.5)
    made: alt.Chart = chart.encode(x=axis_x(steps, labels=labels))
    return made.properties(width=WIDTH, height=HEIGHT)


def axis_x(steps: Sequence[Step], *, labels: bool = True) -> "alt.X":
    """The time axis: a place for each step, every so many of them with its label."""
    import altair as alt  # noqa: PLC0415 - as above

    every = -(-len(steps) // LABELS)
    named = {step.at: step.label for step in steps[::every]}
    shown = " : ".join(f"datum.value == '{at}' ? '{label}'" for at, label in named.items())
    axis = alt.Axis(
        grid=False, labels=labels, labelAngle=0, labelOverlap=False, title=None,
        labelExpr=f"{shown} : ''",
    )  # fmt: skip
    few = max(0.0, 1 - len(steps) / 12)  # three steps are no three walls
    return alt.X("at:O", sort=[step.at for step in steps]).axis(axis).scale(
        paddingInner=ROOM + 0.4 * few, paddingOuter=0.1 + 0.9 * few
    )  # fmt: skip


def axis_y(title: str, most: float, *, whole: bool = True) -> "alt.Y":
    """The scale of `number` from 0 to `most` or a little more; by `whole` steps."""
    import altair as alt  # noqa: PLC0415 - as above

    ticks = ticks_to(most, whole=whole)
    form = "~s" if ticks[-1] >= LARGE else ",.3~f"
    return alt.Y("number:Q").scale(domain=[0, ticks[-1]], nice=False).axis(
        title=title, values=ticks, format=form
    )  # fmt: skip


def ticks_to(most: float, *, whole: bool = True) -> list[float]:
    """Round numbers from 0 on, at most six, the last of them not below `most`."""
    least = 1.0 if whole else 0.001
    step = least
    while step * MOST_TICKS < most:
        # 1, 2, 5, 10, 20, 50 …
        step *= 2.5 if str(f"{step:e}")[0] == "2" else 2
    number = max(1, ceil(most / step - 1e-9))
    return [round(step * at, 6) for at in range(number + 1)]


def log_ticks(least: float, most: float) -> list[float]:
    """1, 10, 100 … around these numbers, and what is between them where there are few."""
    low, high = floor(log10(least)), ceil(log10(most))
    marks = (1,) if high - low > 3 else (1, 3)
    found = [mark * 10.0**power for power in range(low - 1, high + 2) for mark in marks]
    start = max(one for one in found if one <= least)
    end = min(one for one in found if one >= most and one > start)
    return [one for one in found if start <= one <= end]


def colour_of(
    field: str, names: Sequence[str], colours: Sequence[str], *, legend: bool = True
) -> "alt.Color":
    """A fixed colour for each name, in the order of the legend."""
    import altair as alt  # noqa: PLC0415 - as above

    made = alt.Color(f"{field}:N", sort=list(names)).scale(
        domain=list(names), range=list(colours)
    )  # fmt: skip
    return made if legend else made.legend(None)


def order_of(field: str) -> "alt.Order":
    """What is stacked first."""
    import altair as alt  # noqa: PLC0415 - as above

    return alt.Order(f"{field}:Q")


def titled(chart: Any, title: str, subtitle: str) -> Any:
    """The chart under its title, and below that what there is to see in it."""
    return chart.properties(title={"text": title, "subtitle": subtitle})


def joined(parts: Sequence[str], language: Language) -> str:
    """What is told side by side."""
    del language
    return " · ".join(parts)


def short(number: int, language: Language) -> str:
    """`950`, `12.4k`, `3.1M`; in Chinese `1.2万`."""
    if language == "zh" and number >= 10_000:
        return f"{number / 10_000:.1f}万"
    for size, unit in ((1_000_000, "M"), (1_000, "k")):
        if number >= size:
            return f"{number / size:.1f}{unit}"
    return str(number)
