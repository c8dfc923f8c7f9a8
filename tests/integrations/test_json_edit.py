"""Editing JSON and JSON5 as text: only what is ours is touched, and is taken back exactly."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.integrations.connect import json_edit
from slowwave.integrations.connect.json5 import Unreadable, parse
from slowwave.integrations.connect.steps import Append, Conflict, Put, Step

KEYS = st.sampled_from(["a", "b c", "键", "hooks", "Stop", "plugins", "slots", "entries", "allow"])
BLANKS = st.text(alphabet=" \t\n", max_size=3)
COMMENTS = st.sampled_from(["", "", "", "/* { , } */", "// ] \" ' :\n", "/*\n*/"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=10,
)
OURS = {"hooks": [{"type": "command", "command": "remember it", "timeout": 5}]}
STEPS: tuple[Step, ...] = (
    Append(path=("hooks", "Stop"), value=OURS, inner="hooks", by="command"),
    Append(path=("hooks", "Start"), value=OURS, inner="hooks", by="command"),
    Put(path=("plugins", "entries", "mine"), value={"on": True, "n": [1, "二"]}, own=True),
    Put(path=("plugins", "slots", "memory"), value="mine"),
    Append(path=("plugins", "allow"), value="mine", only_if_there=True),
)


@st.composite
def written(draw: st.DrawFn, value: Any) -> str:
    """The value as somebody may have typed it."""

    def gap() -> str:
        return draw(BLANKS) + draw(COMMENTS) + draw(BLANKS)

    if isinstance(value, dict):
        parts = [
            f"{_key(draw, key)}{gap()}:{gap()}{draw(written(one))}{gap()}"
            for key, one in value.items()
        ]
        return f"{{{gap()}{_joined(draw, parts, gap)}}}"
    if isinstance(value, list):
        parts = [f"{draw(written(one))}{gap()}" for one in value]
        return f"[{gap()}{_joined(draw, parts, gap)}]"
    return json.dumps(value, ensure_ascii=draw(st.booleans()))


def _key(draw: st.DrawFn, key: str) -> str:
    bare = key.isidentifier() and draw(st.booleans())
    return key if bare else json.dumps(key, ensure_ascii=False)


def _joined(draw: st.DrawFn, parts: list[str], gap: Any) -> str:
    text = "".join(f"{part},{gap()}" for part in parts[:-1])
    last = parts[-1] if parts else ""
    return text + last + (f",{gap()}" if parts and draw(st.booleans()) else "")


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, Any]:
    """A settings file, and what it says."""
    value = draw(st.dictionaries(KEYS, VALUES, max_size=5))
    how = draw(st.sampled_from(["pretty", "tabs", "compact", "one line", "crlf", "typed"]))
    text = {
        "pretty": lambda: json.dumps(value, indent=2) + "\n",
        "tabs": lambda: json.dumps(value, indent="\t", ensure_ascii=False),
        "compact": lambda: json.dumps(value, separators=(",", ":")),
        "one line": lambda: json.dumps(value),
        "crlf": lambda: (json.dumps(value, indent=4) + "\n").replace("\n", "\r\n"),
        "typed": lambda: draw(written(value)),
    }[how]()
    return text, value


@settings(max_examples=25, deadline=None)
@given(documents())
def test_there_and_back(document: tuple[str, Any]) -> None:
    text, value = document
    assert json_edit.read(text) == value
    try:
        new, done = json_edit.apply(text, STEPS)
    except Conflict:
        return
    said = json_edit.read(new)
    assert said["plugins"]["slots"]["memory"] == "mine"
    assert OURS in said["hooks"]["Stop"]
    assert json_edit.apply(new, STEPS) == (new, ())
    if "\r\n" in text:
        assert "\n" not in new.replace("\r\n", "")
    assert json_edit.undo(new, done) == text


@settings(max_examples=25, deadline=None)
@given(documents(), VALUES)
def test_what_others_do_meanwhile_stays(document: tuple[str, Any], theirs: Any) -> None:
    text, value = document
    try:
        new, done = json_edit.apply(text, STEPS)
    except Conflict:
        return
    said = json.loads(json.dumps(json_edit.read(new)))
    group = {"hooks": [{"command": "theirs"}]}
    edited = {"first": theirs, **said}
    edited["hooks"] = {**said["hooks"], "Stop": [group, *said["hooks"]["Stop"]], "More": []}
    edited["plugins"] = {"other": theirs, **said["plugins"]}
    rest = json_edit.read(json_edit.undo(json.dumps(edited, indent=3), done))
    assert rest["first"] == theirs
    assert rest["plugins"].pop("other") == theirs
    assert rest["hooks"].pop("More") == []
    assert rest["hooks"]["Stop"].pop(0) == group
    assert "mine" not in json.dumps(rest["plugins"].get("allow", []))
    assert OURS not in rest["hooks"].get("Stop", [])
    kept = {key: one for key, one in value.items() if key not in ("hooks", "plugins")}
    assert {key: rest[key] for key in kept} == kept


def changed(text: str, *steps: Step) -> str:
    new, done = json_edit.apply(text, steps)
    assert json_edit.undo(new, done) == text
    return new


def test_comments_stay_with_what_they_are_about() -> None:
    text = '{\n  "a": 1, // about a\n  "b": 2 // about b\n  // the end\n}\n'
    assert changed(text, Put(path=("c",), value=3)) == (
        '{\n  "a": 1, // about a\n  "b": 2, // about b\n  "c": 3\n  // the end\n}\n'
    )


@pytest.mark.parametrize(("text", "new"), [
    ("{}", '{\n  "k": 1\n}'),
    ("{}\r\n", '{\r\n  "k": 1\r\n}\r\n'),
    ("{\n}\n", '{\n  "k": 1\n}\n'),
    ('{"a":1}', '{"a":1,"k":1}'),
    ('{ "a": 1 }', '{ "a": 1, "k": 1 }'),
    ('{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"k": 1\n}'),
    ("{\n  a: 1,\n}", '{\n  a: 1,\n  "k": 1,\n}'),
    ("\ufeff{}", '\ufeff{\n  "k": 1\n}'),
    ("null", '{\n  "k": 1\n}'),
    ('{"k": 2}', '{"k": 1}'),
    ('{"k": 3, "k": 2}', '{"k": 3, "k": 1}'),
    ("/* c */ {}", '/* c */ {\n  "k": 1\n}'),
])  # fmt: skip
def test_in_the_manner_of_the_file(text: str, new: str) -> None:
    assert changed(text, Put(path=("k",), value=1)) == new


def test_ours_is_found_again_though_its_neighbours_moved_in() -> None:
    text, done = json_edit.apply("{}", STEPS[:1])
    said = json_edit.read(text)
    said["hooks"]["Stop"][0]["hooks"].insert(0, {"command": "theirs"})
    said["hooks"]["Stop"][0]["hooks"][1]["timeout"] = 99
    rest = json_edit.read(json_edit.undo(json.dumps(said), done))
    assert rest == {"hooks": {"Stop": [{"hooks": [{"command": "theirs"}]}]}}


def test_an_earlier_value_comes_back_but_not_over_a_later_one() -> None:
    step = Put(path=("slot",), value="mine")
    text, done = json_edit.apply("{slot: 'theirs', /* c */}", [step])
    assert text == '{slot: "mine", /* c */}'
    assert json_edit.undo(text, done) == "{slot: 'theirs', /* c */}"
    assert json_edit.undo('{slot: "another"}', done) == '{slot: "another"}'
    assert json_edit.undo("{}", done) == "{}"


@pytest.mark.parametrize("text", ["[]", "7", '{"a": 1}', '{"a": []}', '{"a": {"b": "x"}}'])
def test_something_else_in_its_place_is_a_conflict(text: str) -> None:
    with pytest.raises(Conflict):
        json_edit.apply(text, [Append(path=("a", "b", "c"), value=1)])


@pytest.mark.parametrize("text", [
    "{", "{]", '{"a"}', '{"a": }', '{"a": 1 "b": 2}', "[1, 2", '"open', "{'a\nb': 1}", "{} {}",
    "/* open", "{a: tru}", '{"\\u12": 1}', "{a: 1,, b: 2}", "[" * 5_000, "{,}", "nul", "+",
])  # fmt: skip
def test_what_is_no_json_is_told_with_its_line(text: str) -> None:
    with pytest.raises(Unreadable, match="line 1: "):
        parse(text)
    with pytest.raises(Unreadable, match="line 3: "):
        parse(f"\n\n{text}")


@pytest.mark.parametrize(("text", "value"), [
    ("0x1F", 31), ("-0x1f", -31), (".5", 0.5), ("5.", 5.0), ("+1", 1), ("1e3", 1000.0),
    ("-Infinity", float("-inf")), ("'a\\'b'", "a'b"), ('"\\x41\\u00e9\\\n"', "Aé"),
    ('"\\ud83d\\ude00"', "😀"), ("{$a_1: 1, 变: 2, \"q\": 3,}", {"$a_1": 1, "变": 2, "q": 3}),
    ("[1,]", [1]), ("// c\n[/**/]", []), ("true", True), ("null", None),
])  # fmt: skip
def test_json5(text: str, value: Any) -> None:
    assert parse(text).value == value
