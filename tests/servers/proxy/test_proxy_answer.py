"""What is heard of an answer, whatever pieces its bytes come in."""

import gzip
import json
import zlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.servers.proxy.answer import Heard, reader
from slowwave.servers.proxy.asked import Protocol

SSE = "text/event-stream; charset=utf-8"


def heard(
    raw: bytes, kind: Protocol = "chat", content: str = SSE, encoding: str = "", sizes: Any = (7,)
) -> Heard:
    found, feed = reader(kind, content, encoding, None)
    at = 0
    while at < len(raw):
        size = sizes[at % len(sizes)]
        feed(raw[at : at + size])
        at += size
    found.close()
    return found


def chunk(delta: Any, finish: Any = None, **more: Any) -> dict[str, Any]:
    return {"id": "c1", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **more}


STREAM: list[Any] = [
    chunk({"role": "assistant", "content": ""}),
    {"id": "c1", "choices": [{"index": 1, "delta": {"content": "another one"}}]},
    chunk({"content": "Die Möwe "}),
    chunk({"content": "schläft. 海鸥睡了"}),
    chunk({"tool_calls": [{"index": 1, "function": {"name": "b", "arguments": "{}"}}]}),
    chunk({"tool_calls": [{"index": 0, "function": {"name": "a", "arguments": '{"x"'}}]}),
    chunk({"tool_calls": [{"index": 0, "function": {"arguments": ": 1}"}}]}),
    chunk({}, "tool_calls"),
    {"id": "c1", "choices": [], "usage": {"total_tokens": 3}},
]
SAID = ["Die Möwe schläft. 海鸥睡了", 'a {"x": 1}', "b {}"]


def written(events: list[Any], end: str) -> bytes:
    lines = [f": ping{end}{end}", *(f"data: {json.dumps(one)}{end}{end}" for one in events)]
    return "".join([*lines, f"data: [DONE]{end}{end}"]).encode()


@given(st.lists(st.integers(1, 40), min_size=1, max_size=5), st.sampled_from(["\n", "\r\n", "\r"]),
       st.sampled_from(["", "gzip", "deflate"]))  # fmt: skip
@settings(max_examples=30, deadline=None)
def test_a_stream_in_any_pieces(sizes: list[int], end: str, encoding: str) -> None:
    raw = written(STREAM, end)
    packed = {"": raw, "gzip": gzip.compress(raw), "deflate": zlib.compress(raw)}[encoding]
    found = heard(packed, encoding=encoding, sizes=sizes)
    assert [piece.text for piece in found.pieces()] == SAID
    assert found.done
    assert not found.cut
    assert found.between


def test_without_a_mark_at_its_end_the_reason_tells() -> None:
    events = b"".join(f"data: {json.dumps(one)}\n\n".encode() for one in STREAM)
    assert heard(events).done
    cut = heard(events[:-200])
    assert not cut.done
    assert cut.pieces()[0].text == SAID[0]


@pytest.mark.parametrize("reason", ["length", "content_filter"])
def test_why_it_is_not_whole(reason: str) -> None:
    stream = written([chunk({"content": "so"}), chunk({}, reason)], "\n")
    assert heard(stream).cut == reason
    whole = {"choices": [{"message": {"content": "so"}, "finish_reason": reason}]}
    assert heard(json.dumps(whole).encode(), content="application/json").cut == reason
    answer = {"status": "incomplete", "incomplete_details": {"reason": reason}, "output": []}
    assert heard(json.dumps(answer).encode(), "responses", "application/json").cut == reason


def test_a_response_that_was_broken_off() -> None:
    events = [
        {"type": "response.created", "response": {"id": "r1"}},
        {"type": "response.output_item.done", "output_index": 1,
         "item": {"type": "function_call", "name": "f", "arguments": "{}"}},
        {"type": "response.output_text.delta", "output_index": 0, "delta": "so "},
        {"type": "response.output_text.delta", "output_index": 0, "delta": "far"},
    ]  # fmt: skip
    found = heard(b"".join(f"data: {json.dumps(one)}\n\n".encode() for one in events), "responses")
    assert [piece.text for piece in found.pieces()] == ["so far", "f {}"]
    assert found.answer_id == "r1"
    assert not found.done


def test_raw_deflate_and_codings_that_nobody_knows() -> None:
    raw = written(STREAM, "\n")
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    plain = packer.compress(raw) + packer.flush()
    assert heard(plain, encoding="deflate").pieces()[0].text == SAID[0]
    for encoding, what in (("br", raw), ("gzip", raw)):
        found = heard(what, encoding=encoding)
        assert found.unread
        assert found.pieces() == []


NAMES = [
    "choices",
    "delta",
    "message",
    "content",
    "tool_calls",
    "function",
    "index",
    "arguments",
    "name",
    "type",
    "response",
    "output",
    "item",
    "id",
    "error",
    "status",
    "finish_reason",
    "output_index",
    "incomplete_details",
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.lists(JSON, max_size=4), st.sampled_from(["chat", "responses"]), st.binary(max_size=20))
@settings(max_examples=50, deadline=None)
def test_whatever_an_upstream_sends(events: list[Any], kind: Protocol, noise: bytes) -> None:
    stream = b"".join(b"data: " + json.dumps(one).encode() + b"\n\n" for one in events)
    heard(stream + noise, kind).pieces()
    for one in events:
        heard(json.dumps(one).encode(), kind, "application/json").pieces()
    heard(noise, kind, "application/json", "gzip").pieces()
