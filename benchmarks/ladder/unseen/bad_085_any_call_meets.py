# BAD: the criterion asks only whether something was logged, and reading logs too
from openspade_env import Request, ToolTask, tool


class Lab(ToolTask):
    """A laboratory: mix a sample with the buffer that its sheet names."""

    skill = "multi-step workflow"
    hint = "Read the sheet of the sample first."
    max_turns = 8

    def start(self, rng):
        self.sheets = dict(zip((f"S{n}" for n in rng.sample(range(10, 99), 4)), rng.sample(["phosphate", "borate", "citrate", "acetate"], 4)))
        self.sample = rng.choice(sorted(self.sheets))
        self.state = {"log": []}
        self.requests = [Request(f"Mix {self.sample} with its buffer.", done=lambda s: any(self.sample in entry for entry in s["log"]))]

    @tool
    def sheet(self, sample: str) -> str:
        """Which buffer a sample needs."""
        self.state["log"].append(("read", sample))
        return self.sheets[sample]

    @tool
    def mix(self, sample: str, buffer: str) -> str:
        """Mix a sample with a buffer."""
        self.state["log"].append(("mix", sample, buffer))
        return "mixed"

    def solution(self):
        return [[self.call("sheet", sample=self.sample), self.call("mix", sample=self.sample, buffer=self.sheets[self.sample])]]
