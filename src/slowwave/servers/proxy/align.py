"""How much of what a request holds is known already: the whole conversation comes each time.

Nothing is compared by its place: clients trim, edit and sum up what was said before. The last
answer that is known is looked for, with what stands around it; what comes behind it is new, and
what stands before it is history, also where it looks different now.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from slowwave.model import EventKind, Role
from slowwave.servers.proxy.pieces import Piece

__all__ = ["AGAIN", "Known", "Placed", "aligned", "behind", "is_long", "place"]

AGAIN = timedelta(minutes=10)
"""The same words without anything before them, this soon: the same question asked once more."""
LONG = 24
"""Bytes from which on a message is not said twice by chance."""
LOOKED_AT, LOOKED_FOR = 600, 40
"""Pieces of a conversation, and of those up to the last answer of a request, that are compared,
from their ends, where the request does not just go on."""
SHARED = 8
"""Characters that the beginning of an answer and a cut one must have in common."""


class Known(NamedTuple):
    """A piece that is in the journal. `place` is its own name in the conversation.

    `turn` names the turn it belongs to. `cut` are the words of an answer that was cut off: what the
    client got of it may be longer or shorter.
    """

    mark: str
    place: str
    role: Role
    kind: EventKind
    ts: datetime
    event_id: str = ""
    turn: str = ""
    cut: str = ""


class Placed(NamedTuple):
    """`pieces[new:]` are new, and the first of them follows `known[after]` (-1: nothing known).

    `same` are the places in `known` of what is there already; `held` how many of the pieces up to
    the last answer are.
    """

    new: int
    after: int
    same: tuple[int, ...] = ()
    held: int = 0


def behind(known: Sequence[Known], at: int, pieces: Sequence[Piece]) -> Placed:
    """As `place` where a request says itself what it follows, and holds nothing before that."""
    there = _alike([one.mark for one in known[at + 1 :]], [piece.mark for piece in pieces])
    return Placed(there, at + there, tuple(range(at + 1, at + 1 + there)))


def place(known: Sequence[Known], pieces: Sequence[Piece], now: datetime) -> Placed:
    """Which of the pieces are new to a conversation, and what they follow."""
    if not known or not pieces:
        return Placed(0, -1)
    marks = _marks(known, pieces)
    begun = _alike([one.mark for one in known], marks)
    if begun == len(known):
        return Placed(begun, begun - 1, tuple(range(begun)), begun)
    answers = [at for at, piece in enumerate(pieces) if piece.by_model]
    if not answers:
        return _without_answer(known, marks, now)
    if begun == len(pieces):
        return Placed(begun, begun - 1, tuple(range(begun)), answers[-1] + 1)
    return _behind_answer(known, pieces, marks, answers[-1] + 1, now)


def is_long(piece: Piece) -> bool:
    """Whether nobody says this twice by chance."""
    return len(piece.text.encode("utf-8", "replace")) >= LONG


def _marks(known: Sequence[Known], pieces: Sequence[Piece]) -> list[str]:
    """The marks of the pieces; what is a version of an answer that was cut off has its mark."""
    marks = [piece.mark for piece in pieces]
    cut = [one for one in known if one.cut]
    if not cut:
        return marks
    seen = {one.mark for one in known}
    for at, piece in enumerate(pieces):
        if marks[at] not in seen and piece.by_model and piece.said:
            versions = (one.mark for one in reversed(cut) if _version(piece.text, one.cut))
            marks[at] = next(versions, marks[at])
    return marks


def _version(one: str, other: str) -> bool:
    short, long = sorted((" ".join(one.split()), " ".join(other.split())), key=len)
    return len(short) >= min(SHARED, len(long)) and long.startswith(short)


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many marks are the same from the beginning."""
    number = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        number += 1
    return number


# --- nothing but the user's side ------------------------------------------------------------------


def _without_answer(known: Sequence[Known], marks: Sequence[str], now: datetime) -> Placed:
    """Where no answer stands in a request: the beginning, or a client that keeps none."""
    side = [at for at, one in enumerate(known) if one.role != "assistant"]
    said = [known[at].mark for at in side]
    best, start = 0, -1
    for at in range(len(said) - 1, -1, -1):
        if said[at] == marks[0] and (length := _alike(said[at:], marks)) > best:
            best, start = length, at
    if not best:
        return Placed(0, -1)
    last = side[start + best - 1]
    latest = start + best == len(said)
    goes_on = best < len(marks) and latest
    if best == 1 and not goes_on and not (latest and now - known[last].ts <= AGAIN):
        return Placed(0, -1)  # the same words later on are said again
    return Placed(best, last, tuple(side[start : start + best]))


# --- with answers ---------------------------------------------------------------------------------


def _behind_answer(
    known: Sequence[Known], pieces: Sequence[Piece], marks: Sequence[str], head: int, now: datetime
) -> Placed:
    """`head` is how many pieces there are up to the last answer."""
    found = _anchor(known, pieces[:head], marks)
    if found is None:
        return _resent(known, pieces, marks, head, now) or Placed(0, -1)
    at, after, same = found
    held = len(same)
    if at < head and after + 1 < len(known) and _other_version(known[after + 1], pieces[at]):
        at, after = at + 1, after + 1
        same.append(after)
    while at < head and after + 1 < len(known) and known[after + 1].mark == marks[at]:
        at, after = at + 1, after + 1
        same.append(after)
    if at < head:
        resent = _resent(known, pieces, marks, head, now)
        if resent is not None and resent.same[0] > after:
            return resent
        return Placed(at, after, tuple(same), held)
    again = _said_again(known, (after, held), marks, head, now)
    same += again
    return Placed(head + len(again), again[-1] if again else after, tuple(same), held)


def _resent(
    known: Sequence[Known], pieces: Sequence[Piece], marks: Sequence[str], head: int, now: datetime
) -> Placed | None:
    """The last question once more, behind a history that is not to be known again."""
    if head == len(pieces) or not is_long(pieces[-1]):
        return None
    again = _without_answer(known, marks[head:], now)
    if not again.same:
        return None
    return again._replace(new=head + again.new, held=len(again.same))


def _other_version(known: Known, piece: Piece) -> bool:
    """Whether an answer stands where another one was given: as the client writes it now."""
    return piece.by_model and piece.said and known.role == "assistant" and known.kind == "message"


def _anchor(
    known: Sequence[Known], pieces: Sequence[Piece], marks: Sequence[str]
) -> tuple[int, int, list[int]] | None:
    """Behind how many pieces the known part ends, with its place, and all that is known of it.

    `marks` are those of the pieces, and of what follows them.
    """
    far, near = max(0, len(known) - LOOKED_AT), max(0, len(pieces) - LOOKED_FOR)
    theirs = [one.mark for one in known[far:]]
    pairs = [(far + a, near + b) for a, b in aligned(theirs, marks[near : len(pieces)])]
    while pairs:
        after, at = pairs[-1]
        joined = len(pairs) > 1 and pairs[-2][1] == at - 1
        if joined or _stands_out(known, after, pieces, at + 1, marks):
            return at + 1, after, [one for one, _ in pairs]
        pairs.pop()
    return None


def aligned(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """The longest common subsequence as pairs of places, in order; unbroken runs count for more.

    Of those that are as good the one is taken whose last pairs stand latest.
    """
    ends = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]  # of alignments that end in a pair
    best = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]  # of any
    for a, left in enumerate(one, start=1):
        row, above, pair = best[a], best[a - 1], ends[a]
        for b, right in enumerate(other, start=1):
            if left == right:
                run = ends[a - 1][b - 1]
                pair[b] = max(run + RUN if run else 0, above[b - 1] + PAIR)
            row[b] = max(above[b], row[b - 1], pair[b])
    return list(reversed(_traced(ends, best)))


PAIR, RUN = 4, 5
"""What a pair is worth, and what one that follows another without a gap."""


def _traced(ends: list[list[int]], best: list[list[int]]) -> list[tuple[int, int]]:
    """The pairs of the best alignment, the last one first."""
    pairs: list[tuple[int, int]] = []
    a, b = len(best) - 1, len(best[0]) - 1
    while a and b:
        if ends[a][b] == best[a][b] and ends[a][b]:
            while True:
                pairs.append((a - 1, b - 1))
                run, here = ends[a - 1][b - 1], ends[a][b]
                a, b = a - 1, b - 1
                if not (run and run + RUN == here):
                    break
        elif best[a - 1][b] == best[a][b]:
            a -= 1
        else:
            b -= 1
    return pairs


def _stands_out(
    known: Sequence[Known], after: int, pieces: Sequence[Piece], at: int, marks: Sequence[str]
) -> bool:
    """Whether a single piece is no chance: long, with what followed it, or at an end."""
    if is_long(pieces[at - 1]):
        return True
    later = known[after + 1 :]
    if later and at < len(marks) and later[0].mark == marks[at]:
        return True
    return (after == 0 and at == 1) or all(one.role != "assistant" for one in later)


def _said_again(
    known: Sequence[Known], anchor: tuple[int, int], marks: Sequence[str], head: int, now: datetime
) -> list[int]:
    """The places of what follows the last answer, as far as it was asked before.

    `anchor` is the place of that answer, and how many pieces up to it are known.
    """
    after, held = anchor
    tail = list(marks[head:])
    following = [one.mark for one in known[after + 1 : after + 1 + len(tail)]]
    number = _alike(following, tail)
    if 0 < number == len(following) or number == len(tail):
        return list(range(after + 1, after + 1 + number))
    # Asked in another way meanwhile, and now as before; or behind an answer in the same words.
    for start in range(len(known) - len(tail), 0, -1):
        if now - known[start].ts > AGAIN:
            break
        same = [one.mark for one in known[start : start + len(tail)]] == tail
        if same and (start > after or _as_well(known[:start], marks[:head], held)):
            return list(range(start, start + len(tail)))
    return list(range(after + 1, after + 1 + number))


def _as_well(known: Sequence[Known], marks: Sequence[str], held: int) -> bool:
    """Whether a request fits as well behind this much of a conversation."""
    theirs = [one.mark for one in known[-LOOKED_AT:]]
    return theirs[-1] == marks[-1] and len(aligned(theirs, marks[-LOOKED_FOR:])) >= held
