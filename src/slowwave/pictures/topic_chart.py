"""The topics of a week: how much of the talk each is, and on which days it came up (P13)."""

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from slowwave.pictures.chart_parts import Drawn, data_of, joined, titled
from slowwave.pictures.looks import WIDTH, Look
from slowwave.pictures.words import Language, counted, day_label, say

if TYPE_CHECKING:
    from slowwave.dream.topics.week import Topic, Topics

__all__ = ["topics_chart"]

ROOM, GAP = WIDTH + 40, 30
ROW = 46
"""Pixels of a topic: its words, and below them its bar."""
MOST_DAYS = 14
"""Days up to which each is a mark of its own."""
DAY = 20
NAME_SIZE, WORD_SIZE = 14, 11.5
"""Pixels of type."""


def topics_chart(topics: "Topics", language: Language, look: Look) -> Drawn | None:
    """A row for each topic, largest first; the rest of the messages is the last one."""
    if not topics.topics:
        return None
    import altair as alt  # noqa: PLC0415 - slow to import

    days = _days(topics)
    width = ROOM if not days else ROOM - DAY * len(days) - GAP
    rows = [_row(place, topic, width, language) for place, topic in enumerate(topics.topics)]
    if topics.other:
        share = topics.other / topics.messages
        rows.append(
            {"at": len(rows), "name": f"{say('of_no_topic', language)} {share:.0%}", "words": "",
             "messages": 0, "share": f"{share:.0%}", "rest": True}
        )  # fmt: skip
    subtitle = joined(
        [f"{day_label(date.fromisoformat(topics.first), 'day', language)} – "
         f"{day_label(date.fromisoformat(topics.last), 'day', language)}",
         counted(topics.messages, "message", language)],
        language,
    )  # fmt: skip
    bars = _bars(rows, width, look)
    chart: Any = bars
    if days:
        chart = alt.hconcat(bars, _strip(topics, days, len(rows), language, look), spacing=GAP)
    return titled(chart, say("topics", language), subtitle), _told(topics, subtitle, language)


def _row(place: int, topic: "Topic", width: int, language: Language) -> dict[str, Any]:
    """A topic; of its further words as many as there is room for beside its name."""
    left = width - _pixels(topic.name, NAME_SIZE) - GAP
    words: list[str] = []
    for word in topic.words:
        left -= _pixels(word, WORD_SIZE) + WORD_SIZE
        if left < 0:
            break
        words.append(word)
    return {
        "at": place, "name": topic.name, "words": ("、" if language == "zh" else " · ").join(words),
        "messages": topic.messages, "share": f"{topic.share:.0%}", "rest": False,
    }  # fmt: skip


def _pixels(text: str, size: float) -> float:
    """About how wide a text is drawn."""
    return sum(size if char >= "\u2e80" else 0.6 * size for char in text)


def _bars(rows: list[dict[str, Any]], width: int, look: Look) -> Any:
    import altair as alt  # noqa: PLC0415 - as above

    most = max(row["messages"] for row in rows)
    base = alt.Chart(data_of(rows)).encode(
        y=alt.Y("at:O").axis(None).scale(paddingInner=0, paddingOuter=0),
    )
    bar = base.mark_bar(
        height=9, yOffset=10, y2Offset=10, cornerRadius=4.5, color=look.accent
    ).encode(x=alt.X("messages:Q").axis(None).scale(domain=[0, most * 1.12]))  # fmt: skip
    share = base.mark_text(align="left", dx=8, dy=10, fontSize=11.5, color=look.muted).encode(
        x=alt.X("messages:Q"), text="share:N"
    )
    share = share.transform_filter("!datum.rest")
    name = base.mark_text(
        align="left", dy=-6, fontSize=NAME_SIZE, fontWeight=600, color=look.ink, limit=width
    ).encode(x=alt.value(0), text="name:N").transform_filter("!datum.rest")  # fmt: skip
    words = base.mark_text(align="right", dy=-6, fontSize=WORD_SIZE, color=look.muted).encode(
        x=alt.value(width), text="words:N"
    )
    rest = (
        base.mark_text(align="left", fontSize=12.5, color=look.muted)
        .encode(x=alt.value(0), text="name:N")
        .transform_filter("datum.rest")
    )
    layers = alt.layer(bar, share, name, words, rest)
    return layers.properties(width=width, height=ROW * len(rows))


def _strip(topics: "Topics", days: list[date], rows: int, language: Language, look: Look) -> Any:
    """A dot for each day on which a topic came up, as large as it was then."""
    import altair as alt  # noqa: PLC0415 - as above

    dots = [
        {"at": place, "day": day.isoformat(), "messages": topic.days.get(day.isoformat(), 0)}
        for place, topic in enumerate(topics.topics)
        for day in days
    ]
    labels = {day.isoformat(): day_label(day, "day", language) for day in days}
    ends = [days[0].isoformat(), days[-1].isoformat()]
    shown = " : ".join(f"datum.value == '{day}' ? '{labels[day]}'" for day in ends)
    base = alt.Chart(data_of(dots)).encode(
        x=alt.X("day:O").scale(paddingInner=0, paddingOuter=0).axis(
            orient="top", grid=False, labelAngle=0, labelExpr=f"{shown} : ''", title=None),
        y=alt.Y("at:O").axis(None).scale(paddingInner=0, paddingOuter=0, domain=list(range(rows))),
    )  # fmt: skip
    empty = base.mark_circle(size=14, color=look.grid, opacity=1)
    full = (
        base.transform_filter("datum.messages > 0")
        .mark_circle(color=look.accent, opacity=1)
        .encode(size=alt.Size("messages:Q").legend(None).scale(range=[40, 260]))
    )
    return alt.layer(empty, full).properties(width=DAY * len(days), height=ROW * rows)


def _days(topics: "Topics") -> list[date]:
    """All days of the span, where they can be told apart in a picture; else none."""
    first, last = date.fromisoformat(topics.first), date.fromisoformat(topics.last)
    span = (last - first).days + 1
    return [first + timedelta(days=at) for at in range(span)] if 1 < span <= MOST_DAYS else []


def _told(topics: "Topics", subtitle: str, language: Language) -> str:
    names = [f"{topic.name} {topic.share:.0%}" for topic in topics.topics]
    return joined([subtitle, *names], language)
