"""What may name a topic: nouns, names, words in a row, pieces of Chinese.

In scripts with spaces a name is a noun, or words in a row that end in one, as told by what stands
around it: "the kiln controller", "for dinner", but not "to check" or "is unique". In Chinese it is
a piece between function words whose neighbours vary: what always has the same neighbour is half
of a word. General words (`concepts`), numbers and dates name nothing.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from slowwave.dream.weigh.concepts import GRAM_CHARS, runs, words
from slowwave.text.entities import ZH_COMPOUND_SURNAMES, ZH_SURNAMES
from slowwave.text.segment import fold, sentences
from slowwave.text.stopwords import ENGLISH

__all__ = ["Key", "Possible", "gathered"]

PHRASE = 3
"""Words of the longest name in a script with spaces."""
SEVERAL = 2
"""Texts that a possible name stands in; of others nothing is kept."""
FREE = 0.3
"""Least share of the places in which the neighbour of a Chinese piece is another one than mostly,
or none."""
UNSURE, ADJECTIVE = 0.6, 0.15
"""Weights of a word of which cannot be told whether it is a noun, and of one that is none."""
LIGHT, OPENED_BY_VERB = 0.45, 0.5
"""Weights of a piece of Chinese with a light word at its edge, and of "learn Spanish"."""

_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_TOKEN = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+(?:['’-][^\W_{_HAN}]+)*|[^\w\s]|_")
_BEFORE_NOUN_WORDS = (
    "a an the my our your his her its their whose this that these those some any each every no "
    "another of in on at for with about from by into onto over under between during without "
    "per via than"
)
_BEFORE_NOUN = frozenset(_BEFORE_NOUN_WORDS.split())
"""Articles, possessives, prepositions: what follows them, and nothing else behind it, is a noun."""
_BEFORE_VERB_WORDS = (
    "i you we they he she it who to will would shall should can could may might must do does did "
    "don't doesn't didn't can't won't not please let's be is are was were been being am very so "
    "too really just also how i'm i'll i've i'd you're we're they're it's that's"
)
_BEFORE_VERB = frozenset(_BEFORE_VERB_WORDS.split())
"""Pronouns, auxiliaries, adverbs of degree: what follows them is a verb or an adjective."""
_AFTER_VERB_WORDS = (
    "a an the my our your his her its their me him us them it this that these those you"
)
_AFTER_VERB = frozenset(_AFTER_VERB_WORDS.split())
"""What stands behind a verb ("rotate the key"), and hardly ever behind a noun."""
_NO_NAME_WORDS = (
    "none else etc ones others everyone anyone whatever hello hi hey hiya thanks thank cheers wow "
    "oh ah uh um hmm haha lol well bye goodbye welcome congrats congratulations sorry oops "
    "yep yup nope nah alright dear"
)
_NO_NAME = frozenset(_NO_NAME_WORDS.split())
"""Pronouns that no question has, and interjections: they are no function words there."""
_NO_NAME_HAN = re.compile(
    "谢谢|多谢|感谢|你好|您好|大家好|再见|拜拜|晚安|早安|哈哈+|呵呵+|不客气|没关系|抱歉|对不起|好的|恭喜"
)
"""Interjections and set phrases of Chinese talk."""
_SURNAME = f"(?:{ZH_COMPOUND_SURNAMES}|[{ZH_SURNAMES}])"
_INTRODUCED = re.compile(
    rf"(?:[Hh]ello|[Hh]i|[Hh]ey|[Dd]ear|[Tt]hank you|[Tt]hanks|[Ww]elcome|[Bb]ye|[Mm]y name is)"
    rf",? ([A-Z][^\W\d_{_HAN}]+)"
    rf"|(?:我叫|我的名字是|你好[，,]?|您好[，,]?|谢谢你?[，,]?)({_SURNAME}[{_HAN}]{{1,2}})(?![{_HAN}])"
)
"""Names of those who talk, as they are greeted or give their own."""
_COUNTED = re.compile(rf"\d[\d.,:/-]*\s*[{_HAN}]")
"""A number with its measure word: what follows it begins anew."""
_OWNED = re.compile(r"['’][sS]\Z")
_SHORTENED = re.compile(r"['’](?:ve|re|ll|d|m|t)\Z", re.I)
"""A pronoun and its verb, or a verb that is denied."""
_CALLED = frozenset(",!")
"""What stands behind a lone word that opens a sentence: "Wow, …", "Thanks!" """
_LIGHT_EDGE = re.compile(r"\A[去来多再更挺每各某够比如做些]|[些们来去着过起到出做说]\Z")
"""Light verbs, degrees, measures: a piece of Chinese that begins or ends with one is no name."""
_NO_NOUN = re.compile(r".{2,}(?:ed|ly|est|able|ible|ful|ous|ive)\Z")
"""Endings of participles, adverbs and adjectives."""


class Key(NamedTuple):
    """How a possible name is counted: the stems of its words, or one piece of Chinese."""

    stems: tuple[str, ...]
    han: bool

    def parts(self) -> Iterator["Key"]:
        """All shorter names in it."""
        whole = self.stems[0] if self.han else self.stems
        for size in range(1 + self.han, len(whole)):
            for at in range(len(whole) - size + 1):
                piece = whole[at : at + size]
                yield Key((piece,) if isinstance(piece, str) else piece, self.han)

    def overlaps(self, other: "Key") -> bool:
        """Whether two names share a word, or two characters in a row."""
        if not (self.han and other.han):
            return bool(set(self.stems) & set(other.stems))
        mine = {self.stems[0][at : at + 2] for at in range(len(self.stems[0]) - 1)}
        return any(pair in other.stems[0] for pair in mine)


class Possible:
    """All that may name something in these texts."""

    def __init__(self) -> None:
        self._texts: dict[Key, set[int]] = defaultdict(set)
        self._written: dict[Key, Counter[str]] = defaultdict(Counter)
        self._nouns: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        self._names: set[str] = set()
        self._left: dict[Key, Counter[str]] = defaultdict(Counter)
        self._right: dict[Key, Counter[str]] = defaultdict(Counter)
        self._of: dict[int, list[Key]] = defaultdict(list)

    def texts(self, key: Key) -> frozenset[int]:
        """The places of the texts it stands in."""
        return frozenset(self._texts.get(key, ()))

    def of_text(self, at: int) -> Sequence[Key]:
        """What stands in one text, and in another one as well."""
        return self._of.get(at, ())

    def written(self, key: Key) -> str:
        """The way it is written most often; small where it ever is."""
        found = self._written[key]
        small = {surface: times for surface, times in found.items() if surface.islower()}
        among = small or found
        return min(among, key=lambda surface: (-among[surface], len(surface), surface))

    def weight(self, key: Key) -> float:
        """How well it can stand as a name by its form, above 0; 1 for a noun of one word."""
        if key.han:
            size = len(key.stems[0])
            free = min(_freedom(self._left[key]), _freedom(self._right[key]))
            light = LIGHT if _LIGHT_EDGE.search(key.stems[0]) else 1.0
            return light * (0.4 + 0.6 * free) * (0.8 + 0.2 * min(size, 4)) / 1.2
        opens = 1.0 if len(key.stems) == 1 or self._may_open(key.stems[0]) else OPENED_BY_VERB
        longer = 1 + 0.25 * (len(key.stems) - 1)
        return self._noun(key.stems[-1], self.written(key)) * opens * longer

    def add(self, at: int, text: str, barred: frozenset[str]) -> None:
        """Takes in the text at a place. What holds a `barred` word (folded) names nothing."""
        for start, end in sentences(text):
            self._latin(at, text[start:end], barred)
        if not text.isascii():
            self._han(at, text, barred)

    def settle(self) -> None:
        """To be called when all texts are in: what stands in one text alone is dropped."""
        rare = [key for key, places in self._texts.items() if len(places) < SEVERAL]
        for key in rare:
            for table in (self._texts, self._written, self._left, self._right):
                table.pop(key, None)
        for key, places in self._texts.items():
            for at in places if self._stands(key) else ():
                self._of[at].append(key)

    def _stands(self, key: Key) -> bool:
        """Whether a Chinese piece has neighbours that vary: else it is half of a word."""
        if not key.han:
            return True
        return min(_freedom(self._left[key]), _freedom(self._right[key])) >= FREE

    def _noun(self, stem: str, surface: str) -> float:
        pro, contra = self._nouns[stem]
        if stem in self._names and surface[:1].isupper():
            return 1.0
        if _NO_NOUN.match(surface) and pro <= 2 * contra:
            return ADJECTIVE
        if pro + contra == 0:
            return UNSURE
        share = pro / (pro + contra)
        return ADJECTIVE + (1 - ADJECTIVE) * min(1.0, 1.5 * share)

    def _may_open(self, stem: str) -> bool:
        """Whether a name of several words may begin with it: not with what is mostly a verb."""
        pro, contra = self._nouns[stem]
        return stem in self._names or contra <= pro

    def _latin(self, at: int, sentence: str, barred: frozenset[str]) -> None:
        tokens = [_OWNED.sub("", token) for token in _TOKEN.findall(sentence)]
        stems = ["-".join(stem for stem, _ in words(token)) for token in tokens]
        for place, token in enumerate(tokens):
            if fold(token) in barred or fold(token) in _NO_NAME or _SHORTENED.search(token):
                stems[place] = ""
        for place, stem in enumerate(stems):
            if not stem:
                continue
            self._judge(tokens, stems, place)
            for size in range(1, PHRASE + 1):
                piece = stems[place : place + size]
                if len(piece) < size or not all(piece):
                    break
                key = Key(tuple(piece), han=False)
                self._texts[key].add(at)
                self._written[key][" ".join(tokens[place : place + size])] += 1

    def _judge(self, tokens: Sequence[str], stems: Sequence[str], place: int) -> None:
        """Whether a word stands here as a noun does, or as one does not."""
        before = fold(tokens[place - 1]) if place else ""
        after = fold(tokens[place + 1]) if place + 1 < len(tokens) else ""
        if place and tokens[place][:1].isupper() and before.isalpha():
            self._names.add(stems[place])
        called = not place and after in _CALLED
        if (
            called
            or before in _BEFORE_VERB
            or (after in _AFTER_VERB and before not in _BEFORE_NOUN)
        ):
            self._nouns[stems[place]][1] += 1
        elif after[:1].isalpha() and after.isascii() and after not in ENGLISH:
            return  # "this unique day": an adjective stands here as well
        elif before in _BEFORE_NOUN or (place and stems[place - 1]):
            self._nouns[stems[place]][0] += 1

    def _han(self, at: int, text: str, barred: frozenset[str]) -> None:
        for run in runs(_NO_NAME_HAN.sub(" ", _COUNTED.sub(" ", text))):
            for size in range(2, min(GRAM_CHARS, len(run)) + 1):
                for place in range(len(run) - size + 1):
                    piece = run[place : place + size]
                    if piece in barred or any(name in piece for name in barred if name > "\u3400"):
                        continue
                    key = Key((piece,), han=True)
                    self._texts[key].add(at)
                    self._written[key][piece] += 1
                    self._left[key][run[place - 1 : place]] += 1
                    self._right[key][run[place + size : place + size + 1]] += 1


def gathered(texts: Sequence[str], people: Iterable[str]) -> Possible:
    """All that may name a topic of these texts, but the names of `people` and of who is greeted."""
    met = [one or other for text in texts for one, other in _INTRODUCED.findall(text)]
    barred = frozenset(
        piece
        for name in (*people, *met)
        for piece in (fold(name), *fold(name).split())
        if len(piece) > 1
    )
    possible = Possible()
    for at, text in enumerate(texts):
        possible.add(at, text, barred)
    possible.settle()
    return possible


def _freedom(neighbours: Counter[str]) -> float:
    """How often a piece stands free on one side, 0–1.

    At the edge of a run ("") it does; where its neighbour is not the one that it mostly is, half.
    """
    total = neighbours.total()
    fixed = max((times for char, times in neighbours.items() if char), default=0)
    return (neighbours[""] + 0.5 * (total - neighbours[""] - fixed)) / total if total else 0.0
