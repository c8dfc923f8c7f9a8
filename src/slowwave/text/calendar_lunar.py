"""The Chinese lunar calendar 1960–2050, from a table, and the 24 solar terms, computed (UTC+8).

The table was derived from the new moons and solar terms themselves and compared with published
calendars in every month of these years. Outside them the answer is None. A solar term is good to
about ten minutes, so one that falls within minutes of midnight may come out a day off.
"""

import math
from datetime import date, datetime, timedelta, timezone

FIRST_YEAR = 1960
LAST_YEAR = 2050

# One year each: New Year's distance from 20 January << 17, leap month << 13, one bit a month from
# the lowest: 1 = thirty days, 0 = twenty-nine.
_CODES = """
    10cab5 340ad5 2006d2 0a8ea5 300ea5 1a064a 026c97 280a9b 14f55a 38056a
    220b69 0eb752 340b52 1c0b25 06964b 2c0a4b 1714ab 3a02ad 24056d 10cb69
    360da9 200d92 0a9d25 300d25 1b5a4d 3e0a56 2802b6 12c5b5 3806d5 220ea9
    0ebe92 340e92 1e0d26 066a56 2a0a57 1714d6 3c035a 2406d5 10b6c9 360749
    200693 08952b 2e052b 180a5b 04555a 28056a 12fb55 3a0ba4 240b49 0cba93
    320a95 1c052d 068aad 2a0ab5 1735aa 3c05d2 260da5 10dd4a 360d4a 200c95
    0a952e 2e0556 180ab5 0455b2 2a06d2 12cea5 380725 22064b 0cac97 300cab
    1c055a 066ad6 2c0b69 177752 3c0b52 260b25 10da4b 340a4b 1e04ab 08a55b
    2e05ad 180b6a 045b52 2a0d92 14fd25 380d25 220a55 0cb4ad 3204b6 1a05b5
    066daa
"""
_YEARS = _CODES.split()

_TERM_NAMES = (
    "春分 清明 谷雨 立夏 小满 芒种 夏至 小暑 大暑 立秋 处暑 白露 "
    "秋分 寒露 霜降 立冬 小雪 大雪 冬至 小寒 大寒 立春 雨水 惊蛰"
)
TERMS = tuple(_TERM_NAMES.split())
"""The solar terms in steps of 15° of the sun's longitude, from 0° on."""

_CHINA = timezone(timedelta(hours=8))


def lunar_day(year: int, month: int, day: int) -> date | None:
    """The solar day of a lunar one; leap months are never meant; None where there is none.

    Day 30 of a short month is None too: 腊月三十 of a year that ends with the 29th does not exist.
    """
    if not FIRST_YEAR <= year <= LAST_YEAR or not 1 <= month <= 12:
        return None
    code = int(_YEARS[year - FIRST_YEAR], 16)
    leap = code >> 13 & 15
    place = month - 1 + (1 if 0 < leap < month else 0)
    lengths = [29 + (code >> i & 1) for i in range(place + 1)]
    if not 1 <= day <= lengths[place]:
        return None
    first = date(year, 1, 20) + timedelta(days=code >> 17)
    return first + timedelta(days=sum(lengths[:place]) + day - 1)


def lunar_eve(year: int) -> date | None:
    """除夕 before the lunar new year of `year`."""
    first = lunar_day(year, 1, 1)
    return first - timedelta(days=1) if first else None


def lunar_year_of(day: date) -> int:
    """The lunar year a solar day falls in (the solar year where the table ends)."""
    first = lunar_day(day.year, 1, 1)
    return day.year - 1 if first and day < first else day.year


def solar_term(year: int, name: str) -> date | None:
    """The day of a solar term in China; None for an unknown name."""
    if name not in TERMS or not 1900 <= year <= 2100:
        return None
    degrees = TERMS.index(name) * 15
    # The sun stands at 0° about 20 March; from 小寒 (285°) on the term is early in the year.
    turned = degrees if degrees < 285 else degrees - 360
    instant = datetime(year, 3, 20, 12, tzinfo=_CHINA) + timedelta(days=turned * 365.2422 / 360)
    for _ in range(6):
        error = (degrees - _sun_longitude(instant) + 180) % 360 - 180
        instant += timedelta(days=error * 365.2422 / 360)
    return instant.date()


def _sun_longitude(instant: datetime) -> float:
    """Apparent longitude of the sun in degrees, good to 0.01° (Meeus, chapter 25)."""
    # Terrestrial time runs about 70 s ahead of UTC; noon UTC is 20:00 in China.
    elapsed = (instant - datetime(2000, 1, 1, 20, tzinfo=_CHINA)).total_seconds() + 70
    t = elapsed / 86400 / 36525
    mean = 280.46646 + 36000.76983 * t + 0.0003032 * t * t
    anomaly = math.radians(357.52911 + 35999.05029 * t - 0.0001537 * t * t)
    centre = (
        (1.914602 - 0.004817 * t) * math.sin(anomaly)
        + (0.019993 - 0.000101 * t) * math.sin(2 * anomaly)
        + 0.000289 * math.sin(3 * anomaly)
    )
    node = math.radians(125.04 - 1934.136 * t)
    return (mean + centre - 0.00569 - 0.00478 * math.sin(node)) % 360
