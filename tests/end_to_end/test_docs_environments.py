"""docs/environments.md tells the truth: its programs pass the gates, its examples give what they show."""

import doctest
import re
from pathlib import Path
from types import ModuleType

from tests.end_to_end.test_gates import draft_of, verify

PAGE = (Path(__file__).parents[2] / "docs" / "environments.md").read_text(encoding="utf-8")
# Outside the sandbox the contract is a module of the package.
IMPORTABLE = ("from openspade_env", "from openspade.openspade_env")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
PROGRAMS = [block for block in BLOCKS if "class " in block]


def test_the_page_shows_a_game_and_a_tool_task() -> None:
    assert [re.findall(r"\((Game|ToolTask)\)", program) for program in PROGRAMS] == [["Game"], ["ToolTask"]]


def test_its_programs_pass_every_gate() -> None:
    verdicts = verify([draft_of(f"```python\n{program}```") for program in PROGRAMS])
    assert [verdict.problems for verdict in verdicts] == [(), ()]


def test_its_examples_give_what_they_show() -> None:
    page = ModuleType("page")
    for program in PROGRAMS:
        exec(program.replace(*IMPORTABLE), page.__dict__)
    examples = "\n".join(block.replace(*IMPORTABLE) for block in BLOCKS if ">>>" in block)
    test = doctest.DocTestParser().get_doctest(examples, page.__dict__, "environments.md", None, 0)
    failed, tried = doctest.DocTestRunner().run(test)
    assert (failed, tried > 15) == (0, True)
