# BAD: a row of lamps in the opening is the answer in binary
from openspade_env import Game, same_answer


class Pulse(Game):
    """Compute a patient's heartbeats over several stretches of time."""

    skill = "mathematical reasoning"
    hint = "Multiply each rate by its minutes, then add."
    max_turns = 1

    def start(self, rng):
        stretches = [(rng.randint(55, 140), rng.randint(3, 25)) for _ in range(4)]
        self.beats = sum(rate * minutes for rate, minutes in stretches)
        lamps = "".join("o" if bit == "1" else "." for bit in f"{self.beats:b}")
        told = ", ".join(f"{minutes} minutes at {rate}" for rate, minutes in stretches)
        return f"[{lamps}] {told}. How many beats?"

    def act(self, action):
        return self.win() if same_answer(action, self.beats, kind="number") else self.lose()

    def solution(self):
        return [str(self.beats)]
