"""What every section of the configuration is: frozen, documented, strict."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

FREE: Literal["free"] = "free"
"""Marks a setting that leaves every result as it is: a resume may change it, no comparison sees it."""
SEEDING: Literal["seeding"] = "seeding"
"""Marks one that only draws other numbers of the same experiment."""


class Section(BaseModel):
    """A frozen group of settings; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    @classmethod
    def marked(cls, mark: Literal["free", "seeding"], prefix: str = "") -> frozenset[str]:
        """Dotted paths of the settings with this mark, those of inner sections too."""
        found: set[str] = set()
        for name, field in cls.model_fields.items():
            if isinstance(field.annotation, type) and issubclass(field.annotation, Section):
                found |= field.annotation.marked(mark, f"{prefix}{name}.")
            elif mark in field.metadata:
                found.add(prefix + (field.alias or name))
        return frozenset(found)
