"""A transcript of pictures is read in bounded memory (the measuring script is in bench/)."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "bench" / "import_memory.py"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["openclaw-session", "claude-code"])
def test_peak_memory_stays_under_the_limit(name: str) -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--mib", "60", "--largest", "30", "--format", name],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
