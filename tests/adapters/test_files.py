"""Files are old or new, never part of either, also where several write one at once."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from slowwave.adapters.files import replace_file


def test_writers_of_one_file_do_not_meet(tmp_path: Path) -> None:
    target = tmp_path / "MEMORY.md"
    bodies = [bytes([letter]) * 50_000 for letter in b"abcd"]

    def write(body: bytes) -> bool:
        for _ in range(20):
            replace_file(target, body)
            if target.read_bytes() not in bodies:
                return False
        return True

    with ThreadPoolExecutor(len(bodies)) as pool:
        assert all(pool.map(write, bodies))
    assert list(tmp_path.iterdir()) == [target]
