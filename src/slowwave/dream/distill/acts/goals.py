"""What the owner is at, told inside a request: "I'm trying to ship X by May, can you help me …?"

To an assistant most people tell their goals as the reason of a request. The request passes, the
goal stays: which project runs, by when it is due, how far it has come. A clause in which the owner
says what he is trying, working on, wants or has done is kept when somebody could look it up again:
it holds a name, a number or a date, or its verb names an undertaking of weeks ("learn", "write").
What points at something at hand ("this jar", "the error below") is the material of one job.
"""

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from slowwave.dream.distill.clauses.reading import Act, Reading, same_sentence

__all__ = ["mark_goals"]

_OPEN: Final[frozenset[Act]] = frozenset({"depend", "opinion", "smalltalk", "question", "request"})
"""Acts that may hide a goal. Fiction, hypotheses, quotations and secrets stay what they are."""

_EN_LEAD: Final = (
    r"^(?:(?:so|and|but|also|hi|hey|hello|well|ok(?:ay)?|since|as|because|now|currently|lately"
    r"|recently|right now|btw|by the way|anyway),? )*"
)
_ADV: Final = (
    r"(?:(?:currently|also|just|really|now|still|already|actually|recently|finally|mainly|mostly"
    r"|personally|both|only|kind of|kinda|sorta|sort of|a bit|a little|very|so|pretty|about) )*"
)
_EN_GOAL = re.compile(
    _EN_LEAD
    + r"(?:"
    + r"(?:i|we)(?:['’]?m|['’]re| am| are|['’]ve been| have been|['’]d been| was| were) "
    + _ADV
    + r"(?!asking|wondering|wanting to know|getting|seeing|having|facing|kidding|talking"
    r"|sitting|looking at|going through|curious|running into|encountering|being"
    r"|thinking (?!of|about))"
    r"(?:\w{2,}ing\b|(?:worried|nervous|concerned|stuck|unsure) (?:that|about|on|i|my)\b"
    r"|new to\b|responsible for\b|in charge of\b|set to\b|due to\b)"
    r"|(?:i|we)(?:['’]d| would|['’]ll| will)? "
    + _ADV
    + r"(?:want|need|plan|hope|aim|intend|like|have|wish|mean|decided|promised|agreed)(?:ed)? to\b"
    r"|my (?:\w+ ){0,2}(?:goal|aim|plan|target|deadline|project|task|budget|objective)s?"
    r"(?: for [\w ]{2,30})? (?:is|are)\b"
    r")"
)
_EN_STATE = re.compile(
    _EN_LEAD
    + r"(?:(?:i|we)(?:['’]ve| have)? "
    + _ADV
    + r"(?:\w{3,}ed|got|have|made|wrote|built|set|began|chose|bought|took|found|met|won|lost"
    r"|sent|read|spent|put|went|ran|did|learnt|led|taught|began|written|chosen|taken|done)\b"
    r"|my [\w ,'’-]{2,60}? (?:is|are|was|were|has|have|had|starts?|ends?|went|improved|dropped"
    r"|rose|increased|decreased|grew|needs?|uses?|takes?|\w{3,}ed)\b)"
)
_EN_ASIDE = re.compile(
    r"^(?:\W*\w+){0,6}? ?(?:to|i|we) (?:\w+ly |just |also |really )?"
    r"(?:know|ask|see|hear|check|tell|thank|say|confirm|clarify|make sure|be sure|ensure"
    r"|double[- ]check|figure out (?:if|whether|why|what|which)|convert|translate"
    r"|watch|remember|solve|open|book|order|reserve|print|look up|google"
    r"|proofread|rephrase|reword)\b"
)
_EN_JOB = re.compile(
    r"(?:\bto|ing) (?:\w+ (?:with |on |up |out |in |of |through )?)?"
    r"(?:this|that|these|those|it|them"
    r"|the (?:following|above|attached|error|file|code|snippet|text|sentence|paragraph))\b"
    r"|\b(?:error|exception|bug|stack ?trace|traceback)\b"
)
_EN_NOW = re.compile(
    r"\b(?:tonight|today|right now|for now|this (?:morning|evening|afternoon))\b"
    r"|\b(?:writ|send|answer|draft)\w* (?:an?|the|my|some) (?:\w+ )?"
    r"(?:e-?mails?|messages?|repl(?:y|ies)|tweets?|texts?|captions?|toasts?)\b"
)
"""Done within the hour, whatever names are in it."""

_EN_DEED = re.compile(
    r"\b(?:learn|finish|improv|build|writ|prepar|develop|launch|becom|organi[sz]|train|study"
    r"|publish|reach|appl(?:y|ied)|sav(?:e|ing)|quit|renovat|research|start(?:ing)? (?:a|my|an|our)"
    r"|set(?:ting)? up (?:a|an|my|our)|creat|design|implement|grow|plan|work|migrat|manag|rais"
    r"|restor|record|understand|master|compos|teach|found|mov|complet|practi[sc]|lose"
    r"|cut(?:ting)? down|reduc)\w*"
)
_EN_ASK = re.compile(
    r"(?:,|;| [-–—]+| and| so| but)* (?:(?:can|could|would|will) (?:you|i|we)\b"
    r"|(?:do|did) you (?:have|know|think)|here(?:['’]s| is| are) |(?:is|are) there"
    r"|any (?:ideas?|tips?|advice|thoughts"
    r"|suggestions?|recommendations?)|please\b|help me\b"
    r"|(?:i )?(?:would|['’]d) (?:really )?(?:like|love|appreciate) (?:some|your|any|a bit of)"
    r"|(?:i )?(?:could use|need|want) (?:some |your |a bit of )?(?:help|advice|guidance|tips)"
    r"|i (?:also )?(?:want|need|['’]d like|would like) to (?:know|ask|see|hear)\b"
    r"|(?:i )?(?:was|am|['’]m) (?:just )?wondering|wondering (?:if|how|what|whether)"
    r"|(?:what|how|which|where|should|is it|will this|does this)(?:['’]s)? (?:should|do|does|can"
    r"|could|would|is|are|i|we|it|the|be|help|possible|ok)\b)"
)
_AT_LOSS = re.compile(
    r"\bnot sure (?:how|what|where|which|if|whether|when)\b|\bno idea (?:how|what|where)\b"
    r"|\b(?:having trouble|struggling|stuck)\b|不知道(?:怎|该|从)|没(?:什么)?(?:头绪|思路)|卡住"
)
"""Asks for help without a question."""

_EN_HYPO = re.compile(
    r"^(?:\w+ )?(?:if|suppose|imagine|say|what if)\b|\b(?:maybe|perhaps|might|if only|wish i)\b"
    r"|\b(?:i|we)(?:['’]d| would| could| may)\b(?! like to| love to)"
)
_ZH_GOAL = re.compile(
    r"^(?:那个?|对了|嗯|你好|您好|因为|目前|现在|最近|这(?:段时间|阵子|几天|个?[周月])|今年|明年"
    r"|我们?|咱们?|公司|团队|(?:下|这)?个?(?:星期|周|月|学期|季度)|[\d一二三四五六七八九十]+月(?:底|初|份)?"
    r"|之?前|也|都|就|还|又|刚|一直|已经|正|其实|本来|打算)*"
    r"(?:在(?!想|看|问|吗|说|这|那)[\u4e00-\u9fff]|(?:想|要|打算|准备|计划|希望|需要|得|争取|决定|负责)"
    r"(?!问|知道|请|看看|了解一下|听|要?一份|你|确认|说|不)[\u4e00-\u9fffA-Za-z\d]"
    r"|的?(?:目标|计划|任务|预算|项目|截止日期?)(?:是|为))"
)
_ZH_ERRAND = re.compile(r"[想要需]要?(?:订|买|查|翻译?|换算|算|找|打印|预约|叫|点|改)")
_ZH_JOB = re.compile(
    r"[这那](?:个|段|句|篇|份|张|封|行|些|条|题|道|词|报错|代码)|下面|以下|上面|报错|今晚|今天|明天|现在就"
    r"|一下$|刚才|马上"
)
_ZH_DEED = re.compile(
    r"学|备考|考[研证级过]|写|做一?[个款套本门]|开发|搭建|筹备|筹[办划]|装修|创业|减[肥重脂]|攒|存钱|开一?[家个]店"
    r"|转行|找工作|申请|训练|练|研究|设计|翻新|论文|项目|创作|搬|戒|提升|提高|完成|上线|出版|办"
)
_ZH_ASK = re.compile(
    r"^(?:请|麻烦)?(?:你|您)?(?:能不能|能否|可不可以|可以|能)?帮(?:我|忙|个忙)|怎么|如何|有(?:什么|没有|啥)"
    r"|能不能|可不可以|该(?:怎|如|从|先|不该)|建议|给我|[吗呢]$|请"
)
_NAME = re.compile(
    r"(?<=[\w,;:'’)] )(?!I\b|I['’])[A-Z][\w+#.-]*|[《“\"「][^》”\"」]{2,}[》”\"」]|\d"
)
_ZH_VALUE = re.compile(
    r"\d|[A-Za-z]{2,}|《|「|“|[零一二三四五六七八九十百千万两]+"
    r"[个月号日天周年万千元块斤公名人篇章页本张套级分点小]"
    r"|(?:今|明|后)年|下(?:个?月|周|学期|半年)|[月年周]底|[上下]旬|春节|中秋|国庆"
)
_WORDS = re.compile(r"\w+")


def mark_goals(message: Sequence[Reading]) -> None:
    """Makes facts of the goals and states that stand beside a request; in place.

    Sets `goal` to the importance each deserves: 60 with a name, a number or a date, else 50. A
    clause that ends in the request itself is cut before it, so that the text stays verbatim.
    """
    if not any(_asks(reading) for reading in message):
        return
    for index, reading in enumerate(message):
        if not reading.own or reading.any("code", "inject", "forget"):
            continue
        if reading.act in _OPEN or _only_tail_is_open(message, index):
            _mark_zh(reading) if reading.zh else _mark_en(reading)


def _only_tail_is_open(message: Sequence[Reading], index: int) -> bool:
    """Whether only the request at a clause's end is hypothetical ("…, maybe you could …")."""
    if message[index].act != "hypothetical":
        return False
    return not (same_sentence(message, index) and message[index - 1].act == "hypothetical")


def _asks(reading: Reading) -> bool:
    if reading.act in ("question", "request") or reading.clause.closer == "?":
        return True
    if _AT_LOSS.search(reading.folded):
        return True
    return (_ZH_ASK if reading.zh else _EN_ASK).search(f" {reading.folded}") is not None


def _mark_en(reading: Reading) -> None:
    asked = _EN_ASK.search(reading.folded)
    end = asked.start() if asked else len(reading.folded)
    said, folded = reading.clause.text[:end].rstrip(" ,;-–—"), reading.folded[:end]
    goal = _EN_GOAL.match(folded)
    if goal is None and _EN_STATE.match(folded) is None:
        return
    valued = _NAME.search(said) is not None
    if reading.act == "hypothetical" and (_EN_HYPO.search(folded) or not valued):
        return
    if len(_WORDS.findall(folded)) < _LEAST_WORDS or _EN_ASIDE.match(folded):
        return
    if _EN_NOW.search(folded):
        return
    if _EN_JOB.search(folded) and not (valued and reading.any("day", "project")):
        return
    if valued or (goal is not None and _EN_DEED.search(folded)):
        _keep(reading, said, valued=valued)


_LEAST_WORDS: Final = 5
"""Words of the shortest goal that is understood without its request."""


def _mark_zh(reading: Reading) -> None:
    folded = reading.folded
    if _ZH_GOAL.match(folded) is None or _ZH_JOB.search(folded) or _ZH_ASK.search(folded):
        return
    valued = _ZH_VALUE.search(reading.clause.text) is not None
    deed = _ZH_DEED.search(folded) is not None
    if reading.act == "hypothetical" or (_ZH_ERRAND.search(folded) and not deed):
        return
    if valued or deed:
        _keep(reading, reading.clause.text, valued=valued)


def _keep(reading: Reading, said: str, *, valued: bool) -> None:
    clause = reading.clause
    reading.clause = msgspec.structs.replace(
        clause, end=clause.start + len(said), text=said, folded=clause.folded[: len(said)]
    )
    reading.known.clear()
    reading.front = None
    reading.act = "fact"
    reading.goal = 60 if valued else 50
