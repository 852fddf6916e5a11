"""Reads answers to Reasoning Gym's questions: where one stands in a reply, may it be evaluated, is it one strictly.

Some of its scorers hand the answer to `eval`, or to sympy, which evaluates it as well: there a large power would use up
the child's time, and a clever answer could write its own verdict. These must be plain values, or plain arithmetic.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

_TAGGED = re.compile(r"<answer>\s?(.*?)\s?</answer>", re.DOTALL)
_EVAL = frozenset({"binary_matrix", "n_queens", "spiral_matrix", "string_insertion"})
_SYMPY = frozenset(
    {"countdown", "polynomial_multiplication", "puzzle24", "intermediate_integration", "simple_integration"}
)
_FUNCTIONS = frozenset(
    "Abs E acos acot acsc asec asin atan cos cosh cot csc exp ln log pi sec sin sinh sqrt tan tanh".split()
)
_VALUES = (ast.Expression, ast.Constant, ast.List, ast.Tuple, ast.Name, ast.Load, ast.UnaryOp, ast.USub)
_ARITHMETIC = (*_VALUES, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.UAdd, ast.Call)
_LARGEST_POWER = 50
_DEEPEST_POWERS = 2
_LONGEST_CHARS = 10_000


def final_answer(reply: str) -> str:
    """The last answer between tags, as upstream reads it, or the whole reply where there are none.

    >>> final_answer("I think <answer> 42</answer>."), final_answer(" 42 ")
    ('42', '42')
    """
    tagged = _TAGGED.findall(reply)
    return (tagged[-1] if tagged else reply).strip()


def is_harmless(dataset: str, answer: str) -> bool:
    """Whether the dataset's scorer may see the answer; always, where it does not evaluate it.

    >>> is_harmless("puzzle24", "(1 + 3) * 6"), is_harmless("puzzle24", "9**9**9"), is_harmless("gcd", "9**9**9")
    (True, False, True)
    >>> is_harmless("countdown", "().__class__"), is_harmless("n_queens", "[[1, 0], [0, 1]]")
    (False, True)
    """
    if dataset not in _SYMPY | _EVAL:
        return True
    if len(answer) > _LONGEST_CHARS:
        return False
    try:
        tree = ast.parse(answer, mode="eval")
        nodes, powers = [*ast.walk(tree)], _powers_deep(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # The answer as text is what `eval`'s scorers want; it fails there as it does here.
        return dataset in _EVAL
    if dataset in _EVAL:
        return all(isinstance(node, _VALUES) for node in nodes)
    return powers <= _DEEPEST_POWERS and all(isinstance(node, _ARITHMETIC) and _is_plain(node) for node in nodes)


def is_right_strictly(dataset: str, answer: str, entry: Mapping[str, Any]) -> bool:
    """Whether an answer with full score is one: two scorers give it to what does not answer the question.

    `game_of_life_halting` takes any text that is not empty, `puzzle24` any numbers in its range that make 24.

    >>> is_right_strictly("game_of_life_halting", "Perhaps", {"answer": "True"})
    False
    >>> is_right_strictly("puzzle24", "4 * 6 * 1 * 1", {"metadata": {"numbers": [2, 3, 4, 1]}})
    False
    """
    if dataset == "game_of_life_halting":
        return answer.strip(" .").lower() == str(entry["answer"]).lower()
    if dataset == "puzzle24":
        return sorted(map(int, re.findall(r"\d+", answer))) == sorted(entry["metadata"]["numbers"])
    return True


def _is_plain(node: ast.AST) -> bool:
    """Numbers for numbers, sympy's elementary functions for calls, and powers that stay small."""
    if isinstance(node, ast.Constant):
        return type(node.value) in (int, float)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        return _is_small(node.right)
    return True


def _is_small(power: ast.expr) -> bool:
    """A number up to fifty, or a fraction or a sign of such."""
    parts = [*ast.walk(power)]
    numbers = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, int | float)]
    plain = all(isinstance(part, (ast.Constant, ast.UnaryOp, ast.USub, ast.BinOp, ast.Div)) for part in parts)
    return plain and all(abs(number) <= _LARGEST_POWER for number in numbers)


def _powers_deep(node: ast.AST) -> int:
    """How many powers stand inside one another."""
    own = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow)
    return own + max(map(_powers_deep, ast.iter_child_nodes(node)), default=0)
