"""ChatGPT exports: trees, shards, flat lists; who said what, and what nobody said."""

import json
import zipfile
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from slowwave.adapters.importers.chatgpt import FORMAT
from slowwave.model import Record, Skipped

ZONE = ZoneInfo("Asia/Shanghai")
START = 1_946_720_400.25


def message(key: str, role: str, text: object, at: float | None = None, **more: Any) -> Any:
    content = text if isinstance(text, dict) else {"content_type": "text", "parts": [text]}
    return {
        "id": key,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": at,
        "content": content,
        "status": "finished_successfully",
        "weight": 1.0,
        "metadata": {},
        "recipient": "all",
        **more,
    }


def node(key: str, parent: str | None, children: list[str], body: Any = None) -> dict[str, Any]:
    return {"id": key, "parent": parent, "children": children, "message": body}


def chain(*messages: Any, **more: Any) -> dict[str, Any]:
    """A conversation without branches."""
    names = ["root", *(each["id"] for each in messages)]
    mapping = {"root": node("root", None, names[1:2])}
    for place, each in enumerate(messages, 1):
        mapping[names[place]] = node(
            names[place], names[place - 1], names[place + 1 : place + 2], each
        )
    return {
        "id": "conv-1",
        "title": "Balcony tomatoes",
        "create_time": START,
        "mapping": mapping,
        "current_node": names[-1],
        **more,
    }


def read(tmp_path: Path, value: object, name: str = "conversations.json") -> list[Record | Skipped]:
    path = tmp_path / name
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    assert FORMAT.recognise(path, path.read_bytes()[:65536])
    return list(FORMAT.read(path, ZONE))


def records(found: list[Record | Skipped]) -> list[Record]:
    assert not [each for each in found if isinstance(each, Skipped)], found
    return [each for each in found if isinstance(each, Record)]


def test_a_plain_conversation(tmp_path: Path) -> None:
    talk = chain(
        message("m1", "user", "番茄什么时候移栽？", START + 1),
        message("m2", "assistant", "夜温过十度之后。", START + 9, metadata={"model_slug": "gpt-x"}),
    )
    first, second = records(read(tmp_path, [talk]))
    assert (first.text, first.role, first.origin) == ("番茄什么时候移栽？", "user", None)
    assert (first.source, first.key, first.ref) == ("chatgpt:conv-1", "m1", "m1")
    assert first.session == "conv-1"
    assert first.ts is not None
    assert first.ts.utcoffset() == ZONE.utcoffset(first.ts.replace(tzinfo=None))
    assert second.role == "assistant"
    assert second.meta == {"title": "Balcony tomatoes", "model": "gpt-x"}


def forked() -> dict[str, Any]:
    return {
        "conversation_id": "conv-2",
        "create_time": START,
        "mapping": {
            "root": node("root", None, ["a", "b"]),
            "a": node("a", "root", ["a2"], message("a", "user", "I moved to Porto", START)),
            "a2": node("a2", "a", [], message("a2", "assistant", "Nice", START + 1)),
            "b": node(
                "b", "root", ["b2", "b3"], message("b", "user", "I moved to Braga", START + 2)
            ),
            "b2": node("b2", "b", [], message("b2", "assistant", "first try", START + 3)),
            "b3": node("b3", "b", [], message("b3", "assistant", "second try", START + 4)),
        },
    }


@pytest.mark.parametrize(
    ("current", "expected"),
    [
        ("b2", ["b", "b2"]),
        ("a2", ["a", "a2"]),
        ("gone", ["b", "b3"]),
        (None, ["b", "b3"]),
        (17, ["b", "b3"]),
    ],
)
def test_abandoned_branches_are_not_read(
    tmp_path: Path, current: object, expected: list[str]
) -> None:
    found = records(read(tmp_path, [{**forked(), "current_node": current}]))
    assert [each.key for each in found] == expected


def test_circles_and_missing_parents_end(tmp_path: Path) -> None:
    talk = forked()
    talk["mapping"]["b"]["parent"] = "b3"
    talk["current_node"] = "b3"
    assert {each.key for each in records(read(tmp_path, [talk]))} == {"b", "b3"}
    talk["mapping"]["b"]["parent"] = "client-created-root"
    assert [each.key for each in records(read(tmp_path, [talk]))] == ["b", "b3"]
    del talk["mapping"]["b3"]["parent"]
    assert [each.key for each in records(read(tmp_path, [talk]))] == ["b", "b3"]


def test_path_order_beats_times(tmp_path: Path) -> None:
    talk = chain(
        message("m1", "user", "one", START + 50),
        message("m2", "assistant", "two", START + 5),
        message("m3", "user", "three", None),
    )
    found = records(read(tmp_path, [talk]))
    assert [each.text for each in found] == ["one", "two", "three"]
    assert found[2].ts == found[1].ts


def test_what_no_person_said(tmp_path: Path) -> None:
    profile = {"content_type": "user_editable_context", "user_profile": "Name: Ilse", "x": 1}
    memory = {"content_type": "model_editable_context", "model_set_context": "Ilse keeps bees"}
    thoughts = {"content_type": "thoughts", "thoughts": [{"summary": "s", "content": "c"}]}
    recap = {"content_type": "reasoning_recap", "content": "6초 동안 생각함"}
    quote = {"content_type": "tether_quote", "text": "A page says so", "title": "Page"}
    talk = chain(
        message("h1", "user", profile),
        message("h2", "assistant", memory),
        message("h3", "system", "", weight=0),
        message(
            "h4", "user", "hidden words", metadata={"is_visually_hidden_from_conversation": True}
        ),
        message("h5", "assistant", "not shown", weight=0),
        message("m1", "user", "How is the hive?"),
        message("t1", "assistant", thoughts),
        message("t2", "assistant", recap),
        message("c1", "assistant", {"content_type": "code", "text": "search('hive')"}),
        message("c2", "assistant", "to=bio Ilse keeps bees", recipient="bio"),
        message("q1", "tool", quote),
        message("o1", "tool", {"content_type": "execution_output", "text": "42"}),
        message("n1", "user", {"content_type": "brand_new_type", "text": "who knows"}),
    )
    found = {each.key: each for each in records(read(tmp_path, [talk]))}
    assert {key: (each.role, each.kind, each.origin) for key, each in found.items()} == {
        "h1": ("system", "message", "system"),
        "h2": ("system", "message", "recalled"),
        "h4": ("system", "message", "system"),
        "h5": ("system", "message", "system"),
        "m1": ("user", "message", None),
        "c1": ("assistant", "tool_call", None),
        "c2": ("assistant", "tool_call", None),
        "q1": ("tool", "tool_result", "external"),
        "o1": ("tool", "tool_result", None),
        "n1": ("system", "message", "system"),
    }


def test_not_to_be_remembered_is_skipped_and_counted(tmp_path: Path) -> None:
    secret = chain(message("m1", "user", "forget this"), is_do_not_remember=True)
    kept = chain(message("m2", "user", "keep this"), id="conv-9")
    found = read(tmp_path, [secret, kept])
    assert isinstance(found[0], Skipped)
    assert "not to be remembered" in found[0].reason
    assert [each.key for each in found if isinstance(each, Record)] == ["m2"]


def test_parts_that_are_no_strings(tmp_path: Path) -> None:
    image = {"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_1"}
    speech = {"content_type": "audio_transcription", "text": "spoken words"}
    talk = chain(
        message("m1", "user", {"content_type": "multimodal_text", "parts": [image, "What is it?"]}),
        message("m2", "user", {"content_type": "multimodal_text", "parts": [speech, None, 7]}),
        message("m3", "user", {"content_type": "multimodal_text", "parts": [image]}),
        message("m4", "user", {"content_type": "text", "parts": []}),
    )
    found = records(read(tmp_path, [talk]))
    assert [each.text for each in found] == ["What is it?", "spoken words", "[image]"]


def test_citation_marks_are_taken_out(tmp_path: Path) -> None:
    cite, entity = (
        "\ue200cite\ue202turn0search1\ue201",
        '\ue200entity\ue202["city","Porto","in"]\ue201',
    )
    said = f"Bees sleep【12†L1-L4】 at night {cite}. Ask in {entity}.\ue203"
    talk = chain(
        message("m1", "user", "I typed 【3†x】 myself"),
        message("m2", "assistant", said),
    )
    mine, theirs = records(read(tmp_path, [talk]))
    assert mine.text == "I typed 【3†x】 myself"
    assert theirs.text == "Bees sleep at night. Ask in Porto."


def test_other_shapes(tmp_path: Path) -> None:
    one = chain(message("m1", "user", "alone"))
    assert [each.text for each in records(read(tmp_path, one))] == ["alone"]
    listed = {"id": "c5", "messages": [message("m1", "user", "from a list")]}
    assert [each.session for each in records(read(tmp_path, listed))] == ["c5"]
    flat = [
        message("", "user", "same"),
        message("", "user", "same"),
        message("x", "tool", "t", 5.0),
    ]
    first, second, third = records(read(tmp_path, flat))
    assert first.key != second.key
    assert third.key == "x"
    again = records(read(tmp_path, flat))
    assert [each.key for each in again] == [first.key, second.key, third.key]


def test_shards_in_a_zip(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in (1, 0):
            talk = chain(message(f"m{number}", "user", f"part {number}"), id=f"c{number}")
            archive.writestr(f"conversations-00{number}.json", json.dumps([talk]))
        archive.writestr("__MACOSX/._conversations-000.json", "junk")
        archive.writestr("user.json", '{"email": "someone@example.org"}')
    assert FORMAT.recognise(path, path.read_bytes()[:65536])
    assert [each.key for each in records(list(FORMAT.read(path, ZONE)))] == ["m0", "m1"]


def test_damage_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    good = json.dumps(chain(message("m1", "user", "good")))
    bent = chain(message("m2", "user", "kept"))
    bent["mapping"]["x"] = 5
    bent["mapping"]["m2"]["message"]["author"] = None
    path.write_text(f'[{good[:-3]}, {good}, 7, {{"a": 1}}, {json.dumps(bent)}]')
    found = list(FORMAT.read(path, ZONE))
    assert all(isinstance(each, Record | Skipped) for each in found)
    path.write_text(f'[{good}, 7, {{"a": 1}}, {json.dumps(bent)}, {good[:40]}')
    found = list(FORMAT.read(path, ZONE))
    assert [each.key for each in found if isinstance(each, Record)] == ["m1"]
    assert len([each for each in found if isinstance(each, Skipped)]) == 5


@pytest.mark.parametrize(
    "value",
    [
        [{"role": "user", "content": "plain"}, {"role": "assistant", "content": "talk"}],
        {"title": "t", "messages": [{"id": "1", "role": "user", "content": ["plain", "talk"]}]},
    ],
)
def test_plain_role_and_content(tmp_path: Path, value: object) -> None:
    found = records(read(tmp_path, value, "export.json"))
    assert " ".join(each.text for each in found).split() == ["plain", "talk"]


def test_a_time_beyond_all_numbers_costs_nothing_but_itself(tmp_path: Path) -> None:
    message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["kelp"]}}
    node = {"id": "n", "message": {"id": "n", "create_time": 10**400, **message}}
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([{"id": "c", "mapping": {"n": node}}]), encoding="utf-8")
    found = list(FORMAT.read(path, ZONE))
    assert [record.text for record in found if isinstance(record, Record)] == ["kelp"]
