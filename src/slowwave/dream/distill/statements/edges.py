"""Where the text of a statement begins and ends: without what only leads in or trails off."""

import re
from typing import Final

from slowwave.dream.distill.statements.groups import Group
from slowwave.model import Event

__all__ = ["edges"]

_TOPIC = re.compile(r"(?:(?:的?这|的)(?:件|个)?(?:事儿?|事情|情况|毛病)|这(?:一)?点)$")
"""A statement turned into a topic ("… 过敏这件事"): what is left is the statement itself."""


_TAIL = re.compile(
    r"(?:[\s,，!！~～。.]*(?:yay+|woo+hoo+|lo+l|lmao|haha+h?|hehe+|xd|哈哈+|嘿嘿+|嘻嘻+|呜呜+"
    r"|[:;]-?[)(DP]"
    r"|so (?:sad|happy|excited|cool|annoying))[\s!！~～。.]*)+$",
    re.IGNORECASE,
)
"""A laugh or a sigh behind a statement is no part of it."""

_LEAD = re.compile(
    r"^(?:(?:so|and|oh|well|also|btw)\b[,\s]+|(?:因为|而且|然后|所以)[，,]?|(?:对了"
    r"|另外)[，,])(?=\S)",
    re.IGNORECASE,
)
"""What only ties a statement to the one before it."""


def edges(group: Group, event: Event) -> tuple[int, int]:
    """The span of a statement's text, without what only leads in or trails off."""
    start, end = group.start, group.end
    text = event.text[start:end]
    if _NOTE.fullmatch(text):
        return start + 1, end - 1
    if group.act != "fact":
        return start, end
    topic, tail = _TOPIC.search(text), _TAIL.search(text)
    cut = len(topic.group()) if topic else len(tail.group()) if tail else 0
    lead = _LEAD.match(text) if group.since < 0 else None
    front = lead.end() if lead else 0
    if len(text) - cut - front < _LEAST:
        return start, end
    return start + front, end - cut


_NOTE = re.compile(r"\[[^\[\]\n]{3,300}\]")
"""A recorder's note that stands alone ("[shared image: a boat]"): its brackets say nothing."""

_LEAST: Final = 4
"""Characters that must be left of a statement whose edges are cut."""
