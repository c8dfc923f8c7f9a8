"""Other people's clocks: cities and zone names in both languages, and what they are in the IANA
database.
"""

import re
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_CITIES: dict[str, str] = {
    "America/Los_Angeles": "洛杉矶|旧金山|西雅图|硅谷|加州|美西|太平洋|Los Angeles|"
    "San Francisco|Seattle|California|Vegas",
    "America/Denver": "丹佛|Denver",
    "America/Chicago": "芝加哥|休斯顿|达拉斯|Chicago|Houston|Dallas|Austin",
    "America/New_York": "纽约|波士顿|华盛顿|美东|New York|NYC|Boston|"
    "Washington|Atlanta|Miami|Philadelphia",
    "America/Toronto": "多伦多|Toronto|Ottawa|Montreal",
    "America/Vancouver": "温哥华|Vancouver",
    "America/Sao_Paulo": "圣保罗|Sao Paulo|São Paulo",
    "America/Mexico_City": "墨西哥城|Mexico City",
    "Europe/London": "伦敦|英国|倫敦|英國|London|Manchester|Edinburgh|UK",
    "Europe/Dublin": "都柏林|Dublin",
    "Europe/Paris": "巴黎|法国|法國|Paris|France",
    "Europe/Berlin": "柏林|慕尼黑|法兰克福|德国|德國|Berlin|Munich|Frankfurt|Germany",
    "Europe/Madrid": "马德里|Madrid|Barcelona",
    "Europe/Rome": "罗马|米兰|Rome|Milan",
    "Europe/Amsterdam": "阿姆斯特丹|Amsterdam",
    "Europe/Zurich": "苏黎世|日内瓦|Zurich|Geneva",
    "Europe/Stockholm": "斯德哥尔摩|Stockholm",
    "Europe/Helsinki": "赫尔辛基|Helsinki",
    "Europe/Moscow": "莫斯科|Moscow",
    "Europe/Istanbul": "伊斯坦布尔|Istanbul",
    "Asia/Dubai": "迪拜|Dubai",
    "Asia/Kolkata": "孟买|班加罗尔|新德里|德里|印度|Mumbai|Bangalore|Bengaluru|Delhi|India",
    "Asia/Bangkok": "曼谷|Bangkok",
    "Asia/Ho_Chi_Minh": "胡志明市|河内|Hanoi",
    "Asia/Jakarta": "雅加达|Jakarta",
    "Asia/Singapore": "新加坡|Singapore",
    "Asia/Shanghai": "北京|上海|深圳|国内|中国|國內|Beijing|Shanghai|Shenzhen|China",
    "Asia/Hong_Kong": "香港|Hong Kong",
    "Asia/Taipei": "台北|臺北|台湾|Taipei",
    "Asia/Tokyo": "东京|東京|大阪|日本|Tokyo|Osaka|Japan",
    "Asia/Seoul": "首尔|韩国|首爾|Seoul|Korea",
    "Australia/Sydney": "悉尼|墨尔本|雪梨|Sydney|Melbourne",
    "Australia/Perth": "珀斯|Perth",
    "Pacific/Auckland": "奥克兰|Auckland",
    "Pacific/Honolulu": "夏威夷|檀香山|Honolulu|Hawaii",
    "Africa/Cairo": "开罗|Cairo",
    "Africa/Johannesburg": "约翰内斯堡|Johannesburg|Cape Town",
    "Africa/Lagos": "拉各斯|Lagos",
    "Africa/Nairobi": "内罗毕|Nairobi",
}

_CODES: dict[str, str] = {
    "America/New_York": r"E[SD]?T|Eastern",
    "America/Chicago": r"C[D]?T|Central",
    "America/Denver": r"M[SD]?T|Mountain",
    "America/Los_Angeles": r"P[SD]?T|Pacific",
    "Europe/London": "BST|UK time",
    "UTC": "UTC|GMT|Zulu",
    "Europe/Paris": "CES?T",
    "Europe/Helsinki": "EES?T",
    "Asia/Tokyo": "JST",
    "Asia/Seoul": "KST",
    "Asia/Singapore": "SGT",
    "Asia/Hong_Kong": "HKT",
    "Australia/Sydney": "AE[SD]T",
    "Pacific/Auckland": "NZ[SD]?T",
}

_CITY_KEYS = {name.casefold(): key for key, names in _CITIES.items() for name in names.split("|")}
_NAMES = sorted(
    (name for names in _CITIES.values() for name in names.split("|")), key=len, reverse=True
)
_CITY = "|".join(re.escape(name) for name in _NAMES)

CITY = re.compile(rf"(?<![A-Za-z])(?:{_CITY})(?![A-Za-z])")
ZONE = (
    rf"(?-i:(?P<city>{_CITY})\s?(?:当地)?(?:时间|時間|time\b)"
    r"|(?P<their>(?:当地|當地|那边|那邊|他们|他們|对方|"
    r"美国那边)的?(?:时间|時間)|\b(?:their|"
    r"local) time\b)"
    + "".join(
        rf"|(?<![A-Za-z])(?P<z{i}>{codes})(?:\s[Tt]ime)?(?![A-Za-z])"
        for i, codes in enumerate(_CODES.values())
    )
    + ")"
)
"""Source of a pattern whose names keep their case."""
_CODE_KEYS = {f"z{i}": key for i, key in enumerate(_CODES)}


def zone_key(match: re.Match[str]) -> str:
    """The IANA key a match of `ZONE` names; "" for somebody's "their time"."""
    if match["city"]:
        return _CITY_KEYS[match["city"].casefold()]
    return next((key for name, key in _CODE_KEYS.items() if match[name]), "")


def their_zone(text: str) -> str:
    """The first place named in a text, as an IANA key; "" when there is none."""
    found = CITY.search(text)
    return _CITY_KEYS[found.group().casefold()] if found else ""


def load_zone(key: str) -> ZoneInfo | None:
    """A zone of the IANA database, None where it is not installed."""
    try:
        return ZoneInfo(key)
    except (ZoneInfoNotFoundError, ValueError):
        return None
