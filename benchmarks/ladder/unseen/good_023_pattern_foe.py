# GOOD: an opponent with a period, learned while playing; winning by chance is rare
from openspade_env import Game, as_number


class Shells(Game):
    """Foretell under which of three cups a dealer puts the ball; the dealer follows a secret cycle of five."""

    skill = "pattern induction"
    hint = "Write down five rounds; then the same five come again."
    max_turns = 26

    def start(self, rng):
        self.cycle = [rng.randint(1, 3) for _ in range(5)]
        while len(set(self.cycle)) < 3:
            self.cycle = [rng.randint(1, 3) for _ in range(5)]
        self.round, self.row = 0, 0
        return "Cup 1, 2 or 3? Ten right in a row win; twenty-six rounds."

    def act(self, action):
        cup = as_number(action)
        if cup not in (1, 2, 3):
            return "Say 1, 2 or 3."
        ball = self.cycle[self.round % 5]
        self.round += 1
        self.row = self.row + 1 if cup == ball else 0
        return self.win("Ten in a row.") if self.row == 10 else f"It was under {ball}; {self.row} in a row."

    def solution(self):
        return [str(cup) for cup in self.cycle * 2]
