"""What a question points at without naming it: "that thing from last time", 上次说的那件事.

Decided by structure. Every word of a question either belongs to a closed class (function words,
pointing words, verbs of talk, words of remembering, of how something went, nouns that name no thing
but its sort) or it is content. A question that points and has no content left is vague as a whole;
one whose only content is the noun it points at (那个脚本, "the ferry you mentioned") is vague but
for that sort of thing; any other is answered by its content, and the pointing settles ties only.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from slowwave.recall.sorts import SORT_WORDS, sort_of
from slowwave.text.later import later
from slowwave.text.segment import fold
from slowwave.text.stopwords import ENGLISH, HAN_CHARS, HAN_WORDS

Talk = Literal["", "now", "last", "lately", "before"]
"""Which talk: the running one, the one before it, of the last days, of a longer while ago."""

Grade = Literal["whole", "sort", "tie"]
"""How vague: nothing is named; only a sort of thing is; something is named."""

WHAT_CHARS = 4
"""Characters of a Chinese noun that is only a sort of thing; longer ones are names."""


LONGEST = 400
"""Characters of a question that may be vague: a longer one says what it is about."""


@dataclass(frozen=True, slots=True)
class Pointing:
    """What a question points at. `what` is the noun, `sort` its class where it is a known one.

    `who` is the one who said it. `sure`: the words ask for a memory, and not only use a pronoun;
    `stopped`: they ask for the talk itself, where it stopped or what it was about. `bare`: a
    pronoun stands in it for what was named before. `plain` is the question without the words that
    point, for one that names something besides.
    """

    grade: Grade
    talk: Talk = ""
    who: Literal["", "agent", "owner"] = ""
    what: str = ""
    sort: str = ""
    sure: bool = False
    stopped: bool = False
    bare: bool = False
    plain: str = ""


# ── Chinese ─────────────────────────────────────────────────────────────────────────────────────

_CLASSIFIERS = (
    "个件些本部篇家位条次回种份台张首款项套封段座道句名只辆门场则幅支把间块堂届期班趟单样类档集"
    "章页棵瓶双副番桩笔批组群对匹颗根所处栋艘架枚盘盆杯碗包箱盒锅顿幢伙"
)
_ZH_GROUPS: tuple[tuple[str, str], ...] = (
    ("last", r"上一?[次回](?:聊天|谈话|对话|会话)?|上一?个?(?:会话|对话)|前一[次回]"
             r"|那[天次回]|那一[次回天]"),
    ("now", r"刚刚|刚才|方才|刚|前面|上面"),
    ("before", r"前一?阵子?|前一?段时间|前段日子|前些日子|前些时候?|很久以?前|好久以?前|早前|先前"
               r"|从前|以前|之前|当时|那时候?|那会儿?|那阵子?|曾经|原来"),
    ("lately", r"前[几两]天|前些天|这[几两]天|这阵子|最近|近来|近期|不久前"),
    ("far", rf"那(?:一|[几两三])?(?:[{_CLASSIFIERS}]儿?)?"),
    ("pronoun", r"它们?|[他她]们?"),
    ("near", rf"这(?:一|[几两三])?(?:[{_CLASSIFIERS}]儿?)?"),
    ("remember", r"(?:还|都)?记不记得|(?:还)?记得|记不(?:得|起来?|清楚?|住)|想不?起来?了?|忘记?了?"
                 r"|有没有?印象|有印象|印象|回忆|回想"),
    ("stopped", r"(?:到|在)(?:了)?(?:哪儿?里?|什么地方|什么程度)|哪儿?(?:了|一步)|往下|接着|继续"),
    ("talk", r"讨论|商量|告诉|交代|描述|介绍|推荐|建议|回答|答应|嘱咐|念叨|分享|聊天"
             r"|[说讲聊谈提]"),
    ("went", r"后来|后续|下文|结果|结局|最后|最终|进展|进度|情况|状态|来着"),
    ("asks", r"怎么样|怎么回事|怎么办|怎么了|怎样|如何|什么|甚么|叫啥|啥|哪[里儿个些位]?|谁"
             r"|[吗么呢]"),
    ("light", r"事情|事儿|事|东西|玩意儿?|话题|话|内容|主题|细节|结论|来龙去脉"),
    ("stage", r"弄好|搞好|搞定|弄|搞|做|办|处理|解决|完成|完|结束|成功|发生|进行|名字|名称|叫做?"
              r"|有没有?|是不是|没有?|一下|一[遍次]|再|来|去|起|出|好|用|看|过|帮"),
)  # fmt: skip
_FUNCTION = sorted(HAN_WORDS - {"的话"}, key=len, reverse=True)
_HAN_RUN = later(r"[㐀-鿿]+")
_ZH = later(
    "|".join(
        (
            *(f"(?P<{name}>{pattern})" for name, pattern in _ZH_GROUPS[:7]),
            f"(?P<sort>{'|'.join(sorted(SORT_WORDS.han, key=len, reverse=True))})",
            *(f"(?P<{name}>{pattern})" for name, pattern in _ZH_GROUPS[7:]),
            f"(?P<function>{'|'.join(_FUNCTION)}|[{''.join(sorted(HAN_CHARS))}])",
        )
    )
)
_ZH_TOLD = later(
    r"(?:讨论|商量|告诉|交代|描述|介绍|推荐|建议|回答|答应|嘱咐|念叨|分享|[说讲聊谈提])"
    r"(?:过|到|起|了|的|来着|什么|啥)|在(?:讨论|商量|说|讲|聊|谈)"
)
_ADVISED = later(r"推荐|建议|\b(?:recommend|suggest|advis)(?:e|ed|ing)?\b")
_TO_WHOM = r"(?:跟|和|给|向|对|同|与|告诉)(?:你们?|您|我们?|他们?|她们?|大家)"
_SAID = r"(?:讨论|告诉|交代|描述|介绍|推荐|建议|回答|答应|嘱咐|念叨|分享|写|发|[说讲聊谈提])"
_ZH_BY_ME = later(rf"我(?!们)[^，,。？?你您]{{0,8}}?{_SAID}")
_ZH_BY_YOU = later(rf"[你您](?!们)[^，,。？?我]{{0,8}}?{_SAID}")

# ── English ─────────────────────────────────────────────────────────────────────────────────────

_TALK_PAST = (
    r"(?:said|told|mentioned|talked|discussed|spoke|spoken|chatted|recommended|suggested|described"
    r"|promised|shared|brought up|went over|saying|talking|discussing|speaking|chatting|telling"
    r"|referring|explained|explaining)"
)
_TALK_BASE = (
    r"(?:say|tell|mention|talk|discuss|speak|chat|recommend|suggest|describe|share|bring up|go over"
    r"|explain)"
)
_EN_GROUPS: tuple[tuple[str, str], ...] = (
    ("now", r"just now|(?<=we )just(?= \w+ing\b)|(?<=you )just(?= \w+ing\b)"
            r"|a (?:moment|minute|second|sec|few minutes) ago|earlier today|above"),
    ("last", r"(?:the )?last (?:time|session|chat|conversation|talk|discussion)"
             r"|(?:(?:our|the) )?previous(?:ly)?"
             r"(?: (?:session|chat|conversation|talk|discussion))?"),
    ("lately", r"the other (?:day|night|week|evening)"
               r"|a (?:couple of|few) (?:days|nights) (?:ago|back)|recently|lately|these days"),
    ("before", r"a (?:while|few weeks|couple of weeks|few months) (?:ago|back)|some time ago"
               r"|earlier|before|back then|once|at the time"),
    ("stopped", r"(?:leave|left|break|broke) (?:it |things )?off|stop(?:ped)?"
                r"|were we(?: at)?(?=\W*$)|(?:get|got|gotten) to(?=\W*$)"
                r"|pick (?:it |things )?(?:back )?up|carry on|continue|resume"),
    ("talk", rf"{_TALK_PAST}|{_TALK_BASE}"),
    ("remember", r"remember|recall|remind|forg[eo]t(?:ten)?"),
    ("went", r"(?:what(?:'s|s| has| had)? )?(?:happened|become|became)|turn(?:ed)? out"
             r"|end(?:ed)? up|work(?:ed)? out|come of|came of|go(?:ne|es|ing)?|went|again|status"
             r"|news|latest|updates?|outcome|progress"),
    ("light", r"things?|stuff|matter|topics?|subject|conversations?|discussions?|chats?|talks?"
              r"|points?|bits?|ones?|details?"),
    ("stage", r"called|names?|named|finish(?:ed)?|done|resolved?|fix(?:ed)?|solved?|sorted|working"
              r"|work|doing|ever|exactly|back|anyway|please|okay|ok|hey|hi|so|think|thinking|mean|meant|use"
              r"|used|make|made|gave|give|got|get|showed|show|shown|wrote|sent|asked|ask|find"
              r"|found|let's|right|wrong|broken|broke"),
)  # fmt: skip
_LATIN = re.compile("[a-z]")
_WORD = r"[a-z][a-z'\-]*"
_EN = later(
    "|".join(
        (
            *(rf"(?P<{name}>\b(?:{pattern})\b)" for name, pattern in _EN_GROUPS[:5]),
            rf"(?P<sort>\b(?:{'|'.join(sorted(SORT_WORDS.latin, key=len, reverse=True))})\b)",
            *(rf"(?P<{name}>\b(?:{pattern})\b)" for name, pattern in _EN_GROUPS[5:]),
            rf"(?P<word>{_WORD}|\d+)",
        )
    )
)
_NO_NOUN = (
    "i|you|we|he|she|they|the|a|an|is|was|are|were|has|had|have|my|your|our|did|do|does|to|in|on|it"
    "|again|then|now|and|or|for|with|about|at|of|so|not|all|what|when|where|how|why|one's|mean|means"
)
_HINT = later(
    r"\b(?:th(?:at|is|[eo]se|e[ymn]|eirs?|e (?:last|other|time))|(?:it|h(?:e|im|is|ers?)|she)\b"
    r"|just|abov|ago|moment|minute|sec|few|earl|today|last|prev|other|recent|late|couple|while|some"
    r"|before|back|once|le(?:ave|ft)|br[eo]a?k|stop|we(?:re|nt)|g[eo]t|got|pick|carry|contin|resum"
    r"|s[ap][io]|say|speak|spok|t[aeo]l[dkl]|ment|disc|chat|recom|sugg|desc|prom|shar|br(?:ou|in)"
    r"|g(?:o|on|oin)|refer|expl|rem|recall|forg|happ|bec|turn|end|work|c[ao]me|again|stat|new|upd|outc|prog)"
)
"""How all words begin that point, that tell of talk, of time, of what became of something: without
any of them a question in Latin letters names what it asks for."""
_NEAR = later(rf"\b(?:this|these)(?= +(?!(?:{_NO_NOUN})\b)[a-z])")
_FAR = later(
    rf"\b(?:(?:that|those)(?= +(?!(?:{_NO_NOUN})\b)[a-z])"
    rf"|the(?= +(?:{_WORD} +){{1,2}}(?:that +|which +|who +)?(?:you|we|i|he|she|they)(?:'d|'ve)?"
    rf" +(?:just +|had +|have +|were +|was +)?{_TALK_PAST}\b)"
    rf"|(?<=remember )the(?= +[a-z]))"
)
_PRONOUN = later(r"\b(?:that|this|it|he|him|his|she|her|they|them|their|those|these)\b")
_EN_ASKS = later(
    r"^\W*(?:did|do|does|is|are|was|were|has|have|had|can|could|will|would|any)\b"
    r"|\b(?:what|which|where|who|whom|how|when|why)(?:'s|s)?\b|\?\s*$"
)
_EN_TOLD = later(
    rf"\b{_TALK_PAST}\b|\b(?:did|have|had|'d|'ve) +(?:i|you|we) +(?:\w+ +)?{_TALK_BASE}\b"
)
_EN_BY_ME = later(
    rf"\bi(?:'d|'ve)?(?: +(?:just|had|have|once|last))* +{_TALK_PAST}\b|\bdid i +{_TALK_BASE}\b"
)
_EN_BY_YOU = later(
    rf"\byou(?:'d|'ve)?(?: +(?:just|had|have|once|last))* +{_TALK_PAST}\b"
    rf"|\bdid you +(?:\w+ +)?{_TALK_BASE}\b"
)


@dataclass(slots=True)
class _Read:
    """A question cut into its classes, and the content that is left."""

    seen: set[str]
    sort: str = ""
    noun: str = ""
    what: str = ""
    content: int = 0
    verbs: int = 0
    sorted: bool = False
    frame: list[tuple[int, int]] = field(default_factory=list)


def pointing(text: str) -> Pointing | None:
    """What a question (its time expressions blanked out) points at; None when it does not."""
    if len(text) > LONGEST:
        return None
    folded = fold(text)
    if folded.isascii() and not _HINT.search(folded):
        return None
    read = _Read(set())
    _read_chinese(folded, read)
    _read_english(folded, read)
    if _ZH_TOLD.search(folded) or _EN_TOLD.search(folded):
        read.seen.add("told")
    if not read.sort and _ADVISED.search(folded):
        read.sort = "advice"
    sure = _is_sure(read)
    if not sure and not read.seen & {"far", "near", "pronoun", "went"}:
        return None
    grade = _grade(read)
    if grade == "whole" and not read.seen & _ASKING:
        return None  # "as I said", 我说过了: it tells, and asks nothing
    return Pointing(
        grade=grade,
        talk=_talk(read.seen),
        who=_who(folded),
        what=read.what or read.noun,
        sort=read.sort,
        sure=sure,
        stopped=grade == "whole" and _is_where_it_stopped(read, folded),
        bare="pronoun" in read.seen,
        plain=_plain(folded, read),
    )


_FRAME = frozenset({
    "last", "now", "lately", "before", "far", "near", "remember", "went", "asks", "stopped",
})  # fmt: skip
"""What points and asks, in a question that names something besides."""


def _plain(folded: str, read: _Read) -> str:
    text = folded
    for start, end in read.frame:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _is_where_it_stopped(read: _Read, folded: str) -> bool:
    """Whether the talk itself is asked for: where it stopped, what it was about."""
    seen = read.seen
    if "stopped" in seen:
        return bool(seen & {"told", "last", "now", "asks"})
    told = {"told", "asks"} <= seen and not _who(folded)
    return told and not seen & {"far", "near", "pronoun", "light"}


_ASKING = frozenset({"asks", "far", "near", "went", "last", "stopped", "light", "remember"})


def _grade(read: _Read) -> Grade:
    """A verb of one character says what became of the noun (修好了吗); alone it is content."""
    noun = bool(read.what or read.sort or "pronoun" in read.seen)
    if read.content > bool(read.what) or (read.what and read.noun) or (read.verbs and not noun):
        return "tie"
    return "sort" if read.what or read.sort else "whole"


def _is_sure(read: _Read) -> bool:
    """Whether the words ask for a memory: a pointing word beside one of talk, of time, a noun."""
    seen = read.seen
    points = bool(seen & {"far", "near"})
    noun = bool(read.what or read.sort or "light" in seen)
    if "last" in seen or ("told" in seen and (points or noun or "asks" in seen)):
        return True
    if seen & {"now", "before", "lately"} and (points or noun or seen & {"stopped", "talk"}):
        return True
    if (
        "stopped" in seen
        and not (read.content or read.verbs)
        and seen & {"asks", "now", "before", "talk"}
    ):
        return True
    if "far" in seen and (noun or seen & {"remember", "went"}):
        return True
    return (points or "pronoun" in seen) and bool(seen & {"remember"})


def _talk(seen: set[str]) -> Talk:
    order: tuple[Talk, ...] = ("now", "last", "lately", "before")
    return next((talk for talk in order if talk in seen), "")


def _who(folded: str) -> Literal["", "agent", "owner"]:
    plain = re.sub(_TO_WHOM, "", folded)
    by_me = bool(_ZH_BY_ME.search(plain) or _EN_BY_ME.search(folded))
    by_you = bool(_ZH_BY_YOU.search(plain) or _EN_BY_YOU.search(folded))
    if by_me == by_you:
        return ""
    return "owner" if by_me else "agent"


def _read_chinese(folded: str, read: _Read) -> None:
    for run in _HAN_RUN.finditer(folded):
        at, before = 0, ""
        text = run.group()
        for match in _ZH.finditer(text):
            _add_content(read, text[at : match.start()], before, WHAT_CHARS)
            if match.start() > at:
                before = ""
            name = match.lastgroup or ""
            _add_known(read, name, match.group(), before)
            if name in _FRAME:
                read.frame.append((run.start() + match.start(), run.start() + match.end()))
            before = name if name != "function" or match.group() != "的" else "of"
            at = match.end()
        _add_content(read, text[at:], before, WHAT_CHARS)


def _read_english(folded: str, read: _Read) -> None:
    if not _LATIN.search(folded):
        return
    starts = set()
    for name, pattern in (("far", _FAR), ("near", _NEAR)):
        found = {match.end() for match in pattern.finditer(folded)}
        starts |= found
        read.seen.update({name} if found else ())
    if _PRONOUN.search(folded):
        read.seen.add("pronoun")
    if _EN_ASKS.search(folded):
        read.seen.add("asks")
    for name, word, start in _english(folded):
        pointed = any(0 <= start - end <= 1 for end in starts)
        if name != "word":
            _add_known(read, name, word, "far" if pointed else "")
            if name in _FRAME:
                read.frame.append((start, start + len(word)))
        elif word not in ENGLISH:
            _add_content(read, word, "far" if pointed else "", len(word))


def _english(folded: str) -> Iterator[tuple[str, str, int]]:
    for match in _EN.finditer(folded):
        yield match.lastgroup or "word", match.group(), match.start()


def _add_known(read: _Read, name: str, word: str, before: str) -> None:
    read.seen.add(name)
    pointed = before in {"far", "near", "of"}
    if name == "sort" and (pointed or not read.sorted):
        read.sort, read.noun = sort_of(word), word
        read.sorted = pointed


def _add_content(read: _Read, piece: str, before: str, longest: int) -> None:
    pointed = before in {"far", "near", "of"} and not read.what and len(piece) <= longest
    if piece and pointed:
        read.what = piece
    if len(piece) == 1 and not piece.isascii() and not pointed:
        read.verbs += 1
    else:
        read.content += bool(piece)
