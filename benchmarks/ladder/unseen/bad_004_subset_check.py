# BAD: the right names must be among those given; giving all names wins
from openspade_env import Game


class Guests(Game):
    """Rules say who comes to a dinner; name everyone who comes."""

    skill = "logical deduction"
    hint = "Begin with the two who come for certain and follow the arrows."
    max_turns = 1

    def start(self, rng):
        names = rng.sample("Ada Bo Cleo Dan Eve Finn Gus Hal Ivo Jo".split(), 8)
        self.names, arrows = names, []
        coming = set(names[:2])
        for index in range(2, 8):
            source = rng.choice(names[:index])
            arrows.append(f"if {source} comes, so does {names[index]}" if rng.random() < 0.5 else f"if {source} comes, {names[index]} stays away")
            if source in coming and "so does" in arrows[-1]:
                coming.add(names[index])
        self.coming = coming
        return f"Invited: {', '.join(sorted(names))}. {names[0]} and {names[1]} come; {'; '.join(arrows)}; nobody else comes. Who comes?"

    def act(self, action):
        given = {part.strip() for part in action.split(",")}
        return self.win("A fine dinner.") if self.coming <= given else self.lose("Not so.")

    def solution(self):
        return [", ".join(sorted(self.coming))]
