"""Numbers that are told by their own shape: phones, cards, accounts, ids, plates, places on earth.

What a shape alone does not tell, a name beside it does: see `papers`.
"""

import re
from collections.abc import Callable, Iterator

from slowwave.privacy.checks import is_card, is_iban, is_national
from slowwave.privacy.kinds import Found

__all__ = ["find_numbers"]

_B = r"(?<![\d])(?<!\d[.,])"
_E = r"(?!\d|[.,]\d)"

_PHONES = re.compile(
    # China: mobile with or without country code; landline with its area; hotlines.
    rf"{_B}(?:\(?\+?(?:00)?86\)?[ -]?)?1[3-9]\d[ .-]?\d{{4}}[ .-]?\d{{4}}{_E}"
    rf"|{_B}(?:\+?86[ -]?)?1[3-9]\d[ -]\d{{3}}[ -]\d{{5}}{_E}"
    rf"|(?<![\d.-])\(?0[1-9]\d{{1,2}}\)?[ -]?[2-9]\d{{2,3}}[ -]?\d{{4}}"
    rf"(?:\s?(?:转|分机|ext(?:ension|n)?\.?|x|-)\s?\d{{1,6}})?{_E}"
    rf"|(?<![\d.-])[48]00[ -]\d{{3,4}}[ -]\d{{3,4}}{_E}"
    rf"|(?<![\w+])\((?:\+|00)\d{{1,3}}\)[\d /().-]{{6,20}}\d{_E}"
    # The world: a plus and the country code, in groups or without.
    r"|(?<![\w+])(?:\+|00(?=[1-9]\d{0,2}[ ./-]))[1-9]\d{0,3}(?:[ "
    r".\-/]{0,2}\(?\d{1,6}\)?){1,6}(?!\d)"
    # North America, France, and the national forms of Europe.
    r"|(?<![\w./-])(?:1[ .-])?\(?[2-9]\d{2}\)?[ .-]{1,2}[2-9]\d{2}[ .-]\d{4}(?:\s?(?:ex"
    r"t(?:ension|n)?\.?"
    r"|x)\s?\d{1,6})?"
    r"(?![\w-])"
    rf"|(?<![\d.:/-])0[1-9](?:[ .-]\d{{2}}){{4}}{_E}"
    rf"|(?<![\d.:/-])\(?0[1-9]\d{{1,4}}\)?[ /-]{{1,2}}\d{{2,8}}(?:[ -]\d{{2,8}}){{0,4}}{_E}",
    re.I | re.A,
)
_SPACED = re.compile(r"(?<![\d.,])\d(?:[ .·_-]{1,3}\d(?!\d)){8,24}(?![\d.,]\d)", re.A)
"""Figure by figure, as people write who do not want to be found by a search."""
_SPOKEN = re.compile(
    r"[零〇一二三四五六七八九幺](?:[ 、-]?[零〇一二三四五六七八九幺]){6,}"
    r"|\b(?:(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|double"
    r"|triple)\b[ ,.-]{0,3}){7,}",
    re.I | re.A,
)
_RESIDENT = re.compile(
    rf"{_B}[1-9]\d{{5}}[ -]?(?:18|19|20)\d{{2}}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d"
    rf"|3[01])[ -]?\d{{3}}[\dXx]"
    r"(?![\dA-Za-z])",
    re.A,
)
_PEOPLE = re.compile(
    r"(?<![A-Za-z0-9])(?:(?:E[A-Z]?|[GDSPK]|PE|SE|DE)\d{8}|[A-Z]\d{6}\(\d\)|[A-Z][12]\d{8}"
    r"|[A-Z]{2} \d{2} \d{2} \d{2} [A-D]|[A-CEGHJ-PR-TW-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]"
    r"|[1-9ANY][1-9]\d{6}(?=[0-9A-Z]*[A-Z])[0-9A-HJ-NP-RTUW-Y]{10}"
    r"|[A-Z]{6}\d{2}[A-EHLMPRST][0-7]\d[A-Z]\d{3}[A-Z])(?![A-Za-z0-9])"
    r"|(?<![\w.-])(?:\d{3}-\d{2}-\d{4}|\d{3}\.\d{3}\.\d{3}-\d{2}|[HCM]\d{8}"
    r"|[XYZ]\d{7}[A-Z])(?![\w-])",
    re.A,
)
_DNI = re.compile(r"(?<![A-Za-z0-9-])\d{8}-?[A-Z](?![A-Za-z0-9-])", re.A)
_VAT = re.compile(
    r"(?<![A-Za-z0-9])(?:DE\d{9}|ATU\d{8}|FR[0-9A-Z]{2}\d{9}|NL\d{9}B\d{2}|ES[A-Z]\d{8}"
    r"|IT\d{11}|PL\d{10}"
    r"|GB\d{9}|IE\d{7}[A-Z]{1,2}|BE0\d{9})(?![A-Za-z0-9])",
    re.A,
)
_IBAN = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]{4}){2,7}(?:[ "
    r"-]?[A-Za-z0-9]{1,4})?(?![A-Za-z0-9])",
    re.A,
)
_CARD = re.compile(
    r"(?<![\w.])(?:\d{4}([ -]?)\d{4}\1\d{4}\1\d{1,4}(?:\1\d{1,3})?|3\d{3}([ -])\d{6}\2\d{5}"
    r"|\d{13,19})(?![\w-]|\.\d)",
    re.A,
)
_BRAND = re.compile(r"[3-6]|2[2-7]|62|81|9[1-6]", re.A)
_LONG = re.compile(r"(?<![\w.])(?<![0-9A-Za-z_]-)\d(?:[ -]?\d){10,29}(?![\w]|\.\d)", re.A)
_MOMENT = re.compile(
    r"1[5-9]\d{8}(?:\d{3}){0,3}|(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{0,9}"
    r"|(?:19|20)\d\d[- ](?:0?[1-9]|1[0-2])[- ]\d[\d -]*|0+\d{0,6}",
    re.A,
)
_DIGITS_ONLY = re.compile(r"\D+", re.A)
_PLATE = re.compile(
    r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼使领][A-Z][·.\- ]?"
    r"(?=[A-HJ-NP-Z]{0,6}\d)[A-HJ-NP-Z0-9]{4,6}[港澳学警挂]?(?![A-Za-z0-9])"
    r"|(?<![A-Za-z0-9])[A-Z]{2}\d{2} ?[A-Z]{3}(?![A-Za-z0-9])"
    r"|(?<![A-Za-z0-9-])[A-Z]{2}-\d{3}-[A-Z]{2}(?![A-Za-z0-9-])"
    r"|(?<![A-Za-zÄÖÜ0-9-])[A-ZÄÖÜ]{1,3}-[A-Z]{1,2} \d{1,4}[EH]?(?![A-Za-z0-9])",
    re.A,
)
_GEO = re.compile(
    r"(?<![\w.])[-+]?\d{1,3}\.\d{3,15}°?\s?[NSEW]?\s?[,;/ "
    r"]\s?[-+]?\d{1,3}\.\d{3,15}°?(?:\s?[NSEW])?(?![\d.])"
    r"|\d{1,3}°\s?\d{1,2}['′]\s?(?:\d{1,2}(?:\.\d{1,6})?(?:\"|″|''))?\s?[NSEW]?"
    r"(?:[, ]{1,2}\d{1,3}°\s?\d{1,2}['′]\s?(?:\d{1,2}(?:\.\d{1,6})?(?:\"|″|''))?\s?[NSEW]?)?"
    r"|(?:北纬|南纬|东经|西经)\s?\d{1,3}(?:\.\d{1,15}|度(?:\d{1,2}(?:分(?:\d{1,2}秒)?)?)?)?",
    re.A,
)
_NAMED_GEO = re.compile(
    r"(?<![A-Za-z])(?:lat(?:itude)?|lon(?:g(?:itude)?)?|lng|gps|坐标|经度|纬度"
    r"|经纬度)[\"']?\s?[:=是为 ]{1,3}[\"'\[(]{0,2}"
    r"(?P<value>[-+]?\d{1,3}\.\d{2,15}(?:\s?,\s?[-+]?\d{1,3}\.\d{2,15})?)",
    re.I | re.A,
)


def find_numbers(text: str) -> Iterator[Found]:
    """Phones, bank cards, IBANs, numbers of people and firms, plates, coordinates, long numbers."""
    yield from (Found(*match.span(), "PHONE") for match in _SPOKEN.finditer(text))
    if not any(char in text for char in "0123456789"):
        return
    for match in _PHONES.finditer(text):
        if 8 <= sum(map(str.isdigit, match[0])) <= 20 and not _is_date(match[0]):
            yield Found(*match.span(), "PHONE")
    yield from (Found(*match.span(), "PHONE") for match in _SPACED.finditer(text))
    yield from _people(text)
    yield from _banks(text)
    yield from (Found(*match.span(), "PLATE") for match in _PLATE.finditer(text))
    yield from _earth(text)
    for match in _LONG.finditer(text):
        digits = _DIGITS_ONLY.sub("", match[0])
        if (
            not _MOMENT.fullmatch(match[0])
            and not _MOMENT.fullmatch(digits)
            and len(set(digits)) > 2
        ):
            yield Found(*match.span(), "NUMBER")


def _is_date(number: str) -> bool:
    return bool(re.fullmatch(r"\(?0?\d{1,2}[ ./-]\d{1,2}[ ./-](?:19|20)\d\d.*", number))


def _people(text: str) -> Iterator[Found]:
    for pattern in (_RESIDENT, _PEOPLE, _VAT):
        yield from (Found(*match.span(), "ID") for match in pattern.finditer(text))
    for match in _DNI.finditer(text):
        if is_national(match[0].replace("-", "")):
            yield Found(*match.span(), "ID")


def _banks(text: str) -> Iterator[Found]:
    for match in _IBAN.finditer(text):
        span = _longest(match, lambda number: is_iban(number))
        if span is not None:
            yield Found(*span, "ACCOUNT")
    for match in _CARD.finditer(text):
        digits = _DIGITS_ONLY.sub("", match[0])
        if is_card(digits) and _BRAND.match(digits):
            yield Found(*match.span(), "CARD")


def _longest(match: re.Match[str], sound: Callable[[str], bool]) -> tuple[int, int] | None:
    """The longest beginning of a match, cut at blanks, that checks."""
    value = match[0]
    while value:
        if sound(value.replace(" ", "").replace("-", "")):
            return match.start(), match.start() + len(value)
        value = value[: max(value.rfind(" "), 0)]
    return None


def _earth(text: str) -> Iterator[Found]:
    for match in _GEO.finditer(text):
        numbers = [float(one) for one in re.findall(r"\d{1,3}(?:\.\d+)?", match[0])]
        if "°" in match[0] or match[0][0] in "北南东西" or _on_earth(numbers):
            yield Found(*match.span(), "GEO")
    for match in _NAMED_GEO.finditer(text):
        yield Found(*match.span("value"), "GEO")


def _on_earth(numbers: list[float]) -> bool:
    """Two numbers of which one can be a latitude, and not both are shares of one."""
    return min(numbers) <= 90 and max(numbers) <= 180 and max(numbers) >= 10
