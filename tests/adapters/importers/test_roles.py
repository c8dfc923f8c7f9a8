"""Names before turns: roles in many languages and spellings, products, people."""

import pytest

from slowwave.adapters.importers.roles import folded, role_of


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("user", "user"), ("USER", "user"), ("Human", "user"), ("You", "user"), ("me", "user"),
        ("You said", "user"), ("我", "user"), ("用户", "user"), ("我说", "user"),
        ("Usuário", "user"), ("Nguoi dung", "user"), ("Người dùng", "user"),
        ("ユーザー", "user"), ("Пользователь", "user"), ("Entrada (user)", "user"),
        ("**User**", "user"), ("ＵＳＥＲ", "user"), ("Benutzer", "user"),
        ("assistant", "assistant"), ("AI", "assistant"), ("ChatGPT", "assistant"),
        ("ChatGPT said", "assistant"), ("GPT-4o mini", "assistant"),
        ("Claude 3.5 Sonnet", "assistant"), ("助手", "assistant"), ("Trợ lý", "assistant"),
        ("アシスタント", "assistant"), ("Saída (assistant)", "assistant"),
        ("어시스턴트", "assistant"), ("DeepSeek-R1", "assistant"), ("tool", "tool"),
        ("工具", "tool"), ("system", "system"), ("系统", "system"), ("林", None), ("Oda", None),
        ("Status", None), ("", None), ("()", None), ("Owner", None), ("Claudette", None),
        ("注意", None),
    ],
)  # fmt: skip
def test_roles(name: str, role: str | None) -> None:
    assert role_of(name) == role


def test_folded() -> None:
    assert folded(" **Łukasz  ＡＢＣ:** ") == "łukasz abc"
    assert folded("ガ각é") == "ガ각e"
