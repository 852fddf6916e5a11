"""`openspade import`, as a user would see it: pools in the layouts that SPADE released, and given families."""

import hashlib
import json

import pytest

from openspade.curriculum.design_files import read_designs
from openspade.errors import ConfigError
from openspade.interop.importing import import_pool
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.settings.worlds import SandboxConfig
from openspade.types import Action, ToolCall
from tests.end_to_end.test_cli import openspade

GAME = r'''
import random

class GuessEnv:
    """Guess a number between 1 and 500."""
    def __init__(self, max_turns=6):
        self.max_turns = max_turns
    def reset(self, seed=None):
        random.seed(seed)
        self.number = random.randint(1, 500)
        return "Guess a number, 1 to 500. Put it in \\boxed{}.", {}
    def solution(self):
        return "\\boxed{" + str(self.number) + "}"
    def step(self, action):
        found = re.search(r"\\boxed\{(.*?)\}", action)
        if found and found.group(1) == str(self.number):
            return "Right", 1.0, True, False, {}
        return f"No, {random.randint(1, 9)}", 0.0, False, False, {}
'''
TASK = '''
class NumbersMTEnv(ToolUseBaseEnv):
    """Look a number up."""
    def reset(self, seed=None):
        random.seed(seed)
        self._state = {"ann": random.randint(100, 999)}
        self._expected_answer = str(self._state["ann"])
        parameters = {"type": "object", "properties": {"name": {"type": "string"}, "loud": {"type": "boolean"}},
                      "required": ["name"]}
        self._tools = [{"type": "function", "function": {"name": "find", "description": "Find it.",
                                                         "parameters": parameters}}]
        return "What is Ann's number?", {}
    def tool_find(self, name, loud=False):
        return str(self._state[name.lower()])
'''
BROKEN = {
    "network.py": "import socket\nclass NetEnv:\n    def reset(self, seed=None): ...\n    def step(self, a): ...\n",
    "syntax.py": "def f(:\n",
    "nothing.py": "x = 1\n",
}


def _folder(folder, programs, manifest=None):
    for name, code in programs.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(code)
    for name, value in (manifest or {}).items():
        (folder / name).write_text(value)
    return folder


def test_a_folder_of_games_with_a_manifest_comes_in_with_its_skills(tmp_path):
    row = {
        "file_name": "game_000000.py",
        "skill": "logical_deduction",
        "sha256": hashlib.sha256(GAME.encode()).hexdigest(),
    }
    games = {"games/game_000000.py": GAME, "games/game_000001.py": TASK}
    source = _folder(tmp_path / "spade", games, {"manifest.jsonl": json.dumps(row)})
    done = import_pool(str(source), tmp_path / "pool")
    designs = {one.design.skill: one.design for one in read_designs(tmp_path / "pool")}
    assert {skill: (one.kind, one.max_turns) for skill, one in designs.items()} == {
        "logical deduction": ("game", 6),
        "imported": ("tool", 25),
    }
    assert not done.refused


def test_rows_with_code_come_in_and_a_wrong_checksum_does_not(tmp_path):
    rows = [
        {"game_id": "a", "original_file_name": "game_0000_state_modification.py", "code": TASK},
        {"game_id": "b", "file_name": "b.py", "sha256": "0" * 64, "code": GAME},
    ]
    (tmp_path / "tools.jsonl").write_text("\n".join(map(json.dumps, rows)))
    done = import_pool(str(tmp_path / "tools.jsonl"), tmp_path / "pool")
    assert [one.design.skill for one in read_designs(tmp_path / "pool")] == ["state modification"]
    assert [(one.name, "sha256 differs" in one.reason) for one in done.refused] == [("b.py", True)]


def test_a_manifest_with_paths_and_null_rates_is_read(tmp_path):
    games = [{"path_in_dataset": "games/gen_0001/game_00001_000_x.py", "skill": "number theory", "solve_rate": None}]
    manifest = json.dumps({"summary": {"n_games": 1, "segments": []}, "games": games})
    source = _folder(tmp_path / "spade", {games[0]["path_in_dataset"]: GAME}, {"manifest.json": manifest})
    import_pool(str(source), tmp_path / "pool")
    assert [one.design.skill for one in read_designs(tmp_path / "pool")] == ["number theory"]


def test_what_cannot_come_in_is_told_with_the_reason_and_nothing_is_lost(tmp_path):
    source = _folder(tmp_path / "spade", {"good.py": GAME, "twin.py": GAME, **BROKEN})
    result = openspade("import", source, "-o", tmp_path / "pool", "--json")
    told = json.loads(result.stdout)
    reasons = {one["name"]: one["reason"] for one in told["refused"]}
    assert (told["designs"], reasons.keys()) == (1, {"twin.py", *BROKEN})
    assert "socket" in reasons["network.py"]
    assert "same program as good.py" in reasons["twin.py"]
    rows = [json.loads(line) for line in (tmp_path / "pool/imported.jsonl").read_text().splitlines()]
    assert {row["name"] for row in rows} == {"good.py", "twin.py", *BROKEN}


@pytest.fixture
def game(tmp_path):
    import_pool(str(_folder(tmp_path / "spade", {"good.py": GAME})), tmp_path / "pool")
    return next(read_designs(tmp_path / "pool")).design


@pytest.fixture
def task(tmp_path):
    import_pool(str(_folder(tmp_path / "spade", {"task.py": TASK})), tmp_path / "pool")
    return next(read_designs(tmp_path / "pool")).design


async def test_an_imported_game_is_won_by_its_own_solution_whatever_is_played_beside_it(game):
    async with SandboxPool(SandboxConfig(workers=1)) as pool, await pool.open(game.source, 2) as environment:
        await environment.reset([1, 2])
        plans = await environment.plan()
        for index in (0, 1):
            await environment.step({index: Action(text="x")})
        results = await environment.step({index: plan[0] for index, plan in plans.items()})
    assert [(result.reward, result.terminated) for result in results.values()] == [(1.0, True)] * 2


@pytest.mark.parametrize(("right", "reward"), [(True, 1.0), (False, 0.0)])
async def test_an_imported_tool_task_has_its_tools_and_ends_with_an_answer(right, reward, task):
    async with SandboxPool(SandboxConfig(workers=1)) as pool, await pool.open(task.source) as environment:
        await environment.reset([3])
        call = ToolCall(name="find", arguments={"name": "Ann"})
        number = (await environment.step({0: Action(text="", calls=(call,))}))[0].observation.results[0]
        said = ToolCall(name="answer", arguments={"text": number if right else "no"})
        result = (await environment.step({0: Action(text="", calls=(said,))}))[0]
    assert (result.reward, result.terminated) == (reward, True)
    names = [tool["function"]["name"] for tool in environment.description.tools]
    assert names == ["answer", "find", "decline"]


@pytest.mark.parametrize(
    ("source", "told"),
    [("nowhere", "there is no nowhere"), ("empty", "nothing of"), ("rows.jsonl", "no row with a text `code`")],
)
def test_wrong_input_is_one_line_and_nothing_is_written(source, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "rows.jsonl").write_text('{"text": "no program"}\n')
    with pytest.raises(ConfigError, match=told):
        import_pool(source, tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "rows.jsonl"]


def test_a_name_that_the_source_does_not_hold_is_told(tmp_path):
    source = _folder(tmp_path / "spade", {"good.py": GAME})
    with pytest.raises(ConfigError, match=r"holds no 'bad\.py'; it holds good\.py"):
        import_pool(str(source), tmp_path / "out", ["bad.py"])


def test_reasoning_gym_comes_in_by_name_and_level(tmp_path):
    pytest.importorskip("reasoning_gym", reason="reasoning-gym is not installed: pip install 'openspade[eval]'")
    done = import_pool("reasoning_gym", tmp_path / "pool", ["chain_sum", "lcm"], levels=2)
    assert [one.name for one in done.arrived] == [
        "chain_sum, level 1",
        "chain_sum, level 2",
        "lcm, level 1",
        "lcm, level 2",
    ]
    assert all(not one.note for one in done.arrived)
