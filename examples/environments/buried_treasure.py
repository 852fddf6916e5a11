from openspade_env import Game


class BuriedTreasure(Game):
    """A chest lies under one square of a beach. Every hole tells how many steps away it is."""

    skill = "spatial reasoning"
    hint = "Dig in a corner: its distance leaves one diagonal. A hole in a neighbouring corner then leaves one square."
    max_turns = 5

    def start(self, rng):
        self.size = rng.randint(7, 12)
        self.chest = (rng.randrange(self.size), rng.randrange(self.size))
        return (
            f"A beach of {self.size} x {self.size} squares, columns and rows numbered from 0. Say 'dig COLUMN ROW'. "
            f"You have {self.max_turns} holes."
        )

    def act(self, action):
        words = action.split()
        if len(words) != 3 or words[0] != "dig" or not all(word.isdecimal() and len(word) < 4 for word in words[1:]):
            return "The spade slips. Say 'dig COLUMN ROW', such as 'dig 0 0'."
        column, row = int(words[1]), int(words[2])
        if not (column < self.size and row < self.size):
            return "That is in the sea."
        if (column, row) == self.chest:
            return self.win("The spade hits wood. You found the chest!")
        return f"Nothing here. The chest is {abs(column - self.chest[0]) + abs(row - self.chest[1])} steps away."

    def solution(self):
        return [f"dig {self.chest[0]} {self.chest[1]}"]
