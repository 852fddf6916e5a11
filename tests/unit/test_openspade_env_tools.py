"""Tool tasks: requests, calls, refusals, questions to the user."""

from random import Random
from typing import Any, Literal

import pytest

from openspade.openspade_env import (
    MAX_CALLS_PER_TURN,
    ContractError,
    Request,
    ToolError,
    ToolTask,
    describe,
    function_schema,
    tool,
)

Task = dict[str, Any]


class Desk(ToolTask):
    """A small office."""

    skill = "multi-step workflow"
    hint = "Ask for the day."

    def start(self, rng: Random) -> None:
        self.state: Any = {"booked": [], "stamped": 0, "open": True}
        self.day = rng.choice(["Monday", "Friday"])
        self.requests = [
            Request("Book a room.", answers={"which_day": self.day}, done=lambda s: s["booked"] == [self.day]),
            Request("Stamp it.", done=lambda s: s["stamped"] == 1, change=lambda s: s.update(open=False)),
            Request("Sing.", impossible=True),
        ]

    @tool
    def book(self, day: Literal["Monday", "Friday"], seats: int = 1) -> dict[str, Any]:
        """Book a room.

        day: the day of the week
        """
        self.state["booked"].append(day)
        return {"day": day, "seats": seats}

    @tool
    def stamp(self) -> None:
        """Stamp the form."""
        self.fail_once("out of ink")
        self.state["stamped"] += 1

    @tool
    def look_up(self, name: str, tags: list[str] | None = None) -> str:
        """Look up a person."""
        return {"ann": "Room 4"}[name]

    @tool
    def crash(self) -> str:
        """Crash."""
        raise ZeroDivisionError

    @tool
    def flood(self) -> str:
        """Say much."""
        return "x" * 10_000

    def solution(self) -> list[list[Any]]:
        stamp = self.call("stamp")
        return [["Which day?", self.call("book", day=self.day)], [stamp, stamp], [self.decline("I cannot sing.")]]


def started() -> Desk:
    desk = Desk()
    desk.reset(seed=3)
    return desk


def calling(*calls: tuple[str, Task], text: str = "") -> Task:
    return {"text": text, "calls": [{"name": name, "arguments": arguments, "problem": ""} for name, arguments in calls]}


def results(desk: Desk, *calls: tuple[str, Task]) -> list[str]:
    return desk.step(calling(*calls))[0]["results"]


def test_the_plan_meets_all_requests_one_after_another() -> None:
    desk = started()
    steps = [desk.step(action) for action in desk.plan()]
    assert [step[4]["met"] for step in steps] == [0, 1, 2, 3]
    assert [step[1] for step in steps] == [0.0, pytest.approx(1 / 3), pytest.approx(2 / 3), 1.0]
    assert steps[-1][2]


def test_neighbouring_calls_of_one_request_share_a_message() -> None:
    assert [len(action["calls"]) for action in started().plan()] == [0, 1, 2, 1]


def test_the_user_answers_a_question_about_what_is_missing() -> None:
    desk = started()
    assert desk.step("Which day, please?")[0]["text"] == f"which day: {desk.day}"
    assert desk.step("Hello!")[0]["text"] == "Please use the tools. My request is still open: Book a room."


def test_the_next_request_is_revealed_when_the_last_is_met() -> None:
    desk = started()
    observation = desk.step(calling(("book", {"day": desk.day})))[0]
    assert observation == {"text": "Stamp it.", "results": [f'{{"day": "{desk.day}", "seats": 1}}']}
    assert desk.state["open"] is False


def test_a_tool_fails_once_and_then_works() -> None:
    desk = started()
    assert results(desk, ("stamp", {}), ("stamp", {})) == ["Error: out of ink", "ok"]


def test_declining_what_could_be_done_ends_the_episode() -> None:
    desk = started()
    observation, reward, terminated, _, _ = desk.step(calling(("decline", {"reason": "no"})))
    assert (observation["text"], reward, terminated) == ("That is a pity. I will ask elsewhere.", 0.0, True)
    assert desk.step("More?")[1:3] == (0.0, True)


@pytest.mark.parametrize(
    ("name", "arguments", "problem"),
    [
        ("bok", {}, "there is no tool 'bok'; there are book, stamp, look_up, crash, flood, decline"),
        ("book", {}, "book: argument 'day' is missing"),
        ("book", {"day": "Sunday"}, "book: argument 'day' must be one of Monday, Friday, not \"Sunday\""),
        ("book", {"day": "Friday", "seats": "2"}, "book: argument 'seats' must be an integer, not \"2\""),
        ("book", {"day": "Friday", "when": 1}, "book: argument 'when' is unknown; there are day, seats"),
        ("look_up", {"name": "ann", "tags": ["a", 1]}, "look_up: argument 'tags'[1] must be a string, not 1"),
        ("look_up", {"name": "bob"}, "'bob' is not there"),
    ],
)
def test_a_call_that_cannot_be_executed_is_answered_with_the_reason(name: str, arguments: Task, problem: str) -> None:
    assert results(started(), (name, arguments)) == [f"Error: {problem}"]


def test_null_is_an_argument_where_the_hint_says_so() -> None:
    assert results(started(), ("look_up", {"name": "ann", "tags": None})) == ["Room 4"]


def test_what_the_host_could_not_read_is_answered_and_not_run() -> None:
    desk = started()
    action = {"text": "", "calls": [{"name": "stamp", "arguments": {}, "problem": "not valid JSON"}]}
    assert desk.step(action)[0]["results"] == ["Error: not valid JSON"]
    assert desk.state["stamped"] == 0


def test_an_exception_that_is_no_answer_leaves_the_environment() -> None:
    with pytest.raises(ZeroDivisionError):
        started().step(calling(("crash", {})))


def test_long_results_are_cut_visibly() -> None:
    assert results(started(), ("flood", {}))[0].endswith("... (2000 more characters)")


def test_a_message_may_hold_only_so_many_calls() -> None:
    answers = results(started(), *[("look_up", {"name": "ann"})] * (MAX_CALLS_PER_TURN + 1))
    assert answers[-1].startswith("Error: not run")


def test_a_criterion_that_raises_breaks_the_contract() -> None:
    class Broken(Desk):
        def start(self, rng: Random) -> None:
            self.state = {}
            self.requests = [Request("Go.", done=lambda s: s["missing"])]

    with pytest.raises(ContractError, match="done of request 1 raised KeyError"):
        Broken().reset(seed=0)


def test_a_request_needs_a_criterion_or_is_impossible() -> None:
    with pytest.raises(ContractError, match="neither"):
        Request("Do something.")


def test_a_solution_has_one_list_a_request() -> None:
    class Short(Desk):
        def solution(self) -> list[list[Any]]:
            return [[]]

    desk = Short()
    desk.reset(seed=0)
    with pytest.raises(ContractError, match="each of the 3 requests"):
        desk.plan()


def test_schemas_come_from_hints_and_docstrings() -> None:
    functions = {schema["function"]["name"]: schema["function"] for schema in describe(Desk)["tools"]}
    assert list(functions) == ["book", "stamp", "look_up", "crash", "flood", "decline"]
    assert functions["book"]["description"] == "Book a room."
    assert functions["book"]["parameters"] == {
        "type": "object",
        "properties": {
            "day": {"type": "string", "enum": ["Monday", "Friday"], "description": "the day of the week"},
            "seats": {"type": "integer"},
        },
        "required": ["day"],
    }
    tags = functions["look_up"]["parameters"]["properties"]["tags"]
    assert tags == {"type": "array", "items": {"type": "string"}, "nullable": True}


def test_a_parameter_without_a_hint_breaks_the_contract() -> None:
    def lift(self: object, weight) -> str:  # type: ignore[no-untyped-def]
        return str(weight)

    def drop(self: object, weight: complex) -> str:
        return str(weight)

    with pytest.raises(ContractError, match="parameter weight of tool lift"):
        function_schema(lift)
    with pytest.raises(ContractError, match="parameter weight of tool drop has the hint"):
        function_schema(drop)


def test_a_tool_error_is_text_for_the_agent() -> None:
    assert str(ToolError("closed on Sundays")) == "closed on Sundays"
