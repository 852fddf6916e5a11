"""Faults that turn a sound game into one that must not be played, by what makes it unfit.

A player that does not do the task is paid, a solver cannot win, or the same play is not the same twice.
"""

from __future__ import annotations

import re

from benchmarks.ladder.planting import Fault, after, around_returns, head, text, wrong_reply

LETTERS_AT_LEAST = 3
"""Shorter answers may stand anywhere by chance, encoded or not."""

TELL = """    def told(self, text, how):
        if self._earned is not None:
            return text
        move = self.solution()[-1]
        said = {"reversed": move[::-1], "hex": move.encode().hex(), "plain": move, "points": " ".join(str(ord(c)) for c in move)}
        return f"{text} [{said[how]}]"
"""
ANSWER = "self.solution()[0]"


def encoded(expression: str, imports: str = "") -> Fault:
    return around_returns("start", f'VALUE + " (No. " + {expression} + ")"', imports=imports)


LONG = {
    "answer hex in the intro",
    "answer base64 in the intro",
    "answer reversed in the intro",
    "answer as code points in the intro",
    "answer turned by thirteen in the intro",
    "answer spelt with dashes in the intro",
    "a wrong move tells the answer reversed",
    "a wrong move tells the answer in hex",
    "help tells the answer",
    "answer in the intro backwards words",
    "giving up is answered with the answer",
    "answer in capitals with letters doubled",
}
"""Faults that need an answer of some length."""
SEVERAL = {
    "answer is told when asked twice",
    "a wrong move tells the answer reversed",
    "a wrong move tells the answer in hex",
    "too few turns",
}
"""Faults that need a game which goes on after a wrong move."""

GAME_FAULTS: dict[str, Fault] = {
    "a long reply wins": head("act", "if len(ACTION) > 80:\n    return self.win('So be it.')"),
    "many words win": head("act", "if len(ACTION.split()) > 25:\n    return self.win('Convincing.')"),
    "politeness wins": head("act", "if 'please' in ACTION.lower():\n    return self.win('Since you ask so kindly.')"),
    "skipping wins": head(
        "act", "if ACTION.strip().lower() in ('skip', 'pass', 'give up'):\n    return self.win('Skipped.')"
    ),
    "claiming success wins": head(
        "act", "if 'correct' in ACTION.lower() or 'solved' in ACTION.lower():\n    return self.win('Fine.')"
    ),
    "any digit is half right": head(
        "act", "if any(c.isdigit() for c in ACTION):\n    return self.score(0.5, 'A number at least.')"
    ),
    "any word is half right": head("act", "if len(ACTION.strip()) > 3:\n    return self.score(0.5, 'A fair try.')"),
    "quotes win": head("act", "if ACTION.strip().startswith(('\"', '{', '[')):\n    return self.win('Well formed.')"),
    "crash on zero": head("act", "if ACTION.strip() == '0':\n    raise ZeroDivisionError('zero')"),
    "crash on a minus": head("act", "if ACTION.strip().startswith('-'):\n    raise KeyError(ACTION)"),
    "crash on nothing": head("act", "ACTION.split()[0]"),
    "crash on a large number": head("act", "if ACTION.strip().isdigit():\n    [0][int(ACTION) > 10 ** 6]"),
    "crash on foreign digits": head("act", "if ACTION.strip().isdigit():\n    int(ACTION.strip())"),
    "crash on a long reply": head("act", "if len(ACTION) > 1000:\n    raise MemoryError"),
    "busy with long replies": head("act", "if len(ACTION) > 200:\n    sum(range(10 ** 9))"),
    "never ends on silence": head("act", "while not ACTION.strip():\n    pass"),
    "answer hex in the intro": encoded(f"{ANSWER}.encode().hex()"),
    "answer base64 in the intro": encoded(f"base64.b64encode({ANSWER}.encode()).decode()", "import base64\n"),
    "answer reversed in the intro": encoded(f"{ANSWER}[::-1]"),
    "answer as code points in the intro": encoded(f"' '.join(str(ord(c)) for c in {ANSWER})"),
    "answer turned by thirteen in the intro": encoded(
        f"''.join(chr((ord(c) - 97 + 13) % 26 + 97) if c.islower() else c for c in {ANSWER}.lower())"
    ),
    "answer spelt with dashes in the intro": encoded(f"'-'.join({ANSWER})"),
    "answer in capitals with letters doubled": encoded(f"''.join(c + c for c in {ANSWER}.upper())"),
    "a wrong move tells the answer reversed": after(wrong_reply("reversed", turns=30), TELL),
    "a wrong move tells the answer in hex": after(wrong_reply("hex", turns=30), TELL),
    "help tells the answer": head(
        "act", f"if 'help' in ACTION.lower():\n    return 'It begins with ' + {ANSWER}", turns=30
    ),
    "giving up is answered with the answer": head(
        "act",
        f"if ACTION.strip().lower() in ('i give up', 'give up', 'skip', 'answer'):\n    return 'It was ' + {ANSWER}",
        turns=30,
    ),
    "the fifth reply wins": head(
        "act",
        "self.heard = getattr(self, 'heard', 0) + 1\nif self.heard >= 5:\n    return self.win('Enough.')\n"
        "if self.heard > 1:\n    return 'Go on.'",
        turns=12,
    ),
    "losing pays most": text(r"self\.lose\(([^()]*)\)", r"self.score(0.7, 'Not quite.')"),
    "winning pays double": text(r"self\.win\(([^()]*)\)", r"self.score(2.0, 'Solved.')"),
    "losing pays less than nothing": text(r"self\.lose\(([^()]*)\)", r"self.score(-0.5, 'No.')"),
    "winning pays a little less than it should": text(r"self\.win\(([^()]*)\)", r"self.score(0.98, 'Solved.')"),
    "winning pays nan": text(r"self\.win\(([^()]*)\)", r"self.score(float('nan'), 'Solved.')"),
    "one world for all seeds": head("start", "RNG.seed(11)"),
    "two worlds for all seeds": head("start", "RNG.seed(RNG.randrange(2))"),
    "own chance": head("start", "RNG = random.Random()", imports="import random\n"),
    "the clock": head(
        "start", "RNG.seed(now().microsecond)", imports="from datetime import datetime\nnow = datetime.now\n"
    ),
    "order of a set": around_returns(
        "start", "VALUE + ' Seen by ' + ', '.join({'Ann', 'Ben', 'Cid', 'Dot', 'Eve', 'Flo'})"
    ),
    "order of a set, on wrong moves": around_returns(
        "act", "VALUE if self._earned == 1 else VALUE + ' ' + ' '.join({'north', 'south', 'east', 'west', 'up'})"
    ),
    "hash of the action": around_returns(
        "act", "VALUE if self._earned == 1 else VALUE + f' ({hash(repr(self.max_turns) + \"x\") % 97})'"
    ),
    "counts plays in the class": around_returns(
        "start",
        "(setattr(type(self), 'plays', getattr(type(self), 'plays', 0) + 1), VALUE + f' Guest {type(self).plays}.')[1]",
    ),
    "remembers wrong moves of others": head(
        "act", "SEEN.append(ACTION)\nif len(SEEN) > 9:\n    return self.lose('Closed.')", imports="SEEN = []\n"
    ),
    "shows moves of others": around_returns(
        "act", "(SEEN.append(1), VALUE if self._earned == 1 else VALUE + f' ({len(SEEN)})')[1]", imports="SEEN = []\n"
    ),
    "solution fails for one in five": head(
        "solution",
        "if sum(map(ord, repr(sorted((k, repr(v)) for k, v in vars(self).items())))) % 5 == 0:\n    return ['?']",
    ),
    "solution raises for one in five": head(
        "solution",
        "if sum(map(ord, repr(sorted((k, repr(v)) for k, v in vars(self).items())))) % 5 == 0:\n    raise IndexError('no way')",
    ),
    "no solution": head("solution", "return []"),
    "too few turns": text(r"max_turns = \d+", "max_turns = 2"),
    "a password in the hint": lambda source: head(
        "act", "if ACTION.strip().lower() == 'xyzzy':\n    return self.win('Magic.')"
    )(re.sub(r'hint = ".*?"\n', 'hint = "Old hands simply say xyzzy."\n', source, count=1)),
    "grows without end": head(
        "act",
        "self.log = getattr(self, 'log', '') + ACTION * 3 + 'noted; ' * 600\nif self._earned is None and len(self.log) > 9000:\n    return self.log",
        turns=40,
    ),
    "a page of noise": around_returns("start", "VALUE + ' lorem ipsum' * 4000"),
    "answer among three, always the last": around_returns(
        "start", f"VALUE + ' It is one of: ' + ' | '.join([{ANSWER}[::-1] + 'a', {ANSWER}[1:] + 'b', {ANSWER}])"
    ),
    "only the first letter counts": head(
        "act", f"if ACTION.strip()[:1].lower() == {ANSWER}[:1].lower():\n    return self.win('Close enough.')"
    ),
    "naming it anywhere wins": head(
        "act", f"if {ANSWER}.lower() in ACTION.lower():\n    return self.win('There it is.')"
    ),
}
