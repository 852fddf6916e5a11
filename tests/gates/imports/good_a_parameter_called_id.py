import random
from collections import Counter

from openspade_env import Game, same_answer


class Votes(Game):
    """Count votes by candidate id; a parameter may well be called id, and random.Random may be named in a hint."""

    skill = "pattern recognition"
    hint = "Strike out one vote of each candidate at a time; who is left over wins."

    def start(self, rng: random.Random):
        self.votes = [rng.choice("PQRSTUVW") for _ in range(rng.randint(80, 160))]
        self.asked = rng.choice("PQRSTUVW")
        return f"Votes: {''.join(self.votes)}. How many are for {self.asked}?"

    def votes_for(self, id):
        return Counter(self.votes)[id]

    def act(self, action):
        return self.win() if same_answer(action, self.votes_for(self.asked), kind="number") else self.lose()

    def solution(self):
        return [str(self.votes_for(self.asked))]
