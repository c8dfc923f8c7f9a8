"""What a statement says to have turned: something is over, gave way to another, has a new holder.

Grammar only. The things themselves are whatever words stand in the places that these frames have.
"""

import re
from typing import Literal

import msgspec

from slowwave.text.lately import lately

__all__ = ["GOES_ON", "Turn", "corrects", "turns"]


TurnKind = Literal["stop", "off", "swap", "holder", "done"]


class Turn(msgspec.Struct, frozen=True):
    """One turn that a statement tells of, in its canonical words.

    `stop`: somebody no longer does or has `old`. `off`: what was planned or subscribed, `old`,
    does not take place. `swap`: `old` gave way to `new`, in the part of `thing` if it is named.
    `holder`: the role or place `thing` has the new holder `new` ("" where it is not said). `done`:
    what was to be done about `old` has been done.
    """

    kind: TurnKind
    thing: str = ""
    old: str = ""
    new: str = ""


_NP = r"[^,.;:!?，。；：！？]"
_MY = r"(?:my|our|the|his|her|their|\w+'s)"
_ROLE = r"(?P<thing>(?:[a-z][a-z'/-]*[ ]?){1,4}?)"
_END = (
    r"(?=\s*(?:$|[,.;!?]|\b(?:and|but|because|since|as of|from|who|after|so|now|last|this|"
    r"next|on)\b))"
)
_STATE = (
    r"(?:closed|open|available|gone|back|free|off|over|ready|on|down|up|full|empty|a|an|not|too|"
    r"very|about|almost|again|here|there|new|old)"
)
_FOR_GOOD = r"(?: now| altogether| completely| entirely| for good| yesterday| today| last \w+)*"

_EN_FRAMES: tuple[tuple[TurnKind, str], ...] = (
        # from X to Y
        ("swap", rf"(?:^|[,;.] ?)(?:my |our |the )?(?P<thing>{_NP}{{2,30}}?) (?:is|are|was|were|"
                 rf"has been|have been|got)"
                 rf"(?: now)? (?:moved|switched|migrated|changed|converted|transferred|ported|"
                 rf"upgraded)(?: over)?"
                 rf" from (?P<old>{_NP}{{1,30}}?) (?:over )?to (?P<new>{_NP}{{1,30}})"),
        ("swap", rf"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bbeen )(?<!\bgot )"
                 rf"\b(?:moved|moving|switched|switching|migrated|migrating|changed|swapped|"
                 rf"converted|transferred|went|ported|jumped|upgraded)(?: over)?"
                 rf"(?: (?:all )?(?:of )?(?:my |our |the |his |her |their )"
                 rf"?(?P<thing>{_NP}{{1,40}}?))?"
                 rf" from (?P<old>{_NP}{{1,30}}?) (?:over )?to (?P<new>{_NP}{{1,30}})"),
        ("swap", rf"\b(?:replaced|replacing|swapped(?: out)?|ditched|dropped|dumped|traded)"
                 rf" (?:my |our |the )?(?P<old>{_NP}{{1,30}}?) (?:with|for|in favou?r of|by)"
                 rf" (?P<new>{_NP}{{1,30}})"),
        ("swap", rf"\bleft (?P<old>\w+) for (?P<new>{_NP}{{1,30}})"),
        ("swap", rf"(?:^|[,;.] ?|\band )(?P<new>{_NP}{{2,30}}?) (?:has |have |is |will )?"
                 rf"(?:replaced|replaces|replacing|replace|succeeded|succeeds|took over from|"
                 rf"takes over from|taking over from|take over from|took the place of|"
                 rf"stepped in for good for) (?P<old>{_NP}{{2,30}}?)"
                 rf"(?: (?:as|in the role of|for) (?:{_MY} )?(?P<thing>{_NP}{{2,30}}))?{_END}"),
        ("swap", rf"^(?P<thing>{_NP}{{0,60}}?)\b(?P<new>[a-z][\w'-]*)(?: now)? "
                 rf"(?:instead of|rather than|in place of) (?P<old>{_NP}{{2,30}})$"),
        ("swap", rf"(?:^|[,;.] ?)(?P<old>{_NP}{{2,24}}?) (?:has |have )?(?:handed|passed)"
                 rf"(?: over)? (?P<thing>{_NP}{{2,30}}?)(?: over)?(?: on)"
                 rf"? to (?P<new>{_NP}{{2,24}})"),
        # another holder of a role
        ("holder", rf"\b{_MY} {_ROLE} (?:is|are) (?:now|currently) (?P<new>(?!{_STATE}\b)"
                   rf"{_NP}{{2,30}}?){_END}"),
        ("holder", rf"\b{_MY} {_ROLE} (?:is|are) (?P<new>(?!{_STATE}\b){_NP}{{2,30}}?)"
                   rf" (?:now|these days|"
                   rf"nowadays|from now on){_END}"),
        ("holder", rf"\b{_MY} new {_ROLE} (?:is|will be|:|'s)(?: called| named| now)"
                   rf"? (?P<new>{_NP}{{2,60}})"),
        ("holder", rf"(?:^|[,;.] ?)(?:so |and |but )?(?:from|as of|starting|since|beginning)"
                   rf" {_NP}{{2,24}}?,? ?{_MY} {_ROLE}"
                   rf" (?:will be|is|moves|goes)(?: to)? (?P<new>(?:(?:at|in|on|to|with|mr|mrs|ms|"
                   rf"dr|prof)\b\.? |(?!{_STATE}\b)(?=\w+(?: \w+)?$)){_NP}{{1,40}})"),
        ("holder", rf"(?:^|[,;.] ?|\band )(?P<new>{_NP}{{2,24}}?) (?:is|'s|will be)(?: now)"
                   rf"? (?:leading|running|"
                   rf"heading|managing|handling|in charge of|responsible for|looking after) "
                   rf"(?:{_MY} )?(?P<thing>{_NP}{{2,30}}?) (?:now|from now on|these days){_END}"),
        ("holder", rf"(?:^|[,;.] ?|\band )(?P<new>(?:(?!\band\b){_NP}){{2,30}}?) (?:is|'s|became|"
                   rf"becomes|will be)"
                   rf"(?: now)? {_MY} new {_ROLE}{_END}"),
        ("holder", rf"(?:^|[,;.] ?|\band )(?P<new>{_NP}{{2,30}}?) (?:is|'s)(?: now)"
                   rf" {_MY} {_ROLE}{_END}"),
        ("holder", rf"(?:^|[,;.] ?|\band )(?P<new>{_NP}{{2,30}}?) (?:has |have |is |will )"
                   rf"?(?:took|take|"
                   rf"taken|takes|taking) over(?: as)? (?:{_MY} )?(?P<thing>(?!from\b)"
                   rf"{_NP}{{2,30}}?){_END}"),
        ("holder", r"\b(?:i|we)(?:'ve| have|'ve just| just| recently| finally)? (?:switched|"
                   r"changed)"
                   r" (?:my |our )?(?P<thing>(?!jobs?\b|seats?\b|trains?\b|topics?\b|clothes\b|"
                   r"plans?\b"
                   r"|sides?\b|shoes\b)[a-z]+s)\b(?! to\b| from\b)(?P<new>)"),
        ("holder", rf"\b(?:i|we)(?:'ve| have)?(?: just| finally| recently)? (?:got|found|have|"
                   rf"hired|been "
                   rf"assigned) a new {_ROLE}(?:,? (?:called|named)|,? (?:his|her|their) name is)"
                   rf" (?P<new>\w+)"),
        ("holder", rf"\b(?:i|we)(?: now)? (?P<thing>report)s? to (?P<new>{_NP}{{2,24}}?)(?: now)"
                   rf"?{_END}"),
        # over
        ("stop", rf"\b(?:quit|quitting|gave up|given up|giving up|stopped|(?<=to )stop|"
                 rf"cut out|swore off|sworn off|kicked|done with|through with)(?: on)?"
                 rf"(?! (?:by|at|in|to|for|over|off|working at)\b) (?P<old>{_NP}{{2,50}}?)"
                 rf"(?: because{_NP}*| since{_NP}*| after{_NP}*| due to{_NP}*)?{_FOR_GOOD}$"),
        ("stop", rf"\b(?:giv(?:en|ing)|gave|knock(?:ed|ing)|pack(?:ed|ing)|jack(?:ed|ing)|"
         "cut(?:ting)?|"
                 rf"kick(?:ed|ing)|chuck(?:ed|ing)|put(?:ting)?|la(?:id|ying)) (?P<old>(?!up\b|"
                 rf"out\b|off\b)"
                 rf"{_NP}{{2,30}}?) (?:a miss|up|on the head|in|out|behind (?:me|us)|off|"
                 rf"to one side)"
                 rf"(?: on{_NP}*| because{_NP}*| since{_NP}*)?{_FOR_GOOD}$"),
        ("stop", rf"\b(?:pack(?:ed|ing) in|jack(?:ed|ing) in|call(?:ed|ing) time on|"
         "said goodbye to|"
                 rf"(?:come|came) off|la(?:id|ying) off|(?:gone|went) off|turned my back on|"
                 rf"knocked off) (?P<old>{_NP}{{2,40}}?){_FOR_GOOD}$"),
        ("stop", rf"\b(?:sold|gave away|got rid of|dropped out of|withdrew from|pulled out of|"
                 rf"backed out of|dropped) (?P<old>{_NP}{{2,40}}?){_FOR_GOOD}$"),
        ("stop", rf"(?:n't|\bnot|\bnever) (?P<old>{_NP}{{2,50}}?) any ?more\b"),
        ("stop", rf"\bno longer (?P<old>{_NP}{{2,50}})"),
        ("stop", rf"\b(?:i'm|i am|we're|he's|she's) off (?P<old>(?!to\b|on\b|work\b|sick\b|today\b)"
                 rf"{_NP}{{2,24}}?){_FOR_GOOD}$"),
        ("stop", rf"^(?P<old>{_NP}{{2,30}}?) (?:is|are) (?:history|a thing of the past|"
                 rf"ancient history)$"),
        ("stop", rf"^(?:from (?:today|now|tomorrow)(?: on)? )?no (?:more )"
                 rf"?(?P<old>{_NP}{{2,30}}?) for (?:me|us)\b"),
        ("stop", rf"^no more (?P<old>{_NP}{{2,30}}?)(?: from now on| from today|{_FOR_GOOD})$"),
        ("stop", rf"^(?P<old>{_NP}{{2,30}}?) (?:is|are|was|were|has been|have been) (?:dropped|"
                 rf"out|retired|ditched|"
                 rf"binned|abandoned|off the (?:menu|table|list)|no more)(?: for me)?{_FOR_GOOD}$"),
        ("stop", r"\b(?:went|gone|turned|became|become) (?P<veg>vegetarian|vegan)\b"),
        ("off", rf"\b(?:cancell?ed|called off|scrapped|shelved|binned|axed|abandoned) "
                rf"(?P<old>(?!by\b|because\b|due\b|on\b|in\b|at\b|for\b|again\b){_NP}{{2,50}}?)"
                rf"{_FOR_GOOD}$"),
        ("off", rf"^(?P<old>{_NP}{{2,50}}?)(?: (?:is|are|was|were|has been|have been|got|"
         "is now)|'s|'re|"
                rf"'s been)"
                rf"(?: now| all| officially)? (?:cancell?ed|called off|off|scrapped|shelved|"
                rf"binned|axed|"
                rf"not happening|no longer happening){_FOR_GOOD}\b(?! (?:to|by)\b)"),
        ("off", rf"^(?P<old>{_NP}{{2,50}}?) (?:isn't|is not|aren't|ain't|won't be|will not be|"
                rf"isn't going to be) (?:happening|taking place|going ahead|on)\b"),
        ("off", rf"^(?P<old>{_NP}{{2,50}}?)(?:'s|'re) not (?:happening|taking place|"
         "going ahead)\b"),
        ("off", rf"^(?P<old>{_NP}{{2,50}}?) (?:won't happen|fell through|has fallen through|"
                rf"came to nothing)\b"),
        ("done", rf"\b(?:i|we)(?:'ve| have)?(?: already| finally| just| now)* (?:bought|booked|"
                 rf"finished|"
                 rf"submitted|paid|sent off|sent|signed|picked up|renewed|returned|completed|"
                 rf"handed in|filed|"
                 rf"collected|repaired|fixed|delivered|posted) (?P<old>{_NP}{{2,40}}?)"
                 rf"{_FOR_GOOD}$"),
        ("done", rf"^(?P<old>{_NP}{{2,40}}?) (?:is|are|was|were|has been|have been|got)(?: now|"
                 rf" finally| already)?"
                 rf" (?:done|paid|booked|finished|submitted|signed|renewed|sent(?: off)?|"
                 rf"handed in|completed|filed|"
                 rf"delivered|repaired|fixed){_FOR_GOOD}$"),
        ("off", rf"\b(?:not|\w+n't|won't be|will not be) (?P<old>(?:\w+ing |\w+ ){_NP}{{2,50}}?)"
                rf" after all\b"),
)  # fmt: skip
_EN = tuple((kind, re.compile(pattern)) for kind, pattern in _EN_FRAMES)

_ZV = r"[^，。；：！？\s]"
_DONE = r"(?:$|了|啦|,|，|。|;|；)"
_ZH_FRAMES: tuple[tuple[TurnKind, str], ...] = (
        ("swap", r"(?P<thing>[^,，。；;]{0,14}?)(?:从|由)(?P<old>[^,，。；;]{1,14}?)(?"
                 r":[改换迁切转搬挪升调]"
                 r"(?:移|换|级|用)?|过渡|跳)(?:成|到|为|用|至|去)(?:了)? ?(?"
                 r"P<new>[^,，。；;了]{1,14})"),
        ("swap", r"把(?P<old>[^,，。；;]{1,14}?)(?:换|改)(?:成|为)(?:了)"
                 r"? ?(?P<new>[^,，。；;了]{1,14})(?P<thing>)"),
        ("swap", r"(?:^|[,，。；;])(?:以后|现在|今后)?(?P<new>[^,，。；;]{1,8}?)(?:接替|接任|"
                 r"取代|代替|顶替|"
                 r"替换|替|接了?|接手)了?(?P<old>[^,，。；;]{1,8}?)(?:当|做|担任|出任|任|成为|"
                 r"成了|的|来当|"
                 r"来做)(?P<thing>[^,，。；;]{1,12}?)了?(?:$|[,，。；;])"),
        ("swap", r"(?:^|[,，。；;])(?P<thing>[^,，。；;]{0,10}?)(?:不再|不)"
                 r"用(?P<old>[^,，。；;]{1,12}?)了?[,，；;]?"
                 r"(?:现在|以后)?(?:而是|改)?用(?P<new>[^,，。；;]{1,12})"),
        ("holder", r"(?:^|[,，。；;]|是)[^,，。；;]{0,6}?新(?:的)?(?"
                   r"P<thing>[^,，。；;是叫为来]{1,8})(?:现在)?"
                   r"(?:是|叫|为|换成)(?P<new>[^,，。；;]{1,16})"),
        ("holder", r"(?:^|[,，。；;])(?:从?(?:现在|以后|今后|如今|目前|这学期|这个?月|本周|今天|"
                   r"明天|下周|下个?月)起?|"
                   r"我)?(?P<thing>[^,，。；;从由把]{1,10}?)(?:已经|都|也|统一|全部)?(?:换|改|变)"
                   r"(?:成|为|由|用)"
                   r"(?:了)? ?(?P<new>[^,，。；;了]{1,14}?)(?:教|带|负责|担任|当)?(?:$|"
                   r"[了,，。；;])"),
        ("holder", r"(?:^|[,，。；;])(?:现在|以后|今后|如今|目前|这学期|从?(?:现在|今天|今日|"
                   r"明天|本周|下周|本月|下个?月|今年)"
                   r"(?:起|开始)|打今儿起)(?:的|,|，)?(?P<thing>[^,，。；;是叫]{1,8})"
                   r"(?:是|叫)(?P<new>[^,，。；;]{1,12})"),
        ("holder", r"(?:^|[,，。；;])(?P<thing>[^,，。；;是叫]{1,8})(?:现在|如今)(?:是|叫)"
                   r"(?P<new>[^,，。；;]{1,12})"),
        ("holder", r"我?换(?:了|过)?(?:个|了个|家|了家|位|一家|一个)?新?(?"
                   r"P<thing>[^,，。；;成到了个家]{2,8})了"
                   r"(?P<new>)(?:$|[,，。；;])"),
        ("stop", r"(?:别|不要|不许|不准|不能|不让[^，。]{0,3})(?:再)?(?P<verb>[吃喝抽碰玩熬])"
                 r"(?P<new>[^,，。；;]{1,8})(?P<old>)了(?:$|[,，。；;])"),
        ("stop", r"戒(?:掉|了)?(?P<old>[^,，。；;了律备指尺心严]{1,8})"),
        ("stop", r"(?:把)?(?P<old>[^,，。；;]{1,12}?)(?:早就|已经)?(?:给)?(?:戒|断|退订|退租|退掉|"
                 r"退了|卖|扔|送人|转让|"
                 r"停用|停掉|弃用|不要|退出)(?:掉)?了?(?:$|[,，。；;])"),
        ("stop", r"(?P<old>[^,，。；;不]{0,12}?)(?:早就|已经|以后|现在|再也)?"
                 r"(?:一[口点滴根支粒杯次]|半点|[都也])*不(?:再|用)?(?"
                 r"P<verb>[去上学喝吃抽做玩用碰"
                 r"养开打练跑看订骑坐弹听写参加租住]{1,2})(?P<new>[^,，。；;不]{0,10}?)了(?:$|[,，。；;])"),
        ("stop", r"(?:改|开始|决定)?(?P<veg>吃素|素食)了"),
        ("done", r"(?P<old>[^,，。；;不没]{1,14}?)(?:已经|都|终于|刚|今天|昨天)*(?:买|订|交|付|"
                 r"寄|办|装|修|做|"
                 r"写|签|取|还|补|续|考|领|送|发|定)(?:好|完|掉|到)?了(?:$|[,，。；;])"),
        ("stop", r"(?:放弃|停止|不再)(?:了)?(?P<old>[^,，。；;]{1,12})"),
        ("off", r"(?P<old>[^,，。；;]{1,16}?)(?:被|就|全部|已经|临时|先|都)?(?:取消|作废|泡汤|黄|"
                r"叫停|砍掉|砍|搁浅|告吹|"
                r"搁置|作罢|[办去来开做玩看吃出订参加]不(?:成|了)|没戏|不搞|不办|不开|不做|不去|"
                r"不买|"
                r"不参加|不报)了?"
                r"(?:$|了|[,，。；;])"),
        ("off", r"(?P<old>[^,，。；;不]{1,16}?)不(?:[^,，。；;不]{1,5})?(?:去|来)了"),
        ("off", r"(?:取消|推掉|退掉|叫停|放弃|砍掉)(?:了)?(?P<old>[^,，。；;]{2,16})"),
        ("off", r"(?P<old>[^,，。；;]{1,16}?)(?:我|我们)?(?:退赛|退出|弃权|爽约)了?"),
)  # fmt: skip
_ZH = tuple((kind, re.compile(pattern)) for kind, pattern in _ZH_FRAMES)

_CORRECTION = re.compile(
    r"^(?:[嗯啊哦,，\s]*)(?:更正|纠正|订正|修正一下|说错|搞错|记错|写错|弄错|看错|不对|"
    r"之前[^，,。]{0,6}(?:说|记|写|搞|弄)错|"
    r"我?(?:刚才|刚刚|上次|前面)[^，,。]{0,6}错|抱歉[^，。]{0,6}错)[^，,。：:]{0,6}[了下]?"
    r"[，,：:。 ]"
    r"|^(?:sorry,? |oops,? |hm+,? |no,? |wait,? |ah,? |no wait,? )*(?:correction|i (?:misspoke|"
    r"was wrong|"
    r"got (?:that|it|this) wrong|made a mistake|mistyped|meant(?: to say)?)|(?:that was|my)"
    r" (?:a )?(?:wrong|"
    r"mistake)|to correct (?:that|myself|what i said)|scratch that|actually|wait|"
    r"let me correct \w+)\b(?:[^,.:;]{0,20}[,.:;]|\s)"
    r"|^no wait,? "
)


_SINCE = re.compile(
    r"^(?:(?:从|打|自)?(?:今天|现在|明天|今日|下周|本周|这周|今年)(?:起|开始)?|以后|今后|那个?)"
)
_TO_IT = re.compile(r"^.{0,8}[把将](?=.)")
"""Who does it to the thing (我把烟戒了)."""
GOES_ON = re.compile(
    r"(?:n't|\bnot|\bnever|\bcannot)\s+(?:\w+\s+){0,3}(?:quit|quitting|stop|stopping|cancel\w*|"
    r"give|gave|giving|given|"
    r"drop\w*|sell\w*|sold|dead|gone|over|off)\b|[不没别](?:会|要|能|想|打算|舍得)?(?:取消|放弃|"
    r"停|戒|退|卖|砍)"
)
"""What is denied to have ended goes on."""


@lately(4_096)
def turns(folded: str) -> tuple[Turn, ...]:
    """The turns that a canonical text tells of, surest first."""
    found: list[Turn] = []
    for part in re.split(
        r"[.。!！?？;；](?=\s|$|[^\d])|,\s*(?=(?:and|but|so)\b)|\s[-–—]+\s", folded
    ):
        if not part or not part.strip():
            continue
        table = _ZH if re.search(r"[\u4e00-\u9fff]", part) else _EN
        for kind, pattern in table:
            for text in _readings(kind, part.strip()):
                if kind in ("stop", "off") and GOES_ON.search(text):
                    continue
                for match in pattern.finditer(text):
                    turn = _turn(kind, match)
                    if turn not in found:
                        found.append(turn)
    return tuple(found)


def _readings(kind: str, part: str) -> tuple[str, ...]:
    """A sentence as one, and for what is over its clauses one by one."""
    clauses = [clause.strip() for clause in re.split(r"[,，:：]|\b(?:and|but|so)\b", part)]
    whole = [part] if kind in ("swap", "holder") else []
    return tuple(dict.fromkeys((*whole, *filter(None, clauses))))


def _turn(kind: TurnKind, match: re.Match[str]) -> Turn:
    parts = {name: (text or "").strip() for name, text in match.groupdict().items()}
    old, new = parts.get("old", ""), parts.get("new", "")
    if "verb" in parts:
        old, new = f"{old} {parts['verb'] + new if new else ''}".strip(), ""
    old = _TO_IT.sub("", _SINCE.sub("", old))
    if "veg" in parts:
        old = "meat" if parts["veg"].isascii() else "肉"
    return Turn(kind, parts.get("thing", ""), old, new)


@lately(4_096)
def corrects(folded: str) -> str:
    """What is left of a canonical text that opens as a correction; "" where it is none."""
    match = _CORRECTION.match(folded)
    return folded[match.end() :].strip() if match else ""
