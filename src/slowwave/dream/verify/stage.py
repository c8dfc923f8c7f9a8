"""Verify: no claim without a quote. Small checks, run on every claim whoever made it.

A claim of the rules passes by construction; a claim of a model, or of a damaged checkpoint, may
not. What a check refuses never becomes a memory; it is counted by the reason the check gives.
Numbers, names and dates of a text must stand in its quotes (N15); negation and strength must be
those of the quotes (N11, L4); the day written beside a relative word must be the one it means.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import Final

import msgspec

from slowwave.model import USER, Claim, Event, Rejected
from slowwave.text.dates import find_times
from slowwave.text.entities import find_entities
from slowwave.text.noise import MEMORY_OPEN, is_recalled
from slowwave.text.polarity import canonical, is_negated
from slowwave.text.segment import terms

__all__ = ["CHECKS", "Check", "Verified", "verify"]

Check = Callable[[Claim, Mapping[str, Event]], str | None]
"""A check: the reason why the claim is refused, or None."""

MAX_CHARS: Final = 1_200
"""A memory is one statement; what is longer is a passage."""

LEAST_SUPPORT: Final = 0.5
"""Share of a text's terms that must stand in its quotes (a reworded claim; verbatim has 1)."""

LEARNED_FROM_TOOLS: Final = frozenset({"digest", "skill", "lesson"})
"""Kinds that may rest on tool and agent events (product: Trust)."""

_ANNOTATION = re.compile(
    r"[（(]\s*(?P<from>\d{4}-\d{2}(?:-\d{2})?)(?:[T ][\d:+.Z-]*)?(?:\s*[～~–—-]+\s*(?P<to>\d{4"
    r"}-\d{2}(?:-\d{2})?))?(?:[T ][\d:+.Z-]*)?\s*[）)]"
)
_MARKUP = re.compile(
    r"(?m)^\s{0,3}#{1,6}\s|^\s*```|<!--|-->|^\s*---\s*$|\[score=|\brecalls=\d|</?(?:script"
    r"|system|memory|relevant|untrusted)[\w-]*"
)
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What steers a screen or turns letters round; nobody says it."""
_UNIVERSAL = re.compile(
    r"永远|从来|从不|一律|每次|总是|绝不|绝对|任何|以后都|\b(?:always|never|every ?time|forever"
    r"|under no circumstances|any(?:one|thing|body))\b"
)
_BOUND = re.compile(
    r"暂时|暂停|暂且|这次|这一次|仅限|今晚|本周|这周|期间|(?:之前|以前)(?=[，别不先])|例外"
    r"|除外|\b(?:for now|this time"
    r"|just this once|until|till|only today|today only|tonight|while|except|unless"
    r"|temporar(?:y|ily)|hold off)\b"
)
_HEDGE = re.compile(
    r"可能|也许|或许|大概|说不定|如果|要是|假如|\b(?:might|maybe|perhaps|possibly|if i"
    r"|were i|suppose"
    r"|considering|thinking of)\b"
)
_JOIN = " → "


class Verified(msgspec.Struct, frozen=True):
    """The claims that hold, in order, and the ones that do not, with the first failed check."""

    claims: tuple[Claim, ...]
    rejected: tuple[Rejected, ...]


def verify(claims: Sequence[Claim], events: Mapping[str, Event]) -> Verified:
    """Runs every check on every claim. `events` must hold the events the claims cite."""
    good: list[Claim] = []
    bad: list[Rejected] = []
    for claim in claims:
        reason = next((r for check in CHECKS if (r := check(claim, events)) is not None), None)
        if reason is None:
            good.append(claim)
        else:
            first = claim.evidence[0].event_id if claim.evidence else ""
            bad.append(Rejected("verify", reason, claim.text[:300], first))
    return Verified(tuple(good), tuple(bad))


# ── evidence ────────────────────────────────────────────────────────────────────────────────────


def has_evidence(claim: Claim, events: Mapping[str, Event]) -> str | None:
    """There is a quote, and every cited event exists."""
    if not claim.evidence:
        return "no evidence"
    if any(span.event_id not in events for span in claim.evidence):
        return "evidence event missing"
    return None


def quotes_match(claim: Claim, events: Mapping[str, Event]) -> str | None:
    """Every quote equals its span, byte for byte, and says something."""
    for span in claim.evidence:
        text = events[span.event_id].text
        inside = 0 <= span.start < span.end <= len(text)
        if not inside or text[span.start : span.end] != span.quote:
            return "quote does not match"
        if not span.quote.strip():
            return "quote is blank"
    return None


def origin_allowed(claim: Claim, events: Mapping[str, Event]) -> str | None:
    """Owner and speakers are believed about themselves; the agent only when the owner agreed."""
    origins = {events[span.event_id].origin for span in claim.evidence}
    if origins & {"recalled", "external"}:
        return "evidence is not first-hand"
    if claim.kind in LEARNED_FROM_TOOLS:
        return None
    if not origins <= {"owner", "other", "agent"}:
        return "origin not allowed"
    if "agent" in origins and "owner" not in origins:
        return "agent's own words"
    if origins == {"other"} and claim.subject in (USER, "agent"):
        return "another speaker about the user"
    return None


def not_recalled(claim: Claim, events: Mapping[str, Event]) -> str | None:
    """Text that came out of memory is never evidence."""
    if MEMORY_OPEN in claim.text or any(
        is_recalled(events[span.event_id].text[span.start : span.end]) for span in claim.evidence
    ):
        return "came out of memory"
    return None


# ── the text itself ─────────────────────────────────────────────────────────────────────────────


def text_is_a_statement(claim: Claim, events: Mapping[str, Event]) -> str | None:  # noqa: ARG001
    """Not empty, not a passage, not mere punctuation."""
    bare = claim.text.strip()
    if not bare:
        return "empty text"
    if len(bare) > MAX_CHARS:
        return "text too long"
    if not any(c.isalnum() for c in bare):
        return "no words"
    return None


def no_markup(claim: Claim, events: Mapping[str, Event]) -> str | None:  # noqa: ARG001
    """No heading, fence, comment or score marker is carried into a memory, and nothing unseen."""
    if _MARKUP.search(claim.text):
        return "markup in text"
    quoted = _quoted(claim)
    unseen = any(sign not in quoted for sign in _UNSEEN.findall(claim.text))
    return "control characters in text" if unseen else None


def ranges_hold(claim: Claim, events: Mapping[str, Event]) -> str | None:  # noqa: ARG001
    """Importance 0–100, confidence 0–1, a period that does not end before it begins."""
    if not (0 <= claim.importance <= 100 and 0.0 <= claim.confidence <= 1.0):
        return "value out of range"
    if claim.valid_from and claim.valid_to and claim.valid_to[:10] < claim.valid_from[:10]:
        return "ends before it begins"
    return None


# ── faithful to the quotes ──────────────────────────────────────────────────────────────────────


def dates_computed(claim: Claim, events: Mapping[str, Event]) -> str | None:
    """A day written beside a relative word is one the quotes mean on the day they were said."""
    written = [d for m in _ANNOTATION.finditer(claim.text) for d in m.group("from", "to") if d]
    if not written:
        return None
    quoted = _quoted(claim)
    allowed: set[str] = set()
    for day in written:
        if day in quoted:
            continue
        allowed = allowed or _days_meant(claim, events)
        if not any(near.startswith(day) for near in allowed):
            return "date not in evidence"
    return None


def entities_supported(claim: Claim, events: Mapping[str, Event]) -> str | None:  # noqa: ARG001
    """Every number, version, amount, date, path, code and name of the text is in the quotes."""
    if _is_verbatim(claim):
        return None
    bare, quoted = _bare(claim.text), _quoted(claim)
    folded = _fold(quoted)
    for entity in find_entities(bare):
        if _fold(entity.text) not in folded:
            return f"{entity.kind} not in evidence"
    digits = Counter(re.findall(r"\d+", bare))
    known = Counter(re.findall(r"\d+", quoted))
    if any(number not in known for number in digits):
        return "number not in evidence"
    return None


def words_supported(claim: Claim, events: Mapping[str, Event]) -> str | None:  # noqa: ARG001
    """Most of what the text says is said in the quotes."""
    if _is_verbatim(claim):
        return None
    bare, quoted = _bare(claim.text), _quoted(claim)
    said = set(terms(quoted))
    own = [term for term in terms(bare) if term != "user"]
    if own and sum(term in said for term in own) / len(own) < LEAST_SUPPORT:
        return "not said in evidence"
    return None


def negation_kept(claim: Claim, events: Mapping[str, Event]) -> str | None:  # noqa: ARG001
    """A reworded text denies what its quotes deny and nothing else (case 7)."""
    if _is_verbatim(claim):
        return None
    bare = _bare(claim.text)
    quotes = [is_negated(span.quote) for span in claim.evidence]
    if is_negated(bare) not in quotes and is_negated(_quoted(claim)) != is_negated(bare):
        return "negation changed"
    return None


def strength_kept(claim: Claim, events: Mapping[str, Event]) -> str | None:  # noqa: ARG001
    """ "Not now" does not become "never", "maybe" does not become a fact (case 74, L4)."""
    if _is_verbatim(claim):
        return None
    bare, quoted = canonical(_bare(claim.text)), canonical(_quoted(claim))
    if _UNIVERSAL.search(bare) and not _UNIVERSAL.search(quoted):
        return "stronger than said"
    if _BOUND.search(quoted) and not _BOUND.search(bare) and claim.standing == "standing":
        return "limit dropped"
    if _HEDGE.search(quoted) and not _HEDGE.search(bare):
        return "hedge dropped"
    return None


def subject_supported(claim: Claim, events: Mapping[str, Event]) -> str | None:
    """A named subject was named by the evidence, or is who spoke."""
    if claim.subject in (USER, "agent", "world"):
        return None
    if not claim.subject.strip():
        return "subject is empty"
    subject = _fold(claim.subject)
    for span in claim.evidence:
        event = events[span.event_id]
        if subject in _fold(event.text) or subject == _fold(event.speaker or ""):
            return None
    return "subject not in evidence"


CHECKS: Final[tuple[Check, ...]] = (
    has_evidence,
    quotes_match,
    origin_allowed,
    not_recalled,
    text_is_a_statement,
    no_markup,
    ranges_hold,
    dates_computed,
    entities_supported,
    words_supported,
    negation_kept,
    strength_kept,
    subject_supported,
)
"""Every check a claim must pass, in order. The first that fails names the reason."""


# ── shared ──────────────────────────────────────────────────────────────────────────────────────


def _quoted(claim: Claim) -> str:
    return _JOIN.join(span.quote.strip() for span in claim.evidence)


def _is_verbatim(claim: Claim) -> bool:
    """Whether the text is a whole quote (a part of one may have lost its "not")."""
    bare = _bare(claim.text)
    return bare == _bare(_quoted(claim)) or any(bare == _bare(s.quote) for s in claim.evidence)


def _bare(text: str) -> str:
    """The text without the days that were computed beside relative words."""
    bare = _ANNOTATION.sub("", text)
    return re.sub(r"\s+([,.;!?，。；！？])", r"\1", re.sub(r" {2,}", " ", bare)).strip()


def _fold(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c for c in folded if c.isalnum() or c in "$€£¥%")


def _days_meant(claim: Claim, events: Mapping[str, Event]) -> set[str]:
    """Days the quotes mean, and their neighbours: the user's day may differ from the speaker's."""
    days: set[str] = set()
    for span in claim.evidence:
        for found in find_times(span.quote, events[span.event_id].ts):
            values = [found.value] if isinstance(found.value, str) else list(found.value.values())
            for value in values:
                days.update(_around(value[:10]))
    return days


def _around(day: str) -> list[str]:
    try:
        middle = date.fromisoformat(day)
    except ValueError:
        return [day]
    return [(middle + timedelta(days=shift)).isoformat() for shift in (-1, 0, 1)]
