# BAD: stopping at once pays what is left of the budget although nothing was done
from openspade_env import Game, as_number


class Well(Game):
    """Find the water under one of forty fields with as few drillings as possible."""

    skill = "optimisation"
    hint = "Damp and dry tell on which side the water lies."
    max_turns = 20

    def start(self, rng):
        self.field, self.budget = rng.randint(1, 40), 20
        return "Fields 1 to 40, budget 20, each drilling costs 1: say a field, or stop."

    def act(self, action):
        if action.strip().lower() == "stop":
            return self.score(self.budget / 20 * 0.95, "You keep your budget.")
        self.budget -= 1
        field = as_number(action)
        if field is None:
            return "Say a field or stop."
        if field == self.field:
            return self.win("Water.")
        return "Damp to the east." if field < self.field else "Damp to the west."

    def solution(self):
        return [str(self.field)]
