"""Places that look like people: 卢森堡律师 is a lawyer there, and nobody skis in "Val di Fiemme".

A place is known by the closed list of countries and cities, or in Romance tongues by the common
noun that it begins with (lake, mount, square …). It is a person all the same where somebody is
spoken to or called by it.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from slowwave.privacy.kinds import Found
from slowwave.privacy.names import is_word, zh_lands, zh_places
from slowwave.privacy.terms import Terms, word_set
from slowwave.text.stopwords import ENGLISH

__all__ = ["WORKS", "without_chinese_places", "without_western_places"]

WORKS = (
    "医师|律师|法官|检察官|警官|教练|经理|总监|总裁|总经理|主任|主管|主编|编辑|导演|设计师|工程师"
    "|建筑师|会计师"
)
"""What somebody does. Before it a short name may be a place, a make or a subject as well."""

_OCCUPATION = re.compile(
    rf"(?:的|[籍裔])?(?:{WORKS}|[药技讲厨法]师|摄影师|理财师|分析师|架构师|教授|老师|医生|大夫|护士|老板"
    r"|导游|厨子|司机|商人|球员|演员|作家|画家|歌手|记者|学生|同学|客户|同事|朋友|顾问|翻译|助理|秘书"
    r"|会计|校长|院长|市长|议员|代表|研究员|房东|中介|师傅|保安|队长|主席|主播|博主)"
)
_SPOKEN_TO = re.compile("先生|女士|小姐|太太|夫人|阿姨|叔叔|爵士|神父|牧师|博士|大哥|大姐|[·・•]")
_CALLED = re.compile(
    r"(?:叫做?|名叫|名字[是叫]?|姓名|姓|[·・•]|联系人|收件人|负责人)[是为:：\s“「\"']{0,3}$"
)


@cache
def _known() -> Terms:
    return Terms(zh_lands() | zh_places())


def without_chinese_places(text: str, found: Iterable[Found]) -> Iterator[Found]:
    """The finds without the pieces of a country's or a city's name, and what people do there."""
    people = list(found)
    places = list(_places(text)) if people else []
    for one in people:
        if not any(_is_of(text, one, *place) for place in places):
            yield one


def _places(text: str) -> Iterator[tuple[int, int, bool]]:
    """Start and end of each place, and whether it is a country."""
    for hit in _known().find(text):
        called = _CALLED.search(text, max(0, hit.start - 8), hit.start)
        if not called and not _SPOKEN_TO.match(text, hit.end):
            yield hit.start, hit.end, hit.term in zh_lands()


def _is_of(text: str, one: Found, start: int, end: int, land: bool) -> bool:
    """Whether a find is a piece of a place: within it, or up to the occupation behind it."""
    if not start <= one.start < end:
        return False
    works = _OCCUPATION.match(text, end) is not None
    if one.end > end:
        return works
    return works or land or one.start > start


_PARTICLE = r"(?:d(?:e|i|u|a|o|os|as|es|el|al|ella|elle|ello|egli|ei)\s(?:l[aoe]s?\s)?|d['’]|l['’])"
_NOUN = (
    "Lago|Lac|Lagoa|Laguna|Mont|Monti|Monts|Isola|Isole|Isla|Islas|Ilha|Ilhas|Île|Ile|Îles|Piazza"
    "|Piazzale|Plaza|Praça|Praza|Plaça|Puerto|Castello|Castel|Château|Chateau|Palazzo|Palacio"
    "|Palácio|Palais|Rue|Calle|Carrer|Avenida|Avenue|Boulevard|Playa|Praia|Plage|Spiaggia|Passo"
    "|Pont|Fiume|Cerro|Golfo|Bahía|Baia|Baía|Baie|Côte|Alpe|Alpi|Alpes|Picos|Punta|Pointe|Cabo"
    "|Parque|Parc|Parco|Jardín|Jardim|Jardins?|Giardino|Basilica|Catedral|Cattedrale|Cathédrale"
    "|Mercado|Mercato|Marché|Museo|Museu|Musée|Teatro|Théâtre|Estadio|Estádio|Stadio|Stade|Forêt"
    "|Foresta|Bosco|Camino|Caminho|Via|Viale|Vallée|Café|Hotel|Hôtel|Hostal|Pays|Cañón|Gole|Gorges?"
    "|Cascata|Cascada|Cascade|Salto"
)
_NAMELIKE = (
    "Val|Sierra|Rio|Río|Mar|Col|Santiago|Puy|Cap|Capo|Port|Porto|Bois|Costa|Serra|Torre|Ponte|Puente"
    "|Villa|Vila|Valle|Vale|Monte|Castillo|Castelo|Campo|Campi|Colle|Cima|Pico|Bosque"
)
"""Those that people are called as well: only where somebody is or goes."""
_W = r"[A-ZÀ-Þ][a-zà-ÿ]+(?:[-'’][A-ZÀ-Þ]?[a-zà-ÿ]{2,})?"
_NAMED_PLACE = re.compile(
    rf"(?<![A-Za-zÀ-ɏ0-9_-])(?:(?P<noun>{_NOUN})|(?P<like>{_NAMELIKE}))\s{_PARTICLE}"
    rf"{_W}(?:\s{_PARTICLE}{_W})?"
)
_WHERE = re.compile(
    r"(?:\b(?:in|near|around|through|across|into|over|above|below|beyond|outside|hik(?:ed?|ing)"
    r"|ski(?:ed|ing)?|cycl(?:ed?|ing)|climb(?:ed|ing)?|explor(?:ed?|ing)|nel|nella|en|dans)\s"
    r"(?:the\s)?|[在去到游爬])\s?$",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"([A-ZÀ-Þ][a-zà-ÿ'’-]*)\.?\s$")
_TITLES = word_set("mr mrs ms mx dr prof sr sra don doña dona aunt uncle")


def without_western_places(text: str, found: Iterable[Found]) -> Iterator[Found]:
    """The finds without those within a place that begins with its noun, such as "Lago di …"."""
    people = list(found)
    places = [match.span() for match in _NAMED_PLACE.finditer(text) if _is_place(text, match)]
    for one in people:
        if not any(start <= one.start and one.end <= end for start, end in places):
            yield one


def _is_place(text: str, match: re.Match[str]) -> bool:
    if text[match.end() : match.end() + 2] in ("'s", "’s"):
        return False
    before = text[max(0, match.start() - 24) : match.start()]
    if match["like"]:
        return _WHERE.search(before) is not None
    name = _BEFORE.search(before)
    word = name[1].lower() if name else ""
    return not word or (word not in _TITLES and (word in ENGLISH or is_word(word)))
