"""Every setting of a run, put together from its sections; secrets. Unknown keys are errors."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, PositiveInt

from openspade.settings.learning import (
    AdvantageConfig,
    AgentConfig,
    DesignerConfig,
    EndpointConfig,
    PolicyConfig,
    RewardConfig,
    TinkerConfig,
    TrainConfig,
)
from openspade.settings.section import FREE, SEEDING, Section
from openspade.settings.worlds import (
    CorpusConfig,
    CurriculumConfig,
    CycleConfig,
    EvaluateConfig,
    GatesConfig,
    MemoryConfig,
    PlaytestConfig,
    PoolConfig,
    RepairConfig,
    SandboxConfig,
)

LoggerName = Literal["tensorboard", "wandb", "mlflow", "trackio"]


class RunConfig(Section):
    name: Annotated[str, FREE] = "run"
    """The run's folder under `directory`."""
    directory: Annotated[Path, FREE] = Path("runs")
    """Where runs are kept."""
    seed: Annotated[int, SEEDING] = 0
    """Every random draw derives from this number and the cycle's."""
    cycles: Annotated[int, FREE] = Field(default=100, ge=0)
    """How many cycles the run has in all; `resume` goes on to this number."""
    overlap: int = Field(default=0, ge=0, le=1)
    """1 samples the next cycle while this one is learned from: faster where a server samples, one update stale."""
    stall_timeout_s: Annotated[float, FREE] = Field(default=3600.0, ge=0)
    """Seconds without any progress after which the run writes down what it waits for and ends; 0 waits for ever."""
    keep_checkpoints: Annotated[PositiveInt, FREE] = 2
    """How many of the latest checkpoints stay on disk."""
    loggers: Annotated[tuple[LoggerName, ...], FREE] = ()
    """Tools that are given each cycle's metrics, e.g. ["tensorboard"]; all keep them on this machine by default."""


class Config(Section):
    """All settings of a run."""

    control: Literal["", "base", "frozen_designer", "fixed_pool", "difficulty_window"] = ""
    """A control experiment at the same budget: `base` trains nothing, `frozen_designer` only the Agent; `fixed_pool`
    and `difficulty_window` train the Agent on a pool in the Designer's place (section `pool`)."""
    run: RunConfig = RunConfig()
    policy: PolicyConfig = PolicyConfig()
    tinker: TinkerConfig = TinkerConfig()
    endpoint: EndpointConfig = EndpointConfig()
    cycle: CycleConfig = CycleConfig()
    designer: DesignerConfig = DesignerConfig()
    agent: AgentConfig = AgentConfig()
    playtest: PlaytestConfig = PlaytestConfig()
    reward: RewardConfig = RewardConfig()
    advantage: AdvantageConfig = AdvantageConfig()
    train: TrainConfig = TrainConfig()
    curriculum: CurriculumConfig = CurriculumConfig()
    corpus: CorpusConfig = CorpusConfig()
    pool: PoolConfig = PoolConfig()
    memory: MemoryConfig = MemoryConfig()
    gates: GatesConfig = GatesConfig()
    repair: RepairConfig = RepairConfig()
    sandbox: SandboxConfig = SandboxConfig()
    evaluate: EvaluateConfig = EvaluateConfig()


def secret(name: str) -> str:
    """A key from the environment, "" where there is none; secrets stand in no recipe and on no command line."""
    return os.environ.get(name, "")
