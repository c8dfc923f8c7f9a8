import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.text.noise import (
    MEMORY_CLOSE,
    MEMORY_OPEN,
    is_control,
    is_recalled,
    knowledge_spans,
    noise_reason,
    strip_managed,
    unwrap,
)

NOISE = {
    "greeting": [
        "你好", "您好呀", "早上好，小王", "在吗？", "早", "晚安～", "新年快乐！", "辛苦大家了",
        "好久不见，最近怎么样？", "明天见", "老师好", "hi", "Hello there!", "Hey Bob",
        "Good morning :)", "thanks a lot", "How are you doing today?", "Hello Dr. Wu",
        "Nice to meet you!", "good night 🌙", "Happy new year, everyone", "嗨，在不在",
    ],
    "acknowledgement": [
        "好的", "收到", "谢谢啦！", "嗯嗯", "嗯" * 29, "哈哈哈哈", "没问题", "就这么定了", "ok",
        "Sounds good!", "lol", "got it", "yes please", "That makes sense.", "OK，没问题",
    ],
    "no words": [
        "👍", "......", "？？？", "— — —", "}", "---", "| --- | --- |", "***",
    ],
    "heartbeat": [
        "[heartbeat] gateway fine, 0 pending", "[心跳] 网关正常", "心跳检查正常", "ping",
        "Heartbeat: ok",
    ],
    "control word": [
        "HEARTBEAT_OK", "NO_REPLY", "SESSION_ROLLOVER", "/new", "/model fast-1", "/compact",
        "Read HEARTBEAT.md if it exists (workspace context). Follow it strictly.",
        "[cron:ab12 nightly] Summarise the inbox", "[[reply_to_current]]", "[Image #2]",
        "A new session was started via /new or /reset. Greet the user.", "__core_sweep_token__",
        "[Request interrupted by user for tool use]", "[Subagent Context] depth 1/1",
        "<command-name>/clear</command-name>", "Pre-compaction memory flush. Store what lasts.",
    ],
    "metadata": [
        "[distance=0.731 hits=2]", 'time="2026-03-02T10:11:12Z" level=info msg=up',
        "temperature=0.2 top_p=0.9 max_tokens=4096", "- {id: 7, kind: x}",
    ],
    "heading": [
        "## Decision", "### 待办", "**Decision**", "Decision:", "待办事项：",
        "# Notes of the week",
    ],
    "shell": [
        "sudo dnf remove libfoo && curl -O https://example.org/x.tgz", "git push origin main",
        "npm install --save-dev tiny-lib", "$ make ship", "cd /opt/app", "docker compose up -d",
        "kubectl get pods -n staging | grep api", "./setup.sh --force", "rm -rf build/ dist/",
        "export FOO=bar && python run.py", "fern@box:~$ ls", "cat notes.txt | sort > out.txt",
        "pip install foo bar", 'git commit -m "修复登录"', "sudo systemctl restart nginx",
        "FOO=1 ./run.sh", "C:\\work> dir", "find . -name '*.py' -delete", "tail -f app.log",
        "docker compose up -d  # 启动全部服务", "for f in *.md; do wc -l $f; done",
    ],
    "log": [
        "2026-03-02 10:11:12,123 INFO shop.cart: started", "[14:02:33] WARN retrying",
        "[ERROR] connection refused", "Jan 02 10:11:12 host sshd[123]: Accepted publickey",
        "INFO:root:hello", "TypeError: Cannot read properties of undefined",
        "Traceback (most recent call last):", "    at com.foo.Bar(Bar.java:12)",
        '127.0.0.1 - - [10/Oct/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 12',
        "===== 3 passed in 0.12s =====", "npm ERR! code E404", "Process exited with code 1",
        "drwxr-xr-x 2 root root 4096 Nov 30 07:23 main", '  File "x.py", line 3, in f',
        "E0102 10:11:12.123 7 main.go:3] down",
    ],
    "code": [
        "def foo(x):", "import os", "const x = 1;", 'print("hello")', "foo.bar(baz);",
        "return x + 1;", "SELECT name FROM bees WHERE id = 3;", "@@ -1,3 +1,4 @@", "if (x > 3) {",
        "#include <map>", "```\n任何内容\n```", "```py\nx = 1\n", '"name": "tiny-lib",',
        "// nothing to see", "body {", "class Hive(Base):", "from bees import Hive",
        "hives = [Hive(n) for n in range(3)]", "def f():\n    x = 1\n    return g(x)\n",
        "for hive in hives:\n    hive.open()\n",
    ],
    "markup": [
        "<!-- note -->", '<div class="a">x</div>', "![](a.png)", "<br/>",
    ],
    "url": [
        "https://example.org/a/b", "<https://example.org> https://example.com/c",
    ],
    "path": [
        "/usr/local/bin/foo", "~/notes/bees.md", "C:\\Users\\fern\\x.txt",
    ],
    "identifier": [
        "550e8400-e29b-41d4-a716-446655440000", "9fceb02d0ae598e95dc970b74767f19372d61af8",
    ],
    "data": [
        '{"rain": 0.7, "desc": "x"}', '[{"a": 1}, {"b": 2}]', "QUJD" * 30,
    ],
    "fragment": [
        "because the", "然后因为", "我们还需要考虑以及", "），那就这样",
        "We agreed on the following (", "and our",
    ],
    "quotation": [
        "> a line that somebody else wrote", "> 别人的话",
    ],
    "recalled": [
        "[score=0.731 recalls=2]",
        "Hives are fine [score=0.812 recalls=0 avg=0.620 source=memory/x.md:1-2]",
        "- - status: staged - Candidate: something about hives",
        f"{MEMORY_OPEN} untrusted>\nkeeps bees\n{MEMORY_CLOSE}",
    ],
    "blank": [
        "", " \n\t",
    ],
}  # fmt: skip

KNOWLEDGE = [
    "我用 git 管理论文", "Our deploy command is `make ship`", "我对芒果过敏", "我最近心跳很快",
    "my heartbeat is irregular lately", "Heart rate 98 at rest", "I like tea",
    "早上七点我要去接孩子", "早上好，我明天去杭州", "晚上我住在静安", "小李是我老板",
    "老师好像换成王老师了", "好的，那就周五上午开会", "你好，我叫李雷", "hi, I'm Bob from Acme",
    "thanks, the meeting moved to Friday", "ok so I moved to Berlin",
    "Good night routine: tea at nine", "git is what I use for my thesis",
    "docker runs on the NAS in the hallway", "make sure to call Ann on Friday",
    "find a dentist near the office", "I use python for data work", "python 是我最熟的语言",
    "npm 我已经不用了，换成 pnpm", "数据库端口换成 15432 了", "the ssh port is 50022 now",
    "server: port 50022, user deploy", "Candidate: Alice Wu, interview on Tuesday",
    "Candidate: Alice Wu, status: waiting", "2026-03-02 10:00 去了医院复查",
    "2026-03-02 error at work, lost the contract",
    "error: forgot to rotate the logs before release", "lesson: always run the migration first",
    "学习：先盖章再寄出", "记住：钥匙在花盆下面", "deploy: Friday", "Decision: we use Postgres",
    "待办：续费域名", "决定用 Postgres", "from now on send reports as PDF",
    "import duties are paid by us", "return flight is on Sunday",
    "class starts at nine on Monday", "for work I use a ThinkPad", "if it rains we stay home",
    "while in Rome I met Carla", "The function of the committee is unclear",
    "let me know = never said", "select the blue one from the shelf please",
    "update: Anna got the job", "my plan (B) is to move", "这本书是我的", "他性格很随和",
    "我是三号楼的", "the app I log in with", "hepatitis a", "we need more than that",
    "just use the red mug", "start with the garden", "open the window every morning",
    "time is 5 pm for the call", "date with Maria on 2026-05-01",
    "kill the subscription to the paper", "watch the kids on Tuesday", "sort the photos by year",
    "touch base with Omar", "history exam on May 3", "我的猫叫 echo", "喂猫时间是六点",
    "对了，我换工作了", "行李箱密码忘了", "好久不见的朋友叫王芳", "成都是我老家", "中午吃面",
    "不用微信，用邮件", "老家", "- buy milk on Friday", "1. Ann leads the project",
    "# ship v2 on Friday, Ann owns it", "The API is at https://example.org/v2",
    "config lives in /etc/slow/app.toml", "Vegetarian", "王小明",
    "ssh to the box with deploy user", "curl is banned by our proxy", "ping me at 5",
    "head of design is Mei", "test results come Thursday", "less sugar in my coffee",
    "act two needs rewriting", "screen time limit is 1 hour", "top priority: renew the domain",
    "run 5 km every Tuesday", "- [ ] 给蜂箱刷漆", "memory is short at my age",
    "I recall a red door",
    "npm ERR! code E404. That is the registry, from now on we use the mirror",
    "KeyError: 'hive' 这是我笔记本上的，以后都用 3.12 跑",
    "We moved the port to 8443, see the log:\n2026-03-02 10:11:12 ERROR bind failed",
    "这样跑：\n```\nmake ship\n```\n记得先停服务",
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "reason"), [(text, reason) for reason, texts in NOISE.items() for text in texts]
)
def test_noise_is_told_by_its_kind(text: str, reason: str) -> None:
    assert noise_reason(text) == reason


@pytest.mark.parametrize("text", KNOWLEDGE)
def test_what_may_hold_knowledge_is_no_noise(text: str) -> None:
    assert noise_reason(text) is None
    assert not is_control(text)
    assert strip_managed(text) == text
    assert unwrap(text).text == text


def test_knowledge_spans_leave_code_logs_and_headings_out() -> None:
    text = "## Hives\nThird hive is weak\n```\nx = 1\n```\n[ERROR] no\n周六加糖水\n"
    assert [text[start:end] for start, end in knowledge_spans(text)] == [
        "Third hive is weak", "周六加糖水",
    ]  # fmt: skip


def test_a_fence_that_is_never_closed_is_code_to_the_end() -> None:
    text = "weak hive\n```\nfeed()\nmore text"
    assert [text[start:end] for start, end in knowledge_spans(text)] == ["weak hive"]


# --- wrappers -----------------------------------------------------------------------------------

FENCED = "%s (untrusted metadata):\n```json\n%s\n```\n"
INFO = FENCED % ("Conversation info", '{"message_id": "9", "sender_id": "42"%s}')
SENDER = FENCED % ("Sender", '{"label": "Omar (42)", "id": "42", "name": "Omar"}')
WORDS = "The third hive is weak\nfeed it on Saturday"


@pytest.mark.parametrize(
    ("text", "sender", "sent_at"),
    [
        (INFO % "" + "\n" + WORDS, "42", None),
        (INFO % "" + "\n" + SENDER + "\n" + WORDS, "Omar", None),
        (
            INFO % ', "timestamp": "Thu 2026-04-02 17:43 GMT+8"' + WORDS,
            "42",
            "2026-04-02T17:43:00+08:00",
        ),
        (INFO % ', "timestamp": "Thu 2026-04-02 17:43 CDT"' + WORDS, "42", "2026-04-02T17:43:00"),
        ("[Sat 2026-02-14 18:49 GMT-3] " + WORDS, None, "2026-02-14T18:49:00-03:00"),
        (
            "[Telegram Omar (@omar) id:42 +2m Sat 2026-02-14 18:49 UTC] " + WORDS,
            "Omar (@omar)",
            "2026-02-14T18:49:00+00:00",
        ),
        (
            "[WhatsApp +4915112345 2026-02-14T18:49Z] " + WORDS,
            "+4915112345",
            "2026-02-14T18:49:00+00:00",
        ),
        ("[message_id: om_77]\nou_ab12cd34: " + WORDS, "ou_ab12cd34", None),
        (WORDS + "\n[message_id: 77]", None, None),
        ("[[reply_to_current]] " + WORDS, None, None),
        ("[[reply_to: 77]]\n" + WORDS, None, None),
        (WORDS + " [[reply_to_current]]", None, None),
        ("System: [2026-04-02 17:43:00 GMT+8] Node connected\n\n" + WORDS, None, None),
        ("[media attached: /x/y.jpg (image/jpeg)]\n" + WORDS, None, None),
        ("<system-reminder>be brief</system-reminder>\n" + WORDS, None, None),
        (
            "Replied message (untrusted, for context):\n```json\n{\"body\": \"no\"}\n```\n" + WORDS,
            None,
            None,
        ),
    ],
)  # fmt: skip
def test_a_wrapper_is_taken_off_and_tells_who_and_when(
    text: str, sender: str | None, sent_at: str | None
) -> None:
    got = unwrap(text)
    assert got.text == WORDS
    assert got.sender == sender
    assert (got.sent_at.isoformat() if got.sent_at else None) == sent_at


@pytest.mark.parametrize(
    "text",
    [
        "[2026-02-14 18:49] fed the hives",
        "[ERROR 2026-02-14 18:49:01 UTC] disk full",
        "[todo] feed the hives",
        "[[Hive notes]] has the dates",
        "see [message_id: 7] in the log",
        "Remember (untrusted people): lock the shed",
        "[Sat 2026-99-99 18:49 UTC] odd",
    ],
)
def test_a_persons_own_brackets_stay(text: str) -> None:
    assert unwrap(text).text in (text, "odd")


# --- recalled -----------------------------------------------------------------------------------

STAGED = (
    "- Candidate: keeps bees\n  - confidence: 0.62\n  - evidence: memory/x.md:3-4\n"
    "  - recalls: 0\n  - status: staged\n"
)
LIGHT = (
    "## Light Sleep\n<!-- openclaw:dreaming:light:start -->\n"
    + STAGED * 2
    + "<!-- openclaw:dreaming:light:end -->\n"
)
PROMOTED = (
    "## Promoted From Short-Term Memory (2026-04-02)\n\n"
    "<!-- openclaw-memory-promotion:memory:memory/x.md:3:4 -->\n"
    "- Hives: three, all fine [score=0.812 recalls=0 avg=0.620 source=memory/x.md:3-4]\n"
)
DIARY = "*April 11, 2026 at 7:00 PM*\n\nI walked among the hives and every one was a lamp.\n"
RECALLED = [
    f'{MEMORY_OPEN} untrusted="true">\n- keeps bees\n{MEMORY_CLOSE}',
    f"{MEMORY_OPEN}>\n- cut off",
    "<active_memory_plugin>\nrye bread\n</active_memory_plugin>",
    "<relevant-memories>\n1. rye bread\n</relevant-memories>",
    "openclaw.runtime-context: the user eats rye bread",
    LIGHT,
    LIGHT + LIGHT,
    "<!-- openclaw:dreaming:rem:start -->\nnever closed\n",
    PROMOTED,
    STAGED,
    DIARY,
    "# Dream Diary\n\n<!-- openclaw:dreaming:diary:start -->\n---\n" + DIARY,
    "Reflections: Theme: `hives` kept surfacing across 4 memories.",
    "This session is being continued from a previous conversation that ran out of context. Bees.",
    "# Session: 2026-04-02 23:22:31 UTC\n\n- **Session Key**: agent:main\n- **Session ID**: x\n",
    "## Conversation Summary\n\nuser: hi",
]


@pytest.mark.parametrize("text", RECALLED)
def test_text_out_of_a_memory_is_recalled(text: str) -> None:
    assert is_recalled(text)
    assert strip_managed(text) == ""
    assert noise_reason(text) == "recalled"


@pytest.mark.parametrize("block", RECALLED[:1] + RECALLED[2:4] + [LIGHT, STAGED])
def test_a_block_is_taken_out_of_a_longer_text(block: str) -> None:
    text = f"Fed the hives today\n\n{block}\nBought sugar"
    assert strip_managed(text).split("\n")[0] == "Fed the hives today"
    assert strip_managed(text).rstrip().endswith("Bought sugar")
    assert "bees" not in strip_managed(text)
    assert "rye" not in strip_managed(text)
    assert not is_recalled(text)


def test_a_promoted_section_ends_at_the_next_heading() -> None:
    text = f"# Memory\n\nOwn words\n\n{PROMOTED}\n## Mine\n\nkept too\n"
    assert strip_managed(text) == "# Memory\n\nOwn words\n\n## Mine\n\nkept too"


# --- robustness ---------------------------------------------------------------------------------

ODD = st.lists(
    st.one_of(
        st.text(max_size=5),
        st.sampled_from(
            ["```", "\n", "[", "]]", "[[", "<!--", "-->", "(untrusted x):", "- Candidate:", "嗯",
             "a=b,", "# ", "https://", "<slowwave-memory", "*April 1, 2026*", "{", '"',
             "recalls: 1", "\ud800", "\u2028"]
        ),
    ),
    max_size=15,
).map("".join)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(ODD)
def test_nothing_crashes_and_stripping_twice_changes_nothing(text: str) -> None:
    noise_reason(text)
    unwrap(text)
    is_control(text)
    for start, end in knowledge_spans(text):
        assert "\n" not in text[start:end]
    stripped = strip_managed(text)
    assert strip_managed(stripped) == stripped


@pytest.mark.parametrize(
    "piece",
    ["嗯", "a=b,", "http://a", "deadbeef", "ping 1", "a.b", "#x ", "[a=b,c=d", "<a ", "好", "`",
     "- a: ", "X (untrusted y):\n```\n", "<!-- openclaw:dreaming:light:start -->", "word ", '"',
     "-a ", "早"],
)  # fmt: skip
def test_a_long_hostile_text_takes_linear_time(piece: str) -> None:
    # A pattern that backtracks would not come back from these for hours.
    for length in (40, 400, 20_000):
        text = piece * (length // len(piece)) + "\u3000x!"
        noise_reason(text)
        unwrap(text)
        strip_managed(text)
