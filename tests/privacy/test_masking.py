"""Masking: stable, typed, exact placeholders, and nothing but the values changed."""

from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.privacy import PLACEHOLDER, Masked, mask

TEXTS = (
    "我老婆叫陈雨薇，手机138 0013 8077。",
    "陈雨薇说她的号码是１３８００１３８０７７",
    "Call +86 138-0013-8077 and ask for CHEN or 陈雨薇.",
)


def rebuilt(masked: Masked) -> list[str]:
    """The originals, from the masked texts and their pieces alone."""
    built = []
    for one in masked.texts:
        text = one.text
        for piece in reversed(one.pieces):
            text = text[: piece.at] + one.original[piece.start : piece.end] + text[piece.to :]
        built.append(text)
    return built


def test_one_value_has_one_placeholder_in_the_whole_dream() -> None:
    masked = mask(TEXTS)
    assert masked.texts[0].text == "我老婆叫[PERSON-1]，手机[PHONE-1]。"
    assert masked.texts[1].text == "[PERSON-1]说她的号码是[PHONE-1]"
    assert masked.texts[2].text == "Call [PHONE-1] and ask for CHEN or [PERSON-1]."
    assert masked.legend["[PHONE-1]"] == (
        "138 0013 8077", "１３８００１３８０７７", "+86 138-0013-8077",
    )  # fmt: skip


def test_what_a_later_text_introduces_is_masked_in_the_earlier_one() -> None:
    masked = mask(["Zorblat called twice.", "My landlord is Zorblat."])
    assert masked.texts[0].text == "[PERSON-1] called twice."


def test_placeholders_stay_in_force_from_segment_to_segment() -> None:
    first = mask(["My wife Ana Torres has asthma."])
    second = mask(["Ana is at home, Bob Miller too."], before=first)
    third = mask(["ana torres"], before=second)
    assert second.texts[0].text == "[PERSON-2] is at home, [PERSON-3] too."
    assert third.texts[0].text == first.texts[0].text[8:18] == "[PERSON-1]"
    assert {"[PERSON-1]", "[HEALTH-1]", "[PERSON-3]"} <= set(second.legend)


def test_the_same_texts_give_the_same_masks() -> None:
    assert mask(TEXTS) == mask(TEXTS)


def test_known_names_are_masked_without_any_hint() -> None:
    masked = mask(["quorra and 阿不 went out", "The user is here"], ["Quorra", "阿不", "user", ""])
    assert masked.texts[0].text == "[PERSON-1] and [PERSON-2] went out"
    assert masked.texts[1].text == "The user is here"


def test_a_name_that_is_a_word_is_a_name_only_with_a_capital() -> None:
    masked = mask(["Will said he will come.", "a rose for Rose"], ["Will", "Rose"])
    assert masked.texts[0].text == "[PERSON-1] said he will come."
    assert masked.texts[1].text == "a rose for [PERSON-2]"


def test_text_that_looks_like_a_placeholder_is_none() -> None:
    masked = mask(["[PERSON-1] is what the tool printed, [person-2] too", "My wife Ana"])
    assert masked.texts[0].text == "[TEXT-1] is what the tool printed, [TEXT-2] too"
    assert masked.texts[1].text == "My wife [PERSON-1]"
    assert rebuilt(masked) == [one.original for one in masked.texts]


def test_secrets_are_found_as_capture_finds_them() -> None:
    text = "token=ghp_0123456789abcdefghijABCDEFGHIJ012345 and the password is hunter2xy"
    masked = mask([text])
    assert "ghp_" not in masked.texts[0].text
    assert "hunter2xy" not in masked.texts[0].text
    assert set(masked.counts) == {"SECRET"}
    assert mask(["[secret:password] stays"]).texts[0].text == "[secret:password] stays"


def test_private_keys_of_many_lines_are_one_secret() -> None:
    body = "\n".join("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ" for _ in range(3))
    text = f"key:\n-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\ndone"
    assert mask([text]).texts[0].text == "key:\n[SECRET-1]\ndone"


def test_unseen_characters_hide_nothing() -> None:
    masked = mask(["手机 138\u200b0013\u200b8077 是我的"])
    assert masked.texts[0].text == "手机 [PHONE-1] 是我的"
    assert rebuilt(masked) == ["手机 138\u200b0013\u200b8077 是我的"]


def test_counts_are_by_kind() -> None:
    assert mask(["a@example.com, b@example.com", "1.2.3.4"]).counts == {"MAIL": 2, "IP": 1}


WORDS = st.sampled_from(
    ("王小明", "Ana Torres", "13800138077", "a@b.example", "[PERSON-1]", "对花生过敏", "路12号",
     "￥5", "\u200b", "\n", "İ", "ß", "👩‍👧", "«P1»", "dr. who", "12-34-56", "https://x.y/?a=b",
     "密码是abc123")
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.lists(st.one_of(WORDS, st.text(max_size=12)), max_size=8).map("".join))
def test_masking_is_exact_whatever_the_text(text: str) -> None:
    masked = mask([text, text[::-1]])
    assert rebuilt(masked) == [text, text[::-1]]
    for one in masked.texts:
        for piece in one.pieces:
            assert one.text[piece.at : piece.to] == piece.placeholder
            assert one.original[piece.start : piece.end] in masked.legend[piece.placeholder]
        shown = PLACEHOLDER.findall(one.text)
        assert shown == [piece.placeholder for piece in one.pieces]
