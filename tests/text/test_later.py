import re

import pytest

from slowwave.text.later import later


def test_a_pattern_is_used_as_any_other() -> None:
    found = later(r"(?P<name>[a-z]+)\d", re.IGNORECASE)
    match = found.search("see Kiln7")
    assert match is not None
    assert match["name"] == "Kiln"
    assert [each.group() for each in found.finditer("a1 b2")] == ["a1", "b2"]
    assert found.sub("-", "a1 b2") == "- -"
    assert found.pattern == r"(?P<name>[a-z]+)\d"
    assert found.flags & re.IGNORECASE


def test_nothing_is_compiled_before_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[tuple[str, int]] = []
    real = re.compile

    def counted(pattern: str, flags: int) -> re.Pattern[str]:
        compiled.append((pattern, flags))
        return real(pattern, flags)

    monkeypatch.setattr(re, "compile", counted)
    found = later("a+")
    assert compiled == []
    assert found.fullmatch("aaa")
    assert not found.fullmatch("b")
    assert compiled == [("a+", 0)]


def test_a_wrong_pattern_says_so_when_it_is_used() -> None:
    wrong = later("(")
    with pytest.raises(re.error):
        wrong.search("")
