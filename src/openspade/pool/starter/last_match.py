from openspade_env import Game, as_number


class LastMatch(Game):
    """Take matches in turn; who takes the last one wins. The opponent makes no mistake."""

    skill = "optimisation"
    hint = "Leave a multiple of one more than the most that may be taken, and answer every move so that it stays one."
    max_turns = 15

    def start(self, rng):
        self.most = rng.randint(3, 6)
        self.matches = (self.most + 1) * rng.randint(4, 7) + rng.randint(1, self.most)
        return f"{self.matches} matches. We take 1 to {self.most} in turn; who takes the last one wins. You begin."

    def act(self, action):
        taken = as_number(action)
        if taken is None or taken.denominator > 1 or not 1 <= taken <= min(self.most, self.matches):
            return f"Take 1 to {min(self.most, self.matches)}."
        self.matches -= int(taken)
        if self.matches == 0:
            return self.win("The last one is yours.")
        answer = self.reply(self.matches)
        self.matches -= answer
        return self.lose("I take the last one.") if self.matches == 0 else f"I take {answer}; {self.matches} are left."

    def reply(self, matches):
        return matches % (self.most + 1) or 1 + matches // (self.most + 1) % self.most

    def solution(self):
        plan, matches = [], self.matches
        while matches > 0:
            plan.append(str(matches % (self.most + 1)))
            matches -= matches % (self.most + 1)
            matches -= self.reply(matches) if matches else 0
        return plan
