# GOOD: a decimal argument, right to a hundredth
from openspade_env import Request, ToolError, ToolTask, tool


class Clinic(ToolTask):
    """An animal clinic: give the dose that follows from an animal's weight."""

    skill = "mathematical reasoning"
    hint = "Weight times milligrams a kilo, divided by the strength of the bottle."
    max_turns = 8

    def start(self, rng):
        self.animal = rng.choice(["Rex", "Mimi", "Bruno", "Luna"]) + str(rng.randint(10, 99))
        self.kilos, self.perkilo, self.strength = rng.randint(30, 400) / 10, rng.randint(2, 9), rng.choice([4, 5, 8, 10])
        self.ml = round(self.kilos * self.perkilo / self.strength, 4)
        self.state = {"given": []}
        self.requests = [Request(f"Give {self.animal} its dose, in millilitres, right to a hundredth.", done=lambda s: len(s["given"]) == 1 and s["given"][0][0] == self.animal and abs(s["given"][0][1] - self.ml) <= 0.01)]

    @tool
    def weigh(self, animal: str) -> float:
        """Weight in kilos."""
        if animal != self.animal:
            raise ToolError("no such animal here")
        return self.kilos

    @tool
    def bottle(self) -> dict:
        """What the bottle's label says."""
        return {"milligrams a kilo": self.perkilo, "milligrams a millilitre": self.strength}

    @tool
    def give(self, animal: str, millilitres: float) -> str:
        """Give a dose; it cannot be taken back."""
        self.state["given"].append((animal, millilitres))
        return "given"

    def solution(self):
        return [[self.call("weigh", animal=self.animal), self.call("bottle"), self.call("give", animal=self.animal, millilitres=self.ml)]]
