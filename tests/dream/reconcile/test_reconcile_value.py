"""The same slot with another value, in everyday words: the place is found by grammar, not by name.

Each pair was written before the code that reads it. What must stand are things of one kind: two
drugs, two budgets, two clubs, another person's hour.
"""

from datetime import UTC, datetime

import pytest

from slowwave.dream.reconcile.stage import reconcile
from slowwave.model import Claim, Evidence, Kind, Memory, Standing

REPLACED = """
我们店长是孟姐 | 孟姐调到总部了，从今天起店长是小阮
车间主任是老葛 | 老葛下个月退休，主任现在由韩峰接手了
社区网格员是丁大姐 | 丁大姐走了，新来的网格员叫陶欣
孩子的游泳教练姓莫 | 莫教练辞职了，现在带孩子的是方教练
我的责任护士是苏晴 | 苏晴调去产科了，我的责任护士换了，是郭敏
Our postman is Len | Len has retired, the new postman is called Dario
The site manager is Olga Brandt | Olga Brandt left on Friday; from today the site manager is Vikram Rao
Our contact at the bank is Ms Tully | Ms Tully has moved on and our contact at the bank is now Mr Osei
The chair of the allotment society is Hugh | Hugh stepped down, Marguerite is chair of the allotment society now
My hairdresser is Bea | Bea moved to Cork, so my hairdresser is Jamie these days
我每天晚上喝一罐啤酒 | 体检尿酸高，从今天起啤酒一口不喝了
早饭吃两根油条 | 医生说血脂高，油条我不吃了
我每天午睡一个小时 | 睡太多晚上失眠，午睡取消了
I have a can of cola with lunch every day | The dentist told me off, so no cola for me from today
I put salt on everything | Blood pressure's too high, I've cut out salt as of today
I go for a 10k run every Sunday | My knee is shot, I've stopped the Sunday runs for good
I eat crisps every evening | Crisps are off the menu for me now, cholesterol
目前借住在堂哥家，柳荫街 33 号，信寄那里 | 搬完了，现在住槐安里 2 栋 1501，以后寄这个地址
我暂住公司宿舍 B 座 411 | 从宿舍搬出来了，新住址是紫藤路 9 弄 6 号
For now I'm lodging at 12 Pond Street | I've moved out, my address is 4 Larch Way from now on
Post goes to my mum's, 31 Beech Road, for the time being | We've got our own place now: 7 Wren Court, send post there
We're renting a cottage in Ashby | We bought a house in Thornley and moved in at the weekend
幼儿园四点放学 | 给果果报了延时班，现在五点半才放学
英语课晚上七点开始 | 老师要接孩子，改成七点半上课了
小团子下午四点二十放学 | 加入了足球队，现在要到五点四十才放
Swimming finishes at 4:30 | Poppy's been moved up a group, so she finishes at 5:15 now
The nursery closes at five | They've started a late session, it closes at half past six now
Nora gets out of school at 3:15 | She's joined the robotics club, so Nora gets out at 4:30 now
我每天六点半起床 | 单位改了上班时间，我现在七点起
婚宴预算六万，不能超 | 婚宴还是得加，再加一万五，提到七万五
给爸买轮椅最多花三千 | 轮椅看了，三千的不行，放宽到四千二
沙发预算 4000 封顶 | 沙发 4000 的太硬了，再加 500，提到 4500
We've got 1,500 for the fence and that's it | The fence will be 1,900 after all
The bike can cost 800 at most | OK, the bike can cost up to 950
Order 40 bales of straw | Make it 60 bales of straw, the winter looks long
Kitchen budget: 12k, no more | Kitchen quote came in high, we raised the kitchen budget to 14k
记单词用的是百词盒 | 百词盒删了，单词现在记在墨记里
排班表在石墨上做 | 石墨不用了，排班表挪到腾讯文档
家里开销我记在本子上 | 本子丢了，开销以后记在手机备忘录
I track my runs in Stridely | Stridely is gone, my runs go into Pacelog now
We keep the flock records in a notebook | The notebook is retired; flock records go in HerdBook from today
Invoices are made in Zervo | We dropped Zervo, invoices come out of Billfast now
I listen to podcasts with Overcast | Deleted Overcast, podcasts are on Pocketcast now
外婆的阿司匹林每天 100 毫克 | 心内科大夫让外婆的阿司匹林减到 75 毫克
团团的优甲乐吃 25 微克 | 复诊后团团的优甲乐调到 37.5 微克
爸爸空腹血糖 8.2 | 这次复查爸爸空腹血糖降到 6.4 了
Dad takes 40 mg of atorvastatin | Dr Hale put Dad's atorvastatin down to 20 mg
Molly's insulin is 8 units at breakfast | The clinic has upped Molly's breakfast insulin to 10 units
Gran's thyroxine is 75 micrograms | The surgery rang: Gran's thyroxine is going up to 100 micrograms
标书 11 月 8 日前交 | 甲方把交标书的时间推到 11 月 15 日
孩子的作品 6 月 1 日截止 | 作品截止改到 6 月 12 日了
The planning application has to be in by 3 June | They've given us until 17 June for the planning application
Tenders close on 12 May | The closing date for tenders is now 26 May
The final draft is due Friday 8 May | Extension granted: the final draft is due Monday 18 May
读书会每月第一个周六 | 读书会改成每月第二个周日了
业委会每周二晚上八点开会 | 业委会以后周四晚上开
The quilting circle meets Tuesdays at seven | Quilting circle has moved to Wednesdays at half seven
Band practice is Monday evenings | From next week band practice is Thursday evenings
家里宽带是长城的 | 宽带换成电信了
桶装水一直订泉甘的 | 泉甘涨价，桶装水改订清源了
Our electricity is with Voltera | We've switched the electricity to Greenline
The milk comes from Hobbs's | Hobbs's packed it in, the milk comes from Dunmore Dairy now
The van is insured with Arden | Van insurance is with Castellan now, Arden wanted too much
国庆去漠河自驾 | 漠河自驾取消，车送修了
五一带爸妈去绍兴 | 妈妈扭了脚，绍兴去不了了
周日去爬香炉峰 | 下雨，周日不爬香炉峰了
We're off to Brittany in August | Brittany isn't going to happen, Tom's passport hasn't come
Camping at Loch Earn on the 20th | Loch Earn's been called off, midges and rain
I'm taking Joe to the steam fair on Saturday | No steam fair on Saturday, Joe's got chickenpox
我爸一天两包烟 | 肺片不好看，我爸把烟戒了
我每天早上两片培根 | 胆固醇超标，培根停了
晚上都要来一碗泡面 | 胃镜做完，医生让我别吃泡面了
Two glasses of wine with dinner every night | Liver results came back, no wine for me any more
I snack on salted peanuts all day | The nurse says my blood pressure's up, so I've given the peanuts a miss for good
眼下住姐姐那儿，清波路 7 号 3 单元，包裹寄这 | 房子装好搬过来了，地址换成秋山苑 12 幢 903
临时落脚在城北青旅 | 租好房了，住在望湖新村 5 栋
We're at my brother's for now, 9 Chapel Street | The new house is ours at last, we're at 22 Orchard Rise now
My address is Flat 3, 40 Dock Road | Moved last week: 11 Abbey Gardens, use that one from here on
报旅行团预算一万二顶天 | 想了想，旅行团预算再加三千，就一万五吧
新电脑控制在七千以内 | 新电脑七千买不到合适的，预算提高到八千五
本月广告费 2 万 | 广告费追加到 2.6 万
We set aside 600 for the boiler repair | The boiler repair will be 780 after all
No more than 300 on the christening cake | All right, 360 for the christening cake
Wool budget is 150 a month | I've put the wool budget up to 200 a month
小宝的退烧药每次 5 毫升 | 儿科让小宝的退烧药改成每次 7.5 毫升
爷爷胰岛素早上 12 个单位 | 内分泌科给爷爷的胰岛素加到 14 个单位
Uncle Ray is on 50 mg of losartan | The cardiologist moved Uncle Ray up to 100 mg of losartan
The mare gets 2 grams of bute | Vet says cut the mare's bute to 1 gram
舞蹈队每周五下午排练 | 舞蹈队以后每周三下午排练
家庭会议周日晚上开 | 家庭会议挪到周六上午了
The bell ringers practise on Thursdays at half seven | Bell ringers switch to Mondays at eight
Staff meeting is every second Tuesday at 9 | Staff meeting goes to every second Wednesday at 10
年检 4 月底前要做 | 年检推到 5 月 20 日了
论文初稿 3 月 15 日交 | 导师说论文初稿 3 月 29 日交就行
The quote for the barn is due 4 April | The barn quote isn't due till 18 April now
Passport renewal by 1 July | Passport renewal: they say 20 July is fine
表妹下周六来住两天 | 表妹不下周六来了，改到月底
Aunt Peg is coming on the 9th | Aunt Peg can't make the 9th, she's coming on the 23rd
I keep the mileage in a spreadsheet | The spreadsheet is retired, mileage goes into Drivelog from now on
We book tables with Platewise | Platewise is out; tables are booked through Seatly now
记步用手环 | 手环不戴了，记步现在用手机
照片都备份在移动硬盘 | 硬盘坏了，照片改存网盘
The phones are with Corvo, dreadful signal | We're with Nimbus for the phones since Monday
快递我都走捷达 | 捷达老丢件，以后快递都走安驰
The lock-keeper is Amos | Amos has gone, it's Petronella in the lock-keeper's job these days
The district nurse is Joan | Joan's off on maternity leave, Fergus is the district nurse now
物业经理是沈工 | 沈工调走了，物业经理今天起是马卓
小区团长是阿芬 | 阿芬不干了，现在团长是小米妈
元宵节去自贡看灯 | 票没抢到，自贡不去了
周末要去给外公扫墓 | 封路，扫墓取消
We've booked Crete for half term | Crete's off, half term's been moved
Sunday: walk up Blencathra with Ines | Blencathra's not happening, Ines has flu
兴趣班五点下课 | 妞妞换了高级班，六点才下课
我一般 7:40 出门 | 地铁改线，我现在 7:15 出门
Choir lets out at 8 | They've added warm-downs, so choir lets out at 8:20 now
我每天三瓶可乐 | 牙医说再喝就得拔牙，可乐从今天起断了
每天晚饭后抽两根烟 | 查出肺结节，今天开始一根都不抽了
I have four espressos before noon | From today I'm off espresso, the cardiologist insists
这段时间先住我姑家，榆钱胡同 5 号，有信送那边 | 搬走了，我现在住锦绣里 8 栋 302，信送这里
At the moment I'm at 6 Castle Row, send parcels there | I've moved. It's 31 Mallard Way now, please use that address
装修厨房预算四万，一分不多 | 厨房还是得花四万八，就按这个来
买相机预算 6000 | 相机预算再添 1500，涨到 7500
The greenhouse budget is 900, not a penny more | The greenhouse will come to 1,150 after all
Christmas presents: 400 in all | I've raised the Christmas presents to 550
外公的华法林一天 2.5 毫克 | 今天门诊把外公的华法林改成了 3 毫克
女儿的哮喘喷雾一天 2 喷 | 胡医生给女儿的哮喘喷雾加到一天 4 喷
Meg's metformin is 500 mg | Dr Anand has changed Meg's metformin to 850 mg
Grandad takes 10 mg of bisoprolol | Grandad's bisoprolol went down to 7.5 mg, the clinic says
The parish council meets on the first Monday at 7 | Parish council has moved to the second Thursday at 7:30
Toddler group is Wednesdays at 10 | Toddler group's on Fridays from now on, same time
羽毛球每周二晚八点 | 羽毛球改周四晚上七点半了
补贴材料 5 月 20 日前交 | 镇上通知补贴材料延到 6 月 3 日
The subsidy form must be in by 15 May | The ministry has pushed the subsidy form to 29 May
I log the milk yields in AgriPad | AgriPad is dropped, milk yields go into Fieldbook now
买菜的账我记在叮咚记 | 叮咚记卸载了，买菜的账以后记在小账本里
We're going to Orkney in June | Orkney is off, the boat's been sold out for months
八月带孩子去青海湖 | 青海湖不去了，孩子要补课
婆婆下周三过来住 | 婆婆改到下下周一来了
The vet is Mr Carrow, ring him about lambing | Mr Carrow has retired, the vet is Miss Dhillon these days
Broadband is with Skyeline and it's hopeless | Broadband is Lochnet since yesterday
村会计是老贺 | 老贺病休了，从这周起村会计是小范
班车司机是曾师傅 | 曾师傅调别的线了，班车现在是屈师傅开
The feed comes from Tolland Mill | Tolland Mill have shut, so the feed comes from Ashgrove from today
孩子钢琴课周六下午三点 | 钢琴老师有事，以后改周日上午十点上
Pottery ends at 8 | They put Lena in the advanced class, so pottery ends at 8:45 now
"""  # noqa: E501
RELEASED = """
定金没到之前不要开工 | 定金到了，开工吧
老板没签字先别下单 | 老板签了，可以下单
等样衣寄回来再排产 | 样衣寄回来了，排产吧
Don't book the ferry until Ingrid confirms | Ingrid confirmed, book the ferry
No orders to Falk until they've paid the March bill | Falk have paid the March bill, orders to them are fine again
Not before the vet's report: leave the sale of the heifers | The vet's report is here, go ahead with the sale of the heifers
款没打过来之前别开发票 | 款打过来了，开发票吧
消防验收没过，先不搬进去 | 消防验收过了，可以搬了
等爸爸出院再订酒席 | 爸爸出院了，酒席订吧
Don't release the artwork before Soren pays | Soren has paid, release the artwork
Leave the roof until the scaffolding is up | Scaffolding's up, get going on the roof
Nothing goes to print until legal has read it | Legal has read it, it can go to print
房款没到账先别给钥匙 | 房款到账了，把钥匙给人家吧
Don't release the wool to Haig until the invoice is paid | Haig's invoice is paid, release the wool
No ploughing until the ground dries out | The ground has dried out, get on with the ploughing
"""  # noqa: E501
BOTH = """
我们店长是孟姐 | 隔壁店的店长从今天起是小阮
车间主任是老葛 | 仓库主任现在是韩峰
孩子的游泳教练姓莫 | 孩子的钢琴老师姓方
Our postman is Len | The new milkman is called Dario
Our contact at the bank is Ms Tully | Our contact at the council is now Mr Osei
My hairdresser is Bea | My physio is Jamie these days
我每天晚上喝一罐啤酒 | 我每天早上喝一杯豆浆
我每天晚上喝一罐啤酒 | 从今天起白酒一口不喝了
早饭吃两根油条 | 晚饭面条我不吃了
I put salt on everything | I've cut out sugar as of today
I have a can of cola with lunch every day | Tina has cut out cola as of today
我暂住公司宿舍 B 座 411 | 公司搬到了紫藤路 9 弄 6 号
For now I'm lodging at 12 Pond Street | Gran's address is 4 Larch Way from now on
幼儿园四点放学 | 小学五点半放学
果果四点放学 | 豆豆现在五点半才放学
Swimming finishes at 4:30 | Judo finishes at 5:15 now
Nora gets out of school at 3:15 | Felix gets out of school at 4:30 now
The nursery closes at five | The pharmacy closes at half past six now
婚宴预算六万，不能超 | 蜜月预算提到七万五
沙发预算 4000 封顶 | 餐桌再加 500，提到 2500
We've got 1,500 for the fence and that's it | The gate will be 1,900 after all
Kitchen budget: 12k, no more | We raised the bathroom budget to 14k
Order 40 bales of straw | Order 60 bales of hay
记单词用的是百词盒 | 错题现在记在墨记里
排班表在石墨上做 | 报价单挪到腾讯文档
I track my runs in Stridely | My swims go into Pacelog now
We keep the flock records in a notebook | Feed records go in HerdBook from today
外婆的阿司匹林每天 100 毫克 | 外公的阿司匹林减到 75 毫克
外婆的阿司匹林每天 100 毫克 | 外婆的他汀减到 10 毫克
爸爸空腹血糖 8.2 | 爸爸餐后血糖降到 10.4 了
Dad takes 40 mg of atorvastatin | Dr Hale put Mum's atorvastatin down to 20 mg
Dad takes 40 mg of atorvastatin | Dr Hale put Dad's ramipril down to 5 mg
Molly's insulin is 8 units at breakfast | Molly's bedtime insulin is 10 units
定金没到之前不要开工 | 样品到了，可以验货
老板没签字先别下单 | 客户签了，可以开票
Don't book the ferry until Ingrid confirms | Ingrid called, she likes the ferry
No orders to Falk until they've paid the March bill | Brandt have paid the March bill
标书 11 月 8 日前交 | 保证金推到 11 月 15 日交
孩子的作品 6 月 1 日截止 | 夏令营报名截止改到 6 月 12 日了
Tenders close on 12 May | The closing date for the survey is now 26 May
The final draft is due Friday 8 May | The index is due Monday 18 May
读书会每月第一个周六 | 电影会改成每月第二个周日了
The quilting circle meets Tuesdays at seven | The knitting group has moved to Wednesdays at half seven
Band practice is Monday evenings | From next week football practice is Thursday evenings
家里宽带是长城的 | 公司宽带换成电信了
桶装水一直订泉甘的 | 牛奶改订清源了
Our electricity is with Voltera | We've switched the gas to Greenline
The milk comes from Hobbs's | The eggs come from Dunmore Dairy now
The van is insured with Arden | House insurance is with Castellan now
国庆去漠河自驾 | 元旦去哈尔滨
五一带爸妈去绍兴 | 五一的聚会取消了
We're off to Brittany in August | We're going to Dublin in May
Camping at Loch Earn on the 20th | The barbecue on the 20th has been called off
I'm taking Joe to the steam fair on Saturday | No football on Saturday, Joe's got chickenpox
我有个妹妹叫小禾 | 我还有个妹妹叫小麦
周一上午跟财务开会 | 周三下午跟设计开会
I meet Ruth on Mondays | I meet Olaf on Thursdays now
My son plays the cello | My daughter plays the flute now
Mum takes 5 mg of ramipril | Mum takes 500 mg of metformin now
妈妈早上吃氨氯地平 5 毫克 | 妈妈晚上吃阿托伐他汀 20 毫克
猪圈预算 8000 | 今天买猪饲料花了 9500
The shed budget is 2,000 | We spent 2,600 on feed this month
现在六点半起床 | 今天七点才起
The clinic is on Harper Street | The clinic is closed on Sundays now
给妈妈的礼物预算 800 | 给爸爸的礼物预算改成 1000 了
客厅刷米白色 | 卧室改刷浅绿了
We pay the cleaner 15 an hour | We pay the gardener 18 an hour now
Lambs weigh 18 kilos | Ewes weigh 62 kilos now
The blue tractor needs 8 litres of oil | The red tractor needs 11 litres of oil now
一号棚种黄瓜 | 二号棚改种番茄了
The north field is barley | The south field is turnips this year
我爸一天两包烟 | 我叔把烟戒了
我每天早上两片培根 | 我每天晚上两片面包
Two glasses of wine with dinner every night | No wine for the guests who drive
I snack on salted peanuts all day | I've given the gym a miss for good
My address is Flat 3, 40 Dock Road | The shop moved last week: 11 Abbey Gardens
We're at my brother's for now, 9 Chapel Street | My brother's new office is at 22 Orchard Rise now
临时落脚在城北青旅 | 客户租好办公室了，在望湖新村 5 栋
新电脑控制在七千以内 | 新手机预算提高到八千五
本月广告费 2 万 | 差旅费追加到 2.6 万
We set aside 600 for the boiler repair | The gutter repair will be 780 after all
Wool budget is 150 a month | I've put the dye budget up to 200 a month
小宝的退烧药每次 5 毫升 | 大宝的退烧药改成每次 7.5 毫升
爷爷胰岛素早上 12 个单位 | 爷爷胰岛素晚上 14 个单位
Uncle Ray is on 50 mg of losartan | Uncle Ray is on 20 mg of simvastatin now
Tilly's eye drops are twice a day | Tilly's ear drops are four times a day now
The mare gets 2 grams of bute | Vet says give the foal 1 gram of bute
款没打过来之前别开发票 | 发票抬头改了
Don't release the artwork before Soren pays | Soren wants new artwork
舞蹈队每周五下午排练 | 合唱队以后每周三下午排练
家庭会议周日晚上开 | 家长会挪到周六上午了
The bell ringers practise on Thursdays at half seven | The bell is inspected on Mondays at eight now
论文初稿 3 月 15 日交 | 导师说开题报告 3 月 29 日交就行
The quote for the barn is due 4 April | The invoice for the barn is due 18 April now
表妹下周六来住两天 | 表弟改到月底来
Aunt Peg is coming on the 9th | Uncle Dan is coming on the 23rd now
I keep the mileage in a spreadsheet | The spreadsheet is huge, mileage goes on every week
We book tables with Platewise | Chairs are booked through Seatly now
照片都备份在移动硬盘 | 视频改存网盘
The lock-keeper is Amos | Amos has gone fishing, the canal is quiet now
The district nurse is Joan | Joan's off to Spain, my sister is a nurse now
物业经理是沈工 | 沈工调走了空调，物业费今天起是三块
小区团长是阿芬 | 隔壁小区团长今天起是小米妈
元宵节去自贡看灯 | 清明不去了
We've booked Crete for half term | Corfu's off
兴趣班五点下课 | 妞妞六点才吃饭
我一般 7:40 出门 | 老公现在 7:15 出门
Choir lets out at 8 | School lets out at 3:20 now
我在银行有两张卡 | 我现在有三只猫
I run 5k every morning | I cycle 20k on Saturdays now
The hens lay 12 eggs a day | The ducks lay 4 eggs a day now
My daughter is in year 3 | My son is in year 5 now
一年级班主任姓高 | 三年级班主任换成姓林的了
The Leeds shop opens at 9 | The York shop opens at 10 now
会议室 A 能坐 12 人 | 会议室 B 现在能坐 20 人
Server alpha has 32 GB | Server beta was upgraded to 64 GB
I owe Ted 40 | I owe Sal 60 now
We keep the keys with Maud | Maud moved the sofa, the keys are on a red ring now
My tutor is Dr Fenn | Dr Fenn left early, the tutorial is in room 4 now
钥匙放在门卫老罗那 | 老罗调休了，钥匙换了新的挂绳
We're renting a cottage in Ashby for August | We moved the caravan to 4 Mill Lane
"""  # noqa: E501


def rows(table: str) -> list[tuple[str, str]]:
    lines = [line.split(" | ") for line in table.strip().splitlines()]
    return [(one, other) for one, other in lines]


def claim(
    text: str, day: int, kind: Kind = "fact", standing: Standing = "standing", subject: str = "user"
) -> Claim:
    said = datetime(2026, 5, day, 9, tzinfo=UTC)
    span = Evidence(event_id=f"e{day}-{text}", quote=text, start=0, end=len(text), ts=said)
    return Claim(kind=kind, subject=subject, text=text, evidence=(span,), standing=standing)


def settled(*claims: Claim) -> list[Memory]:
    """The memories after one night, words only."""
    done = reconcile(
        claims, (), dream_id="d", space="home", now=datetime(2026, 5, 30, tzinfo=UTC),
        cosine=lambda _a, _b: None,
    )  # fmt: skip
    return [change.after for change in done.changes]


def old_and_new(memories: list[Memory], first: str, second: str) -> tuple[Memory, Memory]:
    by_quote = {memory.evidence[0].quote: memory for memory in memories}
    return by_quote[first], by_quote[second]


@pytest.mark.parametrize(("first", "second"), rows(REPLACED))
def test_another_value_of_the_same_slot_ends_the_older(first: str, second: str) -> None:
    memories = settled(claim(first, 3), claim(second, 20))
    old, new = old_and_new(memories, first, second)
    assert (old.status, old.superseded_by) == ("retired", new.id)
    assert new.status == "candidate"
    assert len(memories) == 2, "nothing of the older one goes on by itself"


@pytest.mark.parametrize(("first", "second"), rows(RELEASED))
def test_a_hold_ends_when_its_condition_has_come(first: str, second: str) -> None:
    memories = settled(claim(first, 3, "rule", "temporary"), claim(second, 20, "rule"))
    old, new = old_and_new(memories, first, second)
    assert old.superseded_by == new.id
    assert len(memories) == 2


@pytest.mark.parametrize(("first", "second"), rows(BOTH))
def test_two_things_of_one_kind_both_stand(first: str, second: str) -> None:
    memories = settled(claim(first, 3), claim(second, 20))
    assert len(memories) == 2
    assert not any(memory.superseded_by or memory.valid_to for memory in memories)


@pytest.mark.parametrize(
    ("texts", "later"),
    [
        (
            ("Swimming finishes at 4:30", "Ballet finishes at 6"),
            "Poppy's been moved up a group, so she finishes at 5:15 now",
        ),
        (("幼儿园四点放学", "小学五点放学"), "给果果报了延时班，现在五点半才放学"),
    ],
)
def test_what_names_no_thing_ends_nothing_where_two_may_be_meant(
    texts: tuple[str, str], later: str
) -> None:
    first, second = texts
    memories = settled(claim(first, 3), claim(second, 4), claim(later, 20))
    assert not any(memory.superseded_by for memory in memories)


@pytest.mark.parametrize(
    ("first", "later", "kept"),
    [
        ("I live at 12 Pond Street, and I'm allergic to figs",
         "I've moved, my address is 4 Larch Way now", "allergic"),
        ("我住在柳荫街 33 号，对花生过敏", "搬家了，现在住槐安里 2 栋 1501", "花生"),
    ],
)  # fmt: skip
def test_a_move_takes_the_address_and_leaves_the_rest(first: str, later: str, kept: str) -> None:
    memories = settled(claim(first, 3), claim(later, 20))
    assert any(kept in memory.text and memory.status != "retired" for memory in memories)
    assert any(memory.text == first and memory.superseded_by for memory in memories)


def test_a_new_deadline_ends_the_old_one_at_once_not_on_its_own_day() -> None:
    text = "They've given us until 17 June for the planning application"
    moved = Claim(
        kind="plan", subject="user", text=text, standing="dated",
        evidence=claim(text, 20).evidence, valid_from="2026-06-17", valid_to="2026-06-17",
    )  # fmt: skip
    first = "The planning application has to be in by 3 June"
    for kind in ("fact", "rule", "plan"):
        old, new = old_and_new(settled(claim(first, 3, kind), moved), first, text)
        assert (old.status, old.superseded_by) == ("retired", new.id)
