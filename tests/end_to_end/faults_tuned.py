"""Ways to break a good environment, as methods of a subclass: those that the gates were tuned on."""

GAME_FAULTS = {
    "oracle off by one": """
    def solution(self):
        *plan, last = super().solution()
        return [*plan, last + "1"]
""",
    "solution raises": """
    def solution(self):
        return [{}["plan"]]
""",
    "won before it is played": """
    def act(self, action):
        super().act(action)
        return self.win()
""",
    "answer printed": """
    def start(self, rng):
        text = super().start(rng)
        return f"{text[:9]} -- debug plan {' '.join(self.solution())} end debug -- {text}"
""",
    "global random": """
    def act(self, action):
        random.random()
        return super().act(action)
""",
    "reward constant": """
    def act(self, action):
        return self.score(0.5, "Half.")
""",
    "crashes on silence": """
    def act(self, action):
        return super().act(action * (1 // len(action)))
""",
    "wildcard accepted": """
    def act(self, action):
        return self.win() if "*" in action else super().act(action)
""",
    "time dependence": """
    def start(self, rng):
        return super().start(rng) + str(time.time())
""",
    "state in the class": """
    seen = []

    def start(self, rng):
        self.seen.append(1)
        return f"Player {len(self.seen)}. {super().start(rng)}"
""",
}
TOOL_FAULTS = {
    "oracle off by one": """
    def solution(self):
        *plan, last = super().solution()
        return [*plan, last[:-1]]
""",
    "solution raises": """
    def solution(self):
        return [{}["plan"]]
""",
    "criterion met before": """
    def start(self, rng):
        super().start(rng)
        self.requests[-1] = Request(self.requests[-1].text, done=lambda s: True)
""",
    "answer printed": """
    def start(self, rng):
        super().start(rng)
        return f"debug {self.solution()}"
""",
    "global random": """
    def start(self, rng):
        super().start(random)
""",
    "type mismatch in a criterion": """
    def start(self, rng):
        super().start(rng)
        self.requests[0] = Request(self.requests[0].text, done=lambda s: s == "")
""",
    "criterion raises": """
    def start(self, rng):
        super().start(rng)
        self.requests[0] = Request(self.requests[0].text, done=lambda s: s["no such key"])
""",
    "tool always raises": """
    @tool
    def dummy(self, text: str) -> str:
        '''Help.'''
        raise ValueError("broken")
""",
    "declining wins": """
    def start(self, rng):
        super().start(rng)
        self.requests = [Request(r.text, impossible=True) for r in self.requests]

    def solution(self):
        return [[self.decline("no")] for _ in self.requests]
""",
    "time dependence": """
    def start(self, rng):
        super().start(rng)
        return str(time.time())
""",
}
