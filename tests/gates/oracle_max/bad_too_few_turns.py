from openspade_env import Game


class TooFewTurns(Game):
    """Six steps to go, and turns for five."""

    skill = "optimisation"
    hint = "Always take the door on the right."
    max_turns = 5

    def start(self, rng):
        self.doors = [rng.choice("LR") for _ in range(6)]
        self.passed = 0
        return "Six doors, L or R each; a wrong one closes for good."

    def act(self, action):
        if action.strip().upper() != self.doors[self.passed]:
            return self.lose("Shut.")
        self.passed += 1
        return self.win("Through!") if self.passed == 6 else f"{self.passed} passed."

    def solution(self):
        return list(self.doors)
