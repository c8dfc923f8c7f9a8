"""Whether a clause behind a plan tells what lasts: who somebody is, where a place lies."""

import re

from slowwave.dream.distill.clauses.reading import Reading

__all__ = ["lasting"]

_OF_PERSON = re.compile(
    r"^(?:(?:and|but|also|by the way|btw|因为|而且|不过|但是?|另外)[,，]? ?)?(?:"
    r"(?:he|she|they|his|her|their|who|whose)\b|(?:he|she|they)['’]|[他她](?!们?(?:让|叫|说|问|"
    r"约|请|来接|会来|要来|也来|也去|一起))|人家|对方|本人)"
)
_OF_THING = re.compile(
    r"^(?:and |but |also )?(?:it|which|that)(?:['’]s| is| has| lies| closes| opens| only|"
    r" doesn['’]t| does| takes| sits)\b|"
    r"^(?:它|那[家儿边里]|这家|那个地方|店|餐厅|地址)(?:家|店|里)?(?=[在是有只不就]|对面)"
)
_LASTING = (
    "is", "role", "trait", "pref", "body", "home", "naming", "own", "does", "habit", "env", "state",
    "place", "project",
)  # fmt: skip
_PASSING = (
    "day", "soon", "transient", "feeling", "wish", "opinion", "hypo", "did", "done",
    "cancel", "change", "intend", "scheduled", "you", "question",
)  # fmt: skip
_ALWAYS = ("body", "pref", "role", "trait", "naming")
"""What lasts whatever else is in the clause."""
_STATED = re.compile(
    r"在[^，]{1,12}(?:上班|工作|当|做|开|读|念|住|教|任|实习)|(?<![还就要总])是(?!不是|来|去)|"
    r"过敏|只[吃喝用收要认]|"
    r"不(?:吃|喝|抽|会|能|喜欢|爱)|(?:手机|电话|微信|邮箱)号?[是:：]|岁|[属姓叫](?!我)|最?[爱喜]|"
    r"怕|"
    r"^(?:and |but )?(?:he|she|they|who)(?:['’]s|['’]re| is| are| was)(?! (?:coming|going|"
    r"bringing|late|paying|joining|"
    r"picking|meeting|driving|flying|arriving|staying|leaving|getting|\w+ing)\b)|"
    r"\b(?:works?|lives?|teaches|runs|owns|speaks|hates?|loves?|likes?|prefers?|allerg\w+|never|"
    r"only|always|"
    r"can['’]?t|cannot|doesn['’]?t)\b"
)
"""What states how somebody is, whatever else is in the clause."""
_EN_PREDICATE = re.compile(
    r"\b(?:is|['’]s|are|['’]re|was|works?|lives?|teaches|runs|owns|speaks|plays|studies|drives|"
    r"eats|drinks|"
    r"only|never|always|can['’]?t|cannot|doesn['’]?t|hates?|loves?|likes?|prefers?|used to|has|"
    r"goes by|collects|writes|sells|makes|manages|leads|charges|knows|wears|needs|takes|"
    r"allerg\w+)\b"
)
_ZH_PREDICATE = re.compile(
    r"[是在有叫姓属]|只|从不|不[吃喝抽会能喜爱]|喜欢|爱|讨厌|对[^，]{1,8}过敏|过敏|怕|会|做|当|"
    r"开|教|学|养|住|岁|原来|以前|手机|电话|微信|号"
)


_UNDER_WAY = re.compile(
    r"^(?:and |but )?(?:he|she|they|who|it)(?:['’]s|['’]re| is| are) (?!working|living|studying|"
    r"training|teaching|expecting|retiring)\w+ing\b"
)
"""What is done then and there."""


def lasting(reading: Reading) -> bool:
    """Whether a clause tells of somebody or something named before it what lasts."""
    of_person = _OF_PERSON.search(reading.folded) is not None
    if not of_person and not _OF_THING.search(reading.folded):
        return False
    if _UNDER_WAY.search(reading.folded):
        return False
    stated = of_person and _STATED.search(reading.folded) is not None
    if reading.any("soon", "hypo", "cancel") or (reading.has("day") and not reading.has("role")):
        return False
    if stated:
        return True
    relates = reading.folded.startswith(("who", "which"))
    if reading.any(*_PASSING[: -1 if relates else None]) and not (
        of_person and reading.any(*_ALWAYS)
    ):
        return False
    predicate = _ZH_PREDICATE if reading.zh else _EN_PREDICATE
    return reading.any(*_LASTING) or predicate.search(reading.folded) is not None
