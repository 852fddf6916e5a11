"""Which designs leave: those of a run, a file or a pool that meet every condition, the foremost first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from openspade.curriculum.design_files import read_designs
from openspade.curriculum.fixed_pool import DATABASE_FILE, STARTER
from openspade.errors import ConfigError
from openspade.memory.read.provenance import Provenance, read_provenance
from openspade.memory.write.exchange import Exported, exported_designs

Order = Literal["regret", "value", "newest"]
ORDERS: tuple[Order, ...] = ("regret", "value", "newest")
_DEVIATIONS = 1.96
"""Standard errors that a 95 % interval reaches to either side."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Selection:
    """Conditions on designs; None leaves one out. What was never played meets none on plays."""

    top: int | None = None
    by: Order = "newest"
    skill: str | None = None
    min_regret: float | None = None
    solve_rates: tuple[float, float] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Selected:
    """A design with all that is known of it; `provenance` None outside a run."""

    exported: Exported
    provenance: Provenance | None = None

    @property
    def plays(self) -> int:
        return self.exported.unaided_plays

    @property
    def solve_rate(self) -> float | None:
        return self.exported.stats.solve_rate if self.exported.stats else None

    @property
    def solve_rate_interval(self) -> tuple[float, float] | None:
        """Wilson's, 95 %."""
        rate = self.solve_rate
        return None if rate is None or not self.plays else wilson(rate, self.plays)

    @property
    def regret(self) -> float | None:
        stats = self.exported.stats
        return stats.regret if stats and stats.hinted_played else None

    @property
    def regret_interval(self) -> tuple[float, float] | None:
        """95 %, from the standard error over seeds."""
        stats = self.exported.stats
        if stats is None or not stats.hinted_played or not math.isfinite(stats.regret_se):
            return None
        half = _DEVIATIONS * stats.regret_se
        return stats.regret - half, stats.regret + half


def select(source: str, selection: Selection) -> list[Selected]:
    """The designs of a source, chosen and in order. Raises ConfigError where none is left."""
    found = _read(source)
    if selection.by == "value" and not all(candidate.provenance for candidate in found):
        raise ConfigError(f"--by value: only a run knows its designs' value, {source} is none; use regret or newest")
    chosen = [candidate for candidate in found if _meets(candidate, selection)]
    if not chosen:
        raise ConfigError(f"none of the {len(found)} designs of {source} meets {_told(selection)}")
    return sorted(chosen, key=lambda candidate: _rank(candidate, selection.by), reverse=True)[: selection.top]


def wilson(share: float, count: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share of `count`.

    >>> tuple(round(end, 3) for end in wilson(0.5, 8))
    (0.215, 0.785)
    """
    square = _DEVIATIONS**2 / count
    middle = (share + square / 2) / (1 + square)
    half = _DEVIATIONS * math.sqrt(share * (1 - share) / count + square / (4 * count)) / (1 + square)
    return max(0.0, middle - half), min(1.0, middle + half)


def _read(source: str) -> Sequence[Selected]:
    path = _path(source)
    database = path / DATABASE_FILE
    if not database.is_file():
        designs = {one.design.id: Selected(exported=one) for one in read_designs(path)}
        if not designs:
            raise ConfigError(f"{source} holds no design")
        return list(designs.values())
    provenance = read_provenance(database)
    candidates = [Selected(exported=one, provenance=provenance[one.design.id]) for one in exported_designs(database)]
    if not candidates:
        raise ConfigError(f"the run {source} has accepted no design yet")
    return candidates


def _path(source: str) -> Path:
    if not source.startswith("pool:"):
        path = Path(source)
    elif source.partition("/")[0] == STARTER:
        folder, name = Path(__file__).parents[1] / "pool" / "starter", source.partition("/")[2]
        path = folder / f"{name.removesuffix('.py')}.py" if name else folder
    else:
        raise ConfigError(f"there is no {source}; the package holds {STARTER}")
    if not path.exists():
        raise ConfigError(f"there is no {source}: name a run, a folder of programs, a .py or .jsonl file, or {STARTER}")
    return path


def _meets(candidate: Selected, selection: Selection) -> bool:
    exported, wanted = candidate.exported, selection
    if wanted.skill is not None and wanted.skill not in (exported.asked_skill, exported.design.skill):
        return False
    if wanted.min_regret is not None and (candidate.regret is None or candidate.regret < wanted.min_regret):
        return False
    if wanted.solve_rates is None:
        return True
    low, high = wanted.solve_rates
    return candidate.solve_rate is not None and low <= candidate.solve_rate <= high


def _rank(candidate: Selected, by: Order) -> float:
    if by == "value":
        return candidate.provenance.value if candidate.provenance else -math.inf
    if by == "regret":
        return -math.inf if candidate.regret is None else candidate.regret
    return candidate.provenance.cycle if candidate.provenance else 0.0


def _told(selection: Selection) -> str:
    told = [
        f"--skill {selection.skill!r}" if selection.skill is not None else "",
        f"--min-regret {selection.min_regret:g}" if selection.min_regret is not None else "",
        "--solve-rate {:g}:{:g}".format(*selection.solve_rates) if selection.solve_rates else "",
    ]
    return " and ".join(filter(None, told)) or "every condition"
