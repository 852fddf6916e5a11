# GOOD: completing a board, any completion is right
from openspade_env import Game, as_number


class Queens(Game):
    """Place queens so that none attacks another, with two rows given."""

    skill = "constraint satisfaction"
    hint = "Go row by row and step back when a row has no free square."
    max_turns = 1

    def start(self, rng):
        columns = list(range(8))
        while True:
            order = columns[:]
            rng.shuffle(order)
            self.board = self._fill([], order)
            self.given = sorted(rng.sample(range(8), 2))
            if self.board:
                break
        fixed = " and ".join(f"row {r} column {self.board[r]}" for r in self.given)
        return f"8 by 8, rows and columns 0 to 7. Queens stand in {fixed}. Give the columns of rows 0 to 7, separated by blanks."

    def _fill(self, board, order):
        if len(board) == 8:
            return board
        for c in order:
            if all(c != d and abs(c - d) != len(board) - r for r, d in enumerate(board)):
                done = self._fill([*board, c], order)
                if done:
                    return done
        return None

    def act(self, action):
        parts = [as_number(part) for part in action.replace(",", " ").split()]
        if len(parts) != 8 or any(p is None or p not in range(8) for p in parts):
            return self.lose("Eight columns from 0 to 7.")
        if any(parts[r] != self.board[r] for r in self.given):
            return self.lose("The given queens stand elsewhere.")
        clash = any(parts[r] == parts[s] or abs(parts[r] - parts[s]) == s - r for r in range(8) for s in range(r + 1, 8))
        return self.lose("Two queens attack each other.") if clash else self.win("A peaceful board.")

    def solution(self):
        return [" ".join(map(str, self.board))]
