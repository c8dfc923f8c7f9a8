"""With `masked`, none of 60 planted private values leaves: every byte of each request counts.

The server stands on loopback and is taken for one elsewhere by the name of its model, as Ollama
names models that it asks of another machine. Values stand in messages, notes, tool calls, names of
speakers and sessions, references, channels, and in memories that are known already.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from slowwave.cli.main import run
from slowwave.privacy import PLACEHOLDER
from slowwave.testing.scripted_model import Request, ScriptedModel

NOW = "2026-12-01T03:00:00+08:00"
Run = Callable[..., Any]

KNOWN = ("⟦Eluned Prys⟧ is my sister and works nights", "我表弟⟦覃若楠⟧在青岛教书")
"""What the memory holds before: their subjects are known names."""

SAID = (
    ("user", "我老婆⟦岑雨桐⟧的手机是⟦139 5571 2086⟧，座机⟦0532-8577 1290⟧"),
    ("user", "请把护照⟦E71920438⟧和身份证⟦370202199003077419⟧的复印件发给⟦裘主任⟧"),
    ("user", "我搬到了⟦青岛市市南区闽江路88号3栋1单元702室⟧，邮编⟦266071⟧"),
    ("user", "微信号⟦haibian_1990⟧，QQ⟦2718281845⟧，支付宝⟦haibian90@163.com⟧"),
    ("user", "公司账户⟦6222 0238 0301 2345 673⟧，开户行在青岛"),
    ("user", "车牌⟦鲁B·52K91⟧，停在楼下"),
    ("user", "我确诊了⟦强直性脊柱炎⟧，在吃⟦塞来昔布⟧，对⟦头孢曲松⟧过敏"),
    ("user", "登录口令是⟦Qingdao#88fish⟧，别外传"),
    ("user", "女儿⟦1990年3月7日⟧出生的说法不对，她生日是⟦2016年4月2日⟧"),
    ("user", "家在⟦36.0671, 120.3826⟧附近，路由器⟦a4:83:e7:1c:09:5f⟧"),
    ("user", "My landlord ⟦Gethin Cadwallader⟧ wants the rent by IBAN ⟦GB33BUKB20201555555555⟧"),
    ("user", "Call me on ⟦+44 7700 900461⟧ or ⟦(415) 555-0136⟧, office ⟦020 7946 0018⟧ ext ⟦4471⟧"),
    ("user", "Mail ⟦gethin.c@lettings.example⟧, or gethin dot c — no: ⟦cadw at lettings dot "
     "example⟧"),
    ("user", "We live at ⟦17 Pembroke Mews, Bristol BS8 4QX⟧"),
    ("user", "My SSN is ⟦536-22-9817⟧ and my NI number is ⟦JG 10 37 59 A⟧"),
    ("user", "card ⟦4539 1488 0343 6467⟧, cvv ⟦731⟧, backup ⟦371449635398431⟧"),
    ("user", "sort code ⟦30-94-57⟧, account ⟦84301279⟧"),
    ("user", "I take ⟦lamotrigine⟧ for ⟦temporal lobe epilepsy⟧ and see Dr ⟦Oyelowo⟧"),
    ("user", "my github is ⟦marl-otter7⟧, telegram ⟦@marl_otter⟧"),
    ("user", "born on ⟦14 February 1987⟧, passport ⟦533380006⟧"),
    ("user", "key ⟦sk-live-4fQz81LmNv0Xw7Tb2KcY⟧ and token "
     "⟦ghp_x81Kd02mPq7Rs5Tu3Vw9Yz1Ab4Cd6Ef8Gh⟧"),
    ("user", "the box answers at ⟦198.51.100.23⟧, profile https://example.com/users/⟦otter-7781⟧"),
    ("assistant", "Noted: ⟦Gethin Cadwallader⟧, order ⟦NX-5520-8841⟧, meeting with ⟦Ms "
     "Achterberg⟧"),
    ("note", "⟦小覃⟧欠我三百块，⟦阿岚⟧知道；门禁密码⟦550917⟧"),
    ("tool_call", '{"to": "⟦wren.halloway@post.example⟧", "body": "tax id ⟦DE811907980⟧"}'),
)  # fmt: skip
ABOUT = {
    "speaker": "⟦Ottoline Vasquez-Brandt⟧",
    "session": "⟦call with Thandeka Mbeki⟧",
    "ref": "⟦/home/ottoline/diary-b7.md⟧",
    "channel": "⟦whatsapp:+34 611 222 333⟧",
}

MARKED = re.compile("⟦(.*?)⟧")


def plain(text: str) -> str:
    return re.sub("[⟦⟧]", "", text)


VALUES = sorted(
    {
        value
        for text in (*KNOWN, *(said for _, said in SAID), *ABOUT.values())
        for value in MARKED.findall(text)
    }
)


def left(server: ScriptedModel) -> list[str]:
    """The values that can be read in what a server got: whole, or four of their figures in a row.

    Whole in any byte of any request, headers too; figures in the questions, without the marks and
    times that stand around what was said.
    """
    sent = server.received_text
    asked = "\n".join(one.prompt for one in server.asked)
    asked = re.sub(r"(?m)^(?:\[[eb]\d+\] .*|<<[0-9a-f]{6,}|[0-9a-f]{6,}>>)$", "", asked)
    asked = PLACEHOLDER.sub("|", asked)
    return [
        value
        for value in VALUES
        if value in sent
        or any(
            four.isdigit() and four in asked
            for four in map("".join, zip(*fours(value), strict=False))
        )
    ]


def fours(value: str) -> list[str]:
    """A value four times, each from one character further on."""
    return [value[at:] for at in range(4)]


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command with --json, with a model "elsewhere" where `server` is given."""
    monkeypatch.setenv("SLOWWAVE_EMBEDDER", "none")

    def command(*arguments: str, server: ScriptedModel | None = None, now: str = NOW) -> Any:
        if server is not None:
            monkeypatch.setenv("SLOWWAVE_MODEL_BASE_URL", server.base_url)
            monkeypatch.setenv("SLOWWAVE_MODEL_NAME", "tiny:cloud")
        head = ("--home", str(tmp_path / "home"), "--tz", "Asia/Shanghai", "--now", now, "--json")
        code = run([*head, *arguments])
        captured = capsys.readouterr()
        assert code == 0, captured.err
        return json.loads(captured.out)

    def fill(small: bool = False) -> None:
        records = [
            {"ts": f"2026-11-30T{8 + at // 12:02}:{at % 12 * 5:02}:00+08:00", "text": plain(text),
             **({"role": kind} if kind in ("user", "assistant") else {"kind": kind}),
             **{name: plain(value) for name, value in ABOUT.items() if name != "ref"},
             "ref": f"{plain(ABOUT['ref'])}#{at}", **({"speaker": None} if at % 3 else {})}
            for at, (kind, text) in enumerate(SAID)
        ]  # fmt: skip
        file = tmp_path / "said.jsonl"
        for at, text in enumerate(KNOWN):
            command("log", plain(text), "--ts", f"2026-11-29T0{at + 1}:00:00+08:00")
        command("dream", "--date", "2026-11-29", "--apply")
        file.write_text("\n".join(json.dumps(record) for record in records), encoding="utf-8")
        command("import", str(file))
        diary = "diary = false\n" * small
        settings = (
            f'[model]\nprivacy = "masked"\n{diary}' + "[dream]\nsegment_chars = 300\n" * small
        )
        (tmp_path / "home" / "slowwave.toml").write_text(settings, encoding="utf-8")

    command.fill = fill  # type: ignore[attr-defined]
    return command


def shown(request: Request) -> list[tuple[str, str]]:
    """The events of a question: their short ids, and what is shown of each."""
    asked = request.prompt.rpartition("LOG\n")[2]
    found = re.findall(r"\[(e\d+)\] [^\n]*\n<<([0-9a-f]+)\n(.*?)\n\2>>", asked, re.S)
    return [(name, words) for name, _, words in found]


def item(event: str, quote: str, text: str, **more: Any) -> dict[str, Any]:
    return {
        "evidence": [{"event_id": event, "quote": quote}], "kind": "fact", "subject": "user",
        "text": text, "importance": 75, "confidence": 0.9, "standing": "standing",
        "valid_from": None, "valid_to": None, "negated": False, "entities": [], **more,
    }  # fmt: skip


def repeating(request: Request) -> Any:
    """A model that notes every event as it stands there."""
    if "word is" in request.prompt:
        return {"items": [{"word": "ready"}]}
    return {"items": [item(event, words, words) for event, words in shown(request)]}


def test_there_are_sixty_values() -> None:
    assert len(VALUES) >= 60


def test_no_planted_value_leaves_and_all_come_back(cli: Run) -> None:
    cli.fill()
    with ScriptedModel(repeating) as server:
        cli("model", "check", server=server)
        dream = cli("dream", "--distiller", "llm", "--apply", server=server)
    assert len(server.asked) >= 2
    assert left(server) == []
    assert dream["model_used"] == "tiny:cloud"
    memories = [one["text"] for one in cli("memories")]
    assert not [text for text in memories if PLACEHOLDER.search(text)]
    for value in (
        "岑雨桐",
        "青岛市市南区闽江路88号3栋1单元702室",
        "17 Pembroke Mews",
        "lamotrigine",
    ):
        assert any(value in text for text in memories), value


def test_the_preview_is_what_the_server_gets_letter_by_letter(cli: Run) -> None:
    cli.fill(small=True)
    with ScriptedModel(lambda _request: {"items": []}) as server:
        told = cli("privacy", "preview", server=server)
        assert server.bytes_received == b""
        assert told["leaves"] is True
        cli("dream", "--distiller", "llm", server=server)
    assert len(server.asked) > 3
    assert [one["question"] for one in told["segments"]] == [one.prompt for one in server.asked]
    assert {one.system for one in server.asked} == {told["instructions"]}
    for one in told["segments"]:
        assert "\n".join(line["text"] for line in one["lines"]) == one["question"]
    # Beside these, a request says which model is asked, and how it is to answer.
    for request in server.asked:
        assert [message["role"] for message in request.messages] == ["system", "user"]
        assert set(request.body) <= {
            "model", "messages", "max_tokens", "temperature", "response_format",
        }  # fmt: skip


@pytest.mark.parametrize(
    "spoiled",
    [
        lambda words: words.replace("[", "(").replace("]", ")"),
        lambda words: words.lower(),
        lambda words: words.replace("PERSON", "人物").replace("HEALTH", "健康"),
        lambda words: re.sub(r"-(\d+)\]", r"-9\1]", words),
        lambda words: re.sub(r"\[(\w+)-(\d+)\]", r"\1 \2", words),
    ],
)
def test_what_cannot_be_restored_exactly_is_no_memory(
    cli: Run, spoiled: Callable[[str], str]
) -> None:
    cli.fill()

    def answer(request: Request) -> Any:
        return {
            "items": [
                item(event, quote, spoiled(words))
                for event, words in shown(request)
                if PLACEHOLDER.search(words)
                for quote in (words, spoiled(words))
            ]
        }

    with ScriptedModel(answer) as server:
        cli("dream", "--distiller", "llm", "--apply", server=server)
    kinds = (
        r"person|phone|mail|health|account|address|secret|user|birth|id|card|plate|url|ip|人物|健康"
    )
    trace = re.compile(rf"[\[(](?:{kinds})-?\d*|\b(?:{kinds})[ -]9?\d\b", re.I)
    memories = [one["text"] for one in cli("memories")]
    assert not [text for text in memories if trace.search(text)]
    assert left(server) == []
