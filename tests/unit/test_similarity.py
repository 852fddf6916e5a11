"""When two programs are the same, and how alike they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openspade.memory.search.similarity import constants, fingerprint, similarity, sketch, sketch_observations
from tests.unit.mechanics import MAZES, OTHERS

PROGRAM = '''class Double(Game):
    """Say twice the number."""
    skill = "mathematical reasoning"
    hint = "Add."
    def start(self, rng):
        self.number = rng.randint(1, 9)
        return f"Twice {self.number}?"
    def act(self, action):
        wanted = str(2 * self.number)
        return self.win() if action == wanted else self.lose()
'''


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Double", "Zwei"),
        ("wanted", "right"),
        ("number", "value"),
        ("Say twice the number.", "Doubling"),
        ("Add.", "Multiply."),
        ('"mathematical reasoning"', '"arithmetic"'),
        ("    def act", "    # a comment\n\n    def act"),
    ],
)
def test_names_comments_docstring_hint_and_skill_do_not_make_a_program_new(old: str, new: str) -> None:
    assert fingerprint(PROGRAM.replace(old, new)) == fingerprint(PROGRAM)


@pytest.mark.parametrize(
    ("old", "new"),
    [("(1, 9)", "(1, 8)"), ("2 *", "3 *"), ("Twice", "Double of"), ("==", "!="), ("self.win()", "self.lose()")],
)
def test_numbers_texts_and_operations_make_a_program_new(old: str, new: str) -> None:
    assert fingerprint(PROGRAM.replace(old, new)) != fingerprint(PROGRAM)


def test_swapping_two_variables_makes_a_program_new() -> None:
    assert fingerprint("a, b = 1, 2\nprint(a - b)") != fingerprint("a, b = 1, 2\nprint(b - a)")


def test_a_renamed_tool_is_the_same_tool() -> None:
    plan = '    def solution(self): return [[self.call("find", name=1)]]'
    task = f"class T(ToolTask):\n    def find(self, name): ...\n{plan}"
    assert fingerprint(task.replace("find", "look_up").replace("name", "who")) == fingerprint(task)


@pytest.mark.parametrize(
    "source", ["x = " + "1 + " * 900 + "1", "x = 0x" + "f" * 5000, "(" * 5000, "a\0b", "'\ud800'", "x" * 100_000, ""]
)
def test_no_program_is_too_odd_to_be_remembered(source: str) -> None:
    assert fingerprint(source) == fingerprint(source)
    assert similarity(source, source) == 1
    assert len(constants(source)) <= 1


def test_text_that_is_no_program_is_told_apart_by_its_letters() -> None:
    assert fingerprint("def (") == fingerprint("def (") != fingerprint("def ((")


def test_a_fingerprint_is_the_same_in_every_process() -> None:
    assert fingerprint(PROGRAM) == "b5fbd1fda7dcbc54c44ed045bf38ae8f"


def test_a_program_is_wholly_like_itself_with_other_names() -> None:
    assert similarity(PROGRAM, PROGRAM.replace("number", "value")) == 1


def test_mazes_written_by_different_hands_are_more_alike_than_other_games() -> None:
    mazes = [similarity(MAZES[0], MAZES[1]), similarity(MAZES[0], MAZES[2]), similarity(MAZES[1], MAZES[2])]
    others = [similarity(one, other) for one in OTHERS for other in OTHERS if one is not other]
    assert min(mazes) > 0.4 > max(others)


def test_observations_that_differ_in_their_numbers_are_alike() -> None:
    one, other = sketch_observations(["Sort [3, 1, 2] now."]), sketch_observations(["Sort [9, 8, 7, 55] now."])
    assert one.similarity(other) == 1


def test_observations_of_other_words_are_not_alike() -> None:
    assert sketch_observations(["Sort the row now"]).similarity(sketch_observations(["Walk to the exit"])) < 0.1


def test_near_equal_sketches_share_a_band() -> None:
    words = [str(number) for number in range(100)]
    assert set(sketch(words).bands()) & set(sketch(words[:97]).bands())


def test_constants_come_in_order_of_appearance_once_each() -> None:
    assert constants("x = [3, 9, 3]\ny = 0.5\nz = True") == ("3", "9", "0.5")


@given(st.sets(st.integers(0, 60)), st.sets(st.integers(0, 60)))
def test_a_sketch_estimates_the_share_of_common_shingles(one: set[int], other: set[int]) -> None:
    both = one | other
    true = len(one & other) / len(both) if both else 1.0
    assert sketch(map(str, one)).similarity(sketch(map(str, other))) == pytest.approx(true, abs=0.26)
