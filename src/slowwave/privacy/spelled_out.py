"""Values that are told in words: passwords behind their name, spelled mails, spelled figures.

People write a password after "the password is still the old one, …", a mail as "jo dot x at host
dot com", and a number figure by figure. The word that leads to the value tells its kind.
"""

import re
from collections.abc import Iterator

from slowwave.privacy.kinds import Found, Kind
from slowwave.privacy.names import is_word
from slowwave.privacy.terms import lower, word_set

__all__ = ["find_spelled_out"]

_HAN_FIGURE = "零〇一二三四五六七八九幺两"
_FIGURE = r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|double|triple|hundred)"
_FIGURES = (
    rf"[{_HAN_FIGURE}](?:[ 、，,-]?[{_HAN_FIGURE}]){{3,}}"
    rf"|(?:{_FIGURE}\b[ ,.-]{{0,3}}){{3,}}(?<=[a-z])|\d(?:[ -]?\d){{3,11}}"
)
_SECRET_NAMES = (
    r"密码|口令|暗号|验证码|校验码|动态码|门禁码?|锁屏码?|开机码|取件码|提取码|解锁码|支付码|pin码"
    r"|(?<![a-z])(?:passcodes?|passwords?|passphrases?|pass\s?word|passwd|pword|pwd|pw|pin(?:\scode)?"
    r"|otp|door\scode|gate\scode|alarm\scode|entry\scode|access\scode|security\scode|code\sword"
    r"|safe\sword|wifi\s(?:key|code|pass)|verification\scode|2fa\scode|one-time\scode|unlock\scode"
    r"|combination|combo|recovery\s(?:code|phrase|words)|seed\sphrase)(?![a-z])"
)
_SECRET = re.compile(
    rf"(?:{_SECRET_NAMES})(?:\s?(?:号|数字))?(?P<gap>[^\n。!?！？]{{0,28}}?)"
    r"(?P<value>(?<![a-z0-9])(?=[^\s]{0,63}[\d#@!$%^&*_])(?=[^\s]{0,63}[a-z\d])"
    r"[a-z0-9#@!$%^&*_+=~?.-]{4,64}(?<![.?!,])"
    rf"|{_FIGURES})"
)
_JOINED = re.compile(
    rf"(?:{_SECRET_NAMES})(?:\sfor\s(?:\w+\s){{1,4}}|的)?\s?(?:还是|仍是|就是|是|为|叫|改成了?|设成了?|换成了?"
    r"|:|=|\bis\b(?:\sstill|\snow)?|\bwas\b|->)\s?[\"'“「`]{0,2}"
    r"(?P<value>[a-z][a-z-]{5,40}|[\u4e00-\u9fff]{4,16}?(?=[\"'”」`]))[\"'”」`]{0,2}"
    r"(?=[\s,;，。；!！)]|\.(?:\s|$)|$)"
)
_WORDED = word_set(
    "required incorrect invalid wrong missing changed stored hashed encrypted expired correct "
    "protected unknown disabled enabled empty optional different managed rotated hidden masked "
    "redacted written reset another something nothing shared strong simple always already "
    "important working forgotten generated checked visible needed broken secure unsafe public"
)
_HOST = r"[a-z0-9-]{1,40}"
_TOP = (
    r"(?:com|net|org|edu|gov|io|co|cn|uk|de|fr|es|it|nl|eu|us|ca|au|jp|in|br|ru|ch|me|dev|app|ai|xyz"
    r"|example|info|biz|tv|se|no|fi|dk|pl|ie|nz|hk|tw|sg)"
)
_DOT = r"(?:\s?[\[({]\s?(?:dot|\.|点)\s?[\])}]\s?|\s(?:dot|点)\s|\s?点\s?|\.)"
_AT = (
    r"(?:\s?[\[({<]\s?(?:at|@|艾特)\s?[\])}>]\s?|\sat\s|\s?艾特\s?|\s?圈a\s?|\s?a圈\s?|\s?#\s?"
    r"|\s?＠\s?|@)"
)
_LOCAL = (
    r"[a-z0-9][a-z0-9_+.-]{0,40}(?:\s(?:dot|underscore|dash|hyphen|minus|plus|period|下划线|点|杠)\s"
    r"[a-z0-9_+.-]{1,40}|[\[({]\s?dot\s?[\])}][a-z0-9_+.-]{1,40}){0,4}"
)
_MAIL = re.compile(
    rf"(?<![a-z0-9_.+-]){_LOCAL}{_AT}{_HOST}(?:{_DOT}{_HOST}){{0,3}}{_DOT}{_TOP}(?![a-z0-9])"
    rf"|(?<![a-z0-9_.+-]){_LOCAL}(?:{_AT})(?:gmail|outlook|hotmail|yahoo|icloud|protonmail|proton"
    r"|fastmail|gmx|qq|163|126|foxmail|sina)(?![a-z0-9])"
)
_SPELLED_AT = re.compile(r"\sat\s|[#]")
_WORDS_BEFORE = word_set("look looking meet be is are was it us me at hosted available sits lives")
_CALLED = re.compile(
    r"(?:微信|v信|薇信|威信|扣扣|企鹅号?|飞书|钉钉|陌陌|电报|推特|脸书|油管|b站|小红书|抖音|快手|微博"
    r"|知乎|豆瓣|闲鱼|淘宝|支付宝|游戏|(?<![a-z])(?:ins|telegram|steam|github|qq)(?![a-z]))(?:账?号|id|名|昵称)?"
    r"[^\n。,，;；a-z0-9@]{0,8}@?(?P<value>[a-z][a-z0-9_-]{4,24}|[1-9]\d{4,11}"
    rf"|[{_HAN_FIGURE}]{{5,12}})(?![a-z0-9_.])"
)
_ADD_ME = re.compile(
    r"(?:(?<![a-z])(?:(?:qq|vx|wx|tg)\s?[:：是\s]|v[:：])|加我?|搜|私信?|微信|扣扣)[:：是\s]{0,3}(?P<value>[a-z][a-z0-9_-]{5,24}"
    rf"|[{_HAN_FIGURE}]{{5,12}})(?![a-z0-9_.])"
)
_PLAYED = re.compile(
    r"(?<![a-z])(?:steam|riot\sid|battle\s?tag|battle\.net|xbox|psn|gamer\s?tag|epic(?:\sgames)?|roblox|threema|signal"
    r"|kik|viber|icq|matrix|mastodon|bluesky|threads|twitch|tumblr|pinterest|soundcloud|strava|duolingo"
    r"|letterboxd|goodreads|ebay|etsy|depop|vinted|tinder|hinge|bumble|grindr|discord|snap(?:chat)?|insta(?:gram)?"
    r"|tiktok|twitter|reddit|telegram|skype|line|wechat|venmo|paypal|zelle|github|gitlab|linkedin|facebook|fb|ig|tg)"
    r"(?:\s(?:id|name|handle|username|user|account|tag))?(?:\s?[:=]\s?|\sis\s|'s\s|\s)@?"
    r"(?P<value>[a-z0-9_][a-z0-9_.-]{2,30}(?:#[a-z0-9]{2,6})?)(?![a-z0-9_@#])"
)
_TAGGED = re.compile(
    r"(?<![\w/#.-])(?P<value>[A-Za-z][A-Za-z0-9_]{2,15}#(?=[A-Za-z]*\d)[A-Za-z0-9]{4,6})(?![\w#])"
)
_REPEATED = re.compile(
    rf"(?:{_SECRET_NAMES})[^\n,，。]{{0,8}}?(?P<value>[一二三四五六七八九十两\d]个[\d零一二三四五六七八九])"
)
_LOCK = re.compile(
    r"(?:(?<![a-z])(?:safe|locker|padlock|lock|vault|combo|combination)(?:'s)?(?:\scode|\scombo|\scombination)?\s?(?:is|:|=)"
    r"|保险[箱柜])[^\n\d]{0,6}(?P<value>\d{1,2}(?:[ -]\d{1,2}){2,4}|\d{4,8})(?!\d)"
)
_PASS = re.compile(
    r"(?<![a-z])(?:(?:the|my|our|his|her)\s)?pass(?:\sis|\s?[:=])\s?[\"'`]?(?P<value>[a-z0-9][\w!@#$%^&*.-]{4,40})"
)
_NETWORK = re.compile(
    r"wi-?fi\s?[:：]\s?(?P<name>[\w.-]{3,32})\s?/\s?(?P<key>[\w!@#$%^&*.-]{6,63})|wi-?fi(?:'s|\sis|\s?[:=]|是)\s?(?P<one>(?=\S*\d)[\w.-]{4,32})(?:\s?[/,]\s?(?P<two>[\w!@#$%^&*.-]{6,63}))?"
)
_KNOWN_AS = re.compile(
    r"(?<![a-z])(?:user(?:\s?name)?|login|handle|nick)\s(?P<bare>[a-z][a-z0-9_.-]{3,20})(?=[,;)]|$)|(?<![a-z])(?:user\s?name|handle|login|screen\s?name|gamer\s?tag|nickname|nick|alias|pseudonym)"
    r"(?:\s(?!is\b)[a-z']{2,12}){0,3}?\s(?:is|was)\s@?[\"'`]?(?P<value>[a-z][a-z0-9_.-]{3,30})(?![\w@])"
)
_TEXTED = re.compile(
    r"(?<![a-z_])(?:code|otp|token|verification|验证码)\s?[=:]\s?(?P<value>\d{6,8})(?!\d)"
)
_CASH = re.compile(r"(?<![\w$])\$(?P<value>[a-z][a-z0-9_-]{3,20})(?![\w$(\[{=.])")
_CASHED = re.compile(r"cash\s?app|cashtag|pay\s?me|venmo|zelle", re.A)
_SORT = re.compile(r"sort[ _-]?code\D{0,12}(?P<value>\d{2}[- ]?\d{2}[- ]?\d{2})(?!\d)")
_ENDS = re.compile(
    r"(?:尾号|末四位|后四位|卡号后四位|分机号?|房号|门牌号?|工号|学号|座位号?|柜号|电话|手机|号码)"
    rf"[是为:\s]{{0,3}}(?P<value>[{_HAN_FIGURE}]{{4,12}})"
)


def find_spelled_out(text: str) -> Iterator[Found]:
    """Passwords, mails, names of accounts and numbers that are told in words."""
    low = lower(text)
    yield from _secrets(low)
    for match in _MAIL.finditer(low):
        if not _is_place(match[0]):
            yield Found(*match.span(), "MAIL")
    yield from _users(text, low)
    yield from (_found(match, "ACCOUNT") for match in _SORT.finditer(low))
    yield from (_found(match, "NUMBER") for match in _ENDS.finditer(low))


def _secrets(low: str) -> Iterator[Found]:
    for match in _SECRET.finditer(low):
        if not _is_count(match["gap"], match["value"]):
            yield _found(match, "SECRET")
    for match in _JOINED.finditer(low):
        if match["value"] not in _WORDED:
            yield _found(match, "SECRET")
    for pattern in (_TEXTED, _REPEATED, _PASS, _LOCK):
        yield from (_found(match, "SECRET") for match in pattern.finditer(low))
    for match in _NETWORK.finditer(low):
        yield from (
            Found(*match.span(group), "SECRET")
            for group in ("one", "two", "name", "key")
            if match[group]
        )


def _users(text: str, low: str) -> Iterator[Found]:
    """Names of accounts behind the name of where they are."""
    for match in (*_CALLED.finditer(low), *_ADD_ME.finditer(low)):
        value = match["value"]
        made = any(char.isdigit() or char in "_-" for char in value) or not value.isascii()
        if made or (match.re is _CALLED and match[0][0] > "z"):
            yield _found(match, "USER")
    for match in _PLAYED.finditer(low):
        if _MADE.search(text[match.start("value") : match.end("value")]):
            yield _found(match, "USER")
    for match in _KNOWN_AS.finditer(low):
        group = "bare" if match["bare"] else "value"
        if not is_word(match[group]):
            yield Found(*match.span(group), "USER")
    yield from (_found(match, "USER") for match in _TAGGED.finditer(text))
    if "$" in low and _CASHED.search(low):
        yield from (_found(match, "USER") for match in _CASH.finditer(low))


_MADE = re.compile(r"^(?!v?\d+(?:\.\d+)+$)(?=.*[a-zA-Z])(?:.*[0-9_#]|.*[a-z][A-Z])")
"""No word has a figure, a low line or a capital in its middle, a version no letter."""


def _found(match: re.Match[str], kind: Kind) -> Found:
    return Found(*match.span("value"), kind)


_COUNTING = re.compile(
    r"(?:最少|至少|不少于|超过|长度|位数|次|天|minimum|at least|max|length|characters|attempts|days"
    r"|version|error|line|port|within|after|every|号楼)",
)


def _is_count(gap: str, value: str) -> bool:
    """Whether a value behind a password's name is a date, a count or a rule about passwords."""
    if _COUNTING.search(gap):
        return True
    return bool(
        re.fullmatch(r"(?:19|20)\d\d(?:[-/.]\d{1,2}){0,2}|\d{1,2}-\d{1,2}|v?\d+\.\d[\d.]*", value)
    )


def _is_place(value: str) -> bool:
    """Whether the word before "at" shows that it leads to a place or a host, and to no mail."""
    parts = _SPELLED_AT.split(value)
    return len(parts) > 1 and parts[0].split()[-1] in _WORDS_BEFORE
