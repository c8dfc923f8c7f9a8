"""What a question is about, as far as it decides what may stand in a block: whom, when, what is
to do. Closed classes of words only (pronouns, kin, tenses), in Chinese and English."""  # fmt: skip

import re

from slowwave.model import USER
from slowwave.text.later import later
from slowwave.text.segment import cjk_share, query_phrases, terms
from slowwave.text.stopwords import ENGLISH

__all__ = ["about", "for_past", "for_work"]

NOT_SOMEBODY = frozenset({USER, "agent", "assistant", "world", ""})
"""Subjects that name nobody: the user, whoever works for him, and what is about no person."""

_ME = r"[我俺咱]|\b(?:i|me|my|mine|myself)\b"
_MY = r"[我俺咱](?:们)?(?:的|家的?)([\u4e00-\u9fff]{1,4})|\b(?:my|our) ([a-z]+(?: [a-z]+)?)"
"""What the user calls his: it may be a subject of its own, a cat, a plumber, a car."""
_SOMEBODY_ELSE = (
    r"[他她]|别人|大家|谁|朋友|同事|同学|老板|上司|老师|邻居|房东|客户|亲戚|家人|家里人|室友|对象|男友|女友"
    r"|爸|妈|父|母|爷|奶奶|外公|外婆|姥|儿子|女儿|孩子|哥|弟|姐|妹|叔|姨|舅|姑|嫂|侄|老公|老婆|丈夫|妻子|爱人"
    r"|\b(?:he|him|his|she|her|hers|they|them|their|theirs|who|whose|whom|someone|somebody|anyone"
    r"|everyone|people|friends?|colleagues?|cowork\w+|boss|managers?|teachers?|neighbou?rs?"
    r"|landlord|landlady|clients?|roommates?|flatmates?|partner|family|parents?|mother|mom|mum"
    r"|father|dad|grand\w+|sons?|daughters?|kids?|child(?:ren)?|brothers?|sisters?|siblings?"
    r"|uncle|aunt|cousins?|nephew|niece|husband|wife|spouse|(?:boy|girl)friend|fianc\w+"
    r"|(?:mother|father|brother|sister)s?-in-law)\b"
)
_PAST = (
    r"以前|之前|从前|过去|原来|原先|原本|当初|当时|曾经?|旧的?|改(?:之)?前|换(?:之)?前|变过|改过|换过|历史"
    r"|\b(?:before|previous(?:ly)?|former(?:ly)?|earlier|originally|once|used to|past|history|old"
    r"|in the (?:past|beginning)|back then|at (?:first|that time)|chang(?:e|ed)|no longer"
    r"|anymore)\b"
)
_DOING = (
    r"\b(?:did|do|have|was|were|am|are) (?:i|we)\b[^?.]{0,16}"
    r"\b(?:do|doing|done|up to|busy|get|got)\b"
    r"|\bhappen\w*|[做干忙搞弄][了过什啥些嘛]|发生"
)
_WORK = (
    r"待办|未完成|没(?:有)?(?:做|办|完成|弄)完?的(?:事|活|任务|工作)?|(?:还有|有)(?:什么|哪些|啥).{0,4}(?:要|没|得|需要)"
    r"|(?:接下来|下一步|现在|今天).{0,4}(?:该|要|得)(?:做|干|办|忙)"
    r"|手头|进行中的?(?:事|项目|工作|任务)|\bto-?dos?\b"
    r"|\b(?:open|pending|unfinished|outstanding) "
    r"(?:items?|tasks?|work|things?|projects?|threads?)\b"
    r"|\bwhat(?:'s| is| are| do| did| have| should| must)?\b[^?.]{0,24}"
    r"\b(?:left to do|still (?:open|to do|pending)|on my (?:list|plate|desk)|to do next|do next"
    r"|work(?:ing)? on (?:next|now|today)|get done|need to (?:do|finish))\b"
)


def about(question: str, subject: str, text: str = "") -> bool:
    """Whether what is known about `subject`, as `text`, may answer.

    The user himself always, somebody else when he is named or the question leaves open who is
    meant; not where the user asks about himself. What he did and what happened had others in it.
    """
    if subject in NOT_SOMEBODY or _names(question, subject) or _says(_DOING, question):
        return True
    return not _says(_ME, question) or _says(_SOMEBODY_ELSE, question) or _is_his(question, text)


def for_past(question: str) -> bool:
    """Whether a question asks how things were: then what was replaced is an answer too."""
    return _says(_PAST, question)


def for_work(question: str) -> bool:
    """Whether a question asks what there is to do, and not of any one thing."""
    return _says(_WORK, question)


def _is_his(question: str, text: str) -> bool:
    """Whether a text is about what the question calls the user's; in another language it may be."""
    found = re.findall(_MY, question, re.IGNORECASE)
    his = [phrase for pair in found for noun in pair for phrase in query_phrases(noun)]
    foreign = abs(cjk_share(question) - cjk_share(text)) > FOREIGN
    known = frozenset(terms(text)) if his else frozenset()
    return any(foreign or known.issuperset(phrase) for phrase in his)


FOREIGN = 0.5
"""Difference of the shares of Chinese from which texts have no words in common to expect."""


def _says(pattern: str, question: str) -> bool:
    """Compiled when first asked for: a start does not wait for it."""
    return re.search(pattern, question, re.IGNORECASE) is not None


def _names(question: str, subject: str) -> bool:
    """Whether a question names somebody: by a word of his name, or in Chinese by his whole name or
    his given name. A syllable in common names nobody, nor does a word that is no name where the
    one who asks writes names with capitals."""  # fmt: skip
    words = _WORD.findall(question)
    inner = [word for word in words[1:] if len(word) > 1 and word[:1].isupper()]
    capitals = bool(inner) and question != question.upper()
    known = set(words) if capitals else {word.casefold() for word in words}
    for part in _WORD.findall(subject):
        if _HAN_RUN.fullmatch(part):
            if part in question or (len(part) > LONGEST_SURNAME and part[-GIVEN:] in question):
                return True
        elif part.casefold() not in ENGLISH and (part if capitals else part.casefold()) in known:
            return True
    return False


LONGEST_SURNAME = 2
GIVEN = 2
"""Characters of a Chinese given name that stands alone."""
_HAN_RUN = later(r"[\u3400-\u9fff]+")
_WORD = later(r"[\u3400-\u9fff]+|[^\W\d_\u3400-\u9fff]{2,}")
"""A run of Chinese characters, or a word of letters."""
