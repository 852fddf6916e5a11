"""The dashboard as a person sees it: pages that work, on every kind of run, with the mouse, the keys and a thumb."""

from pathlib import Path

import pytest

pytest.importorskip("playwright")
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from tests.browser.conftest import Look
from tests.unit.dashboards import HOSTILE, HOSTILE_SLUG
from tests.unit.memories import remember, teachable, variant

from openspade.memory.memory import Memory
from openspade.settings.worlds import MemoryConfig

RUNS = ("real", "many", "empty", "broken", HOSTILE_SLUG.replace("<", "%3C").replace("&", "%26"))
TABS = ("", "environments", "environments?order=regret&zone=in", "corpus", "events", "config")
DEEP = ("environment", "episode", "draft", "play")
ACCESSIBLE = ("", "environments", "corpus", "events", "config")


def addresses(run: str) -> list[str]:
    return [f"/run/{run}/{tab}" for tab in TABS]


def deep_address(look: Look, kind: str, run: str = "real") -> str:
    """An environment of the run, or an episode, a draft, a game of it."""
    page = look.at(f"/run/{run}/environments?verdict=accepted&order=oldest")
    address = page.locator("a.cover").first.get_attribute("href") or ""
    if kind == "play":
        look.at(address)
        look.page.get_by_role("button", name="Play it").click()
        look.page.wait_for_url("**?table=*")
        return look.page.url.removeprefix(look.home)
    if kind != "environment":
        look.at(address)
        address = page.locator(f'a[href*="/{kind}/"]').first.get_attribute("href") or ""
    return address


def violations(look: Look) -> list[str]:
    found = Axe().run(look.page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}).response
    return [
        f"{each['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:300]}"
        for each in found["violations"]
        for node in each["nodes"][:2]
    ]


@pytest.mark.parametrize("run", RUNS)
def test_every_page_opens_without_a_complaint(look: Look, run: str):
    for address in ["/", "/compare?run=real&run=many&run=broken", *addresses(run)]:
        look.at(address)
        assert look.complaints == [], address


@pytest.mark.parametrize("kind", DEEP)
def test_pages_below_open_without_a_complaint(look: Look, kind: str):
    look.at(deep_address(look, kind))
    assert look.complaints == []


@pytest.mark.parametrize("kind", ["environment", "episode", "draft"])
def test_hostile_words_stay_words(look: Look, kind: str):
    page = look.at(deep_address(look, kind, RUNS[-1]))
    assert "owned" not in page.title().split("title='")[0]
    assert HOSTILE.partition("\x1b")[0] in page.locator("main").inner_text()
    assert look.complaints == []


@pytest.mark.parametrize("address", ["/", "/compare?run=real", *(f"/run/real/{tab}" for tab in ACCESSIBLE)])
def test_pages_are_accessible(look: Look, address: str):
    look.at(address)
    assert violations(look) == []


@pytest.mark.parametrize("kind", ["environment", "episode", "play"])
def test_pages_below_are_accessible_in_the_dark_on_a_phone(look_on_a_phone: Look, kind: str):
    look_on_a_phone.at(deep_address(look_on_a_phone, kind))
    assert violations(look_on_a_phone) == []


def test_no_page_is_wider_than_a_phone(look_on_a_phone: Look):
    deep = [deep_address(look_on_a_phone, kind) for kind in DEEP]
    for address in ["/", "/compare?run=real", *addresses("real"), *deep]:
        width = look_on_a_phone.at(address).evaluate("document.documentElement.scrollWidth")
        assert width <= 390, address


def test_a_game_is_played_to_its_end(look: Look):
    page = look.at(deep_address(look, "play"))
    page.get_by_role("button", name="Show the oracle's moves").click()
    page.get_by_label("Your move").fill(page.locator(".hint code").first.inner_text())
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Solved in 1 turn.")
    assert look.complaints == []


def test_a_page_follows_its_training(look: Look, shelf: Path):
    with Memory.open(shelf / "followed" / "openspade.db", MemoryConfig()) as memory:
        remember(memory, (variant(1, "First."), teachable()))
        page = look.at("/run/followed/")
        expect(page.locator(".pill.live")).to_be_visible()
        remember(memory, (variant(2, "Second."), teachable()))
        expect(page.locator("#latest")).to_contain_text("Second.", timeout=20_000)


def test_curves_are_read_with_the_keys(look: Look):
    page = look.at("/run/real/")
    plot = page.locator("#chart-regret .plot")
    plot.focus()
    page.keyboard.press("Home")
    expect(page.locator("#chart-regret .reading")).to_contain_text("cycle 1")


def test_a_stretch_is_zoomed_in_on_in_all_curves(look: Look):
    page = look.at("/run/real/")
    box = page.locator("#chart-regret .u-over").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 40, steps=4)
    page.mouse.up()
    page.get_by_role("button", name="Show the whole run").click()
    expect(page.get_by_role("button", name="Show the whole run")).to_be_hidden()


def test_tokens_are_coloured_by_what_is_asked_for(look: Look):
    page = look.at(deep_address(look, "episode"))
    page.get_by_label("log-prob").check()
    expect(page.locator(".legend.logprob")).to_be_visible()
    assert page.locator(".tokens .tok.w").count() > 0


def test_the_theme_is_kept_from_page_to_page(look: Look):
    page = look.at("/")
    page.get_by_role("button", name="Switch between light and dark").click()
    assert look.at("/run/real/events").evaluate("document.documentElement.dataset.theme") == "dark"


def test_the_keyboard_reaches_the_content_first(look: Look):
    page = look.at("/run/real/environments")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.name") == "words"


def test_more_designs_follow_on_request(look: Look):
    page = look.at("/run/many/environments?kind=game")
    page.get_by_role("link", name="Show more").click()
    expect(page.locator(".card")).to_have_count(48)
