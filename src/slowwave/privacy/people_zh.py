"""Chinese names: surname and given name by what stands around them, forms of address, fields.

A surname's character alone says little (高 is high, 方 is square). So a name needs a given name of
characters that names are made of, no word of the language across its edges, and company that
names keep: a cue before it, a person's verb or a pause behind it.
"""

import re
from collections.abc import Iterator
from functools import cache

from slowwave.privacy.fields import label_kind
from slowwave.privacy.kinds import Found
from slowwave.privacy.names import (
    COMPOUND,
    given_chars,
    rare_surnames,
    surname_chars,
    twice_words,
    zh_words,
)
from slowwave.privacy.people_abroad import SOUNDS, find_abroad
from slowwave.privacy.people_zh_full import AFTER, EVERYDAY, NEVER, begins_word, find_full
from slowwave.privacy.terms import word_set

__all__ = ["find_chinese"]

_H = r"[\u4e00-\u9fff]"
_TITLE = (
    "医师|药师|技师|讲师|厨师|法师|摄影师|心理师|咨询师|营养师|会计师|理财师|教官|主播|博主"
    "|站长|组长|课长|股长|司长|厅长|市长|县长|镇长|主席|代表|委员|议员|干事|专员|将军|上校"
    "|营长|连长"
    "|警察|民警|法医|护工|保安|司机|快递员|管家|道长|神父|牧师|参谋|研究员|分析师|经纪人|督导"
    "|老师|医生|大夫|经理|总监|总裁|总经理|主任|教授|先生|女士|小姐|太太|夫人|阿姨|叔叔|师傅"
    "|师父|律师|护士|护士长|编辑|主编|导演|院长|校长|局长|处长|科长"
    "|部长|书记|董事长|董事|老板|老板娘|同学|同志|警官|教练|博士|奶奶|爷爷|婆婆|妈妈|爸爸"
    "|队长|班长|所长|厂长|会计|秘书|助理|顾问|法官|检察官|行长|店长"
    "|村长|主管|大哥|大姐|大爷|大妈|大叔|大婶|伯伯|伯母|婶婶|嫂子|学长|学姐|学弟|学妹|前辈"
    "|工程师|设计师|架构师|美女|帅哥|小哥|二哥|三哥|二姐|三姐|房东|中介"
)
_WEAK_TITLE = (
    r"总(?!结|体|量|部|是|之|共|数|会|监|裁|务|理|统|算|归|和|得|要|能|而|领|有|分|价|额|在"
    r"|想|觉|感|以|公|局|署|书|计|值|长|线|站)"
    r"|工(?!作|程|厂|人|具|业|资|期|地|艺|序|号|会|单|时|商|科|学|伤|匠|部|龄|钱|种|笔|整)"
    r"|[哥姐叔姨婶嫂爷姑伯](?!们?[兰伦斯布])|董(?!事)|导(?!致|入|出|航|师|演|游|弹|电|购|览"
    r"|向|管|读)"
    r"|局(?!面|部|势|长|限|域)|处(?!理|于|在|长|方|分|罚|女)|队(?!伍|友|员|列|长)|校(?!园|区"
    r"|长|验|对|准|友)|行(?!长|为|动|业|程|李|政|人|驶|情)"
)
_NEVER_CLASS = (
    "的了是在有不我你他她它们这那个吗呢吧啊哪什么怎就也都还和跟与或把被给让从到对于为以所而且"
    "但说去来问找叫"
)
_OLD = re.compile(
    rf"(?<![小老阿])[老小阿大](?P<whose>[SURNAMES])(?![们儿子话题])"
    rf"|阿(?P<given>{_H})(?![{SOUNDS.replace('那', '')}])"
    rf"|[小老大](?P<little>{_H})"
)
_TITLED = re.compile(
    rf"(?P<name>(?:{COMPOUND}|[SURNAMES])(?:(?![{_NEVER_CLASS}]){_H}){{0,2}}?)(?P<"
    rf"title>{_TITLE})"
)
_SHORT = re.compile(rf"(?P<name>{COMPOUND}|[SURNAMES])(?P<title>{_WEAK_TITLE})")
_FIELD = re.compile(
    r"(?:姓\s?名|联系人|收件人|收货人|寄件人|发件人|患者|病人|客户(?:姓名)?|户名|持卡人"
    r"|开户名|开户人|法人(?:代表)?|法定代表人|负责人|经办人|申请人|乘客|乘车人|乘机人|旅客"
    r"|入住人|投保人|被保险人|受益人|学生|家长|监护人|甲方|乙方|签名|署名|作者|候选人|面试者"
    r"|员工|讲师|紧急联系人|配偶|父亲|母亲|昵称|称呼|经手人|审批人|主诉人|当事人|原告|被告"
    r"|证人|买方|卖方|房东|租客|业主|护士|医生|司机)"
    rf"[\"'”]?\s?[:=|是为]\s?[\"'“「]?(?P<name>{_H}{{2,4}}(?:·{_H}{{1,6}})?)(?![\u4e00-\u9fff])"
)
_BARE_FIELD = re.compile(
    rf"(?:姓名|联系人|收件|寄件|签收|收件人|收货人|寄件人|患者|户名|持卡人|开户名|法定代表人"
    rf"|经办人|申请人"
    rf"|乘客|乘机人|入住人|投保人|被保险人|受益人|对接人|负责人)\s?"
    rf"(?P<name>(?:{COMPOUND}|[SURNAMES]){_H}{{1,2}})(?![\u4e00-\u9fff])"
)
_NAMED = re.compile(
    rf"(?:名叫|小名叫?|大名叫?|外号叫?|绰号叫?|乳名叫?|昵称叫?|名字(?:是|叫)"
    rf"|(?<!一样)(?<![喊把])(?:我|他|她|你|宝宝|孩子|儿子|女儿|老婆|老公|妻子|丈夫|太太|妈妈"
    rf"|爸爸|弟弟|妹妹|哥哥|姐姐|朋友|同事|同学|室友|老师|医生|阿姨|司机|房东|邻居|对象|侄子"
    rf"|侄女|外甥|孙子|孙女|表弟|表妹|表哥|表姐|猫|狗)(?:就)?叫)(?:做|作)?"
    rf"[“「\"']?(?P<name>[小阿老大]?{_H}{{1,3}})(?=[,，。；;！!？?、\s)”」\"'.]|$|今年|是|在"
    rf"|和|跟|刚|才|上|读|说)"
)
_KIN = re.compile(
    r"(?:宝宝|孩子|娃|我家|老婆|妻子|丈夫|老公|爱人|媳妇|太太|先生|儿子|女儿|闺女|大女儿"
    r"|小女儿|大儿子|小儿子"
    r"|爸爸|妈妈|父亲|母亲|哥哥|姐姐|弟弟|妹妹|爷爷|奶奶|外公|外婆|朋友|闺蜜|同事|同学|室友"
    r"|舍友|邻居|房东|女友|女朋友|男朋友|男友|前任|前男友|前女友"
    r"|导师|老板|领导|上司|上级|下属|秘书|助理|司机|保姆|医生|律师|客户|学生|徒弟|师傅"
    r"|[表堂大小二三四五]?(?:哥|姐|弟|妹|嫂|叔|伯|舅|姨|姑|婶)(?:子|父|母|妈|夫|爹)?|叔叔|舅舅|姑姑|姑妈|姨妈|阿姨|侄子|侄女|外甥女?|孙子|孙女"
    r"|嫂子|姐夫|妹夫|弟媳|儿媳|女婿|岳父|岳母|公公|婆婆|亲家|合伙人|搭档|候选人|实习生"
    r"|产品经理|设计师|同桌|发小|伴侣|未婚[夫妻])"
    rf"(?:是|叫|,|、)?[“「\"(]?(?P<name>(?P<twice>{_H})(?P=twice)|(?:{COMPOUND}|[SURNAMES]){_H}{{1,2}}"
    rf"|[小阿大老]{_H})"
)
_LATIN_KIN = re.compile(
    r"(?:老婆|妻子|丈夫|老公|爱人|媳妇|太太|儿子|女儿|朋友|闺蜜|同事|同学|室友|邻居|房东|女友"
    r"|女朋友|男朋友|男友|导师|老板|领导|上司|助理|客户|学生|老师|医生|哥哥|姐姐|弟弟|妹妹"
    r"|爸爸|妈妈|我叫|名叫|她叫|他叫|我是)"
    r"(?:是|叫|,|:)?\s?(?P<name>[A-Z][a-zÀ-ɏ'-]{1,15}(?:\s[A-Z][a-zÀ-ɏ'-]{1,15})?)(?![A-Za-z0-9.])"
)
_FOREIGN = re.compile(rf"[{SOUNDS}]{{1,7}}(?:[·•・][{SOUNDS}]{{1,8}}){{1,3}}")


@cache
def _ready(pattern: re.Pattern[str]) -> re.Pattern[str]:
    return re.compile(pattern.pattern.replace("SURNAMES", surname_chars()))


_DOING = re.compile(
    rf"(?:给|跟|和|约|找|请|等)(?P<name>(?:{COMPOUND}|[SURNAMES]){_H}{{1,2}}?)"
    r"(?=打个?电话|打了|回个?电话|发个?(?:微信|短信|消息|邮件)|写信|吃饭|见面|聊聊|喝|道歉|过生日|确认|沟通|商量|对接|核对|讨论|汇报|请示|说一声|讲过?|谈过?"
    r"|约了|约好|对一下|开会|吵架?|打招呼|解释)"
)
_CALLED = re.compile(
    rf"(?:[,，的位人儿字家]|^)(?:就|都|也|大家|我们|人家|人)?叫(?:做|作)?[“「\"']?(?P<name>(?![我你他她它大人外车醒停好板座苦骂喊嚷不什了着过出来去])"
    rf"{_H}{{2,4}})(?=[,，。；;、\s)）”」\"'!！?？]|$)"
    rf"|(?:带着?|抱着?|哄着?|喂|接|送|陪着?|牵着|背着)(?P<twice>(?P<half>{_H})(?P=half))(?=[去来上打看睡回出吃洗放下玩到在和跟做学,，。、\s]|$)"
)
_PARENT = re.compile(
    rf"(?P<name>(?P<same>{_H})(?P=same)|[小阿大老]{_H}|[SURNAMES]{_H}{{1,2}})(?:他|她|家)?(?:爸爸?|妈妈?|爷爷|奶奶|姥姥|姥爷"
    r"|外婆|外公|家长)(?!妈|爸)"
)
"""Somebody's father or mother, by the child's name."""
_GREETED = re.compile(
    rf"(?:^|[\n,，。;；!！?？\s@:：])(?P<name>(?!孩子|宝宝|我的|你的|他的|她的|大家|各位|亲爱|家长|老师|同学|我们|你们){_H}{{2,3}}?)"
    r"(?:妈妈|爸爸|妈|爸|奶奶|爷爷|家长)(?=[你您]好|[,，:：！!]|[说问在]|$)"
    rf"|(?:^|[\n,，。;；!！?？\s@:：])(?P<older>(?![大小表堂老帅二三四五这那他她我你]){_H}{{1,2}}?)[哥姐](?=[,，:：！!、]|[你您]|[说问在来]|$)"
)
_ROLE = re.compile(
    rf"(?:教练|老师|师傅|经理|主任|助理|销售|中介|司机|保安|客服|顾问|医生|护士|律师|会计|队长|班长|店长|老板|房东|保姆|护工)"
    rf"(?P<name>{_H}{{2,3}}?)(?=让|说|叫|给|在|要|问|帮|发|打电话|来了|[,，。;；、\s]|$)"
)
_SURNAME = re.compile(
    rf"(?:免贵|[我他她您你工的人])?姓(?P<name>{COMPOUND}|[SURNAMES])(?=[,，。;；、!！的\s]|$|叫)"
)
_OTHER_NAME = "(?:英文名|中文名|曾用名|艺名|笔名|外号|绰号|本名|真名|别名|网名|乳名|人称)"
_ALIAS = re.compile(
    rf"(?<!{_H})(?P<name>{_H}{{2,3}})[,、( ]?{_OTHER_NAME}"
    rf"|{_OTHER_NAME}[是为叫: ]{{0,2}}(?P<other>{_H}{{2,3}})(?!{_H})"
)
_PLACES = word_set(
    "房东 平台 公司 单位 客服 家人 家里 全家 万家 高层 方面 时候 成员 常客 安保 施工队 房管 房管局"
)


def find_chinese(text: str) -> Iterator[Found]:
    """Chinese names of people in a text."""
    yield from _cued(text)
    yield from _called(text)
    yield from _addressed(text)
    yield from find_full(text)
    yield from find_abroad(text)
    if "·" in text or "・" in text or "•" in text:
        yield from (Found(*match.span(), "PERSON") for match in _FOREIGN.finditer(text))


def _cued(text: str) -> Iterator[Found]:
    """Names in the fields of a form, behind kin or naming, and of people one deals with."""
    yield from (
        Found(*match.span("name"), "PERSON") for match in _ready(_BARE_FIELD).finditer(text)
    )
    for match in _ready(_DOING).finditer(text):
        if match["name"] not in _PLACES:
            yield Found(*match.span("name"), "PERSON")
    for match in _ROLE.finditer(text):
        if all(char in given_chars() for char in match["name"]) and _is_named(match["name"]):
            yield Found(*match.span("name"), "PERSON")
    for pattern in (_FIELD, _NAMED, _LATIN_KIN, _KIN):
        for match in _ready(pattern).finditer(text):
            start, end = match.span("name")
            if pattern is _KIN:
                end = _trimmed(text, start, end)
            close = len(match["name"]) == 2 and text[start] in "小阿大老"
            sure = pattern in (_FIELD, _NAMED) or (close and text[start:end] not in _NOT_CLOSE)
            if pattern is _LATIN_KIN or _is_named(text[start:end], sure=sure):
                yield Found(start, end, "PERSON")


def _called(text: str) -> Iterator[Found]:
    """Nicknames, other names, and somebody's father or mother."""
    for match in _CALLED.finditer(text):
        group = "twice" if match["twice"] else "name"
        if match[group] not in _NO_NAMES and match[group][-1] not in "了的吗呢吧么着过":
            yield Found(*match.span(group), "PERSON")
    for match in _ready(_PARENT).finditer(text):
        if match["name"] not in _NO_NAMES and match["name"] not in zh_words():
            yield Found(*match.span("name"), "PERSON")
    for match in (*_GREETED.finditer(text), *_ready(_SURNAME).finditer(text)):
        group = match.lastgroup or "name"
        if match[group] not in _NO_NAMES:
            yield Found(*match.span(group), "PERSON")
    for match in _ALIAS.finditer(text):
        group = "name" if match["name"] else "other"
        if _is_named(match[group]):
            yield Found(*match.span(group), "PERSON")


_NO_NAMES = word_set(
    "学生 同学 朋友 同事 老板 客户 孩子 用户 员工 家长 司机 什么 这个 那个 怎么 我们 你们 "
    "他们 她们 大家 自己 不是 没有 一个 妈妈 爸爸 爷爷 奶奶 "
    "哥哥 姐姐 弟弟 妹妹 宝宝 老师 医生 先生 女士 小姐 谢谢 天天 常常 刚刚 偏偏 渐渐 慢慢 "
    "好好 全职 单亲 职场 新手 高龄 二胎 "
    "小时 小区 小孩 小学 小心 小朋友 老家 老人 阿姨 外卖 醒醒 过来 起来 出来 过去 一声 停止 "
    "未知 匿名 暂无 无 空 待定 同上 本人 公司 部门 名称 电话 地址 看看 想想 试试 聊聊 问问 "
    "说说 往往 明明 仅仅 早早 整整 爱人"
)


def _is_named(name: str, *, sure: bool = False) -> bool:
    """Whether words in a name's place are one; `sure` when the place leaves little doubt."""
    twice = len(name) == 2 and name[0] == name[1]
    word = not sure and (name in twice_words() if twice else name in zh_words())
    return (
        name not in _NO_NAMES
        and not word
        and label_kind(name) is None
        and name[-1] not in "吗呢吧的了么"
    )


def _trimmed(text: str, start: int, end: int) -> int:
    """A third character that cannot be part of a given name, or begins the next word, is cut."""
    if end - start == 3 and text[start : start + 2] not in COMPOUND.split("|"):
        last = text[end - 1]
        if last in NEVER or begins_word(text, end - 1):
            return end - 1
        if (
            text[end - 2] != "一"
            and (  # 李一凡: by its middle it is no name of two
                last not in given_chars() or text[end - 1 : end + 1] in zh_words()
            )
        ):
            return end - 1
    return end


def _addressed(text: str) -> Iterator[Found]:
    """老王, 小李, 阿杰, 王总, 张医生, 王小明老师."""
    words = zh_words()
    if any(char in text for char in "老小阿大"):
        yield from _familiar(text)
    for match in _ready(_TITLED).finditer(text):
        name = match["name"]
        if len(name) == 1 and _alone(text, match, words):
            yield Found(*match.span(), "PERSON")
        elif len(name) > 1 and not _wordy(name):
            yield from _longer(text, match, words)
    for match in _ready(_SHORT).finditer(text):
        start = match.start()
        if text[max(0, start - 1) : start + 1] not in words and match[0] not in words:
            yield Found(*match.span(), "PERSON")


def _alone(text: str, match: re.Match[str], words: frozenset[str]) -> bool:
    """Whether a surname before a title is one: 林阿姨, not the 车 of 货车司机 or 席 of 首席医师."""
    start, name = match.start(), match["name"]
    if name in _CLASSIFIERS:
        return False
    if name in EVERYDAY and text[max(0, start - 1) : start + 1] in words:
        return False
    weak = len(match["title"]) == 1 and name + match["title"][:1] in words
    return not weak and not _across(text, start, words)


def _longer(text: str, match: re.Match[str], words: frozenset[str]) -> Iterator[Found]:
    """王小明老师; where the first character ends a word, what is behind it: 换成|桑大爷."""
    start, name = match.start(), match["name"]
    if not _across(text, start, words):
        yield Found(*match.span("name"), "PERSON")
    elif name[1] in surname_chars() and name[1] not in _CLASSIFIERS:
        yield Found(start + 1, match.end() if len(name) == 2 else match.end("name"), "PERSON")


def _across(text: str, start: int, words: frozenset[str]) -> bool:
    """Whether what looks like a surname ends a word, such as the 许 of 特许会计师; not 大连|于."""
    if _THANKS.search(text, max(0, start - 2), start + 1):
        return True
    pair, before = text[max(0, start - 1) : start + 1], text[max(0, start - 2) : start]
    return pair in words and pair[0] not in _CUES and before not in words


_CLASSIFIERS = "位"
"""这位老师, 12位医生: it counts people."""
_CUES = frozenset("和跟与给找约请让问对被由叫是有的把替帮陪见向比同及到在去来说看等谢")
"""Words by themselves before a name, though with its first character they look like another."""

_THANKS = re.compile("[感多]谢$|(?<![感多谢])谢谢$")

_SMALL = (
    "年老",
    "大小",
    "从小",
    "多小",
    "变老",
    "很老",
    "不老",
    "太小",
    "很小",
    "古老",
    "最小",
    "缩小",
)


def _familiar(text: str) -> Iterator[Found]:
    """老王, 小李, 阿杰: a surname or a given name behind a small word of closeness."""
    words = zh_words()
    for match in _ready(_OLD).finditer(text):
        start, end = match.span()
        if text[max(0, start - 1) : start + 1] in _SMALL:
            continue
        if match[0] in words and not match["given"]:
            continue
        if text[start : start + 3] in words or match[0] in _NOT_CLOSE:
            continue
        follows = bool(AFTER.match(text, end)) or text[end : end + 1] in "那这"
        if match["whose"]:
            known = text[end - 1 : end + 1] not in words and (text[start] != "大" or follows)
        elif match["given"]:
            known = match["given"] not in NEVER and (match["given"] in given_chars() or follows)
        else:
            char = match["little"]
            rare = char in rare_surnames() or (char in given_chars() and char not in EVERYDAY)
            known = rare and follows and text[start] == "小"
        if known:
            yield Found(start, end, "PERSON")


_NOT_CLOSE = word_set(
    "阿们 阿伯 阿哥 阿婶 阿爸 阿妈 阿婆 阿公 阿姐 阿妹 阿弟 阿片 阿胶 阿訇 阿谀 阿门 阿族 "
    "阿盟 阿房 阿坝 阿拜 阿式 阿萨 "
    "阿里 阿拉 阿尔 阿富 阿根 阿联 阿司 阿莫 阿斯 阿迪 阿姨 小雨 小雪 小米 小麦 "
    "小红 小蓝 小燕 小凤 小菊 小竹 小虎 小豹 小巧 小镇 小溪 小河 小湖 小舟 小桥 小楼 "
    "小草 小熊 小猫 小鹿 小鱼 小鸟 小桃 小荷 小苗 小笛 小岛 小岩 小城 小铁 小彩 小帅 小灵 "
    "小亮 小兵 小胜 小康 小贝"
)


def _wordy(name: str) -> bool:
    return name[:2] in zh_words() or any(char in NEVER for char in name[1:])
