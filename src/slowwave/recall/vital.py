"""What must not be missed: a memory about the user's body, for a question that touches the body.

"Dinner tonight" shares neither a word nor a meaning with "allergic to shrimp", and no nearness of
the two tells (X6). So both are sorted by what they are about: the question among topics of
questions, the memory among topics of memories. What is called for is vital to the answer: with a
meal what must not be eaten, with an illness that and all that is known of the body, with sports
what ails. Who asks what is known of himself ("what do I drink in the morning") is told only what
comes near to that. It takes an embedder; by words alone nothing is told.
"""

from base64 import b85decode
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

import msgspec

from slowwave.model import USER, Memory, text_hash
from slowwave.ports import Embedder, Store
from slowwave.recall import centred, current, new_request
from slowwave.recall.nearness import cosine
from slowwave.recall.question import Asked, Query
from slowwave.recall.telling import wanted

VITAL = 90
"""Importance from which a memory changes decisions (N9)."""

NEARER = (0.06, 0.012)
"""How much nearer to a topic that calls for something than to any other one a question is: by
`centred`, and by plain cosine where the embedder has no means."""

NEARER_MEMORY = (0.02, 0.02)
"""The same for a memory."""

BESIDES = (0.1, 0.04)
"""The same for a group of topics that is not the nearest one: a diabetes is a matter of diet."""

OF_HIMSELF = 0.25
"""Nearness of a memory to a question about what is known of the one who asks."""

NEAREST = 20
"""Memories that are looked at around each topic."""

MOST = 5
"""Vital memories for one question."""

VECTORS = "vital_vectors.json"
"""The topics' vectors for one embedder: to embed them anew would take a second of each start."""

CALLS: Mapping[str, frozenset[str]] = {
    "food": frozenset({"diet"}),
    "illness": frozenset({"diet", "health"}),
    "sport": frozenset({"health"}),
}
"""Which memories the topic of a question calls for."""

QUESTIONS: Mapping[str, tuple[str, ...]] = {
    "food": (
        "what to eat and drink", "a meal, dinner, lunch, breakfast", "cooking a recipe",
        "a restaurant, snacks, takeaway", "ordering dishes in a restaurant",
        "吃什么", "晚饭、午饭、早餐", "做菜", "餐厅、零食、外卖", "喝什么", "点菜、聚餐",
    ),
    "illness": (
        "taking medicine", "being ill, pain, symptoms", "seeing a doctor", "allergies",
        "吃药", "生病、疼痛、症状", "看医生", "过敏",
    ),
    "sport": ("sports, exercise and training", "运动、锻炼、跑步"),
    "other": (
        "the weather today", "a calculation with numbers", "a joke, a story, a poem",
        "program code, a function, a regular expression", "translate a sentence",
        "the date and the time", "work, a meeting, an email", "deploying, servers, databases",
        "money and prices", "music and films", "travel, trains and hotels", "where something is",
        "who somebody is, a name, a birthday", "an address, a phone number",
        "gardening, plants and seeds", "a test that fails, a bug", "a goal, a plan for the year",
        "menus, buttons and windows of a program", "sorting and listing things", "pets",
        "good night, goodbye, good morning", "what the assistant can do",
        "physics, chemistry, general knowledge",
        "今天的天气", "算术、数字", "代码、函数、正则", "笑话、故事、诗", "翻译一句话",
        "日期和时间",
        "工作、会议、邮件", "部署、服务器、数据库", "钱和价格", "音乐和电影", "旅行、火车、酒店",
        "清洁、家务", "买衣服", "东西放在哪里", "谁、名字、生日", "地址、电话号码",
        "种花、园艺", "测试失败、程序错误", "目标、计划", "程序的菜单、按钮、界面", "排序、列表",
        "宠物", "晚安、再见、早上好", "你能做什么", "物理、化学常识",
    ),
}  # fmt: skip
"""What questions are about."""

MEMORIES: Mapping[str, tuple[str, ...]] = {
    "diet": (
        "an allergy", "I cannot eat this", "food rules: halal, kosher",
        "a diet: vegetarian, no alcohol", "pregnant",
        "过敏", "我不能吃这个", "忌口、吃素、不喝酒", "怀孕",
        "what to eat and drink", "吃什么、喝什么",
    ),
    "health": (
        "an illness, a diagnosis", "I take medicine every day", "an injury, an operation, pain",
        "生病、诊断", "每天要吃药", "受伤、手术、疼", "blood type, blood pressure", "血型、血压",
    ),
    "other": (
        "a rule for deploying to production", "servers, databases, backups",
        "passwords and secrets", "program code and tests", "a meeting, a deadline",
        "a job, a company", "where somebody lives", "family and friends",
        "a hobby, music, films", "how to write messages", "money, invoices, contracts",
        "data must not be deleted", "gardening, plants and seeds", "a goal in sports",
        "不能直接改生产库", "服务器、备份", "密码、密钥", "代码、测试", "会议、截止日期",
        "工作、公司",
        "住在哪里", "家人、朋友", "爱好、音乐、电影", "怎么写消息", "钱、发票、合同", "安全规则",
        "种花、园艺", "运动目标",
    ),
}  # fmt: skip
"""What memories are about."""


class Topics(NamedTuple):
    """Vectors of the topics, by group."""

    questions: Mapping[str, Sequence[centred.Text]]
    memories: Mapping[str, Sequence[centred.Text]]


class Kept(msgspec.Struct, frozen=True):
    """The file: the embedder, the hash of the topics' texts, and their vectors in base 85."""

    embedder: str
    texts: str
    questions: dict[str, list[str]]
    memories: dict[str, list[str]]


def vital(store: Store, embedder: Embedder | None, asked: Asked) -> list[Memory]:
    """The memories of vital importance about the user that the question's topic calls for."""
    if embedder is None or asked.vector is None or wanted(asked.query.text).time:
        return []  # when something is asks for no care
    topics = kept(embedder.name) or embedded(embedder)
    centre = centred.of(embedder.name)
    means = (centre.asked, centre.told) if centre is not None else (None, None)
    scale = 0 if centre is not None else 1
    margins = _margins((asked.vector, asked.share), topics.questions, means[0])
    topic = max(margins, key=lambda name: margins[name])
    if margins[topic] < NEARER[scale]:
        return []
    ids: dict[str, float] = {}
    for group in CALLS[topic]:
        for vector, _ in topics.memories[group]:
            for hit in store.nearest(asked.query.space, "memory", embedder.name, vector, NEAREST):
                ids[hit.id] = max(hit.score, ids.get(hit.id, 0.0))
    known = store.memories_by_id(asked.query.space, list(ids))
    grave = [memory for memory in known.values() if _counts(memory, asked.query)]
    vectors = store.cached_vectors(embedder.name, [text_hash(memory.text) for memory in grave])
    about = []
    for memory in grave:
        vector = vectors.get(text_hash(memory.text), b"")[: len(asked.vector)]
        text = (vector, centred.share(memory.text))
        if (
            vector
            and _is_about(_margins(text, topics.memories, means[1]), CALLS[topic], scale)
            and (centre is None or _is_called_for(text, asked, centre))
        ):
            about.append(memory)
    return sorted(about, key=lambda memory: (-memory.importance, -ids[memory.id], memory.id))[:MOST]


def _is_called_for(text: centred.Text, asked: Asked, centre: centred.Centre) -> bool:
    """Whether what is about to be done calls for it; what is known of himself only where near."""
    if not asked.about_me or asked.for_work or new_request.is_anew(asked.query.text):
        return True
    assert asked.vector is not None
    return centred.likeness(centre, asked.vector, asked.share, [text])[0] >= OF_HIMSELF


def _counts(memory: Memory, query: Query) -> bool:
    standing = current.standing(memory, query.now, as_of=query.as_of, cold=query.include_cold)
    return memory.importance >= VITAL and memory.subject == USER and standing == "current"


def _margins(
    text: centred.Text,
    groups: Mapping[str, Sequence[centred.Text]],
    means: "centred.Means | None",
) -> dict[str, float]:
    """By group of topics how much nearer a text is to it than to the topics of anything else."""
    best = {
        name: max(
            centred.between(means, text, means, topics)
            if means is not None
            else (cosine(topic, text[0]) for topic, _ in topics)
        )
        for name, topics in groups.items()
    }
    other = best.pop("other")
    return {name: value - other for name, value in best.items()}


def _is_about(margins: Mapping[str, float], called: frozenset[str], scale: int) -> bool:
    first = max(margins, key=lambda name: margins[name])
    return any(
        margins[name] >= (NEARER_MEMORY if name == first else BESIDES)[scale] for name in called
    )


@lru_cache(maxsize=2)
def kept(embedder: str) -> Topics | None:
    """The topics' vectors from the file, where they are this embedder's."""
    raw = resources.files("slowwave.recall").joinpath(VECTORS).read_bytes()
    file = msgspec.json.decode(raw, type=Kept)
    if (file.embedder, file.texts) != (embedder, texts_hash()):
        return None
    return Topics(_decoded(file.questions, QUESTIONS), _decoded(file.memories, MEMORIES))


def _decoded(
    groups: Mapping[str, Sequence[str]], texts: Mapping[str, Sequence[str]]
) -> dict[str, list[centred.Text]]:
    return {
        name: [
            (b85decode(vector), centred.share(text))
            for vector, text in zip(vectors, texts[name], strict=True)
        ]
        for name, vectors in groups.items()
    }


def embedded(embedder: Embedder) -> Topics:
    """The topics' vectors, made by the embedder."""
    questions = {
        name: [
            (vector, centred.share(text))
            for text in texts
            if (vector := embedder.query(text)) is not None
        ]
        for name, texts in QUESTIONS.items()
    }
    memories = {
        name: [
            (vector, centred.share(text))
            for text, vector in zip(texts, embedder.passages(texts), strict=True)
            if vector is not None
        ]
        for name, texts in MEMORIES.items()
    }
    return Topics(questions, memories)


def texts_hash() -> str:
    """Identifies the texts of the topics."""
    return text_hash(repr((sorted(QUESTIONS.items()), sorted(MEMORIES.items()))))
