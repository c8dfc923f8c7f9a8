"""What each clause of a message does: states a fact, gives a standing instruction, asks, vents …

Grammar decides. A clause is read with the cues of its language(s); the message it stands in (its
`Scene`) decides what cannot be seen in a clause alone: whether we are inside a story, inside pasted
material, in a fit of temper. Every act that is not kept names its kind, which becomes the reason
of a `Rejected`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from slowwave.dream import distill_cues_en, distill_cues_zh
from slowwave.dream.distill_clauses import BLANK, Clause, has_han
from slowwave.dream.distill_people import person_in

__all__ = ["KEPT", "Act", "Reading", "Scene", "read_acts", "readings"]

Act = Literal[
    "fact", "rule", "hold", "exception", "attach", "depend",
    "question", "hypothetical", "fiction", "material", "quote", "injection", "private", "greeting",
    "assent", "refusal", "venting", "sarcasm", "request", "third_person", "smalltalk", "opinion",
]  # fmt: skip
KEPT: Final[frozenset[Act]] = frozenset({"fact", "rule", "hold", "exception", "attach"})

_LATIN_WORD = re.compile(r"[a-z][a-z']+")
_VALUE = re.compile(r"\d|[a-z][\w-]*[._/:@-][\w]|[\u4e00-\u9fff]\s?[a-z]{2,}|[零一二三四五六七八九十百两]{1,6}[个点号月岁年楼亩米元块块钱码度]")
_CODE_VALUE = re.compile(r"[a-z\d][\w-]*[._/:@-][\w./:-]*\w|\b\d{3,}\b|\b[a-z]+\d+\b|/\w+")
_REAL = re.compile(r"我(?:本人|自己|真人|现实)|现实(?:里|中)|真实的我|in real life|for the (?:author )?bio|irl|i myself|actually i|the author|about me")
_FRONT: Final = frozenset({"ban", "bid", "task", "generic"})
_LEAD = re.compile(
    r"^(?:(?:please|pls|so|and|but|just|also|then|always|ok(?:ay)?|correct|yep|now|instead|either way|hey|first|quickly|well|oh|anyway|no thanks|(?:yes|no)(?=,)|from (?:now|here|today) on(?:wards)?"
    r"|for (?:now|me|this \w+|the next \w+|\w+ \w+ only)|in (?:the )?future|going forward|henceforth|as of (?:today|now)|just this once|this (?:time|once|week|month)|until [\w ]+|while [\w ']+|when(?:ever)? [\w' ▒]+"
    r"|if [\w' ]+|after (?:that|\w+)|house rule|important|separate thing|one more thing|btw|by the way|same for \w+|by default|at all times|under no circumstances)[,:]?\s+)+(?=\w)"
)
_CHOICE = re.compile(
    r"这[次回](?:就|先|还是|咱们?|我们?)?(?:用|走|按|选|改|发|寄|坐|订)|(?:use|go with|take|send) .*(?:this (?:time|once)|just this once)|(?:this (?:time|once)|just this once),? (?:use|go with|take|send)"
)
_NORM = re.compile(
    r"一律|一概|统统|全都|统一|必须|务必|默认|不[准许得]|严禁|禁止|除外|例外|只(?:准|许|能|认)|都[用按写走放发换记算给照挂要得]|全(?:部)?[用按走写换]|规矩|规定|别|不要|优先|算进去|就按|就照|就报|首选|要先|must|house rule|by default|standard|always|never|no \w+|rather you|prefer|not |only|every|all|gets? a|it is$|may not|any"
)
_IRONY = re.compile(
    r"(?:太棒|真好|太好|完美|厉害)了?，又|(?:fantastic|great|perfect|wonderful|brilliant|lovely|awesome)，? ?(?:it|another|the|again)[^，]*(?:again|crash|broke|fail|down)"
)
_HALT = re.compile(r"暂停|全停|先停|停一停|冻结|搁置|\bfreeze\b|on hold")
_SCOPED = re.compile(r"(?:只|都|全|一律|不|别)[^，]{1,}")
_BLAME = re.compile(r"^you (?:never|always|keep|still|just)\b")
_WEAK_GRANT = re.compile(r"可以|一定|必须|还是要|得(?!了)|就行|转我|叫我|allowance|you can|is fine|are fine|okay|i do\b|must")
_CONTRAST = re.compile(r"^(?:不过|但是?|可是?|只是|but\b|though\b|however\b)")
_FIRM_EXCEPTION = re.compile(
    r"例外|除外|破个?例|唯独|除非|只有[^，]{1,24}(?:可以|能|才|行|要|走|用)|\bexcept|\bunless\b|\bapart from\b|\bother than\b|\bexcluding\b|just for (?:today|tonight)"
)
_FOREVER = re.compile(r"以后|今后|往后|永远|从此|一律|never|always|from (?:now|here) on|going forward")
_STRONG = re.compile(
    r"以后|今后|往后|日后|从此|每次|每回|一律|一概|统统|别[总老]|统一|永远|默认|任何|不准|不许|别再|不要再|从(?:今|现在|下|这)[^，]{0,4}(?:起|开始)|always|never|from (?:now|here) on|going forward"
    r"|every |whenever|any(?:thing| time|more)|under no|house rule|henceforth|all my|in (?:the )?future|by default|天天|每天|凡是|everything|规矩"
)


@dataclass
class Reading:
    """A clause with its cues, evaluated on demand and once."""

    clause: Clause
    scores: dict[str, bool] = field(default_factory=dict)
    act: Act = "depend"
    zh: bool = True
    en: bool = True

    def has(self, name: str) -> bool:
        """Whether the cue `name` of the clause's language(s) matches."""
        known = self.scores.get(name)
        if known is None:
            folded = self.clause.folded
            known = (self.zh and _match(distill_cues_zh.CUES, name, folded)) or (
                self.en and _match(distill_cues_en.CUES, name, self.head(name))
            )
            self.scores[name] = known
        return known

    def head(self, name: str) -> str:
        """The folded clause; for cues of the verb in front, without adverbials before it."""
        folded = self.clause.folded
        return _LEAD.sub("", folded, count=1) if name in _FRONT else folded

    def any(self, *names: str) -> bool:
        """Whether any of these cues matches."""
        return any(self.has(name) for name in names)

    def count(self, *names: str) -> int:
        """How many of these cues match."""
        return sum(self.has(name) for name in names)


def _match(cues: dict[str, re.Pattern[str]], name: str, folded: str) -> bool:
    pattern = cues.get(name)
    return pattern is not None and pattern.search(folded) is not None


@dataclass
class Scene:
    """What the message as a whole is; filled once, then read clause by clause."""

    fiction: bool = False
    venting: bool = False
    sarcasm: bool = False
    tainted: bool = False
    material_from: int = -1
    real_from: int = -1
    speaker_is_other: bool = False
    answering: bool = False


def readings(clauses: Sequence[Clause]) -> list[Reading]:
    """Clauses ready for cues, each with the languages it is read in."""
    found = []
    for clause in clauses:
        zh = has_han(clause.folded)
        latin = len(_LATIN_WORD.findall(clause.folded))
        found.append(Reading(clause, zh=zh, en=not zh or latin >= 2))
    return found


def read_acts(clauses: Sequence[Reading], scene: Scene) -> None:
    """Sets `act` on every reading, in order."""
    _survey(clauses, scene)
    for index, reading in enumerate(clauses):
        reading.act = _act(clauses, index, scene)


def _survey(clauses: Sequence[Reading], scene: Scene) -> None:
    for reading in clauses:
        scene.fiction |= reading.has("fiction")
        scene.venting |= reading.has("vent")
        scene.sarcasm |= reading.has("sarcasm")
    whole = "，".join(reading.clause.folded for reading in clauses)
    scene.sarcasm |= _IRONY.search(whole) is not None
    for reading in clauses:
        if scene.fiction and scene.real_from < 0 and _REAL.search(reading.clause.folded):
            scene.real_from = reading.clause.start
    for before, after in zip(clauses, clauses[1:], strict=False):
        opened = after.clause.opener in (":", "：") or (
            "\n" in before.clause.closer and before.clause.sentence != after.clause.sentence
        )
        headed = before.any("task", "fiction", "stranger", "said", "question") or "\n" in before.clause.closer
        if before.any("remember", "rule", "correct", "teach"):
            continue
        if opened and headed and before.has("material") and scene.material_from < 0:
            scene.material_from = after.clause.start


def _act(clauses: Sequence[Reading], index: int, scene: Scene) -> Act:
    reading = clauses[index]
    blocked = _blocked(reading, scene)
    if blocked:
        return blocked
    if _is_question(reading, index == len(clauses) - 1 or _last_of_sentence(clauses, index)):
        return "question"
    if reading.has("hypo") or _in_hypothesis(clauses, index):
        return "hypothetical"
    heated = _heated(reading, scene)
    if heated:
        return heated
    if _carves_out(clauses, index):
        return "exception"
    order = _order(clauses, index, scene)
    if order:
        return order
    return _statement(clauses, index, scene)


def _blocked(reading: Reading, scene: Scene) -> Act | None:
    clause = reading.clause
    if reading.has("inject"):
        scene.tainted = True
        return "injection"
    if scene.tainted:
        return "injection"
    if 0 <= scene.material_from <= clause.start and not 0 <= scene.real_from <= clause.start:
        return "material"
    if clause.folded.count(BLANK) > 0.6 * len(clause.folded):
        return "quote"
    if reading.has("forget"):
        return "private"
    if scene.fiction and not 0 <= scene.real_from <= clause.start:
        return "fiction"
    return _manners(reading)


def _manners(reading: Reading) -> Act | None:
    if reading.has("greet"):
        return "greeting"
    if reading.has("assent"):
        return "assent"
    if reading.has("refuse") and (reading.zh or not reading.any("rule", "ban")):
        return "refusal"
    return None


def _last_of_sentence(clauses: Sequence[Reading], index: int) -> bool:
    return clauses[index + 1].clause.sentence != clauses[index].clause.sentence


def _is_question(reading: Reading, last: bool) -> bool:
    if last and reading.clause.closer == "?":
        return True
    if not reading.has("question"):
        return False
    return not reading.has("not_question")


def _in_hypothesis(clauses: Sequence[Reading], index: int) -> bool:
    """A hypothesis reaches to the end of its sentence, unless a plain fact is set against it."""
    if index == 0:
        return False
    before = clauses[index - 1]
    same = before.clause.sentence == clauses[index].clause.sentence
    return same and before.act == "hypothetical"


def _heated(reading: Reading, scene: Scene) -> Act | None:
    """Temper and irony: only what would be true on a calm day too (a condition of the body)."""
    if not (scene.venting or scene.sarcasm):
        return None
    if reading.has("body") and reading.any("i", "mine", "kin"):
        return None
    if scene.sarcasm:
        return "sarcasm"
    return "venting" if not reading.any("remember") else None


def _carves_out(clauses: Sequence[Reading], index: int) -> bool:
    """An exception to what the sentence (or the speaker's habit) lays down."""
    reading = clauses[index]
    if _FIRM_EXCEPTION.search(reading.clause.folded):
        return not reading.has("task")
    if not _CONTRAST.search(reading.clause.folded):
        return False
    earlier = [r for r in _sentence(clauses, index) if r.clause.start < reading.clause.start]
    later = [r for r in _sentence(clauses, index) if r.clause.start >= reading.clause.start]
    rule_before = any(r.any("habit", "rule", "ban") for r in earlier)
    return rule_before and any(r.has("except") or _WEAK_GRANT.search(r.clause.folded) for r in later)


# ── instructions ────────────────────────────────────────────────────────────────────────────────


def _order(clauses: Sequence[Reading], index: int, scene: Scene) -> Act | None:
    """A clause that tells the assistant (or everybody) what to do; None for a statement."""
    reading = clauses[index]
    if not _is_order(reading) and not _CHOICE.search(reading.clause.folded):
        return None
    if reading.has("he") and _after(clauses, index, "fact") and not _STRONG.search(reading.clause.folded):
        return "attach"
    if _part_of_job(clauses, index):
        return "request"
    if reading.has("once") or _CHOICE.search(reading.clause.folded):
        return _one_time(reading)
    if reading.has("except"):
        return "exception"
    if _is_hold(clauses, index):
        return "hold"
    if _is_standing(clauses, index):
        return "rule"
    return "request"


def _part_of_job(clauses: Sequence[Reading], index: int) -> bool:
    """Conditions of a job just asked for belong to the job ("three titles, but no puns")."""
    reading = clauses[index]
    if _STRONG.search(reading.clause.folded) or index == 0:
        return False
    before = clauses[index - 1]
    return before.act == "request" and before.clause.sentence == reading.clause.sentence


def _is_order(reading: Reading) -> bool:
    if reading.any("ban", "bid", "task"):
        own = reading.any("is", "does", "kin") and not reading.any("ban", "you") and not reading.has("task")
        return not own or reading.has("bid")
    if reading.any("i", "kin", "he"):
        return False
    folded = reading.clause.folded
    if _HALT.search(folded) or (reading.has("hold") and _SCOPED.search(folded)):
        return True
    planned = reading.any("day", "stranger") and reading.has("event")
    if planned and not reading.has("you") and not _STRONG.search(folded):
        return False
    if reading.en and not reading.zh and _BLAME.search(folded):
        return False
    ruled = reading.any("rule", "except") and (_NORM.search(folded) or _STRONG.search(folded))
    return (bool(ruled) and not reading.any("change")) or (
        reading.has("hold") and reading.clause.folded.startswith(("暂", "先", "no ", "code freeze"))
    )


def _one_time(reading: Reading) -> Act:
    if reading.has("except") or _CHOICE.search(reading.clause.folded):
        return "exception"
    return "request"


def _is_hold(clauses: Sequence[Reading], index: int) -> bool:
    reading = clauses[index]
    folded = reading.clause.folded
    if re.search(r"暂(?:时|停|缓|且)|hold off|\bpark\b|for now|on hold|全停", folded):
        return True
    timed = any(
        r.has("hold") and not r.clause.folded.startswith("先")
        for r in _sentence(clauses, index)
    )
    return timed and not _FOREVER.search(folded)


def _is_standing(clauses: Sequence[Reading], index: int) -> bool:
    """Standing: it says so, it is generic, or it rests on a lasting fact; "this one" is not."""
    reading = clauses[index]
    folded = reading.clause.folded
    if _STRONG.search(folded):
        return True
    pointed = reading.has("deixis")
    if folded.startswith(("先别", "先不")) or (reading.has("ban") and len(folded) < 5):
        return False
    if reading.any("bid", "ban") and any(
        _STRONG.search(r.clause.folded) for r in _sentence(clauses, index)
    ):
        return True
    if reading.any("naming", "generic"):
        return True
    if reading.any("rule", "when", "teach") and not (pointed and reading.has("task")):
        return True
    if reading.has("ban") and not pointed:
        return True
    sentence = _sentence(clauses, index)
    grounded = any(r.act in ("fact", "rule") for r in sentence)
    return grounded and not pointed and reading.any("bid", "ban")


def _sentence(clauses: Sequence[Reading], index: int) -> list[Reading]:
    number = clauses[index].clause.sentence
    return [r for r in clauses if r.clause.sentence == number]


def _after(clauses: Sequence[Reading], index: int, act: Act) -> bool:
    return any(r.act == act for r in clauses[max(0, index - 3) : index])


# ── statements ──────────────────────────────────────────────────────────────────────────────────

_CONTENT = ("own", "is", "does", "role", "pref", "habit", "change", "correct", "teach")


def _statement(clauses: Sequence[Reading], index: int, scene: Scene) -> Act:
    reading = clauses[index]
    if reading.has("stranger") and not reading.any("kin", "except"):
        return "third_person"
    if index and clauses[index - 1].act == "third_person" and not reading.any("i", "mine"):
        return "third_person"
    weight = _weight(reading, scene)
    if weight >= 3:
        return "fact"
    if reading.has("transient"):
        return "smalltalk"
    if reading.has("opinion"):
        return "opinion"
    return "depend"


def _weight(reading: Reading, scene: Scene) -> int:
    """How much a statement looks like lasting knowledge; 3 is enough."""
    folded = reading.clause.folded
    if reading.has("said") and BLANK in folded:
        return 0
    weight = reading.count(*_CONTENT) + reading.has("role")
    weight += 3 * reading.any("body", "naming")
    ahead = reading.has("day")
    weight += 2 * ahead + (ahead and reading.any("event", "change"))
    if reading.has("env"):
        weight += 2 if _CODE_VALUE.search(folded) else reading.has("change")
    weight += reading.has("project") + reading.has("remember") + reading.has("did")
    weight += _VALUE.search(folded) is not None
    if reading.any("i", "mine"):
        weight += 1
    if reading.has("kin"):
        weight += 2
    if reading.any("is", "does"):
        weight += 1
    if weight < 3 and any(c.isupper() for c in reading.clause.text) and person_in(reading.clause.text, folded):
        weight += 2
    if not reading.any("i", "mine", "kin", "he", "stranger", "you"):
        weight += reading.any("role", "pref", "did")  # the dropped subject is the speaker
    weight -= (2 if reading.any("change", "role") else 3) * reading.has("transient")
    if not (ahead or reading.any("teach", "body")):
        weight -= 2 * reading.has("opinion")
    if scene.speaker_is_other and reading.any("i", "mine", "did"):
        weight += 1
    return weight
