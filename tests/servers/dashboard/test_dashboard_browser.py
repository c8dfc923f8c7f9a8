"""The pages in a real browser: both languages, both themes, keyboard alone, without a script."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dashboard_story as story
import pytest
from dashboard_browser import MEASURE, Served, Window, chromium, serving

pytestmark = pytest.mark.slow

PICTURES = Path(__file__).parents[3] / "docs" / "pictures" / "dashboard"
UPDATE = bool(os.environ.get("SCREENSHOTS_UPDATE"))
TALLEST, LARGEST = (1000, 860, 720, 600), 150_000
TOKEN = "slw_of-a-browser-test"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def shown(told: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose home nobody changes."""
    with serving(story.copied(told, tmp_path_factory.mktemp("shown") / "home")) as served:
        yield served


@pytest.fixture
def served(told: Path, tmp_path: Path) -> Iterator[Served]:
    """A server of one's own."""
    with serving(story.copied(told, tmp_path / "home")) as found:
        yield found


def photographed(window: Window, name: str) -> None:
    """Keeps a picture of the page for the docs, where that is asked for."""
    if not UPDATE:
        return
    PICTURES.mkdir(parents=True, exist_ok=True)
    page, path = window.page, PICTURES / f"{name}.png"
    size = page.viewport_size
    whole = page.evaluate("document.documentElement.scrollHeight")
    for height in TALLEST:
        page.set_viewport_size({"width": size["width"], "height": max(min(whole, height), 600)})
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=path)
        if path.stat().st_size < LARGEST:
            break
    page.set_viewport_size(size)
    assert path.stat().st_size < LARGEST


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_page_is_whole_and_asks_nobody_else(
    browser: Any, shown: Served, language: str
) -> None:
    window = Window(browser, shown, language)
    for name, way in shown.ways().items():
        page = window.go(way)
        assert page.locator("html").get_attribute("lang") == {"en": "en", "zh": "zh-Hans"}[language]
        assert page.evaluate("getComputedStyle(document.body).margin") == "0px", "no style"
        assert page.evaluate("[...document.images].every((one) => one.naturalWidth > 0)")
        photographed(window, f"{name}-{language}")
    window.close()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_sign_in(browser: Any, told: Path, tmp_path: Path, language: str) -> None:
    with serving(story.copied(told, tmp_path / "home"), TOKEN) as closed:
        window = Window(browser, closed, language)
        page = window.go("/working")
        assert "/login?next=/working" in page.url
        photographed(window, f"login-{language}")
        page.keyboard.type("wrong")
        page.keyboard.press("Enter")
        page.wait_for_selector("#wrong")
        window.wrong = [one for one in window.wrong if "401" not in one]
        page.locator("#token").fill(TOKEN)
        page.keyboard.press("Enter")
        page.wait_for_url("**/working")
        cookie = next(one for one in window.context.cookies() if "session" in one["name"])
        assert cookie["httpOnly"]
        assert cookie["sameSite"] == "Strict"
        window.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_contrast_is_enough_by_day_and_by_night(
    browser: Any, shown: Served, language: str, scheme: str
) -> None:
    window = Window(browser, shown, language, color_scheme=scheme)
    found = {}
    for name, way in shown.ways().items():
        page = window.go(way)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        if bad := page.evaluate(MEASURE):
            found[name] = bad[:5]
        if scheme == "dark" and name in ("tonight", "review", "statistics"):
            page.evaluate("document.querySelectorAll('details').forEach((o) => { o.open = false })")
            photographed(window, f"{name}-dark-{language}")
    assert not found
    window.close()


def test_what_is_hard_to_read_would_be_found(browser: Any, shown: Served) -> None:
    window = Window(browser, shown)
    page = window.go("/")
    page.evaluate("document.querySelector('h2').style.color = '#bbb'")
    page.evaluate("document.querySelector('.night .lead').style.color = '#44a'")
    assert len(page.evaluate(MEASURE)) == 2
    window.close()


@pytest.mark.parametrize("width", [320, 360])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_narrow_screens_do_not_scroll_sideways(
    browser: Any, shown: Served, language: str, width: int
) -> None:
    window = Window(browser, shown, language, viewport={"width": width, "height": 740})
    for name, way in shown.ways().items():
        page = window.go(way)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, (name, wide, page.evaluate(WIDEST, width))
        if width == 360 and name in ("tonight", "review", "memories"):
            page.evaluate("document.querySelectorAll('details').forEach((o) => { o.open = false })")
            photographed(window, f"{name}-narrow-{language}")
    window.close()


WIDEST = """(width) => [...document.querySelectorAll("main *, header *")]
  .filter((one) => one.getBoundingClientRect().right > width + 1)
  .slice(0, 4).map((one) => one.outerHTML.slice(0, 90))"""


def pressed(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def marks(served: Served, plan: str) -> list[bool | None]:
    return [change.approved for change in served.spaces.first.dream_by_id(plan).changes]


def test_a_review_with_the_keyboard_alone(browser: Any, served: Served) -> None:
    plan = served.plan()
    window = Window(browser, served)
    page = window.go("/")
    for _ in range(60):  # by Tab to the plan that waits
        pressed(page, "Tab")
        if page.evaluate("document.activeElement.getAttribute('href')") == f"/dreams/{plan}":
            break
    ring = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert ring == "solid", "focus is not seen"
    pressed(page, "Enter")
    page.wait_for_url(f"**/dreams/{plan}")
    pressed(page, "j", "j", "k")
    here = page.evaluate("document.activeElement.id")
    assert here == page.locator("[data-change]").first.get_attribute("id")
    with page.expect_navigation():
        pressed(page, "a")
    assert marks(served, plan).count(True) >= 1
    second = page.evaluate("document.activeElement.id")
    assert second.startswith("c-")
    assert second != here
    with page.expect_navigation():
        pressed(page, "r")
    assert False in marks(served, plan)
    page.wait_for_selector("[data-change].here")
    box = page.locator("[data-change].here").bounding_box()
    bar = page.locator("#decide").bounding_box()
    assert box is not None
    assert bar is not None
    assert box["y"] >= bar["y"] + bar["height"] - 1, "what is decided on is hidden"
    with page.expect_navigation():
        pressed(page, "Shift+A")
    assert served.spaces.first.dream_by_id(plan).status == "applied"
    assert page.locator("[role=status]").first.inner_text().startswith("Applied.")
    with page.expect_navigation():
        pressed(page, "u")
    assert served.spaces.first.dream_by_id(plan).status == "rolled_back"
    window.close()


def test_a_review_by_tab_and_enter(browser: Any, served: Served) -> None:
    plan = served.plan()
    window = Window(browser, served)
    page = window.go(f"/dreams/{plan}")
    for wanted in ("approve", "reject", "apply"):
        for _ in range(200):
            pressed(page, "Tab")
            if page.evaluate("document.activeElement.value") == wanted:
                break
        with page.expect_navigation():
            pressed(page, "Enter")
    assert served.spaces.first.dream_by_id(plan).status == "applied"
    assert False in marks(served, plan)
    window.close()


def test_a_review_without_a_script(browser: Any, served: Served) -> None:
    plan = served.plan()
    window = Window(browser, served, java_script_enabled=False)
    page = window.go("/")
    page.get_by_role("link", name="Review 17 May 2026").first.click()
    page.get_by_role("button", name="Approve").first.click()
    assert "#c-" in page.url
    page.locator("article", has=page.get_by_text("undecided")).first.get_by_role(
        "button", name="Reject"
    ).click()
    page.get_by_role("button", name="Apply the").click()
    assert served.spaces.first.dream_by_id(plan).status == "applied"
    page.get_by_role("button", name="Undo this dream").click()
    assert served.spaces.first.dream_by_id(plan).status == "rolled_back"
    page.goto("/timeline")
    page.locator("#day").fill("2026-05-05")
    page.get_by_role("button", name="Show").click()
    assert "5 May 2026" in page.locator("h1").inner_text()
    window.close()


def test_keys_are_shown_and_lead_to_the_search(browser: Any, shown: Served) -> None:
    window = Window(browser, shown)
    page = window.go(f"/dreams/{shown.plan()}")
    assert not page.get_by_text("approve it").is_visible()
    pressed(page, "?")
    assert page.get_by_text("approve it").is_visible()
    with page.expect_navigation():
        pressed(page, "/")
    pressed(page, "/")
    assert page.evaluate("document.activeElement.id") == "q"
    page.keyboard.type("a?/j")
    assert page.locator("#q").input_value() == "a?/j", "keys are letters where one writes"
    window.close()


def test_the_slider_moves_through_the_days(browser: Any, shown: Served) -> None:
    window = Window(browser, shown)
    page = window.go("/timeline?day=2026-05-11")
    page.locator("#slider").focus()
    with page.expect_navigation():
        pressed(page, "ArrowLeft")
    assert "10 May 2026" in page.locator("h1").inner_text()
    assert page.locator("#day").input_value() == "2026-05-10"
    window.close()


def test_a_dream_is_watched_until_it_is_done(browser: Any, served: Served) -> None:
    served.spaces.first.reject(served.plan())
    window = Window(browser, served, "zh")
    page = window.go("/")
    page.locator("#date").select_option("today")
    page.get_by_role("button", name="计划一次梦").click()
    page.wait_for_url("**/dreams/d*?done=planned", timeout=30_000)
    assert "还没有任何改变" in page.locator("[role=status]").first.inner_text()
    window.close()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_forgetting_shows_what_goes_and_then_its_receipt(
    browser: Any, served: Served, language: str
) -> None:
    known = next(one for one in served.spaces.first.memories() if "trains" in one.text)
    window = Window(browser, served, language)
    page = window.go(f"/memories/{known.id}")
    page.locator(f"a[href='/forget/{known.id}']").click()
    assert page.get_by_text(known.text).first.is_visible()
    with page.expect_navigation():
        page.locator("button.danger.main").click()
    assert "/receipts/r" in page.url
    assert page.locator("#proof").is_visible()
    photographed(window, f"receipt-{language}")
    assert page.goto(f"/memories/{known.id}").status == 404
    window.close()


def test_the_first_tab_leads_past_the_places(browser: Any, shown: Served) -> None:
    window = Window(browser, shown)
    page = window.go("/memories")
    pressed(page, "Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    pressed(page, "Enter", "Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")
    window.close()


def test_hostile_words_do_nothing(browser: Any, served: Served) -> None:
    memory = served.spaces.first
    text = '<script>document.title="taken"</script><img src=x onerror=\'document.title="taken"\'>'
    memory.by_hand("edit", memory.memories()[0].id, text=f"I like {text}")
    memory.working_add(text)
    memory.context(text, 200, session=text)
    window = Window(browser, served)
    for way in (
        "/",
        "/memories",
        f"/memories/{memory.memories()[0].id}",
        "/working",
        "/injections",
    ):
        page = window.go(way)
        assert page.title() != "taken"
        assert page.locator("main img, main script").count() == 0
    window.close()
