"""From the text of an answer to items: what models write, and never an empty success."""

from typing import Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.modelling import list_schema, parse_items
from slowwave.modelling.loose_json import scan


class Quote(msgspec.Struct, frozen=True):
    event_id: str
    quote: str


class Fact(msgspec.Struct, frozen=True):
    text: str
    importance: int = 50
    kind: Literal["fact", "rule"] = "fact"
    entities: tuple[str, ...] = ()
    evidence: tuple[Quote, ...] = ()
    until: str | None = None


KILN = '{"text": "The kiln runs on Fridays", "importance": 70}'
GLAZE = '{"text": "釉料在蓝色的桶里", "importance": 40}'
TWO = (Fact("The kiln runs on Fridays", 70), Fact("釉料在蓝色的桶里", 40))
BOTH = f"[{KILN}, {GLAZE}]"


@pytest.mark.parametrize(
    "text",
    [
        BOTH,
        f'{{"items": {BOTH}}}',
        f'{{"facts": {BOTH}}}',
        f'{{"result": {{"items": {BOTH}}}}}',
        f'{{"f1": {KILN}, "f2": {GLAZE}}}',
        f"```json\n{BOTH}\n```",
        f"```\n{BOTH}",
        f"~~~json\n{BOTH}\n~~~",
        f"Here are the facts: {BOTH}. Shall I go on?",
        f"I found [2] facts, as {{asked}}:\n\n{BOTH}\n\n- [ ] check them\n",
        f"{KILN}\n{GLAZE}\n",
        f"First {KILN} and then {GLAZE}.",
        f"User: [{KILN}]\nStudio: [{GLAZE}]",
        f"[{KILN}, {GLAZE},]",
        f"[{KILN} {GLAZE}]",
        f"[{KILN}, // the first\n {GLAZE}]",
        f"\ufeff  {BOTH}",
        f"Draft: {BOTH}\nFinal: {BOTH}",
        BOTH.replace('"', "'"),
        BOTH.replace('"text"', "text").replace('"importance"', "importance"),
        BOTH.replace("70", '"70"').replace("40", "40.0"),
        BOTH.replace('"text"', '"Text"'),
        BOTH.replace('"importance": 70', '"importance": 70, "until": null, "mood": {"a": [1]}'),
        BOTH.replace('"The kiln runs on Fridays"', '{"value": "The kiln runs on Fridays"}'),
        BOTH.replace('"The kiln runs on Fridays"', '["The kiln runs on Fridays"]'),
        BOTH.replace("釉料", "\\u91c9\\u6599"),
        msgspec.json.encode(BOTH).decode(),
        msgspec.json.encode({"items": BOTH}).decode(),
        BOTH.replace(", ", "，").replace(": ", "："),
        BOTH.replace('"text"', "“text”").replace(
            '"The kiln runs on Fridays"', "“The kiln runs on Fridays”"
        ),
        f"<json>{BOTH}</json>",
    ],
)
def test_what_models_write_around_the_same_items(text: str) -> None:
    parsed = parse_items(text, Fact)
    assert parsed.items == TWO
    assert parsed.usable
    assert not parsed.truncated
    assert parsed.problems == ()


def test_a_single_object_is_a_list_of_one() -> None:
    assert parse_items(f"```json\n{KILN}\n```", Fact).items == TWO[:1]


def test_small_slips_inside_an_item() -> None:
    text = """[{"text": "line one
line two", "kind": "RULE", "entities": "Maren",
      "evidence": {"eventId": "ev1", "quote": "say \\"so\\" \\d"}}]"""
    [fact] = parse_items(text, Fact).items
    assert fact.text == "line one\nline two"
    assert fact.kind == "rule"
    assert fact.entities == ("Maren",)
    assert fact.evidence == (Quote("ev1", 'say "so" \\d'),)
    [fact] = parse_items(
        '[{"text": 7, "entities": [{"name": "Ada", "type": "person"}]}]', Fact
    ).items
    assert (fact.text, fact.entities) == ("7", ("Ada",))


@pytest.mark.parametrize(
    "text",
    ["[]", '{"items": []}', "```json\n[]\n```", "Nothing new today:\n\n[]\n", "There is none: []",
     '{"result": {"items": [ ]}}', "没有新的内容：[]", '```json\n{"items": []}\n```\nBye.'],
)  # fmt: skip
def test_nothing_is_nothing_when_it_is_said(text: str) -> None:
    parsed = parse_items(text, Fact)
    assert parsed.usable
    assert (parsed.items, parsed.problems) == ((), ())


@pytest.mark.parametrize(
    "text",
    ["", "   \n", "I could not find anything.", "null", "{}", "[[]]", "[1, 2]", "{", "[", "[{",
     "- [ ] water the plants\n- [ ] call Ada", "see note [] above", '{"error": "overloaded"}',
     "```json\n```", '["a", "b"]', '{"text": }', '{"items": null}', '{"items": [{}]}',
     "\x00\x01", '[{"text": null}]', "ok", "[" * 5_000, '{"a":' * 5_000],
)  # fmt: skip
def test_never_an_empty_success(text: str) -> None:
    parsed = parse_items(text, Fact)
    assert not parsed.usable
    assert parsed.items == ()
    assert parsed.problems


@pytest.mark.parametrize("cut", range(1, len(BOTH)))
def test_of_a_cut_answer_the_whole_items_are_kept(cut: int) -> None:
    for text in (BOTH[:cut], '{"items": ' + BOTH[:cut], "```json\n" + BOTH[:cut]):
        parsed = parse_items(text, Fact)
        assert parsed.truncated
        assert parsed.problems[-1].reason == "truncated"
        whole = 0 if cut < len(KILN) + 1 else 1 if cut < len(BOTH) - 1 else 2
        assert parsed.items == TWO[:whole]


def test_an_answer_that_the_server_cut_is_cut_even_when_it_looks_whole() -> None:
    assert parse_items(BOTH, Fact, cut=True).truncated
    assert not parse_items("[]", Fact, cut=True).usable


def test_a_wrong_item_is_refused_with_a_reason_and_the_others_stay() -> None:
    text = f'[{KILN}, {{"importance": 3}}, "x", {{"text": "a", "importance": "very"}}, {GLAZE}]'
    parsed = parse_items(text, Fact)
    assert parsed.items == TWO
    assert [one.item for one in parsed.problems] == [2, 3, 4]
    assert "text" in parsed.problems[0].reason
    assert "importance" in parsed.problems[2].reason
    assert parsed.problems[0].raw == '{"importance":3}'


def test_a_reason_holds_no_word_of_the_answer() -> None:
    text = '[{"text": "a", "kind": "secret diary"}, {"text": "b", "importance": "topmost secret"}]'
    for problem in parse_items(text, Fact).problems:
        assert "secret" not in problem.reason


def test_a_damaged_item_costs_only_itself() -> None:
    parsed = parse_items(f'[{KILN}, {{"text": "he said "no" to it"}}, {GLAZE}]', Fact)
    assert parsed.items == TWO
    assert [one.reason for one in parsed.problems] == ["damaged JSON"]


@pytest.mark.parametrize(
    "text",
    [f"[{KILN}, ..., {GLAZE}]", f"[{KILN}, {GLAZE}, ...]", f"[{KILN} and then {GLAZE}]",
     f"[...{KILN}, {GLAZE}]", f"[{KILN}, oops, {GLAZE}]"],
)  # fmt: skip
def test_words_between_items_cost_no_item(text: str) -> None:
    parsed = parse_items(text, Fact)
    assert parsed.items == TWO
    assert {one.reason for one in parsed.problems} == {"damaged JSON"}


def test_a_damaged_item_does_not_give_its_parts_as_items() -> None:
    text = '[{"evidence": [{"text": "inner"}], "text": "a "b" c"}, ' + KILN + "]"
    assert parse_items(text, Fact).items == TWO[:1]


def test_lists_of_strings() -> None:
    assert parse_items('{"items": ["clay", "glaze"]}', str).items == ("clay", "glaze")
    assert parse_items('Themes: ["clay", {"name": "glaze"}]', str).items == ("clay", "glaze")
    assert not parse_items("I see [1] theme.", str).usable


def test_an_item_whose_own_field_is_a_list_is_no_wrapper() -> None:
    text = '{"text": "a", "evidence": [{"event_id": "ev1", "quote": "q"}]}'
    assert parse_items(text, Fact).items == (Fact("a", evidence=(Quote("ev1", "q"),)),)


def test_odd_numbers_and_halves_of_characters() -> None:
    huge = '[{"text": "a", "importance": ' + "9" * 5_000 + "}]"
    assert not parse_items(huge, Fact).usable
    [fact] = parse_items('[{"text": "\\ud83c\\udffa \\ud83c"}]', Fact).items
    assert fact.text == "🏺 \ufffd"


def test_the_schema_is_what_strict_servers_take() -> None:
    schema = list_schema(Fact)
    assert schema["additionalProperties"] is False
    fact = schema["$defs"]["Fact"]
    assert set(fact["required"]) == set(fact["properties"])
    assert fact["additionalProperties"] is False
    assert fact["properties"]["kind"] == {"enum": ["fact", "rule"]}
    assert "default" not in str(schema)
    assert schema["properties"]["items"]["items"] == {"$ref": "#/$defs/Fact"}
    assert list_schema(str)["properties"]["items"] == {"type": "array", "items": {"type": "string"}}


TANGLED = st.text(st.sampled_from("[]{}\"':,\\/\n \t`-0123.eE+tnulfase_a釉\ud800🏺"), max_size=80)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


FACTS = st.lists(st.builds(Fact, st.text(min_size=1), st.integers(0, 100)), min_size=1, max_size=5)


@settings(max_examples=100, deadline=None)
@given(TANGLED)
def test_any_text_is_read_without_an_error(text: str) -> None:
    for kind in (Fact, str, dict):
        parsed = parse_items(text, kind)
        assert parsed.usable or parsed.problems
        assert parsed.usable or not parsed.items


@settings(max_examples=100, deadline=None)
@given(JSON, st.text(st.sampled_from("abc .\n"), max_size=10))
def test_whole_json_is_read_as_it_is_written(value: object, chatter: str) -> None:
    if not isinstance(value, dict | list):
        value = [value]
    try:
        written = msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        return
    [found] = scan(f"{chatter}{written}{chatter}").found
    assert found.whole
    assert msgspec.json.encode(found.value) == written.encode()


@settings(max_examples=100, deadline=None)
@given(st.lists(st.builds(Fact, st.text(min_size=1), st.integers(0, 100)), min_size=1, max_size=5),
       st.data())  # fmt: skip
def test_a_cut_anywhere_keeps_a_beginning_of_the_items(
    facts: list[Fact], data: st.DataObject
) -> None:
    try:
        written = msgspec.json.encode({"items": facts}).decode()
    except UnicodeEncodeError:
        return
    cut = data.draw(st.integers(1, len(written) - 1))
    parsed = parse_items(written[:cut], Fact)
    unique = list(dict.fromkeys(facts))
    assert list(parsed.items) == unique[: len(parsed.items)]
    assert parsed.truncated
