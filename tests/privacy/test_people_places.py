"""What somebody does, beside a place, a make or a word that counts or praises, is no name."""

import pytest

from slowwave.privacy import mask


def hidden(text: str) -> list[str]:
    [one] = mask([text]).texts
    return [text[piece.start : piece.end] for piece in one.pieces if piece.kind == "PERSON"]


@pytest.mark.parametrize(
    "text",
    [
        "这位裁缝老师讲得细", "那几位医生都在", "12位工程师报了名", "该位同学没来",
        "某位教授退休了", "找位律师问问", "特许经纪人到了", "前任院长的字", "现任校长讲话",
        "首席医师不在", "允许医生进门", "感谢教练", "谢谢老师", "多谢师傅", "吉隆坡律师回信了",
        "阿曼工程师两名", "我想请温尼伯护士来讲课", "墨尔本老师", "布宜诺斯艾利斯导演",
        "西班牙籍教练", "呼和浩特法官", "曼谷厨师", "去了危地马拉", "谷歌工程师", "鸿蒙开发",
        "诺基亚经理", "全职妈妈", "卢旺达很远",
        "We stayed near Lago di Braies", "The Piazza del Campo was full",
        "we went hiking in Val di Funes", "Over the Passo dello Stelvio", "Rue de Rivoli is long",
        "We cycled through the Sierra de Grazalema", "in Rio de Janeiro", "near Porto di Levante",
        "The Parque das Nações", "climbed in Costa da Caparica",
    ],
)  # fmt: skip
def test_a_place_or_a_determiner_before_an_occupation_is_no_name(text: str) -> None:
    assert hidden(text) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("卢森堡先生来了", "卢森堡"), ("他叫马德里", "马德里"), ("我问了许老师", "许老师"),
        ("找席医生看病", "席医生"), ("任经理同意了", "任经理"), ("首席王医师", "王医师"),
        ("这位王老师", "王老师"), ("感谢任老师", "任老师"), ("多谢何医生", "何医生"),
        ("大连于律师说", "于律师"), ("在西宁马律师那", "马律师"), ("丹尼斯律师", "丹尼斯"),
        ("德里克律师", "德里克"), ("李西宁老师", "李西宁"), ("房子换成桑大爷了", "桑大爷"),
        ("佛罗伦萨·南丁格尔护士", "南丁格尔"), ("杰克逊导演", "杰克逊"),
        ("Ask Costa da Silva about it", "Silva"), ("Costa da Silva's flat", "Silva"),
        ("I met Val de Souza today", "Souza"), ("Dr Monte de Luca called", "Luca"),
        ("Mrs Lago di Stefano", "Stefano"), ("call Santiago de Vries", "Vries"),
        ("Leonardo di Caprio came", "Caprio"), ("I slept in Costa da Silva's flat", "Silva"),
    ],
)  # fmt: skip
def test_whoever_is_called_like_a_place_stays_hidden(text: str, name: str) -> None:
    assert name not in mask([text]).texts[0].text
    assert hidden(text)
