"""The base classes that generated programs import: games, and what is the same for both kinds."""

import doctest
from random import Random

import pytest

from openspade import openspade_env
from openspade.openspade_env import ContractError, Game, as_number, describe, load, same_answer


class Doors(Game):
    """Open the right one of three doors, twice."""

    skill = "causal inference"
    hint = "Both doors are the same."

    def start(self, rng: Random) -> str:
        self.door = rng.randint(1, 3)
        return "Doors 1, 2 and 3."

    def act(self, action: str) -> str:
        if action == "half":
            return self.score(0.5, "Half a win.")
        if action == "mess":
            self.opened = True
            return "Noted."
        if hasattr(self, "opened"):
            return self.win("Through.")
        return "Locked." if action == str(self.door) else self.lose()

    def solution(self) -> list[str]:
        self.opened = "solution() may play with its copy"
        return ["mess", str(self.door)]


def started(seed: int = 1) -> Doors:
    doors = Doors()
    doors.reset(seed=seed)
    return doors


def test_the_examples_in_the_documentation_are_true() -> None:
    assert doctest.testmod(openspade_env).failed == 0


def test_the_same_seed_begins_the_same_game() -> None:
    assert started(5).plan() == started(5).plan()
    assert len({str(started(seed).plan()) for seed in range(20)}) == 3


def test_a_plan_wins_and_leaves_the_game_as_it_is() -> None:
    doors = started()
    plan = doors.plan()
    assert not hasattr(doors, "opened")
    assert [doors.step(action)[1:3] for action in plan] == [(0.0, False), (1.0, True)]


def test_nothing_of_an_episode_survives_a_reset() -> None:
    doors = started()
    doors.step("mess")
    doors.reset(seed=1)
    assert doors.step(str(doors.door))[0] == "Locked."


def test_a_lost_game_pays_nothing_and_a_score_what_it_says() -> None:
    assert started().step("9")[1:3] == (0.0, True)
    assert started().step("half")[1:3] == (0.5, True)


def test_a_step_after_the_end_changes_nothing() -> None:
    doors = started()
    doors.step("half")
    assert doors.step("half")[1:3] == (0.0, True)


@pytest.mark.parametrize(("method", "value"), [("start", None), ("act", ("text", 1.0))])
def test_an_observation_that_is_no_text_breaks_the_contract(method: str, value: object) -> None:
    game = type("Broken", (Doors,), {method: lambda self, argument: value})()
    with pytest.raises(ContractError, match=rf"{method}\(\) must return a text"):
        [game.reset(seed=1), game.step("1")]


def test_a_solution_that_is_no_list_of_texts_breaks_the_contract() -> None:
    game = type("Broken", (Doors,), {"solution": lambda self: "1"})()
    game.reset(seed=1)
    with pytest.raises(ContractError, match="list of texts"):
        game.plan()


# --- answers ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "wanted", "kind"),
    [
        (" 12 ", 12, "number"),
        ("12.0", 12, "number"),
        ("+12", 12, "number"),
        ("1,200", 1200, "number"),
        ("1/2", 0.5, "number"),
        ("0.30000000001", 0.1 + 0.2, "number"),
        ("New  york", "new York", "text"),
        ("3 1 2", [3, 1, 2], "list"),
        ("(3; 1; 2.0)", [3, 1, 2], "list"),
        ("c, a,b", ["a", "b", "c"], "set"),
        ("Red apple", ["red apple"], "set"),
        ("[]", [], "set"),
    ],
)
def test_equal_answers_are_the_same(given: str, wanted: object, kind: str) -> None:
    assert same_answer(given, wanted, kind=kind)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "wanted", "kind"),
    [
        ("12 or 13", 12, "number"),
        ("112", 12, "number"),
        ("", 0, "number"),
        ("nan", 0, "number"),
        ("True", 1, "number"),
        ("1e999", 1, "number"),
        ("9" * 5000, 1, "number"),
        ("1/0", 1, "number"),
        ("٣", 3, "number"),
        ("York", "New York", "text"),
        ("3, 2, 1", [3, 1, 2], "list"),
        ("a, b, c", ["a", "b"], "set"),
        ("a, a, b", ["a", "b"], "set"),
        ("paris", "Paris", "exact"),
    ],
)
def test_other_answers_are_not_the_same(given: str, wanted: object, kind: str) -> None:
    assert not same_answer(given, wanted, kind=kind)  # type: ignore[arg-type]


def test_a_tolerance_is_absolute() -> None:
    assert same_answer("9.6", 10, kind="number", tolerance=0.5)
    assert not same_answer("9.4", 10, kind="number", tolerance=0.5)


def test_an_unknown_kind_is_named() -> None:
    with pytest.raises(ContractError, match="no kind 'fuzzy'"):
        same_answer("a", "a", kind="fuzzy")  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", ".", "e5", "1e", "--1", "1/2/3", "0x10", "inf", "1_000", "12,34"])
def test_what_is_no_number_reads_as_none(text: str) -> None:
    assert as_number(text) is None


# --- loading ------------------------------------------------------------------------------------


class Bare:
    """Gymnasium's signature."""

    max_turns = 3

    def reset(self, seed: int | None = None) -> str:
        self.turns = 0
        return f"seed {seed}"

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, object]]:
        self.turns += 1
        return str(self.turns), 0.0, False, False, {}

    def solution(self) -> list[str]:
        return ["go"]


def test_the_one_environment_of_a_program_is_found() -> None:
    namespace = {"Game": Game, "Doors": Doors, "Helper": int, "__name__": __name__}
    assert load(namespace) is Doors
    assert describe(Doors)["title"] == "Open the right one of three doors, twice."


def test_of_a_family_the_youngest_is_meant() -> None:
    child = type("Child", (Doors,), {"__module__": __name__})
    assert load({"Doors": Doors, "Child": child, "__name__": __name__}) is child


def test_two_environments_or_none_break_the_contract() -> None:
    other = type("Other", (Game,), {"__module__": __name__})
    with pytest.raises(ContractError, match="Doors, Other are 2"):
        load({"Doors": Doors, "Other": other, "__name__": __name__})
    with pytest.raises(ContractError, match="no environment class"):
        load({"Game": Game, "__name__": __name__})


def test_a_bare_class_is_wrapped_and_begins_anew_each_time() -> None:
    wrapped = load({"Bare": Bare, "__name__": __name__})
    environment = wrapped()
    assert environment.reset(seed=4) == ("seed 4", {})
    environment.step("x")
    environment.reset(seed=4)
    assert environment.step("x")[0] == "1"
    assert (describe(wrapped)["kind"], describe(wrapped)["max_turns"], environment.plan()) == ("game", 3, ["go"])


@pytest.mark.parametrize(("name", "value"), [("max_turns", 0), ("max_turns", True), ("hint", 3)])
def test_a_description_of_the_wrong_type_breaks_the_contract(name: str, value: object) -> None:
    with pytest.raises(ContractError, match=name):
        describe(type("Odd", (Doors,), {name: value}))
