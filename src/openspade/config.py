"""Every setting of a run, put together from its sections; secrets. Unknown keys are errors."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from pydantic import Field, PositiveInt

from openspade.settings.learning import (
    AdvantageConfig,
    AgentConfig,
    DesignerConfig,
    PolicyConfig,
    RewardConfig,
    TrainConfig,
)
from openspade.settings.section import Section
from openspade.settings.worlds import (
    CorpusConfig,
    CurriculumConfig,
    CycleConfig,
    EvaluateConfig,
    GatesConfig,
    MemoryConfig,
    PlaytestConfig,
    SandboxConfig,
)


class RunConfig(Section):
    name: str = "run"
    """The run's folder under `directory`."""
    directory: Path = Path("runs")
    """Where runs are kept."""
    seed: int = 0
    """Every random draw derives from this number and the cycle's."""
    cycles: int = Field(default=100, ge=0)
    """How many cycles the run has in all; `resume` goes on to this number."""
    keep_checkpoints: PositiveInt = 2
    """How many of the latest checkpoints stay on disk."""


class Config(Section):
    """All settings of a run."""

    control: Literal["", "base", "frozen_designer"] = ""
    """A control experiment at the same budget: `base` trains nothing, `frozen_designer` only the Agent."""
    run: RunConfig = RunConfig()
    policy: PolicyConfig = PolicyConfig()
    cycle: CycleConfig = CycleConfig()
    designer: DesignerConfig = DesignerConfig()
    agent: AgentConfig = AgentConfig()
    playtest: PlaytestConfig = PlaytestConfig()
    reward: RewardConfig = RewardConfig()
    advantage: AdvantageConfig = AdvantageConfig()
    train: TrainConfig = TrainConfig()
    curriculum: CurriculumConfig = CurriculumConfig()
    corpus: CorpusConfig = CorpusConfig()
    memory: MemoryConfig = MemoryConfig()
    gates: GatesConfig = GatesConfig()
    sandbox: SandboxConfig = SandboxConfig()
    evaluate: EvaluateConfig = EvaluateConfig()


def secret(name: str) -> str:
    """A key from the environment, "" where there is none; secrets stand in no recipe and on no command line."""
    return os.environ.get(name, "")
