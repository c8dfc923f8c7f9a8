"""The pictures as Vega-Lite, one function for each. Altair is given plain rows."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from slowwave.pictures.chart_parts import (
    Drawn,
    axis_x,
    axis_y,
    bars_of,
    colour_of,
    data_of,
    joined,
    log_ticks,
    order_of,
    short,
    titled,
)
from slowwave.pictures.looks import HEIGHT, WIDTH, Look
from slowwave.pictures.tables import LET_GO, Step, kinds_shown, steps_of, weeks_of
from slowwave.pictures.words import Language, PictureName, counted, day_label, kind_name, say

if TYPE_CHECKING:
    from slowwave.stats import Stats

__all__ = ["CHARTS", "compression", "forgetting", "growth", "kinds", "nights"]

HEADROOM = 1.6
"""Room above the highest line, for its label."""
_OWN = ("rule", "fact", "profile", "plan", "relationship", "environment", "preference", "project")
"""Kinds that always have the same place in `Look.series`."""
NIGHTS = 60
"""The latest nights that are drawn."""


def kinds(stats: "Stats", language: Language, look: Look) -> Drawn | None:
    """How many memories of each kind held, over time, stacked (L11)."""
    steps = steps_of(stats.days, language)
    shown = kinds_shown(steps)
    if not shown:
        return None
    names = [kind_name(kind, language) for kind in shown]
    rows = [
        {"at": step.at, "kind": name, "place": place, "number": step.known.get(kind, 0)}
        for step in steps
        for place, (kind, name) in enumerate(zip(shown, names, strict=True))
    ]
    rest = [sum(step.known.values()) - sum(step.known.get(kind, 0) for kind in shown)
            for step in steps]  # fmt: skip
    colours = _colours(shown, look)
    if any(rest):
        other = say("other", language)
        names, colours = [*names, other], [*colours, look.quiet]
        rows += [{"at": step.at, "kind": other, "place": len(shown), "number": number}
                 for step, number in zip(steps, rest, strict=True)]  # fmt: skip
    now = steps[-1].known
    total = sum(now.values())
    told = counted(total, "memory", language)
    best = [f"{kind_name(kind, language)} {number / total:.0%}"
            for kind, number in list(now.items())[:3] if total]  # fmt: skip
    subtitle = joined([told, *best], language)
    chart = bars_of(rows, steps, look).encode(
        y=axis_y(say("memories_axis", language), max(sum(step.known.values()) for step in steps)),
        color=colour_of("kind", names, colours),
        order=order_of("place"),
    )
    return titled(chart, say("kinds", language), subtitle), subtitle


def growth(stats: "Stats", language: Language, look: Look) -> Drawn | None:
    """What was said in each step, above; how many memories held at its end, below."""
    steps = steps_of(stats.days, language)
    if not steps:
        return None
    held = [sum(step.known.values()) for step in steps]
    above = _panel(steps, [step.events for step in steps], "events_axis", language, look)
    below = _panel(steps, held, "memories_axis", language, look)
    total = sum(step.events for step in steps)
    subtitle = joined(
        [
            counted(total, "log entry", language),
            counted(sum(steps[-1].known.values()), "memory", language),
        ],
        language,
    )
    import altair as alt  # noqa: PLC0415 - slow to import

    both = alt.vconcat(above, below, spacing=14)
    return titled(both, say("growth", language), subtitle), subtitle


def _panel(
    steps: Sequence[Step], numbers: Sequence[int], axis: str, language: Language, look: Look
) -> Any:
    """Half of a picture: the log, or what holds of it. The lower one has the labels of days."""
    lower = axis == "memories_axis"
    rows = [{"at": step.at, "number": number}
            for step, number in zip(steps, numbers, strict=True)]  # fmt: skip
    return (
        bars_of(rows, steps, look, labels=lower)
        .mark_bar(color=look.accent if lower else look.quiet)
        .encode(y=axis_y(say(axis, language), max(numbers)))
        .properties(width=WIDTH, height=HEIGHT * 0.5)
    )


def compression(stats: "Stats", language: Language, look: Look) -> Drawn | None:
    """Tokens of all that was said so far, and of all that was known: on a scale of powers of 10."""
    steps = steps_of(stats.days, language)
    said, so_far = say("said", language), 0
    known = say("known", language)
    rows: list[dict[str, Any]] = []
    for step in steps:
        so_far += step.tokens
        rows += [
            {"at": step.at, "what": what, "tokens": number}
            for what, number in ((said, so_far), (known, step.known_tokens))
            if number > 0
        ]
    if not any(row["what"] == known for row in rows) or not stats.memory_tokens:
        return None
    import altair as alt  # noqa: PLC0415 - slow to import

    ratio = stats.journal_tokens / stats.memory_tokens
    subtitle = _ratio(ratio, language)
    sizes = [row["tokens"] for row in rows]
    ticks = log_ticks(min(sizes), max(sizes) * HEADROOM)
    base = alt.Chart(data_of(rows)).encode(
        x=axis_x(steps),
        y=alt.Y("tokens:Q").scale(type="log", nice=False, domain=[ticks[0], ticks[-1]])
        .axis(title=say("tokens_axis", language), format="~s", values=ticks),
        color=colour_of("what", [said, known], [look.quiet, look.accent], legend=False),
    )  # fmt: skip
    lines = base.mark_line(strokeWidth=3, strokeCap="round", interpolate="monotone")
    ends = [
        {**row, "text": f"{row['what']} {short(row['tokens'], language)}"}
        for what in (said, known)
        for row in [row for row in rows if row["what"] == what][-1:]
    ]
    points = base.mark_point(filled=True, size=70, opacity=1).properties(data=data_of(ends))
    labels = base.mark_text(align="right", dy=-14, dx=6, fontSize=12.5, fontWeight=600).encode(
        text="text:N",
        color=colour_of("what", [said, known], [look.muted, look.accent], legend=False),
    ).properties(data=data_of(ends))  # fmt: skip
    chart = (
        alt.layer(lines, points, labels)
        .resolve_scale(color="independent")
        .properties(width=WIDTH, height=HEIGHT)
    )
    return titled(chart, say("compression", language), subtitle), subtitle


def forgetting(stats: "Stats", language: Language, look: Look) -> Drawn | None:
    """How many memories were let go each week, and how, stacked."""
    rows = weeks_of(stats, language)
    total = sum(row["number"] for row in rows)
    if not total:
        return None
    ways = [way for way in LET_GO if any(row["number"] for row in rows if row["way"] == way)]
    kept = [
        {"at": row["at"], "way": say(row["way"], language), "place": ways.index(row["way"]),
         "number": row["number"]}
        for row in rows if row["way"] in ways
    ]  # fmt: skip
    starts = sorted({(row["at"], row["label"]) for row in rows})
    steps = [Step(at, label, 0, 0, {}, 0) for at, label in starts]
    by_step = Counter[str]()
    for row in rows:
        by_step[row["at"]] += row["number"]
    by_way = {way: sum(row["number"] for row in rows if row["way"] == way) for way in ways}
    mostly = max(ways, key=lambda way: by_way[way])
    total_told = counted(total, "memory", language)
    subtitle = joined([total_told, f"{say(mostly, language)} {by_way[mostly]}"], language)
    told = joined([total_told, *(f"{say(way, language)} {by_way[way]}" for way in ways)], language)
    colours = [look.series[LET_GO.index(way)] for way in ways]
    chart = bars_of(kept, steps, look).encode(
        y=axis_y(say("let_go_axis", language), max(by_step.values())),
        color=colour_of("way", [say(way, language) for way in ways], colours),
        order=order_of("place"),
    )
    return titled(chart, say("forgetting", language), subtitle), told


def nights(stats: "Stats", language: Language, look: Look) -> Drawn | None:
    """How many seconds each of the latest nights took, in the order in which they ran."""
    latest = stats.nights[-NIGHTS:]
    if not latest:
        return None
    steps = [
        Step(f"{place:04d}", day_label(date.fromisoformat(night.date), "day", language),
             night.events, 0, {}, 0)
        for place, night in enumerate(latest)
    ]  # fmt: skip
    rows = [{"at": step.at, "number": round(night.duration_sec, 3)}
            for step, night in zip(steps, latest, strict=True)]  # fmt: skip
    longest = max(night.duration_sec for night in latest)
    middle = sorted(night.duration_sec for night in latest)[len(latest) // 2]
    subtitle = joined([counted(len(latest), "night", language), _median(middle, language)],
                       language)  # fmt: skip
    chart = (
        bars_of(rows, steps, look)
        .mark_bar(color=look.accent)
        .encode(y=axis_y(say("seconds_axis", language), longest, whole=False))
    )
    return titled(chart, say("nights", language), subtitle), subtitle


def _ratio(ratio: float, language: Language) -> str:
    number = f"{ratio:,.1f}" if ratio < 10 else f"{ratio:,.0f}"
    if language == "zh":
        return f"每 {number} 个词元的日志，留下 1 个词元的记忆"
    return f"{number} tokens of log for each token of memory"


def _median(seconds: float, language: Language) -> str:
    if seconds < 1:
        number = f"{seconds * 1000:.0f} " + ("毫秒" if language == "zh" else "ms")
    else:
        number = f"{seconds:.1f}" if seconds < 10 else f"{seconds:.0f}"
        number += " 秒" if language == "zh" else " s"
    return f"中位数 {number}" if language == "zh" else f"median {number}"


def _colours(shown: Sequence[str], look: Look) -> list[str]:
    """A colour for each kind: its own where it has one, so that it is the same in each picture."""
    free = [place for place in range(len(look.series)) if _OWN[place] not in shown]
    return [look.series[_OWN.index(kind) if kind in _OWN else free.pop(0)] for kind in shown]


CHARTS: Mapping[PictureName, Callable[["Stats", Language, Look], Drawn | None]] = {
    "kinds": kinds,
    "growth": growth,
    "compression": compression,
    "forgetting": forgetting,
    "nights": nights,
}
"""All pictures that statistics alone are enough for; None where there is nothing to draw."""
