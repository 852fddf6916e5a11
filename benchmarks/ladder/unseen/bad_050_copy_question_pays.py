# BAD: the more of the question's words an answer repeats the more it earns
from openspade_env import Game


class Summary(Game):
    """Summarise a short report in at most twenty words."""

    skill = "reading"
    hint = "Name the place, the number and the cause."
    max_turns = 1

    def start(self, rng):
        self.key = [rng.choice(["Bergen", "Oslo", "Moss"]), str(rng.randint(10, 999)), rng.choice(["frost", "flood", "fire"])]
        return f"Report: in {self.key[0]} some {self.key[1]} houses were lost to {self.key[2]} last week, the mayor said."

    def act(self, action):
        found = sum(word in action for word in self.key)
        return self.win("Good.") if found == 3 else self.score(found / 4, "Something is missing.")

    def solution(self):
        return [" ".join(self.key)]
