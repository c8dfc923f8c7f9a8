"""Judging one value: is it opaque like a secret, a placeholder, or a word that only describes?"""

import re

__all__ = [
    "is_description",
    "is_opaque",
    "is_ordinary",
    "is_passphrase",
    "is_placeholder",
    "is_plain_word",
]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_HEX = re.compile(r"(?:0x)?[0-9a-f]{7,128}|[0-9A-F]{7,128}")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.I)
_ORDINARY = re.compile(
    r"v?\d+(?:\.\d+)+(?:[-+][\w.]+)?|\d{1,2}:\d\d(?::\d\d)?|\d{4}[-/]\d{1,2}[-/]\d{1,2}(?:[T ].*)?"
    r"|[\d.,]+(?:[a-zA-Z%]{1,3})?|(?:https?|file)://.*|(?:~|\.{1,2})?/[\w./-]*"
    r"|[\w.-]+\.(?:py|js|ts|md|json|ya?ml|toml|txt|env|pem|sh|com|org|net|cn)"
    r"|[\w.+-]+@[\w-]+\.[\w.]+"
)
_CODE_VALUE = re.compile(
    r"[A-Za-z_][\w.]*\((?:.*\))?|[A-Za-z_]+(?:\.[A-Za-z_]+)+|[A-Za-z_.]+\[[\"'].*"
    r"|(?:process\.env|os\.environ|secrets)\..*|(?:env|vault|op|file)[:.]/?/?\w.*"
)
_PLACEHOLDER = re.compile(
    r"<.*|\[secret:.*|\{\{.*|\$\{.*|\$\(.*|\$[A-Z_][A-Z0-9_]*|%\w+%|%\(.*|[*•x.…_-]{3,}|[xX*]+"
    r"|(?:your|replace|insert|enter|example)[-_ ].*|(?:sk|pk|key|token)-?(?:x{3,}|\.{3}|…|\*{3,})"
)
_NO_VALUES = _words(
    "none null nil true false yes no undefined empty string str text int bool bytes optional "
    "required hidden redacted masked secret password passwd token key changeme todo tbd n/a "
    "example default unknown unset any"
)
_DESCRIBING = _words(
    "a an the not no in on at my your his her our their its it this that these those here there "
    "very too so just only also still now then same different similar wrong right correct "
    "incorrect invalid valid weak strong long short simple complex easy hard safe unsafe secure "
    "insecure old new fine ok good bad great better best okay ready missing empty blank random "
    "unique secret private public stored kept written reset sent lost gone known unknown mandatory "
    "needed required optional set from for with by of to and or but if when what which who where "
    "why how always never usually probably maybe under inside somewhere something nothing "
    "everything anything up down off out over like as is was be been being has have had must "
    "should can could will would may might do does did i you he she we they one two three case "
    "sensitive manager vault policy rotation authentication login management field prompt box "
    "dialog screen error failure issue problem please ask check again yet already almost about "
    "missing changing expiring failing rotating pending confusing annoying boring generic static "
    "really currently already temporary "
    "more less most least enough stale awful terrible silly shared use enter type log sign open "
    "access unlock share remember store keep send"
)
_SUFFIXES = ("ed", "able", "ible", "ous", "ful", "less", "ive", "ical")
_HAN_DESCRIBING = re.compile(
    r"[什多我你您他她它用由指一不没需必可怎谁哪该这那在被为是有会要能每很太最长短只还就从和与]"
    r"|.*(?:吗|呢|吧|了|的|错误|正确|过期|不对|一样|忘)$"
)


def is_opaque(value: str, least: int, *, hashes: bool = True) -> bool:
    """A token no one would write as a word: long enough, letters with digits or mixed cases.

    With `hashes=False`, hexadecimal digests and UUIDs are not taken for secrets.
    """
    if len(value) < least or _ORDINARY.fullmatch(value) or _CODE_VALUE.fullmatch(value):
        return False
    if not hashes and (_HEX.fullmatch(value) or _UUID.fullmatch(value)):
        return False
    digits = any(char.isdigit() for char in value)
    letters = any(char.isalpha() for char in value)
    if digits and letters:
        return True
    if digits:
        return any(char in "!@#$%^&*" for char in value)
    inner = value[1:]
    mixed = any(char.isupper() for char in inner) and any(char.islower() for char in value)
    return (mixed and len(value) >= 16 and not re.fullmatch(r"(?:[A-Z]?[a-z]+)+", value)) or (
        letters and any(char in "!@#$%^&*" for char in value)
    )


def is_ordinary(value: str) -> bool:
    """A version, date, number with unit, path, file or address: known shapes that are no secret."""
    return bool(_ORDINARY.fullmatch(value))


def is_plain_word(value: str) -> bool:
    """Only letters (one hyphen or apostrophe allowed), lower-case or capitalised."""
    return bool(re.fullmatch(r"[A-Za-z]?[a-z]+(?:['-][a-z]+)?|[A-Z]+", value))


def is_placeholder(value: str) -> bool:
    """Stands where a value belongs: `<token>`, `$VAR`, `****`, `null`, `your-key-here`."""
    low = value.lower()
    return (
        low.strip("\"'") in _NO_VALUES
        or bool(_PLACEHOLDER.fullmatch(value))
        or bool(_CODE_VALUE.fullmatch(value))
    )


def is_description(value: str) -> bool:
    """A word that tells something about a password rather than being one."""
    if not value.isascii():
        return bool(_HAN_DESCRIBING.match(value))
    low = value.lower()
    return low in _DESCRIBING or low in _NO_VALUES or low.endswith(_SUFFIXES)


def is_passphrase(value: str, least: int) -> bool:
    """`least` or more bare lower-case words without any word that sentences are built with."""
    words = value.split(" ")
    return least <= len(words) <= 24 and all(
        word.isascii() and word.isalpha() and word.islower() and len(word) > 2
        and word not in _DESCRIBING
        for word in words
    )  # fmt: skip
