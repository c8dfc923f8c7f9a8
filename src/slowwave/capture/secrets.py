"""Secrets out, before anything is stored: each is replaced by `[secret:KIND]` (R6, case 47).

Told by shape (a vendor's prefix, a checksum, a PEM frame), by place (behind `password=`,
`Bearer`, `://user:`, 密码是) or by name (passport number, 身份证号, 取件码). Hashes, UUIDs,
versions, order numbers and ordinary words are no secrets. All patterns are bounded, so the time is
linear; a text without a hint costs a few substring tests.
"""

from collections.abc import Callable

from slowwave.capture.secret_lines import arguments, headers, urls
from slowwave.capture.secret_shapes import keys, numbers, private_keys, tokens, webhooks

__all__ = ["mask"]


def mask(text: str) -> str:
    """The text with every secret replaced by `[secret:KIND]`. Masking twice changes nothing.

    Runs until nothing changes, since a mask can bring a name and a value together.
    """
    while True:
        masked = _once(text)
        if masked == text:
            return text
        text = masked


def _once(text: str) -> str:
    low = text.lower()
    digits = sum(map(low.count, "0123456789０１２３４５６７８９"))
    if digits >= _SHAPED_NEED:
        text = numbers(text)
    if digits or "码" in text or "code" in low:
        text = papers(text)
    for hints, step in _STEPS:
        for hint in hints:
            if hint in low:
                text = step(text)
                break
    return text


def papers(text: str) -> str:
    """As `secret_papers.papers`."""
    # Its patterns take longer to compile than a recall may take; few texts need them.
    from slowwave.capture.secret_papers import papers as found  # noqa: PLC0415

    return found(text)


def places(text: str) -> str:
    """As `secret_places.places`."""
    from slowwave.capture.secret_places import places as found  # noqa: PLC0415 - as above

    return found(text)


_SHAPED_NEED = 7
"""No number that is told by its own shape has fewer digits (an Italian tax code has seven)."""

_VENDOR_HINTS = (
    "sk-", "gh", "gl", "xox", "xapp-", "xwfp-", "aiza", "gocspx", "ya29.", "1//0", "akia", "asia",
    "abia", "acca", "ltai", "akid", "aklt", "whsec_", "sg.", "sk", "key", "npm_", "pypi-", "hf_",
    "_v1_", "shp", "sq0", "eaaa", "dapi", "lin_", "ntn_", "secret", "fig", "xai-", "pplx-", "r8_",
    "tvly-", "dp.", "hv", "tt3", "nfp_", "fo1_", "fm1_", "fm2_", "sbp_", "dckr_", "pscale_",
    "nrak-", "sntr", "phx_", "pmak-", "sl.", "live", "test", "prod", "sandbox", "pat",
    ":aa", "ops_ey", "rnd_", "vercel_", "rzp_", "0x",
)  # fmt: skip
_PLACE_HINTS = (
    "pass", "pwd", "secret", "token", "key", "auth", "cred", "otp", "pin", "cvv", "cvc", "code",
    "sig", "phrase", "mnemonic", "contrase", "mot de", "combination", "pw", "login", "word",
    "answer", "wort", "woord", "senord", "senha", "palabra", "parola", "has", "пароль", "安全词",
    "密", "口令", "暗号", "暗號", "码", "碼", "秘钥", "令牌", "私钥", "凭", "助记词", "授权",
    "暗証", "パスワード", "비밀",
)  # fmt: skip
_HEADER_HINTS = ("bearer", "authorization", "cookie", " -u", "--user", "mysql", "maria", "sshpass")
_STEPS: tuple[tuple[tuple[str, ...], Callable[[str], str]], ...] = (
    (("private key",), private_keys),
    (("://",), urls),
    (("https://",), webhooks),
    (_VENDOR_HINTS, keys),
    (("eyj",), tokens),
    (_HEADER_HINTS, headers),
    (_PLACE_HINTS, arguments),
    (_PLACE_HINTS, places),
)
