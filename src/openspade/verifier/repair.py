"""A second chance for refused drafts: their author is shown the problems and writes again (ALGORITHM §1.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from openspade.types import Design, Draft, Verdict


class BatchJudge(Protocol):
    """Verdicts in the order of the drafts; `beside` are designs that this cycle has accepted before."""

    async def verify(self, drafts: Sequence[Draft], beside: Sequence[Design] = ()) -> list[Verdict]: ...


class Rewriter(Protocol):
    """Who wrote the drafts."""

    async def repair(self, refused: Sequence[Verdict]) -> list[Draft]: ...


class Repairing:
    """A judge that has refused drafts written again, up to `turns` times, and judges what is written then.

    What the first version earned is what is learned from, so the first verdicts stay as they are: every rewriting adds
    a verdict of its own, whose draft says what it `repairs`.
    """

    def __init__(self, judge: BatchJudge, author: Rewriter, turns: int) -> None:
        self._judge = judge
        self._author = author
        self._turns = turns

    async def verify(self, drafts: Sequence[Draft]) -> list[Verdict]:
        """One verdict a draft, in order, then one for each rewriting."""
        verdicts = latest = await self._judge.verify(drafts)
        for _ in range(self._turns):
            rewritten = await self._author.repair([verdict for verdict in latest if not verdict.accepted])
            accepted = [verdict.draft.design for verdict in verdicts if verdict.accepted and verdict.draft.design]
            latest = await self._judge.verify(rewritten, accepted)
            verdicts = [*verdicts, *latest]
        return verdicts
