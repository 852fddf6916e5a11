# BAD: zip stops at the shorter list, so an empty answer or a right beginning wins
from openspade_env import Game, as_number


class Steps(Game):
    """Write the first ten terms of a sequence that begins with two numbers, each further one the sum of the two before."""

    skill = "mathematical reasoning"
    hint = "Add the last two, then move on."
    max_turns = 1

    def start(self, rng):
        terms = [rng.randint(2, 40), rng.randint(2, 40)]
        while len(terms) < 10:
            terms.append(terms[-1] + terms[-2])
        self.terms = terms
        return f"First two terms: {terms[0]}, {terms[1]}. Write ten terms separated by commas."

    def act(self, action):
        given = [as_number(part) for part in action.split(",")]
        right = all(g == t for g, t in zip(given, self.terms))
        return self.win() if right else self.lose()

    def solution(self):
        return [", ".join(map(str, self.terms))]
