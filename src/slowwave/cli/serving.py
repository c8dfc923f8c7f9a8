"""Commands of the server: serve, mcp, token."""

from typing import TYPE_CHECKING, Any, cast

import click

from slowwave.cli import render
from slowwave.cli.door import Door, Ordered, common
from slowwave.errors import SettingsError

if TYPE_CHECKING:
    from slowwave.servers.access import Scope

SCOPES = ("read", "log", "review", "admin")
PORT = 8377


@click.command(
    epilog="""\b
Examples:
  slowwave serve                                   http://127.0.0.1:8377, this machine only
  slowwave token add phone --scope read --scope log
  slowwave serve --host 0.0.0.0                    others too, with a token
"""
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True,
              help="0 takes any that is free.")  # fmt: skip
@click.option("--no-dreams", is_flag=True, help="Do not dream by itself.")
@common
def serve(door: Door, host: str, port: int, no_dreams: bool) -> None:
    """REST, MCP, the OpenAI-compatible proxy, the dashboard and the scheduler in one process.

    Ends with Ctrl-C; what was acknowledged is kept.
    """
    try:
        # The web frameworks take longer to load than most commands to run.
        from slowwave.servers.serve import serve as run  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise _missing("slowwave serve", error) from error
    from slowwave.wiring import Options  # noqa: PLC0415

    run(Options(**door.options), host, port, lambda words: click.echo(words, err=True),
        dreams=not no_dreams)  # fmt: skip


@click.command(
    epilog="""\b
Examples:
  slowwave mcp                                     for a client that starts it by itself
  claude mcp add memory -- slowwave mcp
  slowwave --space work mcp                        another memory
"""
)
@common
def mcp(door: Door) -> None:
    """The Model Context Protocol over standard input and output, for one agent.

    Tools: memory_search, memory_get, memory_context, memory_log, memory_remember, memory_forget
    (asks), dream_run, dream_review. Over HTTP it is at /mcp of `slowwave serve`.
    """
    try:
        from slowwave.servers.mcp import over_stdio  # noqa: PLC0415 - as in `serve`
    except ModuleNotFoundError as error:
        raise _missing("slowwave mcp", error) from error
    from slowwave.spaces import Spaces  # noqa: PLC0415 - as in `serve`
    from slowwave.wiring import Options  # noqa: PLC0415 - as in `serve`

    spaces = Spaces(Options(**door.options))
    try:
        over_stdio(spaces, spaces.default)
    finally:
        spaces.close()


def _missing(command: str, error: ModuleNotFoundError) -> SettingsError:
    return SettingsError(
        f"`{command}` needs {error.name}, which is not installed",
        'pip install "slowwave[server,mcp]"',
    )


@click.group(
    cls=Ordered,
    epilog="""\b
Examples:
  slowwave token add laptop --scope review
  slowwave token add agent --scope read --scope log --only ada
  slowwave token list
  slowwave token remove laptop
""",
)
def token() -> None:
    """Tokens that open the server: what each may do, and whose memory it sees.

    read: ask and look. log: write to the journal. review: read, dream, decide, change by hand.
    admin: everything, also forgetting for good. Once there is one, nobody comes in without.
    """


@token.command("add")
@click.argument("name")
@click.option("--scope", "scopes", multiple=True, required=True, type=click.Choice(SCOPES),
              help="What it may do; may be given several times.")  # fmt: skip
@click.option("--only", "only", multiple=True, metavar="SPACE",
              help="Sees this space only; may be given several times.")  # fmt: skip
@common
def add(door: Door, name: str, scopes: tuple[str, ...], only: tuple[str, ...]) -> None:
    """Makes a token, and prints it this once."""
    from slowwave.servers import tokens  # noqa: PLC0415 - as in `serve`
    from slowwave.settings import space_name  # noqa: PLC0415 - as in `serve`

    memory = door.memory()
    spaces = tuple(dict.fromkeys(space_name(one) for one in only))
    wanted = cast("tuple[Scope, ...]", tuple(dict.fromkeys(scopes)))
    made = tokens.add(memory.parts.home, name, wanted, spaces, memory.now())
    answer = {"name": name, "token": made, "scopes": wanted, "spaces": spaces}

    def show() -> None:
        click.echo(made)
        click.echo("keep it: it is not shown again", err=True)

    door.answer(answer, show)


@token.command("list")
@common
def list_(door: Door) -> None:
    """The tokens, without what opens the server."""
    from slowwave.servers import tokens  # noqa: PLC0415 - as in `serve`

    known = [tokens.told(one) for one in tokens.read(door.memory().parts.home)]

    def show() -> None:
        if not known:
            click.echo("no tokens: the server is open to this machine, and to nobody else")
            return
        render.table(("name", "scopes", "spaces", "made"), [_row(one) for one in known])

    door.answer(known, show)


def _row(one: Any) -> tuple[str, ...]:
    made = one["made"].strftime("%Y-%m-%d") if one["made"] else ""
    return (one["name"], ", ".join(one["scopes"]), ", ".join(one["spaces"]) or "every one", made)


@token.command("remove")
@click.argument("name")
@common
def remove(door: Door, name: str) -> None:
    """Takes a token away; it opens nothing from now on."""
    from slowwave.servers import tokens  # noqa: PLC0415 - as in `serve`

    tokens.remove(door.memory().parts.home, name)
    door.answer({"removed": name}, lambda: click.echo(f"removed {name}"))
