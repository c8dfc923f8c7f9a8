"""Colours, type and sizes of pictures, on light and on dark pages.

The palettes are Paul Tol's `muted` and `light`: told apart with every kind of colour blindness.
"""

from typing import Any, Literal, NamedTuple

__all__ = ["HEIGHT", "WIDTH", "Look", "Theme", "config", "font_of", "look_of"]

Theme = Literal["light", "dark"]

WIDTH, HEIGHT = 600, 250
"""Pixels of the plot itself."""
_LATIN = ("Inter", "Noto Sans", "Helvetica Neue", "Liberation Sans", "Arial")
_CHINESE = ("Noto Sans CJK SC", "Noto Sans SC", "PingFang SC", "Microsoft YaHei", "Heiti SC")


class Look(NamedTuple):
    """The colours of a theme (hexadecimal). `page` is what it is made for, `quiet` is a mark that
    steps back, `series` are for what has a name."""

    page: str
    ink: str
    muted: str
    grid: str
    accent: str
    quiet: str
    series: tuple[str, ...]


_LIGHT = Look(
    page="#ffffff",
    ink="#1b1f2a",
    muted="#596273",
    grid="#e4e7ed",
    accent="#4b3f9e",
    quiet="#9aa3b5",
    series=("#332288", "#44aa99", "#cc6677", "#ddaa33", "#88ccee", "#117733", "#aa4499", "#999933"),
)
_DARK = Look(
    page="#12151c",
    ink="#eef1f6",
    muted="#a3acbd",
    grid="#2a303c",
    accent="#a99cf2",
    quiet="#5b6578",
    series=("#77aadd", "#44bb99", "#ee8866", "#eedd88", "#99ddff", "#bbcc33", "#ffaabb", "#aaaa00"),
)


def look_of(theme: Theme) -> Look:
    """The colours of a theme."""
    return _DARK if theme == "dark" else _LIGHT


def font_of(chinese: bool) -> str:
    """Fonts for a picture, by preference: of these what is there is taken, nothing is fetched.

    What draws PNGs looks for a missing character in any font that is there, be it with serifs: so
    where there is Chinese, fonts that have it come first.
    """
    names = (*_CHINESE, *_LATIN) if chinese else (*_LATIN, *_CHINESE)
    return ", ".join([*(f"'{name}'" for name in names), "sans-serif"])


def config(look: Look, font: str) -> dict[str, Any]:
    """Vega-Lite's configuration: no frames, faint grid lines, one size of small type."""
    return {
        "background": None,
        "font": font,
        "aria": False,
        "padding": 16,
        "view": {"stroke": None},
        "title": {
            "anchor": "start", "frame": "bounds", "color": look.ink, "fontSize": 17,
            "fontWeight": 600, "subtitleColor": look.muted, "subtitleFontSize": 12.5,
            "subtitlePadding": 6, "offset": 16,
        },
        "axis": {
            "domain": False, "ticks": False, "grid": True, "gridColor": look.grid,
            "labelColor": look.muted, "labelFontSize": 11.5, "labelPadding": 7,
            "titleColor": look.muted, "titleFontSize": 11.5, "titleFontWeight": "normal",
            "titlePadding": 10,
        },
        "legend": {
            "labelColor": look.ink, "labelFontSize": 12, "title": None, "orient": "bottom",
            "columns": 4, "symbolType": "square", "symbolSize": 110, "symbolStrokeWidth": 0,
            "rowPadding": 6, "columnPadding": 22, "offset": 20, "labelLimit": 200,
        },
    }  # fmt: skip
