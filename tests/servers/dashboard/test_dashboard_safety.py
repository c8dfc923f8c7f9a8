"""What keeps the pages safe: escaping, form tokens, headers, scopes, spaces, where a form leads."""

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from dashboard_desk import Form
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.model import Record
from slowwave.servers.access import SCOPES
from slowwave.servers.dashboard.pages import ALL
from slowwave.servers.dashboard.safety import CSRF_COOKIE, CSRF_FIELD, Seal, inside
from slowwave.servers.sessions import COOKIE

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(2)>',
    "' onload='alert(3)",
    "{{ 7 * 7 }}{% raw %}",
    "javascript:alert(4)",
    "abc\u202edcba \u2066left open",
    "]]><svg/onload=alert(5)>",
    "</textarea></title><b>out</b>",
    "w" * 100_000,
)
READING = ("/", "/memories?status=all", "/injections", "/working", "/timeline", "/conflicts")


def filled(here: Any) -> list[str]:
    """A home with hostile words in every place; the pages of single things."""
    memory = here.memory
    ways = []
    for number, text in enumerate(HOSTILE):
        record = Record(
            text=f"{text} said", source=f"chat{text[:40]}", session=text[:90], speaker=text[:60],
            channel=text[:60], ref=f"{text[:60]}{number}",
        )  # fmt: skip
        taken = memory.log([record])
        ways.append(f"/events/{taken.ids[0].id}")
        memory.working_add(f"do {text[:500]}")
        memory.context(text[:1000], 300, session=text[:60])
    known = memory.memories()
    for text, one in zip(HOSTILE, known, strict=False):
        memory.by_hand("edit", one.id, text=f"I like {text[:3000]}")
        ways.append(f"/memories/{one.id}")
    ways += [f"/injections/{one.id}" for one in memory.injections()[: len(HOSTILE)]]
    return [*ways, *(f"/dreams/{one.dream_id}" for one in memory.dreams()[: len(HOSTILE)])]


@pytest.mark.slow
def test_hostile_words_are_only_words(desk: Any) -> None:
    here = desk()
    for way in (*READING, *filled(here), "/search?q=%3Cscript%3E", "/memories?text=%22%3E%3Cb%3E"):
        page = here.open(way)
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert "<svg/onload" not in page
        assert "<b>out</b>" not in page
        assert "49{%" not in page
        for tag in re.findall(r"<[a-z][^>]*>", page):
            assert not re.search(r"\son[a-z]+\s*=\s*[^&]", re.sub(r'"[^"]*"', '""', tag)), tag
        assert not [link for link in Form(page).links if not re.match(r"[/#]", link)]


@pytest.mark.slow
def test_control_characters_and_half_characters_do_not_break_a_page(desk: Any) -> None:
    here = desk()
    for odd in ("%00", "%ff%fe", "%ED%A0%80", "%E2%80%AE", "a%0d%0ab"):
        for way in ("/search?q=", "/memories?text=", "/injections?session=", "/timeline?day="):
            assert here.client.get(way + odd).status_code in (200, 400, 422)
        for way in ("/memories/", "/dreams/", "/events/", "/receipts/", "/statistics/"):
            assert here.client.get(way + odd).status_code in (400, 404, 422)


def test_every_page_carries_the_strict_headers(desk: Any) -> None:
    here = desk()
    for way, status in (("/", 200), ("/login", 303), ("/nowhere", 404), ("/memories/zz", 404)):
        answer = here.client.get(way, follow_redirects=False)
        assert answer.status_code == status
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; style-src 'self'; script-src 'self'")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert "form-action 'self'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-store"


def test_what_pages_are_made_of_is_kept_for_ever_under_a_name_of_its_own(desk: Any) -> None:
    here = desk()
    page = here.open("/")
    names = re.findall(r'"(/static/[^"]+)"', page)
    assert len(names) == 3
    for name in names:
        answer = here.client.get(name)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
    for wrong in ("/static/app.css", "/static/..%2fsite.py", "/static/%2e%2e/site.py"):
        assert here.client.get(wrong).status_code == 404
    assert "style=" not in page
    assert not re.search(r"<script(?![^>]*src=)", page)


def posts() -> list[str]:
    return [page.path for page in ALL if page.method == "POST"]


def test_no_form_is_taken_without_the_token_of_this_browser(desk: Any) -> None:
    here = desk()
    before = len(here.memory.dreams())
    for path in posts():
        _refuses(here, re.sub(r"\{[a-z_]+\}", "x", path))
    assert len(here.memory.dreams()) == before


def _refuses(here: Any, way: str) -> None:
    here.open("/")
    assert here.client.post(way, data={"do": "apply"}).status_code == 403
    assert here.post(way, token="0" * 64) == 403
    assert here.post(way, token="é") == 403
    right = here.token()
    here.client.cookies.clear()
    here.client.cookies.set(CSRF_COOKIE, "another")
    assert here.client.post(way, data={CSRF_FIELD: right}).status_code == 403
    here.client.cookies.clear()
    assert here.client.post(way, data={CSRF_FIELD: right}).status_code == 403


def test_a_form_of_one_session_is_none_of_another() -> None:
    seal = Seal()
    token = seal.token("cookie", "session")
    assert seal.holds(token, "cookie", "session")
    assert not seal.holds(token, "cookie", "other")
    assert not seal.holds(token, "other", "session")
    assert not seal.holds("", "cookie", "session")
    assert not Seal().holds(token, "cookie", "session")
    assert not seal.holds(seal.token("", "session"), "", "session")


@pytest.mark.parametrize(
    "way",
    [
        "https://evil.example/", "//evil.example", "/\\evil.example", "\\\\evil.example",
        "javascript:x", " /x", "/\t/evil.example", "/\n/evil", "",
        "evil.example", "/x\x00", "///evil.example",
        "http:/evil.example", "/é",
    ],
)  # fmt: skip
def test_nobody_is_sent_elsewhere(way: str) -> None:
    assert inside(way, "/safe") == "/safe"


@given(st.text(max_size=40) | st.from_regex(r"[/\\]{0,3}[a-z:/\\.@]{0,20}", fullmatch=True))
@settings(max_examples=100, deadline=None)
def test_whatever_is_asked_for_stays_on_this_server(way: str) -> None:
    found = inside(way)
    assert found.startswith("/")
    assert found[1:2] not in ("/", "\\")
    assert not urlsplit(found).netloc


def test_a_sign_in_leads_only_to_pages_of_ours(desk: Any) -> None:
    here = desk("read")
    here.client.cookies.clear()
    hidden = Form(here.open("/login?next=//evil.example")).forms[0][1]
    assert hidden["next"] == "/"


def test_signing_in_and_out(desk: Any) -> None:
    here = desk("admin")
    jar = {cookie.name: cookie for cookie in here.client.cookies.jar}
    session = jar[COOKIE]
    assert session.has_nonstandard_attr("HttpOnly")
    assert session.get_nonstandard_attr("SameSite") == "strict"
    assert not session.secure
    assert "Sign out" in here.open("/")
    here.send("/", "/logout")
    answer = here.client.get("/memories", follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/login?next=/memories"
    page = here.send("/login", "/login", status=401, token="slw_wrong")
    assert "opens nothing" in page
    here.client.cookies.set(COOKIE, session.value or "")
    assert here.client.get("/memories", follow_redirects=False).status_code == 303


def test_cookies_are_secure_where_the_connection_is(desk: Any) -> None:
    here = desk("read")
    here.client.cookies.clear()
    here.client.base_url = "https://127.0.0.1"
    answer = here.client.get("/login")
    assert "secure" in answer.headers["set-cookie"].lower()


def test_wrong_tokens_are_counted(desk: Any) -> None:
    here = desk("read")
    here.client.cookies.clear()
    limit = here.spaces.first.parts.settings.server.failures_per_minute
    token = here.token_of("/login")
    codes = [
        here.client.post("/login", data={CSRF_FIELD: token, "token": "no"}).status_code
        for _ in range(limit + 2)
    ]
    assert codes[0] == 401
    assert codes[-1] == 429


NEEDS = {page.path: page.scope for page in ALL if page.method == "POST" and page.scope}


@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_does_what_its_scope_opens_and_no_more(desk: Any, scope: Any) -> None:
    here = desk(scope)
    before = len(here.memory.dreams())
    reads = scope != "log"
    assert here.client.get("/memories").status_code == (200 if reads else 403)
    assert here.client.get("/forget").status_code == (200 if scope == "admin" else 403)
    token = here.token_of("/memories")
    for path, needed in NEEDS.items():
        if scope == "admin" or needed == scope or (scope, needed) == ("review", "read"):
            continue
        way = re.sub(r"\{[a-z_]+\}", "x", path)
        assert here.post(way, token=token) == 403, path
    assert len(here.memory.dreams()) == before
    if not reads:
        return
    waiting, known = here.dream("2026-05-17"), here.saying("Markdown")
    review, memory = here.open(f"/dreams/{waiting}"), here.open(f"/memories/{known}")
    assert ('value="approve"' in review) == (scope in ("review", "admin"))
    assert ('value="edit"' in memory) == (scope in ("review", "admin"))
    assert (f"/forget/{known}" in memory) == (scope == "admin")


def test_a_token_of_one_space_sees_nothing_of_another(desk: Any) -> None:
    here = desk("admin", only=("workshop",))
    page = here.open("/memories?status=all")
    assert "Markdown" not in page
    assert "default" not in page
    for known in here.memory.memories()[:3]:
        here.open(f"/memories/{known.id}", status=404)
        here.open(f"/events/{known.evidence[0].event_id}", status=404)
        here.open(f"/forget/{known.id}", status=404)
    here.open(f"/dreams/{here.dream('2026-05-17')}", status=404)
    here.open(f"/injections/{here.memory.injections()[0].id}", status=404)
    here.open("/memories?space=default", status=403)
    assert here.post("/space", token=here.token_of("/memories"), space="default") == 403
    here.client.cookies.set("slowwave_space", "default")
    assert "Markdown" not in here.open("/memories?status=all")
    here.open("/forget?text=Markdown", status=404)


def test_a_space_that_is_chosen_stays(desk: Any) -> None:
    here = desk()
    assert "Markdown" in here.open("/memories")
    page = here.send("/memories", "/space", space="workshop")
    assert '<option value="workshop" selected>' in page
    assert "Markdown" not in here.open("/memories")
    assert "Markdown" in here.open("/memories?space=default")
