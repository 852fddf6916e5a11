"""Credit for one cycle: who earned what, and the running averages that some rewards compare with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean, stdev

from openspade.chance import named_rng
from openspade.config import Config
from openspade.credit.advantage import Earned, advantages, flat_group_share, root_mean_square
from openspade.credit.flags import FLAGS, measured_flags
from openspade.credit.outcome import Ending
from openspade.credit.regret import band, between_design_variance, measure
from openspade.credit.reward import Surroundings, designer_reward
from openspade.credit.windows import Recall, Window, Windows
from openspade.settings.learning import RewardConfig
from openspade.tokens import JSON, Role
from openspade.types import Credit, DesignStats, Outcome, Playtest, Verdict

RECENT_DESIGNS = 200
SLOW_AVERAGE_RATE = 0.1


class Creditor:
    """Turns verdicts and playtests into rewards and advantages. Its state is small, plain and saved with the run."""

    def __init__(self, config: Config, recall: Recall | None = None) -> None:
        """`recall` reads stored cycles back; only a resume with `cycle.reuse` above 1 asks for them."""
        self._config = config
        self._windows = Windows(config.cycle.reuse, config.run.cycles - 1, recall)
        self._recent: list[tuple[float, float]] = []
        self._skill_solve_rates: dict[str, float] = {}

    def credit(
        self, cycle: int, verdicts: Sequence[Verdict], playtests: Sequence[Playtest], version: int = 0
    ) -> Credit:
        """Rewards by draft id (absent where nothing can be said), statistics by design id, and trajectories.

        `version` is the policy's that will learn from them. A draft is paid once its window is over.
        """
        stats = {playtest.design.id: measure(playtest) for playtest in playtests}
        earned = self._agent_earned(playtests, stats)
        complete = self._windows.advance(cycle, verdicts, playtests)
        rewards: dict[str, float] = {}
        for window in complete:
            in_all = {playtest.design.id: measure(playtest) for playtest in window.playtests}
            rewards |= self._rewards(window.cycle, window.verdicts, in_all)
            earned += self._designer_earned(window.verdicts, rewards)
            self._update_averages(window.verdicts, in_all)
        weights: Mapping[Role, float] = {
            "designer": self._config.advantage.designer_weight,
            "agent": self._config.advantage.agent_weight,
        }
        trajectories = advantages(earned, self._config.advantage.scale, weights)
        metrics = {
            **_reward_metrics(earned, trajectories),
            **_staleness(version, complete, playtests),
            **_design_metrics(list(stats.values()), self._config.reward),
        }
        return Credit(rewards=rewards, stats=stats, trajectories=tuple(trajectories), metrics=metrics)

    def state(self) -> Mapping[str, JSON]:
        """What a resume needs."""
        return {
            "recent": [list(pair) for pair in self._recent],
            "skill_solve_rates": dict(self._skill_solve_rates),
            "windows": dict(self._windows.state()),
        }

    def restore(self, state: Mapping[str, JSON]) -> None:
        """Take over what `state()` gave."""
        recent, rates = state.get("recent", []), state.get("skill_solve_rates", {})
        assert isinstance(recent, list) and isinstance(rates, dict)
        self._recent = [(float(pair[0]), float(pair[1])) for pair in recent if isinstance(pair, list)]  # type: ignore[arg-type]
        self._skill_solve_rates = {name: float(rate) for name, rate in rates.items()}  # type: ignore[arg-type]
        windows = state.get("windows", {})
        assert isinstance(windows, dict)
        self._windows.restore(windows)

    def _rewards(self, cycle: int, verdicts: Sequence[Verdict], stats: Mapping[str, DesignStats]) -> dict[str, float]:
        rng = named_rng(self._config.run.seed, cycle, "reward")
        around = Surroundings(
            tau2=between_design_variance([r for r, _ in self._recent], [e for _, e in self._recent]),
            skill_solve_rates=dict(self._skill_solve_rates),
        )
        rewards: dict[str, float] = {}
        for verdict in verdicts:
            if verdict.draft.repairs:  # what it was worth before its problems were shown is what is learned from
                continue
            mine = stats.get(verdict.draft.design.id) if verdict.draft.design else None
            reward = designer_reward(verdict, mine, self._config.reward, replace(around, noise=rng.random()))
            if reward is not None:
                rewards[verdict.draft.id] = reward
        return rewards

    def _designer_earned(self, verdicts: Sequence[Verdict], rewards: Mapping[str, float]) -> list[Earned]:
        group_of = {
            "brief": lambda verdict: verdict.draft.brief.id,
            "skill": lambda verdict: verdict.draft.brief.skill.name,
            "batch": lambda _verdict: "batch",
        }[self._config.designer.baseline]
        return [
            Earned(role="designer", group=group_of(v), reward=rewards[v.draft.id], streams=v.draft.streams)
            for v in verdicts
            if v.draft.id in rewards
        ]

    def _agent_earned(self, playtests: Sequence[Playtest], stats: Mapping[str, DesignStats]) -> list[Earned]:
        # Hinted episodes only measure: training on them would teach copying the hint.
        return [
            Earned(
                role="agent",
                group=(episode.design_id, episode.seed),
                reward=episode.return_,
                streams=episode.streams,
                trained=self._config.train.truncated == "penalise"
                or episode.cause not in (Ending.TOKENS, Ending.CONTEXT),
            )
            for playtest in playtests
            if stats[playtest.design.id].qualified
            for episode in playtest.episodes
            if not episode.hinted and episode.outcome is not Outcome.VOID
        ]

    def _update_averages(self, verdicts: Sequence[Verdict], stats: Mapping[str, DesignStats]) -> None:
        fresh = [
            (v.draft.design, stats[v.draft.design.id])
            for v in verdicts
            if v.draft.design and v.draft.design.id in stats
        ]
        judged = [(design, mine) for design, mine in fresh if mine.qualified]
        self._recent = (self._recent + [(mine.regret, mine.regret_se) for _, mine in judged])[-RECENT_DESIGNS:]
        for design, mine in judged:
            slow = self._skill_solve_rates.get(design.skill, mine.solve_rate)
            self._skill_solve_rates[design.skill] = slow + SLOW_AVERAGE_RATE * (mine.solve_rate - slow)


def _reward_metrics(earned: Sequence[Earned], trajectories: Sequence[object]) -> dict[str, float]:
    metrics: dict[str, float] = {"credit/trajectories": float(len(trajectories))}
    for role in ("designer", "agent"):
        mine = [item for item in earned if item.role == role]
        rewards = [item.reward for item in mine]
        metrics[f"credit/{role}_reward_mean"] = fmean(rewards) if rewards else 0.0
        metrics[f"credit/{role}_flat_group_share"] = flat_group_share(mine)
        metrics[f"credit/{role}_reward_rms"] = root_mean_square(rewards)
    return metrics


def _staleness(version: int, windows: Sequence[Window], playtests: Sequence[Playtest]) -> dict[str, float]:
    """Updates of the policy between sampling and learning, 0 on policy."""
    sampled: Mapping[Role, list[int]] = {
        "designer": [v.draft.policy_version for window in windows for v in window.verdicts],
        "agent": [e.policy_version for playtest in playtests for e in playtest.episodes],
    }
    return {
        f"credit/{role}_staleness_mean": fmean(version - one for one in versions) if versions else 0.0
        for role, versions in sampled.items()
    }


def _design_metrics(stats: Sequence[DesignStats], config: RewardConfig) -> dict[str, float]:
    """Over qualified designs; the regret and the hinted rate over those whose hinted arm was played."""
    judged = [mine for mine in stats if mine.qualified]
    paired = [mine for mine in judged if mine.hinted_played]
    metrics = {"designs/played": float(len(stats)), "designs/qualified": float(len(judged))}
    if judged:
        metrics["designs/solve_rate_unaided"] = fmean(mine.solve_rate for mine in judged)
        metrics["designs/in_band_share"] = fmean(band(mine.solve_rate, config) == 1 for mine in judged)
        metrics["designs/learnable_share"] = fmean(mine.learnable for mine in judged)
    raised = [flag for mine in judged for flag in measured_flags(mine)]
    metrics |= {f"flags/{flag.replace(' ', '_')}": float(raised.count(flag)) for flag in FLAGS if judged}
    if paired:
        regrets = [mine.regret for mine in paired]
        metrics["designs/solve_rate_hinted"] = fmean(mine.hinted_solve_rate for mine in paired)
        metrics["designs/regret_mean"] = fmean(regrets)
        metrics["designs/regret_ci95"] = 1.96 * stdev(regrets) / len(regrets) ** 0.5 if len(regrets) > 1 else 0.0
    return metrics
