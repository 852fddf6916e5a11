"""The datasets of Reasoning Gym (`reasoning-gym`) as two base classes: the package words and scores the questions.

Importing this loads all of them and what they would import or read later, some five seconds of CPU.
"""

from __future__ import annotations

import copy
import importlib
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, ClassVar

from openspade.given.rg_answers import final_answer, is_harmless, is_right_strictly
from openspade.given.rg_oracles import oracle_answer
from openspade.given.rg_preload import preload
from openspade.given.verdicts import LOOSE, ScoredGame
from openspade.openspade_env import ContractError

preload()
_FACTORY = importlib.import_module("reasoning_gym.factory")
_SYMPY: Any = importlib.import_module("sympy")
_INTEGRALS = ("intermediate_integration", "simple_integration")
_POINTS, _NEARLY_ZERO = (0.37, 1.23), 1e-6
_FULL_SCORE = 1 - 1e-9
_SEEDS, _ATTEMPTS = 2**31, 8
_DATASET_SIZE = 500
_UNJUDGED: Mapping[str, float] = MappingProxyType({"score": 0.0, "strict": 0.0})

Entry = Mapping[str, Any]
"""A question as Reasoning Gym makes it: `question`, `answer` and the `metadata` that its scorer reads."""


class Frozen(ScoredGame):
    """Questions made beforehand, so that the suite is the same on every machine; Reasoning Gym scores the answers.

    >>> class Sum(Frozen):
    ...     '''Reasoning Gym: chain_sum.'''
    ...     dataset = "chain_sum"
    ...     questions = [{"question": "2 + 3 = ?", "answer": "5", "metadata": {}}]
    >>> game = Sum()
    >>> game.reset(seed=0)[0]
    '2 + 3 = ?'
    >>> game.step("It is <answer>5</answer>.")
    ('Right.', 1.0, True, False, {'score': 1.0, 'strict': 1.0})
    """

    dataset: str = ""
    settings: ClassVar[Mapping[str, Any]] = {}
    """Settings of the dataset that made the questions: some scorers read them."""
    questions: ClassVar[Sequence[Entry]] = ()
    _gym: ClassVar[Any] = None
    verdict: Mapping[str, float] = _UNJUDGED

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._gym = scorer(cls.dataset, cls.settings)

    def start(self, rng: random.Random) -> str:
        self._entry = self.questions[rng.randrange(len(self.questions))]
        return self._entry["question"]

    def act(self, action: str) -> str:
        """Reasoning Gym's verdict; won where its score is 1."""
        self.verdict = judge(self._gym, self.dataset, self._entry, action)
        return self.score(float(self.verdict["score"] >= _FULL_SCORE), words(self.verdict))

    def solution(self) -> list[str]:
        return [self._entry.get("oracle") or str(self._entry["answer"])]


class Generated(ScoredGame):
    """Ever new questions of a dataset, as hard as its own curriculum makes them at a level from 1.

    >>> class Sums(Generated):
    ...     '''Reasoning Gym: chain_sum, level 2.'''
    ...     dataset = "chain_sum"
    ...     level = 2
    >>> game = Sums()
    >>> game.reset(seed=1)[0]
    'State the final answer to the following arithmetic problem: 5 + 5 - 1 ='
    >>> game.step(game.plan()[0])[1]
    1.0
    """

    dataset: str = ""
    level: int = 1
    choice: int = 0
    """Sets the questions of one design apart from those of others of its level."""
    _made: ClassVar[Any] = None
    verdict: Mapping[str, float] = _UNJUDGED

    def __init_subclass__(cls) -> None:
        """Word lists are sorted and tables built here, once for all instances."""
        super().__init_subclass__()
        cls._made = dataset_at(cls.dataset, cls.level)

    def start(self, rng: random.Random) -> str:
        """The first question that the dataset can make of a few seeds; some search for one and give up at times."""
        self._gym = copy.copy(self._made)
        for _ in range(_ATTEMPTS):
            seed = (rng.randrange(_SEEDS) + self.choice) % _SEEDS
            self._gym.seed, self._gym.config = seed, replace(self._made.config, seed=seed)
            try:
                self._entry = self._gym[seed % _DATASET_SIZE]
            except (RuntimeError, ValueError):
                continue
            return self._entry["question"]
        raise ContractError(f"Reasoning Gym made no question of {self.dataset} at level {self.level}")

    def act(self, action: str) -> str:
        """Reasoning Gym's verdict; won where its score is 1 and the answer is one."""
        self.verdict = judge(self._gym, self.dataset, self._entry, action)
        return self.win("Right.") if self.verdict["strict"] else self.lose("Wrong.")

    def solution(self) -> list[str]:
        return [oracle_answer(self.dataset, self._entry)]


def judge(gym: Any, dataset: str, entry: Entry, reply: str) -> Mapping[str, float]:
    """Reasoning Gym's score of a reply, and 1 or 0 by a strict reading that also asks for an answer in substance."""
    answer = final_answer(reply)
    score = 0.0
    if is_harmless(dataset, answer) and not (dataset in _INTEGRALS and is_far_off(answer, entry)):
        try:
            score = float(gym.score_answer(answer, entry))
        except Exception:  # noqa: BLE001 - scorers raise on answers that their authors never saw; those are wrong
            score = 0.0
    strict = score >= _FULL_SCORE and is_right_strictly(dataset, answer, entry)
    return {"score": score, "strict": float(strict)}


def is_far_off(answer: str, entry: Entry) -> bool:
    """Whether an integral's derivative differs from the integrand at a point: its scorer would say so, too, but may
    first try for seconds to simplify the difference away."""
    name = entry["metadata"]["variable"]
    x = _SYMPY.Symbol(name)
    try:
        integral = _SYMPY.parse_expr(answer, local_dict={name: x, "C": _SYMPY.Symbol("C")})
        integrand = _SYMPY.parse_expr(entry["metadata"]["integrand"], local_dict={name: x})
        difference = _SYMPY.diff(integral, x) - integrand
        return any(abs(complex(difference.subs(x, point).evalf())) > _NEARLY_ZERO for point in _POINTS)
    except Exception:  # noqa: BLE001 - what sympy cannot read or compute is left to the scorer
        return False


def words(verdict: Mapping[str, float]) -> str:
    """What the Agent is told, and what `openspade evaluate` reads its strict score from."""
    if verdict["score"] < _FULL_SCORE:
        return "Wrong."
    return "Right." if verdict["strict"] else LOOSE


def scorer(name: str, settings: Mapping[str, Any]) -> Any:
    """A dataset that only scores: making it whole would sort words and build tables for questions that are there."""
    kind, config_kind = _registered(name)
    gym = kind.__new__(kind)
    gym.config = config_kind(**settings)
    if name == "word_ladder":
        gym.word_sets = kind._load_words_from_csv(gym.config.min_word_length, gym.config.max_word_length)
    elif name in ("arc_agi", "rearc"):
        gym.board_format_opts = gym.config.board_format_opts
    elif name == "sokoban":
        source = "reasoning_gym.games.contrib.sokoban.src"
        gym._Game = sys.modules[f"{source}.game"].Game
        gym._is_solved = staticmethod(sys.modules[f"{source}.utils"].is_solved)
    return gym


def dataset_at(name: str, level: int) -> Any:
    """The dataset with every attribute of its curriculum at that level, or at its top where that is lower."""
    kind, config_kind = _registered(name)
    always = {"seed": 0, "size": _DATASET_SIZE}
    curriculum = _FACTORY.CURRICULA[name]() if name in _FACTORY.CURRICULA else None
    if curriculum is None:
        return kind(config_kind(**always))
    curriculum.set_global_level(level - 1)
    return kind(curriculum.generate_configuration(always))


def _registered(name: str) -> tuple[Any, Any]:
    if name not in _FACTORY.DATASETS:
        raise ContractError(f"Reasoning Gym has no dataset {name!r}")
    return _FACTORY.DATASETS[name]
