"""The signs of Chinese numbers, weeks and weekdays, as patterns."""

N = r"(?:\d{1,4}|[零一二两三四五六七八九十百廿卅]{1,5})"

"""A number in figures or characters."""


N2 = r"(?:\d{1,2}|[零一二两三四五六七八九十廿卅]{1,3})"


_ = r"[ ]?"


WEEK = r"(?:周|星期|礼拜)"


WD = r"[一二三四五六日天1-6]"


def weekday(sign: str) -> int:
    """0–6 of 一…六, 日, 天, 1…6."""
    return (
        6
        if sign in "日天7"
        else ("一二三四五六".find(sign) if sign in "一二三四五六" else int(sign) - 1)
    )
