from openspade_env import Game, same_answer


class CountsItsGames(Game):
    """Every new game is harder than the last: the seed alone does not say what comes."""

    skill = "mathematical reasoning"
    hint = "Count in tens."
    games = 0

    def start(self, rng):
        CountsItsGames.games += 1
        self.number = rng.randint(100, 999) + self.games
        return f"Twice {self.number}?"

    def act(self, action):
        return self.win() if same_answer(action, 2 * self.number, kind="number") else self.lose()

    def solution(self):
        return [str(2 * self.number)]
