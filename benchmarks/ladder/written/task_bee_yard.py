from openspade_env import Request, ToolError, ToolTask, tool


class BeeYard(ToolTask):
    """Hives with frames, queens and moods; work on them by rules that the tools tell."""

    skill = "state modification"
    hint = "Calm a hive before you open it, and take only from the one with the most honey."
    max_turns = 14

    def start(self, rng):
        names = rng.sample(["ash", "elm", "fir", "oak", "yew"], 4)
        honey = rng.sample(range(3, 40), 4)
        self.honey = dict(zip(names, honey))
        self.rich = max(names, key=self.honey.get)
        self.poor = min(names, key=self.honey.get)
        self.state = {"calm": [], "taken": {}, "fed": {}}
        self.need = rng.randint(2, 9)
        self.requests = [
            Request(
                "Take two frames from the hive with the most honey.", done=lambda s: s["taken"] == {self.rich: 2}
            ),
            Request(
                f"Feed the weakest one with {self.need} litres of syrup.", done=lambda s: s["fed"] == {self.poor: self.need}
            ),
        ]

    @tool
    def weigh(self, hive: str) -> int:
        """Kilograms of honey in a hive."""
        return self.honey[hive]

    @tool
    def hives(self) -> list:
        """Names of the hives."""
        return sorted(self.honey)

    @tool
    def smoke(self, hive: str) -> str:
        """Calm a hive."""
        self.honey[hive]
        self.state["calm"].append(hive)
        return "calm"

    @tool
    def take(self, hive: str, frames: int) -> str:
        """Take frames from a calm hive."""
        if hive not in self.state["calm"]:
            raise ToolError("they sting: the hive is not calm")
        self.state["taken"][hive] = self.state["taken"].get(hive, 0) + frames
        return "taken"

    @tool
    def feed(self, hive: str, litres: int) -> str:
        """Feed a hive."""
        self.honey[hive]
        self.state["fed"][hive] = litres
        return "fed"

    def solution(self):
        weigh = [self.call("weigh", hive=h) for h in sorted(self.honey)]
        return [
            [
                self.call("hives"),
                *weigh,
                self.call("smoke", hive=self.rich),
                self.call("take", hive=self.rich, frames=2),
            ],
            [self.call("feed", hive=self.poor, litres=self.need)],
        ]
