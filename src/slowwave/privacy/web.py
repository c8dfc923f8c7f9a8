"""Addresses of the net: mail, links that carry something, machines, accounts of people."""

import re
from collections.abc import Iterator

from slowwave.privacy.kinds import Found
from slowwave.privacy.names import english, is_word
from slowwave.privacy.terms import lower, word_set

__all__ = ["find_web"]

_LOCAL = r"A-Za-z0-9À-ɏ._%+-"
_MAIL = re.compile(
    rf"(?<![{_LOCAL}])[{_LOCAL}]{{1,64}}@[A-Za-z0-9-]{{1,63}}(?:\.[A-Za-z0-9-]{{1,63}}){{1,5}}",
    re.A,
)
_SPELLED_MAIL = re.compile(
    r"(?<![\w.+-])[A-Za-z0-9._+-]{1,64}\s?(?:[\[(<{]\s?(?:at|@|AT)\s?[\])>}]|\s(?:at"
    r"|AT)(?=\s\S{1,40}"
    r"\s(?:dot|DOT)\s))\s?[A-Za-z0-9-]{1,40}(?:\s?(?:[\[(<{]\s?(?:dot|DOT|\.)\s?[\])>}]|\."
    r"|\sdot\s)\s?"
    r"[A-Za-z]{2,12}){1,3}"
    r"|(?<![\w.+-])[A-Za-z0-9._+-]{1,64}\s?(?:#|\(at\)|艾特|\s圈a\s)\s?(?:qq|163|126|gmail"
    r"|outlook|hotmail)"
    r"\s?(?:\.|点)\s?com",
    re.A,
)
_URL = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-Za-z][A-Za-z0-9+.-]{1,20}://"
    r"|www\.)[^\s<>\"'`，。；、）】》」\u4e00-\u9fff]{2,2000}",
    re.A,
)
_BARE_QUERY = re.compile(
    r"(?<![A-Za-z0-9@./-])(?:[A-Za-z0-9-]{1,40}\.){1,4}[a-z]{2,10}/[^\s<>\"'`，。；、）\u4e00-"
    r"\u9fff?]{0,300}"
    r"\?[^\s<>\"'`，。；、）\u4e00-\u9fff]{3,1000}",
    re.A,
)
_OPAQUE = re.compile(
    r"(?<=[/=.])(?=[A-Za-z0-9_-]*\d)(?=[A-Za-z0-9_-]*[A-Z])[A-Za-z0-9_-]{16,}", re.A
)
_PERSONAL = re.compile(
    r"/(?:in|u|user|users|profile|people|@[\w.]+|account|share|invite|join|meeting|j|s|d|file"
    r"|folders)/"
    r"[\w.@%-]{3,}|/@[\w.]{2,}|//(?:t\.me|wa\.me|x\.com|twitter\.com|instagram\.com|facebook\.com"
    r"|github\.com|gitlab\.com|weibo\.com|paypal\.me|venmo\.com)/[\w.@-]{2,40}/?$",
    re.A,
)
_IP4 = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w]|\.\d)", re.A)
_IP6 = re.compile(
    r"(?<![\w:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:%\w{1,12})?(?![\w:])", re.A
)
_MAC = re.compile(
    r"(?<![\w:-])(?:[0-9A-Fa-f]{2}([:-]))(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}(?![\w:-])", re.A
)
_VERSIONED = re.compile(
    r"(?:\bv|\bver\.?|version|版本号?|release|build|==|>=|~=|\^)[\s:=是为]{0,3}$", re.I | re.A
)
_NOBODYS = ("127.", "0.0.0.0", "255.", "224.", "169.254.")
_AT = re.compile(r"(?<![\w@./:=<-])@([A-Za-z_][A-Za-z0-9_.-]{2,38})(?![A-Za-z0-9_/(@-])", re.A)
_HAN_AT = re.compile(r"(?<![A-Za-z0-9])@([\u4e00-\u9fff][\u4e00-\u9fffA-Za-z0-9_-]{1,14})", re.A)
_SUDO = re.compile(
    r"\b(?:sudo|su|CRON|login)(?:\[\d{1,7}\])?:\s{1,4}\(?([a-z_][A-Za-z0-9_.-]{1,31})(?=\s:"
    r"|\)\s)",
    re.A,
)
_LOGGED = re.compile(
    r"\b(?:ERROR|WARN(?:ING)?|INFO|DEBUG|NOTICE|FATAL|CRITICAL)\b[^\n]{0,120}?\buser\s['\"]?"
    r"([a-z][a-z0-9._-]{3,30})['\"]?\s(?=exceeded|logged|has|was|from|failed|denied|connected"
    r"|disconnected|created|authenticated|signed|is|attempted|requested|at|on|did|could)",
    re.A,
)
_DOTTED = re.compile(
    r"(?<![A-Za-z0-9_@./-])([a-z]{3,12})[._]([a-z]{2,15})(?![A-Za-z0-9_@(/-]|\.[a-z0-9])", re.A
)
_ENDINGS = word_set(
    "py md txt js ts json yaml yml toml csv pdf png jpg jpeg gif svg html htm css com org net io "
    "dev ai cn de app log db sql sh exe zip get set doc docx xls xlsx"
)
_TAGS = frozenset({
    "dataclass", "property", "staticmethod", "classmethod", "abstractmethod", "override",
    "overload", "pytest", "cache", "lru_cache", "app", "router", "click", "media", "import",
    "font-face", "keyframes", "param", "params", "return", "returns", "throws", "throw", "type",
    "typedef", "see", "since", "deprecated", "author", "example", "test", "before", "after",
    "autowired", "component", "bean", "entity", "service", "controller", "injectable", "input",
    "output", "nullable", "notnull", "latest", "next", "beta", "alpha", "here", "channel",
    "everyone", "all", "team", "mention", "username", "user",
})  # fmt: skip
_DECORATES = re.compile(r"(?:^|\n)[ \t]*$", re.A)
_ACCOUNT_NAME = re.compile(
    r"(?:(?<![a-z])(?=[a-z])(?:wechat(?:\s?id)?|weixin|wx|vx|qq|telegram|tg\b|skype|line\s?id"
    r"|discord|instagram|ins\b|ig\b|twitter|tiktok"
    r"|snapchat|insta|facebook|fb\b|linkedin|reddit|bluesky|mastodon|threads|slack|zoom\s?id"
    r"|signal\s?id|steam\s?id|psn\b|xbox|venmo|cash\s?app|github|gitlab|user\s?names?"
    r"|user_?name|(?:user|open|union|account|customer|device|member|profile)_?id|login(?:\s?name)?"
    r"|screen_?\s?name|nick(?:\s?name)?|handle|user(?==|:[a-z])|uid(?==)|login(?==)"
    r"|(?P<shell>for (?:invalid )?user(?= )|opened for|closed for|logged in as|(?:password"
    r"|publickey|session|login|sudo:?) (?:for|by|as)))"
    r"|(?=[微加薇支抖快小知用登账帐网昵游会淘注群花])(?:微信号?|加我v|薇信|支付宝账?号?|微博"
    r"|抖音号?|快手号?|小红书号?|知乎|用户名|登[录陆入]名|账号名?|帐号名?|网名|昵称|游戏id|会员名"
    r"|淘宝会员|注册名|群昵称|花名))"
    r"(?:号码?|\s?(?:handle|id|account|name|user(?:name)?)\b)?[\"'*`]{0,2}(?P<join>\s?(?:[:=]"
    r"|是|为|叫|\bis\b|\bwas\b)\s?|\s|(?<=[\u4e00-\u9fff]))(?:now\s|也是|我|的"
    r"|@){0,2}[\"'`“「@]{0,2}"
    r"(?P<value>(?:live:)?[a-z0-9_][a-z0-9_.-]{2,38}[a-z0-9_](?:#[0-9]{4})?"
    r"|(?<=[:=是叫名称\"“「])[\u4e00-\u9fff]{2,10})",
    re.A,
)
"""Searched in lower case: ignoring case costs a multiple."""
_NO_NAMES = frozenset({
    "string", "str", "int", "integer", "text", "varchar", "boolean", "number", "optional", "uuid",
    "here", "below", "above", "registration", "session", "input", "value", "none", "null", "true",
    "false", "yes", "admin", "root", "default", "undefined", "name", "user", "username", "required",
    "missing", "invalid", "the", "and", "for", "page", "form", "button", "screen", "error",
    "failed", "success", "field", "prompt", "message", "account",
})  # fmt: skip
_ACCESS = re.compile(
    r"(?:^|\n)\S{3,60} \S{1,30} ([A-Za-z0-9][\w.@-]{1,40}) \[\d{1,2}/\w{3}/"
    r"|(?<![\w/])/(?:u|user|users|~|profile|profiles|people|members?)/?([A-Za-z0-9][\w.-]{2,38})(?=[/\s\"'?]|$)"
    r"|(?<![\w./-])([a-z][\w.-]{2,30})/(?=\d{1,3}(?:\.\d{1,3}){3}:\d)"
    r"|\blogin ([A-Za-z0-9][\w.@-]{1,40}) password\b"
    r"|\s(?:-u|--user)[ =]['\"]?([A-Za-z0-9][\w.@-]{1,40}):(?=\S)",
    re.A,
)
"""Accounts in the log of a web server, in a path, and in front of a password."""
_SSID = re.compile(
    r"(?:wi-?fi\s?(?:名称?|name|network)|ssid|热点名?)(?:\s?(?:[:=是叫为]|\bis\b)){0,2}\s{0,2}[\"'“]?"
    r"([A-Za-z0-9\u4e00-\u9fff][\w\u4e00-\u9fff.-]{2,31})",
    re.I,
)
_HOME = re.compile(
    r"(?:/home/|/Users/|[A-Za-z]:[\\/]{1,2}Users[\\/]{1,2}"
    r"|/mnt/c/Users/)([A-Za-z0-9._ -]{2,32}?)(?=[/\\\s\"':,;)]|$)",
    re.A,
)
_SHARED = frozenset(
    [
        "shared",
        "public",
        "default",
        "runner",
        "ubuntu",
        "user",
        "username",
        "node",
        "app",
        "root",
        "me",
        "you",
    ]
)
_SHELL = re.compile(
    r"(?:\b(?:ssh|scp|rsync|sftp|mosh)\b[^\n|;]{0,60}?\s|(?:^|\n)\[?|FTP "
    r"|login as:? )([A-Za-z_][\w.-]{1,31})(?=@[A-Za-z0-9][\w.-]{0,60})",
    re.A,
)


def find_web(text: str) -> Iterator[Found]:
    """Mail addresses, telling links, IP and hardware addresses, names of accounts."""
    if "@" in text or "at" in text or "#" in text:
        yield from (Found(*match.span(), "MAIL") for match in _MAIL.finditer(text))
        yield from (Found(*match.span(), "MAIL") for match in _SPELLED_MAIL.finditer(text))
    yield from _links(text)
    yield from _machines(text)
    yield from _accounts(text)


def _links(text: str) -> Iterator[Found]:
    if "://" in text or "www." in text:
        for match in _URL.finditer(text):
            url = match[0].rstrip(".,;:!?)]}*")
            rest = url.partition("://")[2] or url
            telling = "?" in rest or "@" in rest or ("#" in rest and "=" in rest)
            if telling or _OPAQUE.search(rest) or _PERSONAL.search("//" + rest):
                yield Found(match.start(), match.start() + len(url), "URL")
    if "?" in text:
        for match in _BARE_QUERY.finditer(text):
            if "=" in match[0]:
                yield Found(*match.span(), "URL")


def _machines(text: str) -> Iterator[Found]:
    for match in _IP4.finditer(text):
        if match[0].startswith(_NOBODYS) or any(int(part) > 255 for part in match[0].split(".")):
            continue
        if not _VERSIONED.search(text, max(0, match.start() - 12), match.start()):
            yield Found(*match.span(), "IP")
    if ":" in text:
        for match in _IP6.finditer(text):
            groups = match[0].partition("%")[0].split(":")
            short = "::" in match[0] and sum(map(bool, groups)) >= 2
            if (short or (len(groups) == 8 and all(groups))) and any(map(str.isalnum, match[0])):
                yield Found(*match.span(), "IP")
    yield from (Found(*match.span(), "IP") for match in _MAC.finditer(text))


def _accounts(text: str) -> Iterator[Found]:
    if "@" in text:
        for match in _AT.finditer(text):
            name = match[1].rstrip(".-")
            root = name.partition(".")[0].lower()
            alone = _DECORATES.search(text, max(0, match.start() - 40), match.start())
            code = alone and text[match.end() : match.end() + 1] in ("\n", "(", "")
            if root not in _TAGS and not code:
                yield Found(match.start(1), match.start(1) + len(name), "USER")
        yield from (Found(*match.span(1), "USER") for match in _SHELL.finditer(text))
        for match in _HAN_AT.finditer(text):
            if match[1] not in ("所有人", "全体成员"):
                yield Found(*match.span(1), "USER")
    yield from (Found(*match.span(1), "USER") for match in _SUDO.finditer(text))
    yield from _named_accounts(text)


def _named_accounts(text: str) -> Iterator[Found]:
    """Accounts behind the word for one, in logs, in paths, and made of a given name."""
    for match in _ACCOUNT_NAME.finditer(lower(text)):
        if _is_name(match["value"], match["join"]) or match["shell"]:
            yield Found(*match.span("value"), "USER")
    yield from (Found(*match.span(1), "USER") for match in _LOGGED.finditer(text))
    yield from (Found(*match.span(1), "USER") for match in _SSID.finditer(text))
    for match in _ACCESS.finditer(text):
        if match[match.lastindex or 0] not in ("me", "login", "new", "all", "edit", "list"):
            yield Found(*match.span(match.lastindex or 0), "USER")
    for match in _DOTTED.finditer(text):
        known = match[1] in english()["given"] or match[1] in english()["words"]
        if known and match[2] not in _ENDINGS and not is_word(match[2]):
            yield Found(*match.span(), "USER")
    for match in _HOME.finditer(text):
        if match[1].lower() not in _SHARED:
            yield Found(*match.span(1), "USER")


_VERSION = re.compile(r"v?\d{1,4}(?:\.\d{1,4}){1,3}", re.A)


def _is_name(value: str, join: str) -> bool:
    """Whether a word behind "username" is one: told by a sign or figure in it, or by the join."""
    if value.lower() in _NO_NAMES or _VERSION.fullmatch(value):
        return False
    made = any(char.isdigit() or char in "_.-" for char in value) or not value.isascii()
    made = made or not (join or is_word(value))
    return made or bool(join.strip() and join.strip() not in ("is", "was"))
