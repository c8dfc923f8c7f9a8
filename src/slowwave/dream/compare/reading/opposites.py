"""Opposites of everyday language: gradable adjectives, directions, states, phases.

A word list can only add a hint (new wordings will not be in it): it may veto a merge and tip the
balance towards a contradiction, but nothing rests on it alone.
"""

import re

from slowwave.text.lately import lately

__all__ = ["opposed", "without_poles"]

_ZH = (
    "早|晚 热|冷 热|冰 烫|凉 甜|咸 甜|苦 大|小 多|少 长|短 高|低 高|矮 快|慢 新|旧 开|关 进|出 "
    "左|右 前|后 内|外 男|女 "
    "贵|便宜 胖|瘦 浓|淡 软|硬 轻|重 深|浅 粗|细 松|紧 干|湿 清淡|重口 简单|复杂 正式|随意 "
    "正式|轻松 严肃|活泼 详细|简短 详细|简洁 "
    "早上|晚上 上午|下午 早晨|傍晚 白天|夜里 工作日|周末 周末|平时 上班|休息 楼上|楼下 本地|云 "
    "线上|线下 线上|当面 远程|现场 远程|坐班 "
    "室内|室外 南|北 东|西 城里|乡下 国内|国外 中文|英文 公开|保密 公开|私密 手动|自动 "
    "纸质|电子 打印|电子版 现金|刷卡 全职|兼职 "
    "单身|已婚 单身|结婚 未婚|已婚 在读|毕业 上学|毕业 在职|离职 租房|买房 健在|去世 活着|去世 "
    "合伙|散伙 喜欢|讨厌 爱|讨厌 爱|恨 "
    "允许|禁止 可以|禁止 打开|关闭 启用|停用 启用|禁用 开始|结束 开始|停止 继续|停止 增加|减少 "
    "升|降 涨|跌 买|卖 借入|借出 有|没有 "
    "成功|失败 通过|驳回 同意|拒绝 支持|反对 接受|拒绝 赞成|反对 安全|危险 真|假 对|错 "
    "吃素|吃肉 戒酒|喝酒 戒烟|抽烟 走路|开车 "
    "骑车|开车 坐车|走路 独居|合租 独居|同住 短发|长发 浅色|深色 静音|响铃 横屏|竖屏 堂食|外卖 "
    "存|删 保留|删除 保留|清空"
)
_EN = (
    "early|late hot|cold hot|iced warm|cool sweet|savoury sweet|bitter big|small large|small "
    "long|short high|low tall|short "
    "fast|slow new|old open|closed in|out left|right indoors|outdoors inside|outside "
    "expensive|cheap fat|thin strong|weak "
    "soft|hard heavy|light deep|shallow thick|thin loose|tight dry|wet simple|complex "
    "formal|casual formal|informal formal|chatty "
    "serious|playful detailed|brief detailed|concise verbose|terse long|concise "
    "morning|evening morning|afternoon day|night "
    "weekdays|weekends upstairs|downstairs local|cloud online|offline online|person "
    "remote|office remote|onsite home|office "
    "north|south east|west city|country town|village public|private manual|automatic "
    "paper|digital paper|electronic cash|card "
    "full-time|part-time single|married unmarried|married married|divorced student|graduated "
    "employed|unemployed rent|own "
    "renting|bought alive|dead alive|died living|dead living|died love|hate like|hate "
    "like|dislike love|dislike enjoy|hate "
    "allow|forbid allowed|forbidden allowed|banned enable|disable enabled|disabled on|off "
    "start|stop start|finish begin|end "
    "continue|stop increase|decrease raise|lower up|down buy|sell bought|sold borrow|lend "
    "lend|borrow have|lack win|lose "
    "success|failure pass|fail accept|reject accept|refuse agree|refuse support|oppose "
    "safe|dangerous true|false right|wrong "
    "vegan|meat vegetarian|meat smoke|quit drive|walk cycle|drive alone|together always|never "
    "everyone|nobody dark|light "
    "loud|quiet include|exclude include|omit keep|delete keep|drop tabs|spaces before|after "
    "healthy|ill sick|well upper|lower "
    "top|bottom first|last front|back sync|async black|white clean|dirty full|empty rich|poor "
    "near|far junior|senior"
)


def _table(text: str) -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for pair in text.split():
        one, other = pair.split("|")
        table.setdefault(one, set()).add(other)
        table.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in table.items()}


_ZH_TABLE = _table(_ZH)
_EN_TABLE = _table(_EN)
_EN_WORD = re.compile(r"[a-z]+(?:-[a-z]+)?")
_ZH_WORD = re.compile("|".join(sorted(_ZH_TABLE, key=len, reverse=True)))


@lately(4_096)
def _poles(folded: str) -> frozenset[str]:
    """The words of a canonical text that have an opposite, longest reading first."""
    words = set(_EN_WORD.findall(folded))
    return frozenset(words & _EN_TABLE.keys()) | frozenset(_ZH_WORD.findall(folded))


def opposed(first: str, second: str) -> bool:
    """Whether one text has a word and the other only its opposite."""
    one, other = _poles(first), _poles(second)
    for word in sorted(one - other):
        against = _EN_TABLE.get(word) or _ZH_TABLE.get(word, frozenset())
        if against & (other - one):
            return True
    return False


def without_poles(first: str, second: str) -> tuple[str, str] | None:
    """Two texts without the words that stand against each other in them; None if none do."""
    one, other = _poles(first), _poles(second)
    for word in sorted(one - other):
        against = (_EN_TABLE.get(word) or _ZH_TABLE.get(word, frozenset())) & (other - one)
        if against:
            return first.replace(word, " "), second.replace(min(against), " ")
    return None
