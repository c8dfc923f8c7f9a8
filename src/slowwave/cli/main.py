"""`slowwave`: the group, the global options, and what happens with errors.

Each command lives in a module of its own kind, and is listed here.
"""

import gc
import importlib
import itertools
import os
import re
import sys
from collections.abc import Mapping
from typing import Any

import click

from slowwave import __version__
from slowwave.cli.door import (
    EXIT_STOPPED,
    Door,
    fail,
    let_go_of_stdout,
    prepare_streams,
)
from slowwave.errors import InputError, SlowwaveError, UsageError

GARBAGE_AFTER = 20_000
"""New objects after which Python looks for cycles."""

COMMANDS: Mapping[str, str] = {
    "init": "capture.init",
    "log": "capture.log",
    "import": "capture.import_",
    "turn": "turning.turn",
    "dream": "dreaming.dream",
    "dreams": "reviewing.dreams",
    "recall": "recalling.recall",
    "context": "recalling.context",
    "injections": "injecting.injections",
    "wrong": "injecting.wrong",
    "trial": "trial.trial",
    "memories": "handwork.memories",
    "why": "archive.why",
    "history": "archive.history",
    "conflicts": "handwork.conflicts",
    "working": "working.working",
    "vault": "vaulting.vault",
    "export": "exporting.export",
    "forget": "erasing.forget",
    "status": "archive.status",
    "doctor": "archive.doctor",
    "stats": "statistics.stats",
    "schedule": "scheduling.schedule",
    "serve": "serving.serve",
    "mcp": "serving.mcp",
    "token": "serving.token",
    "connect": "connecting.connect",
    "hook": "hooking.hook",
    "inspect": "looking.inspect",
    "model": "modelling.model",
    "privacy": "privacy.privacy",
    "eval": "measuring.evaluate",
    "demo": "extras.demo",
}
"""Where each command is, in the order of the flow. Only the one that is called is loaded: all of
them together are a tenth of a recall."""


class ReaderGone(Exception):
    """Whoever read stdout (`head`, `less`) has seen enough."""


class Stopped(Exception):
    """Somebody stopped the command; the message is what he should know."""


class Cli(click.Group):
    """The whole command line. click would end it with exit code 1 when the reader has gone."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands, in the order of the flow."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command, loaded from its module; None for a name that is none."""
        del ctx
        where = COMMANDS.get(cmd_name)
        return command_at(where) if where is not None else None

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


def command_at(where: str) -> click.Command:
    """The command that is `where`: the name of its module and its own, with a dot between."""
    module, _, name = where.partition(".")
    found: click.Command = getattr(importlib.import_module(f"slowwave.cli.{module}"), name)
    return found


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
    hint = f"see `{path} --help`{_nearest(error, context)}"
    return fail(UsageError(message, hint), as_json=as_json)


def _nearest(error: click.ClickException, context: click.Context | None) -> str:
    """The command that may have been meant."""
    wrong = re.fullmatch(r"No such command '(.*)'\.?", error.format_message())
    if wrong is None or context is None or not isinstance(context.command, click.Group):
        return ""
    # Only a slip needs it.
    import difflib  # noqa: PLC0415

    near = difflib.get_close_matches(wrong[1], context.command.list_commands(context), n=1)
    return f"; did you mean `{near[0]}`?" if near else ""


def _refused(error: OSError, *, as_json: bool) -> int:
    """The system would not do what no room expected it to refuse, such as writing the answer."""
    what = f"{error.filename}: " if error.filename else "cannot write the answer: "
    if not error.filename:
        let_go_of_stdout()
    hint = "check its permissions and the free space"
    return fail(InputError(f"{what}{error.strerror or error}", hint), as_json=as_json)
