"""The closed classes that readings rest on: kin, owner, change, scope, permission, common slots.

Grammar and everyday frames only. What a statement is about is never listed here; it is taken from
the statement's own words. Patterns run on `text.polarity.canonical` text.
"""

import re

__all__ = [
    "AVERSION", "BAD", "FRAME_SLOTS", "GOOD", "IDIOM", "KIN", "KIN_PATTERN", "LEAD_END", "LIGHT",
    "MARKS", "NEGATOR", "OWNER", "SINGLE_SLOTS", "SKIP_OPENING", "SLOTS", "THIRD",
]  # fmt: skip

KIN: tuple[tuple[str, str], ...] = (
    ("in_law.father", r"公公|岳父|老丈人|fathers?-in-law"),
    ("in_law.mother", r"婆婆|岳母|丈母娘|mothers?-in-law"),
    ("in_law.sister", r"嫂子|大嫂|弟媳|弟妹|小姨子|大姑子|小姑子|sisters?-in-law"),
    ("in_law.brother", r"姐夫|妹夫|小舅子|大舅子|brothers?-in-law"),
    ("grand.father.m", r"外公|姥爷"),
    ("grand.mother.m", r"外婆|姥姥"),
    ("grand.father", r"爷爷|祖父|grand(?:d?ad|pa|father)"),
    ("grand.mother", r"奶奶|祖母|阿嬷|grandm(?:a|um|other)|granny|nan\b"),
    ("grand.child", r"孙子|孙女|外孙女?|grand(?:son|daughter|child)(?:ren)?"),
    ("friend.girl", r"女朋友|女友|girlfriend"),
    ("friend.boy", r"男朋友|男友|boyfriend"),
    ("cousin", r"[表堂](?:哥|弟|姐|妹|兄)+|cousin"),
    ("nephew", r"侄子|外甥(?!女)|nephew"),
    ("niece", r"侄女|外甥女|niece"),
    ("aunt", r"姑姑|姑妈|大姑|小姑|阿姨|姨妈|大姨|小姨|舅妈|婶婶?|伯母|aunt(?:ie|y)?"),
    ("uncle", r"叔叔|伯伯|大伯|舅舅|姑父|姨父|小叔|uncle"),
    ("parent.father", (
        r"爸爸|老爸|我爸|他爸|父亲|老爹|我爹|老爷子|dad(?:dy)?|father|papa|my old man\b"
    )),
    ("parent.mother", r"妈妈|老妈|我妈|他妈|母亲|我娘|mum(?:my)?|mom(?:my)?|mother"),
    ("parent", r"爸妈|父母|parents?"),
    ("sibling.sister.elder", r"姐姐|大姐|二姐|老姐|我姐|elder sister|older sister"),
    ("sibling.sister.younger", r"妹妹|小妹|我妹|younger sister|little sister"),
    ("sibling.brother.elder", r"哥哥|大哥|二哥|老哥|我哥|elder brother|older brother"),
    ("sibling.brother.younger", r"弟弟|小弟|我弟|younger brother|little brother"),
    ("sibling.sister", r"sister|sis\b"),
    ("sibling.brother", r"brother|bro\b"),
    ("spouse.husband", r"老公|丈夫|husband|hubby"),
    ("spouse.wife", r"老婆|妻子|太太|媳妇|内人|wife|missus"),
    ("spouse", r"爱人|配偶|对象|另一半|那口子|spouse|fianc[eé]e?|partner"),
    ("child.son", r"儿子|my (?:boy|lad)\b|son\b|sons\b"),
    ("child.daughter", r"女儿|闺女|daughter|my girl\b"),
    ("child", (
        r"孩子|小孩|小朋友|娃|老大(?=[在升上读今])|老二(?=[在升上读今])|kids?\b|child(?:ren)?|"
        r"toddler|baby"
    )),
    ("mate.room", r"室友|舍友|合租的?|roommate|flatmate|housemate"),
    ("mate.work", r"同事|colleague|co-?worker|workmate|teammate"),
    ("mate.class", r"同学|classmate"),
    ("boss", r"老板|领导|上司|boss\b|line manager"),
    ("friend", r"朋友|闺蜜|哥们|死党|friend|buddy|\bmate\b"),
    ("neighbour", r"邻居|对门|neighbou?r"),
    ("landlord", r"房东|landlord|landlady"),
    ("teacher", r"老师|导师|teacher|tutor|supervisor|professor"),
    ("client", r"客户|甲方|clients?\b|customers?\b"),
    ("pet.cat", r"猫|\bcats?\b|kitten"),
    ("pet.dog", r"狗|\bdogs?\b|puppy|hound"),
)  # fmt: skip
KIN_PATTERN = re.compile(
    "|".join(
        # \b does not hold between Han and Latin letters, so Latin words are fenced by hand.
        rf"(?P<k{place}>(?<![a-z])(?:{pattern})(?![a-rt-z]))"
        for place, (_, pattern) in enumerate(KIN)
    )
)
OWNER = re.compile(
    r"^(?:the )?user\b|^用户|^[我俺咱]|^(?:i|we|i'm|i've|i'd|i'll|we're|we've|my|our|mine)\b|"
    r"^本人|^主人|^[他]"
)
THIRD = re.compile(r"^(?:he|she|they|he's|she's|they're|his|her)\b")
LEAD_END = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|do|did|can|will|would|should|must|uses?|runs?|likes?"
    r"|wants?|needs?|goes|go|gets?|works?|lives?|shuts?|opens?|starts?|takes?|keeps?|makes?|moved"
    r"|must|may|needn't|isn't|aren't|don't|doesn't|won't|can't|codes?|returns?|sends?)\b|"
    r"'s\b(?= (?:a|an|the|now|been|not|\d))"
    r"|[在是用叫放住做有要会能得爱喜怕吃喝姓不没改搬换讨想去来开养发填写排][^，。]"
)
SKIP_OPENING = re.compile(
    r"^(?:(?:the|a|an|our|my|your|this|that|so|well|and|but|btw|now|currently|for|please)\s+|"
    r"[我咱这那的个把嗯啊，,\s]|现在|目前|以后|今后|最近|上周|上个?月|去年|今年|昨[天晚]|今天|"
    r"我们|我家|咱们)+"
)

MARKS: dict[str, re.Pattern[str]] = {
    name: re.compile(pattern)
    for name, pattern in {
        # A state began, ended or gave way to another.
        "change": (
            r"改(?:成|到|为|用|名|口|了|在|喝|吃|住|去|叫|坐|走)|改(?= ?\d)|换(?:成|了|到|去|"
            r"用|个|上|号)|搬(?:到|去|进|来|回|了|家)|挪|调(?:到|成|去|为)|升(?:到|级|为|职|了|"
            r"高|上)|涨|降(?:到|为|了|至)|压(?:到|缩)"
            r"|变(?:成|为|了)|转(?:到|为|成|去|行|岗|学|正)|跳槽|离职|辞|退(?:了|休|租|出|役)|"
        r"卖(?:了|掉)|扔了|停(?:了|用|掉)|取消|关(?:了|掉|闭|门)|散了|分手|离婚|戒|迁(?:到|移|"
        r"至)|延(?:到|期|后)|推迟|提前|缩(?:到|短|减)|加到|减到|放宽|收紧|下调|上调|当上|成了|"
        r"毕业|领证"
        r"|\b(?:moved?|switch(?:ed)?|changed?|swapp?(?:ed)?|shift(?:ed)?|migrat(?:ed|ing)|"
        r"upgrad(?:ed|e)|downgraded|rais(?:ed|e)|lower(?:ed)?|cut|drop(?:ped)?|replac(?:ed|"
        r"es?)|renam(?:ed|e)|quit|sold|left|gave up|given up|stopp(?:ed|ing)|retired?|closed|"
        r"cancell?ed|postponed|rescheduled|settled|joined|became|turned|went (?:up|down|back)|"
        r"gone (?:up|down|back|off)|took up|taken up|broke up|split|divorced|married|converted|"
        r"transferred|promoted|relocated|pushed|extended|shortened|grown|reduced|increased|"
        r"down to|up to|no more|as of)\b|\bnew (?:\w+ ){1,3}(?:is|:)|: "
        ),
        "now": (
            r"现在|如今|目前|眼下|这阵子|从今|以后|今后|已经|已(?=[不改换经])|刚(?:刚)?(?:过|"
            r"升|换|搬)|\b(?:now|nowadays|these days|currently|from now on|going forward|"
            r"at present|lately|already|just)\b"
        ),
        "no_longer": (
            r"不再|再也不|早就?不|已经?不|不[^，。不没]{1,6}了(?:$|[，。；！])|"
            r"别[^，。]{1,8}了(?:$|[，。])|没[^，。]{0,4}了(?:$|[，。])|不用[^，。]{1,8}了|"
            r"\b(?:no longer|any ?more|not any ?more|used to|ex-|former)\b|\bdropped\b"
        ),
        "done": r"了(?:$|[，。；！!])",
        "past": (
            r"以前|从前|曾经|曾(?=[在是任当做住用有去])|过去|原来(?:是|在|住|用)|当年|小时候|那时候?|之前(?:在|是|住|用)|"
            r"\b(?:used to|formerly|once was|back then|years ago|in the past|previously|"
            r"as a child|grew up|studied|was born|until last)\b|\b(?:i|he|she|we) was\b"
        ),
        "once": (
            r"这(?:一)?(?:次|回|趟)|那(?:一)?(?:次|回|趟)|就一次|只此|下不为例|除外|例外|破例|"
            r"唯独|唯一|除非|\b(?:this (?:time|once)|just this|for once|except|exception|"
            r"unless|only (?:this|that|her|him|for|on)|one[- ]off|once a year|the one)\b"
        ),
        # Restricts a statement to some case: a person, a thing, an occasion.
        "scope": (
            r"^(?:给|对|只有|唯有|除了|除|要是|如果|遇到|碰上|逢|陪|坐|像)|的时候|那(?:份|个|"
            r"次|种|天|回|边|位|家)|时(?:可以|能|才|不)|倒是|还是用|还是要|另外|特殊|"
            r"[^，。]{1,6}(?:先生|女士|老师|总)(?:的|可以|不用|那)|\b(?:for (?:mrs?|ms|dr|the|"
            r"my|our|\w+s)|when(?:ever)?|if|at \w+|on the (?:last|first|day|night)|during|"
            r"while|until|may|can|(?:is|are) (?:ok(?:ay)?|fine|allowed)|still)\b"
        ),
        "universal": (
            r"所有|一律|每(?:次|个|一|单|天|周|份)|都(?=[要用得是不放走])|从不|从来|全(?:部|都|"
            r"是)|必须|只[住吃喝用走要]|永远|绝不|任何|一概|总是|周末不|后不|不许|不准|"
            r"别(?=[给碰提发])|\b(?:all|every(?:thing|one|body|where)?|always|never|any|only|"
            r"must|none|nobody|no\b(?= \w+s\b)|aren't allowed|don't|without)\b"
        ),
        "permit": (
            r"可以|允许|准许|不用|不必|无需|能(?=[吃喝用加来去叫])|没问题|随便|\b(?:can|may|"
            r"allowed?|okay|ok|fine|welcome|needn't|need not|don't need|happy to|free to)\b"
        ),
        "forbid": (
            r"不许|不准|禁止|不能|不可以|不得|别(?=[给碰提发吵打])|不要|严禁|\b(?:mustn't|"
            r"must not|never|don't|do not|cannot|can't|not allowed|aren't allowed|"
            r"isn't allowed|forbid\w*|ban(?:ned)?\b|no\b)"
        ),
        "multi": (
            r"喜欢|爱(?=[吃喝看听玩打踢])|过敏|会(?=[弹说写做唱用开])|学(?:了|习|过)?|"
            r"养(?=[了着过鸟鱼猫狗])|种(?:了|着|过)|认识|去过|买了|怕|看(?:过|完|了)|"
            r"\b(?:likes?|loves?|enjoys?|allerg\w+|speaks?|learn(?:s|ing)?|plays?|grows?|owns?|"
            r"knows?|visited|bought|read|knits?|bakes?|makes?|collects?|fear|afraid)\b"
        ),
        "use": (
            r"用(?!户)|使用|跑的?是|基于|\b(?:uses?|using|runs?|running|codes? in|written in|"
            r"built (?:on|with)|based on)\b"
        ),
        # Something that took place at its time: it stays true whatever comes after.
        "event": (
            r"昨[天晚日]|前[天晚]|上(?:个)?(?:周|月|星期|礼拜)|去年|前年|刚才|那天|"
            r"\b(?:yesterday|last (?:night|week|weekend|month|year|summer|winter|spring|fall|"
            r"autumn|mon|tues?|wed|thurs?|fri|sat|sun|\w+day)|ago|the other day|recently)\b"
        ),
        "restate": (
            r"还是|仍(?:然|旧)?|依然|照旧|没变|一如既往|\b(?:still|as before|as always|as ever|"
            r"same as|again|unchanged)\b"
        ),
    }.items()
}  # fmt: skip
SLOTS: dict[str, re.Pattern[str]] = {
    name: re.compile(pattern)
    for name, pattern in {
        "home": (
            r"住(?!院|宿费)|家在|家住|搬(?:到|去|进|回|家)|定居|\b(?:live[sd]?|living|reside|"
            r"resident|settled|moved (?:to|back|into)|relocat\w+|home (?:is|address))\b"
        ),
        "work": (
            r"上班|工作|任职|就职|入职|供职|跳槽|离职|辞职|\b(?:works? (?:at|for|in|as)|job|"
            r"employ\w*|joined|hired)\b"
        ),
        "name": r"叫(?!我起|醒)|名字|改名|更名|姓|\b(?:call(?:ed)?|named?|renamed|nickname)\b",
        "age": r"岁|今年.{1,3}[十]|\b(?:years? old|aged|turn(?:s|ed|ing) \w+|birthday)\b",
        "love": (
            r"单身|结婚|已婚|未婚|离婚|领证|恋爱|分手|丧偶|\b(?:single|married|unmarried|"
            r"engaged|divorced|widow\w*|wedding|bachelor)\b"
        ),
        "place": (
            r"放(?:在|到)?|存(?:在|放|到)|在[^，。]{1,8}[楼层室号路街区柜屉架]|\b(?:kept?|"
            r"stored?|located|lives in the|upstairs|downstairs)\b"
        ),
        "clock": (
            r"每[天日周月年晚早]|点(?:半|钟)?|早上|晚上|下午|凌晨|周[一二三四五六日末]|"
            r"\b(?:daily|weekly|every|am|pm|o'clock|mornings?|evenings?|\w+days?)\b"
        ),
        "code": (
            r"号码?|端口|密码|尾号|编号|账号|地址|\b(?:port|password|code|number|pin|address|"
            r"extension|id)\b"
        ),
        "money": (
            r"租|价|费|预算|工资|薪|钱|元|块|\b(?:rent|price|fee|budget|salary|cost|pays?|wage|"
            r"rate)\b|[£$€¥]"
        ),
        "like": (
            r"喜欢|爱(?=[吃喝看听玩打踢])|钟意|偏爱|最爱|中意|\b(?:likes?|loves?|enjoys?|"
            r"prefers?|fond|fan of|favou?rites?|into|keen)\b"
        ),
        "dislike": (
            r"讨厌|不喜欢|不爱|反感|恨|受不了|烦(?=[他她人这])|\b(?:hates?|dislikes?|"
            r"can't stand|loathe|detest|despise|not a fan)\b"
        ),
        "allergy": r"过敏|\ballerg\w+|intoleran\w+",
        "diet": (
            r"吃素|素食|[忌戒不][吃喝]|滴酒|\b(?:vegan|vegetarian|teetotal|doesn't (?:eat|"
            r"drink|touch)|don't (?:eat|drink|touch)|never (?:eats?|drinks?))\b"
        ),
    }.items()
}  # fmt: skip
FRAME_SLOTS = ("like", "dislike", "allergy", "home", "name")
"""Slots whose words only frame the filler: what is left without them is what is said."""
LIGHT = re.compile(
    r"用户|现在|目前|如今|[吃喝]|最|很|非常|特别|真|就|家在"
    r"|\b(?:the user|user|eat(?:s|ing)?|drink(?:s|ing)?|hav(?:e|ing)|really|so much|a lot|now|"
    r"currently|"
    r"quite|most)\b"
)
SINGLE_SLOTS = frozenset({"home", "work", "name", "age", "love", "place", "clock", "code", "money"})
"""Slots that hold one filler at a time: a new one ends the old one."""

AVERSION = re.compile(
    r"不(?:太|怎么|大)?(?:喜欢|爱(?=[吃喝看听玩打踢]))"
    r"|\b(?:do not|don't|does not|doesn't|not) (?:really |much )?(?:like|enjoy|love)\b|"
    r"\bnot a fan of\b|\bcan(?:no|')t stand\b"
)
"""Denied liking: it is disliking, and counts as no denial of its own."""
IDIOM = re.compile(
    r"[赶等来]不及|说不定|不得了|了不得|不一定|忍不住|巴不得|恨不得"
    r"|\bcan(?:'t|not) (?:wait|help)\b|\bcouldn't (?:agree more|be (?:happier|better|more))\b"
    r"|\bno (?:wonder|doubt|problem)\b|\bnot only\b"
)
"""Set phrases with a negator in them that deny nothing."""
NEGATOR = re.compile(
    r"不(?!过|仅|但|只|错|同|管|论|如|断|少|客气|好意思)|没(?!事|错|关系|问题|准)|"
    r"(?<![特分区级类性个告派鉴])别(?!的|人|处|墅|提|扭|针)|勿|禁止|严禁|拒绝|戒|未(?!必|来|"
    r"婚)|无(?:需|须|法)|免(?=了|谈)"
    r"|\b(?:not|never|no|none|nothing|nobody|neither|nor|cannot|without|stopp?(?:ed)?|quit|"
    r"teetotal)\b|n't\b"
)
GOOD = re.compile(
    r"喜欢|爱(?=[吃喝看听玩打踢上])|钟意|偏爱|享受|乐意|可以|允许|支持|同意"
    r"|\b(?:like|love|enjoy|prefer|fond|fan|happy|allow(?:ed)?|can|may|agree|keen|okay|fine|"
    r"welcome)(?:s|d)?\b"
)
BAD = re.compile(
    r"讨厌|反感|恨(?!不得)|受不了|厌|怕|禁止|不许|不准|反对|拒绝"
    r"|\b(?:hate|dislike|loathe|detest|despise|afraid|fear|forbid(?:den)?|banned|against|"
    r"refuse)(?:s|d)?\b"
)
