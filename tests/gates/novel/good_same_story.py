from openspade_env import Game, same_answer


class CorridorOfDoors(Game):
    """A corridor in the dark: say behind which door the lamp is, from what three people saw."""

    skill = "logical deduction"
    hint = "Strike out what each of them rules out; one door is left."
    max_turns = 1

    def start(self, rng):
        doors = rng.sample(["oak", "pine", "ash", "elm", "yew", "fir"], 4)
        self.lamp = doors[0]
        seen = [f"{who} looked behind the {door} door and saw no lamp." for who, door in zip("ABC", doors[1:], strict=True)]
        rng.shuffle(seen)
        rng.shuffle(doors)
        return f"Doors: {', '.join(doors)}. {' '.join(seen)} Where is the lamp?"

    def act(self, action):
        return self.win() if same_answer(action, self.lamp, kind="text") else self.lose()

    def solution(self):
        return [self.lamp]
