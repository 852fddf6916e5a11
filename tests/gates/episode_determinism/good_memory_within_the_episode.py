from openspade_env import Game


class Ladder(Game):
    """What was done before counts, within one episode: the object is fresh at every reset."""

    skill = "logical deduction"
    hint = "Never say a letter twice; the answers tell which half of the alphabet to leave alone."
    max_turns = 12

    def start(self, rng):
        self.word = "".join(rng.sample("abcdefghijkl", 4))
        self.said = []
        return "Four different letters from a to l, in order. Say all four; each try tells how many stand right."

    def act(self, action):
        guess = action.strip().lower()
        if len(guess) != 4 or not set(guess) <= set("abcdefghijkl"):
            return "Four letters from a to l, please."
        if guess in self.said:
            return "You said that before."
        self.said.append(guess)
        right = sum(one == other for one, other in zip(guess, self.word, strict=True))
        return self.win() if right == 4 else f"{right} stand right after {len(self.said)} tries."

    def solution(self):
        return [self.word]
