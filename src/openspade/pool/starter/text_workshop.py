from openspade_env import Request, ToolTask, tool

WISHES = {
    "shout": ("Make {} loud: capitals only.", str.upper),
    "mirror": ("Show {} as in a looking-glass, last letter first.", lambda word: word[::-1]),
    "sort_letters": ("Put the letters of {} into the order of the alphabet.", lambda word: "".join(sorted(word))),
    "double": ("Write every letter of {} two times.", lambda word: "".join(2 * letter for letter in word)),
}


class TextWorkshop(ToolTask):
    """A bench of text tools that look alike; each wish fits exactly one of them."""

    skill = "tool selection"
    hint = "Say in your own words what is to happen to the letters: their case, their order, or their number."
    max_turns = 8

    def start(self, rng):
        self.state = {"text": ""}
        self.chosen = [(name, "".join(rng.sample("abcdefghijklmnop", 6))) for name in rng.sample(sorted(WISHES), 3)]
        self.requests = [self.wish(*WISHES[name], word) for name, word in self.chosen]

    def wish(self, sentence, rule, word):
        return Request(sentence.format(word), done=lambda s: s["text"] == rule(word))

    def put_out(self, name, word):
        self.state["text"] = WISHES[name][1](word)
        return self.state["text"]

    @tool
    def shout(self, word: str) -> str:
        """Turn small letters into capitals."""
        return self.put_out("shout", word)

    @tool
    def mirror(self, word: str) -> str:
        """Reverse a word."""
        return self.put_out("mirror", word)

    @tool
    def sort_letters(self, word: str) -> str:
        """Sort a word's letters."""
        return self.put_out("sort_letters", word)

    @tool
    def double(self, word: str) -> str:
        """Repeat each letter."""
        return self.put_out("double", word)

    def solution(self):
        return [[self.call(name, word=word)] for name, word in self.chosen]
