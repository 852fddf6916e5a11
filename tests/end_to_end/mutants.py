"""Good environments broken on purpose. A mutant is a subclass: what it overrides is what is broken.

Two sets of twelve environments, each broken in ten ways. The gates were tuned on the first. The second was written and
drawn afterwards, from the starter pool, and run once before any gate was changed: docs/gates.md has both figures.
"""

import random
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from openspade.roles.source import read_design
from openspade.types import Design
from tests.end_to_end import faults_held_out, faults_tuned

ROOT = Path(__file__).parents[2]
POOL = sorted((ROOT / "src" / "openspade" / "pool" / "starter").glob("*.py"))
GATES = ROOT / "tests" / "gates"
TUNED_ON = [
    *sorted((ROOT / "examples" / "environments").glob("*.py")),
    GATES / "floor_gap" / "good_four_options.py",
    GATES / "hint_leak" / "good_add_one.py",
    GATES / "equivalent_answers" / "good_a_list_in_any_spelling.py",
    GATES / "minimal" / "good_reads_before_it_writes.py",
]

HEADS = {
    "global random": "import random\n",
    "time dependence": "import time\n",
    "the action is a pattern": "import re\n",
    "worn out by others": "WEAR = []\n",
}


def held_out_on() -> list[Path]:
    """Twelve of the starter pool, drawn by lot."""
    rng = random.Random("held out")
    kinds = ([path for path in POOL if design_in(path).kind == kind] for kind in ("game", "tool"))
    return [path for paths in kinds for path in sorted(rng.sample(paths, 6))]


def design_in(path: Path) -> Design:
    read = read_design(path.read_text(encoding="utf-8"))
    assert isinstance(read, Design)
    return read


def mutant(path: Path, fault: str, body: str) -> str:
    """A program whose environment class is broken in one way."""
    design = design_in(path)
    parent = re.findall(r"^class (\w+)\(.*(?:Game|ToolTask)\)", design.source, re.MULTILINE)[-1]
    texts = f'    """{design.title}"""\n\n    skill = {design.skill!r}\n'
    texts += "" if "hint =" in body else f"    hint = {design.hint!r}\n"
    base = "" if design.kind == "game" else "from openspade_env import Request, ToolError, tool\n"
    return f"{HEADS.get(fault, '')}{base}{design.source}\n\nclass Mutant({parent}):\n{texts}{body}"


def _mutants(paths: Sequence[Path], game: Mapping[str, str], tool: Mapping[str, str]) -> dict[str, str]:
    return {
        f"{path.stem}: {fault}": mutant(path, fault, body)
        for path in paths
        for fault, body in (tool if design_in(path).kind == "tool" else game).items()
    }


def tuned() -> dict[str, str]:
    """120 programs by "environment: fault"."""
    return _mutants(TUNED_ON, faults_tuned.GAME_FAULTS, faults_tuned.TOOL_FAULTS)


def held_out() -> dict[str, str]:
    """Another 120: other environments, other faults."""
    return _mutants(held_out_on(), faults_held_out.GAME_FAULTS, faults_held_out.TOOL_FAULTS)
