"""Makes the held-out suite `mini` anew, and holds its scorers to Reasoning Gym's. Needs the extra `eval`.

python benchmarks/mini_suite.py write    # src/openspade/evaluation/mini.jsonl; prints its size and SHA-256
python benchmarks/mini_suite.py check    # is the frozen file what this makes? exit code 1 when not
python benchmarks/mini_suite.py agree    # our verdict against Reasoning Gym's on right, wrong and odd answers

Eight tasks of 32 questions: sums, products, science, code, and four of Reasoning Gym's kinds (math, algorithmic,
cognition, logic). Each task is one or two programs that hold their questions; three solved examples stand before each
question. What is frozen needs no package to load. No answer may be right for more than a quarter of a program's
questions, so that nothing is won by repeating it.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from os.path import commonprefix
from pathlib import Path
from typing import Any

import reasoning_gym
from mini_programs import CODE, CODE_TASKS, ELEMENTS, GUESS, QUESTIONS, SHOTS, scorer

from openspade.openspade_env import same_answer

SUITE = Path(__file__).parents[1] / "src" / "openspade" / "evaluation" / "mini.jsonl"
FIRST_SEED = 2**31
QUESTIONS_A_TASK = 32
MOST_ALIKE = 0.25
SHORTEST_PREAMBLE = 100


@dataclass(frozen=True, kw_only=True)
class Gym:
    """A family of Reasoning Gym as it is asked here; `kind` is how `same_answer` compares."""

    name: str
    task: str
    skill: str
    kind: str
    title: str
    settings: dict[str, Any]


GYMS = (
    Gym(
        name="basic_arithmetic",
        task="rg_math",
        skill="mathematical reasoning",
        kind="number",
        title="Work out one step of arithmetic.",
        settings={"min_terms": 2, "max_terms": 2, "min_digits": 1, "max_digits": 1},
    ),
    Gym(
        name="lcm",
        task="rg_math",
        skill="mathematical reasoning",
        kind="number",
        title="Find the least common multiple of two numbers.",
        settings={"min_numbers": 2, "max_numbers": 2, "min_value": 1, "max_value": 10},
    ),
    Gym(
        name="ab",
        task="rg_algorithmic",
        skill="pattern recognition",
        kind="exact",
        title="Rewrite three tokens of an A::B program.",
        settings={"length": 3},
    ),
    Gym(
        name="word_sequence_reversal",
        task="rg_algorithmic",
        skill="spatial reasoning",
        kind="words",
        title="Reverse three words.",
        settings={"min_words": 3, "max_words": 3},
    ),
    Gym(
        name="needle_haystack",
        task="rg_cognition",
        skill="logical deduction",
        kind="text",
        title="Find who is meant.",
        settings={"min_num_statements": 2, "max_num_statements": 3},
    ),
    Gym(
        name="family_relationships",
        task="rg_logic",
        skill="logical deduction",
        kind="text",
        title="Say how two members of a family are related.",
        settings={"min_family_size": 3, "max_family_size": 4},
    ),
    Gym(
        name="knights_knaves",
        task="rg_logic",
        skill="logical deduction",
        kind="sentence",
        title="Find out who tells the truth.",
        settings={"n_people": 2, "depth_constraint": 2, "width_constraint": 2},
    ),
)
Pair = tuple[str, str]


def rows() -> Iterator[dict[str, Any]]:
    """The suite, a program a row."""
    yield _row("mini_sum", "Add two numbers.", "mathematical reasoning", "number", [*_sums(1, 9), *_sums(10, 99)])
    yield _row("mini_prod", "Multiply two numbers.", "mathematical reasoning", "number", _products())
    yield _row("mini_sci", "Choose the right answer.", "causal inference", "letter", _science())
    yield _frozen("mini_code", CODE.substitute(shots=json.dumps(SHOTS), items=_listed(CODE_TASKS)), len(CODE_TASKS))
    for gym in GYMS:
        halves = sum(other.task == gym.task for other in GYMS) + (gym.task == "rg_cognition")
        yield _row(gym.task, gym.title, gym.skill, gym.kind, _asked(gym, QUESTIONS_A_TASK // halves))
    yield _frozen("rg_cognition", GUESS, QUESTIONS_A_TASK // 2, choices=2**20)


def _row(task: str, title: str, skill: str, kind: str, pairs: Sequence[Pair]) -> dict[str, Any]:
    """Questions as a program: the last three are the examples; what all of them begin with is said once."""
    opening = commonprefix([question for question, _ in pairs])  # noqa: RUF071 - of characters, as wanted
    opening = opening[: opening.rfind("\n") + 1] if len(opening) > SHORTEST_PREAMBLE else ""
    asked = [(question.removeprefix(opening).strip(), answer) for question, answer in pairs]
    *items, one, two, three = asked
    source = QUESTIONS.substitute(
        name="".join(word.title() for word in task.split("_")),
        title=title,
        skill=skill,
        kind=json.dumps(kind),
        opening=json.dumps(opening.strip()),
        shots=_listed((one, two, three)),
        items=_listed(items),
    )
    return _frozen(task, source, len(items))


def _frozen(task: str, source: str, count: int, choices: int = 0) -> dict[str, Any]:
    """A program with seeds that draw each of its questions once, or any where `choices` is larger than their number."""
    seeds: dict[int, int] = {}
    seed = FIRST_SEED
    while len(seeds) < count:
        seeds.setdefault(random.Random(seed).randrange(choices or count), seed)
        seed += 1
    return {"family": task, "level": 1, "source": source, "seeds": [*seeds.values()], "questions": True}


def _listed(items: Sequence[Any]) -> str:
    return "[\n" + "".join(f"    {item!r},\n" for item in items) + "]"


def _sums(low: int, high: int) -> list[Pair]:
    rng = random.Random(f"mini/sum/{high}")
    pairs = [(rng.randint(low, high), rng.randint(low, high)) for _ in range(400)]
    count = QUESTIONS_A_TASK // 2 + (3 if high > 9 else 0)
    return _balanced([(f"{a} + {b} = ?", str(a + b)) for a, b in pairs], count)


def _products() -> list[Pair]:
    rng = random.Random("mini/products")
    pairs = [(rng.randint(2, 9), rng.randint(2, 9)) for _ in range(400)]
    return _balanced([(f"{a} * {b} = ?", str(a * b)) for a, b in pairs], QUESTIONS_A_TASK + 3)


def _science() -> list[Pair]:
    rng = random.Random("mini/science")
    pairs = []
    for number in range(QUESTIONS_A_TASK + 3):
        question, right, wrong = (_element, _distance, _force)[number % 3](rng)
        letter = "ABCD"[number % 4]
        options = rng.sample(wrong, 3)
        options.insert("ABCD".index(letter), right)
        listed = "\n".join(f"{mark}) {option}" for mark, option in zip("ABCD", options, strict=True))
        pairs.append((f"{question}\n{listed}", letter))
    return pairs


def _element(rng: random.Random) -> tuple[str, str, list[str]]:
    name = rng.choice([*ELEMENTS])
    others = [symbol for symbol in ELEMENTS.values() if symbol != ELEMENTS[name]]
    return f"Which is the chemical symbol of {name}?", ELEMENTS[name], others


def _distance(rng: random.Random) -> tuple[str, str, list[str]]:
    speed, hours = rng.randint(2, 9), rng.randint(2, 9)
    wrong = {speed * hours + step for step in (-speed, speed, hours, 1, -1, 10)} | {speed + hours}
    text = f"A train goes {speed} km/h for {hours} hours. How far does it go?"
    return text, f"{speed * hours} km", [f"{value} km" for value in sorted(wrong - {speed * hours})]


def _force(rng: random.Random) -> tuple[str, str, list[str]]:
    mass, rate = rng.randint(2, 9), rng.randint(2, 9)
    wrong = {mass * rate + step for step in (-mass, mass, rate, 1, -1, 10)} | {mass + rate}
    text = f"Which force gives {mass} kg an acceleration of {rate} m/s2?"
    return text, f"{mass * rate} N", [f"{value} N" for value in sorted(wrong - {mass * rate})]


def _asked(gym: Gym, count: int) -> list[Pair]:
    return _balanced([(item["question"], item["answer"]) for item in _items(gym)], count + 3)


def _items(gym: Gym) -> list[dict[str, Any]]:
    return [*reasoning_gym.create_dataset(gym.name, size=400, seed=20261130, **gym.settings)]


def _balanced(pairs: Sequence[Pair], count: int) -> list[Pair]:
    """The first distinct questions of which no answer makes up more than its share; an empty answer is none."""
    chosen: list[Pair] = []
    counts: Counter[str] = Counter()
    for question, answer in dict.fromkeys(pairs):
        if len(chosen) < count and answer and counts[answer] < max(1, int(MOST_ALIKE * (count - 3))):
            chosen.append((question, answer))
            counts[answer] += 1
    assert len(chosen) == count, f"{len(chosen)} of {count} questions"
    return chosen


def write() -> None:
    """Freeze the suite. It is changed only together with every score that was measured on it."""
    SUITE.write_text(_text(), encoding="utf-8")
    print(f"{SUITE}: {SUITE.stat().st_size} bytes, SHA-256 {sha256(SUITE.read_bytes()).hexdigest()}")


def check() -> None:
    """Compare the frozen file with what would be written now."""
    same = _text() == SUITE.read_text(encoding="utf-8")
    print("the frozen suite is the one that is made here" if same else "the frozen suite is another one")
    sys.exit(0 if same else 1)


def _text() -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows())


def agree() -> None:
    """Print where our verdict on an answer is not Reasoning Gym's. Blanks around it are cut before either sees it."""
    for gym in GYMS:
        dataset = reasoning_gym.create_dataset(gym.name, size=400, seed=20261130, **gym.settings)
        items = [*dataset][:100]
        seen = differing = 0
        for item, other in zip(items, [*items[1:], items[0]], strict=True):
            for given in _variants(str(item["answer"]), str(other["answer"])):
                ours = scorer(gym.kind, same_answer)(given, item["answer"])
                theirs = dataset.score_answer(given.strip(), item) >= 1
                seen += 1
                if ours != theirs:
                    differing += 1
                    if differing <= 3:
                        print(f"  {gym.name}: {given!r} for {item['answer']!r}: we say {ours}, they say {theirs}")
        print(f"{gym.name}: {seen} answers, {differing} differ")


def _variants(right: str, other: str) -> list[str]:
    odd = [f" {right} ", right.lower(), right.upper(), f"{right}.", f"the answer is {right}", right[1:]]
    return [right, *odd, other, "", "x"]


if __name__ == "__main__":
    {"write": write, "check": check, "agree": agree}[sys.argv[1] if len(sys.argv) > 1 else "agree"]()
