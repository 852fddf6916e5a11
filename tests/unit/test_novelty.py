"""Which programs are too much like each other, before any of them runs."""

from pathlib import Path

import pytest

from openspade.roles.source import read_design
from openspade.types import Design, Problem
from openspade.verifier.gates.novelty import Looks, Nothing, families, looks_of, novel
from tests.unit.memories import open_memory, remember, teachable

FOLDER = Path(__file__).parents[1] / "gates" / "novel"


def looks(name: str, limit: float = 0.9) -> Looks:
    design = read_design((FOLDER / f"{name}.py").read_text(encoding="utf-8"))
    assert isinstance(design, Design)
    return looks_of(design, limit)


CORRIDOR, RENAMED, RETOLD, LONGER, SHAPE = (
    looks(name)
    for name in ("remembered_corridor", "bad_renamed", "bad_f1_retold", "bad_f1_other_numbers", "good_same_shape")
)


def test_copies_are_one_family_and_others_stand_alone() -> None:
    assert families([CORRIDOR, SHAPE, None, RETOLD, LONGER, None], 0.9) == [[1], [2], [0, 3, 4], [5]]


def test_without_a_limit_only_equal_programs_are_a_family() -> None:
    assert families([CORRIDOR, RENAMED, LONGER], 1.0) == [[0, 1], [2]]


def test_other_names_do_not_make_a_program_new() -> None:
    judgement = novel(RENAMED, Nothing(), [CORRIDOR], 1.0)
    assert isinstance(judgement, Problem)
    assert judgement.message.startswith("The same program")


@pytest.mark.parametrize("other", [RETOLD, LONGER])
@pytest.mark.parametrize(("limit", "refused"), [(0.9, True), (1.0, False)])
def test_other_texts_or_numbers_make_a_program_new_only_where_likeness_is_off(
    other: Looks, limit: float, refused: bool
) -> None:
    assert isinstance(novel(other, Nothing(), [CORRIDOR], limit), Problem) == refused


def test_what_passes_says_how_like_the_nearest_is() -> None:
    note = novel(SHAPE, Nothing(), [CORRIDOR], 0.9)
    assert isinstance(note, str)
    assert note.startswith("at most ")


def test_a_memory_compares_with_its_latest_designs_only(tmp_path: Path) -> None:
    with open_memory(tmp_path, window=1) as memory:
        remember(memory, (CORRIDOR.design, teachable()))
        assert isinstance(novel(LONGER, memory, [], 0.9), Problem)
        remember(memory, (SHAPE.design, teachable()))
        assert not isinstance(novel(LONGER, memory, [], 0.9), Problem)
