"""Ways to break a good environment, as methods of a subclass: run for the first time when the gates stood."""

GAME_FAULTS = {
    "solution stops early": """
    def solution(self):
        return super().solution()[:-1]
""",
    "three turns of anything win": """
    def start(self, rng):
        self.turns_taken = 0
        return super().start(rng)

    def act(self, action):
        self.turns_taken += 1
        return self.win() if self.turns_taken == 3 else super().act(action)
""",
    "a wrong move tells the answer": """
    def start(self, rng):
        text = super().start(rng)
        self.told = self.solution()
        return text

    def act(self, action):
        if action not in self.told:
            return f"That is no good; a better player would say {self.told[-1]} by now."
        return super().act(action)
""",
    "order of a set shown": """
    def start(self, rng):
        return f"{super().start(rng)} Watched by {' and '.join({'Ann', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn'})}."
""",
    "losing pays": """
    def lose(self, text="Not solved."):
        return self.score(0.6, text)

    def act(self, action):
        text = super().act(action)
        return text if self._earned is not None else self.score(0.6, text)
""",
    "the answer anywhere in the text": """
    def start(self, rng):
        text = super().start(rng)
        self.told = self.solution()
        return text

    def act(self, action):
        return self.win() if self.told[-1] in action else super().act(action)
""",
    "hint with a password": """
    hint = "Say 'open sesame 4711', and it is done."

    def act(self, action):
        return self.win() if action == "open sesame 4711" else super().act(action)
""",
    "the action is a pattern": """
    def start(self, rng):
        text = super().start(rng)
        self.told = self.solution()
        return text

    def act(self, action):
        try:
            found = re.fullmatch(action, self.told[-1])
        except (re.error, OverflowError, RecursionError):
            found = None
        return self.win() if found else super().act(action)
""",
    "an address shown": """
    def start(self, rng):
        return f"{super().start(rng)} ({object()!r})"
""",
    "worn out by others": """
    def act(self, action):
        WEAR.append(action)
        return self.lose("Worn out.") if len(WEAR) > 40 else super().act(action)
""",
}
TOOL_FAULTS = {
    "solution in the wrong order": """
    def solution(self):
        return super().solution()[::-1]
""",
    "criterion met before, in the middle": """
    def start(self, rng):
        text = super().start(rng)
        self.requests[1] = Request(self.requests[1].text, done=lambda s: True)
        return text
""",
    "the request tells the plan": """
    def start(self, rng):
        text = super().start(rng)
        calls = [one for part in self.solution() for one in part if isinstance(one, dict)]
        told = "; ".join(f"{one['name']} with {' and '.join(map(str, one['arguments'].values()))}" for one in calls)
        return f"{text or ''} (Plan: {told}.)"
""",
    "order of a set shown": """
    def start(self, rng):
        text = super().start(rng) or ""
        return f"{text} Watched by {' and '.join({'Ann', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn'})}."
""",
    "the second look at a criterion meets it": """
    def start(self, rng):
        text = super().start(rng)
        looks = []
        self.requests[0] = Request(self.requests[0].text, done=lambda s: len(looks) > 1 or looks.append(s))
        return text
""",
    "a tool returns a set": """
    @tool
    def everybody(self) -> list:
        '''Names of all who work here.'''
        return {"Ann", "Ben"}
""",
    "hint with a PIN": """
    hint = "Unlock the desk with PIN 4711 first."

    def start(self, rng):
        text = super().start(rng)
        self.unlocked = []
        self.requests = [Request("Unlock the desk.", done=lambda s: bool(self.unlocked)), *self.requests]
        return text

    @tool
    def unlock(self, pin: str) -> str:
        '''Unlock the desk.'''
        if pin != "4711":
            raise ToolError("wrong PIN")
        self.unlocked.append(pin)
        return "open"

    def solution(self):
        return [[self.call("unlock", pin="4711")], *super().solution()]
""",
    "any change is right": """
    def start(self, rng):
        text = super().start(rng)
        before = repr(self.state)
        request = self.requests[0]
        self.requests[0] = Request(request.text, answers=request.answers, done=lambda s: repr(s) != before)
        return text
""",
    "an address shown": """
    def start(self, rng):
        return f"{super().start(rng) or ''} ({object()!r})"
""",
    "a call that does nothing": """
    @tool
    def greet(self, name: str) -> str:
        '''Greet somebody.'''
        return "Hello."

    def solution(self):
        first, *rest = super().solution()
        return [[self.call("greet", name="all"), *first], *rest]
""",
}
