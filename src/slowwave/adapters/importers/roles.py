"""What the name before a turn says about who speaks: the user, the assistant, a tool, or a person.

Chat exports translate two words, "user" and "assistant", and put the assistant's product name in
place of the second. Every other name is somebody's own.
"""

import re
import unicodedata
from collections.abc import Mapping

from slowwave.model import Role

__all__ = ["folded", "role_of"]


def folded(name: str) -> str:
    """A name without case, accents, full-width forms and decoration."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    # Hangul and kana are taken apart too; putting the rest together again restores them.
    bare = "".join(char for char in plain if not "\u0300" <= char <= "\u036f")
    bare = unicodedata.normalize("NFC", bare).replace("đ", "d").replace("ı", "i")
    return " ".join(bare.strip(" \t*_#>:：-—–•·|[]【】").split())


_NAMES: Mapping[Role, str] = {
    "user": (
        "user human me myself i you prompt 我 本人 用户 用戶 使用者 人类 人類 提问者 usuario "
        "utilisateur benutzer nutzer utente gebruiker kullanıcı kullanici користувач пользователь "
        "ユーザー ユーザ 사용자 nguoi_dung entrada moi yo ich uzytkownik pengguna"
    ),
    "assistant": (
        "assistant ai bot model agent chatbot assistent assistente asistente asystent asisten "
        "asistan 助手 助理 机器人 機器人 智能助手 ai助手 智能体 人工智能 模型 saida ассистент "
        "помощник アシスタント 어시스턴트 비서 tro_ly chatgpt gpt openai claude anthropic gemini "
        "bard copilot llama mistral qwen deepseek kimi grok perplexity doubao 豆包 通义千问 千问 "
        "文心一言 智谱清言 讯飞星火 元宝 openclaw clawd hermes"
    ),
    "tool": "tool function tools 工具 函数 tool_result tool_call toolresult herramienta outil",
    "system": "system developer 系统 系統 sistema systeme система システム 시스템",
}
_ROLES: Mapping[str, Role] = {
    folded(name.replace("_", " ")): role for role, names in _NAMES.items() for name in names.split()
}
_SAID = re.compile(
    r"\s*(?:\b(?:said|says|wrote|asked|replied|message|response|prompt)|说|說|问|答|回复)\s*$"
)
_INNER = re.compile(r"\(([^()]{1,40})\)")
_VERSION = re.compile(
    r"^(?:chat)?(gpt|claude|gemini|llama|qwen|deepseek|mistral|grok)\b[\s\w.:-]*$"
)


def role_of(name: str) -> Role | None:
    """The role a name stands for; None for a name that is somebody's own.

    Case and accents do not count: `Entrada (user)`, `You said`, `GPT-4o`, `Người dùng` are known.
    """
    plain = folded(name)
    inner = _INNER.search(plain)
    candidates = [_INNER.sub("", plain).strip(), inner[1].strip() if inner else ""]
    for candidate in candidates:
        for form in (candidate, _SAID.sub("", candidate).strip()):
            role = _ROLES.get(form)
            if role is not None:
                return role
        if _VERSION.match(candidate):
            return "assistant"
    return None
