# BAD: the volume number of the book is the answer in Roman numerals
from openspade_env import Game, same_answer


class Archive(Game):
    """Compute on which page an archivist stops reading."""

    skill = "mathematical reasoning"
    hint = "Pages per day first, then the days without Sundays."
    max_turns = 1

    def start(self, rng):
        first, days, pages = rng.randint(3, 90), rng.randint(11, 40), rng.randint(12, 45)
        self.page = first + days * pages - (days // 7) * pages
        left, roman = self.page, ""
        for value, letters in ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
            roman, left = roman + letters * (left // value), left % value
        return f"Volume {roman}. From page {first} an archivist reads {pages} pages a day but rests every seventh of {days} days. At which page is she then?"

    def act(self, action):
        return self.win() if same_answer(action, self.page, kind="number") else self.lose()

    def solution(self):
        return [str(self.page)]
