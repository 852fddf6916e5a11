"""The nouns of self-play: everything that crosses a module border, frozen and keyword-only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from openspade.tokens import JSON, TokenStream, Trajectory

Kind = Literal["game", "tool"]
UNLIKE_ALONE = "unlike_alone"


# --- what the Designer is asked for, and what it wrote ------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Skill:
    """What an environment should exercise; `turns` "several" asks for one that no single action decides."""

    name: str
    kind: Kind
    description: str
    turns: Literal["any", "several"] = "any"


@dataclass(frozen=True, kw_only=True, slots=True)
class Document:
    """A piece of the corpus with its provenance; `span` counts characters in the source."""

    id: str
    text: str
    source: str
    version: str = ""
    span: tuple[int, int] = (0, 0)
    licence: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Design:
    """An environment's source with its hint; `id` is a hash of both, so equal designs are one.

    `max_turns` is what the source asks for; the run's own limit may be lower.
    """

    id: str
    source: str
    hint: str
    skill: str
    kind: Kind
    title: str
    max_turns: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Exemplar:
    """A past design worth imitating, with what its playtests showed."""

    design: Design
    solve_rate: float
    regret: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Negative:
    """A past design to stay away from: its mechanic and numbers, and why, in words."""

    mechanic: str
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Brief:
    """What the Designer is asked for. `seed` makes its prompt and its sampling reproducible."""

    id: str
    skill: Skill
    document: Document | None
    exemplars: tuple[Exemplar, ...] = ()
    negatives: tuple[Negative, ...] = ()
    avoid: tuple[str, ...] = ()
    seed: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """Why a draft may not be played: one sentence for the Designer, and what was seen."""

    gate: str
    message: str
    evidence: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """One completion of the Designer. Either `design` or `problem` (no readable program) is set.

    `repairs` is the id of the refused draft that this one rewrites: it may be played, it is never trained on.
    """

    id: str
    brief: Brief
    text: str
    streams: tuple[TokenStream, ...] = ()
    design: Design | None = None
    problem: Problem | None = None
    policy_version: int = 0
    repairs: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class GateResult:
    """One rung of the ladder; `cpu_ms` is what it cost, `child_ms` of it in the sandbox, `note` what it saw in passing.

    `ran` is False for a gate that came to no judgement, which says nothing against the design.
    """

    gate: str
    passed: bool
    cpu_ms: float = 0.0
    note: str = ""
    child_ms: float = 0.0
    ran: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """May a draft be played, and why not. `gates` holds what ran, in order."""

    draft: Draft
    problems: tuple[Problem, ...] = ()
    gates: tuple[GateResult, ...] = ()

    @property
    def accepted(self) -> bool:
        return not self.problems


class Outcome(StrEnum):
    """How an episode ended. `VOID` is our fault or the environment's own; it says nothing about the policy."""

    SOLVED = "solved"
    FAILED = "failed"
    TRUNCATED = "truncated"
    VOID = "void"


@dataclass(frozen=True, kw_only=True, slots=True)
class Observation:
    """What the environment shows: `results` answers an action's calls one by one, `text` is the user's words."""

    text: str
    results: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolCall:
    """A call as parsed from a reply; `problem` says why it cannot be executed as written."""

    name: str
    arguments: Mapping[str, JSON]
    problem: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Action:
    """What the environment receives: the reply's move (`text`), or the tool calls found in it."""

    text: str
    calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class StepResult:
    """One environment step as the host checked it: `reward` is finite and within [0, 1]."""

    observation: Observation
    reward: float
    terminated: bool
    truncated: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """One step of an episode: the reply verbatim, the action taken from it, and what came back."""

    reply: str
    action: Action
    observation: Observation
    reward: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Episode:
    """One play of one instance, from reset to its end.

    `return_` lies in [0, 1] and is 0 when void. `cause` names what cut a truncated episode short
    (`turns`, `tokens`, `context`, `environment`) or voided it.
    """

    design_id: str
    seed: int
    play: int
    hinted: bool
    outcome: Outcome
    return_: float = 0.0
    cause: str = ""
    first_observation: str = ""
    turns: tuple[Turn, ...] = ()
    streams: tuple[TokenStream, ...] = ()
    policy_version: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Playtest:
    """All episodes of one design, unaided and hinted on the same seeds; `alone` of them were played again.

    `fault`: it disqualified itself: hung, hit a limit, paid a reward out of range, or was UNLIKE_ALONE.
    """

    design: Design
    episodes: tuple[Episode, ...]
    fault: str = ""
    replayed: bool = False
    alone: int = 0
    blind_return: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Replay:
    """A past design to play again, in both arms where its regret is to be measured anew."""

    design: Design
    hinted: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class DesignStats:
    """What the playtest of one design showed; rates and returns in [0, 1], `pairs` counts seeds with both arms.

    Formulas: docs/algorithm.md §2. `seed_solve_rates` holds p_s for each pair's seed; `blind_return` is what the moves
    earned on other seeds, None where that was not asked.
    """

    design_id: str
    pairs: int
    solve_rate: float
    hinted_solve_rate: float
    unaided_return: float
    hinted_return: float
    regret: float
    regret_se: float
    learnable: float
    seed_solve_rates: tuple[float, ...] = ()
    hinted_played: bool = True
    qualified: bool = True
    fault: str = ""
    blind_return: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Credit:
    """What one cycle's plays are worth: a reward a draft, statistics a design, and the trajectories to learn from."""

    rewards: Mapping[str, float]
    stats: Mapping[str, DesignStats]
    trajectories: tuple[Trajectory, ...]
    metrics: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Played:
    """All of a cycle that is sampled, before anything is learned from it.

    `curriculum` is the curriculum's state after this cycle's briefs: what a resume goes on from.
    """

    cycle: int
    briefs: tuple[Brief, ...]
    verdicts: tuple[Verdict, ...]
    playtests: tuple[Playtest, ...]
    curriculum: Mapping[str, JSON]
    metrics: Mapping[str, float]


@dataclass(frozen=True, kw_only=True, slots=True)
class CycleReport:
    """One cycle, whole: what was asked, written, judged, played and earned, and every metric of docs/metrics.md."""

    cycle: int
    briefs: tuple[Brief, ...]
    verdicts: tuple[Verdict, ...]
    playtests: tuple[Playtest, ...]
    credit: Credit
    metrics: Mapping[str, float]
    curriculum: Mapping[str, JSON] = field(default_factory=dict)
