"""What people call the numbers that must not be kept: papers, cards, accounts, codes.

One pattern, five groups. `number` names a number by itself ("social security number", 税号);
`paper` names a thing that bears one ("passport", 护照); `bank` an account; `card` a payment card;
`code` a code for one use. Chinese, English and the common European languages.
"""

import re
from collections.abc import Iterator

__all__ = ["NUMBER_WORD", "OTHER_THING", "names"]

_S = r"[ _-]?"

NUMBER_WORD = (
    r"(?:numbers?|num\b|no\b\.?|nos\b\.?|nr\b\.?|№|#|n[°º]\.?|nº\.?|nummern?|nummer|num[eé]ros?"
    r"|número|numero|numer\b|номер|號碼|号码|編號|编号|号|號|番号|번호)"
)
"""The word "number", as it stands behind the name of a paper."""

_NUMBERS = (
    # Social security, tax, health and citizens' numbers, by the names of their offices. A firm's
    # tax number (税号, VAT, EIN) stands on its invoices: no secret, and asked for again and again.
    rf"social{_S}(?:security|insurance)(?:{_S}card)?|ssn|sin\b|national{_S}insurance"
    rf"(?={_S}(?:{NUMBER_WORD}))|ni{_S}(?=number)|nino\b|nhs(?={_S}(?:{NUMBER_WORD}))"
    r"|aadh?aa?r(?: card)?|pan\b(?: card)?"
    rf"|tax(?:payer)?{_S}(?:(?:payer{_S})?id(?:entification)?|file|reference|(?={NUMBER_WORD}))"
    rf"|(?:tin|itin|tfn|utr|nie|nif|nin|nss|ppsn?|rg|bvn)\b"
    r"|rfc\b(?=.{0,12}[a-z]{3,4}\d{6})"
    r"|dni\b|curp\b|cpf\b|nric\b|hkid\b|pesel\b|bsn\b"
    rf"|medicare|medicaid|(?:health|medical){_S}(?:insurance|card)(?:{_S}(?:card|id))?"
    rf"|(?:national|government|citizen|resident|voter|personal){_S}(?:health{_S})?"
    rf"(?:id(?:entity|entification)?\b|(?=(?:{NUMBER_WORD})))"
    r"|steuer-?(?:id\b|identifikations|(?=nummer))|idnr\b|(?:sozial|renten)versicherungs"
    r"|(?:kranken)?versicher(?:ungs|ten)(?=-?nummer)|s[ée]cu(?:rit[ée] sociale)?\b|num[ée]ro fiscal"
    r"|seguridad social|c[óo]digo fiscal|codice fiscale|tessera sanitaria|seguran[çc]a social"
    r"|burgerservice|person(?=nummer)|f[øo]dsels(?=nummer)|henkil[öo]tunnus|cpr(?=[- ]?n)"
    r"|инн\b|снилс|マイナンバー|個人番号|주민(?:등록)?(?=번호)"
    r"|社保(?:卡|账|帐|个人)?(?=[号账帐编])|社保(?=账|电脑号)|社会(?:保障|保险)(?:卡|账|帐)?(?=[号编])"
    r"|(?:医保|醫保|公积金)(?:卡|账|帐|个人)?(?=[号账编號])"
    r"|(?:(?<=我的)|(?<=个人)|(?<=個人))(?:纳税人识别|纳税识别|税|稅)(?=[号號])|(?<![可格认验保见查凭求公论驗認見憑])[证證]件?(?=[号號]|编号)"
)
_PAPERS = (
    rf"pass{_S}ports?(?:{_S}(?:book|card))?|(?:drivers?['’]?s?|driving){_S}"
    rf"(?:licen[cs]e|permit)|\bdl(?={_S}(?:{NUMBER_WORD}))|(?:residen(?:ce|cy|t)|work){_S}"
    rf"(?:permit|card)|green{_S}card|(?:alien{_S}(?:registration)?|visa)(?={_S}(?:{NUMBER_WORD}))"
    rf"|(?:national{_S})?id(?:entity|entification)?{_S}cards?|identity{_S}document"
    r"|(?:reise|personal)?(?:ausweis|pass(?=-?nummer))|reisepass|f[üu]hrerschein|passeport"
    r"|carte (?:nationale )?d['’]identit[ée]|carte vitale|permis de conduire|pasaporte"
    r"|(?:licencia|carn[ée]t?|permiso) de conducir|c[ée]dula|carnet de identidad|passaporto"
    r"|carta d['’]identit[àa]|patente di guida|passaporte|(?:bilhete|cart[ãa]o) de "
    r"(?:identidade|cidad[ãa]o)|carta de condu[çc][ãa]o|paspoort|rijbewijs|identiteitskaart"
    r"|paszport|dow[óo]d osobisty|prawo jazdy|паспорт\w{0,2}|パスポート"
    r"|運転免許証?|在留カード|여권|운전면허"
    r"|身份证件?|身分證|居民身份证|护照|護照|驾驶?证|驾照|駕照|駕駛執照|"
    r"(?:港澳(?:居民)?(?:来往内地|來往內地)?|往来港澳|台湾|赴台|大陆)?通行[证證]|回乡[证證]|回鄉證|台胞证"
    r"|居住证|居留(?:证|许可)|军官证|士兵证|社保卡|医保卡|社会保障卡|签证(?=号)|户口[本簿]"
)
_BANKS = (
    rf"iban|(?:bank|checking|savings?|giro|current){_S}account|account(?={_S}(?:{NUMBER_WORD}))"
    r"|konto(?=-?nummer|nr)|(?:num[ée]ro de )?compte bancaire|cuenta bancaria|conto corrente"
    r"|银行(?:账|帐)[号户]|(?:收款|对公|打款|转账|汇款)(?:账|帐)[号户]|銀行[賬帳][號户戶]|口座(?=番号)|계좌(?=번호)"
)
_CARDS = (
    rf"(?:(?:credit|debit|bank|payment|visa|atm|prepaid|gift){_S}cards?|\bcard(?={_S}"
    rf"(?:{NUMBER_WORD}))|visa|master{_S}card|amex|american express|maestro|unionpay|discover)"
    r"|(?:kredit|bank|ec-?|debit|giro)?karten?(?=-?nummer)|kredit-?karte|girocard"
    r"|carte (?:bancaire|bleue|de cr[ée]dit)|tarjeta(?: de (?:cr[ée]dito|d[ée]bito))?"
    r"|carta di (?:credito|debito)|cart[ãa]o de (?:cr[ée]dito|d[ée]bito)|creditcard|pinpas"
    r"|(?:银行|信用|储蓄|借记|贷记|工资|建行|工行|农行|中行|招行|交行|邮储)卡|卡(?=号)|銀行卡|信用卡|卡(?=號)"
    r"|クレジットカード|カード(?=番号)|신용카드|카드(?=번호)"
)
_CODES = (
    rf"(?:pick(?:ed|ing)?{_S}up|pickup|collect(?:ion)?|deliver(?:y|ing)|parcel|package|locker"
    rf"|redeem|redemption|activation|unlock(?:ing)?|check{_S}in|entry|entrance|gate|door|garage"
    rf"|alarm|invit(?:e|ation)|pairing|rescue|reset|claim|voucher|gift{_S}card|authenticat\w{{2,4}}"
    rf"|authori[sz]ation|security|verif(?:y|ication)|validation|login|sign{_S}in|access"
    rf"|one{_S}time|sms|2fa|mfa){_S}(?:codes?|pins?)\b|otps?\b|\bpuk\b|tan\b"
    r"|(?:abhol|best[äa]tigungs|sicherheits|zugangs|best[äa]tigung|freischalt|einmal|t[üu]r)-?"
    r"(?:code|nummer|pin)"
    r"|code (?:de (?:retrait|v[ée]rification|validation|s[ée]curit[ée]|confirmation"
    r"|la porte)|d['’]acc[èe]s|secret)|c[óo]digo (?:de )?(?:verificaci[óo]n|verifica[çc][ãa]o"
    r"|seguridad|seguran[çc]a|recogida|acceso|acesso|levantamento|retirada)"
    r"|codice (?:di |d['’])?(?:verifica|ritiro|sicurezza|accesso)"
    r"|kod (?:odbioru|weryfikacyjny|dost[ęe]pu)"
    r"|(?:verificatie|ophaal|afhaal|toegangs|beveiligings)code"
    r"|код (?:подтверждения|доступа|получения)"
    r"|認証コード|確認コード|認証番号|인증\s?(?:번호|코드)"
    r"|(?:取[件货餐票貨衣车包]|提[货取車貨车]|收[货件]|自提|验证|驗證|校验|动态|動態|安全|兑换|兌換|激活|核销|邀请"
    r"|开[门锁箱柜]|门禁|解锁|登[录陆錄]|短信|确认|入住|券|付款|支付|寄件|存[包件]|储物|寄存|柜门|备用|恢复"
    r"|配对|授权|入园|入场|检票|签收|取样)[码碼](?![头表住字])|(?:取件|提货|取货|自提)号"
)

_CAPITALS = frozenset(
    "sin pan tan tin itin tfn utr nie nif nin nss rfc pps ppsn rg bvn".split()  # noqa: SIM905 - reads better
)
"""Abbreviations that are words too, unless in capitals."""

_CJK = "".join(sorted(set(re.findall(r"[぀-힣]", _CODES + _NUMBERS + _PAPERS + _BANKS + _CARDS))))
_NAME = re.compile(
    rf"(?:(?<![^\W\d_぀-힣])(?=[^\W\d_぀-힣])|(?=[{_CJK}]))(?:"
    rf"(?P<code>{_CODES})|(?P<number>{_NUMBERS})|(?P<paper>{_PAPERS})|(?P<card>{_CARDS})"
    rf"|(?P<bank>{_BANKS})|(?P<idnumber>(?:(?<![\w ])|(?<=[.,:;!?] )|(?<=my )|(?<=your )|(?<=his )"
    rf"|(?<=her )|(?<=our )|(?<=their )|(?<=the ))id(?={_S}(?:{NUMBER_WORD})"
    r"|[^\w\n]{1,3}(?:is\s)?\d{6}(?:19|20)\d\d[01]\d[0-3]\d{4}[\dx](?!\w))))"
)


def names(text: str) -> Iterator[re.Match[str]]:
    """Names of papers, cards, accounts and codes in a text; `lastgroup` says which.

    The text is searched in lower case, since ignoring case costs a multiple; offsets are those
    of `text`.
    """
    low = text.replace("İ", "i").lower()
    for match in _NAME.finditer(low):
        if match[0] not in _CAPITALS or text[match.start() : match.end()].isupper():
            yield match


OTHER_THING = re.compile(
    r"order|flight|train|room|seat|invoice|ticket|booking|tracking|parcel|phone|mobile|tel\b|fax"
    r"|version|model|serial|isbn|imei|page|plate|product|sku|\bpart\b|item|batch|\blot\b|ref\b"
    r"|reference|customer|member|employee|student|commit|price|cost|fee|bestell|telefon|rechnung"
    r"|commande|pedido|facture|factura"
    r"|订单|訂單|单号|單號|航班|车次|房间|房号|座位|车厢|发票|工单|电话|手机|热线|版本|型号|货号|件号|批号|车牌|运单|快递单"
    r"|流水|会员|学号|工号|价|费|第\s?\d|页",
    re.I,
)
"""Other things with a number: what follows them is theirs, not the paper's."""
