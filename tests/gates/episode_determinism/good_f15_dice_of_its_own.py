from openspade_env import Game


class Dice(Game):
    """Chance during play is fine when it comes from the rng of start: the same moves meet the same dice."""

    skill = "optimisation"
    hint = "Stop as soon as the next die would more likely take you over the goal than below it."
    max_turns = 20

    def start(self, rng):
        self.rolls = [rng.randint(1, 6) for _ in range(20)]
        self.goal, self.total, self.turn = sum(self.rolls[: rng.randint(5, 9)]), 0, 0
        return f"Roll as often as you like, then stop; {self.goal - 2} to {self.goal} wins. Say 'roll' or 'stop'."

    def act(self, action):
        if action.strip() == "stop":
            right = self.goal - 2 <= self.total <= self.goal
            return self.win() if right else self.lose(f"{self.total} is not enough.")
        if action.strip() != "roll":
            return "Say 'roll' or 'stop'."
        self.total += self.rolls[self.turn]
        self.turn += 1
        return self.lose(f"{self.total} is too much.") if self.total > self.goal else f"{self.total} so far."

    def solution(self):
        total, plan = 0, []
        for roll in self.rolls:
            if total >= self.goal - 2:
                break
            total += roll
            plan.append("roll")
        return [*plan, "stop"]
