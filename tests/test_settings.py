"""Settings: strict, with a suggestion for what was mistyped."""

import pytest

from slowwave.errors import SettingsError
from slowwave.settings import Settings, build, home_of, zone_of


def test_defaults() -> None:
    assert build({}, {}, "x") == Settings()


def test_the_environment_wins_over_the_file() -> None:
    table = {"tz": "Europe/Paris", "model": {"name": "a", "base_url": "http://localhost:1"}}
    made = build(table, {"SLOWWAVE_TZ": "Asia/Shanghai", "SLOWWAVE_MODEL_NAME": "b"}, "x")
    assert made.tz == "Asia/Shanghai"
    assert (made.model.name, made.model.base_url) == ("b", "http://localhost:1")
    assert table["model"]["name"] == "a", "the caller's table was changed"


@pytest.mark.parametrize(
    ("table", "environment", "suggestion"),
    [
        ({"ownner": "x"}, {}, "owner"),
        ({"recall": {"neighbors": 3}}, {}, "neighbours"),
        ({"dream": {"time_day": 3}}, {}, "time_days"),
        ({}, {"SLOWWAVE_EMBEDER": "none"}, "SLOWWAVE_EMBEDDER"),
    ],
)
def test_an_unknown_key_is_refused_with_a_suggestion(table, environment, suggestion: str) -> None:
    with pytest.raises(SettingsError) as caught:
        build(table, environment, "slowwave.toml")
    assert suggestion in caught.value.hint


@pytest.mark.parametrize(
    "table",
    [
        {"recall": {"k": "many"}},
        {"recall": {"k": -3}},
        {"recall": {"min_score": 7}},
        {"preset": "nightmare"},
        {"recall": 3},
        {"tz": "No/Where"},
    ],
)
def test_a_bad_value_is_refused(table) -> None:
    with pytest.raises(SettingsError):
        build(table, {}, "slowwave.toml")


def test_zone_of() -> None:
    assert zone_of("").key == "UTC"
    with pytest.raises(SettingsError):
        zone_of("../etc/passwd")


def test_home_of() -> None:
    assert str(home_of({"SLOWWAVE_HOME": "/a"}, None)) == "/a"
    assert str(home_of({"SLOWWAVE_HOME": "/a"}, "/b")) == "/b"
    assert "~" not in str(home_of({}, None))
