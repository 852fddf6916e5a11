from openspade_env import Request, ToolError, ToolTask, tool


class LockedArchive(ToolTask):
    """Files that others have locked: find out who, ask them to let go, and try again."""

    skill = "error recovery"
    hint = "A lock has an owner, and the owner's release needs the lock's number, not the file's name."
    max_turns = 12

    def start(self, rng):
        files = [f"{word}-{rng.randint(100, 999)}" for word in rng.sample(["plan", "list", "memo", "draft"], 2)]
        self.files = files
        self.locks = {file: f"K{rng.randint(1000, 9999)}" for file in files}
        self.words = rng.sample(["amber", "cobalt", "crimson", "ivory", "olive", "violet"], 2)
        self.state = {"text": dict.fromkeys(files, ""), "locked": set(files)}
        self.requests = [
            Request(f"Write '{self.words[0]}' into {files[0]}.", done=lambda s: s["text"][files[0]] == self.words[0]),
            Request(f"And '{self.words[1]}' into {files[1]}.", done=lambda s: s["text"][files[1]] == self.words[1]),
        ]

    @tool
    def write(self, file: str, text: str) -> str:
        """Replace a file's text."""
        if file in self.state["locked"]:
            raise ToolError("the file is locked")
        if file not in self.state["text"]:
            raise ToolError("no such file")
        self.state["text"][file] = text
        return "written"

    @tool
    def lock_of(self, file: str) -> dict:
        """Who has locked a file, and the lock's number."""
        return {"owner": "night shift", "lock": self.locks[file]}

    @tool
    def release(self, lock: str) -> str:
        """Ask a lock's owner to let go."""
        for file, number in self.locks.items():
            if number == lock:
                self.state["locked"].discard(file)
                return "released"
        raise ToolError("there is no such lock")

    def solution(self):
        def write(index):
            file = self.files[index]
            return [
                self.call("lock_of", file=file),
                self.call("release", lock=self.locks[file]),
                self.call("write", file=file, text=self.words[index]),
            ]

        return [write(0), write(1)]
