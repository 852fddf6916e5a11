from openspade_env import Game, same_answer


class ShortestRoad(Game):
    """A map of villages and roads. How long is the shortest way?"""

    skill = "optimisation"
    hint = "Work outwards: always settle the village with the smallest distance so far, then look at its neighbours."
    max_turns = 1

    def start(self, rng):
        self.roads = {}
        for village in range(1, 7):
            for other in rng.sample(range(village), min(village, 2)):
                self.roads[(other, village)] = rng.randint(5, 60)
        listed = ", ".join(f"{'ABCDEFG'[a]}-{'ABCDEFG'[b]} {length}" for (a, b), length in self.roads.items())
        return f"Roads with their lengths: {listed}. How long is the shortest way from A to G?"

    def shortest(self):
        distance = {0: 0}
        for _ in range(7):
            for (a, b), length in self.roads.items():
                for start, end in ((a, b), (b, a)):
                    if start in distance:
                        distance[end] = min(distance.get(end, 10**6), distance[start] + length)
        return distance[6]

    def act(self, action):
        return self.win() if same_answer(action, self.shortest(), kind="number") else self.lose()

    def solution(self):
        return [str(self.shortest())]
