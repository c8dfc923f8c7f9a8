"""Runs a data set through the product's own code path and the baselines beside it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from slowwave.errors import UsageError
from slowwave.evaluation import beam, locomo, memorybank, qa
from slowwave.evaluation.injection import Given, given, given_dreamed, injection_rows
from slowwave.evaluation.longmemeval_run import evaluate_longmemeval
from slowwave.evaluation.metrics import Asked, Conversation, Dataset, gains, rows, score
from slowwave.evaluation.rooms import OURS, Plan, Shared, answers, opened, pipelines
from slowwave.evaluation.table import Split, Table, setting_of
from slowwave.ports import Progress, no_progress

READERS: Mapping[str, Callable[[Path], Dataset]] = {
    "locomo": locomo.read,
    "beam": beam.read,
    "qa": qa.read,
    "memorybank": memorybank.read,
}
"""Data sets that fit into memory, by name. `longmemeval` is read question by question."""

DATASETS = ("locomo", "beam", "longmemeval", "qa", "memorybank")


@dataclass
class Found:
    """What was measured so far. `talks` are the conversations that were finished."""

    asked: list[Asked] = field(default_factory=list)
    given: list[Given] = field(default_factory=list)
    talks: list[str] = field(default_factory=list)
    stopped: bool = False

    def only(self, talks: Iterable[str]) -> "Found":
        """The part of these conversations."""
        names = set(talks)
        return Found(
            [each for each in self.asked if each.talk in names],
            [each for each in self.given if each.talk in names],
            [name for name in self.talks if name in names],
        )


def evaluate(
    dataset: str, path: Path, plan: Plan | None = None, progress: Progress = no_progress
) -> Table:
    """Recall of every pipeline by kind of question, and what a prompt would get.

    Ctrl-C ends the measuring, and the table is of what was finished. Raises UsageError for an
    unknown data set or baseline, InputError for files that cannot be read, EmbedderError.
    """
    plan = plan or Plan()
    if plan.embedder is not None:
        plan = replace(plan, embedder=Shared(plan.embedder))
    if dataset == "longmemeval":
        return evaluate_longmemeval(path, plan, progress)
    data = read(dataset, path, plan.limit)
    found = _measure(data, plan, progress)
    counted = [each for each in found.asked if each.question.counts]
    done = len(found.talks)
    return Table(
        data.name, len(counted), data.skipped, data.malformed,
        setting_of(plan, done, len(data.conversations), stopped=found.stopped),
        rows(found.asked, by_talk=plan.by_talk),
        gains(found.asked, OURS, by_talk=plan.by_talk),
        injection_rows(found.given, by_talk=plan.by_talk),
        tuple(_split(data, found, plan)) if plan.split else (),
    )  # fmt: skip


def read(dataset: str, path: Path, limit: int | None) -> Dataset:
    """The first `limit` conversations of a data set. Raises UsageError, InputError."""
    reader = READERS.get(dataset)
    if reader is None:
        raise UsageError(f"unknown data set {dataset!r}", f"known: {', '.join(DATASETS)}")
    data = reader(path)
    return msgspec.structs.replace(data, conversations=data.conversations[:limit])


def _measure(data: Dataset, plan: Plan, progress: Progress) -> Found:
    texts = [question.text for talk in data.conversations for question in talk.questions]
    names = pipelines(plan, texts)
    found = Found()
    what = f"{data.name}: conversations"
    try:
        for place, talk in enumerate(data.conversations):
            progress(what, place, len(data.conversations))
            _measure_one(found, talk, plan, names, whole=data.whole, progress=progress)
            found.talks.append(talk.name)
    except KeyboardInterrupt:
        found.stopped = True
    progress(what, len(found.talks), len(data.conversations))
    return found


def _measure_one(
    found: Found, talk: Conversation, plan: Plan, names: Sequence[str],
    *, whole: bool, progress: Progress,
) -> None:  # fmt: skip
    """Adds one conversation; a question is added when all pipelines have answered it."""
    with opened(talk, plan.embedder, progress) as room:
        for place, question in enumerate(talk.questions, start=1):
            if question.evidence:
                got = answers(room, question.text, names, plan.settings)
                scores = {
                    name: score(question, answer, room.sessions, whole=whole)
                    for name, answer in got.items()
                }
                found.asked.append(Asked(talk.name, question, scores))
            found.given.extend(given(room, question, plan))
            progress("questions", place, len(talk.questions))
    if plan.dreamed is not None:
        found.given.extend(given_dreamed(talk, plan, progress))


def _split(data: Dataset, found: Found, plan: Plan) -> Iterable[Split]:
    """Those conversations that constants were chosen on, and those that were only looked at."""
    seen = dict.fromkeys(each.talk for each in found.asked)
    parts = {
        "tuned": [name for name in seen if name in data.tuned],
        "untuned": [name for name in seen if name not in data.tuned],
    }
    for part, talks in parts.items():
        of = found.only(talks)
        yield Split(
            part, tuple(talks),
            rows(of.asked, by_talk=plan.by_talk), injection_rows(of.given, by_talk=plan.by_talk),
        )  # fmt: skip
