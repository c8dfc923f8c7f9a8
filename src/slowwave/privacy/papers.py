"""Numbers and dates that are told by the name beside them: accounts, orders, papers, birthdays."""

import re
from collections.abc import Iterator

from slowwave.privacy.kinds import Found, Kind
from slowwave.privacy.terms import lower

__all__ = ["find_papers"]

_LATIN: dict[Kind, str] = {
    "PHONE": (
        r"tel(?:ephone)?\b|phone|mobile|cell\b|fax\b|ext\b|extension|whats\s?app"
        r"|call(?:ing)? (?:me|us|him"
        r"|her|them)\b"
        r"|(?:text|ring|reach|dial) (?:me|us|him|her|them)\b"
    ),
    "ACCOUNT": (
        r"account|acct\b|a/c\b|routing|sort[ _-]?code|iban\b|swift\b|bic\b|card|visa card"
        r"|mastercard|ending (?:in|with)"
        r"|last (?:four|4|three|six)(?: digits)?|wallet|paypal|konto"
    ),
    "ORDER": (
        r"order|tracking|invoice|booking|confirmation|reservation|ticket|pnr\b|record locator"
        r"|transaction|payment (?:id|ref)"
        r"|reference|ref\b|parcel|shipment|waybill|contract|receipt|case\b|claim|docket|po\b"
        r"|purchase order"
    ),
    "ID": (
        r"global entry|known traveler|ktn\b|redress|green card|alien (?:number|registration)"
        r"|passport|ssn\b|social security|tax\b|vat\b|ein\b|[iu]?tin\b|utr\b|steuer|licen[cs]e"
        r"|id\b|identity|national|student"
        r"|employee|staff|member|customer|client|policy|insur|patient|mrn\b|medical record"
        r"|health card|medicare|nhs\b|permit"
        r"|visa\b|badge|frequent flyer|loyalty|mileage|enrol|certificate|registration|nino\b"
        r"|aadhaar|serial|imei\b|vin\b"
    ),
    "PLATE": r"plate|number plate|kennzeichen",
    "ADDRESS": r"zip\b|zip ?code|post(?:al)? ?code",
}  # fmt: skip
_HAN: dict[Kind, str] = {
    "PHONE": "电话|手机|座机|传真|热线|联系方式|致电|拨打|分机|来电|号码",
    "ACCOUNT": "账号|账户|帐号|帐户|卡号|卡|尾号|末四位|后四位|公积金|支付宝|对公|开户|银行|存折",
    "ORDER": (
        "订单|单号|运单|快递|发票|预订|票号|流水|交易|合同|工单|包裹|取件|案号|报案|凭证号|回单"
    ),
    "ID": (
        "护照|身份证|证件|证号|税号|纳税|驾照|驾驶证|行驶证|学号|工号|会员|保单|保险|病历"
        "|住院号|门诊号|就诊|挂号|社保|医保|签证|通行证|准考证|考号"
        "|档案|客户号|客户编号|员工|编号|执照|信用代码|军官证|户口|房产证|不动产|车架"
        "|发动机号|序列号|水表|电表|燃气|户号|宽带"
    ),
    "PLATE": "车牌|牌照",
    "ADDRESS": "邮编|邮政编码",
}  # fmt: skip
_FIRST_HAN = "".join(sorted({word[0] for words in _HAN.values() for word in words.split("|")}))
_NAME = re.compile(
    "(?<![a-z])(?=[a-z])(?:"
    + "|".join(f"(?P<{kind}>{names})" for kind, names in _LATIN.items())
    + f")|(?=[{_FIRST_HAN}])(?:"
    + "|".join(f"(?P<{kind}_>{names})" for kind, names in _HAN.items())
    + r")|(?P<other>(?<=[\u4e00-\u9fff])号码?(?![楼线院机称召角外令店厅馆])"
    r"|(?<![a-z])(?:number|no\.|nr\.))",
    re.A,
)
"""Searched in lower case: ignoring case costs a multiple."""
_GAP = re.compile(
    r"[^\d\n!?。！？；;]{0,24}?(?P<value>(?<![A-Za-z0-9])[A-Za-z]{0,6}[-#]?\d[0-9A-Za-z]{0,24}"
    r"(?:[ .:\-/][0-9A-Za-z]{0,24}\d[0-9A-Za-z]{0,24}|-[A-Za-z]{1,4}(?=-\d)){0,8}"
    r"|(?<![A-Za-z0-9])(?-i:[A-Z0-9]{6,11})(?![A-Za-z0-9]))",
    re.A,
)
_STRONG = re.compile(
    r"[:=#№\"]|\bend(?:s|ing)\b|\blast\b|number|\bno\b|\bnr\b|\bid\b|\bcode\b|\bis\b|\bwas\b"
    r"|\bat\b|\bon\b|\bin\b"
    r"|\bwith\b|号|码|是|为|编|尾",
    re.I | re.A,
)
_WEAKENED = re.compile(
    r"cost|price|total|amount|\bfor\b|worth|paid|over|about|around|version|since|until|before"
    r"|after|every|within"
    r"|limit|balance|page|chapter|line|金额|价|共|元|约|超过|余额|花了|消费|版本|第|满|减"
    r"|额度|才|给|转|收",
    re.I | re.A,
)
_UNIT = re.compile(
    r"\s?(?:年|月|日|天|个|条|人|页|元|块|万|岁|次|份|件(?!号)|台|单(?!号)|小时|分钟|秒"
    r"|[%$€£¥]|(?:usd|eur|gbp|rmb|yuan|dollars?|euros?"
    r"|people|items?|units?|times|pages?|days?|weeks?|months?|years?|hours?|minutes?|mins?"
    r"|lines?|users|ms|kb|mb|gb|am|pm"
    r"|orders?|tickets?|customers?|members?|accounts?|rows?|records?|requests?|points?)\b)",
    re.I | re.A,
)
_LEAST_UNNAMED = 6
"""Figures of a number that only "number" stands before: ports, rooms and errors have fewer."""
_LETTERS = re.compile(
    r"pnr|record locator|booking|confirmation|reservation|bic|swift|iban|预订|票号|订单",
    re.I | re.A,
)
"""Their numbers may be letters alone."""
_DATES = re.compile(
    r"(?:19|20)\d\d(?:[-./ ]\d{1,2}){0,2}(?:[T ]\d.*)?|\d{1,2}[-./]\d{1,2}[-./](?:19|20)?\d\d"
    r"|\d{1,2}:\d\d(?::\d\d)?|v?\d{1,3}(?:\.\d{1,4}){1,3}",
    re.A,
)
_MONTHS = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?"
)
_H = "零〇一二三四五六七八九十廿卅"
_DAY = (
    rf"(?:(?:18|19|20)?\d\d\s?年\s?)?(?:农历|阴历|阳历)?(?:闰?(?:\d{{1,2}}"
    rf"|[{_H}正冬腊]{{1,3}})\s?月\s?(?:初?(?:\d{{1,2}}|[{_H}]{{1,3}})\s?[日号]?)?)"
    rf"|[{_H}]{{2,4}}年(?:[{_H}正冬腊]{{1,3}}月(?:[{_H}]{{1,3}}[日号]?)?)?|(?:18|19"
    rf"|20)\d\d\s?年(?:生|出生)?|\d\d年(?=生|出生|的)"
    rf"|(?:18|19|20)\d\d[-./]\d{{1,2}}[-./]\d{{1,2}}|(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]"
    rf"|[12]\d|3[01])"
    rf"|\d{{1,2}}[-./]\d{{1,2}}(?:[-./](?:18|19|20)?\d\d)?"
    rf"|(?:the\s)?\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?(?:{_MONTHS})\b\.?(?:,?\s(?:18|19|20)\d\d)?"
    rf"|(?:{_MONTHS})\b\.?\s(?:the\s)?\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s(?:18|19|20)\d\d)?"
    rf"|(?:{_MONTHS})\b\.?\s(?:18|19|20)\d\d|(?:18|19|20)\d\d"
)
_BORN = re.compile(
    r"\bturn(?:s|ed|ing)\s(?:\d{1,3}|[a-z]{3,9}(?:-[a-z]{3,5})?)(?=\s(?:on|in)\s)|\bborn\b"
    r"|birth[ _-]?(?:day|date)s?|date[ _]of[ _]birth|\bd\.?o\.?b\b|b-?day|geboren"
    r"|geburts(?:tag|datum)"
    r"|\banniversary\b|\bwedding (?:day|date)\b|\b(?:got )?married on\b|\b(?:died|passed away) on\b"
    r"|领证|结婚(?:纪念日|日期|证)|纪念日|忌日|祭日"
    r"|出生(?:日期|年月日?|于|在)?|生日|生于|诞辰|生辰"
    r"|(?<=[年月日号\d一二三四五六七八九十])生(?:的|人|$|(?=[,，。;；\s]))",
    re.I | re.A,
)  # fmt: skip
_BORN_IN = re.compile(
    r"[我他她你您](?:们?都?)?是?((?:19|20)?[0-9]{2}年|[一二]?[九〇零]?[〇零一二四五六七八九]{2}年)(?=的[,，。;；!！?？\s]|的$|出?生)"
)
_BIRTH_AFTER = re.compile(rf"[^\d\n{_H}。.!?]{{0,24}}?(?P<date>{_DAY})", re.I | re.A)
_BIRTH_BEFORE = re.compile(rf"(?P<date>{_DAY})[^\d\n。.!?,，;；]{{0,16}}$", re.I | re.A)
_OF_ROW = re.compile(
    r"(?<=[\"'|,;\t(])\s?(?P<date>(?:19[2-9]\d|200\d)[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d|3[01])"
    r"|(?:0?[1-9]|[12]\d|3[01])[-/.](?:0?[1-9]|[12]\d|3[01])[-/.](?:19[2-9]\d|200\d))\s?(?=[\"'|,;\t)])"
)
"""A day of long ago that stands in a row of data: of somebody's life more often than not."""
_PLATED = re.compile(
    r"\b(?:plates?|rego?|registration|tags?"
    r"|kennzeichen)\b[^\n.]{0,16}?(?<![A-Za-z0-9])(?P<value>(?=[A-Z0-9 -]{0,9}\d)(?=[A-Z"
    r"0-9 -]{0,9}[A-Z])"
    r"[A-Z0-9]{1,4}[ -]?[A-Z0-9]{2,5})(?![A-Za-z0-9])",
    re.A,
)
_SEAT = re.compile(
    r"(?:座位|座号|\bseat)(?:号|是|为|:|\s|\bis\b|number|no\.?){0,3}\s?(?P<value>\d{1,2}[A-K])\b",
    re.I | re.A,
)
_SLASHED = re.compile(
    r"\b(?:ref(?:erence)?|case|claim|file|docket|policy|invoice|order|account|matter)\b\.?(?:\s(?:no\.?|number|is))?"
    r"[:#\s]{1,3}(?P<value>(?=[\w/-]*\d{2})[A-Za-z0-9]{1,8}(?:[/-][A-Za-z0-9]{1,10}){1,5})",
    re.I | re.A,
)
_BIRTH_NEAR = re.compile(rf"(?P<date>{_DAY})[^\d\n。.!?,，;；]{{0,8}}$", re.I | re.A)
"""A date right before the word of birth is its date, whatever comes behind."""


def find_papers(text: str) -> Iterator[Found]:
    """Numbers behind the name of what they belong to, and dates of birth."""
    yield from _births(text)
    yield from (Found(*match.span("date"), "BIRTH") for match in _OF_ROW.finditer(text))
    yield from (Found(*match.span("value"), "PLATE") for match in _PLATED.finditer(text))
    for pattern in (_SEAT, _SLASHED):
        yield from (Found(*match.span("value"), "ORDER") for match in pattern.finditer(text))
    if not any(char in text for char in "0123456789"):
        return
    for match in _NAME.finditer(lower(text)):
        found = _GAP.match(text, match.end())
        if found is None or not _belongs(text, match, found):
            continue
        kind: Kind = next((kind for kind in _LATIN if match[kind] or match[f"{kind}_"]), "NUMBER")
        yield Found(*found.span("value"), kind)


def _belongs(text: str, name: re.Match[str], found: re.Match[str]) -> bool:
    """Whether the value is the number of what was named, and no date, amount or count."""
    value = found["value"]
    gap = text[name.end() : found.start("value")]
    digits = sum(map(str.isdigit, value)) + (value[-1] in "xX")
    tight = len(gap) <= 2 and not re.match("(?:19|20)[0-9]{2}", value)
    dated = _DATES.fullmatch(value) and not (tight and value.count("-") == 2)
    after, front = text[found.end("value") :][:2], text[found.start("value") - 1]
    if dated or _UNIT.match(text, found.end("value")) or front in "$€£¥￥.v" or after == ".0":
        return False
    strong = not gap.strip() or bool(_STRONG.search(name[0][-2:] + gap))
    if not digits:
        return bool(_LETTERS.fullmatch(name[0])) and len(gap) <= 12
    if digits < (_LEAST_UNNAMED if name["other"] else 3) and (name["other"] or len(value) < 6):
        return False
    if _WEAKENED.search(gap):
        return digits >= 9
    return digits >= 8 or (strong and (digits >= 4 or len(value) >= 5))


def _births(text: str) -> Iterator[Found]:
    yield from (Found(*match.span(1), "BIRTH") for match in _BORN_IN.finditer(text))
    for cue in _BORN.finditer(text):
        late = cue[0].startswith("生") and cue[0] not in ("生日", "生于", "生辰")
        near = _BIRTH_NEAR.search(text, max(0, cue.start() - 40), cue.start())
        if near is not None:
            yield Found(*near.span("date"), "BIRTH")
        after = None if late else _BIRTH_AFTER.match(text, cue.end())
        if after is not None:
            yield Found(*after.span("date"), "BIRTH")
            continue
        low = max(0, cue.start() - 40)
        before = _BIRTH_BEFORE.search(text[low : cue.start()])
        if before is not None:
            yield Found(low + before.start("date"), low + before.end("date"), "BIRTH")
