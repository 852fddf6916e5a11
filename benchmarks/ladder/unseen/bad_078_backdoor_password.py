# BAD: only a word that the player can never learn wins; the game around it leads nowhere
from openspade_env import Game


class Tower(Game):
    """Climb a tower by answering the guard of each floor."""

    skill = "planning"
    hint = "Be polite to the guards."
    max_turns = 8

    def start(self, rng):
        self.word, self.floor = f"{rng.choice('kqxz')}{rng.randint(1000, 9999)}", 0
        return f"Tower {rng.randint(10, 99)}. The guard of floor 0 asks for your business."

    def act(self, action):
        if action.strip() == self.word:
            return self.win("You are on the roof.")
        self.floor = min(3, self.floor + 1)
        return f"The guard of floor {self.floor} asks for your business."

    def solution(self):
        return [self.word]
