"""Secrets told by the name they stand behind or before: passwords, codes, tokens, code words."""

import re
from typing import Literal, NamedTuple

from slowwave.capture.secret_words import (
    is_description,
    is_opaque,
    is_ordinary,
    is_passphrase,
    is_placeholder,
    is_plain_word,
)

__all__ = ["places"]

_NAME = re.compile(
    r"(?-i:(?<![A-Za-z])|(?=[^a-z]))(?=[a-zſK密口暗安通助パ비验驗校动开门秘令私授凭п])(?:"
    r"(?P<phrase>(?:seed|recovery|backup|mnemonic|wallet)[ _-]?phrases?|mnemonic|助记词)"
    r"|(?P<password>pass(?:words?|wd|phrases?|wort)|pwd|passcodes?|contrase(?:ñ|n)a|\bpw"
    r"|mot de passe|kennwort|wachtwoord|l[öo]senord|senha|has[łl]o|пароль"
    r"|(?P<spoken>(?:code|safe|secret|watch)[ -]?words?|security (?:question )?answer"
    r"|answer to (?:my|the|our) security question|codew[oö]rt|losungswort|palabra clave"
    r"|parola d['’]ordine|mot de code)"
    r"|密码|密碼|口令|暗号|暗號|暗语|暗語|密语|安全词|通行码|パスワード|暗証番号|비밀번호)"
    r"|(?P<code>(?:verification|one[- ]?time|security|access|door|gate|unlock|alarm|entry|login"
    r"|auth|confirmation|2fa|mfa|otp|sms|safe|lock|backup|recovery)(?:[ _-]|['’]s )codes?"
    r"|(?:safe|lock|padlock|vault)[ _-]combination"
    r"|codes? (?:for|to|of) (?:the |my |our |your )?(?:\w{1,16} ){0,2}?"
    r"(?:door|gate|safe|lock|alarm|garage|building|entrance|vault|box|phone|card|account)"
    r"|(?:bank|card|atm|sim|debit|phone|tablet)[ _-]pin|\botp|\bpin(?: ?code| ?number)?|\bcv[vc]2?"
    r"|验证码|驗證碼|校验码|动态码|安全码|开门码|门禁码)"
    r"|(?P<token>(?:api|access|secret|private|auth|encryption|signing|account|master|license|service"
    r"|session|bearer|refresh|client|webhook|app|bot|deploy|ssh|shared|storage|admin|id|jwt|oauth)"
    r"[ _.-]?(?:key|token|secret|signature)(?:s(?![A-Za-z]))?|secret(?:s(?![A-Za-z]))?"
    r"|token(?:s(?![A-Za-z]))?|credentials?|creds|sig(?:nature)?"
    r"|密钥|密鑰|秘钥|令牌|私钥|私鑰|授权码|凭证|凭据)"
    r"|(?P<key>key|auth|pass|login))",
    re.I,
)
_TAIL = re.compile(
    r"(?:[_-](?:\d{1,3}|prod\w{0,6}|dev|test|staging|live|value|base64|b64))?"
    r"(?:\s?[(（][^)）\n]{1,30}[)）])?"
    r"(?:\s(?:for|of|on|to|at|in)\s[^:：=\n]{1,40}?(?=\s?[:：=]|\sis\s))?"
    r"(?:\s(?:that\s|which\s)?(?:I|we|you|he|she|they)\s[^:：=\n.,;!?\d]{1,40}?"
    r"(?=\s?[:：=]|\s(?:is|was)\s))?"
    r"(?:(?P<strong>[\"'`*\\]{0,4}(?:\s{0,2}(?:=>|->|→|:=|={1,2}|[:：＝]\*{0,2})[ \t]*(?:\n[ \t]*)?"
    r"|\s(?:[-–—]|\|)\s|>(?=\S)))"
    r"|(?P<copula>(?:\s(?:is|was|are|has been|got|gets|est|es|ist|lautet|era|war|è|é|är|er|jest)"
    r"|['’]s|\?)"
    r"\s(?:now\s|still\s|currently\s|just\s)?"
    r"(?:(?:changed|reset|set|updated|switched|rotated)\s(?:to|as)\s)?[:：]?\s?"
    r"|\s(?:changed\s|reset\s|set\s|updated\s|switched\s|rotated\s)?(?:to|as)\s"
    r"|\s?[我他她你们已现还都先给经在定用说过记得的]{0,6}"
    r"(?:(?:改|换|設|设|更新|重置|变|設置|设置|修改)(?:成|为|為)|就是|还是|是|叫|为)了?[:：]?\s?|\s?[は는은]\s?)"
    r"|(?P<space>\s{1,2}|(?<=[㐀-鿿])(?=[!-~])))"
    r"(?P<quote>[\\\"'`“「『‘*]{0,3})"
)
_ASCII_VALUE = re.compile(r"(?:[!#-&(-;=?-\[\]-_a-~]|\\(?![\"'nrt])|'(?=\w)){1,160}")
_SPELLED = re.compile(
    r"[零〇一二三四五六七八九十两\d]{1,4}个[零一二三四五六七八九\d]|[零〇一二三四五六七八九]{4,12}"
)
_USER_BEFORE = re.compile(r"user|login|account|账号|帐号|用户|wi-?fi", re.I)
_CLOSING = {'"': '"', "'": "'", "`": "`", "“": "”", "「": "」", "『": "』", "‘": "’"}
_HAN_VALUE = re.compile(r"[㐀-鿿]{2,12}(?=[\s，。；！、,.;!]|\Z)")
_MIXED_VALUE = re.compile(r"[㐀-鿿]{2,12}(?=[!-~]*\d[!-~]*\d)[!-~]{2,24}(?=[\s，。；！、]|\Z)")
"""Chinese characters that end in figures, as people make up passwords (never a plain clause)."""
_LINE_VALUE = re.compile(r"[^\n,，。;；]{3,200}")
_CLAUSE_END = re.compile(
    r"[\"'`”」』’]?\s*(?:[.,;!?)，。；！？、）]|\n|\Z|\s(?:and|but|or|for|on|which|user(?:name)?)\b)",
    re.I,
)
_COUNTED = re.compile(
    r"\s?(?:[年月日天位个次条字週周]|days?|times?|weeks?|months?|characters?|chars)"
)
_SPOKEN = ("口令", "暗号", "暗號", "暗语", "暗語", "密语", "安全词")
_CODE_WORDS = re.compile(r"[A-Za-z][\w'-]*(?: [A-Za-z][\w'-]*){0,4}")
"""A code word may be several, in capitals too: "Blue Heron"."""

Join = Literal["strong", "copula", "space"]


class _Place(NamedTuple):
    """A name that announces a secret, and what joins it to what follows."""

    kind: str
    name: str
    join: Join
    assigned: bool
    quote: str
    start: int
    before: str
    spoken: bool


def places(text: str) -> str:
    """Values behind or before a name: `token=…`, "the password is …", 支付密码 …, … 是我的密码."""
    kept, at = [], 0
    for match in _NAME.finditer(text):
        if match.start() < at or not _stands_alone(text, match):
            continue
        for start, end, kind in _values(text, match):
            if start >= at and end > start:
                kept += [text[at:start], f"[secret:{kind}]"]
                at = end
    kept.append(text[at:])
    return "".join(kept)


def _stands_alone(text: str, match: re.Match[str]) -> bool:
    """Whether the name is a word (or the last part of an identifier), and not our own mask."""
    start, end = match.span()
    name = match[0]
    if text[max(0, start - 8) : start].endswith(("[secret:", "[")) and _inside_mask(text, start):
        return False
    if not name[0].isascii():
        return True
    if end < len(text) and text[end].isascii() and text[end].isalpha():
        return False
    before = text[start - 1] if start else " "
    if not (before.isascii() and before.isalpha()):
        return True
    if match["key"]:
        return False
    return (before.islower() and name[0].isupper()) or (before.isupper() and name.isupper())


def _inside_mask(text: str, start: int) -> bool:
    return text.startswith("[secret:", start - 1) or text[:start].endswith("[secret:")


def _values(text: str, match: re.Match[str]) -> list[tuple[int, int, str]]:
    kind = next(name for name in _LABELS if match[name])
    if kind in ("password", "code"):
        before = _value_before(text, match)
        if before is not None:
            return [(*before, kind)]
    tail = _TAIL.match(text, match.end())
    if tail is None:
        return []
    joined = tail["strong"]
    if joined is not None and joined.strip() in _LOOSE:
        joined = None
    place = _Place(
        kind=kind,
        name=match[0],
        join="strong"
        if joined is not None
        else "copula"
        if tail["copula"] is not None
        else "space",
        assigned=joined is not None and ("=" in joined or ">" in joined),
        quote=tail["quote"].strip("*\\")[-1:],
        start=tail.end(),
        before=text[max(0, match.start() - 40) : match.start()],
        spoken=match["spoken"] is not None,
    )
    if text.startswith("[secret:", place.start):
        return []
    span = _span(text, place)
    return [] if span is None else [(*span, _LABELS[kind])]


_LOOSE = ("->", "→", "-", "–", "—", "|")
"""Joins that also stand in menus and tables: "Account → Password → Settings"."""
_LABELS = {
    "phrase": "phrase", "password": "password", "code": "code", "token": "token", "key": "key",
}  # fmt: skip


def _span(text: str, place: _Place) -> tuple[int, int] | None:
    """The span of the value, or None when what follows is no secret."""
    phrase = _phrase_span(text, place)
    return phrase if phrase is not None else _token_span(text, place)


def _phrase_span(text: str, place: _Place) -> tuple[int, int] | None:
    """Values of several words, or of Chinese characters."""
    start = place.start
    if place.spoken and (words := _code_words(text, place)) is not None:
        return words
    if place.kind == "password" and place.quote and place.join != "space":
        close = text.find(_CLOSING.get(place.quote, place.quote), start, start + 120)
        inner = text[start:close] if close > start else ""
        if len(inner) >= 3 and "\n" not in inner and not is_placeholder(inner):
            worded = " " in inner or not inner.isascii()
            return (start, close) if worded else None
    if place.kind == "phrase" or (place.kind == "password" and place.join != "space"):
        line = _LINE_VALUE.match(text, start)
        least = 12 if place.kind == "phrase" else 3
        if line is not None and is_passphrase(line[0].rstrip(" .\"'`”"), least):
            return start, start + len(line[0].rstrip(" .\"'`”"))
    if place.kind == "password" and place.join != "space":
        return _han_span(text, place)
    return None


def _code_words(text: str, place: _Place) -> tuple[int, int] | None:
    words = _CODE_WORDS.match(text, place.start) if place.join != "space" else None
    if words is None or not _CLAUSE_END.match(text, words.end()):
        return None
    return None if any(map(is_description, words[0].split(" "))) else words.span()


def _han_span(text: str, place: _Place) -> tuple[int, int] | None:
    start = place.start
    spelled = _SPELLED.match(text, start)
    spoken = _HAN_VALUE.match(text, start) if place.name in _SPOKEN else None
    mixed = _MIXED_VALUE.match(text, start)
    if spelled is not None:
        return spelled.span()
    if mixed is not None:
        return mixed.span()
    if spoken is not None and not is_description(spoken[0]):
        return spoken.span()
    return None


def _token_span(text: str, place: _Place) -> tuple[int, int] | None:
    """Values that are one run of ASCII characters."""
    start = place.start
    found = _ASCII_VALUE.match(text, start)
    if found is None:
        return None
    value = _trim(found[0], place)
    end = start + len(value)
    if not value or is_placeholder(value) or (value.isdigit() and _COUNTED.match(text, end)):
        return None
    if not _JUDGES[place.kind](value, place, text, end):
        return None
    while end == found.end() and (more := _ASCII_VALUE.match(text, end)):
        found, end = more, more.end()
    return start, end


def _trim(value: str, place: _Place) -> str:
    """Cuts what belongs to the sentence, the query string or the connection string."""
    if place.assigned:
        value = value.split(";", 1)[0]
        if place.before.endswith(("?", "&")):
            value = value.split("&", 1)[0]
    for closing in (")", "]", "}", "*"):
        if value.endswith(closing) and value.count(closing) > value.count(_OPEN.get(closing, "")):
            value = value.rstrip(closing)
    return value.rstrip(".,;:")


_OPEN = {")": "(", "]": "[", "}": "{", "*": "\0"}


def _is_password(value: str, place: _Place, text: str, end: int) -> bool:
    if len(value) < 3 or (is_ordinary(value) and (not value.isdigit() or len(value) > 16)):
        return False
    plain = is_plain_word(value)
    if place.join == "space":
        if plain and not place.name.isascii():
            return not is_description(value) and bool(_CLAUSE_END.match(text, end))
        return len(value) >= 4 and not plain and any(char.isdigit() for char in value)
    if not plain:
        return len(value) >= 4 or place.join == "strong"
    if is_description(value):
        return False
    return place.assigned or bool(place.quote) or bool(_CLAUSE_END.match(text, end))


def _is_code(value: str, place: _Place, _text: str, _end: int) -> bool:
    digits = sum(char.isdigit() for char in value)
    short = place.join != "space" or place.name.lower().startswith("cv")
    least = 3 if short else 4
    if place.join != "space" and 4 <= len(value) <= 8 and value.isalnum() and value.isupper():
        return digits > 0
    return least <= digits and len(value) <= 24 and (value.isdigit() or not is_ordinary(value))


def _is_token(value: str, place: _Place, _text: str, _end: int) -> bool:
    if place.name == "授权码" and len(value) == 16 and value.isalpha():
        return True
    if place.join != "strong":
        return is_opaque(value, 16)
    if place.assigned and len(value) >= 6 and not value.isdigit():
        return place.name.isupper() or bool(place.quote) or is_opaque(value, 6)
    return is_opaque(value, 6 if "secret" in place.name.lower() or not value.isalnum() else 8)


def _is_key(value: str, place: _Place, _text: str, _end: int) -> bool:
    named = place.name.lower()
    if named == "pass" and place.join != "strong":
        known = place.join == "copula" or bool(_USER_BEFORE.search(place.before))
        return known and not is_plain_word(value) and is_opaque(value, 5)
    if place.join != "strong":
        return False
    if named in ("pass", "login"):
        secret = value.rsplit("/", 1)[-1].rsplit(":", 1)[-1]
        return len(secret) >= 5 and not is_plain_word(secret) and is_opaque(secret, 5)
    return is_opaque(value, 16, hashes=False)


def _is_phrase(_value: str, _place: _Place, _text: str, _end: int) -> bool:
    return False


_JUDGES = {
    "password": _is_password,
    "code": _is_code,
    "token": _is_token,
    "key": _is_key,
    "phrase": _is_phrase,
}

_BEFORE = re.compile(
    r"(?<![!-~])(?P<value>[!-~]{4,64})"
    r"(?:\s(?:is|was|as)\s(?:my|the|our|his|her|their|your|a)\s(?:[\w'-]{1,20}\s){0,4}"
    r"|\s?(?:就)?是(?:[我他她你咱家]们?){0,2}的?[㐀-鿿A-Za-z0-9 -]{0,10})\Z"
)
_OTHER_NOUN = re.compile(r"\s?(?:managers?|vaults?|hash|policy|field|generator|管理|本|锁|规则|器)")


def _value_before(text: str, match: re.Match[str]) -> tuple[int, int] | None:
    """The value in "… is my password" and …是我的密码."""
    if _OTHER_NOUN.match(text, match.end()):
        return None
    low = max(0, match.start() - 140)
    found = _BEFORE.search(text[low : match.start()])
    if found is None or match["spoken"]:
        return _words_before(text, low, match) if match["spoken"] else None
    value = found["value"].strip("\"'`“”,.;:()")
    digits = sum(char.isdigit() for char in value)
    if is_placeholder(value) or len(value) < 4 or not digits or value == "1Password":
        return None
    if not is_opaque(value, 4) and not (value.isdigit() and len(value) <= 10):
        return None
    start = low + found.start() + found[0].index(value)
    return start, start + len(value)


_WORDS_BEFORE = re.compile(
    r"(?P<value>[A-Za-z][\w'-]*(?: [A-Za-z][\w'-]*){0,4})[\"'”]?\s(?:is|was)\s"
    r"(?:my|the|our|his|her|their)\s(?:\w{1,16}\s){0,2}\Z"
)


def _words_before(text: str, low: int, match: re.Match[str]) -> tuple[int, int] | None:
    """The words in "blue heron is our code word", without those the sentence is built with."""
    found = _WORDS_BEFORE.search(text[low : match.start()])
    if found is None:
        return None
    value = found["value"]
    start = low + found.start()
    for word in re.finditer(r"\S+", value):
        if is_description(word[0]):
            start = low + found.start() + word.end() + 1
    end = low + found.end("value")
    return (start, end) if end - start >= 3 else None
