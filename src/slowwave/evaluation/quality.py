"""Dream quality: what a conversation's nights kept, and how much of it deserves to be there.

Each conversation gets a home of its own, is logged, dreamed through day by day and then measured:

    coverage       questions whose evidence turns are all cited by active memories, percent;
                   beside it with those in cold storage, and with those that have ended
    compression    tokens of the journal for one token of active memories
    recall         R@10 from memories alone, percent of what memories and journal reach together
    faults         quotes, numbers, dates, names of active memories that evidence does not bear
    duplicates     surplus active memories: of one subject, with (nearly) the same words, percent
    junk           active memories that are none (`quality_junk`)
    contradictions labelled pairs that cannot both hold and both stand unmarked, percent
    determinism    conversations whose busiest day was planned alike five times, percent
    refused        texts that no memory was made of, by reason; with a model also its proposals
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import reduce
from operator import add
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from slowwave.errors import UsageError
from slowwave.evaluation.metrics import Answer, Conversation, Question, recall_at
from slowwave.evaluation.quality_checks import ALIKE, Fault, faults, likely_twins
from slowwave.evaluation.quality_junk import junk_of
from slowwave.evaluation.quality_nights import PLAIN, Lived, Setting, live, opened
from slowwave.evaluation.quality_sides import ending_of
from slowwave.evaluation.run import READERS
from slowwave.memory import SlowMemory
from slowwave.model import Memory
from slowwave.ports import Progress, no_progress
from slowwave.recall.question import Scope
from slowwave.text.counting import plural
from slowwave.text.tokens import estimate

__all__ = ["Measure", "QualityTable", "Sample", "TalkQuality", "dream_quality"]

TEN = 10


class Measure(msgspec.Struct, frozen=True):
    """One line of the table: a value, out of how many, what it should reach, and its parts."""

    measure: str
    value: float
    unit: str
    n: int
    detail: str = ""


class TalkQuality(msgspec.Struct, frozen=True):
    """One conversation: questions, share covered (0–1), tokens of journal and of memories."""

    name: str
    questions: int
    covered: int
    journal_tokens: int
    memory_tokens: int
    active: int
    nights: int


class Sample(msgspec.Struct, frozen=True):
    """Something for a person to read: why it was chosen, and the texts."""

    measure: str
    conversation: str
    texts: tuple[str, ...]


class QualityTable(msgspec.Struct, frozen=True):
    """A finished measurement. `setting` says how it was made, `samples` are for reading."""

    dataset: str
    setting: str
    n: int
    skipped: int
    table: tuple[Measure, ...]
    conversations: tuple[TalkQuality, ...]
    samples: tuple[Sample, ...]


@dataclass
class _Sums:
    """What is added up over conversations."""

    asked: Counter[str] = field(default_factory=Counter)
    covered: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    journal: int = 0
    tokens: int = 0
    active: int = 0
    spans: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    surplus: int = 0
    junk: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    nights: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    readers: Counter[str] = field(default_factory=Counter)
    alike: int = 0
    talks: list[TalkQuality] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)


def dream_quality(
    dataset: str,
    path: Path,
    *,
    limit: int | None = None,
    setting: Setting = PLAIN,
    progress: Progress = no_progress,
) -> QualityTable:
    """Measures the first `limit` conversations of a data set, lived in this way.

    Raises UsageError for an unknown data set, InputError for files that cannot be read.
    """
    read = READERS.get(dataset)
    if read is None:
        raise UsageError(f"unknown data set {dataset!r}", f"known: {', '.join(READERS)}")
    data = read(path)
    talks = data.conversations[:limit]
    sums = _Sums()
    for place, talk in enumerate(talks):
        progress(f"{dataset}: conversations", place, len(talks))
        with TemporaryDirectory(prefix="slowwave-quality-") as folder:
            home = Path(folder)
            lived = live(home, talk, setting, progress)
            with opened(home, lived.morning + timedelta(days=1), setting) as memory:
                _measure(sums, talk, lived, memory, whole=data.whole)
    progress(f"{dataset}: conversations", len(talks), len(talks))
    how = "words only" if setting.embedder == "none" else setting.embedder
    reader = f"{setting.model.name} beside the rules" if setting.model else "rules"
    return QualityTable(
        dataset,
        f"{plural(len(talks), 'conversation')}, {reader}, {how}, every night until 4 quiet days "
        "have passed",
        sum(talk.questions for talk in sums.talks),
        data.skipped,
        tuple(_table(sums)),
        tuple(sums.talks),
        tuple(sums.samples),
    )


def _measure(
    sums: _Sums, talk: Conversation, lived: Lived, memory: SlowMemory, *, whole: bool
) -> None:
    """Adds one conversation to the sums."""
    active = [one for one in lived.memories if one.status == "active"]
    asked = [question for question in talk.questions if question.counts]
    covered = _coverage(sums, asked, active, lived)
    for question in asked:
        for scope in ("memories", "all"):
            answer = _answer(memory, question, scope)
            sums.found[scope] += round(1000 * recall_at(question, answer, TEN, whole=whole))
    for one in active:
        sums.spans += len(one.evidence)
        _note_faults(sums, talk.name, one, faults(one, lived.events))
        kind = junk_of(one.text)
        if kind:
            sums.junk[kind] += 1
            sums.samples.append(Sample(f"junk: {kind}", talk.name, (one.text,)))
    sums.surplus += _note_twins(sums, talk.name, active)
    for question in asked:
        ending = ending_of(question, lived.memories, lived.events)
        if ending is not None:
            sums.endings[ending] += 1
    journal = sum(estimate(event.text) for event in lived.events.values())
    held = sum(estimate(one.text) for one in active)
    sums.journal, sums.tokens = sums.journal + journal, sums.tokens + held
    sums.active += len(active)
    sums.statuses += Counter(one.status for one in lived.memories)
    sums.nights += lived.nights
    sums.refused += lived.refused
    sums.readers += lived.readers
    sums.alike += lived.same_plan
    nights = sum(lived.nights.values())
    sums.talks.append(
        TalkQuality(talk.name, len(asked), covered, journal, held, len(active), nights)
    )


def _coverage(
    sums: _Sums, asked: Sequence[Question], active: Sequence[Memory], lived: Lived
) -> int:
    """How many questions have all turns of one alternative cited by active memories."""
    cited = _cited(active)
    cold = _cited(one for one in lived.memories if one.status in ("active", "cold"))
    ever = _cited(lived.memories)
    before = sums.covered.total()
    for question in asked:
        kind = question.kinds[-1]
        sums.asked[kind] += 1
        sums.covered[kind] += _holds(question, cited)
        sums.kept["cold"] += _holds(question, cold)
        sums.kept["ended"] += _holds(question, ever)
    return sums.covered.total() - before


def _cited(memories: Iterable[Memory]) -> set[str]:
    return {span.ref or span.event_id for memory in memories for span in memory.evidence}


def _holds(question: Question, cited: set[str]) -> bool:
    return any(refs and cited.issuperset(refs) for refs in question.evidence)


def _answer(memory: SlowMemory, question: Question, scope: Scope) -> Answer:
    hits = memory.recall(memory.query(question.text, k=TEN, scope=scope), signal=False)
    return Answer(tuple(hit.refs for hit in hits), tuple(hit.text for hit in hits))


def _note_faults(sums: _Sums, talk: str, memory: Memory, found: Iterable[Fault]) -> None:
    for fault in found:
        sums.faults[fault.kind] += 1
        quotes = tuple(span.quote for span in memory.evidence)
        sample = Sample(f"fault: {fault.kind} {fault.detail}", talk, (memory.text, *quotes))
        sums.samples.append(sample)


def _note_twins(sums: _Sums, talk: str, active: Sequence[Memory]) -> int:
    """How many of the memories another one makes superfluous."""
    surplus = set()
    for twins in likely_twins(active):
        measure = "duplicate" if twins.likeness >= ALIKE else "alike"
        texts = (twins.first.text, twins.second.text)
        sums.samples.append(Sample(f"{measure} {twins.likeness:.2f}", talk, texts))
        if twins.likeness >= ALIKE:
            surplus.add(twins.second.id)
    return len(surplus)


def _table(sums: _Sums) -> list[Measure]:
    """The lines, in the order of the module's list."""
    asked, covered = sums.asked.total(), sums.covered.total()
    kinds = ", ".join(f"{k} {sums.covered[k]}/{sums.asked[k]}" for k in sorted(sums.asked))
    alone, together = sums.found["memories"], sums.found["all"]
    r10 = f"R@10 {_percent(alone / 1000, asked)} alone, {_percent(together / 1000, asked)} together"
    pairs = sums.endings.total()
    wrong = sums.faults.total() - sums.faults["word"]
    return [
        Measure("coverage", _percent(covered, asked), "%", asked, kinds),
        Measure("coverage, active and cold", _percent(sums.kept["cold"], asked), "%", asked),
        Measure("coverage, also by ended ones", _percent(sums.kept["ended"], asked), "%", asked),
        Measure("compression", round(sums.journal / max(1, sums.tokens), 2), ": 1", sums.journal,
                f"{sums.journal} tokens of journal, {sums.tokens} of memories"),
        Measure("recall from memories alone", _percent(alone, together), "%", asked, r10),
        Measure("faults", wrong, "", sums.active,
                f"{sums.spans} quotes checked" + _listed(sums.faults)),
        Measure("duplicates", _percent(sums.surplus, sums.active), "%", sums.active,
                f"{sums.surplus} surplus"),
        Measure("junk", sums.junk.total(), "", sums.active, _listed(sums.junk)[2:]),
        *([Measure("contradictions", _percent(sums.endings["both stand"], pairs), "%", pairs,
                   _listed(sums.endings)[2:])] if pairs else []),
        Measure("determinism", _percent(sums.alike, len(sums.talks)), "%", len(sums.talks)),
        Measure("refused", sums.refused.total(), "", sums.refused.total(),
                ", ".join(f"{why} {n}" for why, n in sums.refused.most_common())),
        Measure("memories", sums.active, "active", sums.statuses.total(),
                _listed(sums.statuses)[2:]),
        Measure("nights", sums.nights.total(), "", sums.nights.total(),
                _listed(sums.nights)[2:] + _listed(sums.readers)),
    ]  # fmt: skip


def _percent(part: float, whole: float) -> float:
    return round(100 * part / whole, 1) if whole else 0.0


def _listed(counts: Counter[str]) -> str:
    return reduce(add, (f", {kind} {counts[kind]}" for kind in sorted(counts)), "")
