"""`demo`: see the whole line at work."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from slowwave.cli import diff, render
from slowwave.cli.door import Door, NamedPath, common, progress_bar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slowwave.demo import Answer, Story


@click.command(
    epilog="""\b
Example:
  slowwave demo --keep ./demo
  slowwave --home ./demo recall 报价单
"""
)
@click.option("--keep", type=NamedPath(),
              help="Leave the demo's home in this new folder.")  # fmt: skip
@common
def demo(door: Door, keep: Path | None) -> None:
    """A fortnight of an invented assistant: imported, dreamed day by day, asked four questions.

    Plays in a home of its own; your home and your settings are not touched.
    """
    from slowwave.demo import play  # noqa: PLC0415 - start-up counts

    with progress_bar() as progress:
        story = play(keep, progress)
    door.answer(story, lambda: show_story(story))


def show_story(story: "Story") -> None:
    """Prints what the demo did, in the order it happened."""
    voices = diff.voices(story.quoted)
    render.heading(
        f"1 · {story.events} events of {len(story.nights)} days, from {story.files} files"
    )
    click.echo()
    render.heading("2 · dreamed night by night, without a model")
    rows = [
        (night.date, str(night.input_events), str(night.extracted_items), str(night.new_entries),
         str(night.updated_entries + night.merged_entries), str(night.confirmed_entries),
         str(night.archived_entries))
        for night in story.nights
    ]  # fmt: skip
    columns = ("night", "events", "claims", "new", "changed", "confirmed", "archived")
    render.table(columns, rows)
    click.echo()
    render.heading("3 · one of these dreams, as a change you could have refused")
    diff.show_diff(story.shown, voices)
    click.echo()
    render.heading("4 · four questions, answered with the words they rest on")
    for asked in story.answers:
        _show_answer(asked, voices)
    click.echo()
    click.echo(f"{story.characters} characters of log became {story.kept} characters of memory")
    if story.home:
        click.echo(f"kept: slowwave --home {shlex.quote(story.home)} memories")


def _show_answer(asked: "Answer", voices: "Mapping[str, str]") -> None:
    click.echo()
    render.line(f"? {asked.question}", fg="cyan", bold=True)
    if asked.hit is None:
        click.echo("  nothing known")
        return
    render.line(asked.hit.text, indent=2)
    for span in asked.evidence:
        render.line(diff.quote(span, voices), indent=4, hang=1, dim=True)
