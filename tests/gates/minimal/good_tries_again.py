from openspade_env import Request, ToolTask, tool


class TriesAgain(ToolTask):
    """The printer fails once: the second, equal call is no idle one."""

    skill = "error recovery"
    hint = "When the printer is out of breath, ask it once more."

    def start(self, rng):
        self.files = {name: f"F{rng.randint(1000, 9999)}" for name in rng.sample(["menu", "map", "bill", "plan"], 3)}
        self.name = rng.choice(sorted(self.files))
        self.state = {"printed": []}
        self.requests = [Request(f"Print the {self.name}.", done=lambda s: s["printed"] == [self.files[self.name]])]

    @tool
    def find_file(self, name: str) -> str:
        """A file's number."""
        return self.files[name]

    @tool
    def print_file(self, number: str) -> str:
        """Print a file by its number."""
        if number not in self.files.values():
            raise ValueError("there is no such file")
        self.fail_once("the printer is out of breath")
        self.state["printed"].append(number)
        return "printed"

    def solution(self):
        print_it = self.call("print_file", number=self.files[self.name])
        return [[self.call("find_file", name=self.name), print_it, print_it]]
