"""`slowwave`: the group, the global options, and what happens with errors.

Each command lives in a module of its own kind; they are listed here in the order of the flow.
"""

import sys
from typing import Any

import click

from slowwave import __version__
from slowwave.cli import archive, capture, dreaming, extras, looking, recalling
from slowwave.cli.door import EXIT_STOPPED, Door, fail, prepare_streams
from slowwave.errors import SlowwaveError, UsageError

COMMANDS = (
    capture.init,
    capture.log,
    capture.import_,
    dreaming.dream,
    dreaming.dreams,
    recalling.recall,
    recalling.context,
    archive.memories,
    archive.why,
    archive.history,
    archive.status,
    archive.doctor,
    looking.inspect,
    extras.evaluate,
    extras.demo,
)


class Ordered(click.Group):
    """Lists its commands in the order of the flow, not of the alphabet."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands, as they were added."""
        del ctx
        return list(self.commands)


@click.group(
    cls=Ordered,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""\b
Examples:
  slowwave import ~/.openclaw            read an agent's logs
  slowwave dream --date all --apply      dream over everything not dreamed yet
  slowwave recall "where do I live"      search, with the words it rests on
  slowwave demo                          a fortnight of an invented assistant
""",
)
@click.option("--home", help="The home folder [SLOWWAVE_HOME, else ~/.slowwave].")
@click.option("--space", envvar="SLOWWAVE_SPACE", help="Whose memory [default].")
@click.option("--now", help="Stand at this moment (ISO 8601), for tests and replays.")
@click.option("--tz", help="Your time zone (IANA name) [settings, else the system's].")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value on stdout.")
@click.version_option(__version__, "-V", "--version", prog_name="slowwave")
@click.pass_context
def cli(ctx: click.Context, /, as_json: bool, **options: Any) -> None:
    """A memory for AI agents that sleeps.

    By day it keeps every event; at night it dreams: every dream is a change you can read, approve,
    trace to the exact words it rests on, and undo.
    """
    door = Door()
    door.json = as_json
    door.options.update(options)
    ctx.obj = door
    ctx.call_on_close(door.close)


for _command in COMMANDS:
    cli.add_command(_command)


def main() -> None:
    """Runs the command line and exits: 0 done, 1 failed, 2 wrong usage, 3 some input skipped."""
    prepare_streams()
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """One call, with its exit code."""
    as_json = "--json" in arguments
    try:
        code = cli.main(arguments, prog_name="slowwave", standalone_mode=False)
    except SlowwaveError as error:
        return fail(error, as_json=as_json)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        if not as_json:
            error.show()
            return error.exit_code
        hint = "see `slowwave --help`"
        return fail(UsageError(error.format_message(), hint), as_json=True)
    except (KeyboardInterrupt, click.Abort):
        click.echo("slowwave: stopped; what was acknowledged is kept", err=True)
        return EXIT_STOPPED
    except BrokenPipeError:
        # The reader (`head`, `less`) has seen enough. Nothing may be printed on the way out.
        sys.stdout = None
        return 0
    return code if isinstance(code, int) else 0
