"""The page of a run in a browser, as a reader has it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from support.browser import chromium
from support.scored_runs import scored_run

from tasks.report.comparison.changed_verdicts import diff_pairs, pair_diff
from tasks.report.page.diff_page import write_diff_page
from tasks.report.page.page_file import write_report

pytestmark = pytest.mark.serial

EVIL = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>"


def mixed(number: int) -> Any:
    """Right but for every fifth sample; some were cut off, one failed."""
    if number == 7:
        return {"status": "error", "error": f"HTTP 500 {EVIL}", "prediction": None}
    text = f"{number}" if number % 5 else f"no idea about {number} {EVIL}"
    return {"prediction": text, "status": "truncated"} if number % 6 == 0 else text


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a page of two models, whose names and answers are what they should not be."""
    folder = tmp_path_factory.mktemp("report")
    answers = {
        "plain": mixed,
        f"evil{EVIL}": str,
        "third": lambda number: {"prediction": f"{number}", "reasoning": EVIL},
    }
    golds = {"small": [str(n) for n in range(30)], f"other{EVIL}": [*map(str, range(39)), EVIL]}
    groups = {"summary_groups": [{"name": EVIL, "subsets": list(golds)}]}
    return write_report(*scored_run(folder, answers, golds), groups).as_uri()


@pytest.fixture(scope="module")
def difference(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a page about two runs."""
    root = tmp_path_factory.mktemp("difference")
    golds = {f"set{EVIL}": ["0", "1", "2"]}
    first = scored_run(root / "a", {"m": str}, golds).folder
    second = scored_run(root / "b", {f"n{EVIL}": lambda number: EVIL}, golds).folder
    diffs = [pair_diff(first, second, *pairs) for pairs in diff_pairs(first, second)]
    write_diff_page(root / "diff.html", "a", f"b{EVIL}", diffs)
    return (root / "diff.html").as_uri()


@pytest.fixture(scope="module")
def browser(report: str, difference: str) -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def opened(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens an address in a window of its own, and fails where the page's script does."""
    pages: list[Page] = []
    errors: list[str] = []

    def open_page(address: str, **options: Any) -> Page:
        page = browser.new_page(**options)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("dialog", lambda dialog: errors.append(dialog.message))
        page.goto(address)
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        page.close()
    assert not errors


def matches(page: Page, text: str) -> None:
    expect(page.locator("#matches")).to_have_text(text)


def test_samples_are_found_by_text_verdict_and_status(opened: Callable[..., Page], report: str):
    page = opened(report)
    matches(page, "210 of 210 samples")
    page.select_option("#pair", label="plain / small (30)")
    matches(page, "30 of 210 samples")
    assert "✗ wrong (17)" in page.inner_text("#verdict")
    page.select_option("#verdict", "w")
    matches(page, "6 of 210 samples")
    page.fill("#query", "NO IDEA about 25")
    matches(page, "1 of 210 samples")
    row = page.locator("[role=option]")
    expect(row).to_contain_text("wrong · ok · plain / small · 25")
    row.click()
    expect(page.locator("#sample")).to_contain_text("Question 25?")
    expect(page.locator("#sample dd").nth(0)).to_have_text("✗ wrong")
    page.fill("#query", "")
    page.select_option("#status", "t")
    matches(page, "1 of 210 samples")
    page.select_option("#verdict", "")
    matches(page, "5 of 210 samples")
    page.select_option("#status", "x")
    expect(page.locator("[role=option]").first).to_contain_text("no verdict · error")


def test_everything_is_reached_by_keys(opened: Callable[..., Page], report: str):
    page = opened(report)
    page.locator("#list").focus()
    page.keyboard.press("/")
    page.keyboard.type("Question 3")
    matches(page, "36 of 210 samples")
    page.keyboard.press("Escape")
    expect(page.locator("#list")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#sample-title")).to_contain_text("plain / other")
    selected = page.locator("[aria-selected=true]")
    expect(page.locator("#list")).to_have_attribute("aria-activedescendant", selected.get_attribute("id") or "")
    expect(selected).to_have_attribute("aria-posinset", "2")
    page.keyboard.press("End")
    expect(page.locator("#sample-title")).to_contain_text("sample 39")
    page.keyboard.press("Enter")
    expect(page.locator("#sample")).to_be_focused()
    page.keyboard.press("k")
    expect(page.locator("#sample-title")).to_contain_text("sample 38")


def test_a_link_leads_to_one_sample(opened: Callable[..., Page], report: str):
    model, dataset = quote(f"evil{EVIL}", safe=""), quote(f"other{EVIL}", safe="")
    page = opened(f"{report}#sample/{model}/{dataset}/39")
    expect(page.locator("#sample-title")).to_contain_text("sample 39")
    expect(page.locator("#sample")).to_contain_text("Question 39?")
    page.evaluate("location.hash = '#sample/plain/small/99'")
    expect(page.locator("#sample-title")).to_have_text("This page does not hold sample 99 of plain / small")


def test_what_models_write_stays_text(opened: Callable[..., Page], report: str):
    page = opened(report)
    for row in page.locator("[role=option]").all()[:12]:
        row.click()
    page.fill("#query", "HTTP 500")
    page.locator("[role=option]").first.click()
    expect(page.locator("#sample")).to_contain_text(EVIL)
    expect(page.locator("#failures")).to_contain_text(EVIL)
    expect(page.locator("#scores")).to_contain_text(f"evil{EVIL}")
    assert page.evaluate("window.hacked") is None
    assert page.locator("script:not([type])").count() == 1 and page.locator("img[src=x]").count() == 0


def test_the_page_may_neither_run_what_is_put_into_it_nor_reach_anything(opened: Callable[..., Page], report: str):
    page = opened(report)
    fetched: list[str] = []
    page.on("requestfinished", lambda request: fetched.append(request.url))
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.hacked=1\">')")
    page.reload()
    reached = page.evaluate("fetch('http://127.0.0.1:9/').then(() => true, (error) => String(error))")
    assert "Failed to fetch" in reached and page.evaluate("window.hacked") is None
    assert [url for url in fetched if not url.startswith("data:")] == [report]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_violation_of_accessibility_rules_in_either_scheme(opened: Callable[..., Page], report: str, scheme: str):
    page = opened(f"{report}#sample/plain/small/0", color_scheme=scheme)
    expect(page.locator("#sample-title")).to_contain_text("sample 0")
    for details in page.locator("details").all():
        details.evaluate("element => element.open = true")
    results = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"]})
    assert not results.response["violations"], results.generate_report()


def test_a_phone_shows_it_without_scrolling_sideways(opened: Callable[..., Page], report: str):
    page = opened(f"{report}#sample/plain/small/0", viewport={"width": 360, "height": 700})
    expect(page.locator("#sample-title")).to_contain_text("sample 0")
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_the_page_of_a_comparison_is_as_safe_and_as_readable(opened: Callable[..., Page], difference: str):
    page = opened(difference, viewport={"width": 360, "height": 700})
    expect(page.locator("h3").first).to_have_text("✗ now wrong: 3")
    page.locator("summary").first.click()
    expect(page.locator("pre").nth(1)).to_have_text(EVIL)
    expect(page.locator("h1")).to_have_text(f"a and b{EVIL}")
    assert page.evaluate("window.hacked") is None and page.locator("script, img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    results = Axe().run(page)
    assert not results.response["violations"], results.generate_report()


def test_pictures_have_words_and_are_drawn(opened: Callable[..., Page], report: str):
    page = opened(report)
    pictures = page.locator("figure img")
    assert pictures.count() >= 4
    for picture in pictures.all():
        assert picture.get_attribute("alt") and picture.evaluate("picture => picture.naturalWidth") > 100


def test_twenty_thousand_samples_open_and_filter(opened: Callable[..., Page], tmp_path: Path):
    text = "A rather long answer that goes on and on. " * 20
    needle = 19_990
    answers = {"m": lambda number: f"{text} {'needle' if number == needle else number % 2}"}
    page = opened(write_report(*scored_run(tmp_path, answers, {"large": ["1"] * 20_000}), None).as_uri())
    matches(page, "20,000 of 20,000 samples")
    assert page.locator("[role=option]").count() < 60
    page.fill("#query", "needle")
    matches(page, "1 of 20,000 samples")
    expect(page.locator("[role=option]")).to_contain_text(f"m / large · {needle}")
    page.fill("#query", "")
    matches(page, "20,000 of 20,000 samples")
    page.locator("#list").focus()
    page.keyboard.press("End")
    expect(page.locator("#sample-title")).to_have_text("m / large, sample 19999")
