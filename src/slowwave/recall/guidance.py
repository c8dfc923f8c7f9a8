"""Wishes how things are to be done, for questions that ask for something to be done.

"How do I set up the tests?" is a task, and whoever takes it on should know "when I ask for code,
always add types" and "I prefer small libraries". Such a wish shares hardly a word with the task it
is for, and comes no nearer to it in meaning than all the talk about the same matter: so what it is
counts, not only what it says.
"""

import re

from slowwave.model import Event, Memory
from slowwave.text.later import later

GUIDING_KINDS = frozenset({"rule", "preference"})

LONGEST = 600
"""Characters of a message that are looked at: beyond them it is material, not a wish."""

_TASK = later(
    r"\b(?:should|shall) (?:i|we)\b|\bhow (?:do|can|could|would|might) (?:i|we)\b|\bhow to\b"
    r"|\b(?:can|could|would|will) you (?:please |also |maybe |just )?"
    r"(?!tell|remind|remember|recall|say|name|look up|find out|confirm|repeat)\w"
    r"|\b(?:do|would|did) you (?:suggest|recommend|advise|think)\b"
    r"|\b(?:help|show|teach|write|draft|give|make|find|recommend|suggest|explain)(?: to)? "
    r"(?:me|us)\b"
    r"|^(?:please |now |then )?(?:write|draft|explain|suggest|recommend|translate|plan|design|"
    r"build|create|make|review|fix|check|compare|describe|show|help|give|find)\b"
    r"|\bi(?:'m| am)(?: \w+)? (?:about to|planning|trying|looking|going|working|preparing|"
    r"thinking of)\b|\bi(?:'d| would) like to\b|\bi(?: \w+)? (?:want|need) to\b"
    r"|\bwhat(?:'s| is| are| would be) (?:the|some|a|an)(?: \w+)? (?:best|good|common|typical|"
    r"different|right|easiest|ways?|options?|steps?|tips?|ideas?)\b"
    r"|怎么(?:才能|可以|应该|该|去|来|样才能)?(?!样|了|说|回事|称呼|叫|会|没|不|还|想|看|办)[\u4e00-\u9fff]|如何"
    r"|(?:帮|替|教|给)我(?!说|讲过|的)|(?:能不能|可不可以|可以|能)(?:帮|教|给|替|写|推荐|解释)"
    r"|推荐|建议|我[们]?(?:应该|该|要不要)|写[一个篇段封]|做[一个份]|讲解|解释|翻译|列[一出个]",
    re.IGNORECASE,
)
"""Frames of asking for help, advice or work (closed classes: modal verbs, verbs of giving)."""

_KNOWN = later(
    r"^\W*(?:(?:so|and|hey|ok|okay|well)\W+)?(?:when(?:'s| (?:am|are|can|did|do|does|has|have|is|"
    r"should|was|were|will))|who|whose|what (?:time|date|day|month|year)|"
    r"which (?:day|date|month|year)|how (?:many|much|long|often|old|far))\b"
    r"|\b(?:did|was|were|had|have|has) (?:i|we|you|he|she|they|it|my|our|the)\b"
    r"|\b(?:i|we)(?:'ve| have| had| was| were| did| said| told| asked| brought| mentioned)\b"
    r"|\b(?:so far|over time|conversations?|sessions|discuss(?:ed|ions?)|mentioned|remind me|"
    r"previously|earlier|last time|already|how (?:my|our)|what (?:i|we)|"
    r"how (?:i|we)(?! (?:can|could|should|shall|might|may|would|do|must)\b))\b"
    r"|几点|什么时候|哪[天年月]|多少|几[个次天年月]|谁|告诉我我|上次|上回|之前|以前|当时|那时|那次|刚才|还?记得|了吗|了没"
    r"|[说聊提讲给去来做买吃看读用写教荐议](?:到)?过|提到",
    re.IGNORECASE,
)
"""Frames of asking for what is known or was: then a wish answers no better than anything else."""

_YOUR_TURN = (
    r"(?:when|whenever|every time|each time|any ?time) (?:i|we) "
    r"(?:\w+ )?(?:ask|want|need|request|send|share|give|say|write)\b"
)
_WISH = later(
    r"(?:^|[.!?;:\n]\s*)(?:(?:please|also|and|so|ok|but|just|remember(?: to)?|"
    r"make sure(?: to| you)?|be sure to|you (?:should|must|have to|need to)),? )*"
    r"(?:always|never|from now on|going forward|in (?:the )?future|whenever|every time|"
    r"each time)\b"
    rf"|\b{_YOUR_TURN}"
    r"|\b(?:want|need|expect|ask|like) you to (?:always|never|only|keep|stop)\b"
    r"|\bi(?:'d| would)?(?: \w+){0,2} (?:prefer|rather|favou?r)\b|\bmy preferences?\b"
    r"|\bi (?:really |much )?(?:like|hate|dislike|love) (?:it )?when\b"
    r"|(?:以后|今后|往后|从现在(?:开始|起)|从今天(?:开始|起))[^。！？\n]{0,12}(?:都|请|要|别|不要|不用|得|必须|就)"
    r"|每次[^。！？\n]{0,16}(?:都要?|请|记得|先|要|别)|一律|凡是[^。！？\n]{1,16}(?:都|要|别)|请(?:始终|总是|一直|务必)"
    r"|我(?:们)?(?:比较|更|还是|一般|平时|都|其实|很|特别|最)*(?:喜欢|偏好|倾向|习惯|宁愿|宁可|不喜欢|讨厌|不爱)",
    re.IGNORECASE,
)
"""Frames of a wish for all times, and of a preference."""


def asks_for_work(question: str) -> bool:
    """Whether a question asks for something to be done or advised, not for what is known."""
    return bool(_TASK.search(question)) and not _KNOWN.search(question)


def guides(unit: Memory | Event) -> bool:
    """Whether a unit says how its owner wants things to be done."""
    if isinstance(unit, Memory):
        return unit.kind in GUIDING_KINDS
    return unit.origin == "owner" and bool(_WISH.search(unit.text[:LONGEST]))
