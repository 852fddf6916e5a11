"""What the Designer is asked for in a cycle: skills in rotation, the next documents, past designs good and bad."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from openspade.chance import named_rng
from openspade.curriculum.collapse import WINDOW, Diversity, diversity
from openspade.curriculum.corpus import Corpus
from openspade.curriculum.skills import load_skills, skills_of_cycle
from openspade.memory.memory import Memory
from openspade.settings.worlds import CurriculumConfig, CycleConfig
from openspade.tokens import JSON
from openspade.types import Brief, Replay, Skill

log = logging.getLogger(__name__)


class Curriculum:
    """Makes briefs. All it must remember between cycles is the corpus cursor; the rest derives from memory and seed."""

    def __init__(
        self, config: CurriculumConfig, cycle: CycleConfig, memory: Memory, corpus: Corpus | None, run_seed: int
    ) -> None:
        self._config = config
        self._cycle = cycle
        self._memory = memory
        self._corpus = corpus
        self._run_seed = run_seed
        self._skills = load_skills(config)
        self._diversity = Diversity(clusters=(), overgrown=(), nearest_similarity=0.0)

    def briefs(self, cycle: int) -> list[Brief]:
        """The cycle's briefs. Each call draws new documents, so it is made once a cycle."""
        self._look_around(cycle)
        turn = skills_of_cycle(self._skills, self._config.skills_per_cycle, self._run_seed, cycle)
        return [self._brief(cycle, place, turn[place % len(turn)]) for place in range(self._cycle.briefs)]

    def replays(self, cycle: int) -> tuple[Replay, ...]:
        """Past designs to play again in this cycle: those whose window is open, then some drawn by priority.

        The drawn ones are hinted too when their regret was last measured over a half-life ago.
        """
        living = self._memory.accepted_in(range(cycle - self._cycle.reuse + 1, cycle))
        rng = named_rng(self._run_seed, cycle, "replays")
        drawn = self._memory.replays(self._cycle.replays + len(living), cycle, rng)
        others = [design for design in drawn if design not in living][: self._cycle.replays]
        fresh = cycle - self._memory.config.half_life_cycles
        return (
            *(Replay(design=design, hinted=True) for design in living),
            *(Replay(design=d, hinted=self._memory.last_hinted_cycle(d.id) < fresh) for d in others),
        )

    def metrics(self) -> Mapping[str, float]:
        """Diversity of the last 40 accepted designs before this cycle's briefs, and coverage after them."""
        largest = self._diversity.clusters[0].share if self._diversity.clusters else 0.0
        return {
            "curriculum/clusters_count": float(len(self._diversity.clusters)),
            "curriculum/largest_cluster_share": largest,
            "curriculum/nearest_similarity_mean": self._diversity.nearest_similarity,
            "curriculum/collapse_alarm": float(bool(self._diversity.overgrown)),
            "curriculum/document_coverage_share": self._corpus.coverage() if self._corpus else 0.0,
        }

    def state(self) -> dict[str, JSON]:
        """What a resume needs; taken after the cycle's briefs were made."""
        return {"corpus": self._corpus.state() if self._corpus else None}

    def restore(self, state: Mapping[str, JSON]) -> None:
        """Go on where `state()` was taken."""
        cursor = state.get("corpus")
        if self._corpus is not None and isinstance(cursor, dict):
            self._corpus.restore(cursor)

    def _look_around(self, cycle: int) -> None:
        before = bool(self._diversity.overgrown)
        self._diversity = diversity(self._memory.portraits(WINDOW), self._config.collapse_share)
        for cluster in self._diversity.overgrown if not before else ():
            log.warning(
                "cycle %s: %s of the last %s accepted designs are one mechanic (%r); briefs now ask to avoid it",
                cycle, len(cluster.members), WINDOW, cluster.title,
            )  # fmt: skip

    def _brief(self, cycle: int, place: int, skill: Skill) -> Brief:
        rng = named_rng(self._run_seed, cycle, f"brief/{place}")
        seed = rng.randrange(2**31)
        document = self._corpus.draw(skill.kind) if self._corpus else None
        shown = self._memory.config
        overgrown = self._diversity.overgrown
        avoid = [likeness for cluster in overgrown for likeness in cluster.likenesses]
        exemplars = self._memory.exemplars(
            skill, shown.exemplars if shown.enabled else 0, rng, document=document, avoid=avoid
        )
        negatives = self._memory.negatives(skill, shown.negatives if shown.enabled else 0, rng, document=document)
        return Brief(
            id=f"cycle{cycle}-brief{place}",
            skill=skill,
            document=document,
            exemplars=exemplars,
            negatives=negatives,
            avoid=tuple(cluster.title for cluster in overgrown) if shown.enabled else (),
            seed=seed,
        )
