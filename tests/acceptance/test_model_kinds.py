"""What models get wrong, by kinds: no invented claim becomes a memory (cases 11, 12, 61 and 63).

People, places and sentences are invented.
"""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from slowwave.memory import SlowMemory
from slowwave.model import Dream, Memory, Record
from slowwave.modelling import asking
from slowwave.testing.scripted_model import (
    Request,
    ScriptedModel,
    busy,
    chatty,
    echo,
    failing,
    fenced,
    holding,
    invented,
    truncated,
)
from slowwave.testing.scripted_reader import Note, ScriptedReader, is_about_a_log, shown_events
from slowwave.wiring import Options, open_memory

NOW = "2031-09-09T03:00:00+02:00"
FIRST = datetime.fromisoformat("2031-09-08T07:00:00+02:00")


def opened(home: Path, server: ScriptedModel, settings: str = "") -> SlowMemory:
    home.mkdir(exist_ok=True)
    (home / "slowwave.toml").write_text(f'embedder = "none"\n{settings}', encoding="utf-8")
    environment = {
        "SLOWWAVE_MODEL_BASE_URL": server.base_url,
        "SLOWWAVE_MODEL_NAME": "scripted",
    }
    return open_memory(Options(home=str(home), now=NOW, tz="Europe/Stockholm"), environment)


def said(*texts: str, **fields: Any) -> list[Record]:
    return [
        Record(text=text, source="t", key=f"{at} {text[:20]}",
               ts=FIRST + timedelta(seconds=20 * at), **fields)
        for at, text in enumerate(texts)
    ]  # fmt: skip


# ── kinds of invention ──────────────────────────────────────────────────────────────────────────

ORCHARD = "I planted forty quince trees behind the chapel in Visby."
MILK = "I drink my tea with oat milk, never with cream."
COUSIN = "My cousin Edda repairs violins in Gotha."
MAYBE = "Maybe I sell the tractor in spring."
ONCE = "Just this once, write the letter in Latin."
DREAMT = "If I were mayor I would close the quarry."
ASKED = "Does the museum open on Mondays?"
QUOTED = 'The sign says: "I am the owner of this house and I bite."'
MOVED = "I no longer work at the brewery."
COLD = "I slept badly because the stove went out."
DOSE = "My father takes two drops of iodine at seven."
ZH_FISH = "我每个周末都去东边的河里钓鲈鱼。"
ZH_PEPPER = "我不能吃花椒，一吃舌头就麻。"
ZH_AUNT = "我姑妈在泉州开了一家茶馆。"
ZH_MAY = "我也许明年换一台打印机。"
HELLO = "Good evening!"
PROMISE = "I can look after the quince harvest for you."

LOG = (ORCHARD, MILK, COUSIN, MAYBE, ONCE, DREAMT, ASKED, QUOTED, MOVED, COLD, DOSE, ZH_FISH,
       ZH_PEPPER, ZH_AUNT, ZH_MAY, HELLO)  # fmt: skip

Item = dict[str, Any]

INVENTIONS: dict[str, tuple[str, Item]] = {
    "a word in the place of another": (ORCHARD, {
        "text": "I planted forty apple trees behind the chapel in Visby"}),
    "a place in the place of another": (ORCHARD, {
        "text": "I planted forty quince trees behind the chapel in Kalmar"}),
    "a number in words": (ORCHARD, {
        "text": "I planted fifty quince trees behind the chapel in Visby"}),
    "more than was said": (MILK, {"text": "I drink my tea with oat milk because of my stomach"}),
    "the contrary": (MILK, {"text": "I drink my tea with cream, never with oat milk",
                            "quote": "I drink my tea with oat milk, never with cream"}),
    "a verb in the place of another": (COUSIN, {
        "text": "Edda sells violins in Gotha", "subject": "Edda",
        "quote": "Edda repairs violins in Gotha"}),
    "another person": (COUSIN, {"text": "Marthe repairs violins in Gotha", "subject": "Marthe"}),
    "a guess at feelings": (COUSIN, {"text": "The user adores Edda", "kind": "emotion"}),
    "certainty": (MAYBE, {"text": "I sell the tractor in spring",
                          "quote": "I sell the tractor in spring", "kind": "plan"}),
    "for ever": (ONCE, {"text": "Always write the letter in Latin", "kind": "rule",
                        "subject": "agent", "quote": "write the letter in Latin"}),
    "a supposition": (DREAMT, {"text": "I would close the quarry", "kind": "plan",
                               "quote": "I would close the quarry"}),
    "a question": (ASKED, {"text": "The museum opens on Mondays", "subject": "world",
                           "quote": "the museum open on Mondays"}),
    "what a sign says": (QUOTED, {"text": "I am the owner of this house and I bite",
                                  "quote": "I am the owner of this house and I bite",
                                  "kind": "profile"}),
    "what is over": (MOVED, {"text": "I work at the brewery", "quote": "work at the brewery"}),
    "another cause": (COLD, {"text": "I slept badly because the window was open"}),
    "another amount": (DOSE, {"text": "My father takes twelve drops of iodine at seven"}),
    "another hour": (DOSE, {"text": "My father takes two drops of iodine at nine"}),
    "a diagnosis": (DOSE, {"text": "The user's father has a thyroid disease"}),
    "zh: another fish": (ZH_FISH, {"text": "我每个周末都去东边的河里钓鲤鱼"}),
    "zh: another direction": (ZH_FISH, {"text": "我每个周末都去西边的河里钓鲈鱼"}),
    "zh: the contrary": (ZH_PEPPER, {"text": "我能吃花椒", "quote": "能吃花椒"}),
    "zh: another town": (ZH_AUNT, {"text": "我姑妈在漳州开了一家茶馆"}),
    "zh: another relative": (ZH_AUNT, {"text": "我姨妈在泉州开了一家茶馆"}),
    "zh: more than was said": (ZH_AUNT, {"text": "我姑妈在泉州开了一家很赚钱的茶馆"}),
    "zh: certainty": (ZH_MAY, {"text": "我明年换一台打印机", "quote": "明年换一台打印机"}),
    "somebody else's life": (HELLO, {"text": "The user is John Doe, an engineer at Google",
                                     "quote": "I am John Doe"}),
    "an example of the instructions": (HELLO, {"text": "what is limited stays limited"}),
    "a template": (HELLO, {"text": "Clear, specific title (max 12 words)"}),
    "out of nothing": (HELLO, {"text": "The user is polite", "quote": ""}),
    "an event that does not exist": (HELLO, {"text": "Good evening is said", "event_id": "e77"}),
    "a quote with one letter more": (COUSIN, {"text": "My cousin Edda repairs violins in Gothas",
                                              "quote": "My cousin Edda repairs violins in Gothas"}),
    "two halves made one": (MILK, {"text": "I drink my tea never with cream",
                                   "quote": "I drink my tea never with cream"}),
    "what the assistant offered": (PROMISE, {"text": "Look after the quince harvest",
                                             "kind": "rule", "subject": "agent"}),
}  # fmt: skip

RIGHT: dict[str, Item] = {
    ORCHARD: {"importance": 71, "quote": ORCHARD[:-1]},
    COUSIN: {"kind": "relationship", "quote": COUSIN[:-1], "importance": 66},
    ZH_AUNT: {"kind": "relationship", "quote": ZH_AUNT[:-1], "importance": 66},
}


class Found(NamedTuple):
    dream: Dream
    memories: list[Memory]


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """One night with all inventions, and some right claims among them."""
    notes = [Note(text, (item,), wrong=True) for text, item in INVENTIONS.values()]
    notes += [Note(text, (item,)) for text, item in RIGHT.items()]
    reader = ScriptedReader(notes)
    with ScriptedModel(reader) as server:
        settings = "[dream]\nsegment_chars = 400\n"
        memory = opened(tmp_path_factory.mktemp("kinds"), server, settings)
        memory.log(said(*LOG))
        memory.log(said(PROMISE, role="assistant"))
        dream = memory.dream(distiller="llm", apply=True)
        found = Found(dream, memory.memories())
        memory.close()
    assert len(reader.given) >= len(INVENTIONS) + len(RIGHT)
    return found


def plain(text: str) -> str:
    return text.strip(" .。").casefold()


@pytest.mark.parametrize("kind", INVENTIONS)
def test_no_invention_becomes_a_memory(night: Found, kind: str) -> None:
    text, item = INVENTIONS[kind]
    claimed = plain(item.get("text", text))
    held = [one.text for one in night.memories if plain(one.text) == claimed]
    assert held == []
    refused = {plain(one.text): one.reason for one in night.dream.rejections}
    assert refused.get(claimed), "it was refused without a reason"


def test_what_was_right_is_kept_beside_them(night: Found) -> None:
    texts = {plain(one.text) for one in night.memories}
    assert {plain(text) for text in RIGHT} <= texts
    assert all(one.evidence for one in night.memories)
    assert "John" not in " ".join(texts)
    assert night.dream.pending == ()


# ── all faults in one night ─────────────────────────────────────────────────────────────────────

BERTHS = tuple(f"My boat number {number}{number}4 lies at the pier of {place}"
               for number, place in enumerate(("Aarhus", "Bergen", "Cuxhaven", "Dover", "Esbjerg",
                                               "Falmouth", "Gdynia", "Hanko", "Ipswich",
                                               "Jersey"), 1))  # fmt: skip


def berth(number: int, **fields: Any) -> Item:
    return {"evidence": [{"event_id": "e1", "quote": BERTHS[number]}], "kind": "environment",
            "subject": "user", "text": BERTHS[number], "importance": 61, "confidence": 0.9,
            "standing": "standing", "valid_from": None, "valid_to": None, "negated": False,
            "entities": [], **fields}  # fmt: skip


def faults(number: int, answer: dict[str, Any]) -> list[Any]:
    """What is said to each chunk in turn; the last one for ever."""
    fake = {**answer["items"][0], "text": "The user is John Doe", "kind": "profile"}
    other = [{"event_id": "e8", "quote": BERTHS[number]}]
    return [
        [busy(retry_after=0.05), answer],
        [failing(500), answer],
        [holding(5), answer],
        [truncated(answer, 0.5), truncated(answer, 0.5), answer],
        [fenced(answer)],
        [{"items": [{**answer["items"][0], "evidence": other}]}],
        [echo(), echo(), answer],
        [invented(answer, {**fake, "evidence": [{"event_id": "e1", "quote": "I am John Doe"}]})],
        [{"items": [{**answer["items"][0], "text": 12, "importance": "very"}, berth(number)]}],
        [chatty(answer["items"][0])],
    ][number]


def test_ten_chunks_with_a_fault_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "PAUSES", (0.0, 0.0, 0.0))
    turns = {number: faults(number, {"items": [berth(number)]}) for number in range(10)}

    def script(request: Request) -> Any:
        if not is_about_a_log(request):
            return {"items": []}
        (text,) = shown_events(request.prompt).values()
        left = turns[BERTHS.index(text)]
        return left.pop(0) if len(left) > 1 else left[0]

    with ScriptedModel(script) as server:
        memory = opened(tmp_path, server, "[dream]\nsegment_chars = 60\n[model]\ntimeout = 0.5\n")
        memory.log(said(*BERTHS))
        first = memory.dream(distiller="llm", apply=True)
        waited = {pending.reason.rpartition(": ")[2] for pending in first.pending}
        second = memory.dream(distiller="llm", apply=True)
        asked = len(server.asked)
        third = memory.dream(distiller="llm", apply=True)
        texts = [one.text for one in memory.memories()]
        outcomes = {call.outcome for call in memory.model_calls()}
        memory.close()
    assert len(first.event_ids) == 8
    assert waited == {"truncated", "the answer repeats the question"}
    assert (len(second.event_ids), second.pending) == (2, ())
    assert third.status == "nothing_to_do"
    assert asked == len(server.asked)
    assert sorted(texts) == sorted(BERTHS)
    reasons = "; ".join(one.reason for one in first.rejected)
    assert "unsupported: no such event" in reasons
    assert "unsupported: quote not found" in reasons
    assert outcomes == {"ok", "unusable", "busy", "timeout"}


# ── far too much at once (case 63) ──────────────────────────────────────────────────────────────

NOTES = 2_000
LONG = "At station nine the gauge read a little more than before, as Ruut had said it would. "


@pytest.mark.slow
def test_three_megabytes_in_a_line_and_two_thousand_notes_on_the_first_run(tmp_path: Path) -> None:
    shelves = [f"The jar on shelf {number} of my cellar holds pickled plums" for number in
               range(NOTES)]  # fmt: skip
    told = {shelf: Note(shelf, ({"kind": "environment"},)) for shelf in shelves[::100]}
    reader = ScriptedReader(told.values())
    sizes: list[int] = []

    def script(request: Request) -> Any:
        sizes.append(len(request.prompt))
        return reader(request)

    runs: list[tuple[int, int]] = []
    with ScriptedModel(script) as server:
        memory = opened(tmp_path, server, "[model]\nmax_tokens_per_dream = 450_000\n")
        memory.log(said(LONG * (3_000_000 // len(LONG)), *shelves, kind="note"))
        while len(runs) < 9:
            steps: list[tuple[str, int, int]] = []
            dream = memory.dream(
                distiller="llm",
                apply=True,
                progress=lambda *step: steps.append(step),  # noqa: B023
            )
            if dream.status == "nothing_to_do" and not dream.pending:
                break
            total = max(all_of for name, _, all_of in steps if name == "distill")
            waiting = len(dream.pending)
            runs.append((total - waiting, total))
            if waiting:
                assert f"{total - waiting} of {total} chunks done" in dream.warnings[0]
        kept = {one.text for one in memory.memories()}
        undreamed = memory.status().counts.undreamed_events
        memory.close()
    assert max(sizes) < 36_000
    assert 1 < len(runs) < 9
    assert all(done for done, _ in runs)
    assert runs[-1][0] == runs[-1][1]
    assert undreamed == 0
    assert told.keys() <= kept
    assert len(server.asked) < 2 * runs[0][1]
