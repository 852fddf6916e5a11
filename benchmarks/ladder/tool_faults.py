"""Faults that turn a sound tool task into one that must not be played, by what makes it unfit.

A player that does not do the task is paid, a solver cannot win, or the same play is not the same twice.
"""

from __future__ import annotations

from benchmarks.ladder.planting import (
    Fault,
    as_many,
    constant,
    criterion,
    head,
    in_tool,
    is_there,
    more,
    renamed_solution,
    renamed_start,
    tool_says,
    with_turns,
)

LAST_ARGUMENTS = "list([one for one in self.solution()[-1] if isinstance(one, dict)][-1]['arguments'].values())"
ALL_CALLS = "[one for part in self.solution() for one in part if isinstance(one, dict)]"

TOOL_FAULTS: dict[str, Fault] = {
    "first criterion: something is there": criterion(is_there),
    "last criterion: something is there": criterion(is_there, -1),
    "first criterion: as many as there should be": criterion(as_many),
    "last criterion: as many as there should be": criterion(as_many, -1),
    "first criterion is always true": criterion(constant("True")),
    "last criterion is always true": criterion(constant("True"), -1),
    "last criterion is the state's size": criterion(constant("len(s) > 0"), -1),
    "last criterion is never true": criterion(constant("False"), -1),
    "criterion asks for what is not there": criterion(constant("s['nope']['never']")),
    "criterion of two looks": criterion(constant("s.setdefault('looks', []).append(1) or len(s['looks']) > 2")),
    "a tool crashes": in_tool(0, "len(5)"),
    "a tool crashes on empty text or zero": in_tool(-1, "if '' in ARGS or 0 in ARGS:\n    1 / 0"),
    "a tool crashes on what it does not know": in_tool(
        0, "if any(len(str(a)) > 40 for a in ARGS):\n    raise RuntimeError('too long')"
    ),
    "a tool spins": in_tool(-1, "sum(range(10 ** 9))"),
    "a tool tells the last call": tool_says(0, f"str(VALUE) + ' // last: ' + ' '.join(map(str, {LAST_ARGUMENTS}))"),
    "a tool tells the whole plan": tool_says(0, "str(VALUE) + ' // ' + str(self.solution())"),
    "a tool tells the order of a set": tool_says(
        0, "str(VALUE) + ' ' + ' '.join({'a1', 'b2', 'c3', 'd4', 'e5', 'f6'})"
    ),
    "a tool counts calls of all": in_tool(
        0, "COUNT.append(1)\nif len(COUNT) > 25:\n    raise ToolError('worn out')", imports="COUNT = []\n"
    ),
    "one tool does it all": more(
        f"    @tool\n    def finish_everything(self) -> str:\n        '''Do what is left.'''\n        for one in {ALL_CALLS}:\n"
        "            if one['name'] != 'decline':\n                getattr(self, one['name'])(**one['arguments'])\n        return 'done'\n"
    ),
    "the first request is met from the start": criterion(constant("True or s")),
    "the intro recites the calls": (
        lambda source: renamed_start(
            source, f"'Notes: ' + '; '.join(str(list(one['arguments'].values())) for one in {ALL_CALLS})"
        )
    ),
    "the intro recites the calls in hex": lambda source: renamed_start(
        source, f"'Ref ' + ' '.join(str(v) for one in {ALL_CALLS} for v in one['arguments'].values()).encode().hex()"
    ),
    "one world for all seeds": head("start", "RNG.seed(4)"),
    "two worlds for all seeds": head("start", "RNG.seed(RNG.randrange(2))"),
    "own chance": head("start", "RNG = random.Random()", imports="import random\n"),
    "solution forgets its last call": lambda source: renamed_solution(source, "[*parts[:-1], parts[-1][:-1]]"),
    "solution fails for one in five": head(
        "solution", "if sum(map(ord, repr(self.requests[0].text))) % 5 == 0:\n    return [[] for _ in self.requests]"
    ),
    "solution needs more turns than there are": lambda source: with_turns(source, 1),
}
