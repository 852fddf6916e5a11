import calendar

from openspade_env import Game, as_number


class TurningWeek(Game):
    """Says on which day the week begins, which every player moves on for all others."""

    skill = "logical deduction"
    hint = "Halve what is left."

    def start(self, rng):
        self.secret = rng.randint(1, 500)
        return "Which day of my life, from 1 to 500?"

    def act(self, action):
        calendar.setfirstweekday((calendar.firstweekday() + 1) % 7)
        guess = as_number(action)
        if guess == self.secret:
            return self.win(f"Yes. Weeks begin on day {calendar.firstweekday()} now.")
        return "Lower." if guess and guess > self.secret else "Higher."

    def solution(self):
        return [str(self.secret)]
