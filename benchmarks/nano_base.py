"""How the nano policy plays every mechanic and level (unaided, with a good hint, with a vague one), and what it writes.

    python benchmarks/nano_base.py [--policy nano|FOLDER] [--programs 8] [--drafts 150]

Prints the tables of docs/nano.md as Markdown.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean

from benchmarks.nano_suites import FIRST_SEED

from openspade.engine.local import LocalEngine
from openspade.engine.model.loading import find_folder
from openspade.nano.all_mechanics import MECHANICS, VAGUE_HINTS
from openspade.nano.lessons import LessonWriter, Mix, documents
from openspade.nano.measure import Sample, design_of, measure, play
from openspade.nano.mechanic import MAX_LEVEL
from openspade.roles.prompts import Prompts
from openspade.roles.reply import extract_program
from openspade.roles.source import read_design
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.settings.learning import PolicyConfig, TrainConfig
from openspade.settings.worlds import GatesConfig, SandboxConfig
from openspade.tokens import Sampling
from openspade.types import Brief, Design, Draft, Skill
from openspade.verifier.gates.novelty import OFF, Nothing
from openspade.verifier.ladder import Verifier

Returns = Mapping[tuple[str, str, int], list[float]]


def row(title: str, returns: Returns, arm: str, group: str | None) -> str:
    """One line: the mean and the mean of every level."""
    cells = [
        [
            value
            for (a, g, at), values in returns.items()
            if a == arm and at == level and group in (None, g)
            for value in values
        ]
        for level in range(1, MAX_LEVEL + 1)
    ]
    mean = fmean(value for cell in cells for value in cell)
    return f"| {title} | {arm} | {mean:.2f} | " + " | ".join(f"{fmean(cell):.2f}" for cell in cells) + " |"


def fresh_samples(programs: int, seed: int, *, vague: bool = False) -> list[Sample]:
    """New programs of every mechanic and level, one held-out seed each; with a good hint, or a vague one."""
    samples: list[Sample] = []
    for one in MECHANICS:
        for level in range(1, MAX_LEVEL + 1):
            rng = random.Random(f"{seed}/{one.name}/{level}")
            for _ in range(programs):
                source = one.program(one.draw(level, rng), hint=rng.choice(VAGUE_HINTS if vague else one.hints))
                seeds = (FIRST_SEED + rng.randrange(2**31),)
                samples.append(Sample(group=one.name, level=level, design=design_of(source), seeds=seeds))
    return samples


async def verdicts(folder: Path, drafts: int) -> Counter[str]:
    """How many sampled programs pass every gate, and the gate that the others fail."""
    writer = LessonWriter(
        Mix(level_decay=0.62, designer=1.0, good_hint=0.6, worked_unaided=0.2), Prompts("compact"), documents()
    )
    engine = LocalEngine(PolicyConfig(model=str(folder), device="cpu", prompts="compact"), TrainConfig())
    lessons = [writer.design(random.Random(f"benchmark/{number}")) for number in range(drafts)]
    sampling = Sampling(max_tokens=320)
    prompts = [engine.chat.start(lesson.opening).prompt(sampling, seed) for seed, lesson in enumerate(lessons)]
    replies = await engine.sample([prompt for prompt in prompts if prompt])
    brief = Brief(id="", skill=Skill(name="any", kind="game", description=""), document=None, seed=0)
    found = [(str(n), reply.text, read_design(extract_program(reply.text) or "")) for n, reply in enumerate(replies)]
    written = [Draft(id=n, brief=brief, text=text, design=d) for n, text, d in found if isinstance(d, Design)]
    async with SandboxPool(SandboxConfig()) as pool:
        judged = await Verifier(pool, Nothing(), GatesConfig(max_similarity=OFF)).verify(written)
    counts = Counter("accepted" if verdict.accepted else verdict.problems[0].gate for verdict in judged)
    return counts + Counter({"unreadable": drafts - len(written)})


async def report(folder: Path, programs: int, drafts: int) -> None:
    print(f"{drafts} sampled programs: {dict(await verdicts(folder, drafts))}\n")
    good = await play(folder, fresh_samples(programs, 0), 1)
    vague = await play(folder, fresh_samples(programs, 0, vague=True), 1)
    print("| mechanic | arm | mean | " + " | ".join(str(level) for level in range(1, MAX_LEVEL + 1)) + " |")
    print("|---|---|---|" + "---|" * MAX_LEVEL)
    for one in MECHANICS:
        for arm in ("unaided", "hinted"):
            print(row(one.name, good, arm, one.name))
    print(row("**all**", good, "unaided", None))
    print(row("**all**", good, "hinted", None))
    print(row("**all, vague hint**", vague, "hinted", None))
    start = time.perf_counter()
    scores = await measure(folder)
    print(f"\nheld-out suite ({time.perf_counter() - start:.1f} s for both arms, four plays a seed):\n")
    print("| family | unaided | hinted |\n|---|---|---|")
    for name in sorted(name for name in scores if name.startswith("unaided")):
        family = name.partition("/")[2]
        print(f"| {family or '**all**'} | {scores[name]:.2f} | {scores[name.replace('unaided', 'hinted')]:.2f} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--policy", default="nano")
    parser.add_argument("--programs", type=int, default=8)
    parser.add_argument("--drafts", type=int, default=150)
    options = parser.parse_args()
    asyncio.run(report(find_folder(options.policy), options.programs, options.drafts))
