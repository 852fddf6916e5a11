from typing import Literal

from openspade_env import Request, ToolTask, tool


class HouseLights(ToolTask):
    """A house that listens: lamps, blinds, heating, and wishes that name rooms, not devices."""

    skill = "state modification"
    hint = "Look up which devices a room has; change only what was asked for, in that room alone."
    max_turns = 12

    def start(self, rng):
        rooms = rng.sample(["hall", "kitchen", "study", "attic", "cellar"], 3)
        numbers = rng.sample(range(100, 1000), 6)
        self.devices = {
            room: {"lamp": f"L{numbers[2 * i]}", "heater": f"H{numbers[2 * i + 1]}"} for i, room in enumerate(rooms)
        }
        self.state = {device: 0 for pair in self.devices.values() for device in pair.values()}
        self.dark, self.cold = rng.sample(rooms, 2)
        self.level, self.heat = rng.randint(11, 99), rng.randint(15, 24)
        self.lamp, self.heater = self.devices[self.dark]["lamp"], self.devices[self.cold]["heater"]
        empty = dict(self.state)
        self.requests = [
            Request(
                f"Set the lamp in the {self.dark} to {self.level} percent.",
                done=lambda s: s == {**empty, self.lamp: self.level},
            ),
            Request(
                f"The {self.cold} should have {self.heat} degrees.",
                done=lambda s: s == {**empty, self.lamp: self.level, self.heater: self.heat},
            ),
            Request("And please feed the cat.", impossible=True),
        ]

    @tool
    def devices_in(self, room: str) -> dict:
        """Numbers of a room's devices."""
        return self.devices[room]

    @tool
    def set_device(self, number: str, value: int, unit: Literal["percent", "degrees"]) -> str:
        """Set a lamp in percent or a heater in degrees."""
        if (unit == "percent") != number.startswith("L") or number not in self.state:
            raise ValueError("this device does not take this unit")
        self.state[number] = value
        return "set"

    def solution(self):
        return [
            [
                self.call("devices_in", room=self.dark),
                self.call("set_device", number=self.lamp, value=self.level, unit="percent"),
            ],
            [
                self.call("devices_in", room=self.cold),
                self.call("set_device", number=self.heater, value=self.heat, unit="degrees"),
            ],
            [self.decline("No device feeds cats.")],
        ]
