"""The names of English months, weekdays and numbers, as patterns."""

import re

_MONTHS = (
    "jan(?:uary)?",
    "feb(?:ruary)?",
    "mar(?:ch)?",
    "apr(?:il)?",
    "may",
    "june?",
    "july?",
    "aug(?:ust)?",
    "sept?(?:ember)?",
    "oct(?:ober)?",
    "nov(?:ember)?",
    "dec(?:ember)?",
)


MONTH = rf"(?:{'|'.join(_MONTHS)})\b(?:\.(?=\s?\d))?"


_DAYS = (
    "mon(?:day)?",
    "tue(?:s(?:day)?)?",
    "wed(?:s|nesday)?",
    "thu(?:rs?(?:day)?)?",
    "fri(?:day)?",
    "sat(?:urday)?",
    "sun(?:day)?",
)


WEEKDAY = rf"(?:{'|'.join(_DAYS)})"


FULL_DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"


_SMALL = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    "thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
)


N = (
    rf"(?:\d{{1,4}}|an?|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|"
    r"ninety)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?|"
    rf"{_SMALL})"
)


ORD = (
    r"(?:\d{1,2}(?:st|nd|rd|th)|(?:twenty|thirty)[- ](?:first|second|third|"
    r"fourth|fifth|sixth|seventh|eighth|ninth)|"
    r"first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|"
    r"eleventh|twelfth|thirteenth|fourteenth|"
    r"fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth)"
)


HOUR = r"(?:1[0-2]|[1-9]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"


def month_of(word: str) -> int:
    """1–12 of a month's name or short form."""
    word = word.casefold().rstrip(".")
    return next(i + 1 for i, pattern in enumerate(_MONTHS) if re.fullmatch(pattern, word))


def weekday_of(word: str) -> int:
    """0–6 of a weekday's name or short form."""
    word = re.sub(r"(?:['’]s|\.)$", "", word.casefold())
    return next(i for i, pattern in enumerate(_DAYS) if re.fullmatch(pattern, word))


YEAR = r"(?P<y>(?:1[89]|20|21)\d\d)(?!\d|:\d)"
