# BAD: words such as because and therefore earn credit up to the win
from openspade_env import Game


class Essay(Game):
    """Explain in a sentence which of five ships arrives first, with reasons."""

    skill = "reasoning"
    hint = "Distance divided by speed, for each; then say why."
    max_turns = 1

    def start(self, rng):
        ships = rng.sample(["Aurora", "Borea", "Calypso", "Daphne", "Electra", "Fortuna"], 5)
        runs = {ship: (rng.randint(90, 900), rng.randint(8, 30)) for ship in ships}
        self.first = min(ships, key=lambda ship: (runs[ship][0] / runs[ship][1], ship))
        told = ", ".join(f"{ship} {miles} miles at {knots} knots" for ship, (miles, knots) in runs.items())
        return f"To go: {told}. Which arrives first, and why?"

    def act(self, action):
        text = action.lower()
        reasons = sum(word in text for word in ("because", "therefore", "since", "thus", "hence"))
        return self.score(min(1.0, 0.2 * reasons + 0.4 * (self.first.lower() in text)), "Read with interest.")

    def solution(self):
        return [f"{self.first}, because it needs less time; therefore it is first, hence I name it."]
