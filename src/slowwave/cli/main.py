"""`slowwave`: the group, the global options, and what happens with errors.

Each command lives in a module of its own kind; they are listed here in the order of the flow.
"""

import gc
import itertools
import os
import sys
from typing import Any

import click

from slowwave import __version__
from slowwave.cli import (
    archive,
    capture,
    dreaming,
    erasing,
    extras,
    handwork,
    injecting,
    looking,
    measuring,
    modelling,
    privacy,
    recalling,
    scheduling,
    trial,
    turning,
    vaulting,
    working,
)
from slowwave.cli.door import (
    EXIT_STOPPED,
    Door,
    Ordered,
    fail,
    let_go_of_stdout,
    prepare_streams,
)
from slowwave.errors import InputError, SlowwaveError, UsageError

GARBAGE_AFTER = 20_000
"""New objects after which Python looks for cycles."""

COMMANDS = (
    capture.init,
    capture.log,
    capture.import_,
    turning.turn,
    dreaming.dream,
    dreaming.dreams,
    recalling.recall,
    recalling.context,
    injecting.injections,
    injecting.wrong,
    trial.trial,
    archive.memories,
    archive.why,
    archive.history,
    handwork.conflicts,
    working.working,
    vaulting.vault,
    erasing.forget,
    archive.status,
    archive.doctor,
    archive.stats,
    scheduling.schedule,
    looking.inspect,
    modelling.model,
    privacy.privacy,
    measuring.evaluate,
    extras.demo,
)


class ReaderGone(Exception):
    """Whoever read stdout (`head`, `less`) has seen enough."""


class Stopped(Exception):
    """Somebody stopped the command; the message is what he should know."""


class Cli(Ordered):
    """The whole command line. click would end it with exit code 1 when the reader has gone."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Parses the arguments; `--help` prints here."""
        try:
            return super().make_context(*args, **kwargs)
        except BrokenPipeError as error:
            raise ReaderGone from error

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ReaderGone from error
        except (KeyboardInterrupt, click.Abort) as error:
            writing = isinstance(ctx.obj, Door) and ctx.obj.writing
            raise Stopped("; what was acknowledged is kept" if writing else "") from error


@click.group(
    cls=Cli,
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
    and trace to the exact words it rests on.
    """
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        ctx.color = False
    door = Door()
    door.json = as_json
    door.options.update(options)
    ctx.obj = door
    ctx.call_on_close(door.close)


for _command in COMMANDS:
    cli.add_command(_command)


def main() -> None:
    """Runs the command line and exits: 0 done, 1 failed, 2 wrong usage, 3 some input skipped."""
    # A command loads a lot and lives for a moment: looking for cycles every 700 objects is a
    # twentieth of a recall.
    gc.set_threshold(GARBAGE_AFTER, 10, 10)
    prepare_streams()
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """One call, with its exit code."""
    as_json = "--json" in itertools.takewhile(lambda argument: argument != "--", arguments)
    try:
        code = cli.main(arguments, prog_name="slowwave", standalone_mode=False)
    except SlowwaveError as error:
        return fail(error, as_json=as_json)
    except click.ClickException as error:
        return _misused(error, as_json=as_json)
    except (KeyboardInterrupt, click.Abort, Stopped) as stop:
        click.echo(f"slowwave: stopped{stop if isinstance(stop, Stopped) else ''}", err=True)
        return EXIT_STOPPED
    except ReaderGone:
        let_go_of_stdout()
        return 0
    except OSError as error:
        return _refused(error, as_json=as_json)
    return code if isinstance(code, int) else 0


def _misused(error: click.ClickException, *, as_json: bool) -> int:
    """A call that click did not understand."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError) and not as_json:
        error.show()
        return error.exit_code
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "slowwave"
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return fail(UsageError("no command given", f"see `{path} --help`"), as_json=True)
    message = error.format_message().rstrip(".")
    return fail(UsageError(message, f"see `{path} --help`"), as_json=as_json)


def _refused(error: OSError, *, as_json: bool) -> int:
    """The system would not do what no room expected it to refuse, such as writing the answer."""
    what = f"{error.filename}: " if error.filename else "cannot write the answer: "
    if not error.filename:
        let_go_of_stdout()
    hint = "check its permissions and the free space"
    return fail(InputError(f"{what}{error.strerror or error}", hint), as_json=as_json)
