from openspade_env import Game, as_number


class RiverGauge(Game):
    """Open and close a sluice hour by hour so that a basin ends between two marks, whatever rain falls."""

    skill = "control"
    hint = "Rain is announced one hour ahead: choose the outflow that brings the level to the middle of the marks."
    max_turns = 8

    def start(self, rng):
        self.level = rng.randint(40, 60)
        self.rain = [rng.randint(0, 12) for _ in range(6)]
        self.low = rng.randint(25, 55)
        self.hour = 0
        return (
            f"The basin stands at {self.level}. After 6 hours it must stand from {self.low} to {self.low + 3}. "
            f"Each hour you let out 0 to 15. This hour {self.rain[0]} will flow in. How much do you let out?"
        )

    def act(self, action):
        out = as_number(action)
        if out is None or out.denominator > 1 or not 0 <= out <= 15:
            return "Say a whole number from 0 to 15."
        self.level += self.rain[self.hour] - int(out)
        self.hour += 1
        if self.hour < 6:
            return f"It stands at {self.level}. This hour {self.rain[self.hour]} will flow in."
        if self.low <= self.level <= self.low + 3:
            return self.win("Between the marks.")
        return self.lose(f"It ends at {self.level}.")

    def solution(self):
        need = self.level + sum(self.rain) - self.low - 1
        plan = []
        for _ in range(6):
            out = max(0, min(15, need))
            plan.append(str(out))
            need -= out
        return plan
