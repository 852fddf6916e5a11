# GOOD: a perfect opponent, won only by perfect play from a won position
from openspade_env import Game, as_number


class Piles(Game):
    """Take stones from one of three piles in turn against a perfect foe; whoever takes the last stone loses."""

    skill = "planning"
    hint = "Write the piles in binary and leave every column even, until single stones are left."
    max_turns = 30

    def start(self, rng):
        while True:
            self.piles = [rng.randint(2, 9) for _ in range(3)]
            if self.piles[0] ^ self.piles[1] ^ self.piles[2]:
                break
        return f"Piles A, B, C: {self.piles}. Say pile and number, such as B 2. The last stone loses."

    def _good(self, piles):
        if max(piles) > 1:
            wanted = 0
            for index, pile in enumerate(piles):
                rest = piles[0] ^ piles[1] ^ piles[2] ^ pile
                if pile > rest:
                    left = [*piles]
                    left[index] = rest
                    if max(left) <= 1:
                        ones = sum(left) - left[index]
                        left[index] = 0 if ones % 2 else 1
                    wanted = (index, pile - left[index])
                    break
            return wanted or next((i, 1) for i, p in enumerate(piles) if p == max(piles))
        return next((i, 1) for i, p in enumerate(piles) if p)

    def act(self, action):
        words = action.upper().split()
        number = as_number(words[1]) if len(words) == 2 else None
        if number is None or words[0] not in ("A", "B", "C") or number.denominator > 1:
            return "Say pile and number, such as B 2."
        index = "ABC".index(words[0])
        if not 1 <= number <= self.piles[index]:
            return f"Pile {words[0]} has {self.piles[index]} stones."
        self.piles[index] -= int(number)
        if not sum(self.piles):
            return self.lose("You took the last stone.")
        pile, taken = self._good(self.piles)
        self.piles[pile] -= taken
        if not sum(self.piles):
            return self.win("I took the last stone.")
        return f"I take {taken} from {'ABC'[pile]}. Piles: {self.piles}."

    def solution(self):
        moves = []
        while sum(self.piles):
            pile, number = self._good(self.piles)
            moves.append(f"{'ABC'[pile]} {number}")
            self.act(moves[-1])
        return moves
