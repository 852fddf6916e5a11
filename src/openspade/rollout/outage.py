"""An outage of our own ends the run with its cause, instead of voiding thousands of episodes one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Sequence

from openspade.credit.outcome import Ending
from openspade.errors import RunError
from openspade.types import Episode, Outcome, Playtest


class OutageWatch:
    """Counts the episodes in a row that our infrastructure lost; one that got through begins the count anew."""

    def __init__(self, halt_after: int) -> None:
        self._halt_after = halt_after
        self._in_a_row = 0

    async def watch(self, play: Awaitable[tuple[Episode, str]]) -> tuple[Episode, str]:
        """The play's result. Raises RunError when it was the last that may be lost in a row."""
        episode, fault = await play
        self._in_a_row = self._in_a_row + 1 if is_ours(episode) else 0
        if self._in_a_row >= self._halt_after:
            raise RunError(
                f"{self._in_a_row} episodes in a row were lost to our own infrastructure; the last to: {episode.cause}"
            )
        return episode, fault


def halt_on_outage(playtests: Sequence[Playtest]) -> None:
    """Raises RunError when our own infrastructure voided half of the episodes or more, in a row or not."""
    episodes = [episode for playtest in playtests for episode in playtest.episodes]
    lost = Counter(e.cause for e in episodes if is_ours(e))
    if episodes and 2 * lost.total() >= len(episodes):
        cause, count = lost.most_common(1)[0]
        raise RunError(
            f"{lost.total()} of {len(episodes)} episodes were lost to our own infrastructure; {count} to: {cause}"
        )


def first_halt(errors: BaseExceptionGroup[BaseException]) -> RunError | None:
    """The RunError among errors that came together, if there is one."""
    for error in errors.exceptions:
        found = first_halt(error) if isinstance(error, BaseExceptionGroup) else error
        if isinstance(found, RunError):
            return found
    return None


def is_ours(episode: Episode) -> bool:
    """Whether our own infrastructure voided it."""
    return episode.outcome is Outcome.VOID and episode.cause.startswith(Ending.INFRASTRUCTURE)
