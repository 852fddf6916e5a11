from openspade_env import Request, ToolTask, tool


class TextWorkshop(ToolTask):
    """A bench of text tools that look alike; each wish fits exactly one of them."""

    skill = "tool selection"
    hint = "Say in your own words what is to happen to the letters: their case, their order, or their number."
    max_turns = 8

    def start(self, rng):
        self.word = "".join(rng.sample("abcdefghijklmnop", 6))
        self.state = {"text": self.word, "asked": 0}
        wishes = {
            "shout": (f"Make {{}} loud: capitals only.", str.upper),
            "mirror": (f"Show {{}} as a mirror would, last letter first.", lambda text: text[::-1]),
            "sort_letters": (f"Put the letters of {{}} into the order of the alphabet.", lambda text: "".join(sorted(text))),
            "double": (f"Write every letter of {{}} twice.", lambda text: "".join(2 * letter for letter in text)),
        }
        self.plan_ = rng.sample(sorted(wishes), 3)
        self.requests = []
        for name in self.plan_:
            word = "".join(rng.sample("abcdefghijklmnop", 6))
            sentence, rule = wishes[name]
            self.requests.append(self.wish(sentence.format(word), word, rule(word)))
        self.words = [request.text for request in self.requests]

    def wish(self, sentence, word, result):
        return Request(sentence, change=lambda s: s.update(word=word, text=""), done=lambda s: s["text"] == result)

    def keep(self, word, text):
        if word != self.state["word"]:
            raise ValueError("this word was not asked for")
        self.state["text"] = text
        return text

    @tool
    def shout(self, word: str) -> str:
        """Turn small letters into capitals."""
        return self.keep(word, word.upper())

    @tool
    def mirror(self, word: str) -> str:
        """Reverse a word."""
        return self.keep(word, word[::-1])

    @tool
    def sort_letters(self, word: str) -> str:
        """Sort a word's letters."""
        return self.keep(word, "".join(sorted(word)))

    @tool
    def double(self, word: str) -> str:
        """Repeat each letter."""
        return self.keep(word, "".join(2 * letter for letter in word))

    def solution(self):
        asked = [next(w for w in text.replace(":", " ").replace(",", " ").split() if len(w) == 6 and w not in ("mirror", "letter")) for text in self.words]
        return [[self.call(name, word=word)] for name, word in zip(self.plan_, asked)]
