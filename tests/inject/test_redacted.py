"""Lines that hold nothing but the name of a secret: out, unless a secret is asked for."""

import pytest

from slowwave.inject import tells

PORT = "哪个端口"


@pytest.mark.parametrize(
    "text",
    [
        "[secret:password]", "花房路由器的管理密码是[secret:password]",
        "口令：[secret:password]，别告诉别人", "我把苗圃邮箱密码换成了[secret:password]",
        "帮我记一下，花房监控的登录密码：[secret:password]", "仓库门禁码 [secret:code]，谢谢",
        "灌溉系统的密码现在是[secret:password]", "我的护照号是[secret:id]",
        "The greenhouse router's admin password is [secret:password]",
        "my wifi password for the nursery is [secret:password]", "NURSERY_API_KEY=[secret:token]",
        "Please remember my debit card pin is [secret:code].", "gitea token: [secret:token]",
        "I changed the camera password to [secret:password], don't tell anyone",
        "the code for the barn door is [secret:code]", "Gartenpasswort ist [secret:password]",
        "api key [secret:token] and client secret [secret:token]",
    ],
)  # fmt: skip
def test_a_name_without_its_value_tells_nothing(text: str) -> None:
    assert not tells(text, PORT)
    assert not tells(text, "花房监控的源代码在哪个码头")
    assert not tells(text, "where does the router of the greenhouse stand?")
    assert not tells(text, "")


@pytest.mark.parametrize(
    "text",
    [
        "路由器端口8081，密码[secret:password]", "热点名叫Greenleaf，密码[secret:password]",
        "用户名 fern 密码[secret:password]", "花房路由器在楼梯下面，密码是[secret:password]",
        "密码是[secret:password]，每个季度要换一次", "密码[secret:password]只能在内网用",
        "我昨天去了邮局，把口令改成[secret:password]", "user fern password [secret:password]",
        "The router hangs in the shed, its password is [secret:password]",
        "port 8081 password [secret:password]", "the password [secret:password] expires in May",
        "I went to the post office and changed my pin to [secret:code]",
        "postgres://fern:[secret:password]@db.example.org/nursery",
        " " * 5_000 + "x" + "*" * 5_000 + "[secret:password]",
        "the greenhouse runs a Pi, token [secret:token]", "没有密码", "",
    ],
)  # fmt: skip
def test_what_says_more_stays(text: str) -> None:
    assert tells(text, PORT)


@pytest.mark.parametrize(
    "question",
    [
        "花房路由器的密码", "仓库门禁码多少", "我的护照号", "怎么登录苗圃邮箱", "保险箱暗号是啥",
        "门禁的验证码", "the combination of the safe",
        "what is the wifi password", "how do I log in to the camera", "which pin has my card",
        "did I give you the API key?", "my passport number",
    ],
)  # fmt: skip
def test_who_asks_for_a_secret_hears_that_there_is_one(question: str) -> None:
    assert tells("花房路由器的管理密码是[secret:password]", question)
