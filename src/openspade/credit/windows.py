"""Cycles whose Designer is not paid yet: with `cycle.reuse` above 1 a design is judged by several cycles' plays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from openspade.tokens import JSON
from openspade.types import Playtest, Verdict

Recall = Callable[[int], tuple[Sequence[Verdict], Sequence[Playtest]]]
"""Reads a stored cycle's verdicts and playtests back."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Window:
    """One cycle's drafts, and their designs' playtests so far."""

    cycle: int
    verdicts: tuple[Verdict, ...]
    playtests: tuple[Playtest, ...] = ()

    def with_plays(self, playtests: Sequence[Playtest]) -> Window:
        """The window with those of the playtests that are of its designs, several of one design as one."""
        mine = {v.draft.design.id for v in self.verdicts if v.accepted and v.draft.design}
        pooled = {playtest.design.id: playtest for playtest in self.playtests}
        for playtest in playtests:
            if playtest.design.id in mine:
                before = pooled.get(playtest.design.id)
                pooled[playtest.design.id] = _pool(before, playtest) if before else playtest
        return Window(cycle=self.cycle, verdicts=self.verdicts, playtests=tuple(pooled.values()))


class Windows:
    """Windows stay open for `reuse` cycles; the run's last cycle closes all.

    Their content is in the run's memory already, so the state is only which cycles are open, and what is not kept
    there: the returns of moves that were made for other instances.
    """

    def __init__(self, reuse: int, last_cycle: int, recall: Recall | None = None) -> None:
        self._reuse = reuse
        self._last_cycle = last_cycle
        self._recall = recall
        self._open: list[Window] = []
        self._cycle = -1

    def advance(self, cycle: int, verdicts: Sequence[Verdict], playtests: Sequence[Playtest]) -> list[Window]:
        """Take in a cycle; the windows that it completes."""
        self._take(cycle, verdicts, playtests)
        done = [w for w in self._open if cycle - w.cycle >= self._reuse - 1 or cycle >= self._last_cycle]
        self._open = [window for window in self._open if window not in done]
        return done

    def state(self) -> Mapping[str, JSON]:
        """What a resume needs."""
        blind: dict[str, JSON] = {
            str(window.cycle): {p.design.id: p.blind_return for p in window.playtests if p.blind_return is not None}
            for window in self._open
        }
        return {"open": [window.cycle for window in self._open], "cycle": self._cycle, "blind": blind}

    def restore(self, state: Mapping[str, JSON]) -> None:
        """Read the open cycles back."""
        waiting, until = state.get("open", []), state.get("cycle", -1)
        assert isinstance(waiting, list) and isinstance(until, int)
        self._open = []
        first = min((cycle for cycle in waiting if isinstance(cycle, int)), default=until + 1)
        for cycle in range(first, until + 1):
            assert self._recall is not None
            self._take(cycle, *self._recall(cycle))
        blind = state.get("blind", {})
        returns = blind if isinstance(blind, dict) else {}
        self._open = [_with_blind(w, returns.get(str(w.cycle))) for w in self._open if w.cycle in waiting]
        self._cycle = until

    def _take(self, cycle: int, verdicts: Sequence[Verdict], playtests: Sequence[Playtest]) -> None:
        fresh = Window(cycle=cycle, verdicts=tuple(verdicts))
        self._open = [window.with_plays(playtests) for window in (*self._open, fresh)]
        self._cycle = cycle


def _with_blind(window: Window, returns: JSON) -> Window:
    """The window with the blind returns of its designs, by their ids."""
    known = returns if isinstance(returns, dict) else {}
    found = {name: float(value) for name, value in known.items() if isinstance(value, int | float)}
    playtests = tuple(replace(one, blind_return=found.get(one.design.id)) for one in window.playtests)
    return replace(window, playtests=playtests)


def _pool(before: Playtest, after: Playtest) -> Playtest:
    """One playtest of all episodes; instances differ from cycle to cycle, so nothing is counted twice."""
    blind = after.blind_return if before.blind_return is None else before.blind_return
    fault, episodes = before.fault or after.fault, before.episodes + after.episodes
    return Playtest(design=before.design, episodes=episodes, fault=fault, blind_return=blind)
