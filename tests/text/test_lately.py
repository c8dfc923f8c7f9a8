"""What a process keeps of texts it has read, and that forgetting reaches it."""

from slowwave.recall import rank
from slowwave.recall.telling import traits
from slowwave.text.lately import forget, lately


def test_what_was_found_is_kept_until_it_is_forgotten() -> None:
    read = []

    @lately(2)
    def length(text: str) -> int:
        read.append(text)
        return len(text)

    assert [length("kiln"), length("kiln")] == [4, 4]
    assert read == ["kiln"]
    forget()
    assert length("kiln") == 4
    assert read == ["kiln", "kiln"]


def test_recall_judges_the_same_after_forgetting() -> None:
    text = "I fired 3 bowls yesterday"
    before = traits(text), rank.held([("bowl",)], text)
    forget()
    assert (traits(text), rank.held([("bowl",)], text)) == before
