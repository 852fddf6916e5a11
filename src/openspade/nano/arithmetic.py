"""Mechanics of numbers: sums, sequences, clocks, truth tables, order."""

from __future__ import annotations

import random

from openspade.nano.mechanic import Body, Knobs, Manner, Mechanic, MechanicPlay, answered, joined, question, spaced

# --- sums ---------------------------------------------------------------------------------------

_SUM_ASKS = ("Add {text}.", "What is {text}?", "{text} = ?", "Work out {text}.")


def _sum_body(knobs: Knobs) -> Body:
    count = knobs.level + 1
    setup = (
        f"numbers = [rng.randint({knobs.low}, {knobs.high}) for _ in range({count})]",
        'text = " + ".join(map(str, numbers))',
        "self.answer = str(sum(numbers))",
    )
    return question(knobs, f"Add {count} numbers from {knobs.low} to {knobs.high}.", setup, _SUM_ASKS, "number")


def _sum_play(knobs: Knobs, rng: random.Random, manner: Manner, chance: random.Random) -> MechanicPlay:
    numbers = [rng.randint(knobs.low, knobs.high) for _ in range(knobs.level + 1)]
    total, steps = numbers[0], str(numbers[0])
    for number in numbers[1:]:
        total += number
        steps += f" +{number}={total}"
    return answered(_SUM_ASKS[knobs.wording].format(text=" + ".join(map(str, numbers))), str(total), steps, manner)


# --- sequences ----------------------------------------------------------------------------------

_SEQUENCE_ASKS = (
    "Sequence {text}. Which number comes {ahead} later?",
    "{text} and so on. Go on by {ahead}.",
    "After {text}: number {ahead}?",
    "Continue {text}. Say the next number {ahead}.",
)


def _sequence_body(knobs: Knobs) -> Body:
    ahead = knobs.level
    setup = (
        f"first, step = rng.randint({knobs.low}, {knobs.high}), rng.randint(2, 9)",
        f"terms = [first + step * i for i in range({ahead + 3})]",
        'text = " ".join(map(str, terms[:3]))',
        "self.answer = str(terms[-1])",
    )
    asks = [ask.replace("{ahead}", str(ahead)) for ask in _SEQUENCE_ASKS]
    return question(knobs, f"Continue a sequence with equal steps by {ahead}.", setup, asks, "number")


def _sequence_play(knobs: Knobs, rng: random.Random, manner: Manner, chance: random.Random) -> MechanicPlay:
    first, step = rng.randint(knobs.low, knobs.high), rng.randint(2, 9)
    terms = [first + step * i for i in range(knobs.level + 3)]
    asked = _SEQUENCE_ASKS[knobs.wording].format(text=spaced(terms[:3]), ahead=knobs.level)
    return answered(asked, str(terms[-1]), f"+{step}: {spaced(terms[3:])}", manner)


# --- clocks -------------------------------------------------------------------------------------

_CLOCK_ASKS = (
    "Clock 0 to {last} shows {hand}. It runs {text}.",
    "A clock from 0 to {last} is at {hand}. Go on {text}.",
    "Hand at {hand} of 0 to {last}. Turn {text}.",
    "Hours 0 to {last}, now {hand}. Later by {text}?",
)


def _clock_body(knobs: Knobs) -> Body:
    hours = knobs.high
    setup = (
        f"hand = rng.randrange({hours})",
        f"moves = [rng.randint({knobs.low}, 9) for _ in range({knobs.level})]",
        'text = " + ".join(map(str, moves))',
        f"self.answer = str((hand + sum(moves)) % {hours})",
    )
    asks = [ask.replace("{last}", str(hours - 1)) for ask in _CLOCK_ASKS]
    return question(knobs, f"Move the hand of a clock with {hours} hours {knobs.level} times.", setup, asks, "number")


def _clock_play(knobs: Knobs, rng: random.Random, manner: Manner, chance: random.Random) -> MechanicPlay:
    hours = knobs.high
    hand = rng.randrange(hours)
    moves = [rng.randint(knobs.low, 9) for _ in range(knobs.level)]
    first = _CLOCK_ASKS[knobs.wording].format(last=hours - 1, hand=hand, text=" + ".join(map(str, moves)))
    steps = str(hand)
    for move in moves:
        hand = (hand + move) % hours
        steps += f" +{move}={hand}"
    return answered(first, str(hand), steps, manner)


# --- truth tables -------------------------------------------------------------------------------

_TRUTH_ASKS = (
    "Columns {text}, from left to right?",
    "Work out {text} row by row.",
    "Truth column of {text}?",
    "{text} gives which column?",
)


def _truth_body(knobs: Knobs) -> Body:
    width = knobs.high
    setup = (
        f"value = rng.randrange({2**width})",
        f'text = f"{{value:0{width}b}}"',
        f"for _ in range({knobs.level}):",
        f'    other, word = rng.randrange({2**width}), rng.choice(["and", "xor", "or", "xor"])',
        f'    text += f" {{word}} {{other:0{width}b}}"',
        '    value = {"and": value & other, "or": value | other, "xor": value ^ other}[word]',
        f'self.answer = f"{{value:0{width}b}}"',
    )
    title = f"Join truth columns of {width} rows by {knobs.level} words."
    return question(knobs, title, setup, _TRUTH_ASKS, "exact")


def _truth_play(knobs: Knobs, rng: random.Random, manner: Manner, chance: random.Random) -> MechanicPlay:
    width = knobs.high
    value = rng.randrange(2**width)
    text = steps = f"{value:0{width}b}"
    for _ in range(knobs.level):
        other, word = rng.randrange(2**width), rng.choice(["and", "xor", "or", "xor"])
        text += f" {word} {other:0{width}b}"
        value = {"and": value & other, "or": value | other, "xor": value ^ other}[word]
        steps += f" {word} {other:0{width}b}={value:0{width}b}"
    return answered(_TRUTH_ASKS[knobs.wording].format(text=text), f"{value:0{width}b}", steps, manner)


# --- order --------------------------------------------------------------------------------------

_SORT_ASKS = ("Sort {text}.", "Smallest first: {text}.", "Put {text} in order.", "Order {text} by size.")


def _sort_body(knobs: Knobs) -> Body:
    count = knobs.level + 3
    setup = (
        f"numbers = [rng.randint({knobs.low}, {knobs.high}) for _ in range({count})]",
        'text = "".join(map(str, numbers))',
        'self.answer = "".join(sorted(text))',
    )
    return question(knobs, f"Sort {count} numbers from {knobs.low} to {knobs.high}.", setup, _SORT_ASKS, "number")


def _sort_play(knobs: Knobs, rng: random.Random, manner: Manner, chance: random.Random) -> MechanicPlay:
    numbers = [rng.randint(knobs.low, knobs.high) for _ in range(knobs.level + 3)]
    half = (len(numbers) + 1) // 2
    steps = f"{joined(sorted(numbers[:half]))} {joined(sorted(numbers[half:]))}"
    return answered(_SORT_ASKS[knobs.wording].format(text=joined(numbers)), joined(sorted(numbers)), steps, manner)


ARITHMETIC = (
    Mechanic(
        name="sums",
        kind="game",
        skill="mathematical reasoning",
        hints=(
            "Add from left to right and write each running total.",
            "Write the total after every number.",
            "One number at a time: note each sum before the next.",
        ),
        lows=(1, 2),
        highs=(7, 8, 9),
        wordings=len(_SUM_ASKS),
        body=_sum_body,
        play=_sum_play,
    ),
    Mechanic(
        name="sequence",
        kind="game",
        skill="pattern recognition",
        hints=(
            "Find the step, then write every term up to the one asked for.",
            "Write all the terms in between.",
            "The step stays equal: add it again and again and note each term.",
        ),
        lows=(1, 2, 3, 4),
        highs=(9, 12, 15, 20),
        wordings=len(_SEQUENCE_ASKS),
        body=_sequence_body,
        play=_sequence_play,
    ),
    Mechanic(
        name="clock",
        kind="game",
        skill="mathematical reasoning",
        hints=(
            "Write where the hand is after each move.",
            "Take off one full turn whenever the hand passes the top, and note every position.",
            "Move by move: note each hour on the way.",
        ),
        lows=(1, 2, 3),
        highs=(12, 13, 14),
        wordings=len(_CLOCK_ASKS),
        body=_clock_body,
        play=_clock_play,
    ),
    Mechanic(
        name="truth",
        kind="game",
        skill="logical deduction",
        hints=(
            "Write the whole column after every word.",
            "Join two columns at once and note the result before the next.",
            "Go from left to right with one column between.",
        ),
        lows=(1,),
        highs=(7, 8),
        wordings=len(_TRUTH_ASKS),
        body=_truth_body,
        play=_truth_play,
    ),
    Mechanic(
        name="sorting",
        kind="game",
        skill="optimisation",
        hints=(
            "Sort each half first, then merge the halves.",
            "Order the two halves, then take the smaller head each time.",
            "Write both halves in order before the answer.",
        ),
        lows=(1, 2, 3),
        highs=(7, 8, 9),
        wordings=len(_SORT_ASKS),
        body=_sort_body,
        play=_sort_play,
    ),
)
