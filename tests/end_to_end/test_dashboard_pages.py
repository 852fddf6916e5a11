"""Every page of the dashboard, as a browser would get it: complete, harmless, and only for who may see it."""

import csv
import io
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytest.importorskip("starlette")
pytest.importorskip("pygments")
from starlette.testclient import TestClient

from openspade.dashboard.app import build_app
from tests.unit.dashboards import HOSTILE_SLUG, a_shelf

HOME = "http://127.0.0.1"
LINK = re.compile(r'(?:href|hx-get|data-charts)="(/[^"#]*)"')
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class Active(HTMLParser):
    """What a browser would run of a page, beyond the scripts that it names."""

    def __init__(self) -> None:
        super().__init__()
        self.tags = 0
        self.active: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags += 1
        names = [name for name, _ in attrs]
        self.active += [name for name in names if name.startswith("on") or name == "style"]
        if tag == "style" or (tag == "script" and "src" not in names):
            self.active.append(tag)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return a_shelf(tmp_path_factory.mktemp("shelf"))


@pytest.fixture(scope="module")
def browser(shelf: Path) -> Iterator[TestClient]:
    with TestClient(build_app(shelf), base_url=HOME) as client:
        yield client


@pytest.fixture(scope="module")
def pages(browser: TestClient) -> dict[str, str]:
    """Every address that can be reached by links, but for games, with its text."""
    found: dict[str, str] = {}
    waiting = ["/", "/compare?run=plain&run=broken&run=empty"]
    while waiting:
        address = waiting.pop()
        if address in found or "/play/" in address or address.startswith("/static/"):
            continue
        response = browser.get(address)
        assert response.status_code in (200, 204), address
        found[address] = response.text
        if "html" in response.headers.get("content-type", ""):
            waiting += [link.replace("&amp;", "&") for link in LINK.findall(response.text)]
    return found


def test_links_lead_to_every_kind_of_page(pages: dict[str, str]):
    kinds = ("/run/plain/environment/", "/episode/", "/draft/", "/document/", "/first", "series.json")
    assert all(any(kind in address for address in pages) for kind in kinds)


def test_no_page_carries_script_or_style_of_its_own(pages: dict[str, str]):
    seen = Active()
    seen.feed("".join(text for address, text in pages.items() if not address.endswith((".json", ".csv"))))
    assert seen.tags > 1000
    assert not seen.active


def test_hostile_words_are_shown_not_obeyed(pages: dict[str, str]):
    shown = {address: text for address, text in pages.items() if not address.endswith((".csv", ".json"))}
    hostile = [text for address, text in shown.items() if "hostile" in address]
    assert len(hostile) > 10
    assert not any("<script>document" in text or "<img src=x" in text or OBEYED.search(text) for text in hostile)
    assert any("&lt;script&gt;document" in text and "␛[31mred" in text and "⟨U+202E⟩" in text for text in hostile)


def test_a_hostile_run_is_reached_by_its_name(browser: TestClient):
    answer = browser.get(f"/run/{HOSTILE_SLUG.replace('<', '%3C').replace('&', '%26')}/")
    assert "hostile &lt;i&gt;run &amp; co" in answer.text


def test_answers_forbid_what_pages_do_not_need(browser: TestClient):
    headers = browser.get("/").headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]


def test_a_broken_run_is_listed_and_explained(browser: TestClient):
    assert "unreadable" in browser.get("/").text
    assert "damaged or not a database" in browser.get("/run/broken/environments").text


def test_machines_hear_of_a_broken_run_by_the_status(browser: TestClient):
    assert browser.get("/run/broken/series.json").status_code == 503


def test_an_empty_run_says_that_nothing_is_finished(browser: TestClient):
    assert "No cycle is finished yet" in browser.get("/run/empty/").text


def test_a_folder_without_runs_says_how_to_start_one(tmp_path: Path):
    with TestClient(build_app(tmp_path), base_url=HOME) as client:
        assert "openspade train" in client.get("/").text


def test_a_runs_own_folder_opens_at_the_run(shelf: Path):
    with TestClient(build_app(shelf / "plain"), base_url=HOME) as client:
        assert client.get("/").url.path == "/run/plain/"


@pytest.mark.parametrize(
    "address", ["/run/nobody/", "/nowhere", "/run/plain/document/none", "/run/plain/episode/9" + "9" * 40 + "/1"]
)
def test_what_is_not_there_is_not_found(browser: TestClient, address: str):
    assert browser.get(address).status_code == 404


@pytest.mark.parametrize(
    "query", ["regret=x", "after=nan,1", "order=best", "zone=moon", "cycle=-3", "after=1,²", "cycle=9" + "9" * 40]
)
def test_a_filter_that_makes_no_sense_is_left_out(browser: TestClient, query: str):
    assert "Sort numbers" in browser.get(f"/run/plain/environments?{query}").text


def test_the_download_has_a_row_a_cycle(browser: TestClient):
    rows = [*csv.DictReader(io.StringIO(browser.get("/run/plain/metrics.csv").text))]
    assert [(row["cycle"], row["designs/regret_mean"]) for row in rows] == [("1", "0.2"), ("2", "0.2"), ("3", "0.2")]


def test_curves_carry_the_heldout_score_with_its_interval(browser: TestClient):
    charts = {chart["name"]: chart for chart in browser.get("/run/plain/series.json").json()}
    (line,) = charts["heldout"]["lines"]
    assert line["at"] == [1, 2, 3]
    assert line["low"] == [0.3, 0.3, 0.3]


def test_runs_are_compared_by_the_means_of_their_first_and_last_cycles(browser: TestClient):
    page = browser.get("/compare?run=plain&run=empty").text
    assert 'title="designs/in_band_share: ' in page
    assert re.search(r"40\.0%\s*<span aria-label=\"to\">→</span>\s*<strong>40\.0%", page)


def test_a_page_that_is_up_to_date_is_not_sent_again(browser: TestClient):
    asks = {"hx-request": "true"}
    assert browser.get("/run/plain/?seen=2", headers=asks).status_code == 204
    assert browser.get("/run/plain/?seen=1", headers=asks).status_code == 200


def test_nothing_is_cut_from_an_episode(pages: dict[str, str]):
    episode = next(text for address, text in pages.items() if "/run/plain/episode/" in address)
    spoken = re.sub(r"<[^>]*>", "", episode.partition('aria-label="Tokens">')[2].partition("</div>")[0])
    assert spoken == "Sort numbers"
