from openspade_env import Request, ToolTask, tool

PLACES = ["Oslo", "Rome", "Lima", "Cairo", "Quebec", "Perth", "Kyoto", "Tunis"]


class WeatherForATrip(ToolTask):
    """One service knows places, another the weather, a third keeps a diary: each wants what the one before gives."""

    skill = "API orchestration"
    hint = "The weather service knows no names, only the station numbers that the atlas gives."
    max_turns = 12

    def start(self, rng):
        self.places = rng.sample(PLACES, 3)
        stations = rng.sample(range(1000, 10000), len(PLACES))
        self.state = {"diary": {}}
        self.stations = {place: f"S{stations[i]}" for i, place in enumerate(PLACES)}
        self.heat = {station: rng.randint(-20, 40) for station in self.stations.values()}
        first, second, third = self.places
        warmer = max(second, third, key=lambda place: (self.heat_at(place), place))
        self.notes = [(first, self.heat_at(first)), (warmer, self.heat_at(warmer))]
        self.requests = [
            Request(
                f"Note the temperature of {first} under its name.", done=lambda s: s["diary"] == dict(self.notes[:1])
            ),
            Request(
                f"Do the same for the warmer of {second} and {third}.", done=lambda s: s["diary"] == dict(self.notes)
            ),
        ]

    def heat_at(self, place):
        return self.heat[self.stations[place]]

    @tool
    def atlas(self, place: str) -> str:
        """The weather station of a place."""
        return self.stations[place]

    @tool
    def weather(self, station: str) -> dict:
        """What a station measures now."""
        return {"celsius": self.heat[station]}

    @tool
    def note(self, title: str, celsius: int) -> str:
        """Write a temperature into the diary."""
        self.state["diary"][title] = celsius
        return "noted"

    def solution(self):
        def ask(place):
            return [self.call("atlas", place=place), self.call("weather", station=self.stations[place])]

        first, second, third = self.places
        (_, heat), (warmer, more) = self.notes
        return [
            [*ask(first), self.call("note", title=first, celsius=heat)],
            [*ask(second), *ask(third), self.call("note", title=warmer, celsius=more)],
        ]
