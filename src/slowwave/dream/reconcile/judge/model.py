"""Asking a model about pairs that the rules are unsure of, many in one question.

The pairs are named p1, p2 …; an answer about any other id is refused, and so is a decision whose
words do not stand in the new statement of that very pair. What is refused is counted, and the rules
decide. Golden tests hold every word of the question.
"""

from collections.abc import Sequence
from functools import cache

import msgspec

from slowwave.dream.prompts.instructions import instructions
from slowwave.dream.prompts.quotes import find_quote
from slowwave.dream.reconcile.judge.rulings import Doubt, Relation, Ruling
from slowwave.model import Ask, Rejected, text_hash
from slowwave.modelling import Answer, Asker, list_schema, prompt_hash

__all__ = ["PAIRS", "Judged", "Judgement", "ask_about", "fingerprint", "judge"]

STAGE = "judge"
PAIRS = 20
"""Pairs in one question."""
MAX_TOKENS = 3_000
_MARK = 6


class Judgement(msgspec.Struct, frozen=True):
    """What a model says of one pair."""

    pair: str
    relation: Relation
    words: str = ""


class Judged(msgspec.Struct, frozen=True):
    """What came of one question: rulings by the keys of the pairs, and what was refused."""

    rulings: dict[str, Ruling]
    rejected: tuple[Rejected, ...] = ()


def judge(doubts: Sequence[Doubt], asker: Asker) -> Judged:
    """What a model decides of at most `PAIRS` pairs. Raises ModelError: nothing is decided then."""
    ask = ask_about(doubts)
    answer = asker.items(ask, Judgement, once=True)  # the rules can decide without it
    return _read(doubts, answer, prompt_hash(ask))


def ask_about(doubts: Sequence[Doubt]) -> Ask:
    """The question about these pairs, in their order."""
    lines = ["PAIRS"]
    for number, doubt in enumerate(doubts, start=1):
        mark = _mark(doubt)
        lines += [
            f"[p{number}] about {_about(doubt)}",
            f"KNOWN, {doubt.seen}", f"<<{mark}", doubt.known, f"{mark}>>",
            f"NEW, {doubt.said}", f"<<{mark}", doubt.new, f"{mark}>>",
        ]  # fmt: skip
    return Ask(
        purpose="judge",
        system=instructions("judge"),
        user="\n".join(lines),
        schema=list_schema(Judgement),
        max_tokens=MAX_TOKENS,
    )


@cache
def fingerprint() -> str:
    """Stands for the instructions and the schema: what was asked otherwise is asked anew."""
    schema = msgspec.json.encode(list_schema(Judgement), order="deterministic").decode()
    return text_hash("\x1f".join((instructions("judge"), schema)))


def _read(doubts: Sequence[Doubt], answer: Answer[Judgement], question: str) -> Judged:
    pairs = {f"p{number}": doubt for number, doubt in enumerate(doubts, start=1)}
    said: dict[str, set[Relation]] = {}
    rejected = [
        Rejected(STAGE, f"item refused: {problem.reason}", problem.raw[:300])
        for problem in answer.problems
        if problem.item
    ]
    for item in answer.items:
        name = item.pair.strip().strip("[]#<>").strip().lower()
        doubt = pairs.get(name)
        reason = "no such pair" if doubt is None else _unquoted(item, doubt)
        if reason:
            text = doubt.new if doubt else item.pair
            rejected.append(Rejected(STAGE, reason, text[:300]))
        else:
            said.setdefault(name, set()).add(item.relation)
    rulings: dict[str, Ruling] = {}
    for name, relations in said.items():
        if len(relations) > 1:
            text = pairs[name].new[:300]
            rejected.append(Rejected(STAGE, "two answers about one pair", text))
            continue
        (relation,) = relations
        rulings[pairs[name].key] = Ruling(relation, answer.model, question)
    return Judged(rulings, tuple(rejected))


def _unquoted(item: Judgement, doubt: Doubt) -> str:
    """Why the words of a decision do not carry it; "" where they do."""
    if item.relation == "new":
        return ""
    if not item.words.strip():
        return "no words for it"
    return "" if find_quote(doubt.new, item.words) else "words not in the statement"


def _about(doubt: Doubt) -> str:
    """Whom a pair is about; a name from outside stays on its line."""
    return " ".join(doubt.about.split())[:60]


def _mark(doubt: Doubt) -> str:
    """A mark that does not stand in the words themselves."""
    mark = doubt.key[:_MARK]
    while mark in doubt.new or mark in doubt.known:
        mark = text_hash(mark)[:_MARK]
    return mark
