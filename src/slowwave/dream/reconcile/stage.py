"""Reconcile: a night's claims laid beside what is known. One plan, at most one change per memory.

For every claim, in the order things were said: the same again → `confirm`; the same and more →
`update`; trouble and its end → `merge` (L5); it cannot hold beside an older one → `supersede` and
`add`, both dated (N12); an exception → an entry of its own beside the rule (N11); anything else →
`add`. Nothing is ever overwritten silently, and a memory of another subject is never touched.

Later claims see what earlier ones of the same night did. Pure: the same input gives the same
output byte for byte, and no id depends on the clock.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from slowwave.dream.compare.grounds.merge import fuller
from slowwave.dream.compare.reading.statement import read
from slowwave.dream.compare.relation import MERGES, Statement, compare
from slowwave.dream.compare.turns.chain import follows
from slowwave.dream.compare.turns.hold import RELEASE
from slowwave.dream.compare.turns.new_day import rescheduled
from slowwave.dream.reconcile.bench import Bench, Entry
from slowwave.dream.reconcile.coreference import people_of
from slowwave.dream.reconcile.judge.judged import Bar, Near
from slowwave.dream.reconcile.judge.rulings import Doubt, Ruling
from slowwave.dream.reconcile.keys import apart, normal
from slowwave.dream.reconcile.parts import Parted, parted
from slowwave.dream.reconcile.verdict import (
    GROUNDED,
    LOOSE_ENDS,
    REPLACE_AT,
    Match,
    Verdict,
    allowed,
    begins_later,
    comparable,
    expiry,
    for_good,
    ground_of,
    lifts,
    said_at,
    undecided,
    verdict_of,
    weighed,
)
from slowwave.model import Change, Claim, Memory, Rejected, When

__all__ = ["REPLACE_AT", "Reconciled", "reconcile", "reconcile_ruled"]

Cosine = Callable[[str, str], float | None]

CANDIDATES = 8
"""How many memories that share words or a slot a claim is compared with."""
SURE = 0.9
"""Confidence from which the vectors are not asked."""
AT_MOST = 2
"""How many memories one claim may end: what it replaces, and a double of that."""
CHAIN_DAYS = 60


class Reconciled(msgspec.Struct, frozen=True):
    """The plan so far, in the order the claims were said, and what did not enter it.

    `doubts` are the pairs that the rules alone have decided and a model could be asked about,
    `ruled` the keys of those that a model's ruling has decided.
    """

    changes: tuple[Change, ...]
    rejected: tuple[Rejected, ...]
    doubts: tuple[Doubt, ...] = ()
    ruled: tuple[str, ...] = ()


def reconcile(
    claims: Sequence[Claim],
    known: Sequence[Memory],
    *,
    dream_id: str,
    space: str,
    now: datetime,
    cosine: Cosine,
) -> Reconciled:
    """The changes that these claims make to what is known.

    `known` are the live memories, and the retired ones these claims may touch. `cosine` compares
    two texts by their vectors (None without an embedder) and is asked only where two texts may
    become one. `now` stands in where an event has no time.
    """
    return _reconcile(Bench(known, dream_id, space, now), claims, cosine, None)


def reconcile_ruled(
    bench: Bench,
    claims: Sequence[Claim],
    cosine: Cosine,
    rulings: Mapping[str, Ruling],
    near: Near | None = None,
) -> Reconciled:
    """The same on a fresh bench, with what a model decided of pairs that the rules are unsure of.

    `rulings` are by `judge.key_of`. What they do not decide, the rules do. `near` finds memories
    that share no word with a text.
    """
    bar = Bar(rulings, cosine, near)
    found = _reconcile(bench, claims, cosine, bar)
    return Reconciled(
        found.changes, (*found.rejected, *bar.vetoed), tuple(bar.doubts), tuple(bar.ruled)
    )


def _reconcile(
    bench: Bench, claims: Sequence[Claim], cosine: Cosine, bar: Bar | None
) -> Reconciled:
    rejected: list[Rejected] = []
    people = people_of(claims, bench.memories())
    bench.refile(people.subject_of)
    for claim in sorted(map(people.filed, claims), key=lambda claim: _order(claim, bench.now)):
        reason = _settle(bench, claim, cosine, bar)
        if reason:
            event_id = claim.evidence[0].event_id if claim.evidence else ""
            rejected.append(Rejected("reconcile", reason, claim.text, event_id))
    return Reconciled(tuple(bench.changes()), tuple(rejected))


def _order(claim: Claim, now: datetime) -> tuple[datetime, str, int, str]:
    first = claim.evidence[0] if claim.evidence else None
    said = said_at(claim, now).astimezone(UTC)
    return said, first.event_id if first else "", first.start if first else 0, claim.text


def _settle(bench: Bench, claim: Claim, cosine: Cosine, bar: Bar | None) -> str:
    """Works one claim into the bench. Returns why it did not enter, or ""."""
    if not claim.evidence:
        return "no evidence"
    if bench.holds_evidence(claim):
        return "these very words were remembered before"
    matches = _meant(list(_matches(bench, claim, cosine, bar)))
    said = said_at(claim, bench.now)
    for verdict in ("confirm", "update", "merge"):
        best = max(
            (match for match in matches if match.verdict == verdict),
            key=lambda match: match.confidence,
            default=None,
        )
        if best:
            if all(span in best.entry.memory.evidence for span in claim.evidence):
                return "these very words were remembered before"
            _fold_in(bench, claim, best)
            _settle_conflict(bench, best.entry, said)
            _replace(bench, claim, matches, best.entry, said)
            return ""
    return _add(bench, claim, matches, said)


def _meant(matches: list[Match]) -> list[Match]:
    """The matches without those that name the thing loosely, unless just one can be meant."""
    ends = [match for match in matches if match.verdict in ("replace", "past")]
    if len(ends) < 2:
        return matches
    return [match for match in matches if not (match in ends and match.loose)]


def _fold_in(bench: Bench, claim: Claim, match: Match) -> None:
    entry, op = match.entry, match.verdict
    text = None
    if op == "update" and match.fuller:
        text = claim.text
    elif op == "merge":
        text = joined(entry.memory.text, claim.text)
    elif op == "update":
        op = "confirm"
    bench.take_in(
        entry, claim, op="merge" if op == "merge" else "update" if text else "confirm",
        text=text, reason=match.reason, scores=match.scores,
    )  # fmt: skip
    if text and _nested(claim, entry.memory):
        bench.put(entry, _of_the_whole(bench, claim, entry.memory))
    if entry.memory.expires_at:
        later = max(
            entry.memory.expires_at, expiry(claim, bench.day(said_at(claim, bench.now))) or ""
        )
        bench.put(entry, msgspec.structs.replace(entry.memory, expires_at=later))


def _settle_conflict(bench: Bench, entry: Entry, said: datetime) -> None:
    """What is said again holds, and what it could not hold together with does not."""
    for other in bench.against(entry):
        if other.memory.last_seen < said and not other.memory.pinned:
            reason = f"“{entry.memory.title}” was said again, and both cannot hold"
            bench.close(other, bench.day(said).isoformat(), entry.memory.id, reason)


def _of_the_whole(bench: Bench, claim: Claim, memory: Memory) -> Memory:
    """A memory whose text became that of a claim: it is held as the claim is. A plan stays one."""
    plan = memory.kind == "plan"
    said = bench.day(said_at(claim, bench.now))
    return msgspec.structs.replace(
        memory,
        kind=memory.kind if plan else claim.kind,
        negated=claim.negated,
        standing=memory.standing if plan else claim.standing,
        expires_at=memory.expires_at if plan else expiry(claim, said),
    )


def joined(first: str, second: str) -> str:
    """Two statements as one text, in their own words."""
    stop = "；" if read(first).han > 0.5 else "; "
    return first.rstrip(" 。.;；") + stop + second


def _add(bench: Bench, claim: Claim, matches: list[Match], said: datetime) -> str:
    standing = claim.standing
    exception = next((match for match in matches if match.verdict == "exception"), None)
    if exception and "once" in read(claim.text).marks and standing == "standing":
        standing = "one_off"
    past = [match for match in matches if match.verdict == "past"]
    replaced = sorted(
        (match for match in matches if match.verdict == "replace"),
        key=lambda match: (-match.confidence, match.entry.memory.id),
    )
    if claim.rule == RELEASE and not replaced:
        return "nothing that is known was on hold"
    moved = rescheduled(claim, replaced[0].entry.memory) if replaced else claim
    if moved is not claim:
        claim, standing = moved, moved.standing
    reason = _why_added(exception, past, replaced)
    chosen = next(iter([*past, *replaced] or matches), None)
    if replaced and for_good(claim):
        # What takes the place of something lasting lasts as well.
        kind, standing = replaced[0].entry.memory.kind, replaced[0].entry.memory.standing
        claim = msgspec.structs.replace(claim, kind=kind, standing=standing, valid_to=None)
    entry = bench.add(
        claim, standing=standing, said=said, reason=reason,
        scores=chosen.scores if chosen else {}, expires_at=expiry(claim, bench.day(said), standing),
    )  # fmt: skip
    if past and not exception:
        successor = past[0].entry.memory
        bench.close(entry, _next_said(bench, successor, said), successor.id, reason)
    else:
        _replace(bench, claim, matches, entry, said)
    for match in matches:
        if match.verdict == "conflict" and entry.memory.status != "retired":
            bench.link(entry, match.entry, match.reason)
    return ""


def _why_added(exception: Match | None, past: list[Match], replaced: list[Match]) -> str:
    if exception:
        return f"an exception, kept beside “{exception.entry.memory.title}”: {exception.reason}"
    if past:
        return f"said before what is known now (“{past[0].entry.memory.title}”): kept as past"
    if replaced:
        return f"takes the place of “{replaced[0].entry.memory.title}”: {replaced[0].reason}"
    return "new: nothing that is known says this"


def _still_holding(bench: Bench, claim: Claim, memory: Memory) -> Parted | None:
    """What of a memory holds beside a claim that ends another part of it."""

    def ends(clause: str) -> bool:
        return bool(
            ground_of(bench, claim, msgspec.structs.replace(memory, text=clause), False).end
        )

    return parted(memory.text, ends)


def _replace(
    bench: Bench, claim: Claim, matches: list[Match], successor: Entry, said: datetime
) -> None:
    """Ends the memories that cannot hold beside the successor."""
    replaced = [match for match in matches if match.verdict == "replace"]
    replaced.sort(key=lambda match: (-match.confidence, match.entry.memory.id))
    for match in replaced[:AT_MOST]:
        old = match.entry
        if old is successor or old.memory.status == "retired":
            continue
        day = bench.day(said)
        if begins_later(claim, bench, match.reason) and old.memory.kind != "plan":
            # What changes next week holds until then.
            text = f"holds until {(claim.valid_from or '')[:10]}: then “{successor.memory.title}”"
            bench.limit(old, (claim.valid_from or "")[:10], f"{text} ({match.reason})")
            continue
        begins = (successor.memory.valid_from or "")[:10]
        first = bench.day(old.memory.first_seen).isoformat()
        # What changes tomorrow ends tomorrow.
        soon = (day + timedelta(days=1)).isoformat()
        ended = begins if first <= begins <= soon else day.isoformat()
        text = f"no longer current since {ended}: “{successor.memory.title}” ({match.reason})"
        held_back = old.memory.standing == "temporary"
        parts = None if held_back else _still_holding(bench, claim, old.memory)
        if parts:
            bench.part(old, parts, ended, successor.memory.id, text)
        else:
            bench.close(old, ended, successor.memory.id, text)
        if successor.memory.first_seen >= said:
            bench.begin(successor, ended)


def _next_said(bench: Bench, memory: Memory, said: datetime) -> When:
    """The first day after `said` on which the memory was said: until then the older one held."""
    days = sorted(span.ts for span in memory.evidence if span.ts and span.ts > said)
    return bench.day(days[0] if days else memory.last_seen).isoformat()


def _matches(bench: Bench, claim: Claim, cosine: Cosine, bar: Bar | None) -> Iterator[Match]:
    exact = bench.exact(claim)
    if exact:
        reason = "the same words were said again"
        yield Match("confirm", exact, reason, 1.0, False, {"overlap": 1.0})
        return
    held = False
    near = bench.near(claim, CANDIDATES)
    for entry, overlap in near:
        nested = None if held or apart(claim, entry.memory) else _nested(claim, entry.memory)
        if nested:
            held = True
            reason = "the same words of the same message, in part and in whole"
            yield Match(nested, entry, reason, 1.0, nested == "update", {"overlap": overlap})
        elif comparable(claim, entry.memory):
            match = _match(bench, claim, entry, overlap, cosine)
            if bar is not None and not held:
                match = bar.over(bench, claim, entry, match, overlap)
            # The whole of what is remembered in part may still end something else.
            if match and (not held or match.verdict == "replace"):
                yield match
    if bar is not None and not held:
        yield from bar.beyond(bench, claim, [entry for entry, _ in near])


def _nested(claim: Claim, memory: Memory) -> Verdict | None:
    """A claim whose words of a message lie inside those of a memory, or the other way round.

    One sentence may yield both a fact and a rule; the whole of it holds the part.
    """
    mine, theirs = normal(claim.text), normal(memory.text)
    if mine not in theirs and theirs not in mine:
        return None
    for one in claim.evidence:
        for other in memory.evidence:
            if one.event_id != other.event_id:
                continue
            if one.start <= other.start and other.end <= one.end and theirs in mine:
                return "update"
            if other.start <= one.start and one.end <= other.end and mine in theirs:
                return "confirm"
    return None


def _match(
    bench: Bench, claim: Claim, entry: Entry, overlap: float, cosine: Cosine
) -> Match | None:
    memory = entry.memory
    said, seen = said_at(claim, bench.now), memory.last_seen
    older = said < seen
    scores = {"overlap": round(overlap, 4)}
    if not older and _one_story(claim, memory, said):
        reason = "it tells how what happened before ended"
        return Match("merge", entry, reason, 1.0, False, scores)
    ground = ground_of(bench, claim, memory, older)
    if not (ground.merge or ground.end or ground.beside):
        return None  # nothing could come of it, whatever the vectors say
    if undecided(claim, memory, said, ground):
        why = "said at one moment" if not memory.pinned else "the owner pinned it"
        reason = f"{why}, and nothing tells which of them holds ({ground.end})"
        return Match("conflict", entry, reason, GROUNDED, False, scores)
    mine = Statement(claim.text, _stamp(said), claim.subject)
    theirs = Statement(memory.text, _stamp(seen), claim.subject)
    found = compare(theirs, mine)
    if ground.merge and found.confidence < SURE:
        like = cosine(memory.text, claim.text)
        if like is not None:
            scores["cosine"] = round(like, 4)
            found = compare(theirs, mine, like)
    found = weighed(found, ground)
    scores["confidence"] = found.confidence
    if ground.beside and not older and found.relation not in MERGES and lifts(claim, memory):
        return Match("replace", entry, "what was on hold may go on", GROUNDED, False, scores)
    verdict = verdict_of(claim, memory, found, older, ground) if allowed(found, ground) else None
    if verdict is None:
        return None
    more = found.current == "b"
    if verdict == "confirm" and fuller(read(memory.text), read(claim.text)):
        verdict, more = "update", True  # no detail is lost in a repetition
    loose = ground.end in LOOSE_ENDS
    return Match(verdict, entry, found.reason, found.confidence, more, scores, loose)


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()


def _one_story(claim: Claim, memory: Memory, said: datetime) -> bool:
    near = said - memory.last_seen <= timedelta(days=CHAIN_DAYS)
    return near and follows(memory.text, claim.text)
