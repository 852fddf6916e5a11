from openspade_env import Game


class TwoJugs(Game):
    """Two jugs without marks and a tap: measure out an exact amount."""

    skill = "optimisation"
    hint = (
        "Keep pouring one way: fill one jug, pour it into the other, empty the other when full. Try both ways on paper."
    )
    max_turns = 20

    def start(self, rng):
        while True:
            self.sizes = sorted(rng.sample(range(5, 20), 2))
            self.water = [0, 0]
            self.goal = rng.randint(1, self.sizes[1] - 1)
            self.left = len(self.solution())
            if self.goal not in self.sizes and 8 <= self.left <= 18:
                break
        return (
            f"Jugs A of {self.sizes[0]} and B of {self.sizes[1]} litres, both empty. "
            f"Commands: {', '.join(self.commands())}. Have {self.goal} litres in one, within {self.left} commands."
        )

    def commands(self):
        return ["fill A", "fill B", "empty A", "empty B", "A to B", "B to A"]

    def after(self, water, command):
        water, jug = list(water), int(command.split()[-1] == "B")
        if " to " in command:
            jug = 1 - jug
            moved = min(water[jug], self.sizes[1 - jug] - water[1 - jug])
            water[jug], water[1 - jug] = water[jug] - moved, water[1 - jug] + moved
        else:
            water[jug] = self.sizes[jug] if command.startswith("fill") else 0
        return water

    def act(self, action):
        command = next((one for one in self.commands() if one.lower() == action.strip().lower()), None)
        if command is None:
            return f"Commands: {', '.join(self.commands())}."
        self.water, self.left = self.after(self.water, command), self.left - 1
        if self.goal in self.water:
            return self.win("Exactly!")
        return (
            f"A holds {self.water[0]}, B holds {self.water[1]}. {self.left} commands left."
            if self.left
            else self.lose()
        )

    def solution(self):
        waters, seen = [(self.water, [])], {tuple(self.water)}
        for water, plan in waters:
            if self.goal in water:
                return plan
            for command in self.commands():
                new = self.after(water, command)
                if tuple(new) not in seen:
                    seen.add(tuple(new))
                    waters.append((new, [*plan, command]))
        return []
