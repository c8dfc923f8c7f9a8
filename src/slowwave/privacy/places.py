"""Postal addresses, Chinese and European: told by a street or house with its number.

A city or country alone is no address and stays.
"""

import re
from collections.abc import Iterator

from slowwave.privacy.kinds import Found

__all__ = ["find_places"]

_HAN = r"[\u4e00-\u9fff]"
_N = r"[\d一二三四五六七八九十百零〇两]"
_STREET = (
    r"(?:路|街|大道|道|巷|弄|胡同|里|村|新村|小区|社区|花园|苑|大厦|公寓|家园|城|府|广场|中心"
    r"|院|坊|湾|庭|轩|邨|段|镇|组|队|园|座|宿舍|校区|工业园|科技园|号院)"
)
_HOUSE = (
    rf"(?:{_N}{{1,6}}(?:[-之]\d{{1,4}}){{0,2}}\s?(?:号楼?|號|弄|栋|棟|幢|座|单元|楼|层|室|户"
    rf"|支弄|门)"
    rf"|[A-Za-z]\s?[座栋幢]|[甲乙丙丁]\s?\d{{1,4}}号|\d{{3,4}}(?:室|房)?(?!\d"
    rf"|\s?[年月日元块万个])|[东西南北]\s?[座栋门区]|地下{_N}{{1,2}}层)"
)
_HOUSES = re.compile(rf"(?<![\dA-Za-z.]){_HOUSE}(?:\s?[-,，、]?\s?{_HOUSE}){{0,5}}", re.A)
_INSIDE = re.compile(
    rf"{_HAN}{{2,10}}?(?:{_N}{{1,2}}\s?(?:栋|座|号楼"
    rf"|幢)\s?)?(?:[A-Za-z]\s?座\s?)?\d{{3,4}}(?:室|房"
    rf"|号)?(?![\d年月日元块万个点时分人次米公度岁])",
    re.A,
)
"""A building's name and the room in it, behind the number of the house."""
_BEFORE = re.compile(rf"(?:{_HAN}|[A-Za-z0-9]|(?<={_HAN})\s(?={_HAN})){{1,30}}\s?$", re.A)
_LAST_CUE = re.compile(
    r".*(?:住在?了?|搬[到去]了?|寄[到往给]|送[到往去]|[地住]址(?:改成|改为|变成|是|为)?"
    r"|[在到至是于去往从]|离|位于|门牌|公司|单位|老家|家)(?=.{2})",
    re.S | re.A,
)
_ENDS_STREET = re.compile(rf"{_STREET}\s?(?:[东西南北中](?:段|侧|路)?|附近|旁|内)?\s?$", re.A)
_ADMIN = re.compile(rf"{_HAN}{{2,8}}(?:省|市|区|县|旗|州|镇|乡|街道)\s?$", re.A)
_UNITS = re.compile(r"室|单元|栋|幢|座|弄|号楼", re.A)
_DATE_BEFORE = re.compile(rf"(?:月|周|星期|礼拜|第)\s?$|月\s?{_N}{{1,3}}$", re.A)
_LIVES = re.compile(
    r"(?:住址|地址|住在|家住|搬到|搬去|寄到|寄往|送到|送货到|收货地|籍贯|户籍)[是为在了:\s\"]{0,4}"
    r"(?P<place>[\u4e00-\u9fffA-Za-z0-9 #-]{4,50})",
    re.A,
)
_ROADLIKE = re.compile(rf"{_STREET}", re.A)

_KIND = (
    r"(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Place|Pl"
    r"|Square|Sq|Terrace|Ter"
    r"|Way|Close|Crescent|Cres|Highway|Hwy|Parkway|Pkwy|Row|Mews|Gardens|Grove|Hill|Walk|Quay"
    r"|Alley|Circle|Cir"
    r"|Trail|Loop|Plaza|Broadway|Esplanade|Parade|Wharf|Rise|View|Green|Park|Yard|Mill|House|Tower|Lodge"
    r"|Cottage|Farm|Estate|Heights|Point|Gate|Vale|Meadows?|Fields?|Bank|Brae|Croft|Fold|Glade|Glen|Hollow"
    r"|Knoll|Landing|Leas?|Link|Manor|Mount|Nook|Orchard|Passage|Path|Pass|Ridge|Run|Spur|Strand|Vista"
    r"|Wynd|Spinney|Copse|Bend|Cove|Crossing|Drove|Embankment|Expressway|Freeway|Pike|Turnpike|Motorway)"
)
_FLAT = (
    r"(?:Apt|Apartment|Unit|Suite|Ste|Flat|Floor|Fl|Room|Rm|Building|Bldg|Block"
    r"|#)\.?\s?#?[\w-]{1,6}"
)
_CITY = r"[A-ZÀ-Þ][\wÀ-ɏ.'-]{1,20}(?:[ -][A-ZÀ-Þ][\wÀ-ɏ.'-]{1,20}){0,2}"
_POST = (
    r"(?:\d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d"
    r"|\d{4,6}(?: [A-Z]{2})?)"
)
_TAIL = (
    rf"(?:,?\s{{0,2}}(?:{_FLAT}|\d(?:st|nd|rd|th) floor))?"
    rf"(?:,\s?{_CITY}(?=,|\s[A-Z]{{2}}\b|\s{_POST}\b)){{0,2}}"
    rf"(?:,?\s{{1,2}}(?:{_CITY}\s)?(?:[A-Z]{{2}}\s)?{_POST}\b|,\s?[A-Z]{{2}}\b(?![a-z]))?"
)
_NUMBERED = re.compile(
    rf"(?<![\w.$€£-])(?:{_FLAT},?\s)?\d{{1,5}}[A-Za-z]?(?:[-–/]\d{{1,4}}[A-Za-z]?)?,?\s(?:[NSE"
    rf"W]{{1,2}}\.?\s)?"
    rf"(?:[A-ZÀ-Þ0-9][\wÀ-ɏ.'-]{{0,24}}\s){{1,4}}{_KIND}\b\.?(?:\s[NSEW]{{1,2}}\b)?{_TAIL}",
    re.A,
)
_LOWER = re.compile(
    r"(?<![\w.$€£-])\d{1,5}[a-z]?\s(?!(?:times|days|hours|minutes|more|of|the|to|in|on|and"
    r"|years|weeks|people)\b)"
    r"(?:[a-z][a-z.'-]{1,20}\s){1,3}?(?:street|avenue|road|lane|boulevard|drive|crescent"
    r"|terrace|court|ave|blvd|rd)\b"
    r"(?:,?\s(?:apt|apartment|unit|suite|flat)\.?\s?#?\w{1,6})?",
    re.A,
)
_CONTINENT = re.compile(
    r"(?<![\wÀ-ɏ])(?:[A-ZÄÖÜ][\wäöüß-]{1,30}(?:straße|strasse|str\.|weg|platz|gasse|allee"
    r"|ring|damm|ufer|steig|straat|laan|gracht|plein|gatan|gata|vägen|veien|vegen|vej|gade|katu|torg|plads|kade|steenweg|utca)"
    r"|(?:Am|An der|Auf dem|Im|Zum|Zur|Unter den) [A-ZÄÖÜ][\wäöüß-]{2,24})"
    rf"\s\d{{1,4}}\s?[a-zA-Z]?\b(?:,?\s(?:D-)?\d{{4,5}}(?:\s[A-Z]{{2}})?\s{_CITY})?"
    r"|(?<![\w.])\d{1,4}(?:\s(?:bis|ter))?,?\s(?:[Rr]ue|[Aa]venue|[Bb]oulevard|[Bb]d|[Pp]lace"
    r"|[Aa]llée|[Cc]hemin|[Ii]mpasse|[Qq]uai|[Cc]ours|[Rr]oute)"
    rf"\s[\wÀ-ɏ' -]{{2,40}}(?:,\s?\d{{5}}\s{_CITY}|,\s?{_CITY}(?:,\s?[A-Z]{{2}})?(?:,?\s{_POST})?)?"
    r"|(?<![\wÀ-ɏ])(?:Calle|C/|Avenida|Avda\.?|Av\.|Paseo|Plaza|Carrer|Via|Viale|Piazza|Corso"
    r"|Vicolo|Rua|Travessa|Largo|Ulica|ul\.)\s"
    rf"[A-ZÀ-Þa-z][\wÀ-ɏ'. -]{{1,40}}?,?\s(?:n[º°o]\.?\s?)?\d{{1,4}}[A-Za-z]?(?:/\d{{1,4}})?\b"
    rf"(?:,\s{_CITY}(?=[\s?.!,;]|$))?(?:,?\s(?:\d{{2"
    rf"}}-\d{{3}}|\d{{4,5}}(?:-\d{{3}})?)\s{_CITY})?",
    re.A,
)
_GENERAL = re.compile(
    rf"(?<![\wÀ-ɏ])[A-ZÀ-Þ][\wÀ-ɏ.'-]{{1,30}}(?:\s[\wÀ-ɏ.'-]{{1,24}}){{0,3}}?\s\d{{1,4}}\s?[a-"
    rf"zA-Z]?(?:/\d{{1,4}})?,\s?(?:[A-Z]{{1,2}}-)?"
    rf"(?:\d{{3}}\s\d{{2}}|\d{{2}}-\d{{3}}|\d{{4,6}})\s{_CITY}",
    re.A,
)
"""Street and number, post code and town: as most of Europe writes it."""
_STATES = (
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH "
    "NJ NM NY NC ND OH OK "
    "OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC"
).replace(" ", "|")
_POSTED = re.compile(
    rf"(?<![A-Za-z])(?:{_CITY},?\s)?(?:{_STATES})\s\d{{5}}(?:-\d{{4}})?(?!\d)"
    r"|(?<![A-Za-z0-9])(?:GIR ?0AA|[A-PR-UWYZ](?:\d{1,2}|[A-HK-Y]\d{1,2}|\d[A-HJKS-UW]"
    r"|[A-HK-Y]\d[ABEHMNPRV-Y])\s\d[ABD-HJLNP-UW-Z]{2})(?![A-Za-z0-9])"
    r"|\b[A-Z][a-z]{2,15}(?: [A-Z][a-z]{2,15})?,? (?:NSW|VIC|QLD|TAS|SA|WA|NT|ACT) \d{4}\b"
    r"|(?<![A-Za-z0-9])[ABCEGHJ-NPRSTVXY]\d[A-Z] \d[A-Z]\d(?![A-Za-z0-9])"
    rf"|(?m:^[ \t]*(?:[A-Z]{{1,2}}-)?\d{{4,5}}\s{_CITY}[ \t]*$)"
    r"|\bP\.?\s?O\.?\s?Box\s\d{1,6}",
    re.A,
)


_SCHOOL = re.compile(
    rf"(?:{_HAN}{{2,8}}?[省市区县镇])+{_HAN}{{1,10}}?(?:小学|中学|初中|高中|幼儿园|托儿所|养老院|敬老院)",
    re.A,
)
_CARD = re.compile(r"(?m)^(?:item\d\.)?ADR[^:\n]{0,60}:(?P<value>[^\n]{4,200})$", re.A)
"""The address of an address book's card."""
_UNIT_OF = re.compile(
    rf"(?<![A-Za-z]){_FLAT},?\s(?:[A-ZÀ-Þ][\wÀ-ɏ'-]{{1,20}}\s){{1,3}}{_KIND}\b{_TAIL}", re.A
)
_ROOM = re.compile(
    r"(?<![\d.#-])\d{1,3}[-#]\d{1,2}[-#](?!(?:19|20)\d\d)\d{3,4}(?![\d.#-])"
    rf"|(?<=[住到在家寄送])(?:{_HAN}|[A-Za-z]){{2,16}}?\d{{1,4}}(?:[#-]\d{{1,5}}){{1,3}}(?![\d.])"
    rf"|{_HAN}{{2,10}}(?:[A-Z]区)?\d{{1,3}}#\d{{1,5}}(?![\d.])",
    re.A,
)
"""Building, entrance and flat as figures alone, or behind the name of the estate."""


def find_places(text: str) -> Iterator[Found]:
    """Addresses with a house number, places somebody is said to live at, post codes in full."""
    yield from _chinese(text)
    if not text.isascii():
        yield from (Found(*match.span(), "ADDRESS") for match in _SCHOOL.finditer(text))
    if "\n" in text and not text.isascii():
        yield from _chinese(text.replace("\n", " "))
    if not any(char in text for char in "0123456789"):
        return
    if not text.isascii():
        yield from (Found(*match.span(), "ADDRESS") for match in _ROOM.finditer(text))
    yield from (Found(*match.span("value"), "ADDRESS") for match in _CARD.finditer(text))
    flat = text.replace("\n", " ") if "\n" in text else text  # an address may go over lines
    for pattern in (_NUMBERED, _LOWER, _CONTINENT, _GENERAL, _POSTED, _UNIT_OF):
        yield from (Found(*match.span(), "ADDRESS") for match in pattern.finditer(text))
        if flat is not text:
            yield from (Found(*match.span(), "ADDRESS") for match in pattern.finditer(flat))


def _chinese(text: str) -> Iterator[Found]:
    end = 0
    for houses in _HOUSES.finditer(text):
        if houses.start() < end:
            continue
        before = _BEFORE.search(text, max(end, houses.start() - 30), houses.start())
        start = houses.start() if before is None else _street_start(before)
        placed = before is not None and (_ENDS_STREET.search(before[0]) or _ADMIN.search(before[0]))
        inner = len(_UNITS.findall(houses[0])) >= 2 or "室" in houses[0]
        numbered = bool(re.search(r"[号號弄栋幢座单室楼层]", houses[0])) or len(houses[0]) >= 3
        if placed and numbered and not _DATE_BEFORE.search(before[0] if before else ""):
            inside = _INSIDE.match(text, houses.end())
            end = inside.end() if inside is not None else houses.end()
            yield Found(start, end, "ADDRESS")
        elif inner:
            yield Found(houses.start(), houses.end(), "ADDRESS")
            end = houses.end()
    for match in _LIVES.finditer(text):
        road = _last(_ROADLIKE, match["place"])
        if road is not None:
            yield Found(match.start("place"), match.start("place") + road, "ADDRESS")


def _street_start(before: re.Match[str]) -> int:
    """Where the address begins: behind the last word that leads to it."""
    words = before[0]
    cue = _LAST_CUE.match(words)
    cut = cue.end() if cue is not None else 0
    return before.start() + cut


def _last(pattern: re.Pattern[str], text: str) -> int | None:
    ends = [match.end() for match in pattern.finditer(text)]
    return ends[-1] if ends else None
