"""Western names and pinyin: told by lists of given names, and by titles, kin and greetings."""

import re
from collections.abc import Iterator
from functools import cache

from slowwave.privacy.kinds import Found
from slowwave.privacy.names import english, is_word
from slowwave.privacy.terms import word_set
from slowwave.text.stopwords import ENGLISH

__all__ = ["find_western"]

_W = (
    r"[A-ZÀ-Þ](?:[a-zÀ-ɏ]{1,24}|(?='[A-ZÀ-Þ]))"
    r"(?:['-][A-ZÀ-Þ]?[a-zÀ-ɏ]{1,24}|[A-ZÀ-Þ][a-zÀ-ɏ]{1,24}){0,3}(?![a-zÀ-ɏ])"
)
"""A word with a capital; each part begins with what no other part holds, so that it is linear."""
_PARTICLE = r"(?:(?:de|van|von|der|den|del|da|dos|la|le|bin|ibn|al|el|ter|di|du)\s){0,2}"
_CAPITALISED = re.compile(
    rf"(?<![A-Za-zÀ-ɏ0-9_@#/.\\-])(?:{_W}|[A-Z]\.)(?:[ ]{_PARTICLE}(?:{_W}|[A-Z]\.(?=\s[A-Z])"
    rf"|[A-ZÀ-Þ]'[A-Z][a-z]+)){{0,3}}(?![A-Za-z0-9_@])",
    re.A,
)
_ALL_CAPS = re.compile(
    r"(?<![A-Za-z0-9_-])[A-ZÀ-Þ]{2,16}(?:[ ][A-Z]\.?)?(?:[ ][A-ZÀ-Þ]{2,16}){1,2}(?![A-Za-z0-9_-])",
    re.A,
)
_ONE = rf"(?P<name>{_PARTICLE}{_W}(?:\s(?:[A-Z]\.\s)?{_PARTICLE}{_W}){{0,2}})"
_TITLES = re.compile(
    rf"(?<![A-Za-z])(?:Mr|Mrs|Ms|Mx|Dr|Dr\.? med|Prof|Prof\.? Dr|Rev|Capt|Sgt|Lt|Col|Gen|Hon"
    rf"|Sr|Sra|Mme"
    rf"|Mlle)\b\.?\s(?:[A-Z]\.?\s?){{0,2}}{_ONE}"
    rf"|(?<![A-Za-z])(?:Miss|Madam|Professor|Doctor|Judge|Officer|Captain|Coach|Pastor|Father"
    rf"|Sister|Nurse|Auntie?|Uncle|Grandma|Grandpa|Cousin|Herr|Frau"
    rf"|Monsieur|Madame|Señora?|Signora?|Signor|Senhora?|Don|Doña|Sir|Lady|Lord|Inspector"
    rf"|Detective|Sergeant)\s(?P<called>{_W}(?:\s{_W})?)",
    re.A,
)
_KIN_WORDS = (
    r"wife|husband|spouse|fianc[eé]e?|partner|girlfriend|boyfriend|ex|ex-wife|ex-husband|son"
    r"|daughter|kid|child|baby|mother|mom|mum|father|dad"
    r"|brother|sister|twin|sibling|grandmother|grandma|grandfather|grandpa|aunt|uncle|cousin"
    r"|niece|nephew|friend|bestie|buddy|colleague"
    r"|coworker|co-worker|teammate|boss|manager|supervisor|ceo|cto|cfo|founder|co-founder"
    r"|assistant|intern|mentor|client|customer|tenant|landlord|landlady"
    r"|roommate|flatmate|housemate|neighbou?r|doctor|dentist|gp|therapist|psychiatrist"
    r"|surgeon|nurse|midwife|vet|lawyer|attorney|solicitor|accountant"
    r"|teacher|tutor|professor|coach|trainer|nanny|babysitter|hairdresser|recruiter|agent"
    r"|contractor|plumber|electrician|mechanic|stepson|stepdaughter"
    r"|stepfather|stepmother|mother-in-law|father-in-law|brother-in-law|sister-in-law|godson"
    r"|goddaughter|patient|student|candidate|employee|driver|chef|guy"
)
_KIN = re.compile(
    rf"\b(?i:my|his|her|our|their|your|the|a|an|one|old|new|best|close|dear|former|late|ex"
    rf"|\w+'s)\s(?i:(?:\w{{2,12}}\s){{0,2}}?(?:{_KIN_WORDS}))s?"
    rf"(?:\s(?i:is|was|named|called|is called|is named|name is|whose name is)|'s name is|,|:"
    rf"|\s\()?\s?(?P<name>(?:{_W}|[a-z]{{3,14}})(?:\s(?:{_W}))?)(?![A-Za-z])",
    re.A,
)
_BEFORE_KIN = re.compile(
    rf"(?<![A-Za-z])(?P<name>{_W}(?:\s{_W})?)\s?(?:,|\(|is|was)\s?(?i:my|his|her|our"
    rf"|their)\s(?:\w{{2,12}}\s){{0,2}}?(?i:{_KIN_WORDS})\b",
    re.A,
)
_INTRODUCED = re.compile(
    rf"(?i:\b(?:maiden|last|first|family|middle) name|\bsurname|\bname(?:'s|\sis|\swas)"
    rf"|\bnamed|\bcalled|\bcall me|\bknown as|\bI am called"
    rf"|\bsigned by|\battn:?|\bc/o|\battention:|\bsincerely,|\bregards,|\bcheers,"
    rf"|\bbest wishes,|\byours,|\bthanks,|\bthank you,|\blove,|\bxoxo,?|\bdear|\bhi|\bhello"
    rf"|\bhey|\bmorning,?|\bmarried|\bdating|\bmet with|\blunch with|\bdinner with"
    rf"|\bcoffee with|\bdivorced|\btexted|\bphoned|\bhugged|\bbabysit"
    rf"|\bvisit(?:ed)? (?=\w+ in hospital)|\bcc:?|\bfrom:|\bto:|\bsender:|\brecipient:"
    rf"|\bcontact:|\bassignee:"
    rf"|\breporter:|\breviewer:|\bauthor:|\bowner:|\bpatient:|\bpassenger:|\bcustomer:"
    rf"|\bemployee:|\bhost:|\bguest:|\bguests:|\battendees:|\bparticipants:|\bspouse:"
    rf"|\bparent:)"
    rf"\s{{1,2}}(?P<name>{_W}(?:\s(?:[A-Z]\.\s)?{_PARTICLE}{_W}){{0,2}})(?![A-Za-z0-9])",
    re.A,
)
_ROLE = re.compile(
    rf"\b(?i:guest|passenger|attendee|witness|applicant|beneficiary|payee|recipient|tenant"
    rf"|holder|member|traveller|traveler|next of kin|emergency contact|signed|by|with|and"
    rf"|invoice|pay|ring)s?\b[:,]?\s(?P<name>{_W}\s{_W})(?=[,.;)\n]|$)"
    rf"|\b(?i:ask|tell|remind|thank|invite|text|asked|told|reminded|thanked"
    rf"|invited)\s(?P<one>{_W})(?=\s(?:whether|if|to|about|that|when|and|for|he|she|they|I"
    rf"|we)\b|[,.;!?]|$)",
    re.A,
)
_BESIDE = re.compile(
    rf"(?<![A-Za-z.])(?P<name>{_W}(?:\s{_W})?)(?=\sand (?:me|I(?!['’])|my wife|my husband)\b)"
    rf"|\b(?:me|I) and (?P<other>{_W})(?![A-Za-z])",
    re.A,
)
_FIELD = re.compile(
    r"[\"'](?:full_?name|first_?name|last_?name|sur_?name|given_?name|family_?name"
    r"|display_?name|contact(?:_?name)?|patient(?:_?name)?|customer(?:_?name)?"
    r"|passenger(?:_?name)?"
    r"|recipient(?:_?name)?|sender(?:_?name)?|owner(?:_?name)?|author(?:_?name)?"
    r"|employee(?:_?name)?|assignee|reporter|speaker|holder|card_?holder|account_?holder"
    r"|real_?name|realName"
    r"|spouse|husband|wife|emergency_?contact|姓名|联系人|收件人|患者"
    r"|户名)[\"']\s?:\s?[\"'](?P<value>[^\"'\n@]{2,40})[\"']"
    r"|[\"']name[\"']\s?:\s?[\"'](?P<plain>(?:\\u[0-9a-fA-F]{4}){2,4}"
    r"|[A-Z][a-z]+(?:\s[A-Z]\.)?\s[A-Z][a-z]+)[\"']",
    re.I | re.A,
)
_FAMILY_PINYIN = word_set(
    "wang li zhang liu chen yang zhao huang zhou wu xu sun hu zhu gao lin he guo ma luo liang "
    "song zheng xie han tang feng yu dong xiao cheng cao yuan deng fu shen zeng peng lu lyu "
    "su "
    "jiang cai jia ding wei xue ye yan pan du dai xia zhong tian ren fan fang shi yao tan "
    "liao zou xiong jin hao kong bai cui kang mao qiu qin gu hou shao meng long wan duan lei "
    "qian yin "
    "chang qiao lai gong ouyang sima wen pang shang lan hong zhai ni niu ji zhuge kim park "
    "lee choi chan wong cheung lau ng kwok ho lam leung chow tsai hsu nguyen tran pham"
)
_PINYIN = re.compile(
    r"(?:(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])?(?:iang|iong|uang|ang|eng|ing|ong|ian|iao|uai"
    r"|uan|ai|an|ao|ei|en|er|ia|ie|in|iu|ou|ua|ue|ui|un|uo|a|e|i|o|u|v))(?:['-]?(?:(?:zh|ch|sh"
    r"|[bpmfdtnlgkhjqxrzcsyw])(?:iang|iong|uang|ang|eng|ing|ong|ian|iao|uai|uan|ai|an|ao|ei"
    r"|en|er|ia|ie|in|iu|ou|ua|ue|ui|un|uo|a|e|i|o|u|v))){0,1}",
    re.A,
)
_NO_NAMES = word_set(
    "the a an and but or so if when while then this that these those there here what why how "
    "who where yes no ok okay hi hello hey thanks thank please sorry dear yeah yep yup nope "
    "wow haha lol cool nice awesome sure absolutely totally true right exactly congrats "
    "congratulations welcome really amazing thx cheers well oh ah hmm there everyone again "
    "both guys friends folks sweetheart honey darling babe bro buddy customer user admin "
    "support also just let let's i i'm i'll "
    "we you he she they it my your his her our their monday tuesday wednesday thursday friday "
    "saturday sunday january february march april june july august september october november "
    "december "
    "today tomorrow yesterday everyone everybody all team folks guys sir madam mom mum dad "
    "grandma grandpa santa christmas easter english chinese french german spanish american "
    "british google "
    "apple microsoft amazon meta github python java docker linux windows street road avenue "
    "university college school hospital bank company inc ltd llc corp office department city "
    "park "
    "hotel airport station north south east west new old great good best happy merry note "
    "error warning info debug todo is was are be not never always after before since because "
    "about with from to at in on by for mr mrs ms mx dr prof rev"
)
_NO_FAMILY = word_set(
    "street road avenue university college school hospital bank inc ltd llc corp office city "
    "park hotel airport station day river lake bridge island award prize effect theorem law "
    "method "
    "model test center centre foundation institute group studio cloud api sdk app pro max "
    "mini plus code reduce lab labs airlines motors"
)


_TICKET = re.compile(
    r"(?<![A-Za-z/])([A-Z]{2,14})/[A-Z]{2,16}(?:\s?[A-Z]{2,12})?(?:\sM(?:R|S|RS"
    r"|STR))?(?![A-Za-z/])",
    re.A,
)
"""As airlines write it: ROSSI/ELENA MS."""


_SIGNED = re.compile(
    r"(?:^|\n)[ \t]*(?i:(?:kind |best |warm(?:est)? |many )?(?:regards|wishes|thanks)|best"
    r"|cheers|warmly|all the best"
    r"|yours(?: truly| sincerely| faithfully)?|sincerely|love|xo+|hugs|take care|talk soon"
    r"|thank you|thx|ta"
    r"|mit freundlichen grüßen|viele grüße|liebe grüße|lg|vg|cordialement|bises|bien à vous|saludos"
    r"|un abrazo|abraços|ciao|cordiali saluti|groetjes|med vänlig hälsning"
    r"|mvh)[ ,!.]{0,2}[ \t]*\n{1,3}[ \t]*"
    r"(?P<name>(?:[A-Z]\.\s?){0,3}[A-Za-zÀ-ɏ][\wÀ-ɏ'’-]{1,20}(?:[ ](?:[A-Z]\."
    r"|[A-ZÀ-Þ][\wÀ-ɏ'’-]{1,20})){0,3})(?=[ \t]*(?:\n|$|[|,(/]))"
    r"|(?:\n|[.!?…]\s)[ \t]*[-–—~][ \t]?(?P<dashed>[A-ZÀ-Þ][a-zÀ-ɏ'’-]{1,20}(?:[ ][A-Z"
    r"À-Þ][a-zÀ-ɏ'’-]{0,20})?)[ \t]*$"
)
"""The name below the last words of a letter."""


_HONORED = re.compile(
    r"(?<![A-Za-z-])(?P<name>[A-Z][a-z]{1,20})(?=-(?:san|sama|kun|chan|sensei|senpai|ssi|nim"
    r"|ji)\b)",
    re.A,
)


def find_western(text: str) -> Iterator[Found]:
    """Western and pinyin names of people in a text."""
    for pattern in (_TITLES, _INTRODUCED, _BEFORE_KIN, _KIN, _ROLE, _BESIDE):
        for match in pattern.finditer(text):
            group = match.lastgroup or "name"
            if pattern is _ROLE and all(is_word(word.lower()) for word in match[group].split()):
                continue
            span = _names_only(text, *match.span(group), sure=pattern in (_TITLES, _INTRODUCED))
            if span is not None:
                yield Found(*span, "PERSON")
    for match in _FIELD.finditer(text):
        yield Found(*match.span(match.lastgroup or 0), "PERSON")
    yield from (Found(*match.span("name"), "PERSON") for match in _HONORED.finditer(text))
    for match in _SIGNED.finditer(text):
        yield Found(*match.span(match.lastgroup or 0), "PERSON")
    for match in _TICKET.finditer(text):
        low = match[1].lower()
        if low in _FAMILY_PINYIN or low in english()["family"]:
            yield Found(*match.span(), "PERSON")
    for match in (*_CAPITALISED.finditer(text), *_ALL_CAPS.finditer(text)):
        yield from _listed(match)


def _names_only(text: str, start: int, end: int, *, sure: bool) -> tuple[int, int] | None:
    """The leading words that can be a name; without `sure`, a small first letter needs the list."""
    words = list(re.finditer(r"\S+", text[start:end]))
    lists = english()
    kept = 0
    for word in words:
        low = word[0].strip(".,'").lower()
        particle = low in (
            "de",
            "van",
            "von",
            "der",
            "den",
            "del",
            "da",
            "la",
            "di",
            "bin",
            "al",
            "el",
        )
        low = low.removesuffix("'s")
        if (low in _NO_NAMES or low in ENGLISH) and not particle:
            break
        if not word[0][0].isupper() and not particle and (sure or low not in lists["given"]):
            break
        kept = word.end() - (2 if word[0].endswith("'s") else 0)
    return (start, start + kept) if kept else None


def _listed(match: re.Match[str]) -> Iterator[Found]:
    """Names among capitalised words: a known given name and what follows it."""
    words = list(re.finditer(r"\S+", match[0]))
    lows = [word[0].strip(".,").removesuffix("'s").lower() for word in words]
    at = 0
    while at < len(words):
        size = _name_size(lows, at) or _single(match, words, lows, at)
        if size:
            start, end = words[at].start(), words[at + size - 1].end()
            value = match[0][start:end]
            end -= 2 if value.endswith("'s") else 0
            yield Found(match.start() + start, match.start() + end, "PERSON")
        at += max(size, 1)


_STARTS = re.compile(r"(?:^|[.!?:;\n。！？：；\"“(\[*>-])\s*$", re.A)
_ACTS = re.compile(
    r"\s(?:said|says|told|asked|wants|wanted|thinks|called|texted|came|went|likes|loves|works"
    r"|lives|sent|joined|invited|promised|agreed|wrote|replied|mentioned|suggested"
    r"|and I|just told|just said|is coming|is sick|is going|was born|got married|moved to)\b",
    re.A,
)


def _single(match: re.Match[str], words: list[re.Match[str]], lows: list[str], at: int) -> int:
    """1 for a name that is a word as well, and not here: capital in mid-sentence, or it acts."""
    lists = english()
    known = lows[at] in lists["words"]
    if not known and lows[at] not in lists["things"]:
        return 0
    text = match.string
    if _ACTS.match(text, match.start() + words[at].end()):
        return 1
    start = match.start() + words[at].start()
    begins = at == 0 and bool(_STARTS.search(text, max(0, start - 3), start))
    inner = at > 0 and lows[at - 1] not in _NO_NAMES
    return int(known and not begins and not inner and text[start : start + 2].istitle())


@cache
def _all_given() -> frozenset[str]:
    return english()["given"]


def _name_size(lows: list[str], at: int) -> int:
    """How many of the words from `at` on are one person's name; 0 when they are none."""
    word, rest = lows[at], lows[at + 1 :]
    family = 0
    for other in rest[:3]:
        if other in _NO_NAMES or other in _NO_FAMILY:
            break
        family += 1
    follows = rest[0] if family else ""
    if word in _all_given() or word.partition("-")[0] in _twofold(word):
        return 1 + family
    if word in english()["words"] or word in english()["things"]:
        known = follows in english()["family"] or (len(follows) == 1)
        return 1 + family if known else 0
    if family and _is_pinyin_name(word, follows):
        return 2
    if family and word not in _NO_NAMES and follows in english()["family"] and len(lows) <= 3:
        return 2
    return 0


def _twofold(word: str) -> frozenset[str]:
    """The names that the first half of a double name can be; none for a word without a hyphen."""
    lists = english()
    return (
        lists["given"] | lists["words"] | lists["things"]
        if word.count("-") == 1 and word.rpartition("-")[2] in _all_given()
        else frozenset()
    )


def _is_pinyin_name(first: str, second: str) -> bool:
    for family, given in ((first, second), (second, first)):
        if family in _FAMILY_PINYIN and _PINYIN.fullmatch(given) and len(given) >= 2:
            return True
    return False
