"""The words by which plans are moved and called off, and the sorts of events they are named by.

Closed classes of everyday language in English and Chinese: verbs of moving and ending, grammar that
stands around them, and events that people call by several words.
"""

import re

from slowwave.dream.compare.reading.statement import stem_of

__all__ = [
    "BA_ZH",
    "CLAUSE",
    "ELSEWHERE",
    "FAMILY",
    "HAN",
    "LIGHT_EN",
    "LIGHT_ZH",
    "MOVE_EN",
    "MOVE_ZH",
    "NOW_EN",
    "OFF_EN",
    "OFF_ZH",
    "ONCE_AGAIN",
    "RUN",
    "SAID_ZH",
    "SORT_EN",
    "SORT_ZH",
    "STILL",
    "UNSURE",
    "WHITHER_EN",
    "WORD",
]

HAN = re.compile(r"[\u3400-\u9fff]")
CLAUSE = re.compile(
    r"[，。；;！!？?：（）()\n]+|[,:](?!\d)|[.](?=\s|$)|\s[-–—]+\s|\b(?:and|but|so|because|since|"
    r"due to|"
    r"owing to|thanks to)\b"
)

MOVE_EN = re.compile(
    r"\b(?:re-?schedul\w+|postpon\w+|push(?:ed|ing|es)?|bump(?:ed|ing|s)?|shift(?:ed|ing|s)?|"
    r"slip(?:ped|ping|s)?|slid(?:es|ing)?|mov(?:e|ed|es|ing)|delay(?:ed|ing|s)?|defer(?:red|ring|"
    r"s)?|"
    r"switch(?:ed|ing|es)|chang(?:ed|es|ing)|swapped|re-?book(?:ed|ing)?|"
    r"re-?arrang(?:ed|ing)|re-?plann(?:ed|ing)|(?:brought|bringing|"
    r"pulled)(?= [\w' -]{0,40}?\b(?:forward|in|up)\b)|"
    r"put(?= [\w' -]{0,40}?\b(?:back|off)\b)|set back|held over|adjourned)\b"
)
WHITHER_EN = re.compile(
    r"\b(?:to|by|for|until|till|back|forward|up|off|out|on|from|in|ahead|later|earlier|instead|"
    r"indefinitely|a)\b"
)
ELSEWHERE = re.compile(r"mov(?:e|es|ing|ed) (?:in|out|house|away|on|home|abroad|countries)\b")
NOW_EN = re.compile(
    r"(?P<thing>.{2,60}?)(?: is|'s| are|'re| will be) (?:now|instead)(?: on| at| in)?\b|"
    r"(?P<thing2>.{2,60}?)(?: is|'s| are| will be) (?:on |at )?[^,.]{2,30}? (?:now|instead)\b"
)
MOVE_ZH = re.compile(
    r"改(?:到|成|在|约|期|签|为|时间|日子|天|(?=\s?[下周今明后礼星\d]))|"
    r"(?:往|向|再)?(?:前|后|早|晚|先)?(?:挪|推|拖|移|延|错|顺延|提|调|换|押|缓)"
    r"(?:到|至|成|后|前|迟|期|了(?=\s*[\d一两二三四五六七八九十半])|"
    r"(?=\s*[\d一两二三四五六七八九十半]+\s?个?(?:天|日|周|星期|礼拜|月)))|"
    r"[早晚](?:个|上)?(?=\s*[\d一两二三四五六七八九十半]+\s?个?(?:天|周|星期|礼拜|月|小时))|顺延|"
    r"提前|推迟|推后|延后|延期|押后|延迟|错开|重新(?:约|安排|定|预约)"
)
SAID_ZH = re.compile(
    r"^.{0,10}?(?:说是?|通知[我们]*|告诉[我们]*|来电话|打电话[来说]*)"
    r"|^.{0,8}?(?:跟|和|与)[^，]{1,6}?(?:商量|说好|约好|协商)[^，]{0,2}?[把将]?"
)
BA_ZH = re.compile(r"(?:^|.*?)[把将](?P<thing>.+)$")

OFF_EN = re.compile(
    r"\b(?:cancel\w*|call(?:ed|ing|s)? off|call(?:ed|ing|s)? (?:it|that|this|everything|"
    r"the [\w ]{2,30}?) off|"
    r"skip(?:ped|ping|s)?|scrap(?:ped|ping)|bail(?:ed|ing)?(?: out)?(?: on| of)?|ditch(?:ed|ing)?|"
    r"drop(?:ped|ping)?(?: out of)?|(?:pull|back)(?:ed|ing) out(?: of)?|nix(?:ed|ing)?|"
    r"axed|shelved|binned|canned|fell through|fallen through|falls? through|"
    r"(?:not|\w+n't|no longer|never) (?:be )?(?:going|doing|attending|happening|coming|having|"
    r"making|joining|"
    r"hosting|flying|taking place|going ahead|meeting|travel\w*|hold\w*|run\w*)|"
    r"(?:won't|can't|cannot|couldn't|not going to|unable to) (?:make|attend|go|do|be (?:there|"
    r"able)|come|join|host)|"
    r"(?:is|are|'s|was|has been)(?: now| all)? off(?! to| on| work| sick| the)|"
    r"giv(?:e|ing|en) (?P<miss>[\w ]{2,30}?) a miss|pass(?:ed|ing)? on|wash(?:ed)? out|rained off|"
    r"forget (?:about )?|count (?:me|us) out(?: of| for)?|(?:have|had|need) to miss|"
    r"sit(?:ting)? (?:it|this one) out|"
    r"won't be (?:going|happening|doing|needed|there|coming|attending))\b"
)
OFF_ZH = re.compile(
    r"取消|作废|泡汤|告吹|作罢|搁浅|落空|[黄吹鸽砍]了|推掉|推了|退[掉了]|算了|免了|撤了|停办|叫停|"
    r"不(?:再|用|必|打算|准备|想)?(?:[去办搞吃见做来约参开看玩走坐飞打考拍聚搬租学练逛爬骑跑钓回"
    r"接拔剪修上喝约]|"
    r"举办|举行|参加|出席|过去)[^，了不]{0,8}了(?:$|[啊吧呢哈，])|"
    r"(?:[去办来开吃见做聚考飞走看]|赶)不(?:成|了|上)(?:了|$)|"
    r"没法[去办来开吃见做聚参]|放(?:他|她|人)?鸽子|改天(?:再说)?|下次再(?:说|约|聚)|没戏|拉倒"
)
STILL = re.compile(
    r"(?:n't|\bnot|\bnever|\bwithout)\s+(?:\w+\s+){0,3}?(?:cancel\w*|call\w* off|postpon\w*|mov\w+|"
    r"reschedul\w+|push\w*|chang\w+|skip\w*)\b|(?:没有?|别|不要|不用|不会|不能|不想)(?:再)?"
    r"(?:取消|改|推|挪|延|换|算了)|\bwithout\b"
)
"""What is denied to have been moved or called off stands."""
UNSURE = re.compile(
    r"\b(?:if|whether|might|maybe|perhaps|could|should|may(?! \d)|would|can we|shall)\b|"
    r"[吗么？?]|如果|要是|万一|可能|也许|是否|要不要|能不能|会不会|想不想|不知道"
)
ONCE_AGAIN = re.compile(
    r"每|一般|通常|平时|\b(?:every|each|weekly|daily|usually|always|mondays|tuesdays|wednesdays|"
    r"thursdays|fridays|saturdays|sundays)\b"
)

FAMILIES: tuple[tuple[str, str], ...] = (
    ("meal", r"聚餐|饭局|饭(?!店|盒)|[午晚早]餐|约饭|火锅|烤肉|宵夜|下午茶|喝茶|喝酒|咖啡|"
             r"\b(?:dinner|lunch|brunch|breakfast|supper|meal|drinks|coffee|bbq|barbecue)\b"),
    ("tooth", r"牙[医科]|牙|洗牙|口腔|\b(?:dentist|dental|tooth|teeth|orthodont\w+|hygienist|"
              r"root canal|"
              r"filling)\b"),
    ("body", r"体检|检查|复查|复诊|看病|看医生|门诊|就诊|挂号|医院|[医大]夫|医生|抽血|手术|"
             r"\b(?:doctor|check-?ups?|physical|clinic|hospital|gp|surgery|operation|scan|mri|"
             r"blood test|"
             r"appointment with dr)\b"),
    ("trip", r"机票|航班|飞(?!书)|高铁|火车|动车|车票|出差|旅行|旅游|之行|行程|度假|出发|自驾|去玩|"
             r"\b(?:flights?|fly|flying|flies|trip|travel\w*|train|journey|vacation|holiday|"
             r"getaway)\b"),
    ("meeting", r"会议|开会|例会|评审|碰头|碰面|会面|见面|座谈|路演|汇报|对齐会|"
                r"\b(?:meeting|meet|call|sync|review|catch-?up|chat|session|workshop|briefing|"
                r"kick-?off|"
                r"one-on-one|1:1|standup)\b"),
    ("interview", r"面试|面谈|\binterview\b"),
    ("exam", r"考试|笔试|科目[一二三四]|驾考|\b(?:exam|test|finals|quiz)\b"),
    ("party", r"生日宴|派对|婚礼|婚宴|喜酒|满月酒|寿宴|聚会|party|\b(?:wedding|birthday|reception|"
              r"party|reunion|get-together)\b"),
    ("visit", r"上门|维修|安装|来修|师傅|\b(?:plumber|electrician|repair\w*|technician|"
              r"installation|"
              r"handyman|delivery|cleaner)\b"),
    ("launch", r"上线|发布|发版|首发|开业|\b(?:launch|release|go-live|rollout|roll-out|ship\w*|"
               r"opening)\b"),
    ("house", r"看房|搬家|签约|交房|\b(?:viewing|move-in|moving day|closing|handover)\b"),
    ("show", r"演唱会|音乐会|话剧|电影|演出|展览|\b(?:concert|gig|show|play|movie|film|"
             r"exhibition)\b"),
    ("game", r"球赛|比赛|打球|羽毛球|篮球|足球|网球|\b(?:match|game|race|tournament)\b"),
)  # fmt: skip
"""Sorts of events, each with the words that people use for one of them in turn."""
FAMILY = tuple((name, re.compile(pattern)) for name, pattern in FAMILIES)
SORT_EN = frozenset(map(stem_of, (
    "appointment", "meeting", "session", "event", "plan", "thing", "date", "day", "time", "slot",
    "booking", "reservation", "visit", "call", "trip", "schedule", "week", "weekend", "one",
    "original", "whole", "big",
)))  # fmt: skip
SORT_ZH = re.compile(
    r"这?[那这](?:个|件|次|场|顿|趟|边|天)?(?:事儿?)?|的事儿?|事儿|时间|日期|日子|安排|计划|活动|"
    r"预约|行程|约会|约好|原定|"
    r"本来|原来|之前|说好|定好|约的|定的|订的|去不了|咱们?|我们?|他们?|她们?|大家|已经|全部?|都|"
    r"先|就|又|再|也|"
    r"今天|明天|后天|临时|突然|可能|决定|只好|只能|还是|下雨|因为|由于|老板|客户(?=把|说|通知)"
)
LIGHT_ZH = frozenset(
    "的了在是我你他她它们就都也还不没很着过这那个把被给从再先已去来上做吃喝玩用打订要会能和跟与一"
    "起得成到往向约好"
    "请让带陪接送看见参加开办过出到有为对儿次场顿趟票定周号月日午早晚点半下今明后天前本该"
)
LIGHT_EN = frozenset(map(stem_of, (
    "go", "going", "do", "doing", "have", "having", "make", "making", "take", "taking", "get",
    "got", "getting", "attend", "see", "meet", "be", "been", "being", "just", "finally", "sadly",
    "unfortunately", "really", "officially", "today", "tomorrow", "morning", "afternoon", "evening",
    "night", "noon", "week", "weeks", "day", "days", "month", "months", "later", "earlier", "again",
    "also", "now", "still", "all", "together", "everything", "everyone", "due", "rain", "weather",
    "anymore", "more", "longer", "after", "ok", "okay", "decided", "decide", "want", "need",
    "needs", "asked", "ask", "told", "said", "say", "says", "can", "can't", "couldn't", "won't",
    "it's", "i'm", "we're", "we've", "i've", "he's", "she's", "they're", "that's", "let's",
    "there's", "next", "instead", "forward", "back", "up", "off", "out", "over", "ahead",
    "indefinitely", "notice", "further",
)))  # fmt: skip
WORD = re.compile(r"[a-z\u00df-\u024f][a-z\u00df-\u024f'’-]*|\d+")
RUN = re.compile(r"[\u3400-\u9fff]+")
