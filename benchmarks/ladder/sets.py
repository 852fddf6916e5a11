"""Makes the two sets of designs, and splits each in an open and a sealed half.

Good: programs written for this set (`written/`), nano designs that no test has, banks of Reasoning Gym questions, and
programs of the starter pool with other names. Bad: faults planted into those (`game_faults.py`, `tool_faults.py`), each
witnessed by a play before it counts, and programs written with a fault of sense (`unsound/`). No gate was looked at to
choose them. Whole kinds of fault are sealed, not only programs: what is tuned on the open half is measured on kinds it
has not seen.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.ladder.game_faults import GAME_FAULTS
from benchmarks.ladder.tool_faults import TOOL_FAULTS
from benchmarks.ladder.witness import witnessed

from openspade import openspade_env
from openspade.nano.all_mechanics import MECHANICS

HERE = Path(__file__).parent
STARTER = HERE.parents[1] / "src" / "openspade" / "pool" / "starter"
BAD, NANO, BANKS, RENAMED = 200, 41, 24, 12
DATASETS = (
    "lcm gcd chain_sum base_conversion caesar_cipher spell_backward prime_factorization products simple_equations "
    "decimal_chain_sum fraction_simplification time_intervals simple_geometry polynomial_multiplication "
    "number_format isomorphic_strings letter_counting power_function bitwise_arithmetic complex_arithmetic "
    "count_primes number_sequence string_manipulation modulo_grid palindrome_generation binary_alternation "
    "largest_island calendar_arithmetic dice word_sorting number_sorting rotten_oranges"
).split()
BANK = '''from openspade_env import Game, same_answer

QUESTIONS = {questions}


class Bank(Game):
    """{title}"""

    skill = "mathematical reasoning"
    hint = "Work it out in small steps and check the last one."
    max_turns = 1

    def start(self, rng):
        question, self.answer = rng.choice(QUESTIONS)
        return question

    def act(self, action):
        return self.win() if same_answer(action, self.answer, kind="{kind}") else self.lose()

    def solution(self):
        return [self.answer]
'''


@dataclass(frozen=True, kw_only=True)
class Specimen:
    """A program with its label: `fault` is "" for a good one, `sealed` says in which half it is."""

    name: str
    fault: str
    source: str
    sealed: bool


# --- good ---------------------------------------------------------------------------------------


def good() -> dict[str, str]:
    """A hundred sound programs by name."""
    return {**_written(HERE / "written"), **_nano(), **_banks(), **_renamed()}


def _written(folder: Path) -> dict[str, str]:
    return {f"written {path.stem}": path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py"))}


def _nano() -> dict[str, str]:
    rng, programs = random.Random("ladder nano"), {}
    while len(programs) < NANO:
        one = MECHANICS[len(programs) % len(MECHANICS)]
        level = rng.randint(2, 9)
        program = one.program(one.draw(level, rng), hint=rng.choice(one.hints))
        programs[f"nano {one.name} {level} {len(programs)}"] = program
    return programs


def _banks() -> dict[str, str]:
    import reasoning_gym  # noqa: PLC0415  (the extra `eval`)

    programs: dict[str, str] = {}
    for name in DATASETS:
        rows = [(row["question"], str(row["answer"])) for row in reasoning_gym.create_dataset(name, size=80, seed=77)]
        rows = [
            row
            for row in dict(rows).items()
            if len(row[0]) < 700 and "\n" not in row[1] and row[1] not in row[0].split()
        ]
        if len({answer for _, answer in rows}) >= 50:
            numbers = all(openspade_env.as_number(answer) is not None for _, answer in rows)
            programs[f"bank {name}"] = BANK.format(
                questions=rows[:56],
                title=f"Questions of the kind {name.replace('_', ' ')}.",
                kind="number" if numbers else "list" if any("," in answer for _, answer in rows) else "text",
            )
    return dict(list(programs.items())[:BANKS])


def _renamed() -> dict[str, str]:
    paths = random.Random("ladder starter").sample(sorted(STARTER.glob("*.py")), RENAMED)
    return {f"starter {path.stem}": _other_names(path.read_text(encoding="utf-8")) for path in sorted(paths)}


def _other_names(source: str) -> str:
    """Local variables renamed, methods in another order: the same environment."""
    tree = ast.parse(source)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    arguments = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    stored = {n.id for f in functions for n in ast.walk(f) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    own = {name: f"{name}_{index}" for index, name in enumerate(sorted(stored - arguments))}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in own:
            node.id = own[node.id]
    return ast.unparse(tree) + "\n"


# --- bad ----------------------------------------------------------------------------------------


def bad() -> list[tuple[str, str, str]]:
    """Name, fault and source of two hundred unsound programs."""
    specimens = [(name, f"sense: {name}", source) for name, source in _written(HERE / "unsound").items()]
    rng = random.Random("ladder faults")
    hosts = [
        *good().items(),
        *((f"starter {p.stem} as it is", p.read_text(encoding="utf-8")) for p in sorted(STARTER.glob("*.py"))),
    ]
    games = [one for one in hosts if "(Game)" in one[1]]
    tasks = [one for one in hosts if "(ToolTask)" in one[1]]
    planted: dict[str, Iterator[tuple[str, str, str]]] = {}
    for fault, plant in GAME_FAULTS.items():
        planted[fault] = _planted(fault, plant, rng.sample(games, len(games)))
    for fault, plant in TOOL_FAULTS.items():
        planted[f"task: {fault}"] = _planted(f"task: {fault}", plant, rng.sample(tasks, len(tasks)))
    while len(specimens) < BAD and planted:
        for fault in list(planted):
            found = next(planted[fault], None)
            if found is None:
                del planted[fault]
            elif len(specimens) < BAD:
                specimens.append(found)
    return specimens


def _planted(
    fault: str, plant: Callable[[str], str | None], hosts: Sequence[tuple[str, str]]
) -> Iterator[tuple[str, str, str]]:
    for name, source in hosts:
        planted = plant(source)
        if planted is not None and planted != source and witnessed(fault, source, planted):
            yield f"{name}: {fault}", fault, planted


def unseen() -> list[Specimen]:
    """Designs written by somebody who had seen neither gates nor fixtures; the first line of each says what it is."""
    rows: list[Specimen] = []
    for path in sorted((HERE / "unseen").glob("*.py")):
        source = path.read_text(encoding="utf-8")
        label, _, said = source.partition("\n")[0].lstrip("# ").partition(": ")
        rows.append(Specimen(name=path.stem, fault=said if label == "BAD" else "", source=source, sealed=True))
    return rows


# --- halves and measure ---------------------------------------------------------------------------


def specimens() -> list[Specimen]:
    """Both sets; half of the good programs and half of the kinds of fault are sealed, by lot."""
    programs, faulty = good(), bad()
    rng = random.Random("ladder halves")
    sealed_good = set(rng.sample(sorted(programs), len(programs) // 2))
    faults = sorted({fault for _, fault, _ in faulty})
    sealed_faults = set(rng.sample(faults, len(faults) // 2))
    rows = [Specimen(name=n, fault="", source=s, sealed=n in sealed_good) for n, s in programs.items()]
    return [*rows, *(Specimen(name=n, fault=f, source=s, sealed=f in sealed_faults) for n, f, s in faulty)]
