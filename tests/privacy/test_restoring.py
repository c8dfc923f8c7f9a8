"""Restoring: the exact original or a reason, never a guess."""

import json
import re
from collections.abc import Sequence
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.model import Ask, Reply
from slowwave.privacy import (
    PLACEHOLDER,
    Located,
    Lost,
    MaskedModel,
    Restored,
    locate,
    mask,
    restore,
)
from slowwave.privacy.curtain import Recorder

TEXTS = ("My wife Ana Torres called 138 0013 8077.", "ANA TORRES again, １３８００１３８０７７")


def reason(answer: object) -> str:
    assert isinstance(answer, Lost)
    return answer.reason


def test_a_quote_comes_back_as_it_was_in_its_text() -> None:
    masked = mask(TEXTS)
    quote = "[PERSON-1] called [PHONE-1]"
    assert locate(quote, masked.texts[0]) == Located(8, 39, "Ana Torres called 138 0013 8077")
    found = locate("[PHONE-1]", masked.texts[1])
    assert isinstance(found, Located)
    assert found.quote == "１３８００１３８０７７"
    assert TEXTS[1][found.start : found.end] == found.quote


def test_words_come_back_by_the_text_they_speak_of() -> None:
    masked = mask(TEXTS)
    said = "[PERSON-1] has the number [PHONE-1]"
    assert reason(restore(said, masked)) == "ambiguous"
    assert restore(said, masked, (1,)) == Restored(
        "ANA TORRES has the number １３８００１３８０７７"
    )
    assert reason(restore(said, masked, (0, 1))) == "ambiguous"
    assert restore(said, masked, exact=False) == Restored("Ana Torres has the number 138 0013 8077")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("[PERSON-77] lives here", "unknown"),
        ("[person-1] lives here", "altered"),
        ("【PERSON-1】住这里", "altered"),
        ("PERSON-1 lives here", "altered"),
        ("[PERSON 1] and (PERSON-1)", "altered"),
        ("<PERSON_1> lives here", "altered"),
        ("[人物-1]住这里", "translated"),
        ("[Persona-1] vive aquí", "translated"),
        ("it was [PERSON- who called", "altered"),
    ],
)
def test_what_a_model_made_of_a_placeholder_is_refused(said: str, why: str) -> None:
    masked = mask(["My wife Ana lives in Rome"])
    answer = restore(said, masked)
    if said.startswith("[PERSON 1]"):
        assert isinstance(answer, Lost)
    else:
        assert reason(answer) == why


@pytest.mark.parametrize(
    ("quote", "why"),
    [
        ("ERSON-1] called", "split"),
        ("My wife [PERSON", "split"),
        ("[PERSON-9] called", "unknown"),
        ("【PERSON-1】 called", "altered"),
        ("[人物-1] called", "translated"),
        ("she called", "not found"),
        ("", "not found"),
    ],
)
def test_a_quote_that_is_not_there_is_refused(quote: str, why: str) -> None:
    assert reason(locate(quote, mask(TEXTS).texts[0])) == why


def test_one_quote_for_two_spellings_is_refused() -> None:
    masked = mask(["Ana Torres and ANA TORRES: my wife Ana Torres"]).texts[0]
    assert reason(locate("[PERSON-1]", masked)) == "ambiguous"


def test_text_that_looks_like_a_placeholder_comes_back() -> None:
    masked = mask(["the log says [PERSON-1] here"])
    assert restore(masked.texts[0].text, masked) == Restored("the log says [PERSON-1] here")
    assert restore("nothing (1) [2] here", masked) == Restored("nothing (1) [2] here")


PIECES = st.sampled_from(
    ("王小明说", " Ana Torres ", "13800138077", "，", "a@b.example ", "[PERSON-1]", "过敏", " the ",
     "\n", "住在")
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.lists(PIECES, min_size=1, max_size=10).map("".join), st.data())
def test_every_quote_of_the_masked_text_is_exact_or_refused(text: str, data: st.DataObject) -> None:
    one = mask([text]).texts[0]
    start = data.draw(st.integers(0, len(one.text)))
    end = data.draw(st.integers(start, len(one.text)))
    found = locate(one.text[start:end], one)
    if isinstance(found, Located):
        assert text[found.start : found.end] == found.quote
        assert mask([text]).texts[0].original == text
    else:
        assert found.reason in {"split", "ambiguous", "not found", "unknown", "altered"}


@settings(max_examples=60, deadline=None)
@given(st.lists(PIECES, min_size=1, max_size=10).map("".join))
def test_a_whole_masked_text_comes_back_or_is_ambiguous(text: str) -> None:
    masked = mask([text])
    answer = restore(masked.texts[0].text, masked, (0,))
    assert answer == Restored(text) or reason(answer) in {"ambiguous", "altered", "translated"}


class Parrot:
    """A model that answers with a text made of what it was asked."""

    name, local = "parrot", False

    def __init__(self, answers: Sequence[str] = ()) -> None:
        self.asked: list[str] = []
        self._answers = list(answers)

    def complete(self, ask: Ask) -> Reply:
        self.asked.append(ask.user)
        return Reply(text=self._answers.pop(0) if self._answers else ask.user)


def test_a_model_behind_the_mask_sees_placeholders_and_answers_in_clear() -> None:
    parrot = Parrot()
    model = MaskedModel(parrot, ["Quorra"])
    reply = model.complete(Ask(purpose="distill", system="be brief", user="Quorra: 138 0013 8077"))
    assert parrot.asked == ["[PERSON-1]: [PHONE-1]"]
    assert reply.text == "Quorra: 138 0013 8077"
    assert (model.name, model.local, model.lost.total()) == ("parrot", False, 0)


def test_values_are_escaped_within_json_and_what_is_lost_is_counted() -> None:
    answer = json.dumps({"quote": "[PERSON-2] came", "text": "[PERSON-4] is new"})
    model = MaskedModel(Parrot([answer]), ['Quo"rra'], ["My wife Ana"])
    user = 'then Quo"rra came'
    reply = model.complete(Ask(purpose="distill", system="", user=user, schema={}))
    told = json.loads(reply.text)
    assert told["quote"] in user
    assert told["text"] == "[PERSON-4] is new"
    assert model.lost == {"unknown": 1}


def test_instructions_of_ours_stay_and_others_are_masked() -> None:
    ours = files("slowwave").joinpath("dream/prompts/distill.md").read_text(encoding="utf-8")
    recorder = Recorder("nowhere")
    model = MaskedModel(recorder, ["Quorra"])
    model.complete(Ask(purpose="distill", system=ours.strip(), user="Quorra"))
    model.complete(Ask(purpose="distill", system="You speak with Quorra.", user="x"))
    told = [ask.system for ask, _ in recorder.shown]
    assert told == [ours.strip(), "You speak with [PERSON-1]."]


def test_a_long_name_is_masked_as_a_question_shows_it() -> None:
    name = "Quorra  Anneliese\nvon und zu Hohenfels-Waldburg-Sonnenstein the Younger of Tarn"
    flat = " ".join(name.split())
    recorder = Recorder("nowhere")
    model = MaskedModel(recorder, [name])
    for shown in (name, flat, flat[:60]):
        model.complete(Ask(purpose="distill", system="", user=f"[e1] owner {shown}: hi"))
    for ask, _ in recorder.shown:
        assert "Hohenfels" not in ask.user


@pytest.mark.parametrize(
    "shown",
    [
        "8077 is the number",
        "they gave me 138 0013\nand more",
        "A […] 8 0013 8077 […] B",
        "b: na Torres-Vidal came",
        "my number is 138-00",
    ],
)
def test_a_value_that_a_cut_goes_through_is_masked_too(shown: str) -> None:
    told = ["My wife Ana Torres-Vidal has the number 138 0013 8077 and 138-0013-8077."]
    model = MaskedModel(recorder := Recorder("nowhere"), (), told)
    model.complete(Ask(purpose="distill", system="", user=shown.removeprefix("b: ")))
    left = recorder.shown[0][0].user
    assert not re.search(r"\d{3}|Torres", PLACEHOLDER.sub("", left)), left


def test_what_was_told_by_its_place_is_masked_where_it_stands_alone() -> None:
    told = [
        "I was diagnosed with Quellmann syndrome",
        '{"dob": "1984-07-19", "login": "tealheron"}',
    ]
    model = MaskedModel(recorder := Recorder("nowhere"), ['Mira "Mo" Keller'], told)
    asked = 'Quellmann syndrome, 1984-07-19, tealheron, {"quote": "Mira \\"Mo\\" Keller"}'
    model.complete(Ask(purpose="distill", system="", user=asked, schema={}))
    left = recorder.shown[0][0].user
    for value in ("Quellmann", "1984", "tealheron", "Mira", "Keller"):
        assert value not in left
