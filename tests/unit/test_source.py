"""Reading programs and designs out of replies, never running them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openspade.roles.reply import extract_program
from openspade.roles.source import design_id, read_design
from openspade.types import Design, Problem

PROGRAM = '''from openspade_env import Game


class Double(Game):
    """Say twice the number."""

    skill = "mathematical reasoning"
    hint = "Add the number to itself."
    max_turns = 3

    def start(self, rng):
        self.number = rng.randint(1, 99)
        return f"Twice {self.number}?"

    def act(self, action):
        return self.win() if action == str(2 * self.number) else self.lose()

    def solution(self):
        return [str(2 * self.number)]
'''


def fenced(program: str, language: str = "python") -> str:
    return f"```{language}\n{program}```\n"


SCRATCH = fenced("x = 1\n")


def problem(source: str) -> Problem:
    found = read_design(source)
    assert isinstance(found, Problem)
    return found


def test_the_last_complete_block_counts() -> None:
    reply = f"First try:\n{SCRATCH}Better:\n{fenced(PROGRAM)}and then ```python\nclass Cut"
    assert extract_program(reply) == PROGRAM


def test_a_block_inside_a_thought_is_ignored() -> None:
    assert extract_program(f"<think>\n{SCRATCH}</think>\n") is None
    assert extract_program(f"<think>\n{SCRATCH}</think>\n{fenced(PROGRAM)}") == PROGRAM


def test_a_thought_opened_by_the_prompt_is_ignored_too() -> None:
    assert extract_program(f"Maybe\n{SCRATCH}</think>\n{fenced(PROGRAM)}") == PROGRAM


def test_an_endless_thought_holds_no_program() -> None:
    assert extract_program(f"<think>\n{fenced(PROGRAM)}") is None


def test_a_thinking_tag_inside_a_program_is_text() -> None:
    program = PROGRAM.replace("Twice", "</think>")
    assert extract_program(fenced(program)) == program


def test_a_bare_program_is_a_reply() -> None:
    assert extract_program(PROGRAM) == PROGRAM


@pytest.mark.parametrize("reply", ["", "No.", "x = 1", "```python\nclass A: pass", "```json\n{}\n```"])
def test_a_reply_without_a_program_yields_none(reply: str) -> None:
    assert extract_program(reply) is None


def test_a_design_is_read_without_running_it() -> None:
    design = read_design(PROGRAM + "\nraise SystemExit\n")
    assert isinstance(design, Design)
    assert (design.title, design.kind, design.max_turns) == ("Say twice the number.", "game", 3)
    assert (design.skill, design.hint) == ("mathematical reasoning", "Add the number to itself.")


def test_equal_sources_have_equal_ids() -> None:
    assert design_id(PROGRAM) == design_id(PROGRAM) != design_id(PROGRAM + "\n")


def test_a_tool_task_is_recognised_through_an_intermediate_class() -> None:
    source = (
        "import openspade_env\nclass Desk(openspade_env.ToolTask):\n    skill = 'tool selection'\n"
        "class Shop(Desk):\n    '''A shop.'''\n    hint: str = 'Look first.'\n"
    )
    design = read_design(source, max_turns=9)
    assert isinstance(design, Design)
    assert (design.kind, design.skill, design.max_turns) == ("tool", "tool selection", 9)


@pytest.mark.parametrize("name", ["hint", "skill", "docstring"])
def test_a_missing_text_is_named(name: str) -> None:
    lines = {"hint": "    hint =", "skill": "    skill =", "docstring": '    """'}
    source = "\n".join(line for line in PROGRAM.splitlines() if not line.startswith(lines[name]))
    found = problem(source)
    assert found.gate == "contract"
    assert name in found.message


def test_a_computed_hint_is_refused() -> None:
    assert "literal" in problem(PROGRAM.replace('"Add the number to itself."', "str(4)")).message


def test_two_environments_are_one_too_many() -> None:
    found = problem(PROGRAM + PROGRAM.replace("Double", "Twice"))
    assert found.gate == "contract"
    assert "Double, Twice" in found.evidence


def test_a_syntax_error_is_quoted() -> None:
    found = problem("class A(:\n    pass")
    assert (found.gate, found.evidence) == ("parses", "line 1: class A(:")


@pytest.mark.parametrize(
    "bomb", ["x=" + "+".join("1" * 9000), "x=" + "-" * 9000 + "1", "x=a" + ".b" * 9000, "x" * 10**6]
)
def test_a_bomb_for_the_parser_is_refused(bomb: str) -> None:
    assert problem(bomb).gate == "size"


USE = "```python\ngame = First()\nprint(game.reset(seed=1))\n```\n"


@pytest.mark.parametrize(
    "reply",
    [
        f"{fenced(PROGRAM)}\nUse it so:\n\n{USE}",
        f"{USE}\n{fenced(PROGRAM)}\nIt prints:\n```\n4 apples\n```\n",
        f"\ufeff{fenced(PROGRAM)}",
        fenced(PROGRAM).replace("\n", "\r\n"),
        f"~~~python\n{PROGRAM}~~~\n",
        "1. The program:\n\n" + "".join(f"    {line}\n" for line in fenced(PROGRAM).splitlines()),
        f"Here:\n```python\n{PROGRAM}",
        f"{fenced(PROGRAM)}\n```python\nclass Helper:\n    pass\n```\n",
        f"{fenced(PROGRAM)}\n```json\n{{}}\n```\n```bash\nopenspade play it.py\n```\n",
    ],
)
def test_what_stands_around_the_program_does_no_harm(reply: str) -> None:
    found = extract_program(reply)
    assert found is not None and found.strip() == PROGRAM.strip()


def test_a_block_that_was_cut_off_is_no_program() -> None:
    assert extract_program(f"```python\n{PROGRAM}", whole=False) is None


@given(st.text(), st.text(st.sampled_from("`~\n python class")), st.text())
def test_any_reply_is_a_program_or_none(before: str, fences: str, after: str) -> None:
    found = extract_program(f"{before}\n{fences}\n{after}")
    assert found is None or isinstance(found, str)
