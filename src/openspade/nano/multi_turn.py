"""Mechanics of several turns: a hidden number, and a waiting line that must be kept in mind."""

from __future__ import annotations

import random

from openspade.nano.mechanic import NO, YES, Body, Knobs, LessonExchange, Manner, Mechanic, MechanicPlay, joined
from openspade.tokens import Message

# --- a hidden number ----------------------------------------------------------------------------

GUESSES = 6
_HIDDEN_ASKS = (
    "Find my number from {low} to {high}.",
    "I think of a number, {low} to {high}.",
    "Which number of {low} to {high} is it?",
    "My secret lies in {low} to {high}.",
)


def _width(knobs: Knobs) -> int:
    return 40 + 10 * knobs.level + knobs.high


def _hidden_body(knobs: Knobs) -> Body:
    asks = _HIDDEN_ASKS[knobs.wording].format(low="{low}", high=f"{{low + {_width(knobs)}}}")
    return Body(
        title=f"Find a number among {_width(knobs) + 1} in {GUESSES} guesses.",
        max_turns=GUESSES,
        methods=(
            "    def start(self, rng):\n"
            f"        low = rng.randint({knobs.low}, {knobs.low + 20})\n"
            f"        self.secret = low + rng.randint(0, {_width(knobs)})\n"
            f'        return f"{asks}"\n\n'
            "    def act(self, action):\n"
            "        guess = as_number(action)\n"
            "        if guess is None:\n"
            '            return "Say a number."\n'
            "        if guess < self.secret:\n"
            '            return "Higher."\n'
            "        if guess > self.secret:\n"
            '            return "Lower."\n'
            f'        return self.win("{YES[knobs.verdict % len(YES)]}")\n\n'
            "    def solution(self):\n        return [str(self.secret)]\n"
        ),
    )


def _hidden_play(knobs: Knobs, rng: random.Random, manner: Manner, chance: random.Random) -> MechanicPlay:
    low = rng.randint(knobs.low, knobs.low + 20)
    secret = low + rng.randint(0, _width(knobs))
    high = low + _width(knobs)
    first = _HIDDEN_ASKS[knobs.wording].format(low=low, high=high)
    exchanges: list[LessonExchange] = []
    while len(exchanges) < GUESSES:
        guess = (low + high) // 2 if manner == "worked" else chance.randint(low, high)
        said = f"{low} to {high} \\boxed{{{guess}}}" if manner == "worked" else f"\\boxed{{{guess}}}"
        if guess == secret:
            return MechanicPlay(first=first, exchanges=(*exchanges, LessonExchange(reply=said)))
        told = "Higher." if guess < secret else "Lower."
        exchanges.append(LessonExchange(reply=said, answers=(Message(role="user", content=told),)))
        low, high = (guess + 1, high) if guess < secret else (low, guess - 1)
    return MechanicPlay(first=first, exchanges=tuple(exchanges))


# --- a waiting line -----------------------------------------------------------------------------

_LINE_ASKS = ("Who is first?", "Who comes next?", "First now?", "Whose turn is it?")


def _line_body(knobs: Knobs) -> Body:
    turns, waiting, ask = knobs.level + 1, knobs.low, _LINE_ASKS[knobs.wording]
    yes, no = YES[knobs.verdict % len(YES)], NO[knobs.verdict // len(YES)]
    return Body(
        title=f"Keep a line of {waiting} in mind for {turns} turns.",
        max_turns=turns,
        methods=(
            "    def start(self, rng):\n"
            f'        self.line = rng.choices("{knobs.letters}", k={2 * turns + waiting})\n'
            f"        self.leave = [rng.randint(1, 2) for _ in range({turns})]\n"
            "        self.turn = 0\n"
            f'        return self.news() + " Line before: " + "".join(self.line[:{waiting}])\n\n'
            "    def news(self):\n"
            "        gone = sum(self.leave[:self.turn])\n"
            "        count = self.leave[self.turn]\n"
            f'        new = "".join(self.line[gone + {waiting}:gone + {waiting} + count])\n'
            f'        return f"{{count}} leave, {{new}} come. {ask}"\n\n'
            "    def act(self, action):\n"
            "        self.turn += 1\n"
            "        if action.strip().upper() != self.solution()[self.turn - 1]:\n"
            f'            return self.lose("{no}")\n'
            f"        if self.turn == {turns}:\n"
            f'            return self.win("{yes}")\n'
            "        return self.news()\n\n"
            "    def solution(self):\n"
            f"        return [self.line[sum(self.leave[:i + 1])] for i in range({turns})]\n"
        ),
    )


def _line_play(knobs: Knobs, rng: random.Random, manner: Manner, chance: random.Random) -> MechanicPlay:
    turns, waiting, ask = knobs.level + 1, knobs.low, _LINE_ASKS[knobs.wording]
    line = rng.choices(knobs.letters, k=2 * turns + waiting)
    leave = [rng.randint(1, 2) for _ in range(turns)]
    news: list[str] = []
    replies: list[str] = []
    gone = 0
    for count in leave:
        news.append(f"{count} leave, {joined(line[gone + waiting : gone + waiting + count])} come. {ask}")
        gone += count
        shown = f"\\boxed{{{line[gone]}}}"
        replies.append(f"{joined(line[gone : gone + waiting])} {shown}" if manner == "worked" else shown)
    told = [(Message(role="user", content=text),) for text in news[1:]] + [()]
    exchanges = tuple(LessonExchange(reply=reply, answers=next_) for reply, next_ in zip(replies, told, strict=True))
    return MechanicPlay(first=f"{news[0]} Line before: {joined(line[:waiting])}", exchanges=exchanges)


TURN_GAMES = (
    Mechanic(
        name="hidden",
        kind="game",
        skill="logical deduction",
        hints=(
            "Write what range is left and guess its middle.",
            "Halve the range with every guess.",
            "Note both ends that are still possible, then say the number between.",
        ),
        lows=(1, 2, 3, 4, 5, 6, 7, 8, 9),
        highs=(0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
        wordings=len(_HIDDEN_ASKS),
        body=_hidden_body,
        play=_hidden_play,
    ),
    Mechanic(
        name="line",
        kind="game",
        skill="causal inference",
        hints=(
            "Write the whole line every time before you answer.",
            "Note who waits after each change.",
            "Repeat the line without those who left.",
        ),
        lows=(3, 4),
        highs=(0, 1, 2, 3),
        wordings=len(_LINE_ASKS),
        body=_line_body,
        play=_line_play,
    ),
)
