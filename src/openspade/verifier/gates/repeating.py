"""Gates on repetition: the same seed is the same world, another seed another, and no instance disturbs another."""

from __future__ import annotations

from itertools import accumulate

from openspade.sandbox.failures import ProgramFault
from openspade.types import Problem
from openspade.verifier.gate import Judgement, short, told
from openspade.verifier.players.probe import VARIETY_SEEDS, Play, Probe

WRONG_ACTIONS = 64
"""Actions of others than the solution that are played again where instances share a module, the longest plays first."""


async def seed_control(probe: Probe) -> Judgement:
    """The same seed gives the same instance: again, in another process, and under another hash seed."""
    earlier = (await probe.instances())[: probe.config.seeds]
    for before, after in zip(earlier, await probe.begin([one.seed for one in earlier]), strict=True):
        if before != after:
            what = "first observation" if before.first != after.first else "solution"
            message = f"The same seed gives another {what}: take all chance from the rng of start()."
            seen = f"{short(str(before.first))} / {short(str(after.first))}" if what == "first observation" else ""
            return Problem(gate="seed_control", message=message, evidence=f"seed {before.seed}: {seen}")
    play = _longest(await probe.oracle())
    if play is None or await probe.play_alone(play, hash_seed=1) == play.transcript:
        return None
    if await probe.play_alone(play, hash_seed=0) == await probe.play_alone(play, hash_seed=1):
        return None
    message = "The same seed gives another episode in another process: sort sets before you use their order."
    return Problem(gate="seed_control", message=message, evidence=f"seed {play.seed} under PYTHONHASHSEED 0 and 1")


async def episode_determinism(probe: Probe) -> Judgement:
    """The same seed and actions give the same observations and rewards."""
    plays = await probe.oracle()
    for one, twin in zip(plays[::2], plays[1::2], strict=True):
        if one.transcript != twin.transcript:
            message = "The same seed and actions give another episode: act() must draw only from the rng of start()."
            return Problem(gate="episode_determinism", message=message, evidence=_difference(one, twin))
    return None


async def isolation(probe: Probe) -> Judgement:
    """An instance among others plays as it does alone, also where they share class and module: none keeps state there.

    The sandbox gives each episode a module of its own; elsewhere the program may be imported once.
    """
    play = _longest(await probe.oracle())
    if play and await probe.play_alone(play, hash_seed=0) != play.transcript:
        return _disturbed(play)
    plays = [play for play in await probe.oracle() if not isinstance(play.first, ProgramFault)]
    others = [play for play in probe.plays if play.player.name != "solution" and not play.fault and play.moves]
    others.sort(key=lambda play: len(play.moves), reverse=True)
    before = accumulate((len(play.moves) for play in others), initial=0)
    plays = [
        *plays[:2],
        *(play for play, done in zip(others, before, strict=False) if done < WRONG_ACTIONS),
        *plays[2:],
    ]
    for play, shown in zip(plays, await probe.play_sharing(plays) if plays else (), strict=True):
        if not play.fault and shown != play.transcript:
            return _disturbed(play)
    return None


def _disturbed(play: Play) -> Problem:
    message = "An instance plays otherwise when others run beside it: keep all state in self, none in class or module."
    evidence = f"seed {play.seed}, {len(play.moves)} actions of {play.player.name}"
    return Problem(gate="isolation", message=message, evidence=evidence)


async def variety(probe: Probe) -> Judgement:
    """Seeds make different instances."""
    instances = (await probe.instances())[:VARIETY_SEEDS]
    distinct = len({(str(one.first), str(one.plan)) for one in instances})
    if distinct < probe.config.min_instances:
        wanted = probe.config.min_instances
        message = f"Only {distinct} of {len(instances)} seeds differ, {wanted} must: draw more from the rng."
        return Problem(gate="variety", message=message, evidence=f"{distinct} distinct instances")
    return f"{distinct} of {len(instances)} distinct"


def _longest(plays: list[Play]) -> Play | None:
    sound = [play for play in plays if not isinstance(play.first, ProgramFault) and not play.fault]
    # The last one of them: the first instance of all would not notice what it leaves behind for the others.
    return max(reversed(sound), key=lambda play: len(play.moves), default=None)


def _difference(one: Play, twin: Play) -> str:
    for turn, ((action, result), (_, other)) in enumerate(zip(one.moves, twin.moves, strict=False), start=1):
        if result != other:
            return (
                f"seed {one.seed}, turn {turn}, action {told(action)}: "
                f"{short(result.observation.text)!r} / {short(other.observation.text)!r}"
            )
    return f"seed {one.seed}: {len(one.moves)} and {len(twin.moves)} turns"
