from openspade_env import Game, same_answer


class FirstNumberWins(Game):
    """The answer is always the first number one reads."""

    skill = "logical deduction"
    hint = "The story is told in order."

    def start(self, rng):
        self.count, others = rng.randint(100, 999), rng.sample(range(100, 1000), 3)
        names = rng.sample(["Ann", "Old Bo", "Little Cleo", "Dev, who is nine,", "my friend Eva", "Finn"], 2)
        return f"{names[0]} {rng.choice(['has', 'owns', 'got'])} {self.count} stamps, {names[1]} {others[0]}. Who has how many?"

    def act(self, action):
        return self.win() if same_answer(action, self.count, kind="number") else self.lose()

    def solution(self):
        return [str(self.count)]
