"""Briefs that a known program could have answered: the skill, a document or none, past designs good and bad."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from openspade.memory.search.recall import mechanic
from openspade.types import Brief, Design, Document, Exemplar, Kind, Negative, Skill

OWN_DOCUMENT, ANY_DOCUMENT = 0.6, 0.2
SHOWN = 0.25
"""Share of the briefs that show a good design, and of those that show a bad one."""

DrawDocument = Callable[[Kind], Document | None]


class BriefWriter:
    """Writes briefs as a run's curriculum does, for programs that are there already.

    Where the document is about the program, it is the program's own title: what is asked for is then what is written.
    """

    def __init__(self, skills: Mapping[str, Skill], others: Sequence[Design], draw_document: DrawDocument) -> None:
        self._skills = skills
        self._others = others
        self._draw_document = draw_document

    def brief(self, design: Design, rng: random.Random) -> Brief:
        """A brief for which this design is a good answer."""
        plain = Skill(name=design.skill, kind=design.kind, description="")
        return Brief(
            id="cold_start",
            skill=self._skills.get(design.skill, plain),
            document=self._document(design, rng),
            exemplars=self._exemplars(design, rng),
            negatives=self._negatives(design, rng),
            seed=0,
        )

    def _document(self, design: Design, rng: random.Random) -> Document | None:
        draw = rng.random()
        if draw < OWN_DOCUMENT:
            return Document(id=design.id, text=" ".join(design.title.split()), source="notes")
        return self._draw_document(design.kind) if draw < OWN_DOCUMENT + ANY_DOCUMENT else None

    def _exemplars(self, design: Design, rng: random.Random) -> tuple[Exemplar, ...]:
        other = self._another(design, rng)
        if other is None:
            return ()
        return (Exemplar(design=other, solve_rate=rng.randint(3, 12) / 16, regret=rng.randint(1, 6) / 16),)

    def _negatives(self, design: Design, rng: random.Random) -> tuple[Negative, ...]:
        other = self._another(design, rng)
        if other is None:
            return ()
        solved = rng.choice((rng.uniform(0.91, 1), rng.uniform(0, 0.09)))
        told = f"solved {solved:.0%} of {rng.choice((8, 16, 32))} unaided plays"
        return (Negative(mechanic=mechanic(other), reason=f"{'too easy' if solved > 0.5 else 'out of reach'}: {told}"),)

    def _another(self, design: Design, rng: random.Random) -> Design | None:
        rest = [one for one in self._others if one.kind == design.kind and one.title != design.title]
        return rng.choice(rest) if rest and rng.random() < SHOWN else None
