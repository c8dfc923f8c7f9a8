"""A measurement as sections of plain tables: on a terminal, or as a Markdown file."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from slowwave.evaluation.ablation import AblationRow, AblationTable
from slowwave.evaluation.bootstrap import Interval
from slowwave.evaluation.injection import InjectionRow
from slowwave.evaluation.metrics import TOTAL, Gain, Row
from slowwave.evaluation.rooms import OURS
from slowwave.evaluation.table import Official, Setting, Split, Table
from slowwave.text.counting import plural

__all__ = ["Section", "ablation_sections", "head", "markdown", "sections"]

PARTS = {
    "tuned": "Conversations that constants were chosen on",
    "untuned": "Conversations that nothing was chosen on",
}
SHOWN_CUTS = (5, 10, 50)

HOW = (
    "fts5: SQLite full text over raw turns, stemmed, without stop words (trigram: for Chinese); "
    "vectors: cosine of raw turns; rrf: reciprocal rank fusion of both, k = 60"
)


class Section(NamedTuple):
    """A heading, a line below it (may be empty), and a table."""

    title: str
    note: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def head(measured: Table | AblationTable) -> list[str]:
    """What was measured and how, in lines."""
    setting = measured.setting
    commit = f", commit {setting.commit}" if setting.commit else ""
    left_out = f"{measured.skipped} without usable evidence left out of recall"
    damaged = f"; {measured.malformed} damaged references" if measured.malformed else ""
    talks = plural(setting.conversations, "conversation")
    lines = [
        f"{measured.dataset}: {plural(measured.n, 'question')} of {talks}, {left_out}{damaged}",
        f"measured {setting.date} with slowwave {setting.version}{commit}; "
        f"embedder {setting.embedder}; {_recall(setting)}",
        f"intervals: {setting.interval}",
    ]
    if setting.stopped:
        done = f"{setting.conversations} of {setting.of}"
        lines.append(f"stopped: {done} conversations were finished")
    return lines


def _recall(setting: Setting) -> str:
    changed = ", ".join(f"{name} {value:g}" for name, value in setting.changed.items())
    return f"recall settings: {changed}" if changed else "recall settings: defaults"


def sections(table: Table) -> Iterator[Section]:
    """The tables of a measurement, in the order they are read."""
    if table.table:
        yield _recall_section("Recall", HOW, table.table)
    if table.gains:
        yield _gain_section(table.gains)
    if table.official:
        yield _official_section(table.official)
        by_kind = _official_kinds(table.official)
        if by_kind.rows:
            yield by_kind
    if table.injection:
        yield _injection_section("Injection", table.injection, table.setting)
    for part in table.split:
        yield from _split_sections(part, table.setting)


def ablation_sections(table: AblationTable) -> Iterator[Section]:
    """What each component brings, in total and by kind."""
    rows = [_ablation_cells(row) for row in table.table]
    yield Section(
        "Ablation",
        "R@10 with one component switched off; what it brings, in points",
        ("without", "kind", "n", "R@10", "brings", "95 %", "ms", "× everything"),
        rows,
    )


def markdown(measured: Table | AblationTable) -> str:
    """The whole measurement as a Markdown page."""
    of = ablation_sections(measured) if isinstance(measured, AblationTable) else sections(measured)
    first, *rest = head(measured)
    lines = [f"# slowwave eval {measured.dataset}", "", f"{_cell(first)}.", ""]
    lines += [f"* {_cell(line)}" for line in rest]
    for section in of:
        lines += ["", f"## {_cell(section.title)}", ""]
        if section.note:
            lines += [f"{_cell(section.note)}.", ""]
        if not section.rows:
            continue
        lines.append(_line(section.columns))
        lines.append(_line(["---"] * len(section.columns)))
        lines += [_line(row) for row in section.rows]
    return "\n".join([*lines, ""])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(_cell, cells))} |"


def _cell(text: str) -> str:
    """Names come from data: none of them may end a cell or become markup."""
    plain = " ".join(text.split())
    for sign in "\\`*_<>|[]#":
        plain = plain.replace(sign, f"\\{sign}") if sign in plain else plain
    return plain


def _recall_section(title: str, note: str, rows: Sequence[Row]) -> Section:
    """Without the columns of sessions where there is only one."""
    several = any(row.s1 is not None for row in rows)
    columns = ["pipeline", "kind", "n", "R@5", "R@10", "95 %", "R@20", "tokens@10"]
    cells = []
    for row in rows:
        line = [row.pipeline, row.kind, str(row.n), _number(row.r5), _number(row.r10),
                _ends(row.ci10), _number(row.r20), f"{row.tokens10:.0f}"]  # fmt: skip
        if several:
            line += [_number(row.s1), _number(row.s5)]
        cells.append(tuple(line))
    if several:
        columns += ["session R@1", "session R@5"]
    return Section(title, note, tuple(columns), cells)


def _gain_section(gains: Sequence[Gain]) -> Section:
    rows = [
        (gain.over, gain.kind, str(gain.n), f"{gain.points:+.1f}", _ends(gain.ci))
        for gain in gains
        if gain.kind == TOTAL
    ]
    note = "R@10 of slowwave minus that of the other on the same questions, in points"
    return Section("Gain", note, ("over", "kind", "n", "points", "95 %"), rows)


def _injection_section(title: str, rows: Sequence[InjectionRow], setting: Setting) -> Section:
    cells = [
        (
            row.pipeline, row.over,
            "answerable: something" if row.answerable else "unanswerable: nothing",
            row.kind, str(row.n), _number(row.right), _ends(row.ci), _number(row.evidence),
        )
        for row in rows
    ]  # fmt: skip
    note = (
        f"What goes into a prompt at the threshold of {setting.min_score:g}: percent of questions "
        "that are right in that way, and that got a turn of their evidence"
    )
    columns = ("pipeline", "over", "right is", "kind", "n", "right", "95 %", "evidence")
    return Section(title, note, columns, cells)


def _split_sections(split: Split, setting: Setting) -> Iterator[Section]:
    if not split.conversations:
        yield Section(PARTS[split.part], "none", ("pipeline", "kind", "n"), [])
        return
    yield _recall_section(PARTS[split.part], ", ".join(split.conversations), split.table)
    if split.injection:
        title = f"{PARTS[split.part]}: injection"
        yield _injection_section(title, split.injection, setting)


def _official_section(rows: Sequence[Official]) -> Section:
    """Totals of all pipelines; the JSON has all kinds and cut-offs."""
    cells = [
        (row.pipeline, row.level, row.convention, *_cut_cells(row))
        for row in rows
        if row.kind == TOTAL
    ]
    note = (
        "official: without abstention and without questions that no user turn answers; "
        "every: all questions, sessions as the data set names them"
    )
    columns = ("pipeline", "level", "convention", *_cut_columns())
    return Section("LongMemEval's own protocol", note, columns, cells)


def _official_kinds(rows: Sequence[Official]) -> Section:
    cells = [
        (row.kind, row.level, row.convention, *_cut_cells(row))
        for row in rows
        if row.pipeline == OURS and row.kind != TOTAL
    ]
    columns = ("kind", "level", "convention", *_cut_columns())
    return Section("slowwave by kind of question", "", columns, cells)


def _cut_columns() -> tuple[str, ...]:
    measures = (f"{name}@{k}" for k in SHOWN_CUTS for name in ("all", "ndcg"))
    return ("n", "any@5", *measures, "95 % all@10")


def _cut_cells(row: Official) -> tuple[str, ...]:
    at = {cut.k: cut for cut in row.at}
    shown = [_number(at[5].recall_any)]
    for k in SHOWN_CUTS:
        shown += [_number(at[k].recall_all), _number(at[k].ndcg_any)]
    return (str(row.n), *shown, _ends(at[10].ci))


def _ablation_cells(row: AblationRow) -> tuple[str, ...]:
    brings = "" if row.brings is None else f"{row.brings:+.1f}"
    return (
        row.without, row.kind, str(row.n), _number(row.r10), brings, _ends(row.ci),
        f"{row.ms:.1f}", f"{row.ratio:.2f}",
    )  # fmt: skip


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def _ends(ends: Interval | None) -> str:
    return "" if ends is None else f"{ends[0]:.1f} to {ends[1]:.1f}"
