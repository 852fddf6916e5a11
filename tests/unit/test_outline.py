"""Past designs in a brief: whole where they fit, otherwise an outline that still says what the mechanic is."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openspade.engine.scripted import ScriptedEngine
from openspade.roles.designer import Designer
from openspade.roles.prompts import Prompts, Style
from openspade.roles.source import environment_class, methods, outline, read_design
from openspade.settings.learning import DesignerConfig
from openspade.types import Design, Exemplar
from tests.fakes import a_brief
from tests.unit.mechanics import MAZES, OTHERS

EXAMPLES = Path(__file__).parents[2] / "examples" / "environments"
PROGRAMS = [*MAZES, *OTHERS, *(path.read_text() for path in sorted(EXAMPLES.glob("*.py")))]


def signatures(source: str) -> list[str]:
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    return sorted(f"{node.name}({ast.unparse(node.args)})" for node in functions)


def mechanic(source: str) -> dict[str, str]:
    """The methods of the environment and their bodies."""
    found = environment_class(ast.parse(source))
    assert isinstance(found, tuple)
    return {name: ast.unparse(node.body) for name, node in methods(found[0]).items()}  # type: ignore[arg-type]


def hint_and_title(source: str) -> tuple[str, str]:
    design = read_design(source)
    assert isinstance(design, Design)
    return design.hint, design.title


@settings(deadline=None, max_examples=50)
@given(source=st.sampled_from(PROGRAMS), share=st.floats(0.01, 1.2))
def test_an_outline_is_a_program_with_every_signature_the_hint_and_the_title(source: str, share: float):
    short = outline(source, int(share * len(source)))
    assert len(short) <= share * len(source)
    assert not short or signatures(short) == signatures(source)
    assert not short or hint_and_title(short) == hint_and_title(source)


@settings(deadline=None, max_examples=50)
@given(source=st.sampled_from(PROGRAMS), spare=st.integers(0, 500))
def test_what_fits_stays_as_it_was_written(source: str, spare: int):
    assert outline(source, len(source) + spare) == source


@settings(deadline=None, max_examples=50)
@given(source=st.sampled_from([*MAZES, *OTHERS]), share=st.floats(0.01, 1))
def test_the_mechanic_goes_last(source: str, share: float):
    short = outline(source, int(share * len(source)))
    bodies = mechanic(short) if short else {}
    if bodies.get("act") == "...":
        assert set(bodies.values()) == {"..."}
    if short not in ("", source):
        assert bodies["solution"] == "..."


def test_a_long_table_gives_way_before_the_mechanic_and_the_hint_never():
    table = f"    WORDS = {[f'word{number}' for number in range(200)]}\n"
    source = OTHERS[0].replace("    def start", table + "    def start", 1)
    short = outline(source, len(source) - 1000)
    assert "WORDS = ..." in short
    assert mechanic(short)["act"] == mechanic(source)["act"]


@pytest.mark.parametrize("source", ["class A(:\n" * 100, "x = 1\n" * 100])
def test_what_cannot_be_outlined_is_left_out_whole(source: str):
    assert outline(source, 20) == ""


# --- in a brief ---------------------------------------------------------------------------------------

MAZE = read_design(MAZES[0])
assert isinstance(MAZE, Design)
BRIEF = replace(a_brief(), exemplars=(Exemplar(design=MAZE, solve_rate=0.5, regret=0.1),))
REPLY = DesignerConfig(max_tokens=10)


async def shown(style: Style, missing_tokens: int) -> str:
    """What the Designer is shown of a maze when its context is so many tokens too small for the whole of it."""
    prompts = Prompts(style)
    whole = ScriptedEngine(str).chat.start(prompts.design(BRIEF)).prompt(REPLY.sampling(), 0)
    assert whole is not None
    engine = ScriptedEngine(lambda _: "No.", context_tokens=len(whole.ids) + REPLY.max_tokens - missing_tokens)
    (draft,) = await Designer(engine, prompts, REPLY, 1).design([BRIEF])
    return draft.brief.exemplars[0].design.source if draft.brief.exemplars else ""


@pytest.mark.parametrize("style", ["full", "compact"])
async def test_a_design_is_shown_whole_where_it_fits(style: Style):
    assert await shown(style, 0) == MAZES[0]


async def test_a_design_that_does_not_fit_is_outlined():
    short = await shown("full", 10)
    assert signatures(short) == signatures(MAZES[0])
    assert len(short) <= len(MAZES[0]) / 2


async def test_a_design_that_fits_in_no_way_is_not_shown():
    assert await shown("full", len(MAZES[0]) * 9 // 10) == ""


async def test_a_small_policy_is_shown_no_outline():
    assert await shown("compact", 10) == ""
