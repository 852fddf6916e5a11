from openspade_env import Game, same_answer


class BellRingers(Game):
    """Bells change places by a fixed rule each round; where does every bell hang after some rounds?"""

    skill = "state tracking"
    hint = "Write the row down after every round instead of jumping to the end."
    max_turns = 1

    def start(self, rng):
        self.row = rng.sample("ABCDEFG", rng.randint(5, 7))
        self.swaps = [tuple(sorted(rng.sample(range(len(self.row)), 2))) for _ in range(3)]
        self.rounds = rng.randint(2, 4)
        rule = ", then ".join(f"places {a + 1} and {b + 1}" for a, b in self.swaps)
        return f"Bells hang as {' '.join(self.row)}. A round exchanges {rule}. Name the row after {self.rounds} rounds."

    def end(self):
        row = list(self.row)
        for _ in range(self.rounds):
            for a, b in self.swaps:
                row[a], row[b] = row[b], row[a]
        return row

    def act(self, action):
        return self.win() if same_answer(action, self.end(), kind="list") else self.lose()

    def solution(self):
        return [" ".join(self.end())]
