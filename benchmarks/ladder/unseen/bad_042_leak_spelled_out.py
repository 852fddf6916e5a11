# BAD: the answer stands in the opening letter by letter, with dashes between
from openspade_env import Game, same_answer


class Crossing(Game):
    """Find which rope holds: each clue removes ropes from a list."""

    skill = "logical deduction"
    hint = "Apply the clues in turn and keep a list."
    max_turns = 1

    def start(self, rng):
        ropes = {n: (rng.randint(5, 60), rng.choice("rbg"), rng.randint(1, 9)) for n in "hawser lanyard painter halyard bowline clewline downhaul".split()}
        self.rope = max(ropes, key=lambda n: (ropes[n][0] * ropes[n][2], n))
        listed = ", ".join(f"{n}: {a} m, {c}, {k} strands" for n, (a, c, k) in ropes.items())
        return f"{listed}. (Stamp {'-'.join(self.rope.upper())}.) Which has the greatest length times strands?"

    def act(self, action):
        return self.win() if same_answer(action, self.rope, kind="text") else self.lose()

    def solution(self):
        return [self.rope]
