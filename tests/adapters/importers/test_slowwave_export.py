"""An export is recognised, as lines and as a page, and by nothing else."""

import gzip
from datetime import UTC
from pathlib import Path

import pytest

from slowwave.adapters import importers
from slowwave.adapters.importers.slowwave_export import FORMAT, lines
from slowwave.model import Record
from slowwave.text.comment_lines import hidden

HEADER = b'{"slowwave":{"what":"header","is":{"space":"alder"}}}'
EVENT = b'{"ts":"2031-01-01T09:00:00+00:00","text":"It rains","slowwave":{"what":"event"}}'
END = b'{"slowwave":{"what":"end","is":{"lines":2}}}'


def put(folder: Path, name: str, *given: bytes, ending: bytes = b"\n") -> Path:
    path = folder / name
    body = ending.join([*given, b""])
    path.write_bytes(gzip.compress(body) if name.endswith(".gz") else body)
    return path


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "anything", "a.md"])
def test_lines(tmp_path: Path, name: str) -> None:
    path = put(tmp_path, name, HEADER, EVENT, b"", END)
    assert importers.recognise(path) is FORMAT
    assert [raw for _, raw in lines(path)] == [HEADER, EVENT, END]
    [record] = FORMAT.read(path, UTC)
    assert isinstance(record, Record)
    assert record.text == "It rains"


def test_another_program_may_have_spaced_it(tmp_path: Path) -> None:
    spaced = [raw.replace(b":", b": ").replace(b",", b", ") for raw in (HEADER, END)]
    path = put(tmp_path, "a.jsonl", b" " + spaced[0], spaced[1])
    assert importers.recognise(path) is FORMAT
    assert len(list(lines(path))) == 2


@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
def test_a_page(tmp_path: Path, ending: bytes) -> None:
    page = (b"# Title", b"", hidden(HEADER), b"", b"- it rains", b"  " + hidden(END), hidden(EVENT))
    path = put(tmp_path, "a.md", *page, ending=ending)
    assert importers.recognise(path) is FORMAT
    assert list(lines(path)) == [(3, HEADER), (7, EVENT)]


@pytest.mark.parametrize(
    "body", [EVENT, b"# Title\n\n" + hidden(EVENT), b"user: hi\nassistant: hello", b"", b"{}"]
)
def test_what_is_none(tmp_path: Path, body: bytes) -> None:
    path = put(tmp_path, "a.jsonl", body)
    assert not FORMAT.recognise(path, body)
    found = importers.recognise(path)
    assert found is None or found.name != "slowwave"


def test_what_is_hidden_comes_back() -> None:
    for raw in (b'{"a":"-->"}', b'{"a":"----"}', b'{"a":"<!-- x -->"}'):
        comment = hidden(raw)
        assert comment.count(b"-->") == 1
        found = importers.by_name("slowwave")
        assert found is FORMAT
        assert b"--" not in comment[len(b"<!-- slowwave-data ") : -len(b" -->")]
