"""The pictures of docs/img: what a terminal shows, from the real commands on the demo's home.

    python bench/pictures.py            # `make docs` runs it

Plays the demo, then draws `dreams diff` of one of its nights and `why` of the memory that replaced
another in it, as SVG.
"""

import contextlib
import io
import os
import re
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

from slowwave import demo
from slowwave.cli.main import cli
from slowwave.model import Supersede
from slowwave.ports import no_progress

FOLDER = Path(__file__).parent.parent / "docs" / "img"
WIDTH = 108
_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


class Screen(io.StringIO):
    """Output that says it is a terminal, so that lines are wrapped as on one."""

    def isatty(self) -> bool:
        """It is."""
        return True


def terminal(home: Path, *arguments: str) -> str:
    """What a command prints on a terminal, colours included."""
    out = Screen()
    head = ["--home", str(home), "--tz", demo.ZONE]
    with contextlib.redirect_stdout(out):
        cli.main([*head, *arguments], prog_name="slowwave", standalone_mode=False, color=True)
    return out.getvalue().rstrip()


def draw(name: str, command: str, shown: str) -> Path:
    """Draws a terminal window that shows a command and its answer."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(f"\x1b[1m$ {command}\x1b[0m"))
    console.print(Text.from_ansi(shown))
    target = FOLDER / f"{name}.svg"
    FOLDER.mkdir(parents=True, exist_ok=True)
    # A fixed id keeps the file the same byte for byte as long as what it shows is.
    svg = console.export_svg(title="slowwave", unique_id=name)
    # Nobody's browser should ask a font server because he reads our pages.
    target.write_text(_FONTS.sub("", svg), "utf-8")
    return target


def main() -> None:
    """Draws all pictures."""
    os.environ["COLUMNS"] = str(WIDTH)
    for variable in [name for name in os.environ if name.startswith("SLOWWAVE_")]:
        del os.environ[variable]
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        story = demo.play(home, no_progress)
        dream = story.shown
        heir = next(
            change.after.superseded_by
            for change in dream.changes
            if isinstance(change, Supersede) and change.after.superseded_by
        )
        for name, arguments in (
            ("dreams-diff", ("dreams", "diff", dream.dream_id)),
            ("why", ("why", heir)),
        ):
            print(draw(name, " ".join(("slowwave", *arguments)), terminal(home, *arguments)))


if __name__ == "__main__":
    main()
