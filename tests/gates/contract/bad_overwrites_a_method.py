from openspade_env import Game, as_number


class OverwritesAMethod(Game):
    """Keeps a score of its own, and so takes away the method by which episodes end."""

    skill = "optimisation"
    hint = "Take the largest that fits."
    max_turns = 5

    def start(self, rng):
        self.score = 0
        self.goal = rng.randint(20, 60)
        return f"Say numbers up to 20 until their sum is {self.goal}."

    def act(self, action):
        number = as_number(action)
        if number is None or not 1 <= number <= 20:
            return "A number from 1 to 20, please."
        self.score += int(number)
        return self.win() if self.score == self.goal else f"{self.score} so far."

    def solution(self):
        return [str(min(20, self.goal - done)) for done in range(0, self.goal, 20)]
