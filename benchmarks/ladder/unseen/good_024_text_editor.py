# GOOD: editing a text by commands; many ways lead to the goal
from openspade_env import Game


class Editor(Game):
    """Turn one word into another with an editor that knows left, right, delete and type."""

    skill = "planning"
    hint = "Find the longest common part and leave it alone."
    max_turns = 40

    def start(self, rng):
        letters = "abcdefgh"
        self.text = "".join(rng.choice(letters) for _ in range(8))
        goal = list(self.text)
        for _ in range(3):
            goal[rng.randrange(len(goal))] = rng.choice("stuvwxyz")
        goal.insert(rng.randrange(len(goal)), rng.choice("stuvwxyz"))
        self.goal, self.at = "".join(goal), 0
        return f"{self._shown()}  goal: {self.goal}. Say left, right, delete (the letter after the bar) or type x."

    def _shown(self):
        return f"{self.text[: self.at]}|{self.text[self.at :]}"

    def act(self, action):
        words = action.strip().lower().split()
        if words == ["left"]:
            self.at = max(0, self.at - 1)
        elif words == ["right"]:
            self.at = min(len(self.text), self.at + 1)
        elif words == ["delete"]:
            self.text = self.text[: self.at] + self.text[self.at + 1 :]
        elif len(words) == 2 and words[0] == "type" and len(words[1]) == 1 and len(self.text) < 30:
            self.text = self.text[: self.at] + words[1] + self.text[self.at :]
            self.at += 1
        else:
            return f"Say left, right, delete or type x. {self._shown()}"
        return self.win("Done.") if self.text == self.goal else self._shown()

    def solution(self):
        moves = []
        for index, letter in enumerate(self.goal):
            if index < len(self.text) and self.text[index] == letter and self.text[index:] == self.goal[index:][: len(self.text) - index]:
                self.at += 1
                moves.append("right")
                continue
            if len(self.text) >= len(self.goal) or (index < len(self.text) and self.text[index] != letter and len(self.text) == len(self.goal)):
                if self.text[index] == letter:
                    moves.append("right")
                else:
                    moves += ["delete", f"type {letter}"]
                    self.text = self.text[:index] + letter + self.text[index + 1 :]
                continue
            if index < len(self.text) and self.text[index] == letter:
                moves.append("right")
                continue
            moves.append(f"type {letter}")
            self.text = self.text[:index] + letter + self.text[index:]
        return moves
