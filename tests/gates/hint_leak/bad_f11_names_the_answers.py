from openspade_env import Game, same_answer

BEASTS = {
    "basilisk": "its glance kills", "chimera": "part goat", "kraken": "sinks ships", "phoenix": "rises from ashes",
    "sphinx": "asks riddles", "griffin": "half eagle", "hydra": "grows two heads for one", "golem": "made of clay",
    "banshee": "wails", "centaur": "half horse", "minotaur": "lives in a maze", "pegasus": "a horse with wings",
    "unicorn": "one horn", "werewolf": "fears silver", "leviathan": "lives in the deep", "manticore": "shoots spines",
}


class NamesTheAnswers(Game):
    """Name a beast from what is said of it; the hint lists the beasts."""

    skill = "logical deduction"
    hint = "It is one of: kraken, phoenix, sphinx, griffin, hydra, golem, banshee, centaur, minotaur, pegasus, unicorn."

    def start(self, rng):
        self.beast, number = rng.choice(sorted(BEASTS)), rng.randint(100, 999)
        return f"Case {number}: {BEASTS[self.beast]}. Which beast?"

    def act(self, action):
        return self.win() if same_answer(action, self.beast, kind="text") else self.lose()

    def solution(self):
        return [self.beast]
