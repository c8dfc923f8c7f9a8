"""Secrets told by their own shape: private keys, vendors' prefixes, tokens, cards, ids, IBANs."""

import re
from datetime import date

from slowwave.text.later import later

__all__ = ["keys", "numbers", "private_keys", "tokens", "webhooks"]

# --- private keys -------------------------------------------------------------------------------

_MARK = later(r"-----(?P<what>BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_BODY = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\\\r\n\t \"',")
_ARMOR = ("Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Hash:", "Charset:")
_BASE64_LINE = 40
"""Shorter runs without a frame may be words; a cut-off key's last line may be short."""


def private_keys(text: str) -> str:
    """PEM and PGP private keys, whole or cut off at either end, also with escaped line ends."""
    marks = list(_MARK.finditer(text))
    kept, at, number = [], 0, 0
    while number < len(marks):
        mark = marks[number]
        following = marks[number + 1] if number + 1 < len(marks) else None
        number += 1
        if mark["what"] == "END":
            start, end = _body_start(text, at, mark.start()), mark.end()
        elif following is not None and following["what"] == "END":
            start, end = mark.start(), following.end()
            number += 1
        else:
            # Cut off, at the latest where the next one begins.
            high = following.start() if following is not None else len(text)
            start, end = mark.start(), _body_end(text, mark.end(), high)
        kept += [text[at:start], "[secret:private-key]"]
        at = end
    kept.append(text[at:])
    return "".join(kept)


def _body_end(text: str, at: int, high: int) -> int:
    """Where the key's lines end, before `high`; prose behind a cut-off key stays."""
    end = at
    while end < high:
        stop = text.find("\n", end, high)
        stop = high if stop < 0 else stop
        line = text[end:stop].strip()
        if line and not line.startswith(_ARMOR) and not _is_base64(line):
            first = line.split(" ", 1)[0]
            whole = len(first) >= _BASE64_LINE and _is_base64(first)
            return text.index(first, end) + len(first) if whole else max(end - 1, at)
        end = stop + 1
    return high


def _is_base64(line: str) -> bool:
    bare = line.replace("\\n", "").replace("\\r", "").strip("\"', ")
    return " " not in bare and all(char in _BODY for char in bare)


def _body_start(text: str, low: int, at: int) -> int:
    """Where the lines before an END mark begin that can only belong to a key."""
    start = at
    while start > low:
        begin = text.rfind("\n", low, start - 1) + 1 if start - 1 > low else low
        begin = max(begin, low)
        line = text[begin:start].strip()
        if line and ((len(line) < _BASE64_LINE and start != at) or not _is_base64(line)):
            break
        start = begin
    return start


# --- shapes of vendors --------------------------------------------------------------------------

_W = r"[A-Za-z0-9_-]"
_A = r"[A-Za-z0-9]"
_X = r"[0-9a-fA-F]"
_VENDORS = later(
    r"(?<![A-Za-z0-9_])(?:"
    + "|".join(
        (
            rf"sk-(?:proj|svcacct|admin|ant|or|lf)-{_W}{{16,}}",
            rf"sk-(?={_W}{{0,200}}\d){_W}{{16,}}",
            rf"gh[pousr]_{_A}{{20,}}",
            r"github_pat_\w{20,}",
            rf"gl(?:pat|ptt|dt|rt|ft|soat|cbt|agent)-{_W}{{16,}}",
            rf"xox[abeoprs]-{_W}{{10,}}",
            rf"(?:xapp|xwfp)-{_W}{{10,}}",
            rf"AIza{_W}{{30,}}",
            rf"GOCSPX-{_W}{{16,}}",
            rf"ya29\.{_W}{{16,}}",
            rf"1//0{_W}{{20,}}",
            rf"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{{16}}(?!{_A})",
            rf"(?:LTAI|AKID|AKLT)(?={_A}{{0,64}}\d){_A}{{12,64}}(?!{_A})",
            rf"[srp]k_(?:live|test|prod)_{_A}{{8,}}",
            r"whsec_[A-Za-z0-9+/=]{16,}",
            rf"SG\.{_W}{{16,}}\.{_W}{{16,}}",
            rf"(?:SK|key-|dapi)[0-9a-f]{{32}}(?!{_A})",
            rf"npm_{_A}{{30,}}",
            rf"pypi-{_W}{{40,}}",
            rf"hf_{_A}{{20,}}",
            rf"do[opr]_v1_{_X}{{32,}}",
            rf"shp(?:at|ca|pa|ss)_{_X}{{24,}}",
            rf"sq0(?:atp|csp|idp)-{_W}{{20,}}",
            rf"EAAA{_W}{{40,}}",
            rf"lin_(?:api|oauth)_{_A}{{20,}}",
            rf"(?:ntn|secret)_(?={_A}{{0,80}}\d){_A}{{30,}}",
            rf"fig[dou]_{_W}{{20,}}",
            rf"(?:gsk|r8|rnd|nfp)_(?={_A}{{0,80}}\d){_A}{{20,}}",
            rf"(?:xai|pplx|tvly)-(?={_W}{{0,80}}\d){_W}{{16,}}",
            rf"dp\.(?:pt|st|ct|sa|scim|audit)\.{_W}{{16,}}",
            rf"hv[sbr]\.{_W}{{16,}}",
            rf"AT[AC]TT3{_W}{{20,}}",
            rf"gl(?:sa|c)_{_W}{{20,}}",
            rf"f(?:o1|m1|m2)_{_W}{{20,}}",
            rf"sbp_{_X}{{32,}}",
            r"AGE-SECRET-KEY-1[A-Z0-9]{20,}",
            rf"dckr_(?:pat|oat)_{_W}{{16,}}",
            rf"pscale_(?:tkn|pw|oauth)_{_W}{{16,}}",
            rf"NRAK-{_A}{{16,}}",
            rf"sntr[yu]s_{_W}{{20,}}",
            rf"ph[x]_{_A}{{30,}}",
            rf"PMAK-{_W}{{20,}}",
            rf"sl\.(?={_W}{{0,80}}\d){_W}{{40,}}",
            rf"tskey-(?:[a-z]{{2,12}}-)?{_W}{{12,}}",
            rf"ops_ey{_W}{{20,}}",
            rf"rzp_(?:live|test)_{_A}{{10,}}",
            rf"\d{{8,10}}:AA{_W}{{30,}}",
            # A house's own key: a short name, the environment, then an opaque rest.
            rf"[a-z][a-z0-9]{{1,11}}[_-](?:live|test|prod|sandbox|secret|pat|key)[_-]"
            rf"(?={_A}{{0,80}}\d)(?={_A}{{0,80}}[A-Za-z]){_A}{{10,}}",
        )
    )
    + r")"
)
_JWT = later(rf"(?<!{_W})eyJ{_W}{{8,}}\.(?:{_W}{{4,}}(?:\.{_W}*)?)")
_WEBHOOK = later(
    r"(https?://(?:hooks\.slack\.com/(?:services|workflows|triggers)/"
    r"|(?:\w{1,20}\.)?discord(?:app)?\.com/api/webhooks/"
    r"|oapi\.dingtalk\.com/robot/send\?access_token="
    r"|qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key="
    r"|open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/"
    r"|api\.telegram\.org/bot))(?!\[secret:)[^\s\"'<>)，。\[]+"
)


def keys(text: str) -> str:
    """Keys and tokens of vendors, by the prefix they gave them for exactly this purpose."""
    return _VENDORS.sub("[secret:key]", text)


def tokens(text: str) -> str:
    """JSON web tokens, also without their signature."""
    return _JWT.sub("[secret:token]", text)


def webhooks(text: str) -> str:
    """The secret part of incoming-webhook addresses."""
    return _WEBHOOK.sub(r"\1[secret:webhook]", text)


# --- numbers with a checksum --------------------------------------------------------------------

_DIGITS = later(
    r"(?<![A-Za-z0-9_.+-])(?<![\d] )(?:\d{17}[\dXx]|\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?"
    r"|3\d{3}([ -])\d{6}\2\d{5}|\d{15,19})(?![A-Za-z0-9_-])"
)
_COUNTED = later(
    r"订单|訂單|单号|單號|编号|流水|运单|快递|序列|order|tracking|invoice|imei|isbn|serial|ticket|"
    r"parcel|shipment|reference|\bref\b|\bid\b",
    re.I,
)
_BRANDS = later(
    r"4\d{15}|4\d{18}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|6(?:011|5\d\d|4[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}|81\d{14}|9[13456]\d{14,17}"
)
_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


_SSN = later(
    r"(?<![A-Za-z0-9_./+-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![A-Za-z0-9_/-]|\.\d)"
)
_IBAN = later(
    r"(?<![A-Za-z0-9_-])[A-Z]{2}\d{2}(?:(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,3})?"
    r"|[A-Z0-9]{11,30})(?![A-Za-z0-9_-])"
)
_IBAN_SIZES = frozenset(
    re.findall(
        r"\w{4}",
        "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 "
        "DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 "
        "IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 "
        "MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 "
        "SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 ",
    )
)

"""Country and length (the register of ISO 13616)."""
_TAX_CODE = later(
    r"(?<![A-Za-z0-9])(?:[A-Z]{6}\d{2}[A-EHLMPRST][0-7]\d[A-Z]\d{3}[A-Z]"
    r"|[A-Z]{4}\d{2}[01]\d[0-3]\d[HM][A-Z]{5}[A-Z0-9]\d)(?![A-Za-z0-9])"
)
"""The Italian and the Mexican code: name, birth date, sex and place in one word like no other."""
_CPF = later(r"(?<![\w.])(\d{3})\.(\d{3})\.(\d{3})-(\d{2})(?![\w-])")
_PART = later(
    r"(?:order|part|sku|model|product|item|batch|\blot|serial|ref(?:erence)?|订单|单号|件号|型号|货号|批号|编号)"
    r"[^\w\n]{0,3}(?:no\.?|number|id|is|是|#)?[^\w\n]{0,3}\Z",
    re.I,
)


def numbers(text: str) -> str:
    """Numbers told by their own shape, without any name.

    Bank cards (brand range and Luhn), Chinese resident ids (birth date and checksum), IBANs
    (length and checksum), US social security numbers (dashes and ranges in use), Italian, Mexican
    and Brazilian tax codes.
    """
    if "-" in text:
        text = _SSN.sub(_put_ssn, text)
        text = _CPF.sub(lambda match: "[secret:id]" if _is_cpf(match) else match[0], text)
    text = _IBAN.sub(lambda match: _put_iban(match[0]), text)
    return _long_numbers(_TAX_CODE.sub("[secret:id]", text))


def _put_ssn(match: re.Match[str]) -> str:
    before = match.string[max(0, match.start() - 24) : match.start()]
    return match[0] if _PART.search(before) else "[secret:id]"


def _is_cpf(match: re.Match[str]) -> bool:
    digits = [int(char) for char in "".join(match.groups())]
    if len(set(digits)) == 1:
        return False
    for known in (9, 10):
        total = sum((known + 1 - at) * digits[at] for at in range(known))
        if total * 10 % 11 % 10 != digits[known]:
            return False
    return True


def _put_iban(found: str) -> str:
    """The mask behind which words that only look like a last group come back."""
    groups = found.split(" ")
    for last in range(len(groups), 0, -1):
        number = "".join(groups[:last])
        if f"{number[:2]}{len(number)}" in _IBAN_SIZES and _is_iban(number):
            return " ".join(["[secret:card]", *groups[last:]])
    return found


def _is_iban(number: str) -> bool:
    return int("".join(str(int(char, 36)) for char in number[4:] + number[:4])) % 97 == 1


def _long_numbers(text: str) -> str:

    def put(match: re.Match[str]) -> str:
        digits = match[0].replace(" ", "").replace("-", "")
        if _is_resident_id(digits):
            return "[secret:id]"
        before = match.string[max(0, match.start() - 20) : match.start()]
        if _BRANDS.fullmatch(digits) and _luhn(digits) and not _COUNTED.search(before):
            return "[secret:card]"
        return match[0]

    return _DIGITS.sub(put, text)


def _luhn(digits: str) -> bool:
    total = 0
    for place, char in enumerate(reversed(digits)):
        value = int(char) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _is_resident_id(digits: str) -> bool:
    if len(digits) != 18 or not digits.isascii() or digits[0] not in "12345678":
        return False
    try:
        born = date(int(digits[6:10]), int(digits[10:12]), int(digits[12:14]))
    except ValueError:
        return False
    total = sum(int(char) * weight for char, weight in zip(digits, _WEIGHTS, strict=False))
    return 1900 <= born.year <= 2100 and "10X98765432"[total % 11] == digits[17].upper()
