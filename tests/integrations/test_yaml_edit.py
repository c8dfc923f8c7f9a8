"""Editing YAML as text: one word under a key, and all else as it was."""

import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.error import ReusedAnchorWarning

from slowwave.integrations.connect import yaml_edit
from slowwave.integrations.connect.json5 import Unreadable
from slowwave.integrations.connect.steps import Conflict, Put

PATH = ("memory", "provider")
STEPS = (Put(path=PATH, value="mine"),)

KEYS = st.sampled_from(["model", "tools", "记忆", "a-b", "'quoted'", "n1"])
LINES = st.sampled_from(["", "# a remark", "  # further in"])


@st.composite
def mappings(draw: st.DrawFn, indent: str = "") -> str:
    """Some keys of a block mapping, with remarks and blank lines between them."""
    lines: list[str] = []
    for key in draw(st.lists(KEYS, unique=True, max_size=4)):
        lines += draw(st.lists(LINES, max_size=2))
        value = draw(st.sampled_from(
            ["1", "x # said", '"y: z"', "[1, {a: b}]", "{c: d}", "|\n@  some\n@  text", "",
             "\n@  deep: 1\n@  er:\n@  - 2", ">-\n@  folded\n\n@  on", "&n word", "2026-01-02"]
        ))  # fmt: skip
        lines.append(f"{indent}{key}: {value}".replace("@", indent))
    return "\n".join(lines)


@st.composite
def documents(draw: st.DrawFn) -> str:
    before, after = draw(mappings()), draw(mappings())
    taken = {line.split(":")[0] for line in before.splitlines()}
    after = after if not taken & {line.split(":")[0] for line in after.splitlines()} else ""
    inner = draw(mappings("  "))
    has = "memory:" + draw(st.sampled_from(["", "  # remark"]))
    own = draw(st.sampled_from(["", "  provider: other  # why\n", "  provider: ''\n"]))
    memory = draw(st.sampled_from(["", f"{has}\n{own}{inner}"]))
    text = "\n".join(part for part in (before, memory.rstrip("\n"), after) if part)
    text += draw(st.sampled_from(["", "\n", "\n\n# end\n"]))
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return draw(st.sampled_from(["", "", "\ufeff", "---\n"])) + text


def said(text: str) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReusedAnchorWarning)
        return YAML(typ="safe", pure=True).load(text.removeprefix("\ufeff"))


@settings(max_examples=20, deadline=None)
@given(documents())
def test_there_and_back(text: str) -> None:
    before = said(text)
    try:
        new, done = yaml_edit.apply(text, STEPS)
    except Conflict:
        return
    after = said(new)
    assert isinstance(after, dict)
    assert after["memory"]["provider"] == "mine"
    assert yaml_edit.apply(new, STEPS) == (new, ())
    if "\r\n" in text and not text.startswith("---"):
        assert "\n" not in new.replace("\r\n", "")
    assert yaml_edit.undo(new, done) == text
    for key, value in (before or {}).items():  # type: ignore[attr-defined]
        if key != "memory":
            assert after[key] == value


@settings(max_examples=12, deadline=None)
@given(documents())
def test_what_others_do_meanwhile_stays(text: str) -> None:
    try:
        new, done = yaml_edit.apply(text, STEPS)
    except Conflict:
        return
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    if text.removeprefix(mark).startswith("---"):
        return
    edited = f"{mark}# theirs\nfirst: 1\n{new.removeprefix(mark)}"
    assert yaml_edit.undo(edited, done) == f"{mark}# theirs\nfirst: 1\n{text.removeprefix(mark)}"


@pytest.mark.parametrize(("text", "new"), [
    ("", "memory:\n  provider: mine\n"),
    ("a: 1", "a: 1\nmemory:\n  provider: mine"),
    ("a: 1\r\n", "a: 1\r\nmemory:\r\n  provider: mine\r\n"),
    ("memory:\n", "memory:\n  provider: mine\n"),
    ("memory: # mine\nz: 1\n", "memory: # mine\n  provider: mine\nz: 1\n"),
    ("memory: ~\n", "memory: {provider: mine}\n"),
    ("memory: {}\n", "memory: {provider: mine}\n"),
    ("memory: {a: 1}\n", "memory: {provider: mine, a: 1}\n"),
    ("memory:\n    a: 1\n", "memory:\n    provider: mine\n    a: 1\n"),
    ("memory:\n  provider: 'x' # c\n", "memory:\n  provider: mine # c\n"),
    ("memory:\n  provider:\n  b: 1\n", "memory:\n  provider: mine\n  b: 1\n"),
    ("{a: 1}\n", "{memory: {provider: mine}, a: 1}\n"),
    ("{}\n", "{memory: {provider: mine}}\n"),
    ("a: |\n  x\n  y", "memory:\n  provider: mine\na: |\n  x\n  y"),
    ("---\na: 1\n...\n", "---\nmemory:\n  provider: mine\na: 1\n...\n"),
    ("# only\n", "# only\nmemory:\n  provider: mine\n"),
    ("  a: 1\n", "  a: 1\n  memory:\n    provider: mine\n"),
])  # fmt: skip
def test_in_the_manner_of_the_file(text: str, new: str) -> None:
    made, done = yaml_edit.apply(text, STEPS)
    assert made == new
    assert yaml_edit.undo(made, done) == text


@pytest.mark.parametrize("text", [
    "- a\n", "memory: []\n", "memory: word\n", "memory:\n- a\n", "just words\n",
    "a: &m {x: 1}\nmemory: *m\n", "memory:\n  provider: &p x\nq: *p\n",
])  # fmt: skip
def test_something_else_in_its_place_is_a_conflict(text: str) -> None:
    with pytest.raises(Conflict):
        yaml_edit.apply(text, STEPS)


@pytest.mark.parametrize("text", [
    "a: [1\n", "a: 1\n\tb: 2\n", "---\na: 1\n---\nb: 1\n", "a: 'x\n", "*nobody\n", "a: \x01\n",
    "[" * 300,
])  # fmt: skip
def test_what_is_no_yaml_is_told(text: str) -> None:
    with pytest.raises(Unreadable):
        yaml_edit.apply(text, STEPS)


def test_a_later_choice_is_not_taken_back() -> None:
    _, done = yaml_edit.apply("memory:\n  provider: old\n", STEPS)
    assert yaml_edit.undo("memory:\n  provider: newer\n", done) == "memory:\n  provider: newer\n"
    assert yaml_edit.undo("memory: 7\n", done) == "memory: 7\n"
    assert yaml_edit.value_at("memory: 7\n", PATH) is None
