"""What a person types becomes an action."""

import pytest

from openspade.rollout.typed import read_action, signature
from openspade.types import Action, ToolCall


def test_in_a_game_a_line_is_the_move():
    assert read_action("open(2)", "game") == Action(text="open(2)")


def test_in_a_tool_task_a_line_of_calls_is_calls():
    action = read_action('find(name="Ann"); pay(sum=3, all=true, of=[1, None])', "tool")
    assert action.text == ""
    assert action.calls == (
        ToolCall(name="find", arguments={"name": "Ann"}),
        ToolCall(name="pay", arguments={"sum": 3, "all": True, "of": [1, None]}),
    )


@pytest.mark.parametrize("words", ["find Ann please", "it is 3", "find", "(", "a.b()", "\x00"])
def test_in_a_tool_task_anything_else_is_words(words: str):
    assert read_action(words, "tool") == Action(text=words)


@pytest.mark.parametrize(
    "line", ['find("Ann")', "find(**x)", "find(name=Ann)", "find(name={1})", "find(x=__import__('os'))"]
)
def test_a_call_that_cannot_be_run_says_why(line: str):
    (call,) = read_action(line, "tool").calls
    assert call.problem


def test_a_tool_is_shown_as_a_person_would_call_it():
    parameters = {"properties": {"all": {"type": "boolean"}, "name": {"type": "string"}}, "required": ["name"]}
    tool = {"type": "function", "function": {"name": "find", "description": "Find.", "parameters": parameters}}
    assert signature(tool) == "find(name: string, all: boolean = ...)  Find."
