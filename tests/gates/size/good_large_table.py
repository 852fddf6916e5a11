from openspade_env import Game, same_answer

RAINFALL = {
    'amber': [10, 21, 32, 43, 54, 65, 76, 87, 98, 19, 30, 41],
    'birch': [47, 58, 69, 80, 91, 12, 23, 34, 45, 56, 67, 78],
    'cedar': [84, 95, 16, 27, 38, 49, 60, 71, 82, 93, 14, 25],
    'daisy': [31, 42, 53, 64, 75, 86, 97, 18, 29, 40, 51, 62],
    'ember': [68, 79, 90, 11, 22, 33, 44, 55, 66, 77, 88, 99],
    'fjord': [15, 26, 37, 48, 59, 70, 81, 92, 13, 24, 35, 46],
    'grove': [52, 63, 74, 85, 96, 17, 28, 39, 50, 61, 72, 83],
    'heath': [89, 10, 21, 32, 43, 54, 65, 76, 87, 98, 19, 30],
    'inlet': [36, 47, 58, 69, 80, 91, 12, 23, 34, 45, 56, 67],
    'jetty': [73, 84, 95, 16, 27, 38, 49, 60, 71, 82, 93, 14],
    'kayak': [20, 31, 42, 53, 64, 75, 86, 97, 18, 29, 40, 51],
    'ledge': [57, 68, 79, 90, 11, 22, 33, 44, 55, 66, 77, 88],
    'maple': [94, 15, 26, 37, 48, 59, 70, 81, 92, 13, 24, 35],
    'noble': [41, 52, 63, 74, 85, 96, 17, 28, 39, 50, 61, 72],
    'ocean': [78, 89, 10, 21, 32, 43, 54, 65, 76, 87, 98, 19],
    'prism': [25, 36, 47, 58, 69, 80, 91, 12, 23, 34, 45, 56],
    'quill': [62, 73, 84, 95, 16, 27, 38, 49, 60, 71, 82, 93],
    'river': [99, 20, 31, 42, 53, 64, 75, 86, 97, 18, 29, 40],
    'stone': [46, 57, 68, 79, 90, 11, 22, 33, 44, 55, 66, 77],
    'thorn': [83, 94, 15, 26, 37, 48, 59, 70, 81, 92, 13, 24],
    'umbra': [30, 41, 52, 63, 74, 85, 96, 17, 28, 39, 50, 61],
    'vivid': [67, 78, 89, 10, 21, 32, 43, 54, 65, 76, 87, 98],
    'wheat': [14, 25, 36, 47, 58, 69, 80, 91, 12, 23, 34, 45],
    'xenon': [51, 62, 73, 84, 95, 16, 27, 38, 49, 60, 71, 82],
    'yacht': [88, 99, 20, 31, 42, 53, 64, 75, 86, 97, 18, 29],
    'zebra': [35, 46, 57, 68, 79, 90, 11, 22, 33, 44, 55, 66],
}


class Rainfall(Game):
    """A table of twenty-six rows is much source and little nesting."""

    skill = "mathematical reasoning"
    hint = "Add the months in pairs that make round numbers."
    max_turns = 1

    def start(self, rng):
        self.place, self.year = rng.choice(sorted(RAINFALL)), rng.randint(2, 9)
        months = ", ".join(map(str, RAINFALL[self.place]))
        return f"Rain in {self.place}, month by month: {months}. How much falls in {self.year} such years?"

    def act(self, action):
        return self.win() if same_answer(action, self.total(), kind="number") else self.lose()

    def total(self):
        return sum(RAINFALL[self.place]) * self.year

    def solution(self):
        return [str(self.total())]
