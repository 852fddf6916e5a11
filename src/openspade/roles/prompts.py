"""What each role is told. Templates are files, so that a recipe can choose a style and a reader can read it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import Literal

import jinja2

from openspade.tokens import Message
from openspade.types import Brief, Design, Kind, Problem

Style = Literal["compact", "full"]
OUTLINES: Mapping[Style, tuple[float, ...]] = {"compact": (), "full": (0.5, 0.25)}
"""What share of its length an exemplar may be outlined to. A model of few millions of parameters copies the gaps."""


class Prompts:
    """Messages for both roles in one style. The hint is the only difference between an episode's two arms."""

    def __init__(self, style: Style) -> None:
        folder = resources.files("openspade.roles") / "templates" / style
        sources = {
            item.name: item.read_text(encoding="utf-8") for item in folder.iterdir() if item.name.endswith(".md")
        }
        self._environment = jinja2.Environment(
            loader=jinja2.DictLoader(sources),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            autoescape=False,  # noqa: S701 - plain text for a model, not a page
        )
        self._environment.filters["percent"] = lambda share: f"{share:.0%}"
        self.outlines = OUTLINES[style]

    def design(self, brief: Brief) -> tuple[Message, ...]:
        """The Designer's request: skill, document, good designs, and what to stay away from."""
        return (
            Message(role="system", content=self._render(f"designer_{brief.skill.kind}_system.md")),
            Message(role="user", content=self._render("designer_brief.md", brief=brief)),
        )

    def repair(self, problems: tuple[Problem, ...]) -> Message:
        """What a rejected draft's author is told."""
        return Message(role="user", content=self._render("designer_repair.md", problems=problems))

    def review(self, design: Design) -> tuple[Message, ...]:
        """What a reviewing model is asked."""
        return (
            Message(role="system", content=self._render("reviewer_system.md")),
            Message(role="user", content=self._render("reviewer_design.md", design=design)),
        )

    def play(self, first_observation: str, *, kind: Kind, hint: str | None) -> tuple[Message, ...]:
        """An episode's opening; `hint` None is the unaided arm."""
        return (
            Message(role="system", content=self._render(f"agent_{kind}_system.md")),
            Message(role="user", content=self._render("agent_first.md", observation=first_observation, hint=hint)),
        )

    def _render(self, name: str, **values: object) -> str:
        return self._environment.get_template(name).render(values).strip()
