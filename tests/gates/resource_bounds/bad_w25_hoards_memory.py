from openspade_env import Game


class HoardsMemory(Game):
    """Builds a list that no child may hold."""

    skill = "causal inference"
    hint = "Wait."

    def start(self, rng):
        self.hoard = ["x" * 10**6 for _ in range(10**5)]
        return "Full."

    def act(self, action):
        return self.win()

    def solution(self):
        return [""]
