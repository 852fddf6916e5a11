"""The public Python API, used as a notebook would."""

import asyncio
from pathlib import Path

import pytest

import openspade
from openspade.errors import ConfigError

ECHO = """from openspade_env import Game, same_answer


class Echo(Game):
    '''Say the number back, plus one.'''

    skill = "mathematical reasoning"
    hint = "Count one further."
    max_turns = 2

    def start(self, rng):
        self.number = rng.randint(100, 999)
        return f"What follows {self.number}?"

    def act(self, action):
        return self.win() if same_answer(action, self.number + 1, kind="number") else "No."

    def solution(self):
        return [str(self.number + 1)]
"""


def test_an_environment_is_opened_from_its_source_and_played_by_its_solution() -> None:
    with openspade.open_environment(ECHO) as echo:
        assert echo.description.skill == "mathematical reasoning"
        first = echo.reset(seed=3)
        assert first.text.startswith("What follows") and echo.reset(seed=3) == first
        (answer,) = echo.solution()
        result = echo.step(answer.text)
        assert result.reward == 1.0 and result.terminated


def test_any_function_plays() -> None:
    def count(shown: openspade.Observation) -> str:
        words = shown.text.rstrip("?").split()
        return str(int(words[-1]) + 1)

    played = openspade.play(ECHO, count, seed=5)
    assert played.solved and played.return_ == 1.0 and len(played.turns) == 1
    lost = openspade.play(ECHO, lambda _: "7", seed=5)
    assert not lost.solved and not lost.over and len(lost.turns) == 2


def test_the_hint_is_shown_where_it_is_asked_for() -> None:
    shown: list[str] = []
    openspade.play(ECHO, lambda seen: shown.append(seen.text) or "", seed=1, hint=True)
    assert shown[0].endswith("Hint: Count one further.")
    assert "Hint" not in shown[1]


def test_a_tool_task_takes_typed_calls_and_actions() -> None:
    with openspade.open_environment("pool:starter/phone_book") as book:
        book.reset(seed=2)
        names = {tool["function"]["name"] for tool in book.description.tools}
        assert {"desk_of", "decline"} <= names
        assert book.step('desk_of(person="Ann Bauer")').observation.results[0].isdigit()
        call = openspade.ToolCall(name="desk_of", arguments={"person": "Nobody"})
        assert "Error" in book.step(openspade.Action(text="", calls=(call,))).observation.results[0]
        plan = book.solution()
    assert openspade.play("pool:starter/phone_book", plan, seed=2).solved


def test_gates_judge_a_text_and_a_whole_reply() -> None:
    once = ECHO.replace('else "No."', "else self.lose()").replace("max_turns = 2", "max_turns = 1")
    assert openspade.check(once).accepted
    assert openspade.check(f"Here it is:\n```python\n{once}```\n").accepted
    refused = openspade.check(ECHO)
    assert not refused.accepted and refused.gates[-1].gate == "decision_depth"
    assert not openspade.check("no program\nat all\n").accepted


def test_what_goes_wrong_is_said() -> None:
    with pytest.raises(openspade.EnvironmentFailed, match="cannot be loaded"):
        openspade.open_environment("import os\nos.system('true')\n")
    with pytest.raises(ConfigError, match="did you mean"):
        openspade.open_environment("pool:starter/code_lok")
    with pytest.raises(ConfigError, match="holds no run"):
        openspade.open_run("nowhere")
    with pytest.raises(AttributeError, match="open_environment"):
        openspade.load_environment  # noqa: B018


def test_it_works_where_a_loop_is_running_already() -> None:
    async def notebook() -> bool:
        return openspade.play(ECHO, ["1", "2"], seed=1).solved

    assert asyncio.run(notebook()) is False


def test_a_run_is_started_gone_on_with_and_read_as_rows(tmp_path: Path) -> None:
    seen: list[int] = []
    with openspade.train(
        "tutorial", on_cycle=lambda report: seen.append(report.cycle), run__cycles=2, run__directory=str(tmp_path)
    ) as run:
        assert seen == [0, 1] and run.cycles == 2
        folder = run.folder
        rows = list(run.designs())
        assert rows and all(row.accepted for row in rows) and list(run.designs(accepted=False)) is not None
        assert {episode.design_id for episode in run.episodes(1)} <= {row.design.id for row in rows}
        assert len(list(run.episodes())) > len(list(run.episodes(0)))
        assert [row["cycle"] for row in run.metrics()] == [0.0, 1.0]
    with openspade.resume(folder, cycles=3) as longer:
        assert longer.cycles == 3
