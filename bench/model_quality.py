"""The same day by the rules and with a model beside them: dream quality, side by side.

    python bench/model_quality.py
    python bench/model_quality.py DATASET PATH [--limit N]     # asks the model of the environment

Without arguments the model is a scripted server that has read an invented day before
(`model_day.jsonl`; what it says to it is in `model_day_notes.jsonl`): right claims, and one wrong
one of each kind that models make. Every wrong one is looked for among the memories. The measures
are those of `slowwave eval … --quality`; so is the same with a real model, set by
SLOWWAVE_MODEL_BASE_URL and SLOWWAVE_MODEL_NAME (`slowwave eval … --distiller llm` takes all
settings of a home).
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from slowwave.cli.measuring import show_pair
from slowwave.evaluation.quality_nights import Setting, live, opened
from slowwave.evaluation.quality_pair import QualityPair, dream_quality_pair
from slowwave.evaluation.run import READERS
from slowwave.model import Memory
from slowwave.ports import no_progress
from slowwave.settings import ModelSettings
from slowwave.testing.scripted_model import ScriptedModel
from slowwave.testing.scripted_reader import Note, ScriptedReader, notes_in

DAY = Path(__file__).with_name("model_day.jsonl")
NOTES = Path(__file__).with_name("model_day_notes.jsonl")
SEGMENT_CHARS = 300
"""Several questions even about one day."""


def scripted() -> tuple[QualityPair, list[tuple[str, str]]]:
    """The comparison on the invented day, and each wrong claim that became a memory."""
    reader = ScriptedReader(notes_in(NOTES))
    with ScriptedModel(reader) as server:
        model = ModelSettings(base_url=server.base_url, name="scripted")
        setting = Setting(segment_chars=SEGMENT_CHARS)
        pair = dream_quality_pair("qa", DAY, model, plain=setting)
        kept = memories_with(model)
    return pair, list(slipped(reader.notes, kept))


def memories_with(model: ModelSettings) -> tuple[Memory, ...]:
    """What is known after the day was read with a model."""
    talk = READERS["qa"](DAY).conversations[0]
    setting = Setting(model=model, segment_chars=SEGMENT_CHARS)
    with TemporaryDirectory() as folder:
        lived = live(Path(folder), talk, setting, no_progress)
        with opened(Path(folder), lived.morning + timedelta(days=1), setting) as memory:
            return tuple(memory.memories())


def slipped(notes: Sequence[Note], kept: Sequence[Memory]) -> Iterator[tuple[str, str]]:
    """Wrong claims whose text is a memory's, with what was said in fact."""
    texts = {one.text.strip(" .。") for one in kept}
    for note in notes:
        for item in note.items if note.wrong else ():
            text = str(item.get("text", item.get("quote", note.said))).strip(" .。")
            # What is wrong only in its evidence says what the rules may have found by themselves.
            if text in texts and "event_id" not in item:
                yield text, note.said


def main() -> int:
    """Measures and prints; 1 when an invented claim became a memory."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("dataset", nargs="?", choices=sorted(READERS))
    parser.add_argument("path", nargs="?", type=Path)
    parser.add_argument("--limit", type=int)
    asked = parser.parse_args()
    if asked.dataset and asked.path:
        model = ModelSettings(
            base_url=os.environ["SLOWWAVE_MODEL_BASE_URL"],
            name=os.environ["SLOWWAVE_MODEL_NAME"],
            api_key=os.environ.get("SLOWWAVE_MODEL_API_KEY", ""),
        )
        show_pair(dream_quality_pair(asked.dataset, asked.path, model, limit=asked.limit,
                                     plain=Setting()))  # fmt: skip
        return 0
    pair, wrong = scripted()
    show_pair(pair)
    notes = notes_in(NOTES)
    given = [sum(len(note.items) for note in notes if note.wrong is way) for way in (False, True)]
    print(f"\nthe script says {given[0]} right and {given[1]} wrong things; "
          f"{len(wrong)} of the wrong ones became a memory")  # fmt: skip
    for text, said in wrong:
        print(f"  {text}\n    but it was said: {said}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
