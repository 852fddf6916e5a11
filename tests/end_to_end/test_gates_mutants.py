"""The judge judged: good environments broken on purpose are caught, and rewritten without a change they still pass."""

import ast
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from openspade.types import Verdict
from tests.end_to_end.mutants import TUNED_ON, held_out, held_out_on, tuned
from tests.end_to_end.test_gates import draft_of, verify

NOT_CAUGHT = {
    # The first answer ends these, so that no third turn comes: nothing was broken.
    "knights: three turns of anything win",
    "next_term: three turns of anything win",
    "queue_order: three turns of anything win",
    "shortest_road: three turns of anything win",
    # Told is the last move of the solution, which is no good while the game goes on.
    "last_match: a wrong move tells the answer",
    # Only a right call changes the state here, or one whose arguments stand nowhere but in tools' answers.
    "parcel_return: any change is right",
    "parking_garage: any change is right",
}


def judged(programs: Mapping[str, str]) -> dict[str, Verdict]:
    drafts = [draft_of(f"```python\n{source}```\n", name) for name, source in programs.items()]
    return dict(zip(programs, verify(drafts), strict=True))


def missed(programs: Mapping[str, str]) -> set[str]:
    return {name for name, verdict in judged(programs).items() if verdict.accepted}


def test_every_mutant_of_the_set_that_the_gates_were_tuned_on_is_caught() -> None:
    assert len(tuned()) == 120
    assert missed(tuned()) == set()


def test_of_the_held_out_mutants_only_the_known_few_are_missed() -> None:
    assert len(held_out()) == 120
    assert missed(held_out()) <= NOT_CAUGHT


def comments(source: str) -> str:
    return "# A comment.\n" + source.replace("\n    def ", "\n    # Another one.\n    def ")


def methods_reversed(source: str) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            functions = [item for item in node.body if isinstance(item, ast.FunctionDef)]
            node.body = [item for item in node.body if item not in functions] + functions[::-1]
    return ast.unparse(tree) + "\n"


def attributes_renamed(source: str) -> str:
    own = set(re.findall(r"self\.(\w+)\s*(?:,|=[^=])", source)) - {"state", "requests", "max_turns"}
    return re.sub(r"self\.(\w+)", lambda match: f"self.{match[1]}{'_x' if match[1] in own else ''}", source)


def variables_renamed(source: str) -> str:
    tree = ast.parse(source)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    names = {node for function in functions for node in ast.walk(function) if isinstance(node, ast.Name)}
    parameters = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    own = {node.id for node in names if isinstance(node.ctx, ast.Store)} - parameters
    for node in names:
        node.id += "_x" if node.id in own else ""
    return ast.unparse(tree) + "\n"


def class_renamed(source: str) -> str:
    name = re.findall(r"^class (\w+)\(.*(?:Game|ToolTask)\)", source, re.MULTILINE)[-1]
    return re.sub(rf"\b{name}\b", "Renamed", source)


REWRITES = [comments, methods_reversed, attributes_renamed, variables_renamed, class_renamed]


@pytest.mark.parametrize("rewrite", REWRITES)
def test_a_rewrite_that_changes_nothing_changes_no_verdict(rewrite: Callable[[str], str]) -> None:
    programs: list[Path] = [*TUNED_ON, *held_out_on()]
    verdicts = judged({path.stem: rewrite(path.read_text(encoding="utf-8")) for path in programs})
    assert {name: verdict.problems for name, verdict in verdicts.items() if not verdict.accepted} == {}
