"""Secrets told by the line they stand in: an address, a header, the flag of a command."""

import re

from slowwave.capture.secret_words import is_opaque, is_placeholder

__all__ = ["arguments", "headers", "urls"]

_URL = re.compile(
    r"(?<=://)([^\s:/@'\"<>\[\]]{0,120}):(?!\[secret:)([^\s/'\"<>]{1,200})@(?=[\w\[-])"
)
_DATABASE_URL = re.compile(
    r"(\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|s?ftp)"
    r"(?:\+\w{1,20})?://[^\s:/@'\"<>]{0,120}):(?!\[secret:)([^\s'\"<>@]{1,200})@(?=[\w\[-])"
)
_USERINFO = re.compile(r"(?<=://)([\w.-]{20,255})@(?=[\w\[-])")
_HEADER = re.compile(
    r"(?P<lead>(?:Proxy-)?Authorization[\"']?\s?[:=]\s?[\"']?"
    r"(?:(?:Bearer|Basic|Token|Digest|ApiKey|Negotiate)\s+)?"
    r"|(?P<bare>\bBearer\s+)|\bSet-Cookie:\s?[\w.-]{1,60}=|\bCookie:\s?(?:[\w.-]{1,60}=)?)"
    r"(?!\[secret:|[<${*])(?P<value>[^\s\"',;]{6,4000})",
    re.I,
)
_USERPASS = re.compile(
    r"(\s(?:-u|--user)[ =][\"']?[^\s:\"']{1,60}:)(?!\[secret:|\d{1,5}(?:\s|$)|\$)([^\s\"']+)"
)
_CLIENT = re.compile(
    r"(\b(?:mysql\w{0,12}|mariadb|sshpass)\b[^\n|;]{0,120}?\s-p ?[\"']?)"
    r"(?!\[secret:)([^\s\"'$-][^\s\"']*)"
)
_ARGUMENT = re.compile(
    r"(?P<lead>(?<![\w-])-{1,2}[\w-]{0,40}?(?:pass(?:word|wd|phrase|code)?|pwd|secret|otp|pin"
    r"|(?P<token>token|credentials?|(?:api|access|auth|private|secret|client|signing)[-_]?key))"
    r"(?:(?P<quote>\\{0,3}[\"'])\s{0,4},\s{0,40}(?P=quote)|[ \t]{0,4}\r?\n[ \t]{0,40}(?:-[ \t]+)?))"
    r"(?!\[secret:|-)(?P<value>(?(quote)(?:(?!(?P=quote))[^\n]){3,400}|[!-~]{4,400}))",
    re.I,
)


def urls(text: str) -> str:
    """The password of `scheme://user:password@host`; scheme, user and host stay."""
    text = _URL.sub(r"\1:[secret:password]@", text)
    text = _DATABASE_URL.sub(r"\1:[secret:password]@", text)
    return _USERINFO.sub(
        lambda match: "[secret:token]@" if is_opaque(match[1], 20) else match[0], text
    )


def headers(text: str) -> str:
    """Authorization and cookie headers, and passwords on the command line of clients."""
    text = _HEADER.sub(_put_header, text)
    text = _USERPASS.sub(r"\1[secret:password]", text)
    return _CLIENT.sub(r"\1[secret:password]", text)


def arguments(text: str) -> str:
    """Values behind the flag of a command, also in a list of arguments."""
    return _ARGUMENT.sub(_put_argument, text)


def _put_header(match: re.Match[str]) -> str:
    if match["bare"] and not is_opaque(match["value"], 12):
        return match[0]
    return match["lead"] + "[secret:token]"


def _put_argument(match: re.Match[str]) -> str:
    """`["--password", "…"]`, and the same two on lines of their own."""
    value = match["value"]
    loose = match["quote"] is None and not any(char.isdigit() for char in value)
    if loose or is_placeholder(value) or (match["token"] and value.isdigit()):
        return match[0]
    return f"{match['lead']}[secret:{'token' if match['token'] else 'password'}]"
