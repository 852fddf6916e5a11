from openspade_env import Game, same_answer


class SortedSet(Game):
    """Sets are fine where their order is not used: what is shown is sorted first."""

    skill = "pattern recognition"
    hint = "Read both lines side by side, in the order of the alphabet."
    max_turns = 1

    def start(self, rng):
        words = ["apple", "berry", "cherry", "date", "elder", "fig", "grape", "hazel", "iris", "juniper"]
        first, second = set(rng.sample(words, 6)), set(rng.sample(words, 6))
        self.both = sorted(first & second)
        return f"One basket: {', '.join(sorted(first))}. Another: {', '.join(sorted(second))}. What is in both?"

    def act(self, action):
        return self.win() if same_answer(action, self.both, kind="set") else self.lose()

    def solution(self):
        return [", ".join(self.both)]
