"""What one cycle is made of, as the promises that selfplay.py relies on; assembly.py chooses who keeps them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from openspade.credit.creditor import Creditor
from openspade.engine.base import Engine
from openspade.roles.designer import Designer
from openspade.tokens import JSON
from openspade.types import Brief, CycleReport, Design, Draft, Playtest, Replay, Verdict


class Course(Protocol):
    """What a cycle plays: briefs for new designs, and past or given ones."""

    def briefs(self, cycle: int) -> Sequence[Brief]: ...

    def replays(self, cycle: int) -> Sequence[Replay]: ...

    def metrics(self) -> Mapping[str, float]: ...

    def state(self) -> Mapping[str, JSON]: ...

    def restore(self, state: Mapping[str, JSON]) -> None: ...


class Judge(Protocol):
    """May a draft be played, and why not."""

    async def verify(self, drafts: Sequence[Draft]) -> list[Verdict]: ...


class Tester(Protocol):
    """Plays new designs in both arms, and past ones again."""

    async def playtest(self, designs: Sequence[Design], replays: Sequence[Replay], cycle: int) -> list[Playtest]: ...


class Examiner(Protocol):
    """Scores the policy on held-out tasks, in the cycles in which that is due."""

    async def examine(self, cycle: int) -> Mapping[str, float]: ...


class Archive(Protocol):
    """Keeps a cycle: all of it or nothing."""

    async def remember(self, report: CycleReport) -> None: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Parts:
    """Everything the loop is made of; assembly.py chooses."""

    curriculum: Course
    designer: Designer
    verifier: Judge
    playtester: Tester
    creditor: Creditor
    engine: Engine
    examiner: Examiner
    archive: Archive
