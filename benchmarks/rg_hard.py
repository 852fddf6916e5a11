"""Makes the held-out suite `rg_hard` anew, and holds its verdicts to Reasoning Gym's. Needs the extra `eval`.

PYTHONHASHSEED=0 python benchmarks/rg_hard.py write    # src/openspade/evaluation/rg_hard.jsonl.gz; size and SHA-256
PYTHONHASHSEED=0 python benchmarks/rg_hard.py check    # is the frozen file what this makes? exit code 1 when not
PYTHONHASHSEED=0 python benchmarks/rg_hard.py agree [NAME...]  # scores in the sandbox against upstream's outside

`rg_hard.toml` has the 100 configurations. A row is a program that holds the first four questions of a dataset of 500
with seed 42: of each question the text, the answer, and what the scorer reads of the rest. Six datasets walk over sets,
so that their questions follow the hash seed; without PYTHONHASHSEED=0 nothing is made. Takes about two minutes.
"""

from __future__ import annotations

import ast
import asyncio
import gzip
import inspect
import json
import os
import random
import re
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy
import reasoning_gym
from reasoning_gym.cognition import figlet_fonts

from openspade.given.rg_answers import final_answer
from openspade.given.rg_oracles import oracle_answer
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.settings.worlds import SandboxConfig
from openspade.types import Action

SUITE = Path(__file__).parents[1] / "src" / "openspade" / "evaluation" / "rg_hard.jsonl.gz"
CONFIGURATIONS = Path(__file__).with_name("rg_hard.toml")
SKILLS = {
    "Math": "mathematical reasoning",
    "Algorithmic": "pattern recognition",
    "Cognition": "spatial reasoning",
    "Logic": "logical deduction",
}
LOOSE = {"game_of_life_halting", "puzzle24"}
"""Datasets whose scorers also take what is no answer (openspade.given.rg_answers.is_right_strictly)."""
STRICT_NEEDS = {"puzzle24": {"numbers"}}
NEARLY = 1e-9
FIRST_SEED = 2**31
DATASET_SEED, DATASET_SIZE, QUESTIONS = 42, 500, 4
PROGRAM = '''from openspade.given.reasoning_gym import Frozen
from openspade_env import Game


class {name}(Frozen, Game):
    """Reasoning Gym: {dataset}, hard."""

    skill = "{skill}"
    hint = "No hint is known."
    max_turns = 1
    dataset = "{dataset}"
    settings = {settings!r}
    questions = [
{questions}    ]
'''
Entry = dict[str, Any]


def datasets(names: Sequence[str] = ()) -> Iterator[tuple[str, str, Any, list[Entry]]]:
    """Category, name, dataset and questions of every configuration, or of those named."""
    for category, configurations in tomllib.loads(CONFIGURATIONS.read_text(encoding="utf-8")).items():
        for name, settings in configurations.items():
            if names and name not in names:
                continue
            # A program of codeio draws from these when it makes its question.
            random.seed(0)
            numpy.random.seed(0)
            dataset = reasoning_gym.create_dataset(name, seed=DATASET_SEED, size=DATASET_SIZE, **settings)
            yield category, name, dataset, [dataset[index] for index in range(QUESTIONS)]


def row(category: str, name: str, dataset: Any, entries: Sequence[Entry], settings: Mapping[str, Any]) -> Entry:
    questions = [frozen(name, dataset, entry) for entry in entries]
    source = PROGRAM.format(
        name="".join(word.title() for word in name.split("_")),
        dataset=name,
        skill=SKILLS[category],
        settings=settings,
        questions="".join(f"        {question!r},\n" for question in questions),
    )
    loose = {"loose": True} if name in LOOSE else {}
    return {"family": category, "name": name, "level": 1, "source": source, "seeds": seeds(), **loose}


def frozen(name: str, dataset: Any, entry: Entry) -> Entry:
    """The question with as much of it as its scorer reads, and an answer where upstream has none."""
    kind = type(dataset)
    reading = inspect.getsource(kind).replace(inspect.getsource(kind.__getitem__), "")
    wanted = set(re.findall(r"\"(\w+)\"", reading)) | STRICT_NEEDS.get(name, set())
    metadata = {key: plain(value) for key, value in entry["metadata"].items() if key in wanted}
    kept = {"question": entry["question"], "answer": entry["answer"], "metadata": metadata}
    if entry["answer"] is None:
        kept["oracle"] = oracle_answer(name, entry)
    assert ast.literal_eval(repr(kept)) == kept, name
    return kept


def plain(value: Any) -> Any:
    """The value without numpy's kinds of numbers, which have no literals."""
    if isinstance(value, dict):
        return {plain(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(plain(inner) for inner in value)
    return value.item() if isinstance(value, numpy.generic) else value


def seeds() -> list[int]:
    """Held-out seeds that draw each of the questions, in their order."""
    found: dict[int, int] = {}
    seed = FIRST_SEED
    while len(found) < QUESTIONS:
        found.setdefault(random.Random(seed).randrange(QUESTIONS), seed)
        seed += 1
    return [found[index] for index in range(QUESTIONS)]


def text() -> str:
    """The suite, a program a line."""
    configurations = tomllib.loads(CONFIGURATIONS.read_text(encoding="utf-8"))
    rows = [
        row(category, name, dataset, entries, configurations[category][name])
        for category, name, dataset, entries in datasets()
    ]
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows)


def write() -> None:
    """Freeze the suite. It is changed only together with every score that was measured on it."""
    made = text().encode()
    SUITE.write_bytes(gzip.compress(made, mtime=0))
    print(f"{SUITE}: {SUITE.stat().st_size:,} bytes for {len(made):,}, SHA-256 of the text {sha256(made).hexdigest()}")


def check() -> None:
    """Compare the frozen file with what would be written now."""
    same = text() == gzip.decompress(SUITE.read_bytes()).decode()
    print("the frozen suite is the one that is made here" if same else "the frozen suite is another one")
    sys.exit(0 if same else 1)


def agree() -> None:
    """Print where an answer wins on one side only, and how many are scored differently: those not to be evaluated."""
    asyncio.run(compare([json.loads(line) for line in gzip.decompress(SUITE.read_bytes()).decode().splitlines()]))


async def compare(rows: Sequence[Entry]) -> None:
    by_name = {one["name"]: one for one in rows}
    seen = won_once = unlike = 0
    async with SandboxPool(SandboxConfig(workers=1)) as pool:
        for _, name, dataset, entries in datasets(sys.argv[2:]):
            answers = [*zip(*(variants(name, entry, entries) for entry in entries), strict=True)]
            for given, ours in zip(answers, await scores(pool, by_name[name], answers), strict=True):
                for answer, entry, mine in zip(given, entries, ours, strict=True):
                    upstream = score(dataset, answer, entry)
                    seen += 1
                    unlike += abs(mine - upstream) > NEARLY
                    if (mine >= 1 - NEARLY) != (upstream >= 1 - NEARLY):
                        won_once += 1
                        print(f"  {name}: we say {mine}, they say {upstream}: {answer[:60]!r}")
            print(f"{name}: {seen} so far, {won_once} won on one side, {unlike} scored differently", flush=True)


async def scores(pool: SandboxPool, row: Entry, answers: Sequence[Sequence[str]]) -> list[list[float]]:
    """The sandbox's score of each answer to each question."""
    found = []
    async with await pool.open(row["source"], instances=QUESTIONS) as environment:
        for given in answers:
            await environment.reset(row["seeds"])
            await environment.step({place: Action(text=answer) for place, answer in enumerate(given)})
            found.append([float(str(environment.info(place)["score"])) for place in range(QUESTIONS)])
    return found


def score(dataset: Any, answer: str, entry: Entry) -> float:
    try:
        return float(dataset.score_answer(final_answer(answer), entry))
    except Exception:  # noqa: BLE001 - upstream's own evaluation counts these as wrong, too
        return 0.0


def variants(name: str, entry: Entry, entries: Sequence[Entry]) -> list[str]:
    """Right, wrong and odd answers to a question."""
    right = oracle_answer(name, entry)
    other = oracle_answer(name, entries[entries.index(entry) - 1])
    odd = [right.lower(), right.upper(), f"{right}.", f"the answer is {right}", right[1:], right[:-1], f"[{right}]"]
    return [
        f"So: <answer>{right}</answer>",
        right,
        f" {right} ",
        other,
        *odd,
        "",
        "x",
        "0",
        "1",
        "True",
        "[[0]]",
        "2*3*4",
    ]


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":
        sys.exit("some questions follow the order of sets: start this with PYTHONHASHSEED=0")
    assert version("reasoning-gym") == "0.1.25", "the suite is frozen from 0.1.25"
    command = {"write": write, "check": check, "agree": agree}[sys.argv[1] if len(sys.argv) > 1 else "agree"]
    # codeio runs its own programs when it makes a question, and some of them write files where they stand.
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        # Upstream lists fonts in the order of a folder.
        figlet_fonts.OK_FONTS.sort()
        command()
