"""Statistics as pictures: SVG for pages and files, PNG for everything else.

Drawn with Altair and vl-convert (`pip install "slowwave[plots]"`), which are loaded when the first
picture is. The same numbers give the same bytes. A picture has no script, fetches nothing, and
says in words what it shows.
"""

from slowwave.pictures.drawing import png, sheet, svg
from slowwave.pictures.looks import Theme
from slowwave.pictures.words import PICTURES, Language, PictureName

__all__ = ["PICTURES", "Language", "PictureName", "Theme", "png", "sheet", "svg"]
