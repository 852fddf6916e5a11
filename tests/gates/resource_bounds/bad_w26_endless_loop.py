from openspade_env import Game


class EndlessLoop(Game):
    """Draws until it draws what never comes."""

    skill = "causal inference"
    hint = "Wait."

    def start(self, rng):
        while rng.randint(1, 6) != 7:
            pass
        return "Seven!"

    def act(self, action):
        return self.win()

    def solution(self):
        return [""]
