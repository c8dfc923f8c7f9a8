"""A story of a dream that is pasted back is no evidence."""

import pytest

from slowwave.dream.verify.echo import sift_told, stories_of
from slowwave.model import Claim, Diary, Event, Evidence
from slowwave.testing.samples import dream, event

STORY = "The day was small. I walked it slowly, and a ladder leaned in the shed of Agneta Palm."
STORY_ZH = "夜里很静。备用钥匙挂在锅炉后面，我把这件事放在最显眼的地方。"


def claim(said: Event, quote: str) -> Claim:
    at = said.text.index(quote)
    span = Evidence(event_id=said.id, quote=quote, start=at, end=at + len(quote))
    return Claim(kind="fact", subject="user", text=quote, evidence=(span,))


def left(text: str, quote: str, *stories: str) -> int:
    said = event(text)
    good, bad = sift_told([claim(said, quote)], {said.id: said}, stories)
    assert len(good) + len(bad) == 1
    assert all((one.stage, one.reason) == ("verify", "came out of memory") for one in bad)
    return len(good)


@pytest.mark.parametrize(
    "text",
    [
        STORY,
        f"Look what you wrote: {STORY}",
        f"> {STORY.replace(', ', ',' + chr(10) + '> ')}",
        STORY.upper().replace("SHED", "shed"),
    ],
)
def test_read_aloud(text: str) -> None:
    assert left(text, "shed", STORY) == 0


def test_read_aloud_in_chinese() -> None:
    assert left(f"你昨晚写的：{STORY_ZH}", "备用钥匙挂在锅炉后面", STORY_ZH) == 0


def test_what_is_said_beside_it_counts() -> None:
    text = f"{STORY} By the way, I moved to Turku"
    assert left(text, "I moved to Turku", STORY) == 1


@pytest.mark.parametrize(
    "text",
    ["A ladder leaned in the shed of Agneta Palm", "The day was small.", "The shed is locked"],
)
def test_a_few_of_its_words_are_no_story(text: str) -> None:
    assert left(text, text, STORY) == 1
    assert left(text, text) == 1


def test_stories() -> None:
    told = dream(diary=Diary(STORY, "scripted", ()))
    assert stories_of([dream(), told]) == (STORY,)
