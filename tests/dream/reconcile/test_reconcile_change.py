"""Everyday change, kind by kind: what ends an older memory, and what only sounds like it."""

from datetime import UTC, datetime

import pytest

from slowwave.dream.reconcile.stage import reconcile
from slowwave.model import Claim, Evidence, Kind, Memory, Standing

ROLES = """
My manager is Dana | Piotr took over from Dana as my manager
My manager is Dana Whitlock | Starting today, I report to Piotr instead of Dana
Our team lead is Sunita | Sunita left and Graham is our new team lead
My dentist is Dr Alvarez | I switched dentists, I see Dr Novak now
The on-call owner for billing is Henrik | Henrik handed billing on-call over to Mei
Our accountant is Ruth Pell | Ruth Pell retired; our new accountant is Owen Marsh
Carla leads the mobile team | Bruno is leading the mobile team now, Carla moved to sales
My PT is called Jonas | I've got a new PT, her name is Wilma
The project sponsor is Mr Haddad | Ms Lindqvist replaced Mr Haddad as project sponsor
我的主管是陈立 | 我的主管换成周敏了
我们组长是小吴 | 小吴调走了，现在组长是阿凯
项目经理是黄莉 | 项目经理由黄莉换成了罗峰
我的导师是秦教授 | 韩教授接替秦教授当我的导师
班主任是杜老师 | 新班主任是施老师
对接人是老胡 | 以后对接人是小何，老胡不管了
数学老师是刘老师 | 这学期数学换成孙老师教了
家庭医生是贺医生 | 我换家庭医生了，现在看的是庞医生
我们校长是邓启明 | 邓校长退休了，从今天起校长是柏舟
社区医生是韦大夫 | 韦大夫调去分院了，以后社区医生是祝大夫
护士长是简宁 | 简宁被调到急诊，从明天起护士长换成尤兰
Our vicar is Mr Pell | Mr Pell moved to Hexham, from today the vicar is Mrs Orde
The phones are with Tarro and they're awful | The phones are with Belvo since today
"""
GIVEN_UP = """
I drink two coffees a day | I quit coffee
I drink two coffees a day | I've given up coffee completely
I smoke half a pack a day | I stopped smoking
I go to yoga on Mondays and Thursdays | I don't do yoga anymore
I take piano lessons on Fridays | I gave up the piano lessons
I have a subscription to Weekly Harbour | I cancelled my Weekly Harbour subscription
I play tennis with Olaf every Saturday | Olaf and I no longer play tennis
I run five kilometres every morning | I had to stop running because of my knee
I'm on a keto diet | I'm off keto now
I eat meat about twice a week | I went vegetarian
我每天喝两杯咖啡 | 我戒咖啡了
我每天抽半包烟 | 我戒烟了
我周三和周五去上瑜伽课 | 瑜伽课我不上了
我在学小提琴 | 小提琴我不学了
我每天早上跑五公里 | 膝盖不行，以后不跑步了
我订了《城北日报》 | 《城北日报》退订了
我养了一只猫叫团团 | 团团送人了
我每个周末去钓鱼 | 我已经不钓鱼了
I take three sugars in my tea | No sugar for me from now on, dentist says
I have a beer every evening | No more beer for me, doctor's orders
I eat two eggs for breakfast | From today no eggs for me because of my cholesterol
我每天抽一包烟 | 医生说肺不好，从今天起不抽了，烟戒了
每天早上喝一大杯咖啡 | 胃不好，从今天开始咖啡不碰了
我每晚吃一包薯片 | 血脂高，薯片以后不吃了
"""
OTHER_HOURS = """
晚上跑步 | 改成早上六点跑步
我晚上九点跑步 | 以后改成早上六点跑步
我一般晚上健身 | 健身改到中午了
I run in the evening | I switched to running at 6 in the morning
I usually go swimming at lunch | I moved my swims to before work
My therapy session is on Monday evenings | Therapy is on Thursday mornings from now on
我每周二去看外婆 | 看外婆改到每周四了
"""
MOVED = """
My address is 14 Rose Lane | After weeks of boxes we moved, and our new address is 8 Quay Street
We live on Alder Road | The move is done, we're living on Birch Avenue since Saturday
I live in Tallinn | The job in Riga worked out, so I'm living in Riga now
Our office is at 22 Fenner Street | The lease ended, so from Monday the office is at 5 Corn Market
我住在梅园路 18 号 | 折腾了一个月总算搬完了，现在住银杏里 6 栋 1203，快递以后寄这边
公司地址是青石街 9 号 | 公司上周搬了，新地址是望江路 77 号
收货地址写菊香苑 3 幢 | 我们搬家了，收货地址改成荷风里 5 幢 201
我家在城东 | 上个月我们家从城东搬到了河西
我在泉州租房住 | 工作调动，我已经搬到厦门了
暂时住在表哥家，枫桥路 21 号，快递寄这里 | 搬好了，现在住鹿鸣苑 4 栋 602，用这个地址
I'm staying at 5 Mill Row for the moment | I've moved, I now live at 19 Tarn Close, use this address
"""
POSTPONED = """
The design review is on Monday at 10 | The design review moved to Tuesday
The design review is on Monday at 10 | Design review got pushed to Wednesday at 3pm
The kickoff with Brightwell is on May 4 | Brightwell asked to postpone the kickoff to May 11
Dentist appointment on June 3 at 9:00 | The dentist moved my appointment to June 5
The submission deadline is March 20 | They extended the submission deadline to March 27
The report is due on Friday | The report is now due on Monday
Our flight to Oslo leaves at 7:15 | The Oslo flight was delayed, it leaves at 9:40 now
家长会是周四晚上七点 | 家长会推迟到下周一
周三上午开评审会 | 评审会改到周五下午
论文 5 月 10 日截止 | 论文截止日期延到 5 月 24 日
交稿日是 6 月 3 日 | 出版社把交稿日推到 6 月 17 日了
面试定在周二上午十点 | 面试改时间了，改成周三下午两点
体检约的是 8 月 2 日 | 体检改约到 8 月 9 日
去成都的高铁是早上 8:12 的 | 高铁票改签了，去成都改成 10:40 的
补助申请 9 月 10 日截止 | 补助申请延到 9 月 24 日了
The grant application is due on 10 September | They moved the grant deadline to 24 September
The tax return must be in by 31 January | Tax return deadline is now 14 February
合唱团每周三六点排练 | 合唱团排练改到周四七点
The choir rehearses on Wednesdays at six | Choir moves to Thursdays at seven
The book club meets every first Monday | Book club is on the first Friday from now on
"""
CALLED_OFF = """
We're going to Lisbon in October | The Lisbon trip is cancelled
I'm flying to Madrid on Friday for the trade fair | The Madrid trip is off
The team dinner is on Thursday at Lotus House | Thursday's team dinner got called off
I have a dentist appointment on May 12 | I cancelled the dentist appointment
I'm going to Priya's wedding in June | I'm not going to Priya's wedding after all
We plan to launch the referral programme in Q3 | We scrapped the referral programme
I signed up for the half marathon in April | I dropped out of the half marathon
I'm meeting Tobias for lunch on Wednesday | Lunch with Tobias isn't happening
下周去三亚度假 | 三亚不去了
十月去里斯本玩 | 里斯本的行程取消了
周五晚上和老同学聚餐 | 周五的聚餐取消了
我报了四月的半马 | 半马我退赛了，不跑了
打算买一辆电动车 | 电动车先不买了，算了
周六带孩子去动物园 | 动物园去不成了
下个月做员工旅行 | 员工旅行黄了
约了周三看房 | 周三的看房取消了
五月去敦煌玩五天 | 敦煌去不成了，机票退了
We're taking the kids to Skye in July | Skye is off, the ferry strike put paid to it
"""
OTHER_TOOLS = """
I use Notion for my notes | I moved my notes from Notion to Obsidian
We use Jenkins for CI | We switched from Jenkins to Buildkite
We deploy with Ansible | We replaced Ansible with Terraform
I write in Emacs | I've switched to Neovim, Emacs is history
Our tickets live in Trello | Tickets are in Linear now instead of Trello
The API is written in Flask | We rewrote the API in FastAPI
I listen to music on Spotify | I left Spotify for Tidal
我用印象笔记记东西 | 笔记从印象笔记换到了思源
我们用 Jenkins 跑 CI | CI 从 Jenkins 迁到 Drone 了
团队用飞书沟通 | 团队沟通改用企业微信了
我用 Vim 写代码 | 我现在改用 Helix 了，不用 Vim 了
前端框架是 Vue | 前端框架换成 Svelte 了
数据库用 MySQL | 数据库从 MySQL 切到 TiDB
记账用的是随手记 | 不用随手记了，现在记账用钱迹
I use Tallybook for the accounts | Tallybook is dropped, the accounts go into Ledgerly now
I keep my recipes in Paprika | Paprika is out, recipes go into Mela from now on
账目记在挖宝上 | 挖宝不用了，账目记到飞账里
我用便签记排班 | 便签不用了，排班都记到日历里
"""
OTHER_NUMBERS = """
The gateway listens on port 8080 | The gateway listens on port 9090 now
My salary is 54k | I got a raise, my salary is 61k
The licence costs $20 per seat | The licence went up to $26 per seat
We are 12 people on the team | The team has grown to 15 people
The retention is 30 days | We set the retention to 90 days
网关端口是 8080 | 网关端口现在是 9090
我工资一万二 | 涨工资了，现在一万五
房租每月 3200 | 房租涨到 3600 了
团队有 12 个人 | 团队扩到 15 个人了
日志保留 30 天 | 日志保留期改为 90 天
每席位 20 美元 | 每席位涨到 26 美元
我体重 82 公斤 | 现在体重 78 公斤了
预算是五万 | 预算砍到三万五
Wi-Fi 密码是 lantern42 | Wi-Fi 密码改成 harbor77 了
办公室装修预算八万，不能再多 | 装修预算还是加到十万吧
The budget for the shed is 2,000, no more | The shed budget will be 2,600 after all
Wedding budget is 9k | We raised the wedding budget by 2k to 11k
妈妈的降压药是 5 毫克 | 李医生把妈妈的降压药改成 10 毫克了
爸爸每天吃二甲双胍 500 毫克 | 复查后医生让爸爸的二甲双胍加到 850 毫克
Mum's blood pressure pill is 5 mg | Dr Reid has changed Mum's blood pressure pill to 10 mg
Bess gets 20 mg of prednisolone | The vet lowered Bess's prednisolone to 10 mg
"""
CORRECTED = """
My flight is on June 3 | Correction: my flight is on June 4
The door code is 4471 | Sorry, I got that wrong, the door code is 4417
The contract is with Ferrow Ltd | Actually the contract is with Ferron Ltd
My daughter's teacher is Ms Bell | I misspoke, my daughter's teacher is Ms Hall
The invoice total is 840 euros | Correction, the invoice total is 480 euros, not 840
The dog was born in 2019 | Actually, the dog was born in 2018
The venue is Halden Hall | No wait, the venue is Harlan Hall
航班是 6 月 3 日 | 更正：航班是 6 月 4 日
门禁码是 4471 | 说错了，门禁码是 4417
合同甲方是恒远公司 | 更正一下，合同甲方是衡元公司
尺寸是 60 厘米 | 不对，尺寸是 65 厘米，不是 60 厘米
客户姓章 | 搞错了，客户姓张
发布会在杭州 | 记错了，发布会在苏州
"""
RELEASED = """
Don't send the newsletter for now | You can send the newsletter again
Please hold off on the migration | The migration can go ahead
Pause the ad campaign until further notice | Resume the ad campaign
No deploys this week | The freeze is over, deploys are fine again
暂时不要发简报 | 简报可以发了
先别动第二版海报 | 第二版海报可以开工了
暂停给小区群发通知 | 小区群通知恢复发送
这周不上线 | 解冻了，可以上线了
合同先不要寄 | 合同可以寄了
尾款到账之前先别寄样品 | 尾款到账了，样品可以寄了
等体检报告出来再约手术 | 体检报告出来了，约手术吧
Don't ship the chairs until the deposit is in | The deposit is in, ship the chairs
No painting before the plaster has dried | The plaster has dried, go on with the painting
Hold the hay order until Ned calls back | Ned called back, place the hay order
"""
DONE = """
I need to renew my passport in June | I renewed my passport
We have to pay the roofer by Friday | The roofer is paid
I'm going to book the ferry next week | I've booked the ferry
I want to submit the grant report on May 28 | The grant report has been submitted
下周要交物业费 | 物业费交了
周五之前要寄合同 | 合同已经寄了
打算下个月买书桌 | 书桌买了，橡木的
"""
BOTH = """
My manager is Dana | Piotr took over from Ines as head of sales
My manager is Dana | My sister's manager is Piotr
My manager is Dana | Dana took over the budget from Leo
Our team lead is Sunita | Sunita has a new puppy
Our team lead is Sunita | Our new intern is Graham
I drink two coffees a day | I quit smoking
I drink two coffees a day | My brother quit coffee
I drink two coffees a day | I quit my job at the coffee shop
I drink two coffees a day | I stopped by the coffee stand
I go to yoga on Mondays | I bought a new yoga mat
I work at a bakery | I gave up bread
晚上跑步 | 早上六点喝咖啡
我晚上跑步 | 我弟弟改成早上六点跑步
我晚上跑步 | 闹钟改成早上六点
My address is 14 Rose Lane | My parents' new address is 8 Quay Street
I live in Tallinn | My brother moved to Riga
I live in Tallinn | I moved my savings to Riga Bank
The design review is on Monday at 10 | The security review moved to Tuesday
The design review is on Monday at 10 | I moved to Tuesday yoga
The report is due on Friday | The invoice is due on Monday
We're going to Lisbon in October | The Porto trip is cancelled
We're going to Lisbon in October | The Lisbon office is closed in August
I'm flying to Madrid on Friday | My Netflix subscription is cancelled
I have a dentist appointment on May 12 | I cancelled the vet appointment
下周去三亚度假 | 桂林不去了
下周去三亚度假 | 健身房不去了
周五晚上和老同学聚餐 | 周六的聚餐取消了
打算买一辆电动车 | 电视先不买了
我用印象笔记记东西 | 日历从谷歌换到了苹果
We use Jenkins for CI | The design team switched from Sketch to Figma
We use Postgres and Redis | We switched our queue from RabbitMQ to NATS
I use Notion for my notes | I use Obsidian for my diary
The gateway listens on port 8080 | The admin panel listens on port 9090 now
My salary is 54k | My wife's salary is 61k
The licence costs $20 per seat | The hosting costs $26 per month
We are 12 people on the team | The book club has grown to 15 people
Rent is 1200 a month | The garage rent went up to 135
房租每月 3200 | 车位租金涨到 360 了
网关端口是 8080 | 后台端口现在是 9090
团队有 12 个人 | 群里有 15 个人了
My flight is on June 3 | Correction: the concert is on June 4
The door code is 4471 | Sorry, I got that wrong, the alarm code is 4417
门禁码是 4471 | 说错了，储物柜密码是 4417
航班是 6 月 3 日 | 更正：酒店是 6 月 4 日入住
Don't send the newsletter for now | You can send the invoice
Please hold off on the migration | The hiring can go ahead
暂时不要发简报 | 合同可以发了
先别动第二版海报 | 名片可以开工了
我的主管是陈立 | 我弟的主管换成周敏了
我们组长是小吴 | 隔壁组的组长换成阿凯了
班主任是杜老师 | 新英语老师是施老师
我每天喝两杯咖啡 | 我爸戒咖啡了
我每天喝两杯咖啡 | 我戒烟了
我在学小提琴 | 我在学法语
我养了一只猫叫团团 | 邻居的猫送人了
我住在梅园路 18 号 | 我爸妈搬到银杏里了
公司地址是青石街 9 号 | 客户公司搬到望江路 77 号
I like hiking | I stopped at the hiking store
The team dinner is on Thursday | The team lunch got called off
I smoke half a pack a day | I stopped drinking
I write in Emacs | My colleague switched to Neovim
My PT is called Jonas | My cat is called Wilma
We're moving to Leeds in May | We moved the sofa to the attic
I take the tram to work | I took the bus to the airport yesterday
我坐地铁上班 | 昨天打车去的机场
我开车上班 | 今天下雨，坐地铁来的
I have two kids | My sister has three kids
I read one book a month | I read three articles yesterday
I usually wake up at 6 | I woke up at 9 today
我一般六点起床 | 今天九点才起
我们校长是邓启明 | 从今天起值班老师是柏舟
我的牙医是韦大夫 | 从今天起社区医生是祝大夫
Our vicar is Mr Pell | From today the cleaner is Mrs Orde
My boss is Ines | My new laptop is a Framework
My boss is Ines | My boss is nice now
I take three sugars in my tea | No sugar in the recipe for the biscuits
I have a beer every evening | No beer at the office party this time
I eat two eggs for breakfast | From today no eggs for the dog
I keep my recipes in Paprika | Paprika is out of stock at the shop
I keep my recipes in Paprika | The recipe calls for paprika
我用便签记排班 | 便签纸用完了
账目记在挖宝上 | 挖宝那边下周开会
我每晚吃一包薯片 | 我儿子薯片不吃了
妈妈的降压药是 5 毫克 | 爸爸的降压药改成 10 毫克了
妈妈的降压药是 5 毫克 | 妈妈的维生素改成 10 毫克了
Mum's blood pressure pill is 5 mg | Dr Reid has changed Dad's blood pressure pill to 10 mg
尾款到账之前先别寄样品 | 样品做好了
尾款到账之前先别寄样品 | 定金到账了
Don't ship the chairs until the deposit is in | The chairs are ready
Don't ship the chairs until the deposit is in | The deposit is late
No painting before the plaster has dried | The painter has arrived
I worked until the kids came home | The kids came home
五月去敦煌玩五天 | 敦煌的照片删了
We're taking the kids to Skye in July | Skye is lovely this time of year
补助申请 9 月 10 日截止 | 报名延到 9 月 24 日了
The grant application is due on 10 September | They moved the school deadline to 24 September
合唱团每周三六点排练 | 乐队排练改到周四七点
The choir rehearses on Wednesdays at six | Yoga moves to Thursdays at seven
办公室装修预算八万 | 团建预算加到十万吧
I'm going for my dreams | I'm not gonna give up on my dreams
I keep chasing those goals | I won't quit on my goals
These walks bring joy | these walks do bring joy, don't they
I play chess with Ana | I never gave up chess
我在学德语 | 德语我不会放弃的
我每周去看奶奶 | 这周不去看奶奶了
我每天喝咖啡 | 今天不喝咖啡了
I go swimming on Mondays | Swimming is cancelled today
We have dinner at Mum's every Sunday | Sunday dinner at Mum's is off this week
I love running | I stopped running because of my knee
我喜欢钓鱼 | 我已经不去那个水库了
We use Slack and Notion | We moved our tasks from Notion to Linear
I have a cat and a dog | I gave away the cat carrier
My sister uses Notion | I switched from Notion to Obsidian
The API is written in Flask | The docs were moved from Flask to Sphinx pages
My phone is a Fairphone | I replaced the phone case with a leather one
My car is a Golf | I sold the car radio
I rent a garage on Elm Street | I quit the gym on Elm Street
My birthday is on June 3 | My flight is on June 4
Lena's birthday is on June 3 | Correction: Omar's birthday is on June 4
会议室在三楼 | 更正：食堂在四楼
客户姓章 | 更正：司机姓张
I want to visit Lisbon | I visited Lisbon Street
The Lisbon office opens in May | The Lisbon trip is cancelled
I run the finance team | Ana runs the design team now
Petra leads the search team | Bruno is leading the billing team now
我们班长是小吴 | 现在学习委员是阿凯
设计部主管是陈立 | 财务部主管换成周敏了
我的手机是小米 | 我妈的手机换成华为了
Tom is my cousin | Piotr is my new cousin
My friend is Dana | My new friend is Piotr
My dog is called Max | I've got a new dog, his name is Rex
I read the Harbour Weekly | My neighbour cancelled the Harbour Weekly
I need to renew my passport in June | I renewed the library card
We have to pay the roofer by Friday | We paid the plumber
下周要交物业费 | 电费交了
周五之前要寄合同 | 合同模板写好了
"""


def rows(*tables: str) -> list[tuple[str, str]]:
    lines = [line.split(" | ") for table in tables for line in table.strip().splitlines()]
    return [(one, other) for one, other in lines]


def claim(
    text: str, day: int, kind: Kind = "fact", standing: Standing = "standing", subject: str = "user"
) -> Claim:
    said = datetime(2026, 5, day, 9, tzinfo=UTC)
    span = Evidence(event_id=f"e{day}-{text}", quote=text, start=0, end=len(text), ts=said)
    return Claim(kind=kind, subject=subject, text=text, evidence=(span,), standing=standing)


def settled(*claims: Claim) -> dict[str, Memory]:
    """The memories after one night, by the words of their first evidence."""
    done = reconcile(
        claims, (), dream_id="d", space="home", now=datetime(2026, 5, 30, tzinfo=UTC),
        cosine=lambda _a, _b: None,
    )  # fmt: skip
    return {change.after.evidence[0].quote: change.after for change in done.changes}


@pytest.mark.parametrize(
    ("first", "second"),
    rows(ROLES, GIVEN_UP, OTHER_HOURS, MOVED, OTHER_TOOLS, OTHER_NUMBERS, CORRECTED),
)
def test_a_change_ends_what_it_speaks_of(first: str, second: str) -> None:
    memories = settled(claim(first, 3), claim(second, 20))
    assert (memories[first].status, memories[first].valid_to) == ("retired", "2026-05-20")
    assert memories[first].superseded_by == memories[second].id
    assert memories[second].status == "candidate"


@pytest.mark.parametrize("kind", ["plan", "fact"])
@pytest.mark.parametrize(("first", "second"), rows(POSTPONED, CALLED_OFF))
def test_a_plan_that_is_moved_or_called_off_is_over(first: str, second: str, kind: Kind) -> None:
    standing: Standing = "dated" if kind == "plan" else "standing"
    memories = settled(claim(first, 3, kind, standing), claim(second, 20))
    assert memories[first].superseded_by == memories[second].id


@pytest.mark.parametrize(("first", "second"), rows(RELEASED))
def test_a_hold_ends_when_it_is_released(first: str, second: str) -> None:
    memories = settled(claim(first, 3, "rule", "temporary"), claim(second, 20, "rule"))
    assert memories[first].superseded_by == memories[second].id


@pytest.mark.parametrize(("first", "second"), rows(DONE))
def test_what_was_to_be_done_ends_when_it_is_done(first: str, second: str) -> None:
    memories = settled(claim(first, 3, "plan", "dated"), claim(second, 20))
    assert memories[first].superseded_by == memories[second].id
    standing = settled(claim(first, 3), claim(second, 20))
    assert not standing[first].superseded_by, "only a plan is over when it has been done"


@pytest.mark.parametrize("kind", ["fact", "plan"])
@pytest.mark.parametrize(("first", "second"), rows(BOTH))
def test_what_only_sounds_like_a_change_ends_nothing(first: str, second: str, kind: Kind) -> None:
    standing: Standing = "dated" if kind == "plan" else "standing"
    memories = settled(claim(first, 3, kind, standing), claim(second, 20))
    assert set(memories) == {first, second}
    assert not any(memory.superseded_by or memory.valid_to for memory in memories.values())


@pytest.mark.parametrize(
    ("first", "one", "second", "other"),
    [
        ("My manager is Dana", "Dana", "Piotr took over from Dana as my manager", "Piotr"),
        ("Our vicar is Mr Pell", "Mr Pell", "From today the vicar is Mrs Orde", "Mrs Orde"),
        ("My dentist is Dr Moreau", "Dr Moreau", "My dentist is Dr Vance", "Dr Vance"),
        ("我的主管是陈立", "陈立", "我的主管换成周敏了", "周敏"),
        ("班主任是杜老师", "杜老师", "新班主任是施老师", "施老师"),
        ("我的导师是秦教授", "秦教授", "韩教授接替秦教授当我的导师", "韩教授"),
    ],
)
def test_a_role_passes_from_one_person_to_another(
    first: str, one: str, second: str, other: str
) -> None:
    old = claim(first, 3, "relationship", subject=one)
    memories = settled(old, claim(second, 20, "relationship", subject=other))
    assert memories[first].superseded_by == memories[second].id


@pytest.mark.parametrize(
    ("first", "one", "second", "other"),
    [
        ("Dana drinks tea", "Dana", "Piotr quit tea", "Piotr"),
        ("Dana lives in Oslo", "Dana", "Piotr moved to Bergen", "Piotr"),
        ("My manager is Dana", "Dana", "Piotr is Lena's manager now", "Piotr"),
        ("小吴抽烟", "小吴", "小郑戒烟了", "小郑"),
        ("陈叔住城南", "陈叔", "王叔搬到城北了", "王叔"),
    ],
)
def test_what_one_person_does_ends_nothing_of_another(
    first: str, one: str, second: str, other: str
) -> None:
    memories = settled(claim(first, 3, subject=one), claim(second, 20, subject=other))
    assert not any(memory.superseded_by for memory in memories.values())


def test_what_begins_next_week_ends_the_old_one_then() -> None:
    plan = Claim(
        kind="plan", subject="user", text="从下周一起校车改到 17:05", standing="dated",
        evidence=claim("从下周一起校车改到 17:05", 20).evidence, valid_from="2026-05-25",
    )  # fmt: skip
    old = settled(claim("校车 16:10 到", 3), plan)["校车 16:10 到"]
    assert (old.status, old.valid_to, old.superseded_by) == ("candidate", "2026-05-25", None)
