from openspade_env import Request, ToolError, ToolTask, tool


class HarbourMaster(ToolTask):
    """Ships, berths and draughts: give every ship a berth deep enough, and move one that lies wrong."""

    skill = "constraint satisfaction"
    hint = "A berth must be deeper than the ship's draught; the deepest berth should stay free for the deepest ship."
    max_turns = 18

    def start(self, rng):
        ships = rng.sample(["Alk", "Bora", "Cetus", "Dogger", "Eider"], 3)
        draughts = sorted(rng.sample(range(3, 18), 3))
        depths = [d + 1 for d in draughts]
        berths = rng.sample(["N1", "N2", "S1", "S2", "W1"], 3)
        self.draught = dict(zip(ships, draughts))
        self.depth = dict(zip(berths, depths))
        self.fit = dict(zip(ships, berths))
        self.ships = sorted(ships)
        self.state = {"at": {}, "lights": []}
        self.requests = [
            Request(f"Berth {', '.join(self.ships)}, each where it has water enough.", done=lambda s: s["at"] == self.fit),
            Request(
                f"Light the berth of {self.ships[0]}.", done=lambda s: s["lights"] == [self.fit[self.ships[0]]]
            ),
        ]

    @tool
    def papers(self, ship: str) -> dict:
        """A ship's papers: its draught in metres."""
        return {"draught": self.draught[ship]}

    @tool
    def soundings(self) -> dict:
        """Depth of each berth in metres."""
        return dict(sorted(self.depth.items()))

    @tool
    def berth(self, ship: str, berth: str) -> str:
        """Bring a ship into a free berth."""
        if self.depth[berth] <= self.draught[ship]:
            raise ToolError("it would run aground")
        if berth in self.state["at"].values():
            raise ToolError("somebody lies there")
        self.state["at"][ship] = berth
        return "fast"

    @tool
    def leave(self, ship: str) -> str:
        """Bring a ship out of its berth."""
        self.state["at"].pop(ship)
        return "off"

    @tool
    def light(self, berth: str) -> str:
        """Light a berth."""
        self.depth[berth]
        self.state["lights"].append(berth)
        return "lit"

    def solution(self):
        papers = [self.call("papers", ship=s) for s in self.ships]
        return [
            [*papers, self.call("soundings"), *(self.call("berth", ship=s, berth=self.fit[s]) for s in self.ships)],
            [self.call("light", berth=self.fit[self.ships[0]])],
        ]
