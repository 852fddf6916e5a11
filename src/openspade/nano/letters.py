"""Mechanics of letters and lists: mirrors, counts, stacks, roads."""

from __future__ import annotations

import random
from itertools import pairwise

from openspade.nano.mechanic import Body, Knobs, Manner, Mechanic, MechanicPlay, answered, joined, question, spaced

# --- mirrors ------------------------------------------------------------------------------------

_MIRROR_ASKS = ("Reverse {text}.", "Read {text} backwards.", "Mirror {text}.", "Last letter first: {text}.")


def _mirror_body(knobs: Knobs) -> Body:
    count = knobs.level + 2
    setup = (
        f'letters = rng.choices("{knobs.letters[: knobs.low]}", k={count})',
        'text = "".join(letters)',
        "self.answer = text[::-1]",
    )
    return question(knobs, f"Reverse {count} letters.", setup, _MIRROR_ASKS, "text")


def _mirror_play(knobs: Knobs, rng: random.Random, manner: Manner, chance: random.Random) -> MechanicPlay:
    letters = rng.choices(knobs.letters[: knobs.low], k=knobs.level + 2)
    steps = spaced([f"{place}{letter}" for place, letter in enumerate(letters, 1)])
    return answered(_MIRROR_ASKS[knobs.wording].format(text=joined(letters)), joined(letters[::-1]), steps, manner)


# --- counts -------------------------------------------------------------------------------------

_COUNT_ASKS = (
    "How many {names} are in {text}?",
    "Count {names} in {text}.",
    "Tally {names}: {text}.",
    "In {text}, how often {names}?",
)


def _count_body(knobs: Knobs) -> Body:
    count, names = knobs.level + 3, knobs.letters[knobs.low : knobs.low + 3]
    setup = (
        f'letters = rng.choices("{names}", k={count})',
        'text = "".join(letters)',
        f'self.answer = " ".join(str(letters.count(name)) for name in "{names}")',
    )
    asks = [ask.replace("{names}", names) for ask in _COUNT_ASKS]
    return question(knobs, f"Count each of {names} among {count} letters.", setup, asks, "list")


def _count_play(knobs: Knobs, rng: random.Random, manner: Manner, chance: random.Random) -> MechanicPlay:
    names = knobs.letters[knobs.low : knobs.low + 3]
    letters = rng.choices(names, k=knobs.level + 3)
    steps = spaced([f"{letter}{letters[: place + 1].count(letter)}" for place, letter in enumerate(letters)])
    answer = spaced([letters.count(name) for name in names])
    asked = _COUNT_ASKS[knobs.wording].format(names=names, text=joined(letters))
    return answered(asked, answer, steps, manner)


# --- stacks -------------------------------------------------------------------------------------

_STACK_ASKS = (
    "Stack: {text}. Read it from the top.",
    "Plates: {text}. What is left, top first?",
    "Do {text}. Name the stack from the top.",
    "{text}. Which numbers stay, last one first?",
)


def _stack_body(knobs: Knobs) -> Body:
    moves = knobs.level + 3
    setup = (
        "stack, steps = [], []",
        f"for _ in range({moves}):",
        f"    if len(stack) > 2 and rng.random() < 0.{knobs.low}:",
        "        stack.pop()",
        '        steps.append("pop")',
        "    else:",
        f"        stack.append(rng.randint(1, {knobs.high}))",
        '        steps.append(f"push {stack[-1]}")',
        'text = " ".join(steps)',
        'self.answer = "".join(map(str, reversed(stack)))',
    )
    return question(knobs, f"Say what a stack holds after {moves} moves.", setup, _STACK_ASKS, "number")


def _stack_play(knobs: Knobs, rng: random.Random, manner: Manner, chance: random.Random) -> MechanicPlay:
    stack: list[int] = []
    moves: list[str] = []
    states: list[str] = []
    for _ in range(knobs.level + 3):
        if len(stack) > 2 and rng.random() < knobs.low / 10:
            stack.pop()
            moves.append("pop")
        else:
            stack.append(rng.randint(1, knobs.high))
            moves.append(f"push {stack[-1]}")
        states.append(joined(stack))
    first = _STACK_ASKS[knobs.wording].format(text=spaced(moves))
    return answered(first, joined(stack[::-1]), spaced(states), manner)


# --- roads --------------------------------------------------------------------------------------

_ROAD_ASKS = (
    "Roads {text}. From {stops[0]} go {hops} roads. The last two stops?",
    "Map {text}. Start {stops[0]}, {hops} steps: last two?",
    "Follow {text} from {stops[0]} {hops} times. Say the last two.",
    "From {stops[0]} {hops} on along {text}: where last, two stops?",
)


def _road_body(knobs: Knobs) -> Body:
    hops = knobs.level + 1
    setup = (
        f'stops = rng.sample("{knobs.letters}", {hops + knobs.low})',
        'text = " ".join(sorted(a + b for a, b in zip(stops, stops[1:])))',
        f'self.answer = " ".join(stops[{hops - 1}:{hops + 1}])',
    )
    asks = [ask.replace("{hops}", str(hops)) for ask in _ROAD_ASKS]
    return question(knobs, f"Follow {hops} roads on a map of letters.", setup, asks, "list")


def _road_play(knobs: Knobs, rng: random.Random, manner: Manner, chance: random.Random) -> MechanicPlay:
    hops = knobs.level + 1
    stops = rng.sample(knobs.letters, hops + knobs.low)
    text = spaced(sorted(f"{a}{b}" for a, b in pairwise(stops)))
    first = _ROAD_ASKS[knobs.wording].format(text=text, stops=stops, hops=hops)
    return answered(first, spaced(stops[hops - 1 : hops + 1]), joined(stops[: hops + 1]), manner)


LETTER_GAMES = (
    Mechanic(
        name="mirror",
        kind="game",
        skill="spatial reasoning",
        hints=(
            "Number the letters first, then go down from the last number.",
            "Give every letter its place before you turn the row round.",
            "Write each place with its letter, then read the places backwards.",
        ),
        lows=(8, 10, 12, 14, 16, 20),
        highs=(0, 1, 2, 3),
        wordings=len(_MIRROR_ASKS),
        body=_mirror_body,
        play=_mirror_play,
    ),
    Mechanic(
        name="tally",
        kind="game",
        skill="pattern recognition",
        hints=(
            "Go through the row and write the running count at every letter.",
            "Keep a tally: each letter with its count so far.",
            "Note how often each letter came up, one letter at a time.",
        ),
        lows=(0, 3, 6, 9, 12, 15),
        highs=(0, 1, 2, 3),
        wordings=len(_COUNT_ASKS),
        body=_count_body,
        play=_count_play,
    ),
    Mechanic(
        name="stack",
        kind="game",
        skill="causal inference",
        hints=(
            "Write the whole stack after every move.",
            "Note what lies there after each push and pop.",
            "Keep the pile on paper, move by move.",
        ),
        lows=(3, 4, 5),
        highs=(5, 6, 7, 8, 9),
        wordings=len(_STACK_ASKS),
        body=_stack_body,
        play=_stack_play,
    ),
    Mechanic(
        name="roads",
        kind="game",
        skill="spatial reasoning",
        hints=(
            "Write every stop on the way.",
            "From each stop look for its road, and note where it leads.",
            "List the whole route before you answer.",
        ),
        lows=(2, 3, 4),
        highs=(0, 1, 2, 3),
        wordings=len(_ROAD_ASKS),
        body=_road_body,
        play=_road_play,
    ),
)
