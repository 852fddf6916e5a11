"""The gate on interaction: a game that claims turns must use them."""

from __future__ import annotations

import re
from collections import defaultdict

from openspade.types import Action, Problem
from openspade.verifier.gate import Judgement, short
from openspade.verifier.players.probe import Cast, Probe, Script

SEEDS = 4
OTHERS = 4


async def decision_depth(probe: Probe) -> Judgement:
    """Where several turns are asked for or claimed: no first move decides everything, and what is seen depends on it.

    A brief asks by its skill (`turns = "several"`). A game claims turns by setting `max_turns` above 1; one that leaves
    it alone claims nothing.
    """
    asked = probe.skill.turns == "several"
    if asked and probe.design.max_turns == 1:
        message = (
            "The brief asks for several turns, and max_turns is 1: let what is seen depend on what was done before."
        )
        return Problem(gate="decision_depth", message=message)
    if probe.is_tool:
        return await _short_task(probe) if asked else None
    if not asked and (probe.design.max_turns == 1 or not _claims_turns(probe.design.source)):
        return None
    plays = await probe.play(await _first_moves(probe))
    if all(play.ended for play in plays):
        advice = "let it go on" if asked else "set max_turns = 1"
        message = f"max_turns is {probe.design.max_turns}, but every first action ends the episode: {advice}."
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


async def _short_task(probe: Probe) -> Problem | None:
    """A task whose solution is a single message."""
    plans = (await probe.solved_plans())[: probe.config.seeds]
    if any(len(plan) > 1 for plan in plans):
        return None
    message = "The brief asks for several turns, and one message meets all requests: let a call need another's result."
    return Problem(gate="decision_depth", message=message, evidence=f"{len(plans)} solutions of one message")


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
