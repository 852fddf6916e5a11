from openspade_env import Game


class HalveOrDouble(Game):
    """The hint may name commands that every player is told."""

    skill = "optimisation"
    hint = "Walk back from the goal: while it is even, the last command was 'double', else it was 'increase'."
    max_turns = 16

    def start(self, rng):
        self.value, self.goal = 1, rng.randint(150, 900)
        self.left = len(self.solution())
        return f"You have 1, you want {self.goal} in {self.left} commands. Commands: double, increase."

    def act(self, action):
        command = action.strip().lower()
        if command not in ("double", "increase"):
            return "Commands: double, increase."
        self.value = self.value * 2 if command == "double" else self.value + 1
        self.left -= 1
        if self.value == self.goal:
            return self.win()
        return f"{self.value}. {self.left} commands left." if self.left else self.lose()

    def solution(self):
        commands, value = [], self.goal
        while value > 1:
            commands.append("increase" if value % 2 else "double")
            value = value - 1 if value % 2 else value // 2
        return commands[::-1]
