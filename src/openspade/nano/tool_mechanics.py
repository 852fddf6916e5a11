"""Mechanics played with tools: look up and total, read and fill, follow and ring."""

from __future__ import annotations

import json
import random

from openspade.nano.mechanic import Body, Knobs, LessonExchange, Manner, Mechanic, MechanicPlay, spaced
from openspade.tokens import JSON, Message

ITEMS = ("pear fig plum nut bean kiwi lime leek corn rice", "bolt nail hook ring cord lamp tape glue wire pipe")
PEOPLE = (
    "Ann Bob Cid Dan Eva Fay Gus Hal Ida Jon Kim Lou Mia Nat",
    "Max Ned Ora Pam Quin Rob Sue Tim Una Vic Wes Zoe Abe Bea",
)
TANKS = "BCDFGHJKMN"
DONE = ("ok", "done", "noted", "all right")


def call(name: str, **arguments: JSON) -> str:
    """A tool call as the nano policy writes it."""
    return f"<tool_call>{json.dumps({'name': name, 'arguments': arguments})}</tool_call>"


def signature(name: str, description: str, **types: str) -> dict[str, JSON]:
    """A tool's schema, as `openspade_env` derives it from a method."""
    parameters: dict[str, JSON] = {
        "type": "object",
        "properties": {key: {"type": type_} for key, type_ in types.items()},
        "required": [*types],
    }
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def told(*results: object, text: str = "") -> tuple[Message, ...]:
    """Tool results and the user's next words."""
    user = (Message(role="user", content=text),) if text else ()
    return (*(Message(role="tool", content=str(result)) for result in results), *user)


# --- look up and total --------------------------------------------------------------------------

_PRICE_ASKS = (
    "Report the price of {text} together.",
    "What do {text} cost in all?",
    "Sum up {text}.",
    "Total of {text}, please.",
)


def _prices_body(knobs: Knobs) -> Body:
    count, names = knobs.level + 1, ITEMS[knobs.verdict % len(ITEMS)]
    done = DONE[knobs.verdict // len(DONE)]
    return Body(
        title=f"Look up {count} prices and report the total.",
        max_turns=3,
        methods=(
            "    def start(self, rng):\n"
            f'        names = rng.sample("{names}".split(), {count})\n'
            f"        self.prices = {{name: rng.randint({knobs.low}, {knobs.high}) for name in names}}\n"
            "        total = sum(self.prices.values())\n"
            '        text = " ".join(names)\n'
            '        self.state = {"seen": []}\n'
            f'        self.requests = [Request(f"{_PRICE_ASKS[knobs.wording]}", done=lambda s: '
            f's.get("total") == total and set(s["seen"]) == set(names))]\n\n'
            "    @tool\n"
            "    def price(self, item: str) -> int:\n"
            '        """Price of an item."""\n'
            '        self.state["seen"].append(item)\n'
            "        return self.prices[item]\n\n"
            "    @tool\n"
            "    def report(self, total: int) -> str:\n"
            '        """The first report counts."""\n'
            '        self.state.setdefault("total", total)\n'
            f'        return "{done}"\n\n'
            "    def solution(self):\n"
            '        calls = [self.call("price", item=name) for name in self.prices]\n'
            '        return [[*calls, self.call("report", total=sum(self.prices.values()))]]\n'
        ),
    )


def _prices_play(knobs: Knobs, rng: random.Random, manner: Manner, chance: random.Random) -> MechanicPlay:
    names = rng.sample(ITEMS[knobs.verdict % len(ITEMS)].split(), knobs.level + 1)
    prices = [rng.randint(knobs.low, knobs.high) for _ in names]
    first = _PRICE_ASKS[knobs.wording].format(text=spaced(names))
    if manner == "hasty":
        guess = chance.randint(knobs.low * len(names), knobs.high * len(names))
        return MechanicPlay(first=first, exchanges=(LessonExchange(reply=call("report", total=guess)),))
    total, steps = prices[0], str(prices[0])
    for price in prices[1:]:
        total += price
        steps += f" +{price}={total}"
    look = LessonExchange(reply="".join(call("price", item=name) for name in names), answers=told(*prices))
    report = call("report", total=total)
    return MechanicPlay(
        first=first, exchanges=(look, LessonExchange(reply=f"{steps} {report}" if manner == "worked" else report))
    )


# --- read and fill ------------------------------------------------------------------------------

_FILL_ASKS = (
    "Fill tank {name} to {goal}.",
    "Tank {name} should hold {goal}.",
    "Bring {name} up to {goal}.",
    "{goal} litres in {name}, please.",
)


def _fill_body(knobs: Knobs) -> Body:
    count, done = (knobs.level + 1) // 2, DONE[knobs.verdict // len(DONE)]
    return Body(
        title=f"Fill {count} tanks up to {knobs.high} litres and {knobs.level} more.",
        max_turns=2 * count,
        methods=(
            "    def start(self, rng):\n"
            f'        names = rng.sample("{TANKS}", {count})\n'
            f"        self.state = {{name: rng.randint({knobs.low}, 9) for name in names}}\n"
            f"        self.goals = {{name: rng.randint(10, {knobs.high + knobs.level}) for name in names}}\n"
            "        self.read = []\n"
            f'        self.requests = [Request(f"{_FILL_ASKS[knobs.wording]}", done=lambda s, n=name, g=goal: '
            "s[n] == g) for name, goal in self.goals.items()]\n\n"
            "    @tool\n"
            "    def level(self, tank: str) -> int:\n"
            '        """Litres in a tank."""\n'
            "        self.read.append(tank)\n"
            "        return self.state[tank]\n\n"
            "    @tool\n"
            "    def pour(self, tank: str, litres: int) -> str:\n"
            '        """Add to a tank; needs its level."""\n'
            "        if tank not in self.read:\n"
            '            return "Look at its level first."\n'
            "        self.read.remove(tank)\n"
            "        self.state[tank] += litres\n"
            f'        return "{done}"\n\n'
            "    def solution(self):\n"
            '        return [[self.call("level", tank=name), self.call("pour", tank=name, '
            "litres=goal - self.state[name])] for name, goal in self.goals.items()]\n"
        ),
    )


def _fill_play(knobs: Knobs, rng: random.Random, manner: Manner, chance: random.Random) -> MechanicPlay:
    names = rng.sample(TANKS, (knobs.level + 1) // 2)
    levels = [rng.randint(knobs.low, 9) for _ in names]
    goals = [rng.randint(10, knobs.high + knobs.level) for _ in names]
    asks = [_FILL_ASKS[knobs.wording].format(name=name, goal=goal) for name, goal in zip(names, goals, strict=True)]
    exchanges: list[LessonExchange] = []
    if manner == "hasty":
        guess = call("pour", tank=names[0], litres=chance.randint(2, 9))
        exchanges.append(LessonExchange(reply=guess, answers=told("Look at its level first.")))
    for place, name in enumerate(names):
        exchanges.append(LessonExchange(reply=call("level", tank=name), answers=told(levels[place])))
        missing = goals[place] - levels[place]
        pour = call("pour", tank=name, litres=missing)
        pour = f"{goals[place]}-{levels[place]}={missing} {pour}" if manner == "worked" else pour
        following = told(DONE[knobs.verdict // len(DONE)], text=asks[place + 1]) if place + 1 < len(names) else ()
        exchanges.append(LessonExchange(reply=pour, answers=following))
    return MechanicPlay(first=asks[0], exchanges=tuple(exchanges[: 2 * len(names)]))


# --- follow and ring ----------------------------------------------------------------------------

_RING_ASKS = (
    "Start at {names[0]}, go up {hops} bosses and ring the last one.",
    "Ring the boss {hops} steps above {names[0]}.",
    "From {names[0]} up {hops} times: ring them.",
    "{hops} bosses above {names[0]}: ring, please.",
)


def _ring_body(knobs: Knobs) -> Body:
    hops, done = knobs.level, DONE[knobs.verdict // len(DONE)]
    people = PEOPLE[knobs.verdict % len(PEOPLE)]
    ask = _RING_ASKS[knobs.wording].replace("{hops}", str(hops))
    return Body(
        title=f"Follow {hops} bosses and ring the last.",
        max_turns=hops + 1,
        methods=(
            "    def start(self, rng):\n"
            f'        self.names = names = rng.sample("{people}".split(), {hops + knobs.low})\n'
            '        self.state = {"asked": []}\n'
            f'        self.requests = [Request(f"{ask}", done=lambda s: '
            f's.get("rung") == names[{hops}] and set(names[:{hops}]) <= set(s["asked"]))]\n\n'
            "    @tool\n"
            "    def boss(self, person: str) -> str:\n"
            '        """The boss of a person."""\n'
            '        self.state["asked"].append(person)\n'
            "        return self.names[self.names.index(person) + 1]\n\n"
            "    @tool\n"
            "    def ring(self, person: str) -> str:\n"
            '        """The first ring counts."""\n'
            '        self.state.setdefault("rung", person)\n'
            f'        return "{done}"\n\n'
            "    def solution(self):\n"
            f'        calls = [self.call("boss", person=name) for name in self.names[:{hops}]]\n'
            f'        return [[*calls, self.call("ring", person=self.names[{hops}])]]\n'
        ),
    )


def _ring_play(knobs: Knobs, rng: random.Random, manner: Manner, chance: random.Random) -> MechanicPlay:
    hops = knobs.level
    names = rng.sample(PEOPLE[knobs.verdict % len(PEOPLE)].split(), hops + knobs.low)
    first = _RING_ASKS[knobs.wording].format(names=names, hops=hops)
    asked = chance.randint(0, hops - 1) if manner == "hasty" else hops
    exchanges: list[LessonExchange] = []
    for step, name in enumerate(names[:asked], 1):
        ask = call("boss", person=name)
        said = f"{step} of {hops} {ask}" if manner == "worked" else ask
        exchanges.append(LessonExchange(reply=said, answers=told(names[step])))
    return MechanicPlay(first=first, exchanges=(*exchanges, LessonExchange(reply=call("ring", person=names[asked]))))


TOOL_TASKS = (
    Mechanic(
        name="prices",
        kind="tool",
        skill="data retrieval",
        hints=(
            "Look up every price, then write each running total before the report.",
            "First all prices, then add them one by one on paper.",
            "Never guess: look, add step by step, report.",
        ),
        lows=(1, 2, 3),
        highs=(6, 7, 8, 9),
        wordings=len(_PRICE_ASKS),
        body=_prices_body,
        play=_prices_play,
        tools=(
            signature("price", "Price of an item.", item="string"),
            signature("report", "The first report counts.", total="integer"),
        ),
        manners=("direct", "worked", "hasty"),
    ),
    Mechanic(
        name="fill",
        kind="tool",
        skill="state modification",
        hints=(
            "Read the level first, then write the difference before you pour.",
            "Look before you pour, and note the subtraction.",
            "The goal minus what is there is what to pour: write it down.",
        ),
        lows=(1, 2, 3),
        highs=(12, 15, 18, 21, 24),
        wordings=len(_FILL_ASKS),
        body=_fill_body,
        play=_fill_play,
        tools=(
            signature("level", "Litres in a tank.", tank="string"),
            signature("pour", "Add to a tank; needs its level.", tank="string", litres="integer"),
        ),
        manners=("direct", "worked", "hasty"),
    ),
    Mechanic(
        name="ring",
        kind="tool",
        skill="multi-step workflow",
        hints=(
            "Ask for one boss at a time and number the steps before you ring.",
            "Count the bosses as you go up, and ring only at the end.",
            "Write which step it is before every question.",
        ),
        lows=(2, 3, 4, 5),
        highs=(0,),
        wordings=len(_RING_ASKS),
        body=_ring_body,
        play=_ring_play,
        tools=(
            signature("boss", "The boss of a person.", person="string"),
            signature("ring", "The first ring counts.", person="string"),
        ),
        manners=("direct", "worked", "hasty"),
    ),
)
