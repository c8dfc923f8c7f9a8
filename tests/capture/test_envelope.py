import json
from collections import Counter
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.capture.envelope import Intake, admit
from slowwave.model import Event, Record, Skipped

NOW = datetime(2026, 5, 4, 9, 30, tzinfo=timezone(timedelta(hours=8)))
INTAKE = Intake(space="home", owner="Yara Lindqvist", now=NOW)


def record(text: str = "I keep bees", **fields: Any) -> Record:
    return Record(**{"text": text, "source": "test", "ts": NOW, **fields})


def event(given: Record, seen: Counter[str] | None = None) -> Event:
    result = admit(given, INTAKE, Counter() if seen is None else seen)
    assert isinstance(result, Event), result
    return result


def refusal(given: Record) -> str:
    result = admit(given, INTAKE, Counter())
    assert isinstance(result, Skipped), result
    assert result.line == given.line
    return result.reason


@pytest.mark.parametrize(
    ("fields", "origin"),
    [
        ({}, "owner"),
        ({"speaker": "yara lindqvist"}, "owner"),
        ({"speaker": "Ｙara Lindqvist"}, "owner"),
        ({"speaker": "user"}, "owner"),
        ({"speaker": "Omar"}, "other"),
        ({"kind": "note"}, "owner"),
        ({"kind": "seed"}, "owner"),
        ({"kind": "correction"}, "owner"),
        ({"kind": "note", "speaker": "Omar"}, "other"),
        ({"role": "assistant"}, "agent"),
        ({"role": "assistant", "kind": "tool_call"}, "tool"),
        ({"role": "tool", "kind": "tool_result"}, "tool"),
        ({"role": "tool"}, "tool"),
        ({"role": "user", "kind": "tool_result"}, "tool"),
        ({"role": "system", "kind": "note"}, "system"),
        ({"origin": "external"}, "external"),
        ({"origin": "owner", "speaker": "Omar"}, "owner"),
        ({"origin": "owner", "role": "tool"}, "tool"),
        ({"origin": "owner", "role": "assistant"}, "agent"),
        ({"origin": "agent", "role": "system"}, "system"),
        ({"origin": "external", "role": "tool"}, "external"),
        ({"origin": "recalled", "role": "assistant"}, "recalled"),
        ({"origin": "kingly"}, "external"),
    ],
)
def test_origin_follows_from_role_speaker_and_kind(fields: dict[str, Any], origin: str) -> None:
    assert event(record(**fields)).origin == origin


@pytest.mark.parametrize(
    "text",
    [
        '<slowwave-memory untrusted="true">\n- keeps bees\n</slowwave-memory>',
        "<active_memory_plugin>\nlikes rye bread\n</active_memory_plugin>",
        "- Candidate: keeps bees\n  - confidence: 0.62\n  - recalls: 3\n  - status: staged",
    ],
)
@pytest.mark.parametrize("told", [None, "owner", "agent"])
def test_recalled_text_is_recalled_whatever_the_caller_says(text: str, told: Any) -> None:
    assert event(record(text, origin=told)).origin == "recalled"


def test_words_beside_a_recalled_block_stay_the_owners_and_the_block_goes() -> None:
    text = "<slowwave-memory>\n- has 3 hives\n</slowwave-memory>\nToday I bought a fourth hive"
    stored = event(record(text))
    assert (stored.origin, stored.text) == ("owner", "Today I bought a fourth hive")


@pytest.mark.parametrize(
    "text",
    ["HEARTBEAT_OK", "[cron:x9 digest] Summarise the mail", "Read HEARTBEAT.md if it exists"],
)
def test_what_a_program_writes_in_the_users_place_is_system(text: str) -> None:
    assert event(record(text)).origin == "system"


def wrapped(words: str, **info: Any) -> str:
    told = {"message_id": "77", "sender_id": "4242", "sender": "Omar Haddad", **info}
    return f"Conversation info (untrusted metadata):\n```json\n{json.dumps(told)}\n```\n\n{words}"


def test_a_channel_wrapper_is_not_stored_but_who_and_when_are() -> None:
    stored = event(record(wrapped("Hive two swarmed", timestamp="Mon 2026-05-04 03:30 GMT+2")))
    assert stored.text == "Hive two swarmed"
    assert stored.meta == {"sender": "Omar Haddad", "sender_id": "4242"}
    assert stored.ts == NOW
    assert stored.ts.utcoffset() == timedelta(hours=2)
    assert stored.origin == "owner"


def test_a_group_speaker_is_another_person() -> None:
    stored = event(record(wrapped("Hive two swarmed", is_group_chat=True)))
    assert (stored.speaker, stored.origin) == ("Omar Haddad", "other")


def test_a_wrapper_without_words_is_skipped() -> None:
    assert refusal(record(wrapped(""), line=7)) == "nothing but channel metadata"


def test_secrets_are_masked_in_every_field() -> None:
    stored = event(
        record(
            "password is hunter2",
            session="token=q7m2x9k4z8b3n6w1",
            speaker="pw: hunter2",
            ref="password=hunter2",
            channel="password=hunter2",
            meta={"header": "password=hunter2"},
        )
    )
    raw = msgspec.json.encode(stored).decode()
    assert "hunter2" not in raw
    assert "q7m2x9k4" not in raw


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a\ud83db", "a\ufffdb"),
        ("a\ud83d\udc1db", "a🐝b"),
        ("a\0b", "ab"),
        ("a\u2028b", "a\u2028b"),
        ("\udc00蜂\ud800", "\ufffd蜂\ufffd"),
    ],
)
def test_text_is_storable(text: str, kept: str) -> None:
    assert event(record(text)).text == kept


@pytest.mark.parametrize("text", ["", "  \n\t", "\0", "\u3000"])
def test_no_text_is_skipped(text: str) -> None:
    assert refusal(record(text, line=3)) == "no text"


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"ts": datetime(2026, 5, 4)}, "time without zone"),  # noqa: DTZ001 - the case itself
        ({"ts": datetime(1904, 1, 1, tzinfo=UTC)}, "impossible year 1904"),
        ({"ts": datetime(9999, 12, 31, 23, 59, tzinfo=UTC)}, "impossible year 9999"),
        ({"role": "wizard"}, "unknown role 'wizard'"),
        ({"kind": "spell"}, "unknown kind 'spell'"),
    ],
)
def test_an_impossible_record_is_skipped(fields: dict[str, Any], reason: str) -> None:
    assert refusal(record(**fields)) == reason


def test_without_a_time_every_record_is_new() -> None:
    one, other = (event(record(ts=None)) for _ in range(2))
    assert one.id != other.id
    assert one.ts == other.ts == NOW


def test_the_same_log_read_twice_gives_the_same_events() -> None:
    log = [record(), record(), record("bees again")]

    def read() -> list[str]:
        seen: Counter[str] = Counter()
        return [event(item, seen).id for item in log]

    assert read() == read()
    assert len(set(read())) == 3


def test_the_zone_an_instant_is_written_in_does_not_change_who_it_is() -> None:
    assert event(record()).id == event(record(ts=NOW.astimezone(UTC))).id


def test_a_foreign_key_decides_over_content() -> None:
    one, other = record("bees", key="k1"), record("wasps", key="k1", ts=None)
    assert event(one).id == event(other).id
    assert event(one).id != event(record("bees", key="k2")).id
    assert event(one).id != event(record("bees", key="k1", source="elsewhere")).id


def test_spaces_do_not_share_ids() -> None:
    other = admit(record(), Intake("work", "", NOW), Counter())
    assert isinstance(other, Event)
    assert other.id != event(record()).id


@settings(max_examples=100, deadline=None)
@given(st.text(), st.sampled_from(["user", "assistant", "tool", "system"]))
def test_any_text_is_admitted_or_skipped_and_the_result_is_stable(text: str, role: Any) -> None:
    result = admit(record(text, role=role), INTAKE, Counter())
    if isinstance(result, Event):
        again = admit(record(result.text, role=role), INTAKE, Counter())
        assert isinstance(again, Event)
        result.text.encode()


def test_no_field_keeps_a_secret() -> None:
    secret = "ghp_Qq11Ww22Ee33Rr44Tt55Yy66Uu77Ii88Oo99"
    given = record(
        f"see {secret}", key=f"k {secret}", source=f"s {secret}", session=f"x {secret}",
        ref=f"r {secret}", speaker=f"Omar {secret}", channel=f"c {secret}",
        meta={f"a {secret}": "b", "c": secret, "nested": f'{{"token": ["{secret}"]}}'},
    )  # fmt: skip
    assert secret.encode() not in msgspec.json.encode(event(given))


def test_keys_that_hold_different_secrets_are_different_events() -> None:
    keys = [f"row of ghp_{letter * 36}" for letter in "Ab7Cd8"]
    assert len({event(record(key=key)).id for key in keys}) == len(keys)
    assert event(record(key=keys[0])).id == event(record(key=keys[0])).id


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("password", "tangerine tree 9", "[secret:password]"),
        ("api_key", "Hh4Jj5Kk6Ll7Zz8X", "[secret:token]"),
        ("authorization", "Bearer Hh4Jj5Kk6Ll7Zz8X", "[secret:token]"),
        ("title", "How to reset a password", "How to reset a password"),
        ("cwd", "/srv/pass/key", "/srv/pass/key"),
        ("tokens", "4096", "4096"),
        ("keyboard", "ISO 105", "ISO 105"),
    ],
)
def test_the_name_of_a_field_tells_that_its_value_is_secret(
    name: str, value: str, kept: str
) -> None:
    assert event(record(meta={name: value})).meta == {name: kept}


def test_a_clock_that_stands_at_an_impossible_year_is_refused() -> None:
    early = Intake("home", "", NOW.replace(year=1))
    result = admit(record(ts=None), early, Counter())
    assert isinstance(result, Skipped)
    assert "year 1" in result.reason
