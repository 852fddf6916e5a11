"""Gates on the reply and the size of what stands in it."""

from __future__ import annotations

from openspade.types import Draft, Problem
from openspade.verifier.gate import Case, Judgement


def parses(draft: Draft) -> Problem | None:
    """A readable program: the last complete Python block outside a thought."""
    if draft.problem:
        return draft.problem
    if draft.design is None:
        message = "The reply holds no complete Python block with an environment class: end it with ```python ... ```."
        return Problem(gate="parses", message=message)
    return None


def size(case: Case) -> Judgement:
    """Source and hint within their limits; how deep a program may nest is checked where it is parsed."""
    length = len(case.design.source.encode("utf-8", "replace"))
    if length > case.config.max_source_bytes:
        message = f"The program is too long: {case.config.max_source_bytes} bytes are the limit."
        return Problem(gate="size", message=message, evidence=f"{length} bytes")
    words = len(case.design.hint.split())
    if words > case.config.max_hint_words:
        message = (
            f"The hint is too long: {case.config.max_hint_words} words are the limit; give one insight, not a manual."
        )
        return Problem(gate="size", message=message, evidence=f"{words} words")
    return f"{length} bytes"
