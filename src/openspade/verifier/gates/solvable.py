"""The gate on a design's own solution: it wins."""

from __future__ import annotations

from openspade.sandbox.failures import ProgramFault
from openspade.types import Problem
from openspade.verifier.gate import Judgement, faulty, short, told
from openspade.verifier.players.probe import Cast, Play, Probe, Script


async def oracle_max(probe: Probe) -> Judgement:
    """`solution()` earns 1 on every seed that was begun, within the turns there are."""
    instances = await probe.instances()
    for one in instances:
        if isinstance(one.plan, ProgramFault):
            return faulty("oracle_max", one.plan, where=f"solution() after reset(seed={one.seed})")
    more = [
        Cast(seed=one.seed, player=Script(actions=one.plan, name="solution"))
        for one in instances[probe.config.seeds :]
        if not isinstance(one.plan, ProgramFault)
    ]
    for play in [*(await probe.oracle())[::2], *await probe.play(more)]:
        if play.fault:
            return faulty("oracle_max", play.fault, where=f"seed {play.seed}, solution() at turn {len(play.moves) + 1}")
        if not play.solved:
            return Problem(gate="oracle_max", message=_why_unsolved(probe, play), evidence=_ending(play))
    return None


def _why_unsolved(probe: Probe, play: Play) -> str:
    if not play.ended and isinstance(play.player, Script) and len(play.player.actions) > probe.design.max_turns:
        return f"solution() takes {len(play.player.actions)} turns, max_turns allows {probe.design.max_turns}."
    if not play.ended:
        return "solution() does not end the episode: after its last action act() must return self.win(...)."
    return f"solution() ends with reward {play.moves[-1][1].reward:g}, not 1: act() must accept what solution() says."


def _ending(play: Play) -> str:
    if not play.moves:
        return f"seed {play.seed}: solution() is empty"
    action, result = play.moves[-1]
    answer = " ".join(filter(None, (*result.observation.results, result.observation.text)))
    return f"seed {play.seed}, turn {len(play.moves)}, action {told(action)}: {short(answer)!r}"
