"""The programs of the suite `mini`, before their questions are put in."""

from __future__ import annotations

from collections.abc import Callable
from string import Template

SCORER = """def right(kind, given, wanted):
    given = given.strip().split("\\n")[0].strip()
    if kind == "letter":
        return given.rstrip(".)").strip().upper() == wanted
    if kind == "sentence":
        return same_answer(given.rstrip("."), wanted.rstrip("."), kind="text")
    if kind == "words":
        return [word.strip() for word in given.split(",")] == [word.strip() for word in wanted.split(",")]
    return same_answer(given, wanted, kind=kind)
"""

QUESTIONS = Template(
    """from openspade_env import Game, same_answer

KIND = $kind
OPENING = $opening
SHOTS = $shots
ITEMS = $items


"""
    + SCORER.replace("$", "$$")
    + '''

class $name(Game):
    """$title"""

    skill = "$skill"
    hint = "Look at the examples: answer in the same form."
    max_turns = 1

    def start(self, rng):
        self.question, self.answer = ITEMS[rng.randrange(len(ITEMS))]
        shots = [f"Question: {question}\\nAnswer: \\\\boxed{{{answer}}}" for question, answer in SHOTS]
        parts = [OPENING, *shots, f"Question: {self.question}\\nAnswer:"]
        return "\\n\\n".join(part for part in parts if part)

    def act(self, action):
        return self.win("Right.") if right(KIND, action, self.answer) else self.lose("Wrong.")

    def solution(self):
        return [self.answer]
'''
)

GUESS = '''from openspade_env import Game, as_number


class Guess(Game):
    """Find a number from 1 to 10 in four guesses."""

    skill = "logical deduction"
    hint = "Guess the middle of what is left."
    max_turns = 4

    def start(self, rng):
        self.secret = rng.randrange(2**20) % 10 + 1
        return "I think of a number from 1 to 10. You have four guesses; I say higher or lower. Your first guess?"

    def act(self, action):
        guess = as_number(action)
        if guess is None:
            return "Please say a number."
        if guess == self.secret:
            return self.win("Right.")
        return "Higher." if guess < self.secret else "Lower."

    def solution(self):
        low, high, guesses = 1, 10, []
        while not guesses or guesses[-1] != self.secret:
            middle = (low + high) // 2
            guesses.append(middle)
            low, high = (middle + 1, high) if middle < self.secret else (low, middle - 1)
        return [str(guess) for guess in guesses]
'''

CODE = Template('''from openspade_env import Game

SHOTS = $shots
ITEMS = $items
NAMES = {
    "len": len, "max": max, "min": min, "sum": sum, "sorted": sorted, "abs": abs, "str": str, "int": int, "set": set,
    "list": list, "bool": bool, "round": round,
}
METHODS = {"upper", "lower", "split", "strip", "replace", "count", "title", "startswith", "endswith", "join", "index"}
LONG = ("**", "<<")


def checked(expression):
    """The expression compiled; what could run long or reach out is refused, so it is wrong."""
    code = compile(expression, "answer", "eval")
    numbers = [value for value in code.co_consts if isinstance(value, int)]
    if not set(code.co_names) <= {"x", *NAMES, *METHODS} or any(sign in expression for sign in LONG):
        raise ValueError("a name or sign that is not allowed")
    if any(hasattr(value, "co_code") for value in code.co_consts) or any(abs(number) > 10**6 for number in numbers):
        raise ValueError("a function or a number that is not allowed")
    return code


def passes(expression, tests):
    expression = expression.strip().split("\\n")[0].strip("` ").removeprefix("return ")
    if len(expression) > 120:
        return False
    try:
        code = checked(expression)
        results = [eval(code, {"__builtins__": {}, **NAMES, "x": x}) for x, _ in tests]
    except Exception:
        return False
    return all(type(got) is type(wanted) and got == wanted for got, (_, wanted) in zip(results, tests))


class MiniCode(Game):
    """Write a Python expression of x."""

    skill = "pattern recognition"
    hint = "One expression on one line, of x, with Python's own functions."
    max_turns = 1

    def start(self, rng):
        self.text, self.answer, self.tests = ITEMS[rng.randrange(len(ITEMS))]
        shots = [f"Question: A Python expression of x: {text}\\nAnswer: \\\\boxed{{{code}}}" for text, code in SHOTS]
        return "\\n\\n".join([*shots, f"Question: A Python expression of x: {self.text}\\nAnswer:"])

    def act(self, action):
        return self.win("All tests pass.") if passes(action, self.tests) else self.lose("A test fails.")

    def solution(self):
        return [self.answer]
''')

SHOTS = [
    ["the number x plus 7", "x + 7"],
    ["the text x in lower case", "x.lower()"],
    ["the smallest number in the list x", "min(x)"],
]
NUMBERS = [0, 1, 3, 8, 15]
TEXTS = ["", "tree", "Big Dog", "level", "a b c"]
LISTS = [[4], [3, 1, 2], [5, 5, 0], [9, 2, 7, 2]]
_CODE = [
    ("twice the number x", "2 * x", NUMBERS),
    ("the number x minus 1", "x - 1", NUMBERS),
    ("the number x times itself", "x * x", NUMBERS),
    ("the remainder of the number x divided by 3", "x % 3", NUMBERS),
    ("whether the number x is even, as True or False", "x % 2 == 0", NUMBERS),
    ("whether the number x is greater than 5, as True or False", "x > 5", NUMBERS),
    ("the number x with its sign turned", "-x", NUMBERS),
    ("half of the number x, rounded down", "x // 2", NUMBERS),
    ("the text x in upper case", "x.upper()", TEXTS),
    ("the length of the text x", "len(x)", TEXTS),
    ("the text x twice in a row", "x + x", TEXTS),
    ("the text x backwards", "x[::-1]", TEXTS),
    ("the sum of the list x", "sum(x)", LISTS),
    ("the largest number in the list x", "max(x)", LISTS),
    ("the first item of the list x", "x[0]", LISTS),
    ("the last item of the list x", "x[-1]", LISTS),
    ("three times the number x, plus 1", "3 * x + 1", NUMBERS),
    ("the number x plus 2, times itself", "(x + 2) * (x + 2)", NUMBERS),
    ("the last digit of the number x times 7", "7 * x % 10", NUMBERS),
    ("the number x as text with an exclamation mark behind it", "str(x) + '!'", NUMBERS),
    ("how many digits the number x has", "len(str(x))", NUMBERS),
    ("the larger of the number x and 5", "max(x, 5)", NUMBERS),
    ("the distance of the number x from 4", "abs(x - 4)", NUMBERS),
    ("whether the text x reads the same backwards, as True or False", "x == x[::-1]", TEXTS),
    ("how often the letter e is in the text x", "x.count('e')", TEXTS),
    ("the text x in upper case and backwards", "x.upper()[::-1]", TEXTS),
    ("the number of words in the text x", "len(x.split())", TEXTS),
    ("the text x without its blanks", "x.replace(' ', '')", TEXTS),
    ("the list x in rising order", "sorted(x)", LISTS),
    ("the largest less the smallest number of the list x", "max(x) - min(x)", LISTS),
    (
        "the second smallest number of the list x, or 0 where it has only one",
        "sorted(x)[1] if len(x) > 1 else 0",
        LISTS,
    ),
    ("how many different numbers are in the list x", "len(set(x))", LISTS),
]
CODE_TASKS = [[text, code, [[x, eval(code, {"x": x})] for x in tests]] for text, code, tests in _CODE]

ELEMENTS = {
    "hydrogen": "H", "helium": "He", "carbon": "C", "nitrogen": "N", "oxygen": "O", "sodium": "Na", "iron": "Fe",
    "copper": "Cu", "gold": "Au", "silver": "Ag", "lead": "Pb", "tin": "Sn", "zinc": "Zn", "calcium": "Ca",
    "potassium": "K", "sulfur": "S", "chlorine": "Cl", "magnesium": "Mg", "mercury": "Hg", "neon": "Ne",
}  # fmt: skip


def scorer(kind: str, same_answer: Callable[..., bool]) -> Callable[[str, str], bool]:
    """How the suite's programs judge an answer of this kind."""
    names: dict[str, Callable[..., bool]] = {"same_answer": same_answer}
    exec(SCORER, names)
    return lambda given, wanted: names["right"](kind, given, wanted)
