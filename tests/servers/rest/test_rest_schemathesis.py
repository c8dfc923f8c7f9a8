"""The whole schema, asked by a machine: nothing breaks, every answer is what the schema says."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig

from slowwave.model import Record
from slowwave.servers.app import build
from slowwave.servers.doors import Doors
from slowwave.servers.rest import ROUTES
from slowwave.servers.tokens import Keys
from slowwave.spaces import Spaces
from slowwave.wiring import Options

pytestmark = pytest.mark.slow

EXAMPLES = 25
"""Requests of each operation and mode."""
TOKEN = {"Authorization": "Bearer a-token-of-this-test"}
CHECKS = {
    "checks": {
        # What fits the schema may still be impossible (422); it is never malformed (400).
        "positive_data_acceptance": {
            "expected-statuses": ["2xx", "401", "403", "404", "409", "422"]
        },
        "negative_data_rejection": {
            "expected-statuses": [
                "400", "401", "403", "404", "405", "406", "409", "413", "415", "422",
            ]
        },
        "not_a_server_error": {"expected-statuses": ["2xx", "4xx"]},
    }
}  # fmt: skip


def without_lifespan(app: Any) -> Any:
    """The server without its beginning and its end, which it has once; its caller has many."""

    async def served(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "lifespan":
            await app(scope, receive, send)
            return
        for step in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{step}.complete"})

    return served


@pytest.fixture(scope="module")
def operations(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """Every operation of the served schema, on a small home."""
    home = tmp_path_factory.mktemp("machine") / "home"
    home.mkdir()
    (home / "slowwave.toml").write_text("[server]\nfailures_per_minute = 0\n")
    options = Options(home=str(home), tz="Asia/Shanghai")
    spaces = Spaces(options, {"SLOWWAVE_EMBEDDER": "none"})
    memory = spaces.first
    said = ("I am allergic to peanuts", "I live in Ghent", "Next Friday I fly to Oslo")
    memory.log([Record(text=text, source="jsonl", session="s3") for text in said])
    memory.dream("all", apply=True)
    app = build(Doors(spaces, Keys(home, TOKEN["Authorization"].split()[1])))
    config = SchemathesisConfig.from_dict(CHECKS)
    schema = schemathesis.openapi.from_asgi(
        "/openapi.json", without_lifespan(app), headers=TOKEN, config=config
    )
    found = {one.ok().label: one.ok() for one in schema.get_all_operations()}
    yield found
    spaces.close()


NAMES = [f"{route.method} {route.path}" for route in ROUTES]


@pytest.mark.parametrize("mode", list(GenerationMode))
@pytest.mark.parametrize("name", NAMES)
def test_every_answer_is_what_the_schema_says(
    operations: dict[str, Any], name: str, mode: GenerationMode
) -> None:
    if name == "GET /healthz" and mode is GenerationMode.NEGATIVE:
        pytest.skip("it takes nothing that could be wrong")

    @settings(
        max_examples=EXAMPLES, deadline=None, database=None,
        suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate],
    )  # fmt: skip
    @given(case=operations[name].as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        case.call_and_validate(headers=TOKEN)

    ask()


def test_nothing_is_left_out(operations: dict[str, Any]) -> None:
    assert set(NAMES) <= set(operations)


def test_the_home_is_sound_after_all_of_it(operations: dict[str, Any], tmp_path: Path) -> None:
    del tmp_path
    case = operations["GET /v1/doctor"].Case()
    assert case.call(headers=TOKEN).json()["ok"]
