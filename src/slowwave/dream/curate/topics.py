"""Which part of life a memory is about, for the sections of MEMORY.md (L7). Pure.

Told by common words of whole fields (health, home, travel … ; projects, tools, colleagues …), never
by single cases; a kind that is mostly about one field counts like one such word.
"""

import re
from functools import cache

from slowwave.model import Memory
from slowwave.text.entities import EntityKind, find_entities
from slowwave.text.segment import fold

__all__ = ["about_replies", "leaning", "names_a_day"]

_LIFE_ENGLISH = (
    "health healthy doctor dentist clinic hospital allerg vitamin medic pill dose dosage "
    "tablet prescription blood cholesterol diabet asthma therap surger sleep insomnia diet "
    "vegan vegetarian gluten lactose workout gym yoga swim jog hike hiking exercis injur "
    "knee migraine headache pregnan vaccin symptom checkup home house apartment flat "
    "landlord rent mortgage address street neighbour neighbor kitchen bedroom bathroom "
    "balcony garden furniture sofa boiler heating plumber postcode phone mobile email "
    "e-mail whatsapp wechat telegram birthday flight flies flying airport airline plane "
    "train ticket hotel hostel visa passport holiday vacation trip travel itinerary "
    "luggage suitcase seat ferry beach wife husband kid child children daughter son mother "
    "father mom mum dad parent sister brother grandmother grandfather uncle aunt cousin "
    "dog cat puppy kitten pet wedding anniversary coffee tea food eat drink breakfast "
    "lunch dinner cook bake recipe restaurant spicy wine beer snack hobby hobbies music "
    "guitar piano violin novel film movie concert game football tennis bike bicycle car "
    "paint pottery fishing camping church school insurance doctor's"
)
_WORK_ENGLISH = (
    "project client customer deadline release deploy server database repo repositor branch "
    "commit code codebase coding script bug build pipeline docker kubernetes backend "
    "frontend framework library compiler terminal shell config software hardware laptop "
    "editor plugin firmware version office team colleague coworker co-worker manager boss "
    "meeting standup sprint report invoice contract presentation slides proposal "
    "specification review launch roadmap stakeholder supplier vendor employer company "
    "department salary hire hiring interview handover responsib maintain engineer "
    "developer designer analyst architect consult spreadsheet milestone backlog workload "
    "colleagues supervisor intern promotion migrat staging production dashboard api sdk "
    "tool"
)
_LIFE_CHINESE = (
    "健康 医生 大夫 医院 诊所 体检 过敏 维生素 吃药 药片 服药 剂量 毫克 血压 血糖 血脂 "
    "失眠 睡眠 睡觉 减肥 健身 跑步 游泳 瑜伽 爬山 徒步 饮食 素食 忌口 牙 疼 感冒 发烧 手术 "
    "疫苗 怀孕 眼镜 膝盖 症状 复查 我家 家里 住在 家住 住址 地址 租房 房东 房租 房贷 小区 "
    "单元 号楼 邻居 厨房 卧室 阳台 花园 院子 家具 沙发 暖气 门锁 物业 搬家 电话 手机号 "
    "邮箱 微信 航班 机票 飞机 高铁 火车 车票 酒店 民宿 机场 签证 护照 旅行 旅游 行程 度假 "
    "行李 靠窗 妻子 老婆 老公 丈夫 爱人 孩子 女儿 儿子 妈妈 爸爸 父亲 母亲 爷爷 奶奶 外婆 "
    "外公 姐姐 妹妹 哥哥 弟弟 狗 猫 宠物 生日 婚礼 纪念日 咖啡 喝茶 乌龙 绿茶 喝酒 吃 早餐 "
    "早饭 午饭 晚饭 做饭 餐厅 口味 辣 爱好 音乐 吉他 钢琴 小说 电影 演唱会 游戏 足球 "
    "羽毛球 骑车 自行车 开车 画画 陶艺 钓鱼 露营 学校 保险"
)
_WORK_CHINESE = (
    "项目 客户 甲方 乙方 上线 部署 服务器 数据库 代码 仓库 分支 接口 脚本 缺陷 测试 构建 "
    "流水线 后端 前端 框架 办公室 团队 同事 领导 上司 经理 会议 开会 例会 周会 周报 日报 "
    "月报 汇报 报告 合同 发票 方案 设计 评审 发布 产品 需求 版本 供应商 公司 部门 职位 "
    "岗位 薪资 工资 面试 招聘 交接 接手 负责 对接 交付 进度 排期 验收 图纸 工具 编辑器 "
    "终端 配置 软件 硬件 系统 电脑 加班 出差 入职 离职 跳槽 施工 工地 招标 投标 文档 表格 "
    "工程 运维 迁移 架构 工作 上班 实习 任务 里程碑 预案 竣工"
)
_REPLIES_ENGLISH = (
    "answer reply replies respond response bullet concise brief short tone wording "
    "phrasing explain summar format markdown metric imperial unit emoji language formal "
    "informal address me call me verbose jargon citation"
)
_REPLIES_CHINESE = (
    "回答 回复 答复 简短 简洁 简明 精简 要点 列表 表格 语气 口吻 用中文 用英文 中文回 "
    "英文回 公制 英制 单位 格式 总结 解释 称呼 叫我 表情 废话 客套 啰嗦 术语"
)


_ENDING = (
    r"(?:s|es|ed|ing|ic|ies|y|al|ment|e|er|ers|ion|ation|ible|ility|ine|ication|ize|ise|ized)*"
)


@cache
def _pattern(english: str, chinese: str) -> re.Pattern[str]:
    """Words by their beginning, Chinese wherever it stands. Compiled when first asked for."""
    stems = "|".join(re.escape(word) for word in sorted(english.split(), key=len, reverse=True))
    words = "|".join(sorted(chinese.split(), key=len, reverse=True))
    return re.compile(rf"(?<![a-z])(?:{stems}){_ENDING}(?![a-z])|{words}")


_AGAIN = re.compile(
    r"\b(?:every|each|always|never|whenever|from now on)\b|每|以后|一律|总是|永远|从不|今后"
)
_TECHNICAL: frozenset[EntityKind] = frozenset({"version", "path", "url", "code"})
_LIFE_KINDS = frozenset({"profile", "preference"})
_WORK_KINDS = frozenset({"project", "environment", "skill", "lesson"})


def leaning(memory: Memory) -> int:
    """Above 0 for work and technology, below for life and taste, 0 where nothing tells."""
    folded = fold(memory.text)
    life = len({match[0] for match in _pattern(_LIFE_ENGLISH, _LIFE_CHINESE).finditer(folded)})
    work = len({match[0] for match in _pattern(_WORK_ENGLISH, _WORK_CHINESE).finditer(folded)})
    for entity in find_entities(memory.text):
        if entity.kind in _TECHNICAL:
            contact = "@" in entity.text and "://" not in entity.text
            life, work = life + contact, work + (not contact)
    if life != work:
        return work - life
    return int(memory.kind in _WORK_KINDS) - int(memory.kind in _LIFE_KINDS)


def about_replies(memory: Memory) -> bool:
    """Whether it tells how the agent is to speak: length, form, tone, language, units."""
    return _pattern(_REPLIES_ENGLISH, _REPLIES_CHINESE).search(fold(memory.text)) is not None


def names_a_day(memory: Memory) -> bool:
    """Whether it is about a day and no rule for every one of them."""
    if _AGAIN.search(fold(memory.text)):
        return False
    if memory.standing == "dated" or memory.valid_to is not None:
        return True
    return any(entity.kind == "date" for entity in find_entities(memory.text))
