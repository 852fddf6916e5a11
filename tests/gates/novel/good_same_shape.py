from openspade_env import Game


class Thermostat(Game):
    """A room that answers late: bring it to a temperature although each turn of the knob shows only a turn later."""

    skill = "causal inference"
    hint = "Change the knob once, wait a turn to see what it did, and only then change it again."
    max_turns = 14

    def start(self, rng):
        self.wanted, self.room, self.waiting = rng.randint(15, 29), rng.randint(5, 12), 0
        return f"It is {self.room} degrees here, {self.wanted} are wanted. Say by how many degrees you turn the knob."

    def act(self, action):
        try:
            turn = int(action)
        except ValueError:
            return "A whole number of degrees, please."
        self.room, self.waiting = self.room + self.waiting, max(-9, min(9, turn))
        if self.room == self.wanted and self.waiting == 0:
            return self.win("Warm, and it stays so.")
        return f"It is {self.room} degrees here."

    def solution(self):
        plan, missing = [], self.wanted - self.room
        while missing:
            plan.append(str(min(9, missing)))
            missing -= min(9, missing)
        return [*plan, "0", "0"][: len(plan) + 1] if plan else ["0"]
