"""A person plays in the browser, the program behind the sandbox's wall as ever."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette")
pytest.importorskip("pygments")
from starlette.testclient import TestClient

from openspade.config import Config
from openspade.dashboard.app import build_app
from openspade.dashboard.play_sessions import MAX_SESSIONS, Opening, PlaySessions
from openspade.memory.memory import Memory
from openspade.settings.worlds import MemoryConfig, SandboxConfig
from openspade.types import Design
from tests.unit.memories import a_cycle, design_of, teachable

GUESS = '''
from openspade_env import Game
class Guess(Game):
    """Say the number."""
    skill = "logic"
    hint = "It is <b>one</b> more."
    max_turns = 2
    def start(self, rng):
        self.number = rng.randint(1, 1000)
        return f"<b>What</b> follows {self.number}?"
    def act(self, action):
        if action == "wait":
            while True: pass
        return self.win("Right.") if action == str(self.number + 1) else "No."
    def solution(self): return [str(self.number + 1)]
'''
LAMPS = '''
from openspade_env import Request, ToolTask, tool
class Lamps(ToolTask):
    """Switch lamps."""
    skill = "state modification"
    hint = "One call a lamp."
    def start(self, rng):
        self.state = {"hall": False, "attic": False}
        self.requests = [Request("Light everywhere, please.", done=lambda s: s["hall"] and s["attic"])]
    @tool
    def switch(self, lamp: str, on: bool) -> str:
        """Switch a lamp."""
        self.state[lamp] = on
        return f"{lamp} switched"
    def solution(self): return [[self.call("switch", lamp="hall", on=True), self.call("switch", lamp="attic", on=True)]]
'''
BROKEN = GUESS.replace("return f", "raise ValueError('no start'); return f")
PLAY = "/run/run/play/"
DESIGNS = {name: design_of(source, name) for name, source in (("guess", GUESS), ("lamps", LAMPS), ("broken", BROKEN))}


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("shelf")
    with Memory.open(folder / "run" / "openspade.db", MemoryConfig()) as memory:
        memory.commit(a_cycle(0, [(design, teachable()) for design in DESIGNS.values()]), state={}, checkpoint="")
    with TestClient(build_app(folder), base_url="http://127.0.0.1") as client:
        yield client


def sit_down(browser: TestClient, design: Design, **fields: str) -> str:
    return browser.post(f"{PLAY}{design.id}", data={"seed": "3", **fields}).text


def say(browser: TestClient, page: str, design: Design, **fields: str) -> str:
    table = re.search(r'name="table" value="([^"]+)"', page)
    assert table is not None
    return browser.post(f"{PLAY}{design.id}/move", data={"table": table[1], **fields}).text


def test_a_game_is_played_to_its_end(browser: TestClient):
    page = sit_down(browser, DESIGNS["guess"])
    number = re.search(r"follows (\d+)", page)
    assert number is not None
    page = say(browser, page, DESIGNS["guess"], said="0")
    assert "No." in page
    assert "Solved in 2 turns." in say(browser, page, DESIGNS["guess"], said=str(int(number[1]) + 1))


def test_the_hint_is_shown_only_when_asked_for(browser: TestClient):
    assert "It is &lt;b&gt;one&lt;/b&gt; more." not in sit_down(browser, DESIGNS["guess"])
    assert "It is &lt;b&gt;one&lt;/b&gt; more." in sit_down(browser, DESIGNS["guess"], hint="1")


def test_what_the_program_says_is_text(browser: TestClient):
    assert "&lt;b&gt;What&lt;/b&gt; follows" in sit_down(browser, DESIGNS["guess"])


def test_a_tool_task_takes_several_calls_a_turn(browser: TestClient):
    page = sit_down(browser, DESIGNS["lamps"])
    assert "switch(lamp: string, on: boolean)" in page
    calls = 'switch(lamp="hall", on=true)\r\nswitch(lamp="attic", on=true)'
    page = say(browser, page, DESIGNS["lamps"], said=calls)
    assert "hall switched" in page and "attic switched" in page and "Solved in 1 turn." in page


def test_out_of_turns_ends_the_game(browser: TestClient):
    page = say(browser, sit_down(browser, DESIGNS["guess"]), DESIGNS["guess"], said="0")
    assert "Out of turns: 2 is the limit." in say(browser, page, DESIGNS["guess"], said="0")


def test_a_program_that_hangs_ends_the_game_and_nothing_else(browser: TestClient):
    page = say(browser, sit_down(browser, DESIGNS["guess"]), DESIGNS["guess"], said="wait")
    assert "The environment failed: used" in page
    assert "follows" in sit_down(browser, DESIGNS["guess"])


def test_a_program_that_cannot_start_says_so(browser: TestClient):
    assert "no start" in sit_down(browser, DESIGNS["broken"])


def test_the_oracles_moves_are_shown_on_request(browser: TestClient):
    page = sit_down(browser, DESIGNS["lamps"])
    assert "switch(lamp=&#34;attic&#34;, on=true)" in say(browser, page, DESIGNS["lamps"], peek="1")


def test_a_reload_goes_on_with_the_game(browser: TestClient):
    opened = browser.post(f"{PLAY}{DESIGNS['guess'].id}", data={"seed": "3"})
    say(browser, opened.text, DESIGNS["guess"], said="0")
    assert "1 of 2 turns used" in browser.get(str(opened.url)).text


def test_a_game_that_was_given_up_is_not_mistaken_for_another(browser: TestClient):
    answer = browser.post(f"{PLAY}{DESIGNS['guess'].id}/move", data={"table": "gone", "said": "1"})
    assert "This game is over" in answer.text


def test_another_site_starts_no_program(browser: TestClient):
    headers = {"sec-fetch-site": "cross-site"}
    answer = browser.post(f"{PLAY}{DESIGNS['guess'].id}", data={"seed": "3"}, headers=headers)
    assert answer.status_code == 403


def test_looking_starts_no_program(browser: TestClient):
    page = browser.get(f"{PLAY}{DESIGNS['guess'].id}?seed=3&hint=1").text
    assert "Sit down" in page and "follows" not in page
    assert 'name="seed" value="3"' in page and 'name="hint" value="1"' in page


async def test_of_many_who_come_at_once_no_more_play_than_there_are_tables():
    playroom = PlaySessions(SandboxConfig())
    design = DESIGNS["guess"]
    opening = Opening(slug="run", design_id=design.id, source=design.source, seed=3, hinted=False, numpy=False)
    try:
        seated = await asyncio.gather(*(playroom.sit_down(opening) for _ in range(60)))
        alive = [table for table in seated if not isinstance(table, str) and table.environment.alive]
        assert len(seated) == 60 and len(alive) == MAX_SESSIONS
    finally:
        await playroom.close()


def test_a_runs_folder_does_not_set_the_limits_of_whoever_plays(tmp_path: Path):
    settings = {"sandbox": {"memory_mb": 100_000, "require": [], "allow_unconfined": True, "step_timeout_s": 3600}}
    with Memory.open(tmp_path / "run" / "openspade.db", MemoryConfig()) as memory:
        memory.record_run("run", {"config": {**Config().model_dump(mode="json", by_alias=True), **settings}})
        memory.commit(a_cycle(0, [(DESIGNS["guess"], teachable())]), state={}, checkpoint="")
    application = build_app(tmp_path, sandbox=SandboxConfig(step_timeout_s=0.2))
    with TestClient(application, base_url="http://127.0.0.1") as client:
        page = sit_down(client, DESIGNS["guess"])
        (pool,) = application.state.site.playroom._pools.values()
        assert (pool._config.step_timeout_s, pool._config.memory_mb, pool._config.allow_unconfined) == (0.2, 256, False)
        assert re.search(r"used 0.\d+ CPU seconds", say(client, page, DESIGNS["guess"], said="wait"))


def test_a_move_of_any_size_is_not_accepted(browser: TestClient):
    fields = {"table": "gone", "said": "x" * 200_000}
    assert browser.post(f"{PLAY}{DESIGNS['guess'].id}/move", data=fields).status_code == 413
