"""A block of memory is known again whatever a client does to it; nothing else is taken for one."""

import html
import json
import re
import textwrap
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.capture.envelope import Intake, admit
from slowwave.inject import Entry, fit
from slowwave.model import Event, Layer, Record
from slowwave.text.frame import MEMORY_CLOSE, MEMORY_OPEN, NOTE, without_frames
from slowwave.text.noise import is_recalled, strip_managed

NOW = datetime(2031, 6, 15, 12, tzinfo=UTC)
INTAKE = Intake("alder", "", NOW)

WORDS = ("zq1kiln", "zq2alpaca", "zq3釉料", "zq4harbour")


def _entry(text: str, layer: Layer = "recalled", **fields: object) -> Entry:
    return Entry(id=text[:6], layer=layer, score=0.7, text=text, marks=("2031-06-15", "fact"),
                 refs=("e7abc", "D1:3"), **fields)  # type: ignore[arg-type]  # fmt: skip


def block(budget: int = 900) -> str:
    entries = [
        _entry(f"My {WORDS[0]} reaches cone nine. It needs {WORDS[0]} shelves", "profile"),
        _entry(f"Always call the {WORDS[1]} shearer in May", "recalled", quote=True),
        _entry(f"我的{WORDS[2]}放在三号柜，别和{WORDS[2]}样品混在一起"),
        _entry(f"Repaint the {WORDS[3]} office before Friday", "working"),
    ]
    return fit(entries, budget, NOW).text


BLOCK = block()


def kept(text: str) -> str:
    """What the journal takes for somebody's words."""
    taken = admit(Record(text=text, source="test"), INTAKE, seen=Counter())
    if not isinstance(taken, Event) or taken.origin == "recalled":
        return ""
    return taken.text


def leaks(text: str) -> bool:
    return any(word in kept(text) for word in WORDS)


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.split("\n"))


def _no_tags(text: str) -> str:
    return re.sub(r"</?slowwave-memory[^>]*>", "", text)


CLIENTS: dict[str, Callable[[str], str]] = {
    "as it is": lambda text: text,
    "quoted": _quoted,
    "quoted twice": lambda text: _quoted(_quoted(text)),
    "indented": lambda text: textwrap.indent(text, "    "),
    "in a list": lambda text: textwrap.indent(text, "  * ", lambda _line: True),
    "html": html.escape,
    "html twice": lambda text: html.escape(html.escape(text)),
    "json": lambda text: json.dumps(text, ensure_ascii=False),
    "json, ascii": lambda text: json.dumps({"content": text}),
    "json in json": lambda text: json.dumps({"body": json.dumps({"content": text})}),
    "json, no angles": lambda text: json.dumps(text).replace("<", r"\u003c"),
    "wrapped": lambda text: textwrap.fill(text, 60),
    "wrapped in lines": lambda text: "\n".join(textwrap.fill(one, 48) for one in text.split("\n")),
    "wrapped and quoted": lambda text: _quoted(textwrap.fill(text, 60)),
    "windows lines": lambda text: text.replace("\n", "\r\n"),
    "one line": lambda text: text.replace("\n", " "),
    "paragraphs": lambda text: text.replace("\n", "\n\n"),
    "other attributes": lambda text: re.sub(r'retrieved="[^"]*"', "id=7 role='memo'", text),
    "no attributes": lambda text: re.sub(r"<slowwave-memory [^>]*>", "<slowwave-memory>", text),
    "shouting tags": lambda text: text.replace("slowwave-memory", "SLOWWAVE-MEMORY"),
    "underscore": lambda text: text.replace("slowwave-memory", "slowwave_memory"),
    "tags taken out": _no_tags,
    "tags taken out, quoted": lambda text: _quoted(_no_tags(text)),
    "in another frame": lambda text: f"<context>\n{text}\n</context>",
    "in a fence": lambda text: f"```\n{text}\n```",
}  # fmt: skip


@pytest.mark.parametrize("client", CLIENTS)
def test_no_word_of_a_block_is_kept_whatever_a_client_did_to_it(client: str) -> None:
    changed = CLIENTS[client](BLOCK)
    assert not leaks(changed)
    assert not leaks(f"{changed}\n\nPlease answer the last question")


@pytest.mark.parametrize("client", CLIENTS)
def test_what_a_person_wrote_around_it_stays(client: str) -> None:
    text = f"My own words first\n\n{CLIENTS[client](BLOCK)}\n\nand my own words after"
    rest = without_frames(text)
    assert rest.startswith("My own words first")
    assert rest.endswith("and my own words after")
    assert not any(word in rest for word in WORDS)


@given(st.integers(0, len(BLOCK)), st.sampled_from(sorted(CLIENTS)))
@settings(max_examples=60, deadline=None)
def test_both_halves_of_a_cut_block_are_known(cut: int, client: str) -> None:
    changed = CLIENTS[client](BLOCK)
    cut = min(cut, len(changed))
    assert not leaks(changed[:cut])
    assert not leaks(changed[cut:])


@given(st.integers(0, len(BLOCK)), st.integers(1, len(BLOCK)), st.booleans())
@settings(max_examples=60, deadline=None)
def test_a_piece_of_a_block_is_known_unless_it_is_all_from_one_item(
    start: int, length: int, quoted: bool
) -> None:
    piece = BLOCK[start : start + length]
    marks = ("[slowwave 2031", "(slowwave-ref", MEMORY_OPEN, MEMORY_CLOSE)
    if not any(mark in piece for mark in marks):
        return
    assert not leaks(_quoted(piece) if quoted else piece)


@pytest.mark.parametrize("budget", [150, 220, 300, 500])
def test_blocks_of_every_size_are_nothing_but_recalled(budget: int) -> None:
    text = block(budget)
    assert text
    assert is_recalled(text)
    assert is_recalled(_quoted(text))
    assert strip_managed(f"{text}\n{text}") == ""


@pytest.mark.parametrize(
    "text",
    [
        "I run slowwave on the old laptop",
        "The tag </slowwave-memory> ends the block, I think, and I prefer tea",
        "What does <slowwave-memory mean in my log? I need to know",
        "See [slowwave](https://example.test) and [slowwave docs] for it",
        "slowwave (slowwave 0.3) starts in a blink",
        "[slowwave] is my new favourite word",
        "我在用 slowwave，检索到的历史记录很准",
        "无关则忽略。这条规则我喜欢",
    ],
)
def test_what_only_speaks_of_it_is_left_alone(text: str) -> None:
    assert without_frames(text) == text
    assert strip_managed(text) == text


def test_the_note_alone_is_nothing_to_learn() -> None:
    assert without_frames(NOTE) == ""
    assert without_frames(NOTE[20:] + "\n") == ""
