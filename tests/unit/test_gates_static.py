"""The gates that only read: they need no process."""

import pytest

from openspade.roles.source import read_design
from openspade.settings.worlds import GatesConfig
from openspade.types import Action, Brief, Design, Draft, Observation, Problem, Skill
from openspade.verifier.gate import Case
from openspade.verifier.gates import static, text
from openspade.verifier.gates.cheap import chance
from openspade.verifier.players.probe import Instance

GAME = '''from openspade_env import Game


class Double(Game):
    """Say twice the number."""

    skill = "mathematical reasoning"
    hint = "Add the number to itself."

    def start(self, rng):
        self.number = rng.randint(1, 99)
        return f"Twice {self.number}?"

    def act(self, action):
        return self.win() if action == str(2 * self.number) else self.lose()

    def solution(self):
        return [str(2 * self.number)]
'''
BRIEF = Brief(id="b", skill=Skill(name="any", kind="game", description=""), document=None, seed=0)


def case_of(source: str, config: GatesConfig | None = None) -> Case:
    design = read_design(source)
    assert isinstance(design, Design)
    draft = Draft(id="d", brief=BRIEF, text=source, design=design)
    return Case(draft=draft, design=design, config=config or GatesConfig())


def refusal(judgement: object) -> Problem:
    assert isinstance(judgement, Problem)
    return judgement


def test_a_plain_game_passes() -> None:
    case = case_of(GAME)
    assert [gate(case) for gate in (text.size, static.imports, static.contract)][1:] == [None, "game"]


def test_a_reply_without_a_program_does_not_parse() -> None:
    problem = refusal(text.parses(Draft(id="d", brief=BRIEF, text="No.")))
    assert problem.gate == "parses"


def test_limits_of_size_come_from_the_config() -> None:
    assert "bytes" in refusal(text.size(case_of(GAME, GatesConfig(max_source_bytes=100)))).evidence
    assert "words" in refusal(text.size(case_of(GAME, GatesConfig(max_hint_words=3)))).evidence


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("import os", "The module os may not be imported"),
        ("import time", "The module time may not be imported"),
        ("from . import x", "may not be imported"),
        ("import numpy", "The module numpy may not be imported"),
        ("from random import choice", "Use the rng"),
        ("import random; random.seed(1)", "Use the rng"),
        ("import random; r = random", "Use the rng"),
        ("import random; r = random.Random()", "without a seed"),
        ("import datetime; d = datetime.date.today()", "reads a clock"),
        ("h = hash('a')", "differs from process to process"),
        ("x = eval('1')", "runs text as code"),
    ],
)
def test_what_cannot_be_repeated_is_refused(line: str, said: str) -> None:
    problem = refusal(static.imports(case_of(f"{line}\n{GAME}")))
    assert problem.gate == "imports"
    assert said in problem.message
    assert problem.evidence.startswith("line 1: ")


@pytest.mark.parametrize(
    "line",
    [
        "import math, itertools, collections.abc",
        "from dataclasses import dataclass",
        "import random; r = random.Random(3)",
        "def f(rng: 'random.Random', id, hash): return id(hash)",
        "import datetime; d = datetime.date(2020, 1, 1)",
    ],
)
def test_what_can_be_repeated_passes(line: str) -> None:
    assert static.imports(case_of(f"{line}\n{GAME}")) is None


def test_numpy_passes_where_the_config_allows_it() -> None:
    assert static.imports(case_of(f"import numpy\n{GAME}", GatesConfig(numpy=True))) is None


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("def solution", "def solve", "Double needs a method solution(self)."),
        ("def act(self, action)", "def act(self)", "act of Double must be act(self, action)."),
        ("def start(self, rng)", "def start(self, rng, size)", "start of Double must be start(self, rng)."),
        ("(Game)", "(ToolTask)", "Double offers no tool: mark at least one method with @tool."),
    ],
)
def test_a_broken_contract_is_named(old: str, new: str, said: str) -> None:
    assert refusal(static.contract(case_of(GAME.replace(old, new)))).message == said


def test_optional_arguments_and_inherited_methods_keep_the_contract() -> None:
    optional = GAME.replace("def start(self, rng)", "def start(self, rng, size=3)")
    child = f'{GAME}\n\nclass Child(Double):\n    """A child."""\n\n    hint = "Double it."\n    skill = "x"\n'
    assert static.contract(case_of(optional)) == "game"
    assert static.contract(case_of(child)) == "game"


# --- chance -------------------------------------------------------------------------------------


def instances(*pairs: tuple[str, str]) -> list[Instance]:
    return [
        Instance(seed=seed, first=Observation(text=shown), plan=(Action(text=answer),))
        for seed, (shown, answer) in enumerate(pairs)
    ]


def test_chance_is_one_in_the_number_of_answers() -> None:
    assert chance(instances(("?", "a"), ("?", "b"), ("?", "c"), ("?", "d"))) == 0.25


def test_chance_is_one_in_the_number_of_options_listed() -> None:
    shown = [(f"{n}, {n + 10} or {n + 20}?", str(n + 10)) for n in range(10)]
    assert chance(instances(*shown)) == pytest.approx(1 / 3)


def test_chance_is_at_most_a_half() -> None:
    assert chance(instances(("?", "yes"), ("?", "yes"))) == 0.5
    assert chance([]) == 0.0
