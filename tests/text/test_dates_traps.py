"""What looks like a time and is none."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from slowwave.text.dates import find_times

NOW = datetime(2026, 9, 16, 10, 20, tzinfo=ZoneInfo("Asia/Shanghai"))

TRAPS = [
    # Chinese: numbers of things
    "我住在3号楼二单元",
    "换乘5号线再走两站",
    "12号桌的客人要加菜",
    "房间号是1024，别走错",
    "这批货的编号是20260101",
    "固件升级到3.12.1就闪退",
    "版本号2.5太旧了",
    "水和面按3:1来和",
    "最后比分是2:1",
    "糖和盐的比例大概3/1",
    "服务器地址是10.12.30.5",
    "他的工号是0618",
    "尾号8848那张卡",
    "路径在 /var/log/2026/05/03.log",
    "参考 https://example.org/2026/05/03/notes",
    # Chinese: lists, degrees, durations, prices
    "我有三点意见要说",
    "说两点建议",
    "再快一点就好了",
    "晚一点没关系",
    "他做事只肯出一半力",
    "这件事还差一点",
    "药吃了三天没见好",
    "学了五年钢琴",
    "一天到晚就知道打游戏",
    "三个工作日内到账",
    "这颗白菜三块五",
    "排第一，不是第二",
    "他是一年级的学生",
    # Chinese: names, titles, idioms
    "《五月的鲜花》那首歌真好听",
    "他们乐队叫“星期六”",
    "七月流火是什么意思",
    "十月革命的历史课",
    "三月兔和疯帽子",
    "我在八月酒馆弹琴",
    "五一路的那家粉店",
    "张国庆是我表哥",
    "明日方舟你还玩吗",
    "今日头条推的",
    "后天养成的习惯",
    "日语和日本菜我都喜欢",
    "他朝三暮四的",
    "早上好",
    "晚安，早点睡",
    "下午茶要吃什么",
    "清明上河图的复制品",
    "圣诞树放客厅里吧",
    # English
    "Upgrade to v3.11 before you file a bug.",
    "Python 3.12 dropped distutils.",
    "The ratio is 3/4 water to syrup.",
    "We won 3-2 in extra time.",
    "May I sit here?",
    "She may come, she may not.",
    "The soldiers march in step.",
    "June said the soup was cold.",
    "Ask May about the parking.",
    "An august gentleman in a grey coat.",
    "He sat in the sun all by himself.",
    "It's my second marathon.",
    "The first floor is flooded.",
    "Meet on the 3rd floor.",
    "It costs 12.50 with delivery.",
    "Open 24/7, so they say.",
    "Room 1130 is locked.",
    "The Saturday Times crossword was brutal.",
    "My favourite film is called 'Friday'.",
    "Their new album, titled \"October\", is dull.",
    "I read for three hours.",
    "The drive took two days.",
    "He's five years old.",
    "Half of the eggs were cracked.",
    "One day I'll learn the cello.",
    "These days nobody writes letters.",
    "Take the 7 to the stadium.",
    "Ticket 20260101 is still open.",
    "Use a 1/2 inch bolt.",
    "Where is the Christmas tree stand?",
    "The 19th century was grim.",
    "I have between 2 and 4 cups a day in me, ha.",
    "Look at three options first.",
    "Order 10-12 chairs.",
    "Good morning everyone",
    "",
    "   \n\t",
    "🎉🎉🎉",
    "\x00\ud800",
]


@pytest.mark.parametrize("text", TRAPS)
def test_a_trap_yields_nothing(text: str) -> None:
    assert [(t.expr, t.value) for t in find_times(text, NOW)] == []
