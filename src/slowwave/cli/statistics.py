"""`slowwave stats`: numbers over time, what a week's log is about, and both as pictures."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from slowwave.cli import render
from slowwave.cli.door import Door, NamedPath, common, progress_bar
from slowwave.errors import UsageError
from slowwave.pictures.looks import Theme
from slowwave.pictures.words import PICTURES, Language

if TYPE_CHECKING:
    from slowwave.dream.topics.week import Topics
    from slowwave.pictures import PictureName
    from slowwave.stats import Stats

ENDINGS = (".png", ".svg")
BAR = 30
"""Cells of the longest bar in a table."""


@click.command(
    epilog="""\b
Examples:
  slowwave stats                                   numbers, month by month
  slowwave stats --plot memory.png                 all pictures on one page (or .svg)
  slowwave stats --topics                          what the last week of the log is about
  slowwave stats --topics --days 30 --plot t.svg   the same as a picture
  slowwave stats --plot k.svg --picture kinds --theme dark
"""
)
@click.option("--plot", "file", type=NamedPath(), metavar="FILE",
              help="Draw into FILE (it is replaced): PNG or SVG, by its ending.")  # fmt: skip
@click.option("--picture", "names", type=click.Choice(PICTURES), multiple=True,
              help="Draw only this one. Repeat for several.")  # fmt: skip
@click.option("--topics", "only_topics", is_flag=True,
              help="What the log is about; needs no dream.")  # fmt: skip
@click.option("--days", type=click.IntRange(1, 366), default=7, show_default=True,
              help="How many days of the log topics are looked for in.")  # fmt: skip
@click.option("--language", type=click.Choice(get_args(Language)),
              help="Language of the pictures [that of the system].")  # fmt: skip
@click.option("--theme", type=click.Choice(get_args(Theme)), default="light", show_default=True,
              help="Colours of the pictures.")  # fmt: skip
@common
def stats(
    door: Door, file: Path | None, names: tuple["PictureName", ...], only_topics: bool, **how: Any
) -> None:
    """What the memory is made of: kinds, growth, compression; what the log is about.

    The days that topics are looked for in end with the last one on which something was said.
    """
    if names and file is None:
        raise UsageError("--picture goes with --plot", "say --plot FILE")
    wanted = names or (("topics",) if only_topics else PICTURES)
    if file is not None:
        _refuse(file)
    memory = door.memory(create=False)
    found = None if only_topics and file is None else memory.stats()
    topics = None
    if only_topics or (file is not None and "topics" in wanted):
        with progress_bar() as progress:
            topics = memory.topics(how["days"], progress)
    drawn: dict[str, Any] = {}
    if file is not None and found is not None:
        drawn = _draw(file, wanted, (found, topics), how)
    shown = topics if only_topics else found
    door.answer(_as_json(shown, drawn), lambda: _show(found, topics, drawn, only_topics))


def _refuse(file: Path) -> None:
    """Before the work begins: what could not be drawn in the end."""
    from slowwave.pictures.drawing import must_draw  # noqa: PLC0415 - start-up counts
    from slowwave.wiring import refuse_target  # noqa: PLC0415 - as above

    if file.suffix.lower() not in ENDINGS:
        ending = f"`{file.suffix}`" if file.suffix else "without an ending"
        raise UsageError(f"no picture can be drawn into a file {ending}",
                         "name one that ends in .png or .svg")  # fmt: skip
    refuse_target(file, replace=True)
    must_draw()


def _draw(
    file: Path,
    names: Sequence["PictureName"],
    numbers: tuple["Stats", "Topics | None"],
    how: Mapping[str, Any],
) -> dict[str, Any]:
    """Draws pictures into a file, whole or not at all; returns what is told of it."""
    from slowwave.pictures import png, sheet  # noqa: PLC0415 - start-up counts
    from slowwave.wiring import new_file  # noqa: PLC0415 - as above

    language = how["language"] or language_of(os.environ)
    ending = file.suffix.lower()
    page = sheet(names, *numbers, language=language, theme=how["theme"])
    body = png(page) if ending == ".png" else page.encode()
    with new_file(file, replace=True) as stream:
        stream.write(body)
    return {
        "file": str(file), "format": ending[1:], "pictures": list(names), "bytes": len(body),
    }  # fmt: skip


def language_of(environment: Mapping[str, str]) -> Language:
    """The language that the system speaks, as far as there are pictures in it."""
    said = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG")
                 if environment.get(name)), "")  # fmt: skip
    return "zh" if said.lower().startswith("zh") else "en"


def _as_json(shown: object, drawn: Mapping[str, Any]) -> object:
    if not drawn:
        return shown
    import msgspec  # noqa: PLC0415 - only here

    return {**msgspec.to_builtins(shown), **drawn}


def _show(
    found: "Stats | None", topics: "Topics | None", drawn: Mapping[str, Any], only_topics: bool
) -> None:
    if drawn:
        number = render.plural(len(drawn["pictures"]), "picture")
        render.line(f"{number} in {drawn['file']}")
    elif only_topics and topics is not None:
        show_topics(topics)
    elif found is not None:
        show_stats(found)


def show_topics(topics: "Topics") -> None:
    """Prints the topics of a span of days."""
    if not topics.topics:
        click.echo("no topics: too little was said" + (
            f" from {topics.first} to {topics.last}" if topics.first else " so far"))  # fmt: skip
        return
    render.heading(f"{topics.first} to {topics.last}: {render.plural(topics.messages, 'message')}")
    most = topics.topics[0].messages
    rows = [
        (one.name, ", ".join(one.words), str(one.messages), f"{one.share:.0%}",
         "█" * max(1, round(BAR * one.messages / most)))
        for one in topics.topics
    ]  # fmt: skip
    render.table(("topic", "also", "messages", "share", ""), rows)
    rest = f"{topics.other} of no topic" if topics.other else "all of them of a topic"
    render.line(f"{rest}; not read: {topics.left_out} (tools, greetings, code)")
    if topics.by == "words":
        render.line("compared by words alone: no embedder is set")


def show_stats(found: "Stats") -> None:
    """Prints the statistics of a space."""
    total = sum(found.kinds.values())
    if not total and not found.months:
        click.echo("nothing to tell yet: no memories")
        return
    render.heading(f"{render.plural(total, 'current memory')}, "
                   f"{found.events_per_memory:g} events each")  # fmt: skip
    rows = [(kind, str(number), f"{number / total:.0%}", "█" * round(BAR * number / total))
            for kind, number in found.kinds.items()]  # fmt: skip
    render.table(("kind", "count", "share", ""), rows)
    if found.months:
        click.echo()
        render.table(
            ("month", "events", "new", "changed", "archived", "kinds"),
            [(one.month, str(one.events), str(one.new), str(one.changed), str(one.archived),
              ", ".join(f"{kind} {number}" for kind, number in one.kinds.items()))
             for one in found.months],
        )  # fmt: skip
