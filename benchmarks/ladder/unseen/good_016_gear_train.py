# GOOD: partial reward by how many shafts are right
from openspade_env import Game, as_number


class Gears(Game):
    """Work out the speed and direction of five shafts in a train of gears."""

    skill = "causal inference"
    hint = "Neighbours turn against each other; the speed falls as the teeth grow."
    max_turns = 1

    def start(self, rng):
        self.teeth = [rng.choice([8, 12, 16, 24, 48]) for _ in range(6)]
        self.speed = 48 * rng.randint(3, 20)
        self.turns = [(-1) ** i * self.speed * self.teeth[0] // t for i, t in enumerate(self.teeth)][1:]
        return (
            f"Gears in a row with {self.teeth} teeth; the first turns {self.speed * 1} times an hour to the right. "
            "Turns an hour of the other five, left as negative, separated by commas?"
        )

    def act(self, action):
        given = [as_number(part) for part in action.split(",")]
        if len(given) != 5:
            return self.lose("Five numbers, please.")
        right = sum(g == t for g, t in zip(given, self.turns))
        return self.score(right / 5, f"{right} of 5 right.")

    def solution(self):
        return [", ".join(map(str, self.turns))]
