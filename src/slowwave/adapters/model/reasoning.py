"""An answer without the thinking aloud before it, which some servers leave in the text."""

import re

_TAGS = "think|thinking|thought|reasoning|reflection"
_BLOCK = re.compile(rf"\A\s*<({_TAGS})\b[^>]*>.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_CLOSING = re.compile(rf"</(?:{_TAGS})\s*>", re.IGNORECASE)
_FINAL = re.compile(r"<\|channel\|>\s*final[^<]*<\|message\|>")
_MARK = re.compile(r"<\|(?:end|return|im_end|eot_id)\|>\s*\Z")


def without_reasoning(text: str) -> str:
    """The answer itself; empty when the model was cut off while it still thought.

    Only what stands before the answer goes: an answer may speak of such tags, in a quote.
    """
    final = _FINAL.search(text)
    if final is not None and text.lstrip().startswith("<|"):
        text = text[final.end() :]
    text = _MARK.sub("", text)
    before = None
    while before != text:
        before = text
        text = _BLOCK.sub("", text)
    # Templates that open the block themselves leave only its end in the text.
    closing = _CLOSING.search(text)
    if closing is not None and not text.lstrip().startswith(("{", "[", "`")):
        text = text[closing.end() :]
    return text.strip()
