"""What is to wait: what would reach others is a hold, the order of the next steps is not."""

from datetime import UTC, datetime

import pytest

from slowwave.dream.distill.rules import distill
from slowwave.model import Claim, Event

NOON = datetime(2026, 4, 15, 12, tzinfo=UTC)


def learned(text: str) -> tuple[Claim, ...]:
    event = Event(
        id="e1", space="s", identity="e1", ts=NOON, role="user", kind="message", origin="owner",
        text=text, source="test",
    )  # fmt: skip
    return distill([event], UTC).claims


@pytest.mark.parametrize(
    "text",
    [
        "先别给物业打款",
        "先不要对外公布名单",
        "先别通知经销商",
        "先不要上架那批杯子",
        "先别跟他妈说",
    ],
)
def test_what_must_not_go_out_yet_is_a_hold(text: str) -> None:
    (claim,) = learned(text)
    assert (claim.kind, claim.standing, claim.negated) == ("rule", "temporary", True)


@pytest.mark.parametrize("text", ["先别画图，先列提纲", "先不要改字体", "先别给我看代码"])
def test_the_order_of_the_next_steps_is_none(text: str) -> None:
    assert not learned(text)
