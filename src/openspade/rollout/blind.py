"""What the same moves earn on other instances: where it is as much, it does not matter what is done."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from openspade.credit.outcome import Ending, ReturnKind, conclude
from openspade.sandbox.base import Sandbox
from openspade.sandbox.failures import ProgramFault, SandboxFailure
from openspade.types import Design, Episode, Outcome

BETWEEN = (0.1, 0.95)
ALIKE = 0.3


async def blind_return(pool: Sandbox, design: Design, episodes: Sequence[Episode], kind: ReturnKind) -> float | None:
    """Mean return of the unaided moves on all other seeds of the playtest; None where luck is out of the question.

    That is where the arms differ, or where nearly nothing or nearly all is won.
    """
    sound = [episode for episode in episodes if episode.outcome is not Outcome.VOID]
    arms = [[episode.return_ for episode in sound if episode.hinted == hinted] for hinted in (False, True)]
    if not all(arms) or abs(fmean(arms[0]) - fmean(arms[1])) > ALIKE:
        return None
    if not BETWEEN[0] < fmean([*arms[0], *arms[1]]) < BETWEEN[1]:
        return None
    seeds = sorted({episode.seed for episode in sound})
    casts = [(e, seed) for e in sound if not e.hinted and e.turns for seed in seeds if seed != e.seed]
    try:
        return await _mean_return(pool, design, casts, kind) if casts else None
    except SandboxFailure:
        return None


async def _mean_return(pool: Sandbox, design: Design, casts: Sequence[tuple[Episode, int]], kind: ReturnKind) -> float:
    rewards: list[list[float]] = [[] for _ in casts]
    endings = [Ending.TURNS] * len(casts)
    async with await pool.open(design.source, instances=len(casts)) as child:
        firsts = await child.reset([seed for _, seed in casts])
        going = [index for index, first in enumerate(firsts) if not isinstance(first, ProgramFault)]
        for turn in range(design.max_turns):
            going = [index for index in going if turn < len(casts[index][0].turns)]
            if not going:
                break
            results = await child.step({index: casts[index][0].turns[turn].action for index in going})
            for index, result in results.items():
                if isinstance(result, ProgramFault):
                    going.remove(index)
                    continue
                rewards[index].append(result.reward)
                if result.terminated or result.truncated:
                    endings[index] = Ending.TERMINATED if result.terminated else Ending.ENVIRONMENT
                    going.remove(index)
    return fmean(conclude(ending, earned, kind)[1] for ending, earned in zip(endings, rewards, strict=True))
