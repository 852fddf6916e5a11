"""The recipe of `openspade pretrain`: the policy's size, and what it reads, phase by phase."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, PositiveFloat, PositiveInt, ValidationError

from openspade.engine.model.new_model import LlamaSize
from openspade.errors import ConfigError
from openspade.recipe import read_toml
from openspade.settings.section import Section


class PhaseSection(Section):
    """One pass over new lessons."""

    lessons: PositiveInt
    """Conversations, each seen once."""
    learning_rate: PositiveFloat
    """Peak of the schedule."""
    final_share: float = Field(default=0.05, gt=0, le=1)
    """What is left of the learning rate at the end."""
    tokens_per_batch: PositiveInt = 2048
    """Padded tokens of an optimiser step."""
    echo: float = Field(default=0.0, ge=0, le=1)
    """Share of the lessons in which a row of signs is said again."""
    designer: float = Field(default=0.0, ge=0, le=1)
    """Share of the other lessons in which a program is written."""
    level_decay: float = Field(default=0.62, gt=0, le=1)
    """A level is this much rarer in play than the one below."""
    design_decay: float = Field(default=0.85, gt=0, le=1)
    """The same for programs whose brief says nothing about the level."""
    good_hint: float = Field(default=0.6, ge=0, le=1)
    """Share of the programs with a hint that helps."""
    worked_unaided: float = Field(default=0.2, ge=0, le=1)
    """How often steps are written without a good hint, at level 1."""
    worked_decay: float = Field(default=1.0, gt=0, le=1)
    """At each further level, steps are written this much rarer."""


class BaseRecipe(Section):
    """How a nano policy is made."""

    seed: int = 0
    """Every draw derives from it."""
    tokenizer_lessons: PositiveInt = 6000
    """Lessons the tokenizer is learnt from."""
    grown_from: str = ""
    """A smaller policy ("nano" or a folder) whose tokenizer and skill it begins with; "" begins from nothing."""
    bfloat16: bool = False
    """Whether products are computed in bfloat16; weights stay in float32."""
    model: LlamaSize = LlamaSize()
    phases: tuple[PhaseSection, ...] = Field(min_length=1)


def read_recipe(path: Path) -> BaseRecipe:
    """A checked recipe. Raises ConfigError naming the file and the setting."""
    try:
        return BaseRecipe.model_validate(read_toml(path))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigError(f"recipe {path}: {where} is {first['input']!r}: {first['msg']}") from None
