"""Is the Designer writing the same thing over and over? Clusters of the latest accepted designs, and what to avoid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from openspade.memory.memory import Portrait
from openspade.memory.search.recall import SAME, Likeness, headline

WINDOW = 40


@dataclass(frozen=True, kw_only=True, slots=True)
class Cluster:
    """Designs of one mechanic; `share` is of the window, full or not, so that a young run raises no alarm."""

    members: tuple[Portrait, ...]
    share: float

    @property
    def title(self) -> str:
        """The commonest headline, the latest of them where several are."""
        return Counter(headline(portrait.title) for portrait in self.members).most_common(1)[0][0]

    @property
    def likenesses(self) -> tuple[Likeness, ...]:
        return tuple(portrait.likeness for portrait in self.members)


@dataclass(frozen=True, kw_only=True, slots=True)
class Diversity:
    """The latest accepted designs in clusters, largest first, and those that fill more than their share."""

    clusters: tuple[Cluster, ...]
    overgrown: tuple[Cluster, ...]
    nearest_similarity: float
    """Mean over the designs of their similarity to the nearest other one; 0 for fewer than two."""


def diversity(latest: Sequence[Portrait], collapse_share: float) -> Diversity:
    """Clusters among at most `WINDOW` designs, given latest first."""
    window = latest[:WINDOW]
    alike = [[one.likeness.similarity(other.likeness) for other in window] for one in window]
    clusters = tuple(
        Cluster(members=tuple(window[place] for place in group), share=len(group) / WINDOW)
        for group in sorted(_average_linkage(alike), key=lambda group: (-len(group), group[0]))
    )
    nearest = [max(alike[i][j] for j in range(len(window)) if j != i) for i in range(len(window)) if len(window) > 1]
    return Diversity(
        clusters=clusters,
        overgrown=tuple(cluster for cluster in clusters if cluster.share > collapse_share),
        nearest_similarity=sum(nearest) / len(nearest) if nearest else 0.0,
    )


def _average_linkage(alike: Sequence[Sequence[float]]) -> list[list[int]]:
    """Groups of indices, the most alike joined first, while their members are alike by `SAME` on average.

    Average and not single linkage: a chain of neighbours whose ends have nothing in common is no mechanic.
    """
    groups = [[item] for item in range(len(alike))]
    between = [list(row) for row in alike]
    while len(groups) > 1:
        pairs = ((i, j) for i in range(len(groups)) for j in range(i))
        i, j = max(pairs, key=lambda pair: between[pair[0]][pair[1]] / (len(groups[pair[0]]) * len(groups[pair[1]])))
        if between[i][j] / (len(groups[i]) * len(groups[j])) < SAME:
            break
        groups[j] = sorted(groups[j] + groups.pop(i))
        joined = between.pop(i)
        for row in between:
            moved = row.pop(i)
            row[j] += moved
        joined.pop(i)
        between[j] = [a + b for a, b in zip(between[j], joined, strict=True)]
    return groups
