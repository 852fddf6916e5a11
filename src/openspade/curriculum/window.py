"""A difficulty window over families of given environments: the rule of RLVE, as a control for the Designer."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Protocol

from openspade.chance import named_rng
from openspade.errors import ConfigError
from openspade.memory.memory import Memory
from openspade.settings.worlds import PoolConfig
from openspade.tokens import JSON
from openspade.types import Brief, Design, Replay


class Family(Protocol):
    """Environments of one kind, at levels from 1 (easiest) to `levels`."""

    @property
    def name(self) -> str: ...

    @property
    def levels(self) -> int: ...

    def design(self, level: int, rng: random.Random) -> Design:
        """A design of that level, everything else by chance."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class _Standing:
    """How far a family has come: its top level, and what was seen there since it last changed."""

    top: int = 1
    instances: int = 0
    solved: float = 0.0


class DifficultyWindow:
    """Stands where the Curriculum stands: each cycle plays `count` designs of families drawn evenly, at levels drawn
    evenly from the `pool.window` levels up to the family's top.

    When `pool.promote_after` instances of the top level were played, the top rises by one if at least `pool.promote_at`
    of the plays were solved; then counting starts anew.
    """

    def __init__(
        self, families: Sequence[Family], config: PoolConfig, *, count: int, memory: Memory, run_seed: int
    ) -> None:
        self._families = _chosen(families, config.families)
        self._config = config
        self._count = count
        self._memory = memory
        self._run_seed = run_seed
        self._standings = {name: _Standing() for name in self._families}
        self._waiting: dict[str, tuple[str, int]] = {}
        self._drawn: tuple[Design, ...] = ()

    def briefs(self, cycle: int) -> list[Brief]:
        """None: nothing new is written. What was played before is counted, and this cycle's designs are drawn."""
        self._count_played()
        rng = named_rng(self._run_seed, cycle, "window")
        drawn: dict[str, Design] = {}
        while len(drawn) < self._count:
            name = rng.choice(list(self._families))
            top = self._standings[name].top
            level = rng.randint(max(1, top - self._config.window + 1), top)
            design = self._families[name].design(level, rng)
            drawn[design.id] = design
            self._waiting[design.id] = (name, level)
        self._drawn = tuple(drawn.values())
        return []

    def replays(self, cycle: int) -> tuple[Replay, ...]:
        """What `briefs` drew."""
        return tuple(Replay(design=design) for design in self._drawn)

    def metrics(self) -> Mapping[str, float]:
        tops = [standing.top for standing in self._standings.values()]
        return {
            "pool/designs": float(len(self._drawn)),
            "pool/top_level_mean": fmean(tops),
            "pool/top_level_max": float(max(tops)),
        }

    def state(self) -> dict[str, JSON]:
        """What a resume needs; taken after the cycle's designs were drawn."""
        return {
            "standings": {name: [s.top, s.instances, s.solved] for name, s in self._standings.items()},
            "waiting": {design_id: list(where) for design_id, where in self._waiting.items()},
        }

    def restore(self, state: Mapping[str, JSON]) -> None:
        """Go on where `state()` was taken."""
        standings, waiting = state.get("standings"), state.get("waiting")
        if isinstance(standings, dict) and isinstance(waiting, dict):
            self._standings |= {name: _standing(row) for name, row in standings.items()}
            self._waiting = {design_id: _place(row) for design_id, row in waiting.items()}

    def _count_played(self) -> None:
        # A design still unmeasured stays: with `run.overlap` its cycle may not be stored yet.
        for design_id, (name, level) in list(self._waiting.items()):
            stats = self._memory.stats(design_id)
            if stats is None:
                continue
            del self._waiting[design_id]
            if stats.qualified and level == self._standings[name].top:
                self._standings[name] = self._after(name, stats.seed_solve_rates)

    def _after(self, name: str, rates: Sequence[float]) -> _Standing:
        old = self._standings[name]
        instances, solved = old.instances + len(rates), old.solved + sum(rates)
        if instances < self._config.promote_after:
            return _Standing(top=old.top, instances=instances, solved=solved)
        passed = solved / instances >= self._config.promote_at
        return _Standing(top=min(old.top + passed, self._families[name].levels))


def _chosen(families: Sequence[Family], names: Sequence[str]) -> dict[str, Family]:
    known = {family.name: family for family in families}
    for name in names:
        if name not in known:
            raise ConfigError(f"pool.families names {name!r}; known: {', '.join(known)}")
    return {name: known[name] for name in names or known}


def _standing(row: JSON) -> _Standing:
    assert isinstance(row, list)
    top, instances, solved = row
    assert isinstance(top, int) and isinstance(instances, int) and isinstance(solved, int | float)
    return _Standing(top=top, instances=instances, solved=float(solved))


def _place(row: JSON) -> tuple[str, int]:
    assert isinstance(row, list)
    name, level = row
    assert isinstance(name, str) and isinstance(level, int)
    return name, level
