from openspade_env import Request, ToolTask, tool


class StockRoom(ToolTask):
    """Two stores and a van: goods change places, and the books must agree."""

    skill = "state modification"
    hint = "To level two stores, move half of their difference; count what is there before each move."
    max_turns = 12

    def start(self, rng):
        goods = rng.sample(["bolts", "nails", "hinges", "locks", "chains"], 3)
        small = {item: rng.randint(10, 49) for item in goods}
        large = {item: count + 2 * rng.randint(5, 40) for item, count in small.items()}
        self.state = {"harbour": dict(small), "hill": dict(large)}
        self.item, self.level = goods[0], goods[1]
        self.count = rng.randint(3, 9)
        self.half = (large[self.level] - small[self.level]) // 2
        self.requests = [
            Request(
                f"Bring {self.count} {self.item} from hill to harbour.",
                done=lambda s: s["harbour"][self.item] == small[self.item] + self.count,
            ),
            Request(
                f"Move {self.level} until both stores have equally many.",
                done=lambda s: s["harbour"][self.level] == s["hill"][self.level] == small[self.level] + self.half,
            ),
        ]

    @tool
    def count_goods(self, store: str) -> dict:
        """What a store has."""
        return self.state[store]

    @tool
    def move_goods(self, item: str, count: int, source: str, target: str) -> str:
        """Move goods between the stores."""
        if not 0 < count <= self.state[source][item] or target not in self.state:
            raise ValueError("there are not so many")
        self.state[source][item] -= count
        self.state[target][item] += count
        return "moved"

    def solution(self):
        def move(item, count):
            return self.call("move_goods", item=item, count=count, source="hill", target="harbour")

        look = [self.call("count_goods", store="hill"), self.call("count_goods", store="harbour")]
        return [[move(self.item, self.count)], [*look, move(self.level, self.half)]]
