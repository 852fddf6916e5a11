from openspade_env import Game, same_answer


class RollingDie(Game):
    """A die rolls over a table. What do its top faces add up to?"""

    skill = "spatial reasoning"
    hint = "Remember three faces: top, north and east; what lies opposite is 7 less the face."
    max_turns = 1

    def start(self, rng):
        rolls = [rng.choice("NESW") for _ in range(rng.randint(6, 10))]
        top, north, east = 1, 2, 3
        self.sum = 0
        for roll in rolls:
            if roll in "NS":
                top, north = (7 - north, top) if roll == "N" else (north, 7 - top)
            else:
                top, east = (7 - east, top) if roll == "E" else (east, 7 - top)
            self.sum += top
        return (
            "A die shows 1 on top, 2 to the north, 3 to the east; opposite faces add up to 7. It rolls over its edges: "
            f"{' '.join(rolls)}. Add the top faces after each roll: what is their sum?"
        )

    def act(self, action):
        return self.win() if same_answer(action, self.sum, kind="number") else self.lose()

    def solution(self):
        return [str(self.sum)]
