"""The reference page of all commands, from their own help: `python -m slowwave.cli.reference`."""

from collections.abc import Iterator

import click

from slowwave.cli.main import cli

WIDTH = 96

HEAD = """# Commands

Generated from the commands' own help (`make docs`); a test fails when it is stale.
`--json` prints one JSON value on stdout. `--json`, `--home`, `--space`, `--now` and `--tz` may
stand before or after a command. A `--now` without an offset is in your own zone.
Exit codes: 0 done, 1 the operation failed, 2 wrong usage, 3 done but some damaged input was
skipped, 130 stopped with Ctrl-C.
"""


def walk(
    command: click.Command, path: tuple[str, ...], parent: click.Context | None = None
) -> Iterator[tuple[tuple[str, ...], str]]:
    """`(path, help text)` of a command and everything below it, in the order of the help."""
    # What the group sets (such as -h) reaches a command through its parent only.
    parent = parent or click.Context(
        cli, info_name="slowwave", terminal_width=WIDTH, **cli.context_settings
    )
    own = command is cli
    context = parent if own else click.Context(command, parent=parent, info_name=path[-1])
    yield path, command.get_help(context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None:
                yield from walk(below, (*path, name), context)


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for path, text in walk(cli, ("slowwave",)):
        parts.append(f"{'#' * min(len(path) + 1, 3)} `{' '.join(path)}`\n\n```text\n{text}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    click.echo(page(), nl=False)
