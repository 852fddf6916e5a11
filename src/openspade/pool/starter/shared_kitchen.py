from openspade_env import Request, ToolTask, tool

DISHES = {
    "pancakes": ["flour", "milk", "eggs"],
    "risotto": ["rice", "onions", "broth"],
    "salad": ["lettuce", "olives", "tomatoes"],
    "curry": ["rice", "peas", "coconut"],
    "omelette": ["eggs", "butter", "chives"],
}


class SharedKitchen(ToolTask):
    """Cook for friends: see what a dish needs, what is there, and buy only what is missing."""

    skill = "multi-step workflow"
    hint = (
        "Buy the difference between recipe and cupboard, no more: what is bought and not needed is counted against you."
    )
    max_turns = 14

    def start(self, rng):
        self.dishes = rng.sample(sorted(DISHES), 2)
        self.missing = []
        for dish in self.dishes:
            self.missing.append(sorted(rng.sample(DISHES[dish], rng.randint(1, 2))))
        needed = {item for dish in self.dishes for item in DISHES[dish]}
        self.cupboard = sorted(needed - {item for items in self.missing for item in items})
        self.budget = rng.randint(20, 99)
        self.state = {"cupboard": list(self.cupboard), "bought": [], "cooked": [], "paid": 0}
        first, second = self.dishes
        self.requests = [
            Request(
                f"Cook us {first}.", done=lambda s: s["cooked"] == [first] and sorted(s["bought"]) == self.to_buy(0)
            ),
            Request(
                f"That was good! And now {second}.",
                done=lambda s: (
                    s["cooked"] == [first, second] and sorted(s["bought"]) == sorted(self.to_buy(0) + self.to_buy(1))
                ),
            ),
            Request(
                f"Here are {self.budget} euros for everything; put them into the box.",
                done=lambda s: s["paid"] == self.budget,
            ),
        ]

    def to_buy(self, index):
        earlier = self.to_buy(0) if index else []
        return sorted(item for item in DISHES[self.dishes[index]] if item not in self.cupboard and item not in earlier)

    @tool
    def recipe(self, dish: str) -> list:
        """What a dish needs."""
        return DISHES[dish]

    @tool
    def look_into_cupboard(self) -> list:
        """What is there."""
        return self.state["cupboard"]

    @tool
    def buy(self, item: str) -> str:
        """Buy something."""
        self.state["bought"].append(item)
        self.state["cupboard"].append(item)
        return "bought"

    @tool
    def cook(self, dish: str) -> str:
        """Cook a dish from what is there."""
        if not set(DISHES[dish]) <= set(self.state["cupboard"]):
            raise ValueError("something is missing")
        self.state["cooked"].append(dish)
        return "cooked"

    @tool
    def put_into_box(self, euros: int) -> str:
        """Put money into the box."""
        self.state["paid"] += euros
        return "thank you"

    def solution(self):
        plan = []
        for index, dish in enumerate(self.dishes):
            look = [self.call("recipe", dish=dish), self.call("look_into_cupboard")]
            plan.append(
                [*look, *(self.call("buy", item=item) for item in self.to_buy(index)), self.call("cook", dish=dish)]
            )
        return [*plan, [self.call("put_into_box", euros=self.budget)]]
