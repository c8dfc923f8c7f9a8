"""Chinese names: surname and given name by what stands around them, forms of address, fields.

A surname's character alone says little (高 is high, 方 is square). So a name needs a given name of
characters that names are made of, no word of the language across its edges, and company that
names keep: a cue before it, a person's verb or a pause behind it.
"""

import re
from collections.abc import Iterator
from functools import cache

from slowwave.privacy.kinds import Found
from slowwave.privacy.names import given_chars, surname_chars, zh_words
from slowwave.privacy.terms import word_set
from slowwave.text.entities import ZH_COMPOUND_SURNAMES, ZH_SURNAMES

__all__ = ["find_chinese", "given_of"]

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
_CUE_BEFORE = re.compile(
    r"(?:[和跟与给找约请让问对被由叫是@把替帮陪见向比同及、,，。；;:！!？?\s\"“”「」『』()\[\]"
    r"【】《》<>|/\-—·•*#]|我们|咱们|\d[.、)]|^|听说|认识|姓|名字|名叫|联系|感谢|谢谢|通知"
    r"|提醒|告诉|采访"
    r"|看到|遇到|碰到|想起|得知|昨天|今天|明天|上午|下午|晚上|早上|中午|刚才|刚刚|后来|因为"
    r"|如果|于是|但是|不过|而且|还有|包括|以及|只有|除了|关于|根据|按照|代表|介绍|推荐|嫁给"
    r"|娶了|喜欢|爱上|等|为|说|的|去|接|送|了|有|加|派|选|聘|找到|拜托|委托|麻烦)$"
)
_STRONG_CUE = re.compile(
    r"(?:叫|名叫|姓名|我是|名字是|名字叫|联系人|收件人|收货人|负责人|对接人|患者|客户|嫁给"
    r"|认识|[@])[:是为叫\s\"]{0,3}$"
)
_AFTER = re.compile(
    r"[在,，。；;:！!？?\s\"“”」』)）\]】、…~]|$"
    r"|[说问告找打发给来去回走到住想要会能把被将就也又还都已刚正在有没不是和跟与同及的地得喜欢"
    r"觉认提建写做负送寄买请让带看约叫对从向于陪帮教学读生病住结离嫁娶今明昨上下早晚中刚曾先后"
    r"只可应该必须需似好像似当任担升辞入加转介推分签拿吃喝睡哭笑怕爱恨等接开关出进过搬换变成]"
)
_NEVER = frozenset(
    "的了是在有不我你他她它们这那个吗呢吧啊哪什么怎就也都还和跟与或把被给让从到对于为以所而且"
    "但很太最更再又已没要会能可应该去来说着过得地之其此每各某上下里外中间前后左右大多少几两三"
    "四五六七八九十百千万亿元块号年月日时分秒点件条次种样些"
)
_NEVER_CLASS = (
    "的了是在有不我你他她它们这那个吗呢吧啊哪什么怎就也都还和跟与或把被给让从到对于为以所而且"
    "但说去来问找叫"
)
_OLD = re.compile(
    rf"(?<![小老阿])[老小阿](?P<whose>[SURNAMES])(?![们儿子话题])|阿(?P<given>{_H})"
    rf"|小(?P<little>{_H})"
)
_TITLED = re.compile(
    rf"(?P<name>(?:{ZH_COMPOUND_SURNAMES}|[SURNAMES])(?:(?![{_NEVER_CLASS}]){_H}){{0,2}}?)(?P<"
    rf"title>{_TITLE})"
)
_SHORT = re.compile(rf"(?P<name>[SURNAMES])(?P<title>{_WEAK_TITLE})")
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
    rf"(?P<name>(?:{ZH_COMPOUND_SURNAMES}|[SURNAMES]){_H}{{1,2}})(?![\u4e00-\u9fff])"
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
    r"|表[哥姐弟妹]|堂[哥姐弟妹]|叔叔|舅舅|姑姑|姑妈|姨妈|阿姨|侄子|侄女|外甥女?|孙子|孙女"
    r"|嫂子|姐夫|妹夫|弟媳|儿媳|女婿|岳父|岳母|公公|婆婆|亲家|合伙人|搭档|候选人|实习生"
    r"|产品经理|设计师|同桌|发小|伴侣|未婚[夫妻])"
    rf"(?:是|叫|,|、)?[“「\"(]?(?P<name>(?:{ZH_COMPOUND_SURNAMES}|[SURNAMES]){_H}{{1,2}}"
    rf"|[小阿]{_H}|(?P<twice>{_H})(?P=twice))"
)
_LATIN_KIN = re.compile(
    r"(?:老婆|妻子|丈夫|老公|爱人|媳妇|太太|儿子|女儿|朋友|闺蜜|同事|同学|室友|邻居|房东|女友"
    r"|女朋友|男朋友|男友|导师|老板|领导|上司|助理|客户|学生|老师|医生|哥哥|姐姐|弟弟|妹妹"
    r"|爸爸|妈妈|我叫|名叫|她叫|他叫|我是)"
    r"(?:是|叫|,|:)?\s?(?P<name>[A-Z][a-zÀ-ɏ'-]{1,15}(?:\s[A-Z][a-zÀ-ɏ'-]{1,15})?)(?![A-Za-z0-9.])"
)
_SOUNDS = (
    "阿埃艾安奥巴白贝本比彼毕边波伯布查察达戴丹德邓迪蒂丁多杜厄尔恩法凡菲费芬丰佛弗福富盖冈高"
    "戈格贡古哈海汉赫黑亨华怀霍基吉加嘉贾杰金卡凯坎康考柯科可克肯库奎拉莱兰朗劳勒"
    "雷蕾李里丽利莉林琳留刘卢鲁路伦罗洛马玛迈麦曼梅门蒙米密敏明莫默姆木慕穆那纳娜奈南内尼年妮"
    "宁牛努诺欧帕派潘佩皮匹珀普奇恰切钦琴琼丘乔热日萨塞赛桑森沙莎尚绍舍申圣史斯丝苏素索"
    "塔泰坦汤唐特提廷汀图托瓦万旺威韦维魏温文翁沃乌武伍西希锡夏香歇谢辛欣休修许雪逊雅亚扬杨耶"
    "伊因英尤于约泽扎詹珍芝治哥朱卓祖佐兹仁瑟珊什"
)
"""Characters that foreign names are written with."""
_FOREIGN = re.compile(rf"[{_SOUNDS}]{{1,7}}(?:[·•・][{_SOUNDS}]{{1,8}}){{1,3}}")


@cache
def _ready(pattern: re.Pattern[str]) -> re.Pattern[str]:
    return re.compile(pattern.pattern.replace("SURNAMES", surname_chars()))


_DOING = re.compile(
    rf"(?:给|跟|和|约|找|请|等)(?P<name>(?:{ZH_COMPOUND_SURNAMES}|[SURNAMES]){_H}{{1,2}}?)"
    r"(?=打个?电话|打了|回个?电话|发个?(?:微信|短信|消息|邮件)|写信|吃饭|见面|聊聊|喝|道歉|过生日)"
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
    yield from _addressed(text)
    yield from _full(text)
    if "·" in text or "・" in text or "•" in text:
        yield from (Found(*match.span(), "PERSON") for match in _FOREIGN.finditer(text))


def _cued(text: str) -> Iterator[Found]:
    """Names in the fields of a form, behind kin or naming, and of people one deals with."""
    for match in _ready(_BARE_FIELD).finditer(text):
        yield Found(*match.span("name"), "PERSON")
    for match in _ALIAS.finditer(text):
        group = "name" if match["name"] else "other"
        if _is_named(match[group]):
            yield Found(*match.span(group), "PERSON")
    for match in _ready(_DOING).finditer(text):
        if match["name"] not in _PLACES:
            yield Found(*match.span("name"), "PERSON")
    for pattern in (_FIELD, _NAMED, _LATIN_KIN, _KIN):
        for match in _ready(pattern).finditer(text):
            start, end = match.span("name")
            if pattern is _KIN:
                end = _trimmed(text, start, end)
            sure = pattern in (_FIELD, _NAMED)
            if pattern is _LATIN_KIN or _is_named(text[start:end], sure=sure):
                yield Found(start, end, "PERSON")


_NO_NAMES = word_set(
    "学生 同学 朋友 同事 老板 客户 孩子 用户 员工 家长 司机 什么 这个 那个 怎么 我们 你们 "
    "他们 她们 大家 自己 不是 没有 一个 妈妈 爸爸 爷爷 奶奶 "
    "哥哥 姐姐 弟弟 妹妹 宝宝 老师 医生 先生 女士 小姐 谢谢 天天 常常 刚刚 偏偏 渐渐 慢慢 "
    "好好 "
    "小时 小区 小孩 小学 小心 小朋友 老家 老人 阿姨 外卖 醒醒 过来 起来 出来 过去 一声 停止 "
    "未知 匿名 暂无 无 空 待定 同上 本人 公司 部门 名称 电话 地址 看看 想想 试试 聊聊 问问 "
    "说说 往往 明明 仅仅 早早 整整 爱人"
)


def _is_named(name: str, *, sure: bool = False) -> bool:
    """Whether words in a name's place are one; `sure` when the place leaves little doubt."""
    word = not sure and name in zh_words()
    return name not in _NO_NAMES and not word and name[-1] not in "吗呢吧的了么"


def _trimmed(text: str, start: int, end: int) -> int:
    """A third character that cannot be part of a given name, or begins the next word, is cut."""
    if end - start == 3 and text[start : start + 2] not in ZH_COMPOUND_SURNAMES.split("|"):
        last = text[end - 1]
        if last in _NEVER or last not in given_chars() or text[end - 1 : end + 1] in zh_words():
            return end - 1
    return end


def _addressed(text: str) -> Iterator[Found]:
    """老王, 小李, 阿杰, 王总, 张医生, 王小明老师."""
    words = zh_words()
    if "老" in text or "小" in text or "阿" in text:
        yield from _familiar(text)
    for match in _ready(_TITLED).finditer(text):
        name = match["name"]
        if len(name) == 1 and _alone(text, match, words):
            yield Found(*match.span(), "PERSON")
        elif len(name) > 1 and not _wordy(name):
            yield Found(*match.span("name"), "PERSON")
    for match in _ready(_SHORT).finditer(text):
        start = match.start()
        if text[max(0, start - 1) : start + 1] not in words and match[0] not in words:
            yield Found(*match.span(), "PERSON")


def _alone(text: str, match: re.Match[str], words: frozenset[str]) -> bool:
    """Whether a surname before a title is one: 林阿姨, not the 车 of 货车司机."""
    start, name = match.start(), match["name"]
    across = name in _EVERYDAY and text[max(0, start - 1) : start + 1] in words
    return not across and name + match["title"][:1] not in words


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
        if text[max(0, start - 1) : start + 1] in _SMALL or match[0] in words:
            continue
        if match["whose"]:
            known = text[end - 1 : end + 1] not in words
        else:
            char = match["given"] or match["little"]
            known = char in given_chars() and (match["given"] is not None or char not in _EVERYDAY)
            known = known and match[0] not in _NOT_CLOSE and bool(_AFTER.match(text, end))
        if known:
            yield Found(start, end, "PERSON")


_NOT_CLOSE = word_set(
    "阿里 阿拉 阿尔 阿富 阿根 阿联 阿司 阿莫 阿胶 阿斯 阿迪 阿姨 阿飞 小雨 小雪 小米 小麦 "
    "小兰 小红 小蓝 小燕 小凤 小菊 小竹 小虎 小豹 小巧 小镇 小溪 小河 小湖 小舟 小桥 小楼 "
    "小草 小熊 小猫 小鹿 小鱼 小鸟 小桃 小荷 小苗 小笛 小岛 小岩 小城 小铁 小彩 小帅 小灵 "
    "小亮 小兵 小胜 小康 小贝"
) - {"小兰", "阿飞"}


def _wordy(name: str) -> bool:
    return name[:2] in zh_words() or any(char in _NEVER for char in name[1:])


def _full(text: str) -> Iterator[Found]:
    """Surname and given name in running text."""
    words, given = zh_words(), given_chars()
    end = 0
    for match in _full_start().finditer(text):
        at = match.start()
        if at < end:
            continue
        head = match.end()
        length = _given_length(text, head, given)
        for size in range(length, 0, -1):
            if _is_full(text, at, head, head + size, words, given):
                end = head + size
                yield Found(at, end, "PERSON")
                break


@cache
def _full_start() -> re.Pattern[str]:
    rare = "".join(char for char in ZH_SURNAMES if char not in surname_chars())
    return re.compile(
        f"(?:{ZH_COMPOUND_SURNAMES})|[{surname_chars()}]|(?<=叫)[{rare}]|(?<=我是)[{rare}]"
    )


def _given_length(text: str, head: int, given: frozenset[str]) -> int:
    size = 0
    while size < 2 and head + size < len(text) and "\u4e00" <= text[head + size] <= "\u9fff":
        char = text[head + size]
        if char in _NEVER and text[head : head + 2] != 2 * char:
            break
        size += 1
    del given
    return size


def _is_full(
    text: str, at: int, head: int, end: int, words: frozenset[str], given: frozenset[str]
) -> bool:
    compound = head - at == 2
    before = text[max(0, at - 6) : at]
    telling = (
        end - at == 3
        and all(char in given for char in text[head:end])
        and (
            text[at] not in _EVERYDAY
            and text[end - 1] not in _EVERYDAY
            and _AFTER.match(text, end)
            and _CUE_BEFORE.search(before)
        )
    )
    if not compound and not telling and _crosses(text, at, end, words):
        return False
    strong = bool(_STRONG_CUE.search(before))
    score = 3 if strong else 1 if _CUE_BEFORE.search(before) else -1
    score += 2 if compound else 0
    score += 1 if _AFTER.match(text, end) else -1
    twice = end - head == 2 and text[head] == text[head + 1]
    typical = 2 if twice else sum(char in given for char in text[head:end])
    score += any(char in given and char not in _EVERYDAY for char in text[head:end])
    score += 2 * bool(_OWNS.match(text, end))
    if end - head == 2:
        score += 2 if typical == 2 else 0 if typical == 1 else -1
    else:
        score += 1 if typical else -1
        score -= 0 if strong or _TALKS.match(text, end) else 1
    return score >= 3


_EVERYDAY = frozenset(
    "明国建平文小光一可生天成长安定家和立新民本方正东海山江河水石金木红青春常年先发展开政工左"
    "右乐言通行意力功元力面全部分化路道理事心用法学实高大公共现代"
    "进起来去作动主要时利达连运会市场子书信义思想真白黑清风云雨雪冰冬夏秋夜日月星火土田园林木"
    "树花草叶果根枝马牛羊鱼龙虎鸟虫金银铜铁玉石珠宝财富贵贤德才能智慧"
    "空直相本根极始终前后里野府台室间门口车船飞起走跑跳坐站立见听说读写看记忆念爱喜欢悦愉快乐"
    "福祥顺和平安康宁静美丽秀好百千万亿双单多少几半领首顶项音响声色香味"
    "军兵将帅士官民族农工商业医药术艺节礼服务城村县州省部局处科班组队团员长师友亲父母儿女孩童"
    "老幼婴育教养训练习考试验证书籍存款项目标准备用具体质量度尺寸斤两"
)
"""Characters of given names that are as common in words."""
_OWNS = re.compile(
    r"的(?:车|手机|电话|号码|生日|老婆|老公|妻子|丈夫|妈|爸|家(?![具电])|邮箱|微信|护照"
    r"|身份证|简历|工资|手术|体检|孩子"
    r"|儿子|女儿|地址|行程|航班|病|卡|账号|婚礼|房)"
)
"""What only a person has."""
_TALKS = re.compile(
    r"[说问告找打发给来去回住想要会把和跟也又就今昨明,，。、:]|$|(?:老师|医生|总|哥|姐)"
)


def _crosses(text: str, at: int, end: int, words: frozenset[str]) -> bool:
    """Whether a word of the language lies within the name or across one of its edges."""
    before = text[at - 1 : at + 1] if at else ""
    if before in words and before[0] not in "和跟与给找约请让问对被由叫是有的":
        return True
    if text[at : at + 2] in words and not (
        end - at == 3 and _STRONG_CUE.search(text[max(0, at - 6) : at])
    ):
        return True
    if text[at : at + 3] in words:
        return True
    return text[end - 1 : end + 1] in words and end - at == 2


def given_of(name: str, surnames: str, given: frozenset[str]) -> str:
    """The given name of two characters in a full Chinese name; "" when it has none."""
    head = 2 if name[:2] in ZH_COMPOUND_SURNAMES.split("|") else 1
    rest = name[head:]
    if len(rest) != 2 or (head == 1 and name[0] not in surnames + ZH_SURNAMES):
        return ""
    return rest if all(char in given for char in rest) else ""
