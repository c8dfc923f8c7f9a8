"""From charts to SVG and PNG: what a picture must have, whatever is in it."""

import re
from collections.abc import Sequence
from html import escape
from threading import Lock
from typing import TYPE_CHECKING, Any

from slowwave.errors import SlowwaveError
from slowwave.pictures.looks import HEIGHT, WIDTH, Look, Theme, config, font_of, look_of
from slowwave.pictures.words import Language, PictureName, say
from slowwave.text.markdown import is_chinese

if TYPE_CHECKING:
    from slowwave.dream.topics.week import Topics
    from slowwave.stats import Stats

__all__ = ["must_draw", "png", "sheet", "svg"]

_ALONE = Lock()
"""Altair is not made for threads: of two charts at once, one got marks of the other."""
SCALE = 2
"""Pixels of a PNG for each of the picture: sharp on today's screens."""
GAP, COLUMNS = 28, 2
_ROOT = re.compile(r"<svg\b[^>]*>")
_SIZE = re.compile(r'\b(width|height)="([\d.]+)"')
_ID = re.compile(r'(\bid="|url\(#|href="#)([^")]+)')
_TAG, _BLANK = re.compile(r"<[^<>]+>"), re.compile(r'<text\b[^<>]*/>|<path d="" display="none"/>')
_NEEDLESS = re.compile(r'\s(?:(?:aria-\w+|role|class|pointer-events)="[^"]*"|opacity="1")')
_LONG = re.compile(r"-?\d+\.\d{3,}")
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def svg(
    name: PictureName,
    stats: "Stats",
    topics: "Topics | None",
    *,
    language: Language = "en",
    theme: Theme = "light",
) -> str:
    """One picture as SVG: transparent, self-contained, the same for the same numbers.

    It can stand in a page as it is: its ids begin with its name, it has `role="img"`, a title and
    a description. Where there is nothing to draw it says so. Raises SlowwaveError where the
    packages that draw are not installed.
    """
    look = look_of(theme)
    must_draw()
    # They are not needed for the help of the command line.
    from slowwave.pictures.charts import CHARTS  # noqa: PLC0415
    from slowwave.pictures.topic_chart import topics_chart  # noqa: PLC0415

    with _ALONE:
        if name == "topics":
            drawn = topics_chart(topics, language, look) if topics is not None else None
        else:
            drawn = CHARTS[name](stats, language, look)
        if drawn is None:
            return _empty(name, language, look)
        chart, told = drawn
        font = font_of(chinese=language == "zh" or is_chinese(told))
        made = _rendered(chart, config(look, font))
    return _finished(made, name, say(name, language), told, font)


def sheet(
    names: Sequence[PictureName],
    stats: "Stats",
    topics: "Topics | None",
    *,
    language: Language = "en",
    theme: Theme = "light",
) -> str:
    """Several pictures on one page with the background of the theme, two beside each other."""
    look = look_of(theme)
    made = [svg(name, stats, topics, language=language, theme=theme) for name in names]
    sizes = [_size(one) for one in made]
    columns = min(COLUMNS, len(made))
    wide = max((width for width, _ in sizes), default=0.0)
    parts: list[str] = []
    y = float(GAP)
    for at in range(0, len(made), columns):
        row = list(zip(made[at : at + columns], sizes[at : at + columns], strict=True))
        for column, (one, _) in enumerate(row):
            x = GAP + column * (wide + GAP)
            parts.append(one.replace("<svg ", f'<svg x="{x:g}" y="{y:g}" ', 1))
        y += max(height for _, (_, height) in row) + GAP
    width = GAP + columns * (wide + GAP)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="{width:g}" height="{y:g}" '
        f'viewBox="0 0 {width:g} {y:g}">'
        f'<rect width="{width:g}" height="{y:g}" fill="{look.page}"/>{"".join(parts)}</svg>'
    )


def png(picture: str) -> bytes:
    """An SVG of this module as PNG. Raises SlowwaveError as `svg`."""
    drawer = _drawer()
    try:
        made: bytes = drawer.svg_to_png(picture, scale=SCALE)
    except ValueError as error:
        raise _refused(error) from error
    return made


def _rendered(chart: Any, configured: dict[str, Any]) -> str:
    drawer = _drawer()
    spec = _clean(chart.to_dict())
    spec["config"] = configured  # Altair itself knows no picture without a background
    try:
        made: str = drawer.vegalite_to_svg(spec)
    except ValueError as error:
        raise _refused(error) from error
    return made


def _refused(error: ValueError) -> SlowwaveError:
    """What vl-convert says when it cannot do something: its first line."""
    first = next(iter(str(error).splitlines()), "")
    return SlowwaveError(
        f"the picture could not be drawn: {first}", 'pip install -U "slowwave[plots]"'
    )


def _clean(value: Any) -> Any:
    """A specification without characters that XML cannot hold: at one, vl-convert ends the process.
    """  # fmt: skip
    if isinstance(value, str):
        return _NO_XML.sub("", value)
    if isinstance(value, dict):
        return {_clean(key): _clean(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_clean(inner) for inner in value]
    return value


def must_draw() -> None:
    """Raises SlowwaveError where the packages that draw are not installed."""
    _drawer()


def _drawer() -> Any:
    """vl-convert; Altair is needed beside it."""
    try:
        import altair  # noqa: F401, PLC0415 - half a second, and only pictures need it
        import vl_convert  # noqa: PLC0415 - as above
    except ImportError as error:
        raise SlowwaveError(
            "pictures need packages that are not installed", 'pip install "slowwave[plots]"'
        ) from error
    return vl_convert


def _finished(made: str, name: PictureName, title: str, told: str, font: str) -> str:
    """With a name for who cannot see it, ids that no other picture has, and nothing needless."""
    root = _ROOT.match(made)
    assert root is not None
    body = _TAG.sub(lambda tag: _slim(tag.group(), font), made[root.end() :])
    body = _BLANK.sub("", body)
    # They are counted on from picture to picture; so each picture counts its own.
    ids: dict[str, str] = {}
    body = _ID.sub(lambda found: found[1] + ids.setdefault(found[2], f"{name}-{len(ids)}"), body)
    return _root(name, _size(made), (title, told), font) + body


def _slim(tag: str, font: str) -> str:
    """A tag without what the root says for all, and with coordinates to a hundredth of a pixel."""
    tag = _NEEDLESS.sub("", tag).replace(f' font-family="{font}"', "")
    return _LONG.sub(lambda found: f"{float(found.group()):.2f}".rstrip("0").rstrip("."), tag)


def _empty(name: PictureName, language: Language, look: Look) -> str:
    """A picture that says that there is nothing yet, and what to do."""
    width, height = WIDTH + 80.0, HEIGHT + 60.0
    title, nothing = say(name, language), say("nothing", language)
    hint = say(f"nothing_{name}", language)
    middle = f'x="{width / 2:g}" text-anchor="middle"'
    told = (title, f"{nothing}. {hint}")
    return (
        _root(name, (width, height), told, font_of(language == "zh"))
        + f'<text x="16" y="32" font-size="17" font-weight="600" '
        f'fill="{look.ink}">{escape(title)}</text>'
        f'<rect x="16" y="52" width="{width - 32:g}" height="{height - 68:g}" rx="10" '
        f'fill="none" stroke="{look.grid}" stroke-width="1.5" stroke-dasharray="5 6"/>'
        f'<text {middle} y="{height / 2 + 12:g}" font-size="15" font-weight="600" '
        f'fill="{look.ink}">{escape(nothing)}</text>'
        f'<text {middle} y="{height / 2 + 38:g}" font-size="12.5" '
        f'fill="{look.muted}">{escape(hint)}</text></svg>'
    )


def _root(name: str, size: tuple[float, float], told: tuple[str, str], font: str) -> str:
    (width, height), (title, description) = size, told
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" class="picture" role="img" '
        f'aria-labelledby="{name}-title {name}-desc" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="{font}">'
        f'<title id="{name}-title">{escape(title)}</title>'
        f'<desc id="{name}-desc">{escape(_NO_XML.sub("", description))}</desc>'
    )


def _size(made: str) -> tuple[float, float]:
    root = _ROOT.match(made)
    found = dict(_SIZE.findall(root.group())) if root else {}
    return float(found.get("width", 0)), float(found.get("height", 0))
