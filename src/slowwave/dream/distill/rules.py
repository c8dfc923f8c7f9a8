"""Distilling by rules: from the day's events to claims, without a model.

What is kept is the speaker's own words: the exact span, dates annotated beside relative words,
pronouns as they stand. Nothing can be invented, because nothing is written. What is not kept is
returned as `Rejected` with its kind of reason. Deterministic.

    gate (origin, noise) → clauses → acts → statements → claims
"""

import re
from collections.abc import Iterable, Sequence
from datetime import tzinfo

import msgspec

from slowwave.dream.distill.acts.agree import (
    Proposal,
    chooses,
    is_plain_yes,
    shares_words,
    starts_with_yes,
)
from slowwave.dream.distill.acts.goals import mark_goals
from slowwave.dream.distill.acts.reader import read_acts
from slowwave.dream.distill.clauses.cut import fold, split
from slowwave.dream.distill.clauses.reading import KEPT, Reading, Scene, readings
from slowwave.dream.distill.desk import Desk, look
from slowwave.dream.distill.statements.claims import SEED_IMPORTANCE, claim_of, evidence_of
from slowwave.dream.distill.statements.groups import Group, group
from slowwave.dream.distill.statements.notes import note_lines
from slowwave.dream.distill.statements.plan_split import parted_plans
from slowwave.dream.distill.statements.talk import relax, trim
from slowwave.dream.distill.subject import AGENT, WORLD
from slowwave.model import USER, Claim, Event, Rejected
from slowwave.text.noise import knowledge_spans, noise_reason, strip_managed, unwrap
from slowwave.text.passed_on import outside_elements, outside_foreign

__all__ = ["Distilled", "distill"]

_SHORT_ZH, _SHORT_EN = 16, 40
"""Characters of an answer that says too little without the proposal it answers."""

_HAN = re.compile("[\u4e00-\u9fff]")

MAX_CHARS = 6000
"""Longer messages are pasted material: only their first and last parts can be the owner's words."""

_SEED = re.compile(
    r"^\s*(?:今[日天](?:的)?(?:重点|最(?:重要|要紧|该记住)的?(?:事|是)?)"
    r"|最(?:重要|要紧|该记住)的(?:一?件?事情?)?(?=\s*(?:是|[：:]))"
    r"|today['’]?s most important(?: thing)?|most important (?:thing )?today"
    r"|(?:the )?most important(?: thing)?(?=\s*(?:is\b|:)))\s*(?:是"
    r"|is)?\s*[：:，,]?\s*",
    re.IGNORECASE,
)
_WINK = re.compile(r"(?:^|\s)[;；]-?[)）](?:\s|$)|😉|😜|🙃")
_AT_HAND = re.compile(r"\b(?:this (?!week|month|\w+day)|these|now|today)|[这现]")
_YOU = re.compile(r"\byour?\b|[你您]", re.IGNORECASE)
_TEACH = re.compile(
    r"^\s*(?:请你?|麻烦你?|你|please )?(?:学(?:一下|着点|会这个)|记(?:住|一下|下来?|牢|好)|"
    r"帮我记(?:一下"
    r"|住|下来)?|更正|纠正(?:一下)?|补一条"
    r"|备忘|规矩|[讲说]给你听|[跟和]你[说讲](?:一?[个下])?(?:流程|规矩|步骤|做法|办法|方法)"
    r"|我?教你(?:一招|[一]?个[^，：]{0,2})?"
    r"|remember(?: this| that)?|learn(?: this)?|note(?: that)?|correction"
    r"|teach(?:ing)?|keep in mind|for the record|rule|house rule)\s*[：:，,\-—]\s*",
    re.IGNORECASE,
)


_LESSON = re.compile(
    r"^\s*(?:请|please )?(?:学|规矩|[跟和]你[说讲](?:一?[个下])?(?:流程|规矩|步骤|做法|办法"
    r"|方法)|[讲说]给你听|我?教你|learn|teach|rule|house rule)",
    re.IGNORECASE,
)
"""Announces how something is done (a procedure, case 21) rather than what is so."""


class Distilled(msgspec.Struct, frozen=True):
    """What a segment of the journal yielded: claims in the order said, and what was left out."""

    claims: tuple[Claim, ...]
    rejected: tuple[Rejected, ...]


def distill(turns: Sequence[Event], zone: tzinfo, *, before: Sequence[Event] = ()) -> Distilled:
    """Claims of `turns` (in time order). `before` are earlier turns that may be leaned on.

    `zone` is the user's zone: relative dates are resolved on the user's day. Only the owner's
    words, what other speakers say of themselves, and the agent's proposals that the owner agreed
    to are read; everything else is counted in `rejected` by its origin.
    """
    desk = Desk(zone)
    for event in before:
        look(desk, event)
    for event in turns:
        _read(desk, event)
        look(desk, event)
    return Distilled(tuple(desk.claims), tuple(desk.rejected))


def _read(desk: Desk, event: Event) -> None:
    reason = _shut_out(event)
    if reason:
        desk.refuse(reason, event.text, event)
        return
    if len(event.text) > MAX_CHARS:
        # A page that long was pasted, not said. A prefix, so that all offsets still hold.
        desk.refuse("beyond the beginning of a very long message", event.text[MAX_CHARS:], event)
        event = msgspec.structs.replace(event, text=event.text[:MAX_CHARS])
    spans = outside_foreign(event.text, outside_elements(event.text, _own_spans(event)))
    proposal = desk.proposal.get(event.session) if event.origin == "owner" else None
    if proposal and is_plain_yes(event.text):
        _agree(desk, event, proposal)
        return
    if not spans:
        desk.refuse(noise_reason(event.text) or "passed on", event.text, event)
        return
    marker = _SEED.match(event.text) or _TEACH.match(event.text)
    taught = marker.end() if marker else 0
    message = _clauses(event, spans, taught)
    _statements(desk, event, message, proposal, forced=_is_forced(event, marker))


def _is_forced(event: Event, marker: re.Match[str] | None) -> bool:
    return marker is not None or event.kind == "seed"


def _shut_out(event: Event) -> str | None:
    if event.origin not in ("owner", "other"):
        return f"origin {event.origin}"
    if event.kind in ("tool_call", "tool_result"):
        return f"kind {event.kind}"
    return None


def _own_spans(event: Event) -> list[tuple[int, int]]:
    """The spans of an event that may hold the speaker's own words."""
    text = event.text
    bare = unwrap(text).text
    own = strip_managed(bare)
    if own != bare or bare not in text:
        bare = own if own in text else ""
    offset = text.find(bare) if bare.strip() else -1
    if offset < 0:
        return []
    if noise_reason(bare):
        return [] if "\n" in bare.strip() else _beside_noise(bare, offset)
    return [(offset + a, offset + b) for a, b in knowledge_spans(bare)]


def _beside_noise(line: str, offset: int) -> list[tuple[int, int]]:
    """Sentences beside a pasted log or code line, in one line ("panic: … By the way, …")."""
    spans: dict[int, tuple[int, int]] = {}
    for clause in split(line, fold(line)):
        start, _ = spans.get(clause.sentence, (clause.start, 0))
        spans[clause.sentence] = (start, clause.end)
    if len(spans) < 2:
        return []
    return [(offset + a, offset + b) for a, b in spans.values() if not noise_reason(line[a:b])]


def _clauses(event: Event, spans: Iterable[tuple[int, int]], taught: int) -> list[Reading]:
    folded = fold(event.text)
    allowed = list(spans)
    first = event.text.find("\n") if "\n" in event.text else 0
    found = []
    for clause in split(event.text, folded):
        inside = any(a <= clause.start and clause.end <= b for a, b in allowed)
        # A heading ("translate this:") is no knowledge, but it says what the lines below are.
        if (inside or clause.start < first) and clause.end > taught:
            if clause.start < taught:
                clause = msgspec.structs.replace(
                    clause,
                    start=taught,
                    text=event.text[taught : clause.end],
                    folded=folded[taught : clause.end],
                )
            found.append(clause)
    message = readings(found)
    for reading in message:
        reading.own = any(a <= reading.clause.start and reading.clause.end <= b for a, b in allowed)
    return message


def _statements(
    desk: Desk, event: Event, message: list[Reading], proposal: Proposal | None, *, forced: bool
) -> None:
    scene = Scene(
        speaker_is_other=event.origin == "other",
        person=desk.known.get(event.session) is not None,
        winks=_WINK.search(event.text) is not None,
    )
    read_acts(message, scene)
    if forced:
        _keep_all(message, lesson=_LESSON.match(event.text) is not None)
    agreed = _answer(message, event, proposal)
    if event.origin == "owner" and _taken_back(message):
        desk.refuse("private", event.text, event)
        return
    known = desk.known.get(event.session)
    if event.origin == "other":
        relax(message, answers=event.session in desk.asked)
    else:
        mark_goals(message)
    noted = note_lines(rest := list(message), event)
    groups = sorted(
        [*parted_plans(group(rest, (known.quote,) if known else ())), *noted],
        key=lambda found: found.start,
    )
    for statement in groups:
        if event.origin == "other":
            trim(statement)
        _emit(desk, event, statement, proposal if agreed else None, forced=forced)
    _refuse_rest(desk, event, message, groups)


def _keep_all(message: list[Reading], *, lesson: bool) -> None:
    """A seed or an explicit "remember: …" is kept whatever it looks like (N18, case 21)."""
    for reading in message:
        if reading.act not in KEPT and reading.act not in ("injection", "private", "depend"):
            reading.act = "fact"
        if reading.act == "rule" and reading.has("day") and not lesson:
            reading.act = reading.act if reading.any("you", "ban", "task", "strong") else "fact"
        if lesson and reading.act == "fact" and not reading.any("i", "mine"):
            reading.act = "rule"
    if message and not any(r.act in KEPT for r in message):
        instruct = lesson or message[0].any("teach", "ban", "bid")
        message[0].act = "rule" if instruct else "fact"


def _answer(message: list[Reading], event: Event, proposal: Proposal | None) -> bool:
    """An answer that says what it agrees to: its own clauses are kept, with the proposal beside."""
    if proposal is None or not (starts_with_yes(event.text) or chooses(event.text, proposal)):
        return False
    rest = [r for r in message if r.act not in ("assent", "question", "private", "injection")]
    if not rest or not (shares_words(rest, proposal) or any(r.act in KEPT for r in rest)):
        return False
    for reading in rest:
        if proposal.about_owner and reading.act == "rule" and not reading.any("bid", "you"):
            reading.act = "fact"
        if reading.act in KEPT:
            continue
        if not proposal.about_owner and (proposal.lasting or reading.has("rule")):
            reading.act = "rule"
        elif proposal.about_owner or reading.has("day"):
            reading.act = "fact"
    return any(r.act in KEPT for r in rest)


def _taken_back(message: list[Reading]) -> bool:
    """Whether the speaker forbade keeping what he said; a rule in another sentence stands."""
    closed = {r.clause.sentence for r in message if r.act == "private"}
    if not closed:
        return False
    for reading in message:
        if reading.act == "fact" or reading.clause.sentence in closed:
            reading.act = "private"
    return not any(r.act in ("rule", "hold") for r in message)


def _agree(desk: Desk, event: Event, proposal: Proposal) -> None:
    """A plain yes: the proposal itself is the claim when it lasts, or is about a day to come."""
    text = proposal.event.text
    part = split(text[: proposal.end], fold(text[: proposal.end]))
    inside = readings([c for c in part if c.start >= proposal.start])
    dated = any(r.has("day") and not r.has("soon") for r in inside)
    dated = dated and not any(_AT_HAND.search(r.folded) for r in inside)
    if not (proposal.lasting or proposal.about_owner or dated):
        desk.refuse("assent", event.text, event)
        return
    of_user = proposal.about_owner or not proposal.lasting
    act, subject = ("fact", USER) if of_user else ("rule", AGENT)
    statement = Group("rule" if act == "rule" else "fact", subject, inside)
    own = evidence_of(event, 0, len(event.text))
    claim = claim_of(statement, proposal.event, desk.zone)
    quote = evidence_of(proposal.event, proposal.start, proposal.end)
    joined = f"{proposal.text} → {event.text.strip()}"
    desk.claims.append(
        msgspec.structs.replace(
            claim, text=joined, evidence=(quote, own), confidence=0.8, rule="agreed", negated=False
        )
    )


def _emit(
    desk: Desk, event: Event, statement: Group, proposal: Proposal | None, *, forced: bool
) -> None:
    if event.origin == "other":
        if statement.act in ("rule", "hold", "exception"):
            desk.refuse(
                "instruction of another speaker", event.text[statement.start : statement.end], event
            )
            return
        asked = desk.asked.get(event.session)
        of_self = asked is not None and _YOU.search(asked.quote) is not None
        if statement.subject in (USER, AGENT) or (of_self and statement.subject == WORLD):
            statement.subject = event.speaker or WORLD
    if event.origin == "owner" and statement.subject == event.speaker:
        statement.subject = USER  # the owner by name
    quote = None
    if proposal is not None:
        quote = evidence_of(proposal.event, proposal.start, proposal.end)
    claim = claim_of(statement, event, desk.zone, agreed=quote)
    claim = _with_context(desk, event, _with_name(event, claim, statement), proposal)
    if event.kind == "seed" or _SEED.match(event.text):
        claim = msgspec.structs.replace(
            claim,
            seed=True,
            importance=max(SEED_IMPORTANCE, claim.importance),
            rule="seed",
            confidence=0.95,
        )
    elif forced:
        claim = msgspec.structs.replace(
            claim, importance=max(75, claim.importance), confidence=max(0.9, claim.confidence)
        )
    desk.claims.append(claim)


def _with_name(event: Event, claim: Claim, statement: Group) -> Claim:
    """A claim that goes on about somebody named before it, with the name in front."""
    if statement.about is None:
        return claim
    name = evidence_of(event, *statement.about)
    mark = "：" if _HAN.search(claim.text) else ": "
    return msgspec.structs.replace(
        claim, text=f"{name.quote}{mark}{claim.text}", evidence=(name, *claim.evidence)
    )


def _with_context(desk: Desk, event: Event, claim: Claim, proposal: Proposal | None) -> Claim:
    """What the claim is not understood without: what it agrees to, who "she" is, what was asked."""
    if proposal is not None and _leans_on(claim, proposal):
        # "Evenings are better": what is agreed to stands only in the proposal.
        claim = msgspec.structs.replace(claim, text=f"{proposal.text} → {claim.text}")
    traced = desk.known.get(event.session)
    if traced and traced.quote == claim.subject and claim.subject not in event.text:
        claim = msgspec.structs.replace(claim, evidence=(traced, *claim.evidence))
    asked = desk.asked.get(event.session)
    if asked is not None and asked.speaker != event.speaker and event.origin == "other":
        # An answer is not understood without its question.
        claim = msgspec.structs.replace(claim, evidence=(*claim.evidence, asked))
    return claim


def _leans_on(claim: Claim, proposal: Proposal) -> bool:
    """Whether an answer says too little by itself; the proposal is one sentence, not a report."""
    short = _SHORT_ZH if _HAN.search(claim.text) else _SHORT_EN
    asked = proposal.lasting or proposal.about_owner
    return asked and len(claim.text) <= short and "\n" not in proposal.text


def _refuse_rest(desk: Desk, event: Event, message: list[Reading], groups: Sequence[Group]) -> None:
    """One rejection per run of clauses left out for the same reason."""
    used = {id(reading) for statement in groups for reading in statement.clauses}
    run: list[Reading] = []
    for reading in message:
        if id(reading) in used:
            continue
        if run and run[-1].act != reading.act:
            _refuse_run(desk, event, run)
            run = []
        run.append(reading)
    if run:
        _refuse_run(desk, event, run)


def _refuse_run(desk: Desk, event: Event, run: Sequence[Reading]) -> None:
    reason = "nothing lasting" if run[0].act == "depend" else run[0].act.replace("_", " ")
    desk.refuse(reason, event.text[run[0].clause.start : run[-1].clause.end], event)
