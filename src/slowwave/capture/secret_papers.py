"""Numbers behind a name that says what they are: passports, ids, cards, accounts, one-time codes.

The name decides, not a checksum: people mistype, and every country counts differently. So the
rule is name + join ("is", ：, "no.", 是) + a value with enough figures. What has a number of its
own between the two (an order, a flight, a phone), dates, amounts and pages stay.
"""

import re

from slowwave.capture.secret_names import NUMBER_WORD, OTHER_THING, names

__all__ = ["papers"]

_LABELS = {
    "number": "id", "paper": "id", "idnumber": "id", "card": "card", "bank": "card", "code": "code",
}  # fmt: skip

# --- between the name and the value -------------------------------------------------------------

_WORD = re.compile(
    rf"(?:['’]s)?[ _-]{{0,2}}(?:(?:id|card|book|identification|reg(?:istration|\.)?)[ _-]?"
    r"|档案|证件|电脑|的)?"
    rf"(?:{NUMBER_WORD}|(?<=[a-z])I?[Nn]r\.?(?![a-z]))(?:码|碼)?(?:(?<=[^A-Za-z])|(?![A-Za-z]))",
    re.I,
)
_ASIDE = re.compile(
    rf"(?:[ \w]{{0,14}}[,，;；]\s?(?:{NUMBER_WORD})"
    r"|\s?[(（\[][^()（）\[\]\n\d]{0,30}[)）\]]"
    r"|,\s[^,\n.:!?;\d]{1,40},(?=\s)"
    r"|[ ](?:for|of|on|to|at|in|from|that|which|I|we|you|he|she|they|für|von|de|du|del|di|da|van)"
    r"\s[^:：=\n.,;!?。，；！？\d]{1,40}?(?=\s?[:：=]|\s(?:is|was|has|ist|est|es|è|é)\s)"
    r"|[^\s\d:：=\n.,;!?。，；！？A-Za-z]{1,16}?(?=\s?[:：]|(?:就)?是|[改换更变]))?"
)
_JOIN = re.compile(
    r"[\"'`*_\\]{0,4}(?:"
    r"(?P<copula>\s(?:(?:is|was|are|will be|reads?|equals?|est|es|ist|lautet|war|était|era|jest|är"
    r"|er|sono|são|è|é|это)|(?:(?:has|was|is|got|been)\s){0,2}(?:changed|updated|set|reset|renewed)\s"
    r"(?:to|as))(?:\s(?:now|still|currently|probably|actually|just|simply|again|also))?"
    r"\s?[:：]?\s(?:(?:the|le|la|el|il|die|der|das|o)\s(?=\S*\d))?"
    rf"|\s(?:has|had|with|bears|hat|tiene|ha|a)\s(?:the\s|die\s|le\s|el\s|il\s)?"
    rf"(?=(?:{NUMBER_WORD})\s)"
    r"|['’]s\s(?=\S*\d)"
    r"|\s?[我他她它你您咱家们已现还都先给经在应该大概可能好像记得的新旧一直\s]{0,8}?"
    r"(?:(?:改|换|設|设|更新|重置|变)(?:成|为|為)|就是|还是|叫|是|为|為|는|은|は)了?\s?[:：]?\s?)"
    r"|(?P<strong>\s{0,2}(?:=>|->|→|:=|[:：=＝|>№#]|[-–—](?=\s))\*{0,2}\s{0,4})"
    r"|(?P<comma>[,，]\s?)"
    r"|(?P<space>\s{1,2}|_|(?=[(（\"“「『\[])|(?<=[㐀-鿿぀-ヿ가-힯])(?=[A-Za-z0-9])|(?<=#)(?=\d)))"
    rf"(?:(?:{NUMBER_WORD})\s?[:：]?\s?)?"
    r"[\"'`“「『‘*\\(（\[【]{0,3}(?!secret:)",
    re.I,
)
_FROM_HERE = r"(?![A-Za-z0-9@]|[-_/][A-Za-z0-9])"
_GROUPED = re.compile(
    r"(?:[A-Z]{1,6}\d{0,10}|[A-Za-z]{1,3}\d{1,10}|\d[0-9A-Za-z]{0,7})"
    r"(?:[ -](?:[0-9A-Z]{0,7}\d[0-9A-Z]{0,7}|[A-Z]{1,4}(?![A-Za-z]))){1,9}" + _FROM_HERE
)
_SOLID = re.compile(
    r"[A-Za-z0-9]{2,34}(?:[-–./][A-Za-z0-9]{1,12}){0,7}(?:\s?[(（][0-9A-Z][)）])?" + _FROM_HERE
)
_CODE = re.compile(r"[A-Za-z0-9]{1,12}(?:[- –][A-Z0-9]{1,8}(?![a-z])){0,6}" + _FROM_HERE)
_UNIT = re.compile(
    r"\s?(?:[年月日号天次个條条人页元块万岁米位楼分秒时点]|小时|分钟|[%$€£¥℃]"
    r"|(?:usd|eur|gbp|rmb|cny|yuan|dollars?|euros?|pounds?|bucks|people|times|pages?|days?|weeks?"
    r"|months?|years?|hours?|minutes?|mins?|seconds?|lines?|chars?|characters|digits?|users|km|kg|mb"
    r"|gb|am|pm)\b|:\d\d|\.\d)",
    re.I,
)
_DATE = re.compile(
    r"(?:19|20)\d\d[-./ ](?:0?[1-9]|1[0-2])(?:[-./ ](?:0?[1-9]|[12]\d|3[01]))?"
    r"|(?:0?[1-9]|[12]\d|3[01])[-./ ](?:0?[1-9]|[12]\d)[-./ ](?:19|20)\d\d"
)
_YEAR_FIRST = re.compile(r"(?:19|20)\d\d[-./ ][01]?\d(?:[-./ ]|\Z)")
"""A date among codes; 6-3-2087 is a shelf, a row and a parcel."""
_DAY = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")
_WORDLIKE = re.compile(r"[a-z]{4}|[A-Z][a-z]{2}")
_MOBILE = re.compile(r"1[3-9]\d[ -]?\d{4}[ -]?\d{4}|0\d{2,4}[ -]\d{3,4}[ -]?\d{3,4}")
_AGAIN = re.compile(
    r"[\"'`”」』’)）\]]?\s?(?:[,，、/;；&+]|and\b|or\b|und\b|et\b|y\b|e\b|和|以及|及|跟|与|或)"
    r"[^\d\n.!?。！？]{0,28}?(?<![A-Za-z0-9.+-])(?=[A-Za-z]{0,6}\d)"
)

# --- before the name ----------------------------------------------------------------------------

_BEFORE = re.compile(
    r"(?<![A-Za-z0-9_./+#-])(?P<value>[A-Za-z]{0,3}-?\d[0-9A-Za-z]{0,11}"
    r"(?:[- ][0-9A-Z]{1,10}){0,7})"
    r"[\"'`”]?(?:\s?[(（=]\s?|\s(?:is|was|ist|est|es|è)\s|\s?[,，]?\s?(?:这)?(?:就)?是)"
    r"(?:(?:my|the|our|his|her|their|your|a|mein\w?|mon|ma|mi|mio|mia)\s(?:\w{1,16}\s){0,3}"
    r"|[㐀-鿿]{0,10})?\Z",
    re.I,
)
_ENDS = re.compile(
    r"\s?(?:[.,;:!?)）。，；！？]|\Z|\n|for\b|of\b|and\b|but\b|，|[的吧哦啊呢了])", re.I
)
_CLAIM = re.compile(
    r"(?:凭|憑)(?:[取提收]?[件货]?码)?[【\[「“\"\s]{0,2}"
    r"(?P<zh>[A-Za-z0-9]{1,8}(?:-[A-Za-z0-9]{1,8}){0,4})(?=[】\]」”\"\s]{0,2}[到至前往来去在领取提自][^\n。；]{0,24})"
    r"|\b(?:use|enter|show|quote|type(?: in)?|give)\s(?:the\s)?(?:code|pin)\s"
    r"(?P<en>[A-Z0-9]{1,3}-?\d{3,8})(?=\s(?:to|at|when|for|and)\s|[.,!]|\Z)"
    r"|(?<![A-Za-z]\s)\b(?:your|my)\scode\s(?:is|was)\s?:?\s?(?P<your>\d{4,8})(?=[.,;!)]|\Z|\n)",
    re.I,
)


_WIDE = re.compile(r"[０-９Ａ-Ｚａ-ｚ]")
_NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF10, 0xFF5B)}
_FIGURES = re.compile(r"\d|[A-Z]{4}")
"""What every value has: without it in reach, a name is just a word."""


def papers(text: str) -> str:
    """Numbers of papers, cards, accounts and one-time codes behind or before their names."""
    whole, text = text, text.translate(_NARROW) if _WIDE.search(text) else text
    found = _claims(text)
    at = 0
    for match in names(text):
        if match.start() >= at and _FIGURES.search(
            text, max(0, match.start() - 100), match.end() + 100
        ):
            spans = _behind(text, match) or _ahead(text, match)
            at = max([at, *(end for _, end, _ in spans)])
            found += spans
    return _replaced(whole, sorted(found))


def _replaced(text: str, found: list[tuple[int, int, str]]) -> str:
    kept, at = [], 0
    for start, end, label in found:
        if start >= at:
            kept += [text[at:start], f"[secret:{label}]"]
            at = end
    kept.append(text[at:])
    return "".join(kept)


def _claims(text: str) -> list[tuple[int, int, str]]:
    """Codes named by what they are shown for: 凭 3-2-1107 到…取件, "use code … to sign in"."""
    found = []
    for match in _CLAIM.finditer(text):
        value = match[match.lastgroup or 0]
        if sum(map(str.isdigit, value)) >= 3 and not _YEAR_FIRST.match(value):
            found.append((*match.span(match.lastgroup or 0), "code"))
    return found


def _behind(text: str, match: re.Match[str]) -> list[tuple[int, int, str]]:
    """The value behind the name, and values of the same shape that the sentence adds to it."""
    kind = match.lastgroup or "paper"
    if kind in ("card", "bank", "idnumber") and _of_another(text, match.start()):
        return []
    end, exact = match.end(), kind in ("number", "code")
    word = _WORD.match(text, end)
    if word is not None:
        end, exact = word.end(), True
    span = _valued(text, end, kind, exact=exact)
    if span is None:
        aside = _ASIDE.match(text, end)
        if aside and aside[0] and (kind == "code" or not OTHER_THING.search(aside[0])):
            span = _valued(text, aside.end(), kind, exact=exact)
    if span is None:
        return []
    spans = [(*span, _LABELS[kind])]
    while (more := _next_alike(text, spans[-1])) is not None:
        spans.append((*more, _LABELS[kind]))
    return spans


def _of_another(text: str, start: int) -> bool:
    return OTHER_THING.search(text[max(0, start - 12) : start]) is not None


def _valued(text: str, at: int, kind: str, *, exact: bool) -> tuple[int, int] | None:
    join = _JOIN.match(text, at)
    if join is None or (join["comma"] is not None and kind == "code"):
        return None
    firm = join["copula"] is not None or join["strong"] is not None
    if kind == "code":
        return _code(text, join.end(), firm=firm)
    for shape in (_GROUPED, _SOLID):
        found = shape.match(text, join.end())
        if found and _is_number(found[0], kind, exact=exact) and not _UNIT.match(text, found.end()):
            return found.span()
    return None


def _is_number(value: str, kind: str, *, exact: bool) -> bool:
    """Enough figures for the kind, and neither a date nor (behind a bare noun) a phone number."""
    digits = sum(map(str.isdigit, value))
    size = sum(map(str.isalnum, value))
    if _DATE.fullmatch(value) or (
        not exact and (_DAY.fullmatch(value) or _MOBILE.fullmatch(value))
    ):
        return False
    if re.search(r"[a-z]{4}|[A-Z][a-z]{2}", value):
        return False
    if kind == "card":
        return 12 <= digits <= 24 and size == digits
    if kind == "bank":
        return digits >= 6 and size <= 34
    return digits >= (4 if exact else 5) and 6 <= size <= 24


def _code(text: str, at: int, *, firm: bool) -> tuple[int, int] | None:
    """A code for one use: some figures, or (firmly joined) capitals with or without figures."""
    found = _CODE.match(text, at)
    if found is None or _UNIT.match(text, found.end()) or _YEAR_FIRST.match(found[0]):
        return None
    value = found[0]
    digits = sum(map(str.isdigit, value))
    size = sum(map(str.isalnum, value))
    if value.isdigit() and size > 10:
        return None
    if _WORDLIKE.search(value):
        return None
    if digits >= 3 and (digits * 2 >= size or not any(map(str.islower, value))):
        return found.span()
    mixed = digits > 0 and 4 <= size <= 29
    capitals = firm and value.isupper() and size >= 4 and bool(_ENDS.match(text, found.end()))
    return found.span() if mixed or capitals else None


def _next_alike(text: str, last: tuple[int, int, str]) -> tuple[int, int] | None:
    """ "… and the old one was …": a further value of exactly the same shape in the sentence."""
    start, end, _ = last
    again = _AGAIN.match(text, end)
    if again is None or OTHER_THING.search(again[0]) or any(names(again[0])):
        return None
    size = end - start
    value = text[again.end() : again.end() + size]
    if _outline(value) != _outline(text[start:end]):
        return None
    after = text[again.end() + size : again.end() + size + 1]
    if after.isascii() and (after.isalnum() or after == "_"):
        return None
    return again.end(), again.end() + size


def _outline(value: str) -> str:
    return "".join("9" if c.isdigit() else "A" if c.isascii() and c.isalpha() else c for c in value)


def _ahead(text: str, match: re.Match[str]) -> list[tuple[int, int, str]]:
    """The value in "… is my passport number", …是我的护照号 and "… (SSN)"."""
    low = max(0, match.start() - 100)
    window = text[low : match.start()]
    if sum(map(str.isdigit, window[-90:])) < 3:
        return []
    word = _WORD.match(text, match.end())
    end = word.end() if word is not None else match.end()
    found = _BEFORE.search(window) if _ENDS.match(text, end) else None
    if found is None or OTHER_THING.search(window[max(0, found.start() - 24) : found.start()]):
        return []
    kind, value = match.lastgroup or "paper", found["value"]
    span = (low + found.start("value"), low + found.end("value"))
    if kind == "code":
        good = _code(text, span[0], firm=False) == span
    else:
        good = _is_number(value, kind, exact=word is not None or kind == "number")
    return [(*span, _LABELS[kind])] if good else []
