"""Arrays cut at the borders of their elements: any chunking, any damage, plain or zipped."""

import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.adapters.importers import json_stream
from slowwave.adapters.importers.json_stream import Value, head_of, json_values, split
from slowwave.errors import InputError, NotFound
from slowwave.model import Skipped

ANY = re.compile(r".*\.json")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)
CONTAINERS = st.lists(st.dictionaries(st.text(max_size=5), JSON, max_size=4), max_size=6)


def _pieces(data: bytes, chunk: int) -> list[bytes | None]:
    stream = io.BytesIO(data)
    return [piece.raw for piece in split(lambda _size: stream.read(chunk))]


def _write(tmp_path: Path, data: bytes, name: str = "a.json") -> Path:
    path = tmp_path / name
    path.write_bytes(data)
    return path


def _values(path: Path) -> list[object]:
    return [found.value for found in json_values(path, ANY) if isinstance(found, Value)]


def _skipped(path: Path) -> list[Skipped]:
    return [found for found in json_values(path, ANY) if isinstance(found, Skipped)]


@settings(max_examples=100, deadline=None)
@given(CONTAINERS, st.integers(1, 40), st.sampled_from([None, 1]), st.booleans())
def test_elements_come_out_whole_however_the_bytes_arrive(
    values: list[object], chunk: int, indent: int | None, ascii_only: bool
) -> None:
    data = json.dumps(values, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "replace")
    pieces = _pieces(data, chunk)
    expected = json.loads(data)
    assert [json.loads(piece or b"") for piece in pieces] == expected


def test_one_object_and_lines_of_objects(tmp_path: Path) -> None:
    assert _values(_write(tmp_path, b'{"a": [1, 2]}')) == [{"a": [1, 2]}]
    assert _values(_write(tmp_path, b'{"a":1}\n{"b":[2]}\n[{"c":3}]\n')) == [
        {"a": 1},
        {"b": [2]},
        {"c": 3},
    ]


def test_a_damaged_element_costs_itself_alone(tmp_path: Path) -> None:
    data = b'[{"n":1},\n{"n":\x00 2},\n{"n" 3},\nnonsense,\n{"n":4},\n{"n":'
    path = _write(tmp_path, data)
    assert _values(path) == [{"n": 1}, {"n": 4}]
    found = _skipped(path)
    assert [skip.line for skip in found] == [2, 3, 4, 6]
    assert "NUL" in found[0].reason
    assert "torn" in found[3].reason


def test_escaped_quotes_brackets_in_strings_and_half_surrogates(tmp_path: Path) -> None:
    data = rb'[{"a":"]}\\"},{"b":"\"[{"},{"c":"\ud83d"},{"d":"\u2028"}]'
    assert _values(_write(tmp_path, data)) == [
        {"a": "]}\\"},
        {"b": '"[{'},
        {"c": "\ufffd"},
        {"d": "\u2028"},
    ]


def test_byte_order_marks_and_utf16(tmp_path: Path) -> None:
    text = '[{"名": "早"}]'
    for encoding in ("utf-8-sig", "utf-16"):
        assert _values(_write(tmp_path, text.encode(encoding))) == [{"名": "早"}]


def test_too_large_elements_are_counted_and_passed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_stream, "MAX_VALUE", 1000)
    monkeypatch.setattr(json_stream, "_CHUNK", 100)
    large = {"text": "x" * 5000, "more": [["y" * 3000]]}
    path = _write(tmp_path, json.dumps([{"n": 1}, large, {"n": 2}]).encode())
    assert _values(path) == [{"n": 1}, {"n": 2}]
    assert len(_skipped(path)) == 1


def _zipped(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def test_shards_in_an_archive(tmp_path: Path) -> None:
    path = _zipped(
        tmp_path / "export.zip",
        {
            "data/c-001.json": b'[{"n":3}]',
            "data/c-000.json": b'\xef\xbb\xbf[{"n":1},{"n":2}]',
            "__MACOSX/data/._c-000.json": b"\x00\x05\x16",
            "user.json": b'[{"n":9}]',
        },
    )
    wanted = re.compile(r"c-\d+\.json")
    found = [value.value for value in json_values(path, wanted) if isinstance(value, Value)]
    assert found == [{"n": 1}, {"n": 2}, {"n": 3}]
    assert head_of(path, path.read_bytes()[:100], wanted).endswith(b'[{"n":1},{"n":2}]')


def test_damaged_archives(tmp_path: Path) -> None:
    path = _zipped(tmp_path / "a.zip", {"a.json": b'[{"n":1}]' * 50, "b.json": b'[{"n":2}]'})
    data = path.read_bytes()
    torn = _write(tmp_path, data[: len(data) // 2], "torn.zip")
    with pytest.raises(InputError):
        list(json_values(torn, ANY))
    assert head_of(torn, torn.read_bytes(), ANY) == b""
    start = data.index(b"a.json") + len("a.json")
    bent = _write(tmp_path, data[:start] + b"\xff\xff\xff" + data[start + 3 :], "bent.zip")
    assert _values(bent) == [{"n": 2}]
    assert len(_skipped(bent)) == 1
    with pytest.raises(InputError):
        list(json_values(path, re.compile("none")))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        list(json_values(tmp_path / "no.json", ANY))


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300), st.integers(1, 50))
def test_random_bytes_never_break_it(data: bytes, chunk: int) -> None:
    assert isinstance(_pieces(data, chunk), list)
    assert _pieces(data, chunk) == _pieces(data, 1000)


def test_nesting_without_an_end_stops_the_file(tmp_path: Path) -> None:
    data = b'[{"a": 1}, ' + b"[" * (json_stream.MAX_DEPTH + 5)
    path = _write(tmp_path, data)
    assert _values(path) == [{"a": 1}]
    assert [found.reason for found in _skipped(path)] == ["damaged: nested too deeply"]


def test_a_bomb_in_an_archive_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_stream, "SMALL_MEMBER", 1000)
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.json", b'[{"a": "' + b"x" * 100_000 + b'"}]')
        archive.writestr("b.json", b'[{"b": 2}]')
    assert _values(path) == [{"b": 2}]
    assert "packed into" in _skipped(path)[0].reason
