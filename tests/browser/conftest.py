"""A dashboard over real runs, and a headless Chromium that looks at it. Without either, these tests are left out."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

pytest.importorskip("starlette")
pytest.importorskip("pygments")
pytest.importorskip("uvicorn")
pytest.importorskip("playwright")
import uvicorn
from benchmarks.memory import make
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright
from tests.unit.dashboards import a_shelf

from openspade.dashboard.app import build_app

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
RECIPE = Path(__file__).parents[2] / "recipes" / "tutorial.toml"
MANY = 100_000


@dataclass
class Look:
    """A page with what its console complained of."""

    page: Page
    home: str
    complaints: list[str] = field(default_factory=list)

    def at(self, address: str) -> Page:
        """Go there, and wait until its scripts have drawn."""
        self.page.goto(self.home + address)
        self.page.wait_for_load_state("networkidle")
        return self.page

    def listen(self) -> None:
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs: `real` (trained here), one whose words attack, an empty, a broken, and one of 100,000 designs."""
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine: apt-get install chromium")
    folder = a_shelf(tmp_path_factory.mktemp("runs"))
    settings = ["run.cycles=3", "run.name=real", f"run.directory={folder}"]
    subprocess.run([sys.executable, "-m", "openspade", "train", RECIPE, *settings], check=True, capture_output=True)
    make(folder / "many", MANY)
    return folder


@pytest.fixture(scope="session")
def home(shelf: Path) -> Iterator[str]:
    server = uvicorn.Server(uvicorn.Config(build_app(shelf), port=0, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    (port,) = {socket.getsockname()[1] for each in server.servers for socket in each.sockets}
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(10)


@pytest.fixture(scope="module")
def chromium(home: str) -> Iterator[Browser]:
    """Gone after each module: while it lives, its event loop runs in this thread and no async test can."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def look(chromium: Browser, home: str) -> Iterator[Look]:
    yield from looking(chromium, home, width=1280, dark=False)


@pytest.fixture
def look_on_a_phone(chromium: Browser, home: str) -> Iterator[Look]:
    yield from looking(chromium, home, width=390, dark=True)


def looking(chromium: Browser, home: str, *, width: int, dark: bool) -> Iterator[Look]:
    scheme = "dark" if dark else "light"
    context = chromium.new_context(viewport={"width": width, "height": 850}, color_scheme=scheme)
    found = Look(page=context.new_page(), home=home)
    found.listen()
    yield found
    context.close()
