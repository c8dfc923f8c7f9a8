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
    "左右双侧上中下叶段"
    "淋巴食十二指盆附件阴中外内急慢性浅表萎缩糜烂滑毛囊湿脂溢过敏带状类风细菌病毒真盘膝踝腕肩"
    "髋股肘阑尾输卵管宫颈口腔舌视网黄斑声带"
)
_ZH = re.compile(
    # An organ and what is wrong with it.
    rf"[{_ORGANS}]{{1,10}}(?:炎|癌|瘤|病变?|结石|溃疡|囊肿|息肉|硬化|增生|出血|梗死?|梗塞"
    rf"|衰竭|积液|结节|肥大|突出|水肿|狭窄"
    r"|磨玻璃(?:样|影|结节|密度)*|钙化(?:灶|斑)?|阴影|病灶|占位|积气|粘连|萎缩|坏死|增厚|偏曲|脱位"
    r"|感染|损伤|骨折|劳损|脱落|穿孔|疱疹|湿疹|疣|斑块|栓塞|血栓|移植|切除|造影|支架)"
    r"|(?:[\u4e00-\u9fff]{0,3}(?:穿刺|组织))?活检|[\u4e00-\u9fff]{0,3}(?:搭桥|消融|剖腹产"
    r"|剖宫产|人流|引产|置换术|核磁共振|增强CT)|[胃肠喉膀胱宫腹关节腔]{1,3}镜(?!头|子)"
    r"|[\u4e00-\u9fff]{1,6}(?:综合征|综合症|恐惧症|强迫症|障碍症|妄想症|缺乏症)"
    r"|(?:(?:广泛性|持续性|双相|强迫|社交|神经|发作性|混合性|创伤后|适应)?(?:焦虑|抑郁|情感"
    r"|人格|睡眠|认知|发育|语言|听力|视力|进食|应激|惊恐|学习|吞咽|躯体|勃起|凝血|肝功能"
    r"|肾功能|内分泌|电解质|代谢|自主神经|植物神经|月经)(?:性|谱系|功能)?(?:障碍|失调|紊乱"
    r"|异常|不全|减退)症?)"
    r"|(?:[\u4e00-\u9fff]{2,6}[省市区县州])?[\u4e00-\u9fff]{0,6}(?:第[一二三四五六七八九十]|人民|中医|妇幼|肿瘤|儿童"
    r"|口腔|眼科|附属|协和|骨科|胸科|精神|康复|华西|同济)[\u4e00-\u9fff]{0,6}(?:医院|卫生院|门诊部|疗养院)"
    r"|(?:BI|TI|LI|PI)-?RADS\s?\d\w?"
    # The stems of medicines.
    r"|[\u4e00-\u9fff]{1,5}(?:洛尔|他汀钙?|沙坦|普利|地平|西林|霉素|拉唑|替丁|沙星|替尼|单抗"
    r"|西泮|唑仑|唑吡坦|双胍|洛芬|匹林|西汀"
    r"|舍曲林|拉法辛|康唑|克索|培南|曲松|呋辛|克肟|他啶|噻嗪|曲坦|司琼|昔布|昔洛韦|卡韦|茶碱"
    r"|美辛|孕酮|奈德|特罗|司他|列汀|列净|格列[\u4e00-\u9fff]|肾上腺素|皮质激素"
    r"|胰岛素|肽注射液)(?:缓释)?(?:片|胶囊|注射液|针|颗粒|滴丸|喷雾|软膏|乳膏|滴眼液)?"
    r"|[\u4e00-\u9fff]{2,6}(?:缓释片|肠溶片|口服液|滴眼液|注射液|分散片|滴丸|含片)"
    # Findings and their figures.
    r"|(?:血压|血糖|空腹血糖|餐后血糖|血脂|胆固醇|甘油三酯|尿酸|心率|糖化血红蛋白|糖化|血氧"
    r"|转氨酶|肌酐|白细胞|血小板|血红蛋白|促甲状腺激素|体脂率?|眼压|体温|烧到|高烧|血沉|抗体|载量|骨密度|肺活量|视力|度数)"
    r"[^\d\n,，。;；]{0,8}\d{1,4}(?:[./]\d{1,3})?(?:\s?(?:mmHg|mmol/L|umol/L|μmol/L|mg/dL|g/L"
    r"|bpm|%))?"
    r"|(?:血压|血糖|血脂|尿酸|胆固醇|转氨酶|血粘度|眼压|心率|体重)(?:偏|有点|太|很|特别|一直|总是?|又){0,2}[高低快慢]"
    r"|血型[是为:\s]{0,3}(?:AB|A|B|O)型?(?:阳性|阴性|[+-])?|(?:AB|A|B"
    r"|O)型(?:Rh)?(?:血|阳性|阴性)", re.A
)  # fmt: skip
_FELT = re.compile(
    # What is felt: a part of the body and what it does; and signs that have names of their own.
    r"(?:心口?|胸口?|头|脑袋|太阳穴|胃|肚子|小腹|下腹|腹部?|腰|背|后背|肩膀?|脖子|颈椎?|膝盖?|腿|脚踝?|脚|手腕?"
    r"|手指|关节|骨头|肋骨|嗓子|喉咙|咽喉|牙龈?|眼睛?|眼|耳朵?|鼻子|皮肤|嘴角?|舌头|乳房|肛门|下体|全身"
    r"|浑身|四肢|半身|小便|大便|尿|月经|例假|血压|血糖|食道)(?:一直|总是?|有点|老是?|经常|又|很|特别|阵阵"
    r"|隐隐|时不时|突然|开始|偏|发|会|里|都|上|部|处|还){0,3}"
    r"(?:疼痛?|痛|慌|闷|晕|胀|麻木?|痒|酸痛?|绞痛|刺痛|抽筋|抽搐|发麻|发凉|发烫|发紫|发黑|红肿|肿胀?|肿了"
    r"|出血|流血|流脓|溃烂|起疹子?|起泡|脱皮|僵硬|无力|乏力|发软|水肿|浮肿|震颤|发抖|反酸|烧灼|灼热|堵塞"
    r"|不通|失禁|带血|有血|泛黄|推迟|不调|过多|刺痛|充血|干涩|模糊|飞蚊|鸣|聋|失明|瘫痪?|偏高|偏低|不稳)"
    r"|盗汗|气短|心悸|胸闷|心慌|气喘|哮鸣|多梦|早醒|乏力|嗜睡|恶心|呕吐|干呕|反胃|反酸|烧心|嗳气|腹胀|便血"
    r"|尿频|尿急|尿痛|血尿|蛋白尿|咳血|咯血|吐血|咳嗽|咳痰|咳[黄白绿血浓]痰|黄痰|浮肿|水肿|晕厥|昏迷|眩晕|耳聋|发烧|高烧|低烧"
    r"|退烧|畏寒|寒战|鼻塞|流鼻血|打鼾|夜尿|闭经|痛经|漏尿|脱发|掉发|抽搐|手抖|幻听|幻觉|厌食|暴食|自闭"
    r"|社恐|轻生|割腕|厌世|贫血|黄疸|起疹|皮疹|红疹|疹子|化脓|结痂|溃疡|静脉曲张|骨裂|脱臼|扭伤|拉伤"
    r"|烫伤|骨质增生|滑膜|积水|息肉|囊肿|结节|增生|阴影|肿块|占位|阳性|阴性|阳了|复发|转移|术后|住院|出院"
    r"|开刀|手术|化验|CT|B超|彩超|胃镜|肠镜|核磁|心电图|血常规|尿常规|肝功|肾功|穿刺|透析|输血|输液|打吊针"
    r"|吊水|挂水|雾化|针灸|拔罐|理疗|康复训练|假肢|助听器|轮椅|心脏支架|起搏器|人工关节|自闭谱系(?:障碍)?|谱系|备孕|胎停|保胎|宫外孕"
    r"|验孕|排卵|促排|移植|取卵|月子病|[\u4e00-\u9fff]{1,2}毒阳性|[甲乙丙戊]型?肝炎|大小三阳|HPV|HIV|幽门"
)
_FELT_EN = re.compile(
    r"\b(?:(?:chest|back|lower back|neck|shoulder|knee|hip|joint|stomach|belly|abdominal"
    r"|pelvic|tooth|ear"
    r"|eye|head|muscle|period|leg|foot|arm|wrist|jaw|breast|throat|nerve"
    r"|phantom)[- ]?(?:pains?|aches?|cramps?"
    r"|spasms?|swelling|numbness|discharge|bleeding|stiffness|injury|surgery|replacement|infection)"
    r"|(?:heart )?murmurs?|burping|belching|bloat(?:ed|ing)|acid reflux|sore throat"
    r"|runny nose|hair loss|night terrors|sleepwalking|hoarse(?:ness)?|(?:temperature|temp"
    r"|fever) of \d+(?:\.\d)?|headaches?|migraines?|heartburn|nausea|nauseous|vomit(?:ing|ed"
    r"|s)?|dizzy(?: spells?)?"
    r"|dizziness|vertigo"
    r"|faint(?:ed|ing)(?: spells?)?|blackouts?|palpitations|shortness of breath"
    r"|breathless(?:ness)?|wheez(?:e|ing)"
    r"|night sweats|hot flush(?:es)?|hot flash(?:es)?|fevers?|chills|rash(?:es)?|hives"
    r"|itch(?:ing|y)|swollen \w+"
    r"|numb(?:ness)?|tingling|tremors?|seizures?|spotting|constipat(?:ed|ion)|diarrh(?:o)?ea|incontinen(?:t|ce)"
    r"|insomnia|sleepless(?:ness)?|panic attacks?|suicidal(?: thoughts)?|self[- ]harm(?:ed"
    r"|ing)?|cutting myself"
    r"|hallucinat\w+|flashbacks|mood swings|manic(?: episode)?|hypomani\w+|relaps(?:e|ed|ing)"
    r"|detox|rehab"
    r"|hot to the touch|blood in (?:my|his|her|the) (?:urine|stool)|lumps? (?:in|on"
    r"|under) (?:my|his|her) \w+"
    r"|missed (?:my|her) period|miscarr\w+|stillb\w+|c-section|ivf(?: round| cycle)?"
    r"|egg retrieval|hysterectomy"
    r"|vasectomy|mammogram|colonoscopy|endoscopy|biops(?:y|ies)|mri|ct scan|pet scan|x-rays?"
    r"|ultrasound|ecg|ekg|eeg"
    r"|pap smear|blood (?:test|work|panel|count)s?|chemo(?:therapy)?|radiotherapy|dialysis"
    r"|transfusions?|insulin"
    r"|inhalers?|epipens?|catheter|stoma|colostomy|prosthe\w+|hearing aids?|wheelchair"
    r"|walking frame|pacemaker"
    r"|(?:anti)?depressants?|antibiotics?|antihistamines?|painkillers?|steroids?"
    r"|beta[- ]blockers?|blood thinners?"
    r"|statins?|ssris?|birth control|the pill|hrt|methadone|opioids?)\b",
    re.I | re.A,
)
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
    r"|移植术?|化疗|放疗|透析|镜检查|造影))"
    r"|(?:做|接受|参加|进行|约|上)(?:了|着|一次|几次|过)?(?P<therapy>[\u4e00-\u9fff]{2,6}(?:训练(?!营)|治疗|疗法|康复"
    r"|干预|复健|疏导|心理咨询|评估(?=[,，。\s]|$)))",
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
    r"|viral load|creatinine|triglycerides|platelets|oxygen saturation|body fat)|(?i:hba1c|a1c)"
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
    r"(?<=broke )(?:my|his|her|their|your) (?:(?:left|right) )?(?:wrist|arm|leg|ankle|hip"
    r"|foot|toe|finger|thumb|rib|nose|jaw"
    r"|back|neck|collarbone|elbow|knee|hand|shoulder|tooth|skull)s?\b|"
    r"\b(?:fractured|sprained|dislocated|tore|twisted|ruptured|injured|herniated) (?:my|his"
    r"|her|their|an?) (?:(?:left|right) )?[a-z]+\b|"
    r"\b(?i:HIV|HPV|HSV|covid|hep(?:atitis)? [ABC]|BRCA ?[12]?|TB|strep|syphilis"
    r"|lyme)[ -](?i:positive|negative|pos|neg)\b|"
    r"\b(?:AB|A|B|O)(?:\s|-)(?:[Nn]egative|[Pp]ositive|neg|pos)\b|(?<![\w+])(?:AB|O)[+-](?![\w+-])|"
    r"(?:\b[A-Z][a-z'’]+ ){1,3}(?:Hospital|Infirmary|Hospice|Clinic|Medical Cent(?:er|re)"
    r"|Sanatorium"
    r"|Nursing Home|Cancer Cent(?:er|re)|Rehab)\b|\bSt\.? [A-Z][a-z]{3,}['’]s?\b(?! (?:Street"
    r"|Road|Church|School|Day))|"
    r"\b(?:his|her|my|their|had an?|having an?|suffered an?)\s(?:mild |massive |minor "
    r"|second |bad )?(?:stroke|flu|fit|std|sti)\b|"
    r"(?<![A-Za-z])(?:(?!(?:the|this|that|a|an|any|no|some|of|and|or|my|his|her|your|our|their|in|with)\b)"
    r"[A-Za-z][a-z-]{2,16} ){1,3}(?:disorders?|syndrome|dystrophy|palsy|sclerosis|neuropathy"
    r"|dysphoria|dysplasia"
    r"|disabilit(?:y|ies)|intolerance|addiction|withdrawal|overdose|infusions?)\b"
    r"|\b\d{1,2} (?:weeks|months|wks) (?:along|pregnant|gone|postpartum|sober|clean)\b"
    r"|\b(?:sober|clean) for \d+ \w+"
    rf"|(?<![a-z])(?:{_ORGAN_OF} ){{1,3}}{_DISORDER}\b|\b[A-Z][a-z]{{3,}}['’]s {_DISORDER}\b",
    re.A,
)
_STEMS = re.compile(
    r"\b[A-Za-z]{2,16}(?:itis|emia|aemia|osis|opathy|ectomy|oscopy|otomy|plasty|algia"
    r"|(?:carcin|melan|lymph|gli|sarc|blast|neur|aden|oste|ha?emat|glauc|fibr)oma|pril|sartan"
    r"|statin|olol|prazole|conazole|cillin"
    r"|mycin|cycline|floxacin|oxetine|traline|azepam|zolam|dipine|gliptin|gliflozin|glutide"
    r"|tidine|triptan|tinib|ximab|zumab|umab|mab|parin|xaban"
    r"|(?:lex|prax|calcul|phas|graph|plas|somn|rrhoe|rrhe|card|pne|noe|pen|kines|esthes|thym|hydr)ia"
    r"|(?:dys|cata|hypo|hyper)tonia|aturia|ysuria|formin|thyroxine|caine|barbital|profen|setron|lukast|terol|dronate|vudine|navir"
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
    told = [*hits, *_english(text)]
    yield from told
    yield from _qualified(text, told)
    if any(char in text for char in "0123456789"):
        yield from _dosed(text, told)


@cache
def _lexicon() -> Terms:
    lines = (
        files("slowwave.privacy").joinpath("health.txt").read_text(encoding="utf-8").splitlines()
    )
    return Terms(
        term.strip() for line in lines if not line.startswith("#") for term in line.split(",")
    )


_BEFORE_EN = re.compile(
    r"(?:(?:[A-Za-z]{2,14}(?:al|ar|ic|oid|ary|ive|ous)|cluster|tension|complex|severe|mild|acute|recurrent|major|bilateral|heart|lobe|nerve|cell|valve"
    r"|bone|skin|type \w{1,2}|stage \w{1,3}"
    r"|grade \w{1,3}|end-stage|early-onset|late-onset|post-\w+|non-\w+)[ -]){1,4}$",
    re.A,
)
_NO_QUALITY = word_set(
    "several special social personal actual usual normal typical basic public classic panic music"
)


_DOSE = r"\d{1,4}(?:\.\d{1,2})?\s?(?:mg|mcg|µg|ug|ml|mL|IU|units?|g|毫克|微克|片|粒|单位)"
_DOSE_AFTER = re.compile(rf"\s?{_DOSE}(?![A-Za-z])", re.A)
_DOSE_BEFORE = re.compile(rf"{_DOSE}\s(?:of\s)?$", re.A)


def _dosed(text: str, hits: Iterable[Found]) -> Iterator[Found]:
    """The dose beside a medicine."""
    for hit in hits:
        after = _DOSE_AFTER.match(text, hit.end)
        if after is not None:
            yield Found(hit.start, after.end(), "HEALTH")
        before = _DOSE_BEFORE.search(text, max(0, hit.start - 16), hit.start)
        if before is not None:
            yield Found(before.start(), hit.end, "HEALTH")


def _qualified(text: str, hits: Iterable[Found]) -> Iterator[Found]:
    """The words in front of an English illness that tell which one it is."""
    for hit in hits:
        if not text[hit.start : hit.end].isascii():
            continue
        low = max(0, hit.start - 48)
        more = _BEFORE_EN.search(text[low : hit.start])
        if more is not None and more[0].split()[0].lower() not in _NO_QUALITY:
            yield Found(low + more.start(), hit.end, "HEALTH")


def _beside(text: str, hits: Iterable[Found]) -> Iterator[Found]:
    for hit in hits:
        more = _AND.match(text, hit.end)
        if more is not None and _TAKES.search(text, max(0, hit.start - 16), hit.start):
            yield Found(*more.span("more"), "HEALTH")


def _chinese(text: str) -> Iterator[Found]:
    for match in _ZH.finditer(text):
        yield Found(match.start() + _lead(match[0]), match.end(), "HEALTH")
    yield from (Found(*match.span(), "HEALTH") for match in _FELT.finditer(text) if _is_felt(match))
    for match in _ZH_CUES.finditer(text):
        name = match.lastgroup
        if name is not None and match[name].strip() not in _HAN_VAGUE:
            lead = _lead(match[name]) if name == "before" else 0
            yield Found(match.start(name) + lead, match.end(name), "HEALTH")


_AND = re.compile(r"(?:和|、|及|跟|加|还有)(?P<more>[\u4e00-\u9fff]{2,6})(?=[,，。;；!！\n]|$)")
_TAKES = re.compile(r"(?:[吃服用打]|开了|药)[^,，。;；\n]{0,12}$")
"""A second medicine, named beside a first one that somebody takes."""
_LEADING = re.compile(
    r"^(?:[对我你他她有的了是得患因为和跟又也还在都没说被吃服用开把给让注射每天晚早上中午后一直长期]"
    r"{1,5})(?=..)",
    re.A,
)


_FELT_ELSEWHERE = re.compile(r"(?:转移|复发|手术|阳性|阴性|阴影|出院|住院|增生|移植|占位)")
"""What machines, data and sports have too: only beside a word of health or a person."""
_OF_HEALTH = re.compile(
    r"[病症癌瘤痛疼医药诊疗查肺肝胃肾脑乳肠腺骨血]|[我她他妈爸爷奶婆]|做了?|月|年前"
)


def _is_felt(match: re.Match[str]) -> bool:
    if not _FELT_ELSEWHERE.fullmatch(match[0]):
        return True
    return bool(_OF_HEALTH.search(match.string[max(0, match.start() - 10) : match.start()]))


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
    for pattern in (_EN_FINDING, _NAMED_EN, _FELT_EN):
        yield from (Found(*match.span(), "HEALTH") for match in pattern.finditer(text))
    for match in _STEMS.finditer(text):
        low = match[0].lower()
        if low not in _NO_STEM and len(low) >= 6:
            yield Found(*match.span(), "HEALTH")
