"""Names that no list holds: words with a capital that are no word of the language, and small names.

Two such words in a row are somebody more often than anything else; one is, where somebody is
spoken to or does something. A given name needs no capital where people write without any.
"""

import re
from collections.abc import Iterator

from slowwave.privacy.kinds import Found
from slowwave.privacy.names import english, is_place, is_word
from slowwave.privacy.terms import word_set
from slowwave.text.stopwords import ENGLISH

__all__ = ["find_unknown"]

_C = r"[A-ZÀ-Þ](?:['’][A-ZÀ-Þ])?[a-zÀ-ɏ]{1,20}(?:[-'’][A-ZÀ-Þ][a-zÀ-ɏ]{1,20})?(?![A-Za-zÀ-ɏ0-9_])"
"""A word with a capital, or two joined; no CamelCase, which things are written in."""
_PARTICLE = r"(?:(?:de|van|von|der|den|del|da|dos|la|le|bin|ibn|al|el|ter|di|du|af|zu|ap|ní|ó)\s)?"
_PAIR = re.compile(
    rf"(?<![A-Za-zÀ-ɏ0-9_@#/.\\$-])(?P<one>{_C})\s(?:[A-Z]\.?\s)?{_PARTICLE}(?P<two>{_C})"
    rf"(?:\s{_PARTICLE}{_C})?(?![\w@(/]|\.\w)"
)
_TURNED = re.compile(
    rf"(?<![A-Za-zÀ-ɏ0-9_@#/.-])(?P<one>{_C}),\s(?P<two>{_C})(?=\s?[\"<;|)(\t\n]|\s[A-Z]\.|$)"
)
"""Family name first, as address books write it."""
_ADDRESSED = re.compile(
    r"\b(?i:ask|asked|asking|tell|told|telling|met|meet|meeting|call|called|calling|text|texted"
    r"|invite|invited|thank|thanked|remind|reminded|email|emailed|ping|pinged|dm|dmed|message"
    r"|messaged|cc|visit|visited|miss|missed|married|marry|hug|hire|hired|fire|fired|introduce"
    r"|introduced|marrying|dating|pick up|picked up|babysit|for|with|from|to|by|and|than|owes|owe"
    r"|love|loves|hate|hates|about|without|like|near|beside|behind|that|because|when|if|says|said)\s"
    rf"(?P<name>{_C})(?P<after>(?:'s|’s)?\s?\S{{0,12}})"
)
_SURE = re.compile(
    r"(?i:ask|tell|told|meet|met|text|invite|thank|remind|email|ping|dm|messag|marr|hug|dat|pick"
    r"|babysit|owe|introduc|visit|miss|hire|fire|call)"
)
_DOES = re.compile(
    rf"(?<![A-Za-zÀ-ɏ0-9_@#/.\\$-])(?P<name>{_C})(?:\s(?i:just|also|still|already|then|never"
    r"|always|really|finally|probably))?\s(?i:said|says|told|tells|asked|asks|wants|wanted|thinks"
    r"|thought|called|calls|texted|texts|came|comes|went|goes|likes|loves|hates|works|worked|lives"
    r"|lived|sent|joined|invited|promised|agreed|wrote|replied|mentioned|suggested|cried|laughed"
    r"|smiled|slept|woke|felt|feels|knows|knew|hopes|hoped|forgot|remembers|moved to|got married"
    r"|got divorced|was born|passed away|died|turned \d|turns \d|is coming|is going|is sick"
    r"|has (?:a|the) (?:cold|flu|fever|baby|appointment)|picked up|dropped off|brought|gave me"
    r"|gave us|owes|hugged|kissed|quit|resigned|retired|graduated|phoned|emailed|messaged|pinged"
    r"|apologi[sz]ed|complained|insisted|offered|refused|and I(?!['’])|and me|& I(?!['’]))\b"
)
_OWNS = re.compile(
    rf"(?<![A-Za-zÀ-ɏ0-9_@#/.\\$-])(?P<name>{_C}(?:\s{_C})?)['’]s\s(?i:(?:new|old|first|last|next"
    r"|own|little|big|late)\s)?(?i:birthday|wife|husband|mum|mom|mother|dad|father|son|daughter"
    r"|kids?|children|brother|sister|house|flat|apartment|car|phone|number|email|address|wedding"
    r"|funeral|party|surgery|diagnosis|job|boss|salary|desk|room|place|dog|cat|passport|visa"
    r"|review|probation|contract|holiday|flight|laptop|bag|bike|school|teacher|doctor|partner"
    r"|girlfriend|boyfriend|friend|family|parents|grandma|grandmother|grandfather|uncle|aunt"
    r"|cousin|face|voice|hand|leg|arm|knee|heart|medication|therapist|lawyer|landlord|resume|cv)\b"
)
_DEVICE = re.compile(
    r"(?<![A-Za-z0-9])(?P<name>[A-Z][a-z]{2,15}(?:['’]?s)?)[-_ ](?:iPhone|iPad|iMac|MacBook|Mac|"
    r"AirPods|Laptop|Galaxy|Pixel|Phone|PC|Watch|Tablet|Echo|Kindle|Desktop|NAS|TV)\b"
    r"|(?<![A-Za-z0-9])(?:iPhone|iPad|MacBook|AirPods|Apple Watch) (?:von|de|di|van) "
    r"(?P<of>[A-Z][a-z]{2,15})"
    r"|(?<![A-Za-z0-9])(?P<low>[A-Za-z]{3,15})[-_](?i:mbp|mba|macbook|laptop|desktop|pc|iphone|ipad|phone|imac|thinkpad)(?![A-Za-z0-9])"
    r"|(?<![A-Za-z0-9])(?:DESKTOP|LAPTOP|PC|MACBOOK)-(?P<host>[A-Z]{3,15})(?![A-Z0-9-])"
)
_AGED = re.compile(rf"(?<![\w.])(?P<name>{_C})\s?\((?:aged?\s)?\d{{1,2}}\)")
_INITIAL = re.compile(rf"(?<![\w.&])(?P<name>(?:[A-Z]\.\s?){{1,3}}{_C})(?![\w(])")
_FILED = re.compile(
    r"(?<![A-Za-z0-9])(?P<one>[A-Z][a-z]{2,15})[_-](?P<two>[A-Z][a-z]{2,15})(?=[_.-]|\b)"
)
"""Names in the names of files."""
_MANY = re.compile(
    r"\b(?i:kids|children|boys|girls|twins|triplets|sons|daughters|brothers|sisters|cousins|nephews|nieces|parents"
    r"|grandparents|grandkids|friends|colleagues|roommates|flatmates|housemates|neighbou?rs|godparents)"
    rf"(?:'\snames)?(?:,|:|\sare|\swere|\scalled|\snamed|\sis)?\s(?P<names>{_C}(?:(?:,\s|,?\sand\s|\s&\s){_C}){{1,5}})"
)
"""Several people at once, by their first names."""
_DISPLAYED = re.compile(
    r"(?:^|[\n\"'>:,;(]|\b(?:On \w+|at \d\d:\d\d|AM"
    r"|PM)\b,?)\s{0,3}[\"']?(?P<name>[^\W\d_][\w.'’-]{1,24}"
    r"(?:[ ,]{1,2}[^\W\d_][\w.'’-]{0,24}){0,3})[\"']?\s{0,2}[<(\[]\s?[^\s<>@()]{1,6"
    r"4}@[^\s<>()]{1,80}[>)\]]"
)
"""The name before a mail address in brackets."""
_NO_DISPLAY = word_set(
    "on at from to cc bcc mail email via by date sent reply contact write support"
)
_CHATTED = re.compile(
    r"(?:^|(?<=[\s,.!?(]))(?i:ask|tell|told|asked|text|texted|met|hey|hi|yo|dear|miss|dating|dm|ping"
    r"|w/|number off|hugged|thank|invite|invited|love u"
    r"|luv u)\s(?P<name>[a-zà-ɏ]{3,14})(?![\w(./:@-])"
)
_SMALL = re.compile(
    r"(?<![A-Za-zÀ-ɏ0-9_@#/.\\$:=<>&%'’-])[a-zà-ɏ]{3,15}(?![A-Za-zÀ-ɏ0-9_(=/\\@-]|\.\w|:/)"
)
_BESIDE_SMALL = re.compile(
    r"\b(?:ask|asked|tell|told|with|met|meet|call|called|text|texted|from|and|n|hi|hey|thx|thanks"
    r"|dear|love|miss|for|to|by|is|im|i'm|am|named|cc|ping|dm|my (?:friend|bf|gf|bro|sis|boss|son))"
    r"\s$|(?:^|[\n,.!?] ?)$",
    re.I,
)
_ACTS_SMALL = re.compile(
    r"\s(?:said|says|told|asked|wants|thinks|called|texted|came|went|likes|loves|works|lives|sent"
    r"|is|was|has|had|will|did|does|got|just|also|r|and|n|can|could|should|needs|gave|owes)\b|'s\s",
    re.I,
)
_ACTING = re.compile(
    r"(?:(?<![A-Za-zÀ-ɏ0-9'’;] )(?<![\wÀ-ɏ@#/.$'’-])|\b(?i:if|when|that|cause|because|cuz|coz"
    r"|and|but"
    r"|so|or|hope|think|know|since|while|until|till)\s)"
    rf"(?P<name>[a-zà-ɏ]{{4,14}}|{_C})\s(?:can|could|will|would|won't|can't|isn't|wasn't|didn't|doesn't|has|had|says|said|wants"
    r"|needs|needed|got|gets|comes|came|goes|went|thinks|knows|bailed|called|texted|left|cancelled|canceled|broke|bought|sold"
    r"|lost|found|forgot|met|moved|married|quit|owes|might|should|never|always|just|still|already|finally|again|too)\b"
)
"""Somebody who does something: a word that is none, with or without a capital."""
_ANY = re.compile(
    r"(?<![\w-])(?:likes|loves|hates|misses|dating|dates|kissed|dumped|saw|met|married|knows|n|&|w/|with|and)\s"
    r"(?P<name>[a-zà-ɏ]{4,14})(?=\s(?:tbh|lol|tho|now|again|too|today|tonight|tmrw|tomorrow|yesterday|last|next|at|on|in"
    r"|is|are|was|were|has|had|and|n|for|about|from)\b|[.,!?)]|$|\n)"
)
"""In a text of plain English, a word that is none, beside somebody."""
_OWNING = re.compile(r"(?<![A-Za-zÀ-ɏ0-9_@#/.$-])(?P<name>[a-zà-ɏ]{3,14})['’]s(?=\s)")
"""A word with an s of possession that is none of the language, without a capital."""
_LONE = re.compile(
    rf"(?<![A-Za-zÀ-ɏ0-9_@#/.\\$<>&%=-])(?P<name>{_C})(?=[\s,.;:!?)'’\"|，。；：！？、）\u4e00-\u9fff]|$)(?!\(|\.\w|[:/]/)"
)
_TECHNICAL = re.compile(
    r"`|https?://|\(\)|\bimport\s|\bdef\s|=>|[{};]\s*\n|</|\$\s|\bversion\b|\b[a-z]+_[a-z]+\b|[a-z][A-Z]"
)
"""Where things of machines are spoken of, a lone word with a capital is one of them."""
_NO_LONE = re.compile(
    r"(?:\b(?:the|a|an|in|at|using|use|uses|used|via|on|of|your|our|this|that|to|into|install|installed|run|running"
    r"|open|like|based|called|or|than|both|every|each|any|no|some|new|old|called|between|across|near|around|visit"
    r"|visited|towards|outside|inside|through|over|from)\s|[.!?:;\n。！？：；\"“(\[*>#|`_-]\s*|^\s*)$",
    re.I,
)
"""Before places, products and first words of sentences."""
_ORDINARY = word_set(
    "api app apps url urls json yaml html css sql http https repo repos config configs admin async "
    "backend frontend dev devs prod auth docs todo todos wifi ios mac email emails login logins "
    "signup blog vlog podcast emoji selfie smartphone startup covid lol lmao omg tbh imo btw idk "
    "okay yeah yep nope hmm huh gonna wanna gotta kinda sorta dunno thanks plz thx pls hiya bye "
    "github gitlab docker kubernetes kafka redis postgres postgresql mysql sqlite mongodb linux "
    "ubuntu debian fedora windows macos android chrome firefox safari python javascript typescript "
    "java rust golang kotlin swift ruby scala perl php react vue angular svelte django flask "
    "fastapi spring node nodejs npm pnpm yarn webpack vite terraform ansible jenkins grafana "
    "prometheus nginx apache slack zoom notion figma jira confluence trello asana gmail outlook "
    "google microsoft amazon apple meta netflix spotify youtube instagram facebook twitter tiktok "
    "whatsapp telegram wechat alipay uber airbnb tesla nvidia intel openai anthropic chatgpt "
    "claude "
    "gemini llama ollama copilot vscode intellij pycharm pytorch tensorflow numpy pandas jupyter "
    "excel powerpoint photoshop lightroom obsidian evernote dropbox paypal stripe shopify "
    "salesforce "
    "hubspot zendesk twilio cloudflare vercel netlify heroku azure aws gcp bigquery snowflake "
    "databricks airflow spark hadoop elasticsearch kibana logstash rabbitmq celery graphql grpc "
    "markdown latex wikipedia reddit stackoverflow linkedin bluetooth usb hdmi ikea lego nintendo "
    "playstation xbox pokemon minecraft fortnite netease tencent alibaba baidu xiaomi huawei oppo "
    "ios ipad iphone macbook airpods imac android samsung sony lenovo dell asus logitech bosch "
    "mon tue tues wed thu thur thurs fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec "
    "congrats woah whoa wow thankfully hopefully yay aww ooh oops sup howdy welcome kudos bravo "
    "online offline laptop laptops anytime alright pandemic mindset backup deployment deployments "
    "deploy uptime downtime latency homepage logout whiteboard comfy vibes tech fave prob "
    "autocomplete workflow workflows timeline timelines website websites dockerfile flexbox "
    "monolith "
    "encrypt encrypted debounce throttle geocoding chatbot chatbots smartwatch screenshot "
    "screenshots "
    "spreadsheet spreadsheets newsletter newsletters freelancer influencer barista brunch "
    "latte espresso "
    "karaoke sudoku anime manga pilates zumba crossfit keto vegan gluten hummus tofu ramen "
    "sushi pho kimchi "
    "slowwave workspace workspaces pic pics vid vids timestamp timestamps webhook webhooks "
    "endpoint endpoints middleware localhost dropdown tooltip "
    "checkbox sidebar navbar hostname username usernames metadata namespace plugin plugins runtime "
    "refactor refactoring serverless microservice microservices devops changelog readme backlog "
    "subject fwd fw re cc bcc hello hi hey dear regards sincerely cheers mr mrs ms mx dr prof rev"
)
"""Words of these days, makers and products that the list of common words lacks."""


def find_unknown(text: str) -> Iterator[Found]:
    """Names of people that are told by not being words."""
    for match in _PAIR.finditer(text):
        if _is_pair(match["one"], match["two"]):
            yield Found(match.start(), _end(match), "PERSON")
    for match in (*_TURNED.finditer(text), *_FILED.finditer(text)):
        given, other = ("two", "one") if match.re is _TURNED else ("one", "two")
        if _given(match[given]) and (_family(match[other]) or not is_word(match[other].lower())):
            yield Found(*match.span(), "PERSON")
    for match in (*_DOES.finditer(text), *_OWNS.finditer(text)):
        if all(_unknown(word) for word in match["name"].split()):
            yield Found(*match.span("name"), "PERSON")
    for match in _DISPLAYED.finditer(text):
        yield from _displayed(match)
    yield from _told_by_form(text)
    if _is_english(text):
        yield from _alone(text)
    yield from _small(text)


def _told_by_form(text: str) -> Iterator[Found]:
    """Initials, ages and machines stand beside names."""
    for match in (*_AGED.finditer(text), *_INITIAL.finditer(text)):
        last = match["name"].split()[-1].rpartition(".")[2].lower()
        if not is_word(last) and last not in _ORDINARY:
            yield Found(*match.span("name"), "PERSON")
    for match in _MANY.finditer(text):
        for name in re.finditer(_C, match["names"]):
            if not is_word(name[0].lower()) or name[0].lower() in english()["words"]:
                start = match.start("names")
                yield Found(start + name.start(), start + name.end(), "PERSON")
    yield from _of_devices(text)


_PLAIN = re.compile(r"(?<![\wÀ-ɏ@/.-])[a-z]{2,15}(?![\wÀ-ɏ@/]|\.\w)")
_FEW, _LEAST_ENGLISH = 4, 0.6
"""Share of known words from which on an unknown one says something: other languages have capitals
and words of their own."""


def _is_english(text: str) -> bool:
    words = _PLAIN.findall(text[:4_000])
    known = sum(word in ENGLISH or word in _ORDINARY or is_word(word) for word in words)
    return len(words) < _FEW or known >= _LEAST_ENGLISH * len(words)


def _alone(text: str) -> Iterator[Found]:
    """One word that is none: somebody spoken to, an owner, or just not explained otherwise."""
    matches = [match for match in _ADDRESSED.finditer(text) if _SURE.match(match[0])]
    matches += [*_CHATTED.finditer(text), *_OWNING.finditer(text)]
    if not _TECHNICAL.search(text):
        matches += _ACTING.finditer(text)
        matches += _ANY.finditer(text)
        matches += [
            match
            for match in _LONE.finditer(text)
            if not _NO_LONE.search(text, max(0, match.start() - 14), match.start())
        ]
    for match in matches:
        if _unknown(match["name"]) and match["name"] not in english()["words"]:
            yield Found(*match.span("name"), "PERSON")


def _of_devices(text: str) -> Iterator[Found]:
    """Machines are named after whom they belong to."""
    for match in _DEVICE.finditer(text):
        group = match.lastgroup or "name"
        bare = match[group].lower().removesuffix("s").rstrip("'’")
        if not is_word(bare) and bare not in _ORDINARY:
            yield Found(*match.span(group), "PERSON")


def _displayed(match: re.Match[str]) -> Iterator[Found]:
    """The words right before an address, from the last that can be no name on."""
    words = list(re.finditer(r"[^\s,]+", match["name"]))
    first = len(words)
    while first and words[first - 1][0].lower() not in _NO_DISPLAY:
        first -= 1
    if first < len(words):
        start = match.start("name")
        yield Found(start + words[first].start(), start + words[-1].end(), "PERSON")


def _small(text: str) -> Iterator[Found]:
    """Given names without a capital: those that are no word, short ones only beside a hint."""
    lists = english()
    for match in _SMALL.finditer(text):
        word = match[0]
        if word not in lists["given"] or word in ENGLISH or word in _ORDINARY:
            continue
        if is_word(word) or is_place(word) or word in lists["things"]:
            continue
        hinted = _BESIDE_SMALL.search(text, max(0, match.start() - 16), match.start())
        acts = _ACTS_SMALL.match(text, match.end())
        if hinted or acts or len(word) > 4:
            yield Found(*match.span(), "PERSON")


def _is_pair(one: str, two: str) -> bool:
    """Whether two words are given and family name: neither is a word, or a list knows the other."""
    if not (_unknown(one) or _given(one)) or two.lower() in _NO_SECOND:
        return False
    return _unknown(two) or _family(two) or _given(two)


_NO_SECOND = word_set(
    "inc ltd llc corp gmbh kft sarl pty plc bv ag sa oy ab api sdk app pro max mini plus cloud db "
    "university college hotel airport station"
)


def _end(match: re.Match[str]) -> int:
    """Behind the possessive s is not the name's."""
    value = match[0]
    return match.end() - (2 if value.endswith(("'s", "’s")) else 0)


def _unknown(word: str) -> bool:
    """Whether a word with a capital is none of the language, no place and no known thing."""
    for part in re.split(r"[-'’]", word):
        low = part.lower()
        if len(low) < 2:
            continue
        if low in ENGLISH or low in _ORDINARY or is_word(low) or is_place(low):
            return False
        if low in english()["things"]:
            return False
    return len(word) > 2 or not word.isascii()


def _given(word: str) -> bool:
    low = word.partition("-")[0].lower()
    return low in english()["given"]


def _family(word: str) -> bool:
    low = word.rpartition("-")[2].lower()
    return low in english()["family"] and not (is_word(low) and len(low) < 4)
