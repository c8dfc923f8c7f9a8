"""What must not be missed: a memory about the user's body, for a question that touches the body.

"Dinner tonight" shares neither a word nor a meaning with "allergic to shrimp", and no cosine of the
two tells (X6). So both are sorted by what they are about: the question among topics of questions,
the memory among topics of memories. Where both are about the body (eating, illness, exercise), the
memory is vital to the answer. It takes an embedder; by words alone nothing is told.
"""

from base64 import b85decode
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

import msgspec

from slowwave.model import USER, Memory, Vector, text_hash
from slowwave.ports import Embedder, Store
from slowwave.recall import current
from slowwave.recall.nearness import cosine
from slowwave.recall.question import Asked, Query

VITAL = 90
"""Importance from which a memory changes decisions (N9)."""

NEARER = 0.012
"""How much nearer (cosine) to a topic of the body than to any other one a question is."""

NEARER_MEMORY = 0.02
"""The same for a memory."""

NEAREST = 20
"""Memories that are looked at around each topic."""

MOST = 5
"""Vital memories for one question."""

VECTORS = "vital_vectors.json"
"""The topics' vectors for one embedder: to embed them anew would take a second of each start."""

QUESTIONS: Mapping[str, tuple[str, ...]] = {
    "body": (
        "what to eat and drink", "a meal, dinner, lunch, breakfast", "cooking a recipe",
        "a restaurant, snacks, takeaway", "taking medicine", "being ill, pain, symptoms",
        "seeing a doctor", "sports, exercise and training",
        "吃什么", "晚饭、午饭、早餐", "做菜", "餐厅、零食、外卖", "喝什么",
        "吃药", "生病、疼痛、症状", "看医生", "运动、锻炼、跑步",
    ),
    "other": (
        "the weather today", "a calculation with numbers", "a joke, a story, a poem",
        "program code, a function, a regular expression", "translate a sentence",
        "the date and the time", "work, a meeting, an email", "deploying, servers, databases",
        "money and prices", "music and films", "travel, trains and hotels", "where something is",
        "who somebody is, a name, a birthday", "an address, a phone number",
        "今天的天气", "算术、数字", "代码、函数、正则", "笑话、故事、诗", "翻译一句话",
        "日期和时间",
        "工作、会议、邮件", "部署、服务器、数据库", "钱和价格", "音乐和电影", "旅行、火车、酒店",
        "清洁、家务", "买衣服", "东西放在哪里", "谁、名字、生日", "地址、电话号码",
    ),
}  # fmt: skip
"""What questions are about."""

MEMORIES: Mapping[str, tuple[str, ...]] = {
    "body": (
        "an allergy", "I cannot eat this", "an illness, a diagnosis", "I take medicine every day",
        "a diet: vegetarian, no alcohol", "pregnant",
        "过敏", "我不能吃这个", "生病、诊断", "每天要吃药", "忌口、吃素、不喝酒", "怀孕",
        "what to eat and drink", "吃什么、喝什么",
    ),
    "other": (
        "a rule for deploying to production", "servers, databases, backups",
        "passwords and secrets", "program code and tests", "a meeting, a deadline",
        "a job, a company", "where somebody lives", "family and friends",
        "a hobby, music, films", "how to write messages", "money, invoices, contracts",
        "data must not be deleted",
        "不能直接改生产库", "服务器、备份", "密码、密钥", "代码、测试", "会议、截止日期",
        "工作、公司",
        "住在哪里", "家人、朋友", "爱好、音乐、电影", "怎么写消息", "钱、发票、合同", "安全规则",
    ),
}  # fmt: skip
"""What memories are about."""


class Topics(NamedTuple):
    """Vectors of the topics, by group."""

    questions: Mapping[str, Sequence[Vector]]
    memories: Mapping[str, Sequence[Vector]]


class _Kept(msgspec.Struct, frozen=True):
    """The file: the embedder, the hash of the topics' texts, and their vectors in base 85."""

    embedder: str
    texts: str
    questions: dict[str, list[str]]
    memories: dict[str, list[str]]


def vital(store: Store, embedder: Embedder | None, asked: Asked) -> list[Memory]:
    """The memories of vital importance about the user that the question's topic calls for."""
    if embedder is None or asked.vector is None:
        return []
    topics = kept(embedder.name) or embedded(embedder)
    if _nearer(asked.vector, topics.questions) < NEARER:
        return []
    ids: dict[str, float] = {}
    for vector in topics.memories["body"]:
        for hit in store.nearest(asked.query.space, "memory", embedder.name, vector, NEAREST):
            ids[hit.id] = max(hit.score, ids.get(hit.id, 0.0))
    known = store.memories_by_id(asked.query.space, list(ids))
    grave = [memory for memory in known.values() if _counts(memory, asked.query)]
    vectors = store.cached_vectors(embedder.name, [text_hash(memory.text) for memory in grave])
    about = [
        memory
        for memory in grave
        if (known_as := vectors.get(text_hash(memory.text))) is not None
        and _nearer(known_as, topics.memories) >= NEARER_MEMORY
    ]
    return sorted(about, key=lambda memory: (-memory.importance, -ids[memory.id], memory.id))[:MOST]


def _counts(memory: Memory, query: Query) -> bool:
    standing = current.standing(memory, query.now, as_of=query.as_of, cold=query.include_cold)
    return memory.importance >= VITAL and memory.subject == USER and standing == "current"


def _nearer(vector: Vector, groups: Mapping[str, Sequence[Vector]]) -> float:
    """How much nearer a vector is to the body's topics than to all others."""
    best = {name: max(cosine(topic, vector) for topic in topics) for name, topics in groups.items()}
    return best["body"] - best["other"]


@lru_cache(maxsize=2)
def kept(embedder: str) -> Topics | None:
    """The topics' vectors from the file, where they are this embedder's."""
    raw = resources.files("slowwave.recall").joinpath(VECTORS).read_bytes()
    file = msgspec.json.decode(raw, type=_Kept)
    if (file.embedder, file.texts) != (embedder, texts_hash()):
        return None
    return Topics(_decoded(file.questions), _decoded(file.memories))


def _decoded(groups: Mapping[str, Sequence[str]]) -> dict[str, list[Vector]]:
    return {name: [b85decode(vector) for vector in vectors] for name, vectors in groups.items()}


def embedded(embedder: Embedder) -> Topics:
    """The topics' vectors, made by the embedder."""
    questions = {
        name: [vector for text in texts if (vector := embedder.query(text)) is not None]
        for name, texts in QUESTIONS.items()
    }
    memories = {
        name: [vector for vector in embedder.passages(texts) if vector is not None]
        for name, texts in MEMORIES.items()
    }
    return Topics(questions, memories)


def texts_hash() -> str:
    """Identifies the texts of the topics."""
    return text_hash(repr((sorted(QUESTIONS.items()), sorted(MEMORIES.items()))))
