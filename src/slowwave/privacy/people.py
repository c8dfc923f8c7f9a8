"""Names of people: Chinese, Western and in pinyin, in running text, lists and fields."""

from collections.abc import Iterator

from slowwave.privacy.kinds import Found
from slowwave.privacy.names import english, given_chars, surname_chars
from slowwave.privacy.people_en import find_western
from slowwave.privacy.people_places import without_chinese_places, without_western_places
from slowwave.privacy.people_unknown import find_unknown
from slowwave.privacy.people_zh import find_chinese
from slowwave.privacy.people_zh_full import given_of
from slowwave.privacy.terms import word_set
from slowwave.text.stopwords import ENGLISH

__all__ = ["find_people", "name_parts", "stands_for_person"]

_LEAST_PART = 3


def find_people(text: str) -> Iterator[Found]:
    """Names of people. Owners, speakers and known subjects are looked for by `masking`."""
    if not text.isascii():
        yield from without_chinese_places(text, find_chinese(text))
    yield from without_western_places(text, (*find_western(text), *find_unknown(text)))


def name_parts(name: str) -> tuple[str, ...]:
    """The name, and the parts of it that name the same person alone.

    Of a Western name each word that is a name and no common word; of a Chinese one the given name,
    when it has two characters.
    """
    words = name.replace(".", " ").split()
    if len(name) == 1:
        return ()
    if not name.isascii() and len(words) == 1:
        given = given_of(name, surname_chars(), given_chars())
        return (name, given) if given else (name,)
    lists = english()
    common = lists["words"] | lists["things"]
    parts = [word.strip("'-,") for word in words if len(words) > 1]
    named = [
        part for part in parts
        if len(part) >= _LEAST_PART and part.lower() not in common and part.lower() not in _NO_PARTS
    ]  # fmt: skip
    return (name, *named)


def stands_for_person(name: str, first: str) -> bool:
    """Whether a known name (lower case) is meant where it stands with this first character.

    Will and Rose are words too: they are names only where they are written with a capital.
    """
    lists = english()
    word = name in ENGLISH or name in lists["words"] or name in lists["things"]
    return not word or not first.islower()


_NO_PARTS = word_set("mrs miss prof von van der del bin ibn las los and the jr. von dos")
