"""Values that stand under a label: in JSON and code, in forms, and in the columns of a table.

What a label names is private whatever it looks like: `"diagnosis": "…"`, `收货地址：…`, a column
headed 姓名. The labels are told by the words they are made of, in whatever way they are joined.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from slowwave.privacy.kinds import Found, Kind
from slowwave.privacy.names import english, is_word
from slowwave.privacy.terms import word_set

__all__ = ["find_fields", "label_kind"]

_LATIN: tuple[tuple[Kind, str], ...] = (
    ("BIRTH", r"dob|birth ?days?|b day|(date of |year of )?birth( ?(date|day|year))?|born( on)?"),
    ("HEALTH", r"(primary |medical |known |current |chronic )?(diagnos[ie]s|dx|conditions?"
               r"|medications?|meds?|drugs?|prescriptions?|rx|allerg(y|ies|ens?)|symptoms?"
               r"|treatments?|complaints?|blood (type|group)|medical history|disabilit(y|ies))"),
    ("SECRET", r".*\b(passwords?|passwd|pwd|pass(phrase|code)|secrets?|api ?key|private key"
               r"|access key|auth token|access token|refresh token|session token|bearer)"
               r"|pass|pw|pin( code)?|otp|cvv|cvc|security (code|answer)"),
    ("ACCOUNT", r"(bank |checking |savings |giro |from |to )?(account|acct|acc)( ?(number|no|num))?"
                r"|iban|bic|swift( code)?|sort ?code|routing( ?(number|no))?|card( ?(number"
                r"|no|num))?"
                r"|pan|last ?(4|four)|(card )?ending"),
    ("ID", r"ssn|social security( ?(number|no))?|nino|ni( ?(number|no))|passport( ?(number|no"
     "|num))?"
           r"|(national|personal|tax|identity|patient|employee|student|member|customer|insurance)"
           r" ?(id|number|no|card)( ?(number|no))?|id ?(card|number|no)( ?(number|no))?"
           r"|(driver'?s? )?licen[cs]e( ?(number|no))?|mrn|tin|vat( ?(id|number|no))?"
           r"|nhs( ?number)?"),
    ("PHONE", r"(home |work |cell |mobile |office |contact |emergency )?"
              r"(phone|mobile|cell|tel|telephone|fax|whatsapp)( ?(number|no|num))?|msisdn"),
    ("ADDRESS", r"(home |street |postal |mailing |billing |shipping |delivery |work |current )?"
                r"(address|addr)( ?(line)? ?\d)?|street( ?(name|address))?( ?\d)?|zip( ?code)?"
                r"|line ?[1-3]|post ?code|postal ?code|(lives|living) at|residence|deliver to"
                r"|ship to"),
    ("PLATE", r"(licen[cs]e |number )?plates?( ?(number|no))?"),
    ("USER", r"usr( ?name)?|(user|screen|login|account|profile|display) ?(name|id)|nick( "
     "?name)?|handle"
     "|login|uid"
             r"|(open|union|wechat|weixin|qq|telegram|skype|line|discord|steam|device) ?id|wechat"
             r"|weixin|qq|telegram|skype|snap(chat)?|insta(gram)?|ig|twitter|github|venmo|cash ?app"
             r"|device ?name|host ?name of user"),
    ("PERSON", r"(full|first|last|sur|given|family|middle|maiden|legal|preferred|real|christian)"
               r" ?names?|(contact|patient|customer|client|passenger|guest|recipient|sender|owner"
               r"|author|employee|holder|card ?holder|account ?holder|spouse|emergency contact"
               r"|tenant|landlord|student|teacher|applicant|beneficiary|payee|buyer|seller|driver"
               r"|doctor|physician|receiver|consignee|addressee|attn|nurse|therapist|assignee"
               r"|who|guests?|reporter|attendee|manager|candidate)( ?(full )?names?)?"
               r"|next of kin|mother|father|wife|husband"),
)  # fmt: skip
_HAN: tuple[tuple[Kind, str], ...] = (
    ("BIRTH", r"出生(日期|年月日?|时间)?|生日|诞生日"),
    ("HEALTH", r"(初步|临床|入院|出院|主要)?诊断(结果|意见)?|用药|药[物品](名称?)?|处方"
     "|过敏[史源物]?"
               r"|药物过敏|症状|主诉|(既往|家族|现)?病史|病情|疾病|血型|检查结果|化验结果|手术史"),
    ("SECRET", r".{0,4}(密码|口令|密钥|验证码|暗号|通行码|提取码|门禁码)"),
    ("ACCOUNT", r"(银行|收款|付款|对公|公司)?(账号|帐号|账户|帐户|卡号)|银行卡号?"),
    ("ID", r"(居民)?身份证(号码?|件号)?|证件号码?|护照号?码?|驾[驶照]证?号?|社保[卡号]+|医保[卡号]+"
           r"|学号|工号|病历号|住院号|就诊卡号?|税号|纳税人识别号|统一社会信用代码"),
    ("PHONE", r"(联系|手机|移动|固定|家庭|办公|紧急)?(电话|手机)(号码?)?|手机号码?|座机|传真"
     "|联系方式"),
    ("ADDRESS", r"(家庭|收货|通讯|现|联系|户籍|邮寄|居住|常住|公司|寄件|收件)?(地址|住址)"
     "|邮编|邮政编码"
                r"|户籍(所在地)?|籍贯"),
    ("PLATE", r"车牌(号码?)?"),
    ("USER", r"微信(号|账号)?|QQ(号码?)?|qq(号码?)?|用户名|登录名|昵称|网名|支付宝(账号)?|抖音号?"
             r"|微博(账号)?|小红书号?"),
    ("PERSON", r".{0,4}姓名|(紧急)?联系人|收件人|收货人|寄件人|患者|病人|户主|持卡人|家属|监护人"
               r"|家长|(法定)?代表人|经办人|申请人|乘客|旅客|被保险人|投保人|受益人|开户人|户名"
               r"|配偶|负责人|对接人|签收人|业主|租客|承租人|出租人"),
)  # fmt: skip
_ALL = tuple((kind, re.compile(words)) for kind, words in (*_LATIN, *_HAN))
_JOINTS = re.compile(r"[_\-\s.]+|(?<=[a-z])(?=[A-Z])")
_NAME = word_set("name names 名字 名称 person 人员 成员")
"""Names of people where something else of a person stands beside them, and of things elsewhere."""
_PERSONAL: frozenset[Kind] = frozenset(
    ("BIRTH", "HEALTH", "ID", "PHONE", "ADDRESS", "PLATE", "ACCOUNT")
)
_NOTHING = word_set(
    "null none true false nil n/a na undefined unknown tbd string number integer boolean text str "
    "int object required optional 无 暂无 未知 待定 同上 空 - -- — … ... * ** *** yes no 有 "
    "没有 否 是"
)
_FIGURES: frozenset[Kind] = frozenset(("PHONE", "ID", "ACCOUNT", "PLATE"))
"""Kinds whose values have figures in them."""

_LABEL = r"[A-Za-z\u4e00-\u9fff][A-Za-z0-9_\u4e00-\u9fff' -]{0,30}"
_QUOTED = re.compile(
    rf"\\?[\"'](?P<label>{_LABEL})\\?[\"']\s?[:=]\s{{0,8}}"
    r"(?P<values>\[[^\[\]{}]{0,400}\]|\\?\"(?:[^\"\\\n]|\\(?!\").){0,300}\\?\"|'[^'\n]{0,300}'"
    r"|[+\d][\d .()+-]{2,30})"
)
_ASSIGNED = re.compile(
    r"(?<![A-Za-z0-9_\"'])(?P<label>[A-Za-z][A-Za-z0-9_]{1,30})\s?=\s?"
    r"(?P<values>\"[^\"\n]{1,200}\"|'[^'\n]{1,200}'|[^\s\"'(){}\[\],;&|<>=]{2,120}(?![\w(.\[=]))"
)
_LINE = re.compile(
    rf"(?:^|(?<=[\n,，;；|。\t]))[ \t>*#•·-]{{0,6}}(?:\*\*)?(?P<label>{_LABEL}?)(?:\*\*)?"
    r"\s?[:：](?:\*\*)?[ \t]{0,6}"
    r"(?P<values>[^\s,，;；|。\"'{\[(（][^\n,，;；|。]{0,80})"
)
_INNER = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'([^'\n]*)'")


def find_fields(text: str) -> Iterator[Found]:
    """Values under labels, and the cells of labelled columns."""
    if ":" in text or "=" in text or "：" in text:
        for pattern in (_QUOTED, _ASSIGNED, _LINE):
            for match in pattern.finditer(text):
                kind = label_kind(match["label"])
                if kind == "NUMBER":
                    kind = "PERSON" if _beside_a_person(text, match) else None
                if kind is not None:
                    yield from _values(text, *match.span("values"), kind)
    yield from _tables(text)


@lru_cache(maxsize=4_096)
def label_kind(label: str) -> Kind | None:
    """What a label names; NUMBER for a name of somebody or something."""
    words = " ".join(part for part in _JOINTS.split(label.strip()) if part).lower()
    words = words.removeprefix("my ").removeprefix("our ").removeprefix("the ").strip()
    if words in _NAME:
        return "NUMBER"
    return next((kind for kind, pattern in _ALL if pattern.fullmatch(words)), None)


def _beside_a_person(text: str, match: re.Match[str]) -> bool:
    """Whether a label close by is one that only people have."""
    around = text[max(0, match.start() - 300) : match.end() + 300]
    labels = (found["label"] for pattern in (_QUOTED, _LINE) for found in pattern.finditer(around))
    return any(label_kind(label) in _PERSONAL or label.lower() in _MAILS for label in labels)


_MAILS = word_set("email e-mail mail 邮箱 邮件 gender sex age 性别 年龄")


def _values(text: str, start: int, end: int, kind: Kind) -> Iterator[Found]:
    """The values between two places: of a list each, without their quotes."""
    said = text[start:end]
    if said[0] in "[\"'" or said.startswith('\\"'):
        for match in _INNER.finditer(said.replace('\\"', ' "')):
            group = 1 if match[1] is not None else 2
            yield from _value(text, start + match.start(group), start + match.end(group), kind)
        return
    yield from _value(text, start, end, kind)


def _value(text: str, start: int, end: int, kind: Kind) -> Iterator[Found]:
    said = text[start:end]
    start += len(said) - len(said.lstrip(" *`\"'“"))
    end -= len(said) - len(said.rstrip(" *`\"'”\\.,;"))
    said = text[start:end]
    if (
        len(said) < 2
        or said.lower() in _NOTHING
        or not any(map(str.isalnum, said))
        or said[0] in "<${["
        or "(" in said[:-1]
    ):
        return
    if kind in _FIGURES and sum(map(str.isdigit, said)) < 3:
        return
    if kind == "SECRET" and (" " in said.strip() and len(said.split()) > 3):
        return
    if kind in ("SECRET", "USER", "PERSON") and _is_wording(said, kind):
        return
    if kind == "BIRTH" and not any(map(str.isdigit, said)) and not _HAN_DAY.search(said):
        return
    if kind in ("PERSON", "USER") and (
        len(said.split()) > 5 or (said.isdigit() and kind == "PERSON")
    ):
        return
    yield Found(start, end, kind)


_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_OF_CODE = word_set(
    "your my api key keys password passwd pwd secret token example hash hashed user username name "
    "env process request form json input session login column config data id value field test "
    "registration validate valid generate check stored provided storage self this db str"
)


def _is_wording(said: str, kind: Kind) -> bool:
    """Whether a value is no value: a variable, a stand-in, or words about it."""
    parts = [part.lower() for part in _PARTS.findall(said)]
    if not said.isascii() or not parts or not all(map(_is_plain, parts)):
        return False
    if kind == "PERSON":
        lists = english()
        return not any(part in lists["given"] or part in lists["words"] for part in parts)
    return (len(parts) == 1 and "." in said) or any(part in _OF_CODE for part in parts)


def _is_plain(part: str) -> bool:
    """Whether a part of a value is a word as they stand in code and prose."""
    return part in _OF_CODE or is_word(part)


_HAN_DAY = re.compile("[一二三四五六七八九十〇零]{1,4}[年月日]")

# ── tables ──────────────────────────────────────────────────────────────────────────────────────

_RULE = re.compile(r"[\s|:+=-]+")
_BEFORE_LABEL = re.compile(r"^.*[\"'>:：(\[{)…-](?=[^\"'>:]*[^\W\d_])|^\W+")
"""What stands in front of the first label of a table within something else."""
_WIDE = re.compile(r"[ ]{2,}")


def _tables(text: str) -> Iterator[Found]:
    """The cells of columns with a label that stands for something private."""
    if "\n" not in text:
        return
    at = 0
    kinds: list[Kind | None] = []
    separator = ""
    for line in text.split("\n"):
        cells = _cells(line, separator) if separator else []
        if len(cells) == len(kinds) - 1 and line.lstrip().startswith("|"):
            kinds = kinds[1:]  # the header had something before its first bar: a bullet, a time
        if separator == "|" and len(kinds) < len(cells):
            cells = cells[: len(kinds)]  # and the last line something after its last bar
        if separator and len(cells) == len(kinds):
            for (start, end), kind in zip(cells, kinds, strict=True):
                if kind is not None:
                    yield from _value(text, at + start, at + end, kind)
        elif not (separator and _RULE.fullmatch(line)):
            separator, kinds = _header(line)
        at += len(line) + 1


def _header(line: str) -> tuple[str, list[Kind | None]]:
    """How the cells of a line are parted, and what its labels stand for; ("", []) for no header."""
    for separator in ("|", "\t", ",", ";", "，", "  ", " "):
        if separator not in line or len(line) > 600:
            continue
        labels = [line[start:end] for start, end in _cells(line, separator)]
        kinds = [label_kind(_BEFORE_LABEL.sub("", label).strip(" *\"'")) for label in labels]
        known = sum(kind is not None for kind in kinds)
        mails = any(label.strip(" *\"'").lower() in _MAILS for label in labels)
        if separator == " " and (len(labels) < 3 or not all(kinds[1:3])):
            continue
        if len(labels) < 2 or known + mails < (1 if separator in "|\t" else 2):
            continue
        person = mails or any(kind in _PERSONAL for kind in kinds)
        return separator, [
            ("PERSON" if person else None) if kind == "NUMBER" else kind for kind in kinds
        ]
    return "", []


def _cells(line: str, separator: str) -> list[tuple[int, int]]:
    """The places of the cells of a line."""
    found: list[tuple[int, int]] = []
    at = 0
    parts = _WIDE.split(line) if separator == "  " else line.split(separator)
    for part in parts:
        start = line.index(part, at) if part else at
        found.append((start, start + len(part)))
        at = start + len(part) + (0 if separator == "  " else len(separator))
    if separator == "|":
        found = [(start, end) for start, end in found if line[start:end].strip() or start > 0]
        found = found[:-1] if found and not line[slice(*found[-1])].strip() else found
    return found
