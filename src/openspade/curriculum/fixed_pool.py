"""A fixed pool in the Designer's place: the controls that play the same designs from the first cycle to the last."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from openspade.chance import named_rng
from openspade.curriculum.briefs import Curriculum
from openspade.curriculum.design_files import read_designs, write_designs
from openspade.curriculum.given_families import GIVEN, given_designs, given_families
from openspade.errors import ConfigError, RunError
from openspade.memory.database import DATABASE_FILE
from openspade.memory.search.similarity import fingerprint
from openspade.memory.write.exchange import Exported, exported_designs
from openspade.settings.worlds import PoolConfig
from openspade.tokens import JSON
from openspade.types import Brief, Design, Draft, Replay, Verdict

log = logging.getLogger(__name__)

STARTER = "pool:starter"
MOST_DRAFTS = 10
"""Drafts a design of the pool may cost on average before its writing is given up."""


class PoolWriter(Protocol):
    """Writes drafts for briefs."""

    async def design(self, briefs: Sequence[Brief]) -> list[Draft]: ...


class PoolJudge(Protocol):
    """May a draft be played, and why not."""

    async def verify(self, drafts: Sequence[Draft]) -> list[Verdict]: ...


class FixedPool:
    """Stands where the Curriculum stands: briefs nothing, plays `count` designs of the pool in every cycle.

    A round is a shuffle of the pool, played from its front; a rest too small for a whole cycle waits for the next
    shuffle. Every play is of new instances. All draws derive from seed and cycle, so there is no state to keep.
    """

    def __init__(self, designs: Sequence[Design], count: int, run_seed: int) -> None:
        if len(designs) < count:
            raise ConfigError(
                f"the pool holds {len(designs)} designs and a cycle plays {count} (cycle.briefs x drafts_per_brief): "
                "give a larger pool, or make the cycle smaller"
            )
        self._designs = tuple(designs)
        self._count = count
        self._run_seed = run_seed

    def briefs(self, cycle: int) -> list[Brief]:
        """None: nothing new is written."""
        return []

    def replays(self, cycle: int) -> tuple[Replay, ...]:
        """This cycle's share of the round."""
        cycles = len(self._designs) // self._count
        order = list(self._designs)
        named_rng(self._run_seed, cycle // cycles, "pool").shuffle(order)
        first = cycle % cycles * self._count
        return tuple(Replay(design=design) for design in order[first : first + self._count])

    def metrics(self) -> Mapping[str, float]:
        return {"pool/designs": float(len(self._designs))}

    def state(self) -> dict[str, JSON]:
        return {}

    def restore(self, state: Mapping[str, JSON]) -> None: ...


async def settle_pool(
    file: Path, config: PoolConfig, run_seed: int, parts: tuple[Curriculum, PoolWriter, PoolJudge]
) -> list[Design]:
    """The run's pool: as its first start wrote it into `file`, otherwise drawn, read or written now, and kept there."""
    if not file.exists():
        if config.source in GIVEN:
            families = given_families(config.source, config.families)
            designs = given_designs(families, config.size, config.window, run_seed)
        else:
            designs = collect(config.source) if config.source else await write_pool(config.size, *parts)
        write_designs((Exported(design=design, asked_skill=design.skill) for design in designs), file)
    return [exported.design for exported in read_designs(file)]


async def write_pool(size: int, curriculum: Curriculum, author: PoolWriter, judge: PoolJudge) -> list[Design]:
    """`size` accepted designs, no program twice. Before cycle 0 the memory is empty, so the briefs show no past design.

    Raises RunError when too few of very many drafts may be played.
    """
    found: dict[str, Design] = {}
    drafts_written, rounds = 0, 0
    while len(found) < size:
        verdicts = await judge.verify(await author.design(curriculum.briefs(rounds)))
        for verdict in verdicts:
            if verdict.accepted and (design := verdict.draft.design):
                found.setdefault(fingerprint(design.source), design)
        drafts_written, rounds = drafts_written + len(verdicts), rounds + 1
        log.info("the pool has %s of %s designs after %s drafts", min(len(found), size), size, drafts_written)
        if drafts_written >= MOST_DRAFTS * size and len(found) < size:
            raise RunError(
                f"of {drafts_written} drafts only {len(found)} may be played and differ; pool.size is {size}: "
                "warm the policy up first, or give a pool with pool.source"
            )
    return list(found.values())[:size]


def collect(source: str) -> list[Design]:
    """The designs of the starter pool, of a folder of programs, of a JSONL file, or those another run accepted.

    Raises ConfigError where there are none.
    """
    path = Path(__file__).parents[1] / "pool" / "starter" if source == STARTER else Path(source)
    if not path.exists():
        ways = ", ".join((*GIVEN, STARTER))
        raise ConfigError(f"pool.source is {source!r}; use {ways}, a folder of programs, a JSONL file or a run")
    database = path / DATABASE_FILE
    exported = exported_designs(database) if database.is_file() else read_designs(path)
    designs = [one.design for one in exported]
    if not designs:
        raise ConfigError(f"pool.source is {source!r}, and that run has accepted no design yet")
    return designs
