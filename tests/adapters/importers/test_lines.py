"""Lines, encodings, JSON values and times of foreign files."""

import contextlib
import gzip
import sys
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.adapters.importers import lines
from slowwave.adapters.importers.lines import (
    decode,
    decode_json,
    json_lines,
    local_time,
    parse_time,
    read_bytes,
    read_head,
    read_lines,
)
from slowwave.errors import InputError, NotFound
from slowwave.model import Skipped

ODD_ENDS = "a\u2028b\u2029c\u0085d\x0be\x0cf"


def _write(tmp_path: Path, data: bytes, name: str = "log.jsonl") -> Path:
    path = tmp_path / name
    path.write_bytes(data)
    return path


def test_lines_end_at_0x0a_only(tmp_path: Path) -> None:
    path = _write(tmp_path, f"{ODD_ENDS}\r\n\nzwei".encode())
    assert list(read_lines(path)) == [(1, ODD_ENDS.encode()), (2, b""), (3, b"zwei")]


def test_an_empty_file_has_no_lines(tmp_path: Path) -> None:
    assert list(read_lines(_write(tmp_path, b""))) == []


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_marked_encodings_read_as_utf8(tmp_path: Path, encoding: str) -> None:
    path = _write(tmp_path, '{"猫":"灰"}\n{"n":2}\n'.encode(encoding))
    assert list(json_lines(path)) == [(1, {"猫": "灰"}), (2, {"n": 2})]
    assert read_head(path).startswith('{"猫"'.encode())


@pytest.mark.parametrize("pack", [zstandard.ZstdCompressor().compress, gzip.compress])
def test_packed_files_are_unpacked(tmp_path: Path, pack) -> None:
    many = b'{"n":1}\n' * 5000
    path = _write(tmp_path, pack(many) + pack(b'{"n":2}'), "old.jsonl.reset.x.zst")
    found = list(json_lines(path))
    assert len(found) == 5001
    assert found[-1] == (5001, {"n": 2})


@pytest.mark.parametrize("pack", [zstandard.ZstdCompressor().compress, gzip.compress])
def test_a_packed_file_that_ends_early_tells_where(tmp_path: Path, pack) -> None:
    noise = b"".join(b'{"n":%d}\n' % (n * 7919 % 1000003) for n in range(200_000))
    path = _write(tmp_path, pack(noise)[:-2000])
    *good, last = json_lines(path)
    assert len(good) > 1000
    assert isinstance(last, Skipped)
    assert last.line > 1000


def test_without_the_unpacker_the_hint_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _write(tmp_path, zstandard.ZstdCompressor().compress(b"{}\n"))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(InputError) as caught:
        list(read_lines(path))
    assert caught.value.hint == 'pip install "slowwave[import]"'


def test_only_bad_lines_are_skipped(tmp_path: Path) -> None:
    data = (
        b'{"n":1}\n\x00\x00\x00\n{"t":"'
        + ODD_ENDS.encode()[:4]
        + b'"}\n{"n":\n{"half":"\\ud83d"}\n{"to'
    )
    found = list(json_lines(_write(tmp_path, data)))
    assert [item[0] for item in found if not isinstance(item, Skipped)] == [1, 3, 5]
    skipped = {item.line: item.reason for item in found if isinstance(item, Skipped)}
    assert skipped == {
        2: "NUL bytes in the line",
        4: "torn: it ends early",
        6: "torn: it ends early",
    }
    assert (5, {"half": "\ufffd"}) in found


def test_a_line_over_the_limit_is_cut_and_the_next_one_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "MAX_LINE", 100)
    path = _write(tmp_path, b'{"x":"' + b"y" * 5000 + b'"}\n{"n":2}\n' + b"z" * 100 + b"\n[3]")
    found = list(json_lines(path))
    assert isinstance(found[0], Skipped)
    assert found[1] == (2, {"n": 2})
    assert found[-1] == (4, [3])


def test_missing_and_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        list(read_lines(tmp_path / "nowhere"))
    with pytest.raises(InputError):
        list(read_lines(tmp_path))
    with pytest.raises(InputError):
        read_bytes(_write(tmp_path, b"12345"), limit=4)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("昨晚把阳台的薄荷换了大盆，明天浇水", "gb18030"),
        ("昨晚把陽台的薄荷換了大盆，明天澆水", "big5"),
        ("élève naïf à l'école, où ça ?", "cp1252"),
        ("zwei Bäume und ein 灯塔", "utf-8"),
        ("plain words", "utf-8"),
        ("tea at noon, then home", "utf-16-le"),
        ("tea at noon, then home", "utf-16-be"),
    ],
)
def test_encodings_without_a_mark(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == (text, encoding)


def test_damaged_utf8_stays_utf8() -> None:
    data = "山顶的风很大，我们没有待太久".encode()
    text, encoding = decode(data[:-1])
    assert encoding == "utf-8"
    assert text.startswith("山顶的风很大")


def test_json_in_another_encoding_and_odd_values() -> None:
    assert decode_json('{"城":"泉州"}'.encode("gb18030")) == {"城": "泉州"}
    assert decode_json(b'"\\ud83d\\ude00"') == "😀"
    assert decode_json(b'{"\\ud800":["\\udfff"]}') == {"\ufffd": ["\ufffd"]}
    for bad in (b"[" * 50_000, b"{} {}", b"9" * 5_000, b"", b'{"a":}'):
        with pytest.raises(ValueError, match=r"\w"):
            decode_json(bad)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-03-05T01:02:03.456Z", datetime(2026, 3, 5, 1, 2, 3, 456000, UTC)),
        ("2026-03-05 09:02", datetime(2026, 3, 5, 9, 2, tzinfo=UTC)),
        ("2026-03-05 09:02 UTC", datetime(2026, 3, 5, 9, 2, tzinfo=UTC)),
        ("2026-03-05T09:02:00 +0530", datetime(2026, 3, 5, 3, 32, tzinfo=UTC)),
        ("2026-03-05T09:02:00GMT+08:00", None),
        ("2026-03-05", datetime(2026, 3, 5, tzinfo=UTC)),
        (1772673600, datetime(2026, 3, 5, 1, 20, tzinfo=UTC)),
        (1772673600.25, datetime(2026, 3, 5, 1, 20, 0, 250000, UTC)),
        (1772673600250, datetime(2026, 3, 5, 1, 20, 0, 250000, UTC)),
        ("1772673600", datetime(2026, 3, 5, 1, 20, tzinfo=UTC)),
        (0, None), (-4, None), (True, None), (float("nan"), None), (float("inf"), None),
        (10**400, None), ("", None), ("soon", None), (None, None), ({}, None),
        ("0001-01-01T00:00:00+14:00", None), ("9999-12-31T23:59:59-12:00", None),
    ],
)  # fmt: skip
def test_times(value: object, expected: datetime | None) -> None:
    assert parse_time(value) == expected


def test_a_naive_time_takes_the_given_zone_and_utc_moves_to_the_users() -> None:
    zone = timezone(timedelta(hours=8))
    assert parse_time("2026-03-05 00:30", zone) == datetime(2026, 3, 4, 16, 30, tzinfo=UTC)
    moved = local_time("2026-03-04T16:30:00Z", zone)
    assert moved is not None
    assert moved.day == 5
    kept = local_time("2026-03-04T16:30:00-05:00", zone)
    assert kept is not None
    assert kept.utcoffset() == timedelta(hours=-5)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=400))
def test_bytes_never_surprise(data: bytes) -> None:
    decode(data)
    with contextlib.suppress(ValueError):
        decode_json(data)
    parse_time(decode(data)[0])


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([b"", b"\xff\xfe", b"\x28\xb5\x2f\xfd", b"\x1f\x8b"]), st.binary(max_size=300)
)
def test_files_of_any_bytes_give_lines_or_an_input_error(
    tmp_path_factory: pytest.TempPathFactory, start: bytes, data: bytes
) -> None:
    path = tmp_path_factory.mktemp("any") / "file"
    path.write_bytes(start + data)
    try:
        for item in json_lines(path):
            assert isinstance(item, tuple | Skipped)
    except InputError:
        pass
