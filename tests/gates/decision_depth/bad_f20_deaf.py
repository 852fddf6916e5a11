from openspade_env import Game, same_answer


class Deaf(Game):
    """Says the same whatever is tried: the turns are many, the questions one."""

    skill = "logical deduction"
    hint = "Add the digits of the year."
    max_turns = 5

    def start(self, rng):
        self.year = rng.randint(1000, 9999)
        return f"The safe opens with the square of the sum of the digits of {self.year}."

    def act(self, action):
        return self.win() if same_answer(action, self.answer(), kind="number") else "Not yet. Go on."

    def answer(self):
        return sum(map(int, str(self.year))) ** 2

    def solution(self):
        return [str(self.answer())]
