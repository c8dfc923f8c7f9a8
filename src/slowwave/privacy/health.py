"""Health: diagnoses, medicines, allergies, findings. Told by a closed lexicon and by structure.

The lexicon holds what people write of; the structure ("allergic to …", 确诊…, an organ with an
-itis, the stems that medicines are named by, a dose) holds what the lexicon does not.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files

from slowwave.privacy.kinds import Found
from slowwave.privacy.terms import Terms, word_set
from slowwave.text.stopwords import ENGLISH

__all__ = ["find_health"]

_ORGANS = (
    "胃肠肝胆肾肺脾心脑血管皮肤鼻咽喉扁桃体支气关节颈椎腰胰腺甲状乳前列子宫卵巢膀胱尿道结膜角"
    "耳牙龈周神经骨肌肉脊髓动静脉"
    "淋巴食十二指盆附件阴中外内急慢性浅表萎缩糜烂滑毛囊湿脂溢过敏带状类风细菌病毒真盘膝踝腕肩"
    "髋股肘阑尾输卵管宫颈口腔舌视网黄斑声带"
)
_ZH = re.compile(
    # An organ and what is wrong with it.
    rf"[{_ORGANS}]{{1,10}}(?:炎|癌|瘤|病变?|结石|溃疡|囊肿|息肉|硬化|增生|出血|梗死?|梗塞"
    rf"|衰竭|积液|结节|肥大|突出|水肿|狭窄"
    r"|感染|损伤|骨折|劳损|脱落|穿孔|疱疹|湿疹|疣|斑块|栓塞|血栓|移植|切除|造影|支架)"
    r"|(?:[\u4e00-\u9fff]{0,3}(?:穿刺|组织))?活检|[\u4e00-\u9fff]{0,3}(?:搭桥|消融|剖腹产"
    r"|剖宫产|人流|引产|置换术|核磁共振|增强CT)|[胃肠喉膀胱宫腹关节腔]{1,3}镜(?!头|子)"
    r"|[\u4e00-\u9fff]{1,6}(?:综合征|综合症|恐惧症|强迫症|障碍症|妄想症|缺乏症)"
    r"|(?:(?:广泛性|持续性|双相|强迫|社交|神经|发作性|混合性|创伤后|适应)?(?:焦虑|抑郁|情感"
    r"|人格|睡眠|认知|发育|语言|听力|视力|进食|应激|惊恐|学习|吞咽|躯体|勃起|凝血|肝功能"
    r"|肾功能|内分泌|电解质|代谢|自主神经|植物神经|月经)(?:性|谱系|功能)?(?:障碍|失调|紊乱"
    r"|异常|不全|减退)症?)"
    # The stems of medicines.
    r"|[\u4e00-\u9fff]{1,5}(?:洛尔|他汀钙?|沙坦|普利|地平|西林|霉素|拉唑|替丁|沙星|替尼|单抗"
    r"|西泮|唑仑|唑吡坦|双胍|洛芬|匹林|西汀"
    r"|舍曲林|拉法辛|康唑|克索|培南|曲松|呋辛|克肟|他啶|噻嗪|曲坦|司琼|昔布|昔洛韦|卡韦|茶碱"
    r"|美辛|孕酮|奈德|特罗|司他|列汀|列净|格列[\u4e00-\u9fff]|肾上腺素|皮质激素"
    r"|胰岛素|肽注射液)(?:缓释)?(?:片|胶囊|注射液|针|颗粒|滴丸|喷雾|软膏|乳膏|滴眼液)?"
    r"|[\u4e00-\u9fff]{2,6}(?:缓释片|肠溶片|口服液|滴眼液|注射液|分散片|滴丸|含片)"
    # Findings and their figures.
    r"|(?:血压|血糖|空腹血糖|餐后血糖|血脂|胆固醇|甘油三酯|尿酸|心率|糖化血红蛋白|糖化|血氧"
    r"|转氨酶|肌酐|白细胞|血小板|血红蛋白|促甲状腺激素|体脂率?|眼压)"
    r"[^\d\n,，。;；]{0,8}\d{1,4}(?:[./]\d{1,3})?(?:\s?(?:mmHg|mmol/L|umol/L|μmol/L|mg/dL|g/L"
    r"|bpm|%))?"
    r"|血型[是为:\s]{0,3}(?:AB|A|B|O)型?(?:阳性|阴性|[+-])?|(?:AB|A|B"
    r"|O)型(?:Rh)?(?:血|阳性|阴性)", re.A
)  # fmt: skip
_ZH_CUES = re.compile(
    r"(?:确诊(?:为|了|是|患)?|诊断(?:为|是|出|结果[是为:]{0,2})|查出(?:来)?(?:有|是|得了)?"
    r"|检查出|患(?:有|上|了)|罹患|复发的?|被诊断)"
    r"[:\s]{0,2}(?P<said>[\u4e00-\u9fffA-Za-z0-9 -]{2,14}?)(?=[,，。;；!！?？、\s)]|$|了|的"
    r"|以后|之后|后)"
    r"|(?<![获取赢不])得了(?:[^\d\n,，。;；]{0,3})?(?P<caught>[\u4e00-\u9fff]{1,6}?(?:病|症"
    r"|炎|癌|瘤|感冒|流感|痘|疹|疮))"
    r"|对(?P<allergen>[\u4e00-\u9fffA-Za-z ]{1,12}?)(?:有(?:点|些|严重)?|很|严重|会|轻度|也"
    r"|都|轻微){0,2}过敏"
    r"|(?:过敏原|过敏史|忌口|不耐受)[是有为:\s]{1,3}(?P<listed>[\u4e00-\u9fffA-Za-z、, "
    r"]{1,24}?)(?=[。;；\n,，]|$)"
    r"|(?P<before>[\u4e00-\u9fff]{2,4})(?:过敏(?![原性])|不耐受)"
    r"|(?:服用|服药|口服|注射|每天吃|在吃|开了|吃着|停用|换成|停了|加量|处方[:是]?)(?:了|点"
    r"|一些|的药是|药[:是]?){0,2}"
    r"[:\s]{0,2}(?P<drug>[\u4e00-\u9fffA-Za-z]{2,10}?)(?=\s?\d{1,4}\s?(?:mg|毫克|微克|片|粒"
    r"|ml|毫升|支|单位|颗|g\b))"
    r"|(?:做|动|安排|约)了?(?:个|一个|次)?(?P<operation>[\u4e00-\u9fff]{2,8}(?:手术|切除术"
    r"|移植术?|化疗|放疗|透析|镜检查|造影))",
    re.A,
)
_EN = re.compile(
    r"\b(?:diagnos(?:ed|is)\s(?:with|as|of|is|was)|diagnosis:|(?:severely |mildly |deathly "
    r"|badly |highly )?allergic to|allerg(?:y|ies)"
    r"(?:\sto\s|:\s)|intoleran(?:t|ce)\s(?:to|of)|sensitive to|suffer(?:s|ed|ing)?\sfrom"
    r"|treat(?:ed|ment)\sfor|prescribed(?:\s(?:me|him|her|us|them))?"
    r"|(?:family|medical)\shistory\sof|tested\spositive\sfor|symptoms\sof|medication\sfor"
    r"|(?:pills|drops|injections|meds|treatment|therapy|surgery|operation) for"
    r"|on\smedication\sfor|relapse\sof|flare-?up\sof|dosage\sof|dose\sof|refill\s(?:of|for)"
    r"|a\scase\sof)\s?:?\s?"
    r"(?:a |an |the |my |some |both |his |her |mild |severe |chronic |acute |early-?stage "
    r"|stage \w{1,3} ){0,3}"
    r"(?P<said>[A-Za-z][A-Za-z0-9'-]*(?: (?!and\b|but\b|since\b|so\b|in\b|at\b|on\b|by\b"
    r"|last\b|when\b|which\b|this\b|because\b|after\b|for\b|from\b|to\b"
    r"|years?\b)[A-Za-z][A-Za-z'-]*){0,3}"
    r"(?:(?:,| and| or|, and) (?!I\b|he\b|she\b|we\b|it\b|they\b|the\b|so\b|my\b"
    r"|that\b)[a-z][a-z-]+(?=[,.;!\n]|$| and\b| or\b)){0,3})"
    r"|\b(?P<before>[A-Za-z][a-z]+(?:[ -][a-z]{3,})?)\s(?:allerg(?:y|ies)|intolerance"
    r"|sensitivity)\b"
    r"|\b(?P<drug>[A-Za-z][A-Za-z-]{3,24})\s(?=\d{1,4}(?:\.\d{1,2})?\s?(?:mg|mcg|µg|ug|IU|units)\b)"
    r"|\d{1,4}(?:\.\d{1,2})?\s?(?:mg|mcg|µg|ug|IU)\s(?:of\s)?(?P<dosed>[A-Za-z][A-Za-z-]{3,24})",
    re.I | re.A,
)
_EN_FINDING = re.compile(
    r"\b(?:(?i:blood\s(?:pressure|sugar|glucose|type)|resting heart rate|heart rate"
    r"|cholesterol|fasting glucose|hemoglobin|haemoglobin|ferritin"
    r"|viral load|creatinine|triglycerides|platelets|oxygen saturation|body fat)|HbA1c|A1C"
    r"|BMI|LDL|HDL|TSH|PSA|CD4|SpO2|eGFR|INR)\b"
    r"[^\d\n.,;!?]{0,16}?(?:\d{1,4}(?:[./]\d{1,3})?(?:\s?(?:mmHg|mmol/L|mg/dL|ng/mL|bpm|%))?"
    r"|(?<=is )(?:AB|A|B|O)(?:[+-]|\s?(?:positive|negative))|(?<=\s)(?:AB|A|B|O)[+-])",
    re.A,
)
_DISORDER = (
    r"(?:disease|disorder|syndrome|embolism|thrombosis|infarction|edema|oedema|stenosis"
    r"|cancer|tumou?r|cyst|insufficiency|failure|nodules?|polyps?|lesion|fracture"
    r"|transplant|biopsy|bypass|stones?|ulcers?|dystrophy|palsy|sclerosis|deficiency"
    r"|dysfunction|infection|inflammation|hemorrhage|haemorrhage|prolapse|impairment|atrophy"
    r"|arrest|dysplasia|surgery)"
)
_ORGAN_OF = (
    r"(?:pulmonary|cardiac|renal|hepatic|gastric|ovarian|thyroid|cervical|lumbar|spinal|brain"
    r"|lung|kidney|liver|heart|skin|bone|blood|retinal|uterine|prostate|breast|colon"
    r"|rectal|pancreatic|bladder|vascular|coronary|cerebral|bowel|hip|knee|ankle|wrist|rib"
    r"|skull|ear|eye|sinus|throat|chest|urinary|vaginal|yeast|fungal|bacterial|viral|valve"
    r"|nerve|muscle"
    r"|autoimmune|metabolic|genetic|hormonal|neurological|psychiatric|mental|mood|personality"
    r"|sleep|eating|bleeding|seizure|celiac|inflammatory|respiratory|digestive|gallbladder"
    r"|hearing|visual|cognitive|vitamin \w{1,3}|iron)"
)
_NAMED_EN = re.compile(
    r"\b(?:his|her|my|their|had an?|having an?|suffered an?)\s(?:mild |massive |minor "
    r"|second |bad )?(?:stroke|flu|fit|std|sti)\b|"
    rf"(?<![a-z])(?:{_ORGAN_OF} ){{1,3}}{_DISORDER}\b|\b[A-Z][a-z]{{3,}}['’]s {_DISORDER}\b",
    re.A,
)
_STEMS = re.compile(
    r"\b[A-Za-z]{2,16}(?:itis|emia|aemia|osis|opathy|ectomy|oscopy|otomy|plasty|algia"
    r"|(?:carcin|melan|lymph|gli|sarc|blast|neur|aden|oste|ha?emat|glauc|fibr)oma|pril|sartan"
    r"|statin|olol|prazole|conazole|cillin"
    r"|mycin|cycline|floxacin|oxetine|traline|azepam|zolam|dipine|gliptin|gliflozin|glutide"
    r"|tidine|triptan|tinib|ximab|zumab|umab|mab|parin|xaban"
    r"|formin|thyroxine|caine|barbital|profen|setron|lukast|terol|dronate|vudine|navir"
    r"|ciclovir|cyclovir|phobia|plegia)s?\b",
    re.A,
)
_NO_STEM = word_set(
    "diagnosis hypnosis osmosis metamorphosis symbiosis apoptosis mitosis meiosis prognosis "
    "academia bohemia macadamia "
    "nostalgia microscopy spectroscopy dichotomy lobotomy transposis april control patrol"
)
_NO_DRUG = word_set(
    "takes taking takes need needs with about only just have take took from least most over "
    "under around approximately plus "
    "than that this contains sodium caffeine sugar "
    "salt water protein calcium potassium magnesium weighs weight dose daily each per the and "
    "every another"
)
_VAGUE = word_set(
    "it that this them what something anything everything nothing these those him her you me "
    "us everyone change changes feedback one noise "
    "light criticism time meetings mondays being having getting doing"
)
_HAN_VAGUE = word_set(
    "什么 这个 那个 它 一些 很多 错误 问题 异常 原因 结果 自己 大家 别的 没有 不是 是否 "
    "有没有 一个 新冠 皮肤 食物 药物 季节 花粉"
) - {"花粉", "新冠", "药物"}


def find_health(text: str) -> Iterator[Found]:
    """Diagnoses, medicines, allergens, operations and measured findings."""
    hits = [Found(hit.start, hit.end, "HEALTH") for hit in _lexicon().find(text)]
    if not text.isascii():
        hits += _chinese(text)
        yield from _beside(text, hits)
    yield from hits
    yield from _english(text)


@cache
def _lexicon() -> Terms:
    lines = (
        files("slowwave.privacy").joinpath("health.txt").read_text(encoding="utf-8").splitlines()
    )
    return Terms(
        term.strip() for line in lines if not line.startswith("#") for term in line.split(",")
    )


def _beside(text: str, hits: Iterable[Found]) -> Iterator[Found]:
    for hit in hits:
        more = _AND.match(text, hit.end)
        if more is not None and _TAKES.search(text, max(0, hit.start - 16), hit.start):
            yield Found(*more.span("more"), "HEALTH")


def _chinese(text: str) -> Iterator[Found]:
    for match in _ZH.finditer(text):
        yield Found(match.start() + _lead(match[0]), match.end(), "HEALTH")
    for match in _ZH_CUES.finditer(text):
        name = match.lastgroup
        if name is not None and match[name].strip() not in _HAN_VAGUE:
            lead = _lead(match[name]) if name == "before" else 0
            yield Found(match.start(name) + lead, match.end(name), "HEALTH")


_AND = re.compile(r"(?:和|、|及|跟|加|还有)(?P<more>[\u4e00-\u9fff]{2,6})(?=[,，。;；!！\n]|$)")
_TAKES = re.compile(r"(?:[吃服用打]|开了|药)[^,，。;；\n]{0,12}$")
"""A second medicine, named beside a first one that somebody takes."""
_LEADING = re.compile(
    r"^(?:[对我你他她有的了是得患因为和跟又也还在都没说被吃服用开把给让注射每天晚早上中午后一直]"
    r"{1,5})(?=..)",
    re.A,
)


def _lead(words: str) -> int:
    """How many characters in front belong to the sentence and not to the disease."""
    found = _LEADING.match(words)
    return found.end() if found else 0


def _english(text: str) -> Iterator[Found]:
    for match in _EN.finditer(text):
        name = match.lastgroup
        if name is None:
            continue
        value = match[name].lower()
        if value in _VAGUE or (name in ("drug", "dosed") and value in _NO_DRUG):
            continue
        start, end = match.span(name)
        if name == "before" and " " in value:
            start += value.index(" ") + 1 if value.split(" ")[0] in ENGLISH else 0
        if name != "before" or value.split(" ")[-1] not in ENGLISH:
            yield Found(start, end, "HEALTH")
    for pattern in (_EN_FINDING, _NAMED_EN):
        yield from (Found(*match.span(), "HEALTH") for match in pattern.finditer(text))
    for match in _STEMS.finditer(text):
        low = match[0].lower()
        if low not in _NO_STEM and len(low) >= 6:
            yield Found(*match.span(), "HEALTH")
