"""Negation and scope: does a statement deny, and for how long is it meant (N11, cases 7, 8, 74).

Everything here is closed-class grammar (negators, modal verbs, deictic time words), never a list
of topics. Chinese is matched after `canonical`, which folds traditional characters and the common
dialect function words onto their standard simplified forms without moving any offset.
"""

from slowwave.model import Standing
from slowwave.text.later import later

__all__ = [
    "canonical",
    "is_double_negated",
    "is_exception",
    "is_hold",
    "is_negated",
    "is_this_once",
    "standing_of",
]

_TRADITIONAL = (
    "這裡個們會說對時間開關過還沒從來後為點發當請問題應該麼嗎讓給寫話買賣車門學習書電腦網機號碼長張陳東樓層"
    "歲歡愛聽見覺記錄憶錯誤實際將經條線紅綠綠藍黃業務產價錢費銀報賬單據銷議計劃項目標準備鐘週號幾兩雙隻貓雞鴨魚"
    "豬飯麵餐廳飲藥醫療體檢顧慮壓癥過敏嚴禁許準絕總統規則護戶籍鄉縣鎮區國際飛機場航艙戰爭離職辭遷徙換轉變動調級"
    "進現轉達連結合併暫停緩遲舊婚禮兒孫媽爺媳親戚師傅導員領導經理闆夥鄰屆畢業歷屬於與僅並雖卻從無論誰哪樣備註腎"
    "處糧憑證幫訂約寶貝預算決斷擇選擔負責擬訓練馬騎輪鐵軌資訊軟硬體螢畫圖繪聲語謝謝煩惱氣憤誇張簡單繁體鬧鈴醒覺"
    "勞動節慶臺灣厲害掛號檔案刪減增設置試題討論團隊龍頭減燈飾養寵帶領運擔聯絡傳輸寄郵鍵盤儲存載讀頁邊緣遠獨視頻據"
    "確認強弱壞熱凍濕乾淨髒亂響應優劣隨便攜歸還懶惰緊張態擾雜難易極簽約係繫爲劇續編詞鑰鎖遊戲藝術樂隊詢頓尋"
    "別內喫寧願厭慣貨繳匯鬆盡質類顏勝館園廠衛牆傷診醬鮮蝦帳適鋪閉閒陽陰險雲靜頂順顆顯風飽驗鳥絲紙筆鏡針釘鍋餅裝補褲襪襯鹽湯漿棗蘋莓葉薑蔥"
)
_SIMPLIFIED = (
    "这里个们会说对时间开关过还没从来后为点发当请问题应该么吗让给写话买卖车门学习书电脑网机号码长张陈东楼层"
    "岁欢爱听见觉记录忆错误实际将经条线红绿绿蓝黄业务产价钱费银报账单据销议计划项目标准备钟周号几两双只猫鸡鸭鱼"
    "猪饭面餐厅饮药医疗体检顾虑压症过敏严禁许准绝总统规则护户籍乡县镇区国际飞机场航舱战争离职辞迁徙换转变动调级"
    "进现转达连结合并暂停缓迟旧婚礼儿孙妈爷媳亲戚师傅导员领导经理板伙邻届毕业历属于与仅并虽却从无论谁哪样备注肾"
    "处粮凭证帮订约宝贝预算决断择选担负责拟训练马骑轮铁轨资讯软硬体萤画图绘声语谢谢烦恼气愤夸张简单繁体闹铃醒觉"
    "劳动节庆台湾厉害挂号档案删减增设置试题讨论团队龙头减灯饰养宠带领运担联络传输寄邮键盘储存载读页边缘远独视频据"
    "确认强弱坏热冻湿干净脏乱响应优劣随便携归还懒惰紧张态扰杂难易极签约系系为剧续编词钥锁游戏艺术乐队询顿寻"
    "别内吃宁愿厌惯货缴汇松尽质类颜胜馆园厂卫墙伤诊酱鲜虾账适铺闭闲阳阴险云静顶顺颗显风饱验鸟丝纸笔镜针钉锅饼装补裤袜衬盐汤浆枣苹莓叶姜葱"
)
_DIALECT = {
    "唔": "不", "冇": "没", "咗": "了", "嘅": "的", "喺": "在", "俾": "给", "畀": "给", "係": "是",
    "睇": "看", "佢": "他", "嗰": "那", "咁": "这", "俺": "我", "咱": "我", "甭": "别", "啲": "些",
    "您": "你", "妳": "你", "她": "她", "逢": "每", "返": "回", "嗌": "叫", "’": "'", "‘": "'",
    "﹐": "，", "␠": " ", "\u00a0": " ", "\u3000": " ",
}  # fmt: skip
_TABLE = str.maketrans({**dict(zip(_TRADITIONAL, _SIMPLIFIED, strict=True)), **_DIALECT})
_PREDICATE = later(r"唔好(?=[，。,.！!？?；;\s]|$)")
"""Cantonese "not good" at the end of a clause; before a verb it is "don't"."""
_PAIRS = (
    ("不好再", "不要再"),
    ("唔好", "不要"),
    ("唔使", "不用"),
    ("勿要", "不要"),
    ("莫要", "不要"),
)


def canonical(text: str) -> str:
    """`text` of the same length, lower case, for matching only: one script, one dialect."""
    text = _PREDICATE.sub("不好", text)
    for old, new in _PAIRS[1:]:
        text = text.replace(old, new)
    folded = text.translate(_TABLE)
    lowered = folded.lower()
    if len(lowered) == len(folded):
        return lowered
    return "".join(low if len(low := c.lower()) == 1 else c for c in folded)


_ZH_NEG = (
    r"(?:不(?![过仅但只错同管论如断少久见得了意耐]|好意思|客气|是吗|一样|知|怎么样|然)"
    r"|没(?!事|错|关系|准|问题)"
    r"|(?<![特区分级类性个差离识辨送临])(?<!(?<![报公广警通被])告)别(?![的人处名墅提具])"
    r"|勿|莫(?=[要再忘怪急慌管问等碰动吃喝用发])|禁止|严禁|拒绝|戒(?=[了烟酒糖咖])|免(?!费|得"
    r"|税|疫)|未(?!必|来|婚|免)"
    r"|无需|无须|停(?=[了用掉发止\d一二两三半几])|暂停|全停|搁置|冻结|放弃"
    r"|回绝|谢绝|婉拒|推掉|敬而远之|势不两立|一概免|绝缘)"
)
_EN_NEG = (
    r"\b(?:not|never|no(?! (?:problem|worries|doubt|wonder|matter|need to thank))|none"
    r"|nothing|nobody"
    r"|neither|nor|cannot|cant|dont|doesnt|didnt|wont|isnt|arent|wasnt|havent|hasnt|shouldnt"
    r"|no longer|hold off|park(?= (?:it|that|this|the)\b)"
    r"|turn(?:ed|s|ing)? down(?! the (?:volume|music|heat|tv|light|sound))|said no to|opt(?:ed"
    r"|s)? out|rul(?:ed|es) out"
    r"|refus(?:e|es|ed|ing)|declin(?:e|es|ed|ing)|stop|stopped(?= \w+ing\b)|avoid|refrain"
    r"|quit(?= (?:\w+ing\b|(?!my|the|his|her|our|their|that|a\b|an\b|as\b|in\b|on\b|at\b|last\b"
    r"|work"
    r"|school|college|university)\w+(?=\s*$|[,.;!]"
    r"| for good| ago| (?:in|last|this|since|two|three"
    r"|a|\d+) \w+)))|gave up|given up|giving up|(?:stopping|pausing|skipping|halting)(?= (?:the"
    r"|my|all|our)))\b"
    r"|n't\b"
)
_NEGATOR = later(f"{_ZH_NEG}|{_EN_NEG}")
_SOFT = later(
    # Questions of the A-not-A kind, rhetorical and fixed phrases deny nothing.
    r"是不是|能不能|要不要|有没有|会不会|可不可以|对不对|好不好|行不行|来不及|不一会|差不多"
    r"|不得不|了不起|要不然|要不|(?<=[耳力腿脚膝盖腰胃肾眼睛肺心肝手])不(?:太|大|怎么)?[行好灵稳]"
    r"|不见不散|巴不得|恨不得|不由得|说不定|不止|不光|不单|受不了|不用说|不如|no one but"
    r"|not only|nothing but|why not"
    r"|no need to thank"
    r"|(?:can't|cant|cannot) (?:stand|bear|wait|help)\b(?! in\b)"
)
_DOUBLE = later(
    r"不是不|不得不|没有不|无不|非[^，。]{1,8}不可|不能不|不会不|并非不|不是没|没有?说?不"
    r"|(?:not|n't)\s+(?:\w+\s+)?(?:decided against|dislike|hate|unhappy|uncommon|without"
    r"|against|mind)"
    r"|(?:isn't|not|isnt) that (?:i|we|he|she|they) (?:dislike|hate|don't|dont|can't)"
)
_CLAUSE = later(
    r"[，,。.；;！!？?：:—\n]+\s*|\s(?=(?:because|although|though|even though|whereas) )"
    r"|\s(?=so (?:no|don't|dont|please|never|skip|not|only)\b)"
)
_CORRECTIVE = later(
    r"不是[^，。；,]{1,20}[，,]\s*(?:而|我|他|她|它|人家|其实)?是(?!不|没)"
    r"|(?<!不)是[^，。；]{1,12}[，,]?(?:而)?不是"
    r"|从?来?没[^，。]{1,16}[，,]\s*我?是(?!不|没)"
    r"|不(?![准许能得要用必])再?[^，。]{1,12}[，,]\s*(?:[改换搬转](?!了)|现在是)"
    r"|^(?:no,? |sorry,? |oops,? )*not [^,.;]{2,30}, (?:it's |but |the |in |at |on |a )"
    r"|^(?:don't|dont|do not) [^,.;]{1,30}, (?:just )?"
    r"(?:text|email|use|write|send|give|call|ask|keep|put) "
    r"|(?:\bis|'s|\bits|\bare|\bnow|\bto|\bby|\bat"
    r"|\bon)\b[^,.;]{2,40}(?<!\bdo)(?<!\bis)(?<!\bare),? not (?!\w+ing\b|allowed|possible"
    r"|to\b)\w"
    r"|(?:not|n't)\b[^.;]{1,40}[,;]\s*(?:it's|it is|i'm|but|just|only|they're|he's|she's) (?!not\b)"
)
_FILLER = later(
    r"^(?:那个?|嗯+|啊|哦|喔|好的?|行|对了?|ok(?:ay)?|so|well|anyway|and|but|please|btw"
    r"|no thanks?|nah"
    r"|nope|yes|yep|house rule"
    r"|除[^，]*|说正事|还有条规矩|以后|今后|往后|haha|lol|important)$"
)
_PRE_ANSWER = later(r"^(?:不[行用了要]{0,2}|不是|没有|算了|no|nah|nope|no thanks?)$")
_REASON = later(
    r"^(?:因为|由于|毕竟|because|since|as )|^(?:没有|没)[^，]{1,12}(?:点头|同意|批准|许可|允许)"
)


def is_double_negated(text: str) -> bool:
    """True where two negators cancel ("not that I dislike", "不是不")."""
    return _DOUBLE.search(canonical(text)) is not None


def is_negated(text: str) -> bool:
    """Whether the main statement of `text` is a denial or a prohibition.

    The first clause that says something decides; a later "别再…" that only underlines a positive
    instruction does not. A correction "not A, it's B" asserts B. Two negators cancel.
    """
    folded = canonical(text)
    if _CORRECTIVE.search(folded):
        return False
    clauses = [c for c in _main_clauses(folded) if not _REASON.search(c)]
    for clause in clauses:
        if _DOUBLE.search(clause) and clause is not clauses[-1]:
            continue
        return _clause_negated(clause)
    return bool(_NEGATOR.search(_SOFT.sub(" ", folded)))


def _main_clauses(folded: str) -> list[str]:
    parts = [part.strip() for part in _CLAUSE.split(folded)]
    return [p for p in parts if len(p) > 1 and not _FILLER.match(p) and not _PRE_ANSWER.match(p)]


def _clause_negated(clause: str) -> bool:
    if _DOUBLE.search(clause):
        rest = _DOUBLE.sub(" ", clause)
        return _NEGATOR.search(rest) is not None
    return _NEGATOR.search(_SOFT.sub(" ", clause)) is not None


_UNTIL = (
    r"(?:之前|以前|前)[，,]?[^，。]{0,12}(?:别|不|先|停|勿)|等[^，。]{1,18}(?:再|之后|以后"
    r"|了才)|期间|这期间"
    r"|到[^，。]{1,12}(?:为止|再说|恢复)|\bunt(?:il|ill)\b|\btill?\b|\bwhile\b|\bfor now\b"
    r"|\bfor the (?:time being|moment)\b"
    r"|\buntil further notice\b|\bnot (?:now|yet)\b|\bhold off\b|\bon hold\b|\bpaus(?:e|ed"
    r"|ing)\b|\bpark\b"
    r"|\bback to normal\b|\bthis (?:week|month|weekend|quarter|afternoon|morning|evening)\b"
    r"|\btonight\b|\bthrough \w+"
    r"|\bfor (?:a|the next|\d+|two|three|a few|a couple of) (?:\w+ )?(?:days?|weeks?"
    r"|months?)\b|\btemporar(?:y|ily)\b"
)
_ZH_TEMPORARY = (
    r"暂时|暂且|暂停|暂缓|先(?:别|不|停|暂|放|缓|搁|用|按|走)|这(?:几|两|三|[0-9]+)天"
    r"|这(?:周|礼拜|星期|个月|个礼拜|阵子|段时间|段日子|期间)"
    r"|本周|本月|最近(?:几天|这|先|别)|近期|眼下|目前先|今晚|今天(?:先|别|不)"
    r"|[三四五六七八九十两0-9]天后(?:照旧|恢复)|照旧|再恢复"
)
_HOLD = later(f"{_ZH_TEMPORARY}|{_UNTIL}")
_ONCE = later(
    r"这(?:一)?(?:次|回|趟|单|篇|封|份|条)(?!课|规|不变|还|仍|照)|就(?:这|那)一?次|只(?:这|此)一?次|仅(?:限"
    r"|此)|下不为例|本次|此次|今[天日晚]?[晚儿]?(?:可以)?(?:破|例外)"
    r"|\bthis (?:time|once|one time|answer|reply|round)\b|\bjust (?:this|for (?:today"
    r"|tonight|now|this))\b"
    r"|\bonly (?:this time|today|for (?:this|today|tonight))\b|\bfor once\b|\b(?:today"
    r"|tonight|this \w+) only\b|\bone[- ]off\b"
)
_EXCEPTION = later(
    r"例外|除外|破个?例|唯独|唯有|除非|除了[^，。]{1,20}(?:都|其他|别的|以外|之外)"
    r"|只有[^，。]{1,24}(?:可以|能|才|行|要)"
    r"|(?:不过|但是?|可是?)[^，。]{0,20}(?:可以|一定|得|能|必须|要|就)|\bexcept(?:ion)?\b"
    r"|\bunless\b"
    r"|\bapart from\b|\bother than\b"
    r"|\bexcluding\b|\bwith the exception\b|\bthough i (?:do )?(?:make|allow|eat|have)\b"
    r"|\byou can (?:just|still)\b|\bsave for\b"
)
_STANDING = later(
    r"(?<![点时号日月天年周完了束后钟半])以后|今后|往后|日后|从此|永远|一律|每次|每回|任何时候"
    r"|长期|从(?:今天|现在|明天|这周"
    r"|下周)(?:起|开始)"
    r"|\bfrom (?:now|here) on\b|\balways\b|\bnever\b|\bgoing forward\b|\bevery (?:time|week"
    r"|day|month)\b|\bfor good\b|\bany more\b"
)


def is_hold(text: str) -> bool:
    """ "Not now": bound to a stretch of time or a condition, never a rule for ever."""
    return _HOLD.search(canonical(text)) is not None


def is_this_once(text: str) -> bool:
    """ "This time only"."""
    return _ONCE.search(canonical(text)) is not None


def is_exception(text: str) -> bool:
    """Carves something out of a rule ("except …", "除外", "唯独")."""
    return _EXCEPTION.search(canonical(text)) is not None


def standing_of(text: str) -> Standing:
    """How long a statement is meant to hold, by its own words alone.

    `one_off` for this time only, `temporary` for a hold, else `standing` (a date, which makes a
    statement `dated`, is the business of `text.dates`).
    """
    folded = canonical(text)
    if _ONCE.search(folded) and not _STANDING.search(folded):
        return "one_off"
    if _HOLD.search(folded) and not _STANDING.search(folded):
        return "temporary"
    return "standing"
