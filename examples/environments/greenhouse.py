from typing import Literal

from openspade_env import Request, ToolTask, tool


class Greenhouse(ToolTask):
    """A greenhouse whose radio link drops out, and whose weather turns between two wishes."""

    skill = "error recovery"
    hint = "A lost message changed nothing: send it again. Read the air anew before each wish; it may have turned."

    def start(self, rng):
        names = rng.sample(["palms", "ferns", "orchids", "cacti", "citrus"], 3)
        self.state = {
            name: {"heat": rng.randint(12, 35) + i / 10, "vent": "closed", "pump": 0} for i, name in enumerate(names)
        }
        self.hottest = max(self.state, key=lambda name: self.state[name]["heat"])
        self.dry = rng.choice([name for name in names if name != self.hottest])
        self.litres = rng.randint(3, 30)
        self.chilly = rng.choice(names)
        self.chill = rng.randint(1, 9)
        self.requests = [
            Request(
                "Open the vent of the hottest house, and only that one.",
                done=lambda s: [name for name in s if s[name]["vent"] == "open"] == [self.hottest],
            ),
            Request(f"Give the {self.dry} {self.litres} litres.", done=lambda s: s[self.dry]["pump"] == self.litres),
            Request(
                "Frost is coming. Set the heating of the coldest house to 20.",
                change=lambda s: s[self.chilly].update(heat=self.chill),
                done=lambda s: s[self.chilly]["heat"] == 20,
            ),
        ]

    @tool
    def read_air(self) -> dict:
        """The heat in every house, in degrees."""
        self.fail_once("the radio link dropped out; nothing was read")
        return {name: house["heat"] for name, house in self.state.items()}

    @tool
    def set_vent(self, house: str, position: Literal["open", "closed"]) -> str:
        """Open or close a house's vent."""
        self.state[house]["vent"] = position
        return "moved"

    @tool
    def water(self, house: str, litres: int) -> str:
        """Pump water into a house."""
        self.fail_once("the radio link dropped out; nothing was pumped")
        self.state[house]["pump"] += litres
        return "watered"

    @tool
    def set_heating(self, house: str, degrees: int) -> str:
        """Set the heating of a house."""
        self.state[house]["heat"] = degrees
        return "set"

    def solution(self):
        read = self.call("read_air")
        water = self.call("water", house=self.dry, litres=self.litres)
        return [
            [read, read, self.call("set_vent", house=self.hottest, position="open")],
            [water, water],
            [read, self.call("set_heating", house=self.chilly, degrees=20)],
        ]
