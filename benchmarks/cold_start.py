"""What a cold start is worth: drafts that pass all gates before and after it, and how new they are.

    python -m benchmarks.cold_start [--base SmolLM2-135M-Instruct] [--started FOLDER ...] [--drafts 24] [KEY=VALUE ...]
    python -m benchmarks.cold_start --speed [--base SmolLM2-135M-Instruct]

Of several folders the last is measured, and compared with the lessons of all: one cold start may go on from another.
Prints the tables of docs/cold_start.md as Markdown; `--keep FILE` writes every draft with its verdict as JSON lines.
`--speed` measures training tokens a CPU second in float32 and in bfloat16 products, by turns in one process.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, median

import torch

from openspade.cold_start.draft_quality import Measured, measure
from openspade.cold_start.fit import taught_programs
from openspade.cold_start.render import lesson_streams
from openspade.engine.model.loading import load_policy
from openspade.engine.training.supervised import Fitting, Schedule
from openspade.nano.lessons import LessonWriter, Mix, documents
from openspade.recipe import load
from openspade.roles.prompts import Prompts

SETTINGS = (
    "policy.prompts=compact",
    "policy.context_tokens=1024",
    "policy.batch_rows=24",
    "designer.temperature=0.8",
    "designer.max_tokens=448",
)


def row(name: str, found: Measured) -> str:
    """One line of the table of drafts."""
    refused = ", ".join(f"{gate} {count}" for gate, count in sorted(found.gates.items(), key=lambda item: -item[1]))
    likeness = f"{fmean(found.likeness):.2f}" if found.likeness else ""
    cells = (name, f"{found.accepted} of {found.drafts}", found.copies, found.alike, likeness, refused)
    return "| " + " | ".join(map(str, cells)) + f" | {found.seconds:.0f} s |"


def keep(path: Path, name: str, found: Measured) -> None:
    """Every draft with what the gates said."""
    with path.open("a", encoding="utf-8") as file:
        for verdict in found.verdicts:
            problem = verdict.problems[0] if verdict.problems else None
            why = f"{problem.gate}: {problem.message} {problem.evidence}" if problem else ""
            skill = verdict.draft.brief.skill.name
            file.write(json.dumps({"policy": name, "skill": skill, "text": verdict.draft.text, "refused": why}) + "\n")


def drafts(base: str, started: Sequence[Path], count: int, overrides: Sequence[str], kept: Path | None) -> None:
    """The table of drafts: the base's and the last started policy's, compared with all that was taught on the way."""
    taught = [source for folder in started for source in taught_programs(folder)]
    print("| policy | accepted | copies | much alike | likeness | refused by | took |\n|---|---|---|---|---|---|---|")
    for name in filter(None, (base, *map(str, started[-1:]))):
        config = load(None, [*SETTINGS, f"policy.model={name}", *overrides])
        found = asyncio.run(measure(config, taught, count))
        print(row(name, found), flush=True)
        if kept:
            keep(kept, name, found)


def speed(model: str, steps: int = 3) -> None:
    """Tokens a CPU second, float32 and bfloat16 products in turn."""
    torch.set_num_threads(1)
    policy = load_policy(model, context_tokens=1024)
    mix = Mix(level_decay=0.7, designer=0.7, good_hint=0.6, worked_unaided=0.2)
    writer = LessonWriter(mix, Prompts("compact"), documents())
    streams = [s for n in range(24) for s in lesson_streams(policy.chat, writer.lesson(random.Random(f"{n}")))]
    rates: dict[bool, list[float]] = {False: [], True: []}
    for number in range(steps):
        for half in (False, True):
            schedule = Schedule(learning_rate=1e-9, steps=1, tokens_per_batch=1024, bfloat16=half, seed=number)
            began = time.process_time()
            (step,) = Fitting(policy.model, streams, schedule).steps()
            rates[half].append(step.tokens / (time.process_time() - began))
    print("| products | tokens a CPU second |\n|---|---|")
    print(f"| float32 | {median(rates[False]):.0f} |\n| bfloat16 | {median(rates[True]):.0f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("overrides", nargs="*")
    parser.add_argument("--base", default="")
    parser.add_argument("--started", type=Path, action="append", default=[])
    parser.add_argument("--drafts", type=int, default=24)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--speed", action="store_true")
    asked = parser.parse_args()
    if asked.speed:
        speed(asked.base or "SmolLM2-135M-Instruct")
    else:
        drafts(asked.base, asked.started, asked.drafts, asked.overrides, asked.keep)


if __name__ == "__main__":
    main()
