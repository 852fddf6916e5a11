# GOOD: arms with chance; the order of all five by mean is asked for at the end
from openspade_env import Game


class Arms(Game):
    """Pull the arms of five machines, then give their order from best to worst."""

    skill = "experimentation"
    hint = "Pull each arm several times; the means are two apart, the noise is smaller."
    max_turns = 30

    def start(self, rng):
        self.rng = rng
        order = rng.sample("ABCDE", 5)
        self.mean = {arm: 10 + 3 * rank for rank, arm in enumerate(order)}
        self.order = order[::-1]
        return "Machines A to E. Say a letter to pull it; at the end say order and five letters, best first, such as order ABCDE."

    def act(self, action):
        words = action.upper().split()
        if len(words) == 1 and words[0] in self.mean:
            return f"It pays {self.mean[words[0]] + self.rng.randint(-2, 2)}."
        if len(words) == 2 and words[0] == "ORDER":
            return self.win("That is the order.") if words[1] == "".join(self.order) else self.lose("Another order.")
        return "Say A to E, or order and five letters."

    def solution(self):
        return ["order " + "".join(self.order)]
