"""What is put into a request, and that nothing else of it changes."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.servers.proxy import spans
from slowwave.servers.proxy.asked import Protocol, read, with_block
from slowwave.servers.proxy.pieces import Piece, of_items, of_messages

BLOCK = '<slowwave-memory>\n"quoted" \\ 记忆 \U0001f41f\n</slowwave-memory>'

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20) | st.just("\ud83d"),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)  # fmt: skip
CONTENT = st.one_of(
    st.text(max_size=30),
    st.none(),
    st.lists(
        st.fixed_dictionaries({"type": st.just("text"), "text": st.text(max_size=20)}) | JSON,
        max_size=3,
    ),
)
MESSAGE = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "system", "developer", "tool", "odd"])},
    optional={"content": CONTENT, "tool_calls": JSON, "name": JSON, "x": JSON},
)
BODY = st.fixed_dictionaries(
    {"messages": st.lists(MESSAGE | JSON, max_size=5)},
    optional={"model": JSON, "seed": JSON, "metadata": JSON, "conversation": JSON},
)
RESPONSE = st.fixed_dictionaries(
    {"input": st.text(max_size=20) | st.lists(MESSAGE | JSON, max_size=4)},
    optional={"instructions": CONTENT, "model": JSON, "previous_response_id": JSON, "prompt": JSON},
)
INDENT = st.sampled_from([None, 1, "\t"])


def written(value: Any, indent: Any, *, ascii_only: bool) -> bytes:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    return text.encode("utf-8", "replace")


@given(BODY, INDENT, st.booleans())
@settings(max_examples=50, deadline=None)
def test_a_chat_keeps_all_but_the_block(body: Any, indent: Any, ascii_only: bool) -> None:
    raw = written(body, indent, ascii_only=ascii_only)
    asked = read(raw, "chat")
    assert asked is not None
    changed = with_block(asked, BLOCK)
    if changed is None:
        return  # a content of a form that nobody knows
    before, after = json.loads(raw), json.loads(changed)
    assert changed.decode().count(spans.inside(BLOCK)) == 1
    systems = [one for one in before["messages"] if isinstance(one, dict)
               and one.get("role") in ("system", "developer")]  # fmt: skip
    assert len(after["messages"]) == len(before["messages"]) + (not systems)
    assert {key: one for key, one in after.items() if key != "messages"} == {
        key: one for key, one in before.items() if key != "messages"
    }
    if not systems:
        assert after["messages"][1:] == before["messages"]
        return
    place = before["messages"].index(systems[0])
    assert after["messages"][:place] == before["messages"][:place]
    assert after["messages"][place + 1 :] == before["messages"][place + 1 :]
    old, new = before["messages"][place], after["messages"][place]
    assert {**new, "content": 0} == {**old, "content": 0}
    match old.get("content"):
        case None | "":
            assert new["content"] == BLOCK
        case str() as words:
            assert new["content"] == f"{words}\n\n{BLOCK}"
        case list() as parts:
            assert new["content"] == [*parts, {"type": "text", "text": BLOCK}]


@given(RESPONSE, INDENT)
@settings(max_examples=40, deadline=None)
def test_a_response_keeps_all_but_the_block(body: Any, indent: Any) -> None:
    raw = written(body, indent, ascii_only=True)
    asked = read(raw, "responses")
    assert asked is not None
    changed = with_block(asked, BLOCK)
    if changed is None:
        assert body.get("prompt") is not None or not isinstance(
            body.get("instructions"), str | list | None
        )
        return
    after = json.loads(changed)
    told = after.pop("instructions")
    before = json.loads(raw)
    before.pop("instructions", None)
    assert after == before
    assert (
        told == BLOCK or told[-1] == {"type": "input_text", "text": BLOCK} or told.endswith(BLOCK)
    )


@given(st.binary(max_size=60) | JSON.map(lambda one: written(one, None, ascii_only=True)))
@settings(max_examples=50, deadline=None)
@pytest.mark.parametrize("protocol", ["chat", "responses"])
def test_whatever_comes_is_read_or_not(protocol: Protocol, raw: bytes) -> None:
    asked = read(raw, protocol)
    if asked is not None:
        with_block(asked, BLOCK)


@given(JSON)
@settings(max_examples=40, deadline=None)
def test_pieces_of_whatever_comes(value: Any) -> None:
    for found in (of_messages(value), of_items(value), of_messages([value]), of_items([value])):
        assert all(isinstance(one, Piece) and one.text.strip() and one.mark for one in found)


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("  two   words\n", "two words"),
        ("<think>hm</think>\n\ntwo words", "two words"),
    ],
)
def test_an_answer_is_known_however_it_is_spaced(text: str, mark: str) -> None:
    def marks(content: str) -> list[str]:
        return [one.mark for one in of_messages([{"role": "assistant", "content": content}])]

    assert marks(text) == marks(mark)


def test_a_part_that_is_no_text() -> None:
    parts = [
        {"type": "image_url", "image_url": {"url": "data:IMAGE/png;base64,AAAA"}},
        {"type": "input_image", "image_url": "https://x.example/[a] b.png?key=secret"},
        {"type": "image_url", "image_url": "QUJD" * 200},
        {"type": "input_file", "file_id": "file-7"},
        {"type": "image", "source": {"type": "base64"}},
        {"type": "image_url", "image_url": {"url": "https://[broken"}},
        {"type": "weather", "text": None},
    ]
    (piece,) = of_messages([{"role": "user", "content": parts}])
    assert piece.text.splitlines() == [
        "[image: IMAGE/png]", "[image: https://x.example/ a b.png]", "[image: data]",
        "[file: file-7]", "[image]", "[image: address]",
    ]  # fmt: skip
