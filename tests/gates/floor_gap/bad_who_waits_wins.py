from openspade_env import Game, same_answer


class WhoWaitsWins(Game):
    """Survive eight turns, and silence survives."""

    skill = "optimisation"
    hint = "Do not move before you must."
    max_turns = 10

    def start(self, rng):
        self.exit, self.turns = rng.randint(100, 999), 0
        return f"A maze. The sum of the digits of {self.exit} times 11 opens the door; the guard comes in 8 turns."

    def act(self, action):
        self.turns += 1
        if same_answer(action, sum(map(int, str(self.exit * 11))), kind="number") or self.turns == 8:
            return self.win()
        return f"{8 - self.turns} turns left."

    def solution(self):
        return [str(sum(map(int, str(self.exit * 11))))]
