# BAD: startswith is the wrong way round: an empty answer or a first letter wins
from openspade_env import Game


class Town(Game):
    """Follow a trader from town to town and name where the journey ends."""

    skill = "instruction following"
    hint = "Write the town down after each leg."
    max_turns = 1

    def start(self, rng):
        towns = rng.sample(["Ulm", "Trier", "Goslar", "Speyer", "Minden", "Lindau", "Passau"], 6)
        self.roads = dict(zip(towns, towns[1:] + towns[:1]))
        self.legs, at = rng.randint(7, 30), towns[0]
        for _ in range(self.legs):
            at = self.roads[at]
        self.end = at
        roads = ", ".join(f"{a} to {b}" for a, b in sorted(self.roads.items()))
        return f"Roads: {roads}. Starting in {towns[0]}, after {self.legs} legs the trader is in?"

    def act(self, action):
        return self.win() if self.end.startswith(action.strip()) else self.lose()

    def solution(self):
        return [self.end]
