"""The page in a real browser: nothing overflows, nothing complains, nothing is fetched or run."""

from __future__ import annotations

import shutil

import pytest

pytest.importorskip("typer")
pytest.importorskip("matplotlib")
pytest.importorskip("jinja2")
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright import sync_api as api
from report_helpers import write_hostile
from table_helpers import FAST, ok, table, write

from needs import CHROMIUM

pytestmark = pytest.mark.thorough

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
SCREENS = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]


@pytest.fixture(scope="module")
def browser():
    installed = next(filter(None, map(shutil.which, NAMES)), None)
    with api.sync_playwright() as playwright:
        try:
            found = playwright.chromium.launch(executable_path=installed, args=["--no-sandbox"])
        except api.Error as problem:
            pytest.skip(f"{CHROMIUM}: {str(problem).splitlines()[0]}")
        yield found
        found.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    write(folder / "data.csv", table())
    ok("fit", folder / "data.csv", "--target", "sold", *FAST, "-o", folder / "m.fboost")
    ok("report", folder / "m.fboost", folder / "data.csv", "-o", folder / "plain.html")
    train, test = write_hostile(folder)
    ok("fit", train, "--target", "<target>", *FAST, "-o", folder / "h.fboost")
    ok("report", folder / "h.fboost", test, "-o", folder / "hostile.html")
    ok("fit", folder / "data.csv", "--target", "price", *FAST, "-o", folder / "p.fboost")
    ok("report", folder / "p.fboost", folder / "data.csv", "-o", folder / "numbers.html")
    return {name: folder / f"{name}.html" for name in ("plain", "hostile", "numbers")}


@pytest.mark.parametrize("name", ["plain", "hostile", "numbers"])
@pytest.mark.parametrize(("width", "scheme"), SCREENS)
def test_the_page_fits_and_is_quiet(browser, pages, name, width, scheme):
    page = browser.new_page(viewport={"width": width, "height": 844}, color_scheme=scheme)
    heard: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("dialog", lambda dialog: heard.append(dialog.message))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(pages[name].as_uri())
    assert heard == []
    assert asked == [pages[name].as_uri()]
    root = "document.documentElement"
    assert page.evaluate(f"{root}.scrollWidth") <= page.evaluate(f"{root}.clientWidth") == width
    # Whoever is not seen whole must be able to scroll by itself.
    assert page.evaluate(OUTSIDE) == []
    shown = page.evaluate(COLOURS)
    assert (shown["text"], shown["drawing"]) == (shown["ink"], shown["ink"])
    assert (sum(rgb(shown["ink"])) < sum(rgb(shown["paper"]))) == (scheme == "light")
    page.close()


def test_every_link_leads_to_its_section(browser, pages):
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(pages["plain"].as_uri())
    for link in page.query_selector_all("nav a"):
        link.click()
        target = page.query_selector(link.get_attribute("href"))
        assert target is not None
        assert target.query_selector("h2").inner_text() == link.inner_text()
        assert target.bounding_box()["width"] > 300
    page.close()


def rgb(colour: str) -> list[int]:
    return [int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]


OUTSIDE = """() => [...document.querySelectorAll('body *')].filter(e =>
  !e.closest('.scroll') && !e.closest('svg') && e.getBoundingClientRect().right > innerWidth + 1
).map(e => e.tagName)"""

COLOURS = """() => {
  const style = (selector, name) => getComputedStyle(document.querySelector(selector))[name];
  return {
    ink: style('body', 'color'), paper: style('body', 'backgroundColor'),
    text: style('td', 'color'), drawing: style('svg text', 'fill'),
  };
}"""
