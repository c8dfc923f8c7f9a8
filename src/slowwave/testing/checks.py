"""Checks for tests of agents, whose failures tell what there was instead."""

from slowwave.library import Memory

__all__ = ["assert_forgot", "assert_remembers"]


def assert_remembers(memory: Memory, question: str, *words: str, k: int = 8) -> None:
    """AssertionError unless one of the first `k` answers to a question holds all these words.

    Case does not count. It leaves no trace: it is no use of what is found.
    """
    hits = memory.recall(question, k=k, caller="evaluation", signal=False)
    wanted = [word.casefold() for word in words]
    if any(all(word in hit.text.casefold() for word in wanted) for hit in hits):
        return
    found = [f"  {hit.score:.2f}  {hit.text}" for hit in hits] or ["  nothing"]
    raise AssertionError(
        "\n".join([f"{question!r} should recall {' … '.join(words)!r}; it recalls", *found])
    )


def assert_forgot(memory: Memory, *words: str) -> None:
    """AssertionError if anything that is kept still holds one of these texts.

    The journal, memories and their history, dreams, questions, open items, files of people: it is
    what `forget` would have to take. Case, width and spacing do not count.
    """
    for text in words:
        plan = memory.forget_plan(match=text)
        if not plan.empty:
            left = [f"  event {one.id}: {one.text}" for one in plan.events]
            left += [f"  memory {one.id}: {one.text}" for one in (*plan.memories, *plan.also)]
            left += [f"  {one.where} {one.id}: {one.text}" for one in plan.others]
            raise AssertionError(
                "\n".join([f"{text!r} should be forgotten; it is still in", *left])
            )
