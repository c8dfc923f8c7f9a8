"""The settings of a model: strict, and never shown with the key."""

import pytest

from slowwave.errors import SettingsError
from slowwave.settings import ModelSettings, Settings, build


def test_nothing_leaves_by_default() -> None:
    assert Settings().model.privacy == "local-only"


def test_the_key_and_a_login_are_never_shown() -> None:
    table = {"model": {"api_key": "k-secret", "base_url": "https://me:pw@models.test/v1"}}
    made = build(table, {}, "x")
    shown = f"{made!r} {made.model} {[made.model]}"
    assert "k-secret" not in shown
    assert "pw" not in shown
    assert "https://models.test/v1" in shown
    assert made.model.api_key == "k-secret"


@pytest.mark.parametrize(
    "wrong",
    [{"privacy": "none"}, {"timeout": 0}, {"max_tokens_per_dream": -1}, {"price_in": -0.1},
     {"fallback": "wait"}, {"raw_days": -3}, {"price": 1}],
)  # fmt: skip
def test_senseless_values_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(SettingsError):
        build({"model": wrong}, {}, "x")


def test_an_address_without_a_login_stays_as_it_is() -> None:
    for url in ("", "unix:/run/m.sock", "http://localhost:11434/v1"):
        assert repr(url) in repr(ModelSettings(base_url=url))
