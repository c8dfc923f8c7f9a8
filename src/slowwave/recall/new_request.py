"""What is asked anew, and what only asked: an old request is no answer to a new one.

"Write a regex for dates" is no nearer to an answer because somebody once asked for another regex,
and neither is "17 times 23" because of another sum. Such a message speaks of no time before and of
nothing that belongs to the one who asks. What may help with it is what was *told* (facts, wishes,
lessons), not what else was asked for, nor what an agent said to that. Closed classes of grammar
decide (pronouns, tenses, determiners, the forms of questions and of commands), no topics.
"""

import re

from slowwave.model import Event, Memory
from slowwave.text.lately import lately
from slowwave.text.later import later
from slowwave.text.segment import sentences
from slowwave.text.stopwords import ENGLISH

__all__ = ["has_material", "is_anew", "only_asks", "tells"]

READ = 600
"""Characters of a message that are looked at: beyond them it is material for a task."""

READ_LATELY = 8_192

_FOR_ME = later(
    r"\b(?!told|said|gave)[a-z]+ (?:me|us) (?=an?\b|the\b|some|any|another|one\b|about|how|what|why"
    r"|more|\d|two|three|four|five|six|seven|eight|nine|ten|with|in\b|out\b|something|up\b|understand)"
    r"|\b(?:can|could|may|should|shall|would|will|might) (?:i|we)\b|\b(?:i|we)(?: would|'d)? "
    r"(?:want|need|like|have) (?:you )?to\b|\b(?:let|help|for|with) (?:me|us)\b|\blet's\b"
    r"|[给帮替为教跟陪让](?:我|我们)(?!的|们的)|我(?:们)?(?:想|要|得|该|应该|能|可以|需要)(?!.{0,6}过)|我们来|咱们?来",
    re.IGNORECASE,
)
"""Where "me" is who is served and "I" who would do it: not whose the matter is."""

_MINE = later(
    r"\b(?:i|i'm|i've|i'd|me|my|mine|myself|we|we're|we've|us|our|ours)\b|[我俺咱]", re.IGNORECASE
)
_BEFORE = later(
    r"\b(?:did|didn't|was|wasn't|were|weren't)\b"
    r"|\b(?:had|have|has|'ve|'d) (?:you|he|she|they|it)\b|\byou"
    r"(?:'ve|'d| have| had| just)?"
    r" (?:\w+ed|told|said|gave|made|wrote|did|sent|found|chose|showed|took|built|knew|meant)\b"
    r"|\b(?:remember|recall|remind|again|already|before|earlier|previous(?:ly)?|last (?:time|week"
    r"|month|year|night|session)|yesterday|ago|so far|usual(?:ly)?|as always|the same|like that one"
    r"|still|back then|the other day|mentioned|discussed)\b"
    r"|上一?[次回周月]|[之以]前|刚才|刚刚|昨|记得|[说聊提讲谈给写做教推荐议发看](?:到|给我)?过|照旧|老样子|一样的|那[个次份段首张篇种]"
    r"|还是|还有|又|再来",
    re.IGNORECASE,
)

_QUESTION = later(
    r"[?？][\s\"”’)）]*$"
    r"|^\W*(?:what|who|whom|whose|which|where|when|why|how)(?:'s|'re)?\b"
    r"|^\W*(?:is|are|am|was|were|do|does|did|can|could|will|would|should|has|have)"
    r" (?:i|you|he|she|it|we|they|the|a|an|my|your|there|this|that)\b"
    r"|[吗呢几][。.!！~～\s]*$|多少|几[个点号月天年种次]|什么(?![都也])|怎[么样](?![都也])|如何|哪[里儿个些位年天]|为何|谁|是不是|能不能|有没有",
    re.IGNORECASE,
)
_COMMAND = later(
    r"^\W*(?:(?:please|now|then|ok|okay|so|hey|and|just|also|kindly)\W+)*"
    r"(?:(?:can|could|would|will) you (?:please )?)?(?P<verb>[a-z]+)(?: (?:me|us|up|out|down))?"
    r" (?=(?:an?|the|this|that|these|those|me|us|my|our|your|some(?:thing)?|any(?:thing)?|all"
    r"|each|another|it|them|one"
    r"|two|three|four|five|six|seven|eight|nine|ten|into|how|what|why|whether|about|between)\b"
    r"|[\d'\"“‘`(\[])",
    re.IGNORECASE,
)
_NOT_COMMANDS = frozenset({
    "met", "made", "bought", "got", "had", "went", "lost", "found", "broke", "took", "gave", "saw",
    "told", "said", "did", "came", "ran", "ate", "drank", "sold", "sent", "spent", "left", "felt",
    "kept", "held", "heard", "read", "put", "cut", "let", "hit", "hurt", "won", "wrote", "woke",
    "wore", "threw", "taught", "swam", "stood", "stole", "spoke", "slept", "sang", "sat", "rode",
    "rang", "paid", "led", "knew", "hid", "grew", "fought", "forgot", "flew", "fell", "drove",
    "drew", "dug", "dealt", "chose", "caught", "brought", "built", "began", "became", "thanks",
    "thank", "yes", "no", "bent", "bit", "blew", "bred", "burnt", "clung", "crept", "fed", "fled",
    "flung", "forgave", "froze", "ground", "hung", "knelt", "lay", "lent", "lit", "meant", "quit",
    "rose", "sank", "shook", "shone", "shot", "shut", "slid", "spun", "split", "spread", "sprang",
    "stuck", "struck", "swept", "swore", "swung", "tore", "thought", "understood", "wept",
})  # fmt: skip
"""Irregular past tenses: what begins with one tells."""
_COMMAND_ZH = later(
    r"^\W*(?:请|麻烦|拜托|劳驾|你?能不能|可以|能)*(?:再|先|快|来|就)?(?:给|帮|替|为|教)(?:我|我们|大家|忙)(?!.{0,8}了[。！!]?$)"
    r"|^\W*(?:请|麻烦|拜托|再|先)*(?:写|讲|说|唱|画|编|出|列|算|查|做|来|念|造|猜|生成|总结|翻译|解释|润色|改写|推荐|介绍|比较|计算|设计)"
    r"(?:一?[个首段篇份则句下道张些副]|出|[\d“\"「]|几|这|以下|下面)"
    r"|^\W*(?:请|麻烦)?(?:写|翻译|总结|解释|润色|改写|校对|计算|算)(?:一下|下)?[:：]"
    r"|^\W*把(?!.*了).{1,60}(?:翻译|译|改|写|变|转|换|换算|排|整理|总结)成?.{0,20}$"
)


_MATERIAL = later(
    r"(?:\b(?:translat\w+|proofread|rewrit\w+|rephras\w+|reword|paraphras\w+|summari[sz]\w+|polish"
    r"|correct|shorten|edit|grammar|spell\w*|how do (?:you|i) say)\b"
    r"|翻译|译[成为]|润色|改写|改成|校对|总结|缩写|扩写|概括|通顺|语法|病句|怎么说)"
    r"[^\n]{0,60}(?:[:：\n]|[\"“‘'「『].{2,}[\"”’'」』])"
    r"|(?:[“「『].+[”」』]|[\"‘'].{2,}[\"’'])[^\n]{0,24}"
    r"(?:\b(?:in|into|to) [A-Z]|翻译|译成|用.{1,6}怎么说|怎么说|通顺|润色|改写)",
    re.IGNORECASE,
)


def has_material(question: str) -> bool:
    """Whether a message hands over a text to work on: what stands in it is not asked about."""
    return bool(_MATERIAL.search(question[:READ]))


@lately(64)
def is_anew(question: str) -> bool:
    """Whether a message asks for something new or of the world, and not of what was or is his."""
    head = question[:READ]
    served = _FOR_ME.sub(" ", head)
    return not _MINE.search(served) and not _BEFORE.search(head)


def tells(unit: Memory | Event) -> bool:
    """Whether a unit tells something, for a question that asks anew: what is remembered does, and
    what somebody said who did not only ask; an agent's words are what it said to that."""
    if isinstance(unit, Memory):
        return not _QUESTION.search(unit.text)
    return unit.origin != "agent" and not (unit.origin == "owner" and only_asks(unit.text[:READ]))


@lately(READ_LATELY)
def only_asks(text: str) -> bool:
    """Whether every sentence of a message is a question or a command."""
    spans = [text[start:end] for start, end in sentences(text)]
    return bool(spans) and all(_asks(sentence) for sentence in spans)


def _asks(sentence: str) -> bool:
    if _QUESTION.search(sentence) or _COMMAND_ZH.search(sentence):
        return True
    command = _COMMAND.match(sentence)
    if command is None:
        return False
    verb = command["verb"].casefold()
    told = verb.endswith(("ed", "ing")) or verb in _NOT_COMMANDS
    return not told and (verb == "tell" or verb not in ENGLISH)
