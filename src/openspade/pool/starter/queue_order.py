from itertools import permutations

from openspade_env import Game, same_answer


class QueueOrder(Game):
    """Five people stand in a queue; a few remarks say who stands before whom."""

    skill = "logical deduction"
    hint = "Who is said to stand behind nobody comes first; strike that one out and look again."
    max_turns = 1

    def start(self, rng):
        self.queue = rng.sample(["Ann", "Bo", "Cleo", "Dev", "Eva", "Finn", "Gus", "Hal"], 5)
        remarks = [(a, b) for i, a in enumerate(self.queue) for b in self.queue[i + 1 :]]
        rng.shuffle(remarks)
        told = []
        for before, behind in remarks:
            told.append((before, behind))
            if self.orders(told) == 1:
                break
        said = [f"{a} is before {b}" if rng.random() < 0.5 else f"{b} is behind {a}" for a, b in told]
        return f"In a queue: {'; '.join(said)}. Name all five from first to last."

    def orders(self, told):
        return sum(all(p.index(a) < p.index(b) for a, b in told) for p in permutations(self.queue))

    def act(self, action):
        return self.win() if same_answer(action, self.queue, kind="list") else self.lose()

    def solution(self):
        return [", ".join(self.queue)]
