"""The pictures of docs/dashboard.md, taken of a run with a headless Chromium.

    python -m benchmarks.dashboard_pictures runs/nano docs/images

It needs the `dev` extra and Debian's chromium. Environments and episodes are chosen by what they show: a design played
in several cycles, an episode of many turns that was solved.
"""

from __future__ import annotations

import io
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from openspade.dashboard.app import build_app
from openspade.memory.database import Database

SETTLED_MS = 2500
COLOURS = 96
"""Pages are flat areas and text: a palette of so many shows no difference and a third of the bytes."""
OFTEN_PLAYED = (
    "SELECT id FROM designs JOIN playtests USING (number) GROUP BY id ORDER BY count(*) DESC, max(regret) DESC"
)
LONG_SOLVED = (
    "SELECT episodes.cycle, line FROM episodes JOIN designs USING (number) WHERE kind = 'tool' AND outcome = 'solved' "
    "AND turns BETWEEN 3 AND 5 AND NOT hinted ORDER BY turns DESC, episodes.cycle DESC"
)


def main(run: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    database = Database(run / "openspade.db", readonly=True)
    (design,), episode = database.rows(OFTEN_PLAYED)[0], database.rows(LONG_SOLVED)[0]
    home = f"/run/{run.resolve().name}/"
    with served(run) as address, sync_playwright() as playwright:
        chromium = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        take(browser, address + home, folder / "dashboard-overview.png", size=(1280, 1350))
        shown = f"{address}{home}environment/{design}"
        take(browser, shown, folder / "dashboard-environment.png", size=(1280, 1150), dark=True)
        said = f"{address}{home}episode/{episode[0]}/{episode[1]}"
        take(browser, said, folder / "dashboard-episode.png", size=(1280, 1150))
        played = f"{address}{home}play/{design}?seed=7&hint=1"
        take(browser, played, folder / "dashboard-play.png", size=(390, 620))
        listed = f"{address}{home}environments?verdict=accepted&order=regret"
        take(browser, listed, folder / "dashboard-phone.png", size=(390, 900))
        browser.close()


def take(browser: Browser, address: str, path: Path, *, size: tuple[int, int], dark: bool = False) -> None:
    width, height = size
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light")
    page.goto(address)
    if page.get_by_role("button", name="Sit down").count():
        page.get_by_role("button", name="Sit down").click()
    if page.get_by_label("log-prob").count():
        page.get_by_label("log-prob").check()
    page.wait_for_timeout(SETTLED_MS)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path}: {path.stat().st_size / 1000:.0f} kB")
    page.close()


@contextmanager
def served(run: Path) -> Iterator[str]:
    server = uvicorn.Server(uvicorn.Config(build_app(run), port=0, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    (port,) = {socket.getsockname()[1] for each in server.servers for socket in each.sockets}
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join()


if __name__ == "__main__":
    match sys.argv[1:]:
        case [run, folder]:
            main(Path(run), Path(folder))
        case _:
            sys.exit(__doc__)
