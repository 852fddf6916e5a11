"""The twelve environments of a report: a few of everything that can happen to a design, chosen by rule.

The rules stand in docs/evaluation.md. Each takes its best designs in turn; what the rules leave over goes to those
whose hint taught most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from openspade.errors import StorageError
from openspade.memory.memory import Memory
from openspade.memory.read.design_list import StoredDesign, Wanted
from openspade.memory.write.cycle_rows import EASY
from openspade.types import DesignStats, Episode, Outcome, Playtest, Verdict

SHOWN = 12
CANDIDATES = 2000
"""Designs looked at: so many of highest regret, and so many of the newest."""
EACH_SKILL = 3
"""At most so many designs of one skill are shown for their hint, so that the page shows the breadth of the run."""
RARE = 0.25


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """Why a design may be shown: `worth` orders its candidates and is None for the others."""

    title: str
    count: int
    worth: Callable[[StoredDesign], float | None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Exhibit:
    """A chosen design, why it was chosen, and what is stored of its trial and of one instance played in both arms."""

    why: str
    stored: StoredDesign
    verdict: Verdict | None = None
    unaided: Episode | None = None
    hinted: Episode | None = None


def choose(memory: Memory) -> list[Exhibit]:
    """The exhibits of a run, with their ladders and episodes. Raises StorageError."""
    best = memory.designs(Wanted(accepted=True, order="regret", limit=CANDIDATES))
    newest = memory.designs(Wanted(accepted=True, limit=CANDIDATES))
    refused = memory.designs(Wanted(accepted=False, limit=CANDIDATES))
    candidates = {stored.design.id: stored for stored in (*best, *newest, *refused)}
    stored_cycles = _StoredCycles(memory)
    return [stored_cycles.fetch(why, stored) for why, stored in pick([*candidates.values()])]


def pick(candidates: Sequence[StoredDesign], count: int = SHOWN) -> list[tuple[str, StoredDesign]]:
    """(why, design) by the rules, each rule's share first, then more of the first rule's; no title twice."""
    ranked = {rule.title: _ranked(rule, candidates) for rule in RULES}
    taken: list[tuple[str, StoredDesign]] = []
    for rule in RULES:
        _take(taken, rule.title, ranked[rule.title], min(rule.count, count - len(taken)))
    _take(taken, RULES[0].title, ranked[RULES[0].title], count - len(taken))
    order = [rule.title for rule in RULES]
    return sorted(taken, key=lambda item: order.index(item[0]))


class _StoredCycles:
    """Stored cycles, each read once."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._cycles: dict[int, tuple[Mapping[str, Verdict], Mapping[str, Playtest]]] = {}

    def fetch(self, why: str, stored: StoredDesign) -> Exhibit:
        design_id = stored.design.id
        verdicts, _ = self._read(stored.cycle)
        _, playtests = self._read(self._memory.last_hinted_cycle(design_id))
        pair = telling_pair(playtests[design_id], stored.stats) if design_id in playtests else None
        return Exhibit(
            why=why,
            stored=stored,
            verdict=verdicts.get(design_id),
            unaided=pair[0] if pair else None,
            hinted=pair[1] if pair else None,
        )

    def _read(self, cycle: int) -> tuple[Mapping[str, Verdict], Mapping[str, Playtest]]:
        if cycle not in self._cycles:
            try:
                verdicts, playtests = self._memory.reread(cycle) if cycle >= 0 else ((), ())
            except StorageError:
                # The database outlives its episode files where somebody made room: the page then shows less.
                verdicts, playtests = (), ()
            self._cycles[cycle] = (
                {verdict.draft.design.id: verdict for verdict in verdicts if verdict.draft.design},
                {playtest.design.id: playtest for playtest in playtests},
            )
        return self._cycles[cycle]


def telling_pair(playtest: Playtest, stats: DesignStats | None) -> tuple[Episode, Episode] | None:
    """One play of one instance in both arms, the one that shows best what the regret says; None without any."""
    arms: dict[tuple[int, int], dict[bool, Episode]] = {}
    for episode in playtest.episodes:
        if episode.outcome is not Outcome.VOID:
            arms.setdefault((episode.seed, episode.play), {})[episode.hinted] = episode
    pairs = [(arm[False], arm[True]) for arm in arms.values() if len(arm) == 2]
    towards = -1.0 if stats and stats.regret < 0 else 1.0
    return max(pairs, key=lambda pair: towards * (pair[1].return_ - pair[0].return_), default=None)


def _ranked(rule: Rule, candidates: Sequence[StoredDesign]) -> list[StoredDesign]:
    worths = [(worth, stored) for stored in candidates if (worth := rule.worth(stored)) is not None]
    return [stored for _, stored in sorted(worths, key=lambda item: -item[0])]


def _take(taken: list[tuple[str, StoredDesign]], title: str, ranked: Sequence[StoredDesign], count: int) -> None:
    skills = Counter(stored.asked_skill for why, stored in taken if why == title)
    titles = {stored.design.title for _, stored in taken}
    gates = {stored.problem.gate for _, stored in taken if stored.problem}
    for stored in ranked:
        gate = stored.problem.gate if stored.problem else None
        if count <= 0:
            return
        if stored.design.title in titles or skills[stored.asked_skill] >= EACH_SKILL or gate in gates:
            continue
        taken.append((title, stored))
        skills[stored.asked_skill] += 1
        titles.add(stored.design.title)
        gates |= {gate} if gate else set()
        count -= 1


def _sound(stored: StoredDesign) -> DesignStats | None:
    stats = stored.stats
    return stats if stored.accepted and stats and stats.qualified and stats.hinted_played else None


def _taught(stored: StoredDesign) -> float | None:
    stats = _sound(stored)
    if stats is None:
        return None
    worth = 4 * stats.solve_rate * (1 - stats.solve_rate) * (stats.regret - stats.regret_se)
    return worth if worth > 0 else None


def _rare(stored: StoredDesign) -> float | None:
    stats = _sound(stored)
    return -stats.solve_rate if stats and 0 < stats.solve_rate <= RARE else None


def _hint_only(stored: StoredDesign) -> float | None:
    stats = _sound(stored)
    return stats.hinted_solve_rate if stats and stats.solve_rate == 0 < stats.hinted_solve_rate else None


def _out_of_reach(stored: StoredDesign) -> float | None:
    stats = _sound(stored)
    return float(stored.cycle) if stats and stats.solve_rate == 0 == stats.hinted_solve_rate else None


def _easy(stored: StoredDesign) -> float | None:
    stats = _sound(stored)
    return float(stored.cycle) if stats and stats.solve_rate >= EASY else None


def _misled(stored: StoredDesign) -> float | None:
    stats = _sound(stored)
    return -stats.regret - stats.regret_se if stats and stats.regret + stats.regret_se < 0 else None


def _broke(stored: StoredDesign) -> float | None:
    return float(stored.cycle) if stored.accepted and stored.stats and stored.stats.fault else None


def _refused(stored: StoredDesign) -> float | None:
    """Those with something to see, the most of it first."""
    problem = stored.problem
    return float(min(len(problem.evidence), 400)) if problem and problem.evidence else None


RULES = (
    Rule(title="Its hint taught most", count=4, worth=_taught),
    Rule(title="Solved rarely", count=1, worth=_rare),
    Rule(title="Only the hint opens it", count=1, worth=_hint_only),
    Rule(title="Out of reach, with the hint too", count=1, worth=_out_of_reach),
    Rule(title="Too easy", count=1, worth=_easy),
    Rule(title="Its hint misled", count=1, worth=_misled),
    Rule(title="Broke while it was played", count=1, worth=_broke),
    Rule(title="Refused", count=2, worth=_refused),
)
