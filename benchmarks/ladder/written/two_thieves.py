from itertools import combinations

from openspade_env import Game, same_answer

PEOPLE = ["Ada", "Bob", "Cem", "Dot", "Eli", "Fay"]


class TwoThieves(Game):
    """Exactly two of six lie always, the others never; each says something about two others."""

    skill = "logical deduction"
    hint = "Try each pair of liars against all statements; most pairs fall at the second or third."
    max_turns = 1

    def start(self, rng):
        while True:
            self.liars = set(rng.sample(PEOPLE, 2))
            said = []
            for one in PEOPLE:
                a, b = rng.sample([p for p in PEOPLE if p != one], 2)
                same = (a in self.liars) == (b in self.liars)
                says_same = same != (one in self.liars)
                said.append((one, a, b, says_same))
            if len(self.fitting(said)) == 1:
                break
        lines = [f"{o}: {a} and {b} are {'alike' if s else 'not alike'}." for o, a, b, s in said]
        return "Two of six always lie, four never. " + " ".join(lines) + " Who are the two liars?"

    def fitting(self, said):
        pairs = []
        for pair in combinations(PEOPLE, 2):
            if all((((a in pair) == (b in pair)) == s) != (o in pair) for o, a, b, s in said):
                pairs.append(pair)
        return pairs

    def act(self, action):
        return self.win() if same_answer(action, self.liars, kind="set") else self.lose()

    def solution(self):
        return [", ".join(sorted(self.liars))]
