"""What a playtest says about a design beyond its figures: four ways to look learnable and not be (ALGORITHM §2)."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from openspade.types import DesignStats

HINT_NEEDED, HINT_HURTS, LUCK, SATURATED = "hint needed", "hint hurts", "luck", "saturated"
FLAGS = {
    HINT_NEEDED: "almost never solved without the hint, almost always with it: the rule may stand in the hint alone",
    HINT_HURTS: "solved less with the hint than without, by more than twice the standard error",
    LUCK: "both arms earn what the same moves earn on other instances: whatever is done, as much is won",
    SATURATED: "almost always solved in both arms: nothing is left to learn",
}
NEVER, ALWAYS = 0.1, 0.9
LEAST_PAIRS = 4
"""Pairs below which a difference between the arms says nothing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Arms:
    """What is known of a design's two arms; None where the hinted one was never played."""

    pairs: int
    solve_rate: float
    hinted_solve_rate: float | None
    regret: float = 0.0
    regret_se: float = 0.0


def flags_of(arms: Arms, *, luck: bool) -> tuple[str, ...]:
    """The flags of a design, in the order of `FLAGS`."""
    hinted = arms.hinted_solve_rate
    enough = hinted is not None and arms.pairs >= LEAST_PAIRS
    raised = {
        HINT_NEEDED: enough and arms.solve_rate <= NEVER and (hinted or 0.0) >= ALWAYS,
        HINT_HURTS: enough and arms.regret + 2 * arms.regret_se < 0,
        LUCK: luck,
        SATURATED: arms.solve_rate >= ALWAYS and (hinted is None or hinted >= ALWAYS),
    }
    return tuple(flag for flag, is_raised in raised.items() if is_raised)


def measured_flags(stats: DesignStats) -> tuple[str, ...]:
    """The flags of a playtest that counts; none of one that does not."""
    if not stats.qualified:
        return ()
    arms = Arms(
        pairs=stats.pairs,
        solve_rate=stats.solve_rate,
        hinted_solve_rate=stats.hinted_solve_rate if stats.hinted_played else None,
        regret=stats.regret,
        regret_se=stats.regret_se,
    )
    return flags_of(arms, luck=_is_luck(stats))


def stored_flags(
    pairs: int | None,
    solve_rate: float | None,
    hinted_solve_rate: float | None,
    regret: float | None,
    regret_se: float | None,
    failing: str | None,
) -> tuple[str, ...]:
    """Flags of what a run keeps: `failing` says what was found when it was played, luck among it."""
    if pairs is None or solve_rate is None or failing == "fault":
        return ()
    arms = Arms(
        pairs=pairs,
        solve_rate=solve_rate,
        hinted_solve_rate=hinted_solve_rate,
        regret=regret or 0.0,
        regret_se=regret_se or 0.0,
    )
    return flags_of(arms, luck=failing == LUCK)


def _is_luck(stats: DesignStats) -> bool:
    """Whether the moves of both arms earn no more than on instances for which they were not made."""
    if stats.blind_return is None or not stats.hinted_played or stats.pairs < LEAST_PAIRS:
        return False
    both = (stats.unaided_return + stats.hinted_return) / 2
    alike = abs(stats.regret) <= max(2 * stats.regret_se, 1 / stats.pairs)
    margin = sqrt(max(both * (1 - both), 0.0) / (2 * stats.pairs))
    return alike and both > NEVER and both - stats.blind_return <= margin
