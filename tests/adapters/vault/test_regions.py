"""The managed part of a file: found where it is one, and not a byte touched around it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.adapters.vault.regions import Broken, composed, find, inserted
from slowwave.text.markdown import REGION_CLOSE

BODY = "## Work and technology\n\n- the kiln runs at 1240 degrees\n- 窑温 1240 度"
PIECES = st.sampled_from(
    [b"\n", b"\r\n", b"\r", b"```\n", b"~~~~\n", b"```sh\n", b"---\n", b"# x\n", b"<!-- a -->\n",
     b"<!-- open\n", b"text", b"\xef\xbb\xbf", b"\xff\x80", b"    code\n",
     "\u4f60\u597d".encode("gb18030"),
     b"- item\n", b"> q\n", b"   ```\n", b"\t", b" "]
)  # fmt: skip
HAND = st.one_of(st.binary(max_size=60), st.lists(PIECES, max_size=12).map(b"".join))


@given(HAND, st.lists(st.sampled_from([BODY, "- other", "", "- a\n- b"]), min_size=1, max_size=4))
@settings(max_examples=100, deadline=None)
def test_bytes_outside_survive_any_number_of_turns(hand: bytes, bodies: list[str]) -> None:
    if hand.startswith((b"\xff\xfe", b"\xfe\xff")):
        return
    region = find(hand)
    assert not region.found
    assert region.before + region.after == hand
    data = hand
    for number, body in enumerate(bodies):
        data = composed(find(data), body)
        now = find(data)
        assert now.found
        assert now.body == body
        assert now.ours
        if number == 0:
            outside = (now.before, now.after)
            assert now.before.startswith(region.before)
            assert now.after.endswith(region.after)
            added = (
                now.before[len(region.before) :] + now.after[: len(now.after) - len(region.after)]
            )
            assert not added.strip()
        assert (now.before, now.after) == outside
        assert composed(now, body) == data


@pytest.mark.parametrize("eol", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"", b"\n", b"\n\n"])
def test_line_ends_marks_and_missing_newlines_stay(eol: bytes, bom: bytes, end: bytes) -> None:
    hand = (bom + b"# mine\n\nA paragraph" + end).replace(b"\n", eol)
    data = composed(find(hand), BODY)
    assert data.startswith(hand)
    block = data[len(hand) :]
    assert block.replace(eol, b"").find(b"\n") < 0
    assert block.replace(eol, b"").find(b"\r") < 0
    # A blank line stands between: nothing of ours can turn a paragraph into a heading (case 53).
    assert (data.replace(eol, b"\n")).find(b"A paragraph\n\n<!-- slowwave:begin") > 0


def test_a_heading_follows_after_a_blank_line() -> None:
    hand = b"# mine\n\n<!-- slowwave:begin -->\n<!-- slowwave:end -->\n## next\n"
    data = composed(find(hand), BODY)
    assert data.endswith(b"<!-- slowwave:end -->\n## next\n")
    assert data.startswith(b"# mine\n\n")


def test_markers_in_code_are_text() -> None:
    code = b"<!-- slowwave:begin -->\n## a heading in code\n<!-- slowwave:end -->\n"
    fenced = b"# mine\n\n```md\n" + code + b"```\n"
    region = find(fenced)
    assert not region.found
    data = composed(region, BODY)
    assert data.startswith(fenced)
    assert find(data).body == BODY
    indented = b"    <!-- slowwave:begin -->\n    <!-- slowwave:end -->\n"
    assert not find(indented).found


def test_a_longer_fence_holds_a_shorter_one() -> None:
    hand = b"````\n```\n<!-- slowwave:begin -->\n```\n<!-- slowwave:end -->\n````\n"
    assert not find(hand).found


@pytest.mark.parametrize("opener", [b"```python\n", b"~~~\n", b"<!-- to be done\n"])
def test_what_never_closes_stays_behind(opener: bytes) -> None:
    hand = b"# mine\n\ntext\n" + opener + b"x = 1\n"
    data = composed(find(hand), BODY)
    assert data.endswith(b"-->\n\n" + opener + b"x = 1\n")
    assert data.startswith(b"# mine\n\ntext\n\n<!-- slowwave:begin")
    assert find(data).body == BODY


@pytest.mark.parametrize(
    "hand",
    [b"<!-- slowwave:begin -->\n", b"<!-- slowwave:end -->\n",
     b"<!-- slowwave:end -->\n<!-- slowwave:begin -->\n",
     b"<!-- slowwave:begin -->\n<!-- slowwave:begin -->\n<!-- slowwave:end -->\n",
     "# UTF-16\n".encode("utf-16")],
)  # fmt: skip
def test_what_does_not_pair_up_is_refused(hand: bytes) -> None:
    with pytest.raises(Broken):
        find(hand)


def test_the_encoding_of_a_file_is_kept() -> None:
    hand = "# 记忆\n\n手写的一行\n".encode("gb18030")
    data = composed(find(hand), BODY)
    assert data.startswith(hand)
    assert data.decode("gb18030").endswith(f"窑温 1240 度\n\n{REGION_CLOSE}\n")
    assert find(data).body == BODY


def test_front_matter_is_left_alone() -> None:
    hand = b"---\ntitle: a: b: c\n---\n---\ntags: [x\n---\nbody"
    assert composed(find(hand), BODY).startswith(hand + b"\n\n<!-- slowwave:begin ")


def test_words_that_are_no_memory_go_behind() -> None:
    data = composed(find(inserted("Memory", BODY)), BODY, "## my own\ntext")
    assert data.endswith(b"<!-- slowwave:end -->\n\n## my own\ntext\n")
    assert find(data).body == BODY


def test_an_edit_shows() -> None:
    data = inserted("Memory", BODY)
    assert find(data).ours
    assert not find(data.replace(b"1240 deg", b"1250 deg")).ours
