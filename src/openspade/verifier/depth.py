"""The gate on interaction: a game that claims turns must use them."""

from __future__ import annotations

import re
from collections import defaultdict

from openspade.types import Action, Problem
from openspade.verifier.gate import Judgement, short
from openspade.verifier.probe import Cast, Probe, Script

SEEDS = 4
OTHERS = 4


async def decision_depth(probe: Probe) -> Judgement:
    """Games that set `max_turns` above 1: a wrong move does not end everything, and what is seen depends on the move.

    A game that leaves `max_turns` alone makes no claim, and a game of one question sets it to 1.
    """
    if probe.is_tool or probe.design.max_turns == 1 or not _claims_turns(probe.design.source):
        return None
    plays = await probe.play(await _first_moves(probe))
    if all(play.ended for play in plays):
        message = f"max_turns is {probe.design.max_turns}, but every first action ends the episode: set max_turns = 1."
        return Problem(gate="decision_depth", message=message, evidence=f"{len(plays)} first actions")
    seen: dict[int, set[str]] = defaultdict(set)
    for play in plays:
        if play.moves and not play.solved:
            # A move that loses at once shows something too; one that wins at once shows no depth.
            seen[play.seed].add("(the end)" if play.ended else play.moves[0][1].observation.text)
    deaf = [seed for seed, texts in seen.items() if len(texts) == 1]
    if 2 * len(deaf) > SEEDS:
        message = "The second observation is the same whatever the first action was: let actions show something."
        evidence = f"seed {deaf[0]}: {short(next(iter(seen[deaf[0]])))!r}"
        return Problem(gate="decision_depth", message=message, evidence=evidence)
    return None


def _claims_turns(source: str) -> bool:
    return re.search(r"^\s+max_turns\s*(:\s*int\s*)?=", source, re.MULTILINE) is not None


async def _first_moves(probe: Probe) -> list[Cast]:
    """Nonsense, the first moves of other solutions, and of the own one."""
    plans = [plan for plan in await probe.solved_plans() if plan]
    distinct = list(dict.fromkeys(plan[0].text for plan in plans[SEEDS:]))[:OTHERS]
    casts: list[Cast] = []
    for index, seed in enumerate(probe.seeds(SEEDS)):
        own = [plans[index][0].text] if index < len(plans) else []
        for text in dict.fromkeys(["?!", *distinct, *own]):
            casts.append(Cast(seed=seed, player=Script(actions=(Action(text=text),), name="a first move")))
    return casts
