# BAD: the foe moves to whatever square a set of texts gives first
from openspade_env import Game


class Chase(Game):
    """Reach the gate before the watchman blocks it."""

    skill = "planning"
    hint = "Take the side street at once."
    max_turns = 12

    def start(self, rng):
        self.names = rng.sample(["mill", "well", "barn", "gate", "shed", "yard", "kiln"], 7)
        self.goal, self.tag = self.names[-1], rng.randint(10, 99)
        return f"Town {self.tag}: {', '.join(self.names)}. Say any place; the watchman then blocks one. Free and last in the list wins."

    def act(self, action):
        place = action.strip().lower()
        if place == self.goal:
            return self.win("Through.")
        free = set(self.names) - {self.goal, place}
        return f"The watchman stands at {free.pop()}."

    def solution(self):
        return [self.goal]
