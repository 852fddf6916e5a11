from openspade_env import Game


class GrowingLog(Game):
    """Shows everything that ever happened, every turn."""

    skill = "logical deduction"
    hint = "Halve what is left."

    def start(self, rng):
        self.secret, self.log = rng.randint(1, 500), ["I think of a number from 1 to 500."]
        return self.log[0]

    def act(self, action):
        guess = int(action) if action.isdecimal() and len(action) < 5 else 0
        if guess == self.secret:
            return self.win()
        self.log.append(f"You said {action[:90]!r}, and that was, to say it plainly, too {'low' if guess < self.secret else 'high'}. " * 2)
        return "\n".join(self.log)

    def solution(self):
        return [str(self.secret)]
