"""What the Designer is asked for in a cycle: skills in rotation, the next documents, past designs good and bad."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from openspade.chance import named_rng
from openspade.curriculum.collapse import WINDOW, Diversity, diversity
from openspade.curriculum.corpus import Corpus
from openspade.curriculum.skill_schedule import choose_turns
from openspade.memory.memory import Memory
from openspade.settings.worlds import CurriculumConfig, CycleConfig
from openspade.tokens import JSON
from openspade.types import Brief, Replay, Skill

log = logging.getLogger(__name__)


class Curriculum:
    """Makes briefs. It must remember only the corpus cursor and what it has told; all else is in memory and seed."""

    def __init__(
        self, config: CurriculumConfig, cycle: CycleConfig, memory: Memory, corpus: Corpus | None, run_seed: int
    ) -> None:
        self._config = config
        self._cycle = cycle
        self._memory = memory
        self._corpus = corpus
        self._run_seed = run_seed
        self._turns = choose_turns(config, memory, run_seed)
        self._diversity = Diversity(clusters=(), overgrown=(), nearest_similarity=0.0)
        self._alarmed = False

    def briefs(self, cycle: int) -> list[Brief]:
        """The cycle's briefs. Each call draws new documents, so it is made once a cycle."""
        self._look_around(cycle)
        turns = self._turns.of_cycle(cycle, self._cycle.briefs)
        return [self._brief(cycle, place, skill) for place, skill in enumerate(turns)]

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
        return {"corpus": self._corpus.state() if self._corpus else None, "alarmed": self._alarmed}

    def restore(self, state: Mapping[str, JSON]) -> None:
        """Go on where `state()` was taken."""
        cursor = state.get("corpus")
        if self._corpus is not None and isinstance(cursor, dict):
            self._corpus.restore(cursor)
        self._alarmed = bool(state.get("alarmed"))

    def _look_around(self, cycle: int) -> None:
        self._diversity = diversity(self._memory.portraits(WINDOW), self._config.collapse_share)
        overgrown = self._diversity.overgrown
        if bool(overgrown) == self._alarmed:
            return
        self._alarmed = bool(overgrown)
        text = "no mechanic fills too much of the latest designs any more; all may be shown again"
        if overgrown:
            largest = f"{len(overgrown[0].members)} of the last {WINDOW} accepted designs are one mechanic"
            text = f"{largest} ({overgrown[0].title!r}); briefs now ask to avoid it"
        self._memory.record_event(cycle, "collapse" if overgrown else "recovery", text)
        log.warning("cycle %s: %s", cycle, text)

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
