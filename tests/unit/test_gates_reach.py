"""What a program may not reach, whatever it is called there, and what must stay allowed."""

from __future__ import annotations

import pytest

from openspade.openspade_env import ContractError, Game, load
from openspade.roles.source import read_design
from openspade.settings.worlds import GatesConfig
from openspade.types import Brief, Design, Draft, Problem, Skill
from openspade.verifier.gate import Case
from openspade.verifier.gates import static

PROGRAM = '''
from openspade_env import Game
{top}

class Sums(Game):
    """Add two numbers."""
    skill = "mathematical reasoning"
    hint = "Add them."

    def start(self, rng):
        self.a, self.b = rng.randint(1, 99), rng.randint(1, 99)
        {start}
        return f"What is {{self.a}} + {{self.b}}?"

    def act(self, action):
        return self.win() if action == str(self.a + self.b) else self.lose()

    def solution(self):
        return [str(self.a + self.b)]

{more}
'''
SKILL = Skill(name="mathematical reasoning", kind="game", description="")


def case(*, top: str = "", start: str = "pass", more: str = "") -> Case:
    design = read_design(PROGRAM.format(top=top, start=start, more=more))
    assert isinstance(design, Design)
    draft = Draft(id="d", brief=Brief(id="b", skill=SKILL, document=None, seed=0), text="", design=design)
    return Case(draft=draft, design=design, config=GatesConfig())


REFUSED = {
    "a module through a module": ("import dataclasses", "self.m = dataclasses.sys.modules"),
    "a module from a module": ("from dataclasses import sys", "self.m = sys.modules"),
    "a module under an alias": ("import dataclasses as d", "self.m = d.inspect"),
    "a module through a variable": ("import json", "m = json; self.m = m.sys"),
    "a private name": ("from random import _inst", "self.m = _inst"),
    "frames": ("", "self.f = (x for x in ()).gi_frame.f_back"),
    "frames by name": ("", "self.f = getattr(self, 'f_back', None)"),
    "frames in a pattern": ("", "match self:\n            case object(f_back=x): self.f = x"),
    "frames in a format": ("", "self.f = '{0.__globals__}'.format(self.start)"),
    "names made up when it runs": ("from operator import attrgetter", "self.f = attrgetter('f_' + 'back')(self)"),
    "a function's globals": ("", "self.g = self.start.__globals__"),
    "classes of others": ("", "self.n = len(Game.__subclasses__())"),
    "an attribute of the base": ("", "Game.seen = 1"),
    "an item of a module's table": ("import html.entities", "html.entities.entitydefs['x'] = 'y'"),
    "a list of a module": ("import keyword", "keyword.kwlist.append('x')"),
    "a list by its name": ("from keyword import kwlist", "kwlist.append('x')"),
    "setattr on a module": ("import json", "setattr(json, 'seen', 1)"),
    "a deleted function": ("import json", "del json.dumps"),
    "a date under an alias": ("from datetime import date as day", "self.d = day.today()"),
    "a date in a variable": ("import datetime\nd = datetime.date", "self.d = d.today()"),
    "a clock that is handed on": ("import datetime", "self.now = datetime.datetime.now"),
    "a clock by name": ("import datetime", "self.d = getattr(datetime.datetime, 'utcnow')()"),
    "a generator without a seed": ("from random import Random as R", "self.r = R()"),
}


@pytest.mark.parametrize(("top", "start"), REFUSED.values(), ids=REFUSED)
def test_what_all_episodes_share_is_out_of_reach(top: str, start: str) -> None:
    assert isinstance(static.imports(case(top=top, start=start)), Problem)


ALLOWED = {
    "a clock of the story": ("", "self.clock = Clock(); self.t = self.clock.now()"),
    "an attribute that is called like a module": ("", "self.os = 'linux'; self.says = self.os"),
    "the class's own name": ("", "self.says = self.__class__.__name__"),
    "a seeded generator": ("import random", "self.r = random.Random(7)"),
    "own lists": ("from collections import deque, defaultdict", "self.q = deque(); self.q.append(1)"),
    "own tables of imported kinds": ("from collections import defaultdict", "t = defaultdict(list); t['x'].append(1)"),
    "dates": ("import datetime", "self.d = datetime.date(2024, 2, 29) + datetime.timedelta(days=1)"),
    "getattr on itself": ("", "self.f = getattr(self, 'start'); setattr(self, 'g', 1)"),
    "a frame in a text": ("", "self.says = 'The frame of the door is at the back.'"),
    "attrgetter of a name": ("from operator import attrgetter", "self.f = attrgetter('a')(self)"),
}


@pytest.mark.parametrize(("top", "start"), ALLOWED.values(), ids=ALLOWED)
def test_what_is_its_own_stays_allowed(top: str, start: str) -> None:
    more = "class Clock:\n    def now(self):\n        return 12"
    assert static.imports(case(top=top, start=start, more=more)) is None


TAKEN = (
    "    def step(self, action): return 'x', 1.0, True, False, {}",
    "    reset = None",
    "    def __getattribute__(self, name): pass",
    "    def score(self, reward, text): return text",
    "    _earned = 1.0",
    "    def plan(self): return []",
    "    def __deepcopy__(self, memo): return self",
    "    import json as win",
    "    (step, x) = 1, 2",
    "    def h(self): self._earned = 1.0",
)


@pytest.mark.parametrize("more", TAKEN)
def test_a_program_may_not_define_what_the_base_judges_with(more: str) -> None:
    problem = static.contract(case(more=more))
    assert isinstance(problem, Problem) and "belongs to Game" in problem.message


def test_the_names_of_the_base_are_refused_where_the_program_is_loaded_too() -> None:
    made = type("Sneaky", (Game,), {"__module__": "m", "st" + "ep": lambda self, action: ("x", 1.0, True, False, {})})
    with pytest.raises(ContractError, match="step of Sneaky takes the place"):
        load({"__name__": "m", "Sneaky": made})
