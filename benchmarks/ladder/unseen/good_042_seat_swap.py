# GOOD: a state that changes before the second request makes the first look-up stale
from openspade_env import Request, ToolError, ToolTask, tool


class Seats(ToolTask):
    """A theatre: guests are moved between seats, and the box office moves some on its own."""

    skill = "error recovery"
    hint = "Look a guest up again each time, for the office may have moved everyone."
    max_turns = 10

    def start(self, rng):
        self.guests = rng.sample(["Ohara", "Petit", "Quinn", "Rossi"], 3)
        seats = rng.sample([f"{row}{n}" for row in "ABCDE" for n in range(1, 15)], 8)
        self.now, self.then = dict(zip(self.guests, seats[:3])), dict(zip(self.guests, seats[3:6]))
        self.to, self.last = seats[6], seats[7]
        one, two = self.guests[:2]
        self.moves = [(self.now[one], self.to), (self.then[two], self.last)]
        self.state = {"seats": dict(self.now), "moves": []}
        self.requests = [
            Request(f"Move {one} to {self.to}.", done=lambda s: s["moves"] == self.moves[:1]),
            Request(f"Now {two} to {self.last}.", change=lambda s: s["seats"].update(self.then), done=lambda s: s["moves"] == self.moves),
        ]

    @tool
    def seat_of(self, guest: str) -> str:
        """Where a guest sits now."""
        return self.state["seats"][guest]

    @tool
    def move(self, old: str, new: str) -> str:
        """Move whoever sits on one seat to another."""
        if old not in self.state["seats"].values():
            raise ToolError("nobody sits there")
        guest = next(g for g, seat in self.state["seats"].items() if seat == old)
        self.state["seats"][guest] = new
        self.state["moves"].append((old, new))
        return "moved"

    def solution(self):
        one, two = self.guests[:2]
        return [
            [self.call("seat_of", guest=one), self.call("move", old=self.moves[0][0], new=self.to)],
            [self.call("seat_of", guest=two), self.call("move", old=self.moves[1][0], new=self.last)],
        ]
