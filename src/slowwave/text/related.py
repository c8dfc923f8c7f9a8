"""What a statement answers without saying the word: who moved to a place lives there.

"I moved to Ghent" is what "where do I live" asks for, and shares no word with it; by meaning it is
no nearer than any other journey. So a few relations that everybody asks about in one word and tells
of in another lend their words to what is indexed and compared.
"""

from slowwave.text.lately import lately
from slowwave.text.later import later

__all__ = ["related"]

READ = 600
"""Characters of a text that are looked at: beyond them it is material, not a statement."""

_LIVES = later(
    r"(?i:\b(?:i|we)(?:'ve| have| am|'m)?(?: just| finally| recently)? "
    r"(?:moved|moving|relocated|settled|relocating)\b(?! (?:on|it|the|this|that|my|your)\b)"
    r"|\b(?:my|our)(?: new)? (?:address|flat|apartment|house|place) is\b"
    r"|\bnew (?:address|flat|home) is\b)"
    r"|搬(?:到|去|进|来|家)|新家|新地址|迁到"
)
_WORKS = later(
    r"(?i:\b(?:i|we)(?:'ve| have)?(?: just| finally| recently)? (?:joined|switched jobs"
    r"|started (?:at|with|working)|changed jobs|got hired|got a job)\b"
    r"|\bmy new (?:job|employer|company)\b)"
    r"|入职|跳槽|换了?(?:份)?工作|新公司|新单位"
)
_RELATIONS = (
    (_LIVES, "live home address 住 住在 住哪 住址 地址"),
    (_WORKS, "work job company 工作 上班 公司"),
)


@lately(8_192)
def related(text: str) -> str:
    """The words that the relations of a text are asked for by; empty for most texts."""
    head = text[:READ]
    return " ".join(words for pattern, words in _RELATIONS if pattern.search(head))
