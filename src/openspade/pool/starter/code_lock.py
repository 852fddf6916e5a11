from openspade_env import Game


class CodeLock(Game):
    """A lock of three different digits that says how many are right, and how many of them stand right."""

    skill = "logical deduction"
    hint = "Try digits you have not used yet until three are known to be right; only then think about their places."
    max_turns = 9

    def start(self, rng):
        self.code = "".join(rng.sample("0123456789", 3))
        return "A lock with three different digits. Try a code, such as 012; you have nine tries."

    def act(self, action):
        guess = action.strip()
        if len(guess) != 3 or not set(guess) <= set("0123456789") or len(set(guess)) < 3:
            return "Three different digits, please."
        if guess == self.code:
            return self.win("Click. The lock is open.")
        placed = sum(guess[i] == self.code[i] for i in range(3))
        return f"{sum(digit in self.code for digit in guess)} right, {placed} of them in place."

    def solution(self):
        return [self.code]
