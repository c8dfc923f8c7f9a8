"""Every page in both languages, on a full and on an empty home; all links lead somewhere."""

import re
from collections import deque
from typing import Any

import pytest
from dashboard_desk import Form

PLAIN = (
    "/", "/dreams", "/dreams?waiting=1", "/dreams?by=person", "/memories", "/memories?status=all",
    "/memories?kind=fact&text=markdown", "/memories?pinned=1", "/timeline", "/search", "/conflicts",
    "/injections", "/injections?session=desk", "/working", "/statistics", "/forget",
    "/search?q=markdown&scope=events", "/search?q=%E8%BF%87%E6%95%8F&as_of=2026-05-05&kind=rule",
    "/timeline?day=2026-05-11", "/statistics/topics",
)  # fmt: skip
LANGUAGES = (("en", "en"), ("zh", "zh-Hans"))


def of_the_story(desk: Any) -> list[str]:
    """Pages of single things."""
    memory = desk.saying("老段")
    event = desk.memory.why(memory).evidence[0].event_id
    asked = next(one.id for one in desk.memory.injections() if "稿子" in one.query)
    ways = [f"/dreams/{one.dream_id}" for one in desk.memory.dreams()]
    return [
        *ways, f"/memories/{memory}", f"/events/{event}", f"/events/{event}?memory={memory}",
        f"/injections/{asked}", f"/injections/{asked}?item=1", f"/forget/{memory}",
        "/forget?text=Markdown",
    ]  # fmt: skip


@pytest.mark.parametrize(("language", "tag"), LANGUAGES)
def test_every_page_is_there_on_a_full_home(desk: Any, language: str, tag: str) -> None:
    here = desk()
    for way in (*PLAIN, *of_the_story(here)):
        page = here.open(way, language)
        assert f'<html lang="{tag}">' in page
        assert len(re.findall("<h1", page)) == 1, way
        assert 'href="#main"' in page
        assert 'id="main"' in page
        ids = re.findall(r' id="([^"]+)"', page)
        assert len(ids) == len(set(ids)), (way, sorted(one for one in ids if ids.count(one) > 1))


@pytest.mark.parametrize(("language", "tag"), LANGUAGES)
def test_every_page_is_there_on_an_empty_home(desk: Any, language: str, tag: str) -> None:
    here = desk(empty=True)
    for way in PLAIN:
        assert f'<html lang="{tag}">' in here.open(way, language)
    here.open("/dreams/last", language, status=404)


@pytest.mark.slow
def test_all_links_lead_somewhere(desk: Any) -> None:
    here = desk()
    waiting, seen = deque(["/"]), {"/"}
    while waiting and len(seen) < 2000:
        page = here.open(waiting.popleft())
        for link in Form(page).links:
            way = link.partition("#")[0]
            kind = re.sub(r"[0-9]+", "0", way)  # of many days and pages one is enough
            if way and way not in seen and kind not in seen and "lang=" not in way:
                assert way.startswith("/"), way
                seen |= {way, kind}
                waiting.append(way)
    assert not waiting
    assert len(seen) > 100


def test_chinese_pages_say_it_in_chinese(desk: Any) -> None:
    here = desk()
    page = here.open("/", "zh-CN,zh;q=0.9,en;q=0.5")
    assert "2026年5月17日 周日的夜" in page
    assert "读了 10 条事件" in page
    page = here.open("/", "en")
    assert "The night of Sun, 17 May 2026" in page
    assert '<bdi class="said " lang="zh-Hans">我对青霉素过敏</bdi>' in page


def test_a_language_that_is_chosen_stays(desk: Any) -> None:
    here = desk()
    assert "今夜" in here.open("/?lang=zh", "en")
    assert "今夜" in here.open("/", "en")
    cookie = next(one for one in here.client.cookies.jar if one.name == "slowwave_language")
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert "Tonight" in here.open("/?lang=en", "zh")
    assert "Tonight" in here.open("/?lang=xx", "zh")


def test_errors_are_pages_in_the_readers_language(desk: Any) -> None:
    here = desk()
    assert "Nothing here" in here.open("/no/such/page", status=404)
    assert "这里什么也没有" in here.open("/memories/zzzz", "zh", status=404)
    assert "This does not" not in here.open("/timeline?day=tomorrow", status=422)
    assert here.client.post("/statistics").status_code == 405
    assert here.client.put("/").status_code == 405


@pytest.mark.slow
def test_other_doors_keep_their_own_errors(desk: Any) -> None:
    answer = desk(whole=True).client.get("/v1/no-such-thing")
    assert answer.status_code == 404
    assert "html" not in answer.headers["content-type"]


def test_a_mistake_of_ours_is_a_page_too(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    here = desk()

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(type(here.memory), "conflicts", broken)
    here.client._transport.raise_server_exceptions = False
    page = here.open("/conflicts", "zh", status=500)
    assert "这里出了问题" in page
    assert "Traceback" not in page


def test_the_timeline_shows_what_was_believed_then(desk: Any) -> None:
    here = desk()
    before = here.open("/timeline?day=2026-05-10")
    after = here.open("/timeline?day=2026-05-11")
    old = "reports on port 8080</bdi>"
    assert old in before
    assert "port 9443" not in before
    assert "port 9443" in after
    held = after.partition('id="believed"')[2]
    assert "port 9443" in held
    assert old not in held
    assert "ended" in after.partition('id="moved"')[2].partition('id="believed"')[0]


def test_a_line_of_the_log_stands_among_its_neighbours_with_the_quote_marked(desk: Any) -> None:
    here = desk()
    memory = here.memory.why(here.saying("北门街，养蜂"))
    page = here.open(f"/events/{memory.evidence[0].event_id}", "zh")
    assert "第 1 行" in page
    assert "<mark>我叫何苗，住在昆明北门街，养蜂，也翻译纪录片</mark>。" in page
    assert "我对青霉素过敏，这一点别忘了。" in page


def test_the_search_shows_scores_and_the_prompt_and_leaves_no_trace(desk: Any) -> None:
    here = desk()
    store = here.memory.parts.store
    before = (here.memory.injections(), here.memory.memories(), store.signals("default"))
    page = here.open("/search?q=which+port+does+the+hive+scale+use")
    here.memory.flush()
    assert "port 9443" in page
    assert "What the score is made of" in page
    assert "&lt;slowwave-memory" in page
    after = (here.memory.injections(), here.memory.memories(), store.signals("default"))
    assert after == before


def test_tonight_tells_what_waits_and_when_the_next_night_is(desk: Any) -> None:
    page = desk().open("/")
    assert "2 plans wait for you" in page
    assert "It read 10 events: 5 new, 4 updated." in page
    assert "19 May 2026 02:00" in page
    assert "The last 9 nights" in page


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures_are_drawn_once_and_can_do_nothing(desk: Any, theme: str) -> None:
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    here = desk()
    page = here.open("/statistics")
    mark = re.search(r"kinds\.svg\?v=([0-9a-f]+)", page)
    assert mark is not None
    answer = here.client.get(f"/statistics/kinds.svg?v={mark[1]}&theme={theme}&lang=zh")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "immutable" in answer.headers["cache-control"]
    assert "script" not in answer.headers["content-security-policy"]
    assert answer.text.startswith("<svg")
    assert here.client.get("/statistics/nothing.svg").status_code == 404
