from openspade_env import Game, as_number


class DiceCourier(Game):
    """Two dice fall each turn and one is kept; after the last turn the kept ones must add up exactly."""

    skill = "decision under uncertainty"
    hint = "Divide what is missing by the turns that are left: keep the die on the side you need, and correct late."
    max_turns = 14

    def start(self, rng):
        self.throws = [tuple(rng.sample(range(1, 21), 2)) for _ in range(10)]
        self.goal, self.kept, self.turn = sum(rng.choice(pair) for pair in self.throws), 0, 0
        later = ", ".join(f"{a}/{b}" for a, b in self.throws[1:])
        return f"Ten throws, one die kept of each, {self.goal} in all. {self.say()} To come: {later}."

    def say(self):
        return "Dice: {} and {}. Which one?".format(*self.throws[self.turn])

    def act(self, action):
        number = as_number(action)
        if number not in self.throws[self.turn]:
            return f"Keep one of the dice. {self.say()}"
        self.kept += int(number)
        self.turn += 1
        if self.turn < len(self.throws):
            return f"{self.goal - self.kept} are missing. {self.say()}"
        return self.win("Exactly.") if self.kept == self.goal else self.lose(f"{self.kept} in all.")

    def solution(self):
        ways = {0: []}
        for pair in self.throws:
            ways = {kept + die: [*plan, str(die)] for kept, plan in ways.items() for die in pair}
        return ways[self.goal]
