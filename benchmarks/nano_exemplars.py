"""What level does the nano Designer write when a brief shows an exemplar? What docs/experiments/difficulty.md quotes.

python benchmarks/nano_exemplars.py [--policy nano|FOLDER] [--drafts 4]

Prints the mean level of its programs by the level of the exemplar of the same mechanic and by the share of its plays
that were solved. Lessons of its pretraining write two levels higher after 100 % and two lower after 0 %.
"""

from __future__ import annotations

import argparse
import asyncio
import random
from statistics import fmean

from benchmarks.nano_reading import level_of

from openspade.engine.local import LocalEngine
from openspade.nano.all_mechanics import MECHANICS
from openspade.nano.families import NanoFamily
from openspade.nano.lessons import documents
from openspade.nano.mechanic import Mechanic
from openspade.roles.designer import Designer
from openspade.roles.prompts import Prompts
from openspade.settings.learning import DesignerConfig, PolicyConfig, TrainConfig
from openspade.types import Brief, Document, Exemplar, Skill

SHOWN = (2, 4, 6, 8)
SOLVED = (0.0, 0.25, 0.5, 0.75, 1.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--policy", default="nano")
    parser.add_argument("--drafts", type=int, default=4)
    arguments = parser.parse_args()
    policy = PolicyConfig(model=arguments.policy, prompts="compact", device="cpu", batch_rows=256)
    engine = LocalEngine(policy, TrainConfig())
    designer = Designer(engine, Prompts("compact"), DesignerConfig(max_tokens=400), arguments.drafts)
    asyncio.run(report(designer))


async def report(designer: Designer) -> None:
    print(f"no exemplar: {fmean(await levels(designer, 0, 0.0)):.1f}\n")
    print(f"| level shown | {' | '.join(f'solved {solved:.0%}' for solved in SOLVED)} |\n|---|{'---|' * len(SOLVED)}")
    for shown in SHOWN:
        cells = [fmean(await levels(designer, shown, solved)) for solved in SOLVED]
        print(f"| {shown} | {' | '.join(f'{cell:.1f}' for cell in cells)} |")


async def levels(designer: Designer, shown: int, solved: float) -> list[int]:
    """The level of every readable program, over all mechanics."""
    by_mechanic = {one.source.partition(":")[2]: one for one in documents()}
    briefs = [brief(one, by_mechanic[one.name], shown, solved) for one in MECHANICS]
    drafts = await designer.design(briefs)
    return [found[1] for draft in drafts if draft.design and (found := level_of(draft.design))]


def brief(mechanic: Mechanic, document: Document, shown: int, solved: float) -> Brief:
    rng = random.Random(f"{mechanic.name}/{shown}/{solved}")
    design = NanoFamily(mechanic=mechanic).design(max(1, shown), rng)
    return Brief(
        id=f"{mechanic.name}/{shown}/{solved}",
        skill=Skill(name=mechanic.skill, kind=mechanic.kind, description=""),
        document=document,
        exemplars=(Exemplar(design=design, solve_rate=solved, regret=0.2),) if shown else (),
        seed=rng.randrange(2**31),
    )


if __name__ == "__main__":
    main()
