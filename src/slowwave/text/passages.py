"""Passages: a long text cut where its sentences and paragraphs end, for search by meaning.

One vector says what a text is about as a whole; of a page it says little, and an embedder reads
only its beginning. A passage is as long as a short message, so that both have the same chance.
"""

from slowwave.text.segment import cjk_share, sentences

PASSAGE_CHARS = 400
"""Length of a passage in Latin script: some 90 tokens, the length of an ordinary message."""

PASSAGE_CHARS_SPACELESS = 130
"""The same in scripts without spaces, where each character says about three times as much."""

CUT = 1.5
"""A sentence may be so many times longer than a passage before it is cut in its middle."""

SAMPLE = 2_000
"""Characters that tell in which script a text is."""

READ_CHARS = 100_000
"""What of a text is looked at: the end of a pasted book is found by its words alone."""


def passages(text: str, most: int) -> list[str]:
    """The text in pieces of whole sentences, at most `most` of them (≥ 3), in their order.

    A short text is one piece, as it is. Of a very long one the first half of the pieces are its
    beginning, where it says what it is about; the others are spread over the rest, its end with
    them: there a message asks what it is for.
    """
    size = passage_chars(text)
    if len(text) <= size:
        return [text]
    text = text[:READ_CHARS]
    spans = _packed(_short(text, sentences(text), size), size)
    return [text[start:end] for start, end in _spread(spans, most)] or [text]


def passage_chars(text: str) -> int:
    """How long a passage of this text is, in characters."""
    share = cjk_share(text[:SAMPLE])
    return round(PASSAGE_CHARS + (PASSAGE_CHARS_SPACELESS - PASSAGE_CHARS) * share)


def _short(text: str, spans: list[tuple[int, int]], size: int) -> list[tuple[int, int]]:
    """These spans, with those that are far too long cut at a blank."""
    short: list[tuple[int, int]] = []
    for start, end in spans:
        while end - start > CUT * size:
            blank = text.rfind(" ", start + size // 2, start + size)
            stop = blank if blank > 0 else start + size
            short.append((start, stop))
            start = stop
        short.append((start, end))
    return short


def _packed(spans: list[tuple[int, int]], size: int) -> list[tuple[int, int]]:
    """Neighbouring spans joined as long as they fit into one passage."""
    packed: list[tuple[int, int]] = []
    for start, end in spans:
        if packed and end - packed[-1][0] <= size:
            packed[-1] = (packed[-1][0], end)
        else:
            packed.append((start, end))
    return packed


def _spread(spans: list[tuple[int, int]], most: int) -> list[tuple[int, int]]:
    if len(spans) <= most:
        return spans
    head = most // 2
    rest, wanted = spans[head:], most - head
    return spans[:head] + [rest[at * (len(rest) - 1) // (wanted - 1)] for at in range(wanted)]
