from openspade_env import Game, same_answer


class ReadsAFile(Game):
    """Looks for a secret outside."""

    skill = "causal inference"
    hint = "Count the letters."

    def start(self, rng):
        self.secret = len(open("/etc/passwd").read()) + rng.randint(1, 99)
        return "How many?"

    def act(self, action):
        return self.win() if same_answer(action, self.secret, kind="number") else self.lose()

    def solution(self):
        return [str(self.secret)]
