# BAD: the right option carries a full stop, the others do not, and capital letters give nothing else to do
from openspade_env import Game, same_answer


class Herbs(Game):
    """Choose the herb that the recipe leaves out."""

    skill = "reading"
    hint = "Tick the herbs off one by one."
    max_turns = 1

    def start(self, rng):
        herbs = rng.sample("basil dill thyme sage mint parsley tarragon chives lovage rosemary".split(), 6)
        self.missing = rng.choice(herbs)
        recipe = [h for h in herbs if h != self.missing]
        rng.shuffle(recipe)
        options = [h + ("." if h == self.missing else "") for h in herbs]
        return f"Recipe: {', '.join(recipe)}. Which is not in it? {' / '.join(options)}"

    def act(self, action):
        return self.win() if same_answer(action, self.missing, kind="text") else self.lose()

    def solution(self):
        return [self.missing]
