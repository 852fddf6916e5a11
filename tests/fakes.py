"""Small honest stand-ins that keep the real protocols, and builders for the nouns."""

from __future__ import annotations

from openspade.tokens import TokenStream
from openspade.types import Brief, Design, DesignStats, Draft, Episode, Outcome, Playtest, Problem, Skill, Verdict

SKILL = Skill(name="optimisation", kind="game", description="Find the best way.")


def a_design(name: str = "one") -> Design:
    return Design(id=name, source=f"# {name}", hint="Look.", skill=SKILL.name, kind="game", title=name, max_turns=5)


def a_brief(name: str = "brief") -> Brief:
    return Brief(id=name, skill=SKILL, document=None, seed=0)


def a_stream(length: int = 2) -> TokenStream:
    return TokenStream(ids=(1,) * length, written=(True,) * length, logprobs=(-1.0,) * length)


def a_verdict(
    design: Design | None, *, draft: str = "draft", brief: str = "brief", problem: Problem | None = None
) -> Verdict:
    made = Draft(id=draft, brief=a_brief(brief), text="", streams=(a_stream(),), design=design)
    return Verdict(draft=made, problems=(problem,) if problem else ())


def an_episode(
    return_: float | None, *, seed: int = 0, play: int = 0, hinted: bool = False, design: str = "one"
) -> Episode:
    """An episode with this return; None is a void one."""
    outcome = Outcome.VOID if return_ is None else Outcome.SOLVED if return_ == 1 else Outcome.FAILED
    return Episode(
        design_id=design,
        seed=seed,
        play=play,
        hinted=hinted,
        outcome=outcome,
        return_=return_ or 0.0,
        streams=(a_stream(),),
    )


def a_playtest(
    unaided: list[list[float | None]], hinted: list[list[float | None]], *, design: str = "one", first_seed: int = 0
) -> Playtest:
    """Returns by seed and play in both arms."""
    arms = ((False, unaided), (True, hinted))
    episodes = [
        an_episode(value, seed=seed, play=play, hinted=arm, design=design)
        for arm, table in arms
        for seed, row in enumerate(table, start=first_seed)
        for play, value in enumerate(row)
    ]
    return Playtest(design=a_design(design), episodes=tuple(episodes))


def some_stats(**changes: object) -> DesignStats:
    values: dict[str, object] = {
        "design_id": "one",
        "pairs": 16,
        "solve_rate": 0.5,
        "hinted_solve_rate": 0.8,
        "unaided_return": 0.5,
        "hinted_return": 0.8,
        "regret": 0.3,
        "regret_se": 0.05,
        "learnable": 1.0,
    }
    return DesignStats(**{**values, **changes})  # type: ignore[arg-type]
