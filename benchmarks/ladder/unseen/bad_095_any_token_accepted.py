# BAD: the second step takes any token, so the first step is not needed
from openspade_env import Request, ToolError, ToolTask, tool


class Courthouse(ToolTask):
    """A courthouse: a file is released against a token that the registry issues for it."""

    skill = "multi-step workflow"
    hint = "Get the token of the file first."
    max_turns = 8

    def start(self, rng):
        self.tokens = {f"F{n}": f"tk{rng.randint(10000, 99999)}" for n in rng.sample(range(100, 999), 3)}
        self.file = rng.choice(sorted(self.tokens))
        self.state = {"released": []}
        self.requests = [Request(f"Release file {self.file}.", done=lambda s: s["released"] == [self.file])]

    @tool
    def issue_token(self, file: str) -> str:
        """A token for a file."""
        return self.tokens[file]

    @tool
    def release(self, file: str, token: str) -> str:
        """Release a file.

        token: from issue_token
        """
        if not token:
            raise ToolError("a token is needed")
        self.state["released"].append(file)
        return "released"

    def solution(self):
        return [[self.call("issue_token", file=self.file), self.call("release", file=self.file, token=self.tokens[self.file])]]
