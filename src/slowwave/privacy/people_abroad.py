"""Names from abroad in Chinese writing: transliterated ones (约翰逊先生) and Japanese surnames.

They begin with no Chinese surname, so what tells them is a form of address behind them.
"""

import re
from collections.abc import Iterator

from slowwave.privacy.kinds import Found
from slowwave.privacy.names import zh_words
from slowwave.privacy.people_places import WORKS
from slowwave.privacy.terms import word_set

__all__ = ["SOUNDS", "find_abroad"]

SOUNDS = (
    "阿埃艾安奥巴白贝本比彼毕边波伯布查察达戴丹德邓迪蒂丁多杜厄尔恩法凡菲费芬丰佛弗福富盖冈高"
    "戈格贡古哈海汉赫黑亨华怀霍基吉加嘉贾杰金卡凯坎康考柯科可克肯库奎拉莱兰朗劳勒"
    "雷蕾李里丽利莉林琳留刘卢鲁路伦罗洛马玛迈麦曼梅门蒙米密敏明莫默姆木慕穆那纳娜奈南内尼年妮"
    "宁牛努诺欧帕派潘佩皮匹珀普奇恰切钦琴琼丘乔热日萨塞赛桑森沙莎尚绍舍申圣史斯丝苏素索"
    "塔泰坦汤唐特提廷汀图托瓦万旺威韦维魏温文翁沃乌武伍西希锡夏香歇谢辛欣休修许雪逊雅亚扬杨耶"
    "伊因英尤于约泽扎詹珍芝治哥朱卓祖佐兹仁瑟珊什"
)
"""Characters that foreign names are written with."""

_ALSO = "孔翰甘根宾顿姬葛蓬庞荷蔻黛茜绮"
"""And some that would say too little by themselves."""

_POLITE = "先生|女士|小姐|太太|夫人|阿姨|叔叔|爵士|神父|牧师|博士|教授|医生|大夫|老师"
_ADDRESS = f"{_POLITE}|{WORKS}"
_FOREIGN = f"[{SOUNDS}{_ALSO}]"
_CALLED = re.compile(
    rf"(?<!{_FOREIGN})(?P<name>{_FOREIGN}{{2,7}}(?={_POLITE})|{_FOREIGN}{{3,7}}(?={WORKS}))"
)
_JAPANESE = re.compile(
    "(?P<name>佐藤|铃木|高桥|田中|伊藤|渡[边部]|山[本田口崎下]|中[村岛野川山]|小[林川野山]|加藤|吉田"
    "|佐佐木|松[本田井尾]|井上|木[村下]|清水|池田|桥本|阿部|石[川井]|前田|冈[田本]|长谷川|藤[田井原本]"
    "|[近后远斋安工]藤|青木|村[上田]|坂本|福田|太田|西村|三浦|原田|竹内|田村|森田|上[田野]|柴田|宫[崎本]"
    "|大塚|酒井|横山|内田|高木|岛田|谷口|杉山|丸山|今井|河野|武田|平野|菅原|久保|岩崎|樱井|野[口村]"
    f"|菊[地池]|新井)(?:[\u4e00-\u9fff]{{2}})?(?={_ADDRESS}|桑|君(?![子主王])|さん|様)"
)
_TONGUES = word_set("拉丁文 德文 法文 英文 西文 古文 德法 提琴 古琴 马拉松")
"""Tongues and instruments in such characters: a teacher of them, no name."""


def find_abroad(text: str) -> Iterator[Found]:
    """Names from abroad before a form of address."""
    words = zh_words()
    for match in _CALLED.finditer(text):
        name = match["name"]
        short = len(name) <= 3 and name[:2] in words
        if name not in words and name not in _TONGUES and not short:
            yield Found(*match.span("name"), "PERSON")
    for match in _JAPANESE.finditer(text):
        yield Found(*match.span(), "PERSON")
