"""Proposals of the agent that the owner agreed to: the only words of an agent that can be learned.

"Shall I always use tables?" / "Yes, do that from now on" is one claim with evidence from both
turns. A plain yes counts only when the proposal itself is about how things should be from now on,
or asks whether something is true of the owner; a yes to a single job teaches nothing.
"""

import re
from collections.abc import Sequence

import msgspec

from slowwave.dream.distill.clauses.cut import fold, split
from slowwave.dream.distill.clauses.reading import Reading
from slowwave.model import Event
from slowwave.text.polarity import canonical

__all__ = ["Proposal", "chooses", "is_plain_yes", "proposal_of", "shares_words", "starts_with_yes"]

_ASKS = re.compile(
    r"要不要|需不需要|好不好|可以吗|行吗|对吧|对吗|是吗|好吗|怎么样|如何|吗$|\bshall i\b"
    r"|\bshould i\b|\bwant me to\b"
    r"|\bwould you like\b|\bdo you want\b|\bcan i\b|\bi(?: could|'ll| can)\b"
    r"|\bmake it\b|\bare you\b|\bis (?:it|that|this)\b|\bdo you\b|\bright\s*$|我(?:可以|来|先|帮您"
    r"|帮你)|建议|默认|那以后"
)
_LASTING = re.compile(
    r"以后|今后|往后|每(?:次|天|周|月|晚|早|年|个)|默认|固定|统一|一律|长期|都(?:用|按|换|写"
    r"|放|走)|from now on"
    r"|going forward|always|every|each|weekly|daily|nightly|monthly|default|standard"
    r"|by default|in future|from here on"
)
_ABOUT_OWNER = re.compile(
    r"(?:您|你)(?:们)?(?:是不是|有没有|会不会|能不能吃|对不对)|(?:您|你)(?:们)?(?:是|对|有|住"
    r"|喜欢|不|在|都|叫|属|用)[^？]*(?:是吗|对吗|对吧|吗|吧)"
    r"|所以(?:您|你)|\bare you\b"
    r"|\bdo you (?:live|have|use|prefer|like|work|speak|own)\b|\bso you(?:'re| are| have)?\b"
    r"|\byou(?:'re| are) .*right\b"
)
_YES = re.compile(
    r"^(?:(?:嗯+|好(?:的|啊|呀|吧|嘞)?|可以|行|对|没错|是的?|没问题|ok(?:ay)?|成|中|同意"
    r"|当然|yes|yep|yeah|yup|sure"
    r"|agreed|correct|right|exactly|sounds good|go ahead|perfect|great|fine|absolutely"
    r"|please do|that's right|good idea|aye|righto|sure thing|go for it"
    r"|deal|works for me|do (?:that|it|so)"
    r"|sign me up|count me in|put me down|(?:yes|please|ok)? ?[a-z]+ (?:it|that one"
    r"|them)(?: then| please| in| up| down)?"
    r"(?=\W*$)|please|then|照办|按你说的?(?:办|来|做)?|听你安排|安排(?:上|吧)"
    r"|(?:帮我)?[约订定买报办](?:上|了|下|吧|个)+|要得|得行|妥|嗯[呐哪]|听你的|就这么办|办吧)"
    r"[\s，,。.！!：:、～~]*)+"
)
_THUS = re.compile(
    r"以后都?这[样么]|就这[样么]|照(?:你|您)(?:说|讲)|就按(?:你|这)|都这[样么]|from now on"
    r"|(?:以后)?(?:就|都|一直)*[照按][这那你您](?:个|样|么|种|说的?)?[来办做走]*|(?:in"
    r"|for) (?:the )?future|going forward|henceforth"
    r"|\bdo so\b|every time|each time|always"
    r"|do that|like that|always"
    r"|let's do|that way|make it so|standard"
)
_LEADS = re.compile(r"(?:please|then|right|great|fine|perfect|do)")
"""Words that agree when they stand alone and only lead in when something follows."""

_COMMON = frozenset(
    {"with", "from", "that", "this", "have", "will", "your", "always", "every", "please", "want",
     "would", "should", "shall", "like", "when", "what", "them", "they", "then", "just", "also"}
)  # fmt: skip
_WORDS = re.compile(r"[\u4e00-\u9fff]{2}|[a-z]{4,}|\d+")

_OFFERS = re.compile(r"\bor\b|还是|或者?")
_CHOICE_CHARS = 40
"""Characters of a turn that does nothing but choose."""

_STEM = 6
"""Letters that are compared of a word: "evening" and "evenings" are one."""


class Proposal(msgspec.Struct, frozen=True):
    """An agent's sentence that waits for an answer, with its span in the event's text."""

    event: Event
    start: int
    end: int
    lasting: bool
    about_owner: bool

    @property
    def text(self) -> str:
        """The sentence itself."""
        return self.event.text[self.start : self.end]


def proposal_of(event: Event) -> Proposal | None:
    """The last proposal or question of an agent's turn, or None."""
    if event.origin != "agent" or len(event.text) > 4000:
        return None
    folded = fold(event.text)
    sentences: dict[int, tuple[int, int]] = {}
    for clause in split(event.text, folded):
        start, _ = sentences.get(clause.sentence, (clause.start, 0))
        sentences[clause.sentence] = (start, clause.end)
    spans = list(sentences.values())
    for index in range(len(spans) - 1, max(-1, len(spans) - 4), -1):
        start, end = spans[index]
        if _ASKS.search(folded[start:end]) or event.text[end : end + 1] in "?？":
            if index and len(event.text[start:end]) < 24:
                start = spans[index - 1][0]
            closed = end + 1 if event.text[end : end + 1] in ("?", "？") else end
            words = folded[start:end]
            return Proposal(
                event, start, closed, bool(_LASTING.search(words)), bool(_ABOUT_OWNER.search(words))
            )
    return None


def starts_with_yes(text: str) -> bool:
    """Whether a turn begins by agreeing ("please always …" and "right, …" begin otherwise)."""
    match = _YES.match(canonical(text.strip()))
    return match is not None and _LEADS.fullmatch(match.group().strip()) is None


def is_plain_yes(text: str) -> bool:
    """Whether a turn does nothing but agree ("好的，以后都这样", "yes, do that from now on")."""
    bare = canonical(text.strip())
    match = _YES.match(bare)
    if match is None:
        return False
    rest = _THUS.sub("", bare[match.end() :])
    return len(re.sub(r"\W|[了吧啊呀哈嘛的就]|please|then|it|do|that", "", rest)) <= 2


def chooses(text: str, proposal: Proposal) -> bool:
    """Whether a short turn picks one of two things that were offered ("… or …?" / "the second")."""
    if not proposal.lasting or len(text) > _CHOICE_CHARS or text.rstrip().endswith(("?", "？")):
        return False
    return _OFFERS.search(canonical(proposal.text)) is not None


def shares_words(readings: Sequence[Reading], proposal: Proposal) -> bool:
    """Whether an answer repeats words of the proposal (then it says what it agrees to)."""
    words: set[str] = set()
    text = canonical(proposal.text)
    for run in re.findall(r"[\u4e00-\u9fff]+", text):
        words.update(run[i : i + 2] for i in range(len(run) - 1))
    words.update(re.findall(r"[a-z]{4,}|\d+", text))
    stems = {word[:_STEM] for word in words - _COMMON}
    for reading in readings:
        folded = reading.clause.folded
        grams = {folded[i : i + 2] for i in range(len(folded) - 1)} | set(_WORDS.findall(folded))
        if {gram[:_STEM] for gram in grams} & stems:
            return True
    return False
