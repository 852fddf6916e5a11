"""docs/glossary.md from the code's own words: `python -m tests.glossary_page` writes it."""

from __future__ import annotations

import inspect
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from openspade.metrics.catalogue import metric

PAGE = Path(__file__).parents[1] / "docs" / "glossary.md"
# Each word, and whose docstring says what it is: a module, a class or a function; or a metric, with its slash.
TERMS = (
    ("Designer", "roles.designer.Designer"),
    ("Brief", "types.Brief"),
    ("Skill", "types.Skill"),
    ("Document", "types.Document"),
    ("Exemplar", "types.Exemplar"),
    ("Negative", "types.Negative"),
    ("Draft", "types.Draft"),
    ("Design", "types.Design"),
    ("Gate", "verifier.gate"),
    ("Problem", "types.Problem"),
    ("Verdict", "types.Verdict"),
    ("Episode", "types.Episode"),
    ("Turn", "types.Turn"),
    ("Action", "types.Action"),
    ("Observation", "types.Observation"),
    ("Outcome, void", "types.Outcome"),
    ("Playtest", "types.Playtest"),
    ("Replay", "types.Replay"),
    ("Regret", "designs/regret_mean"),
    ("Band", "credit.regret.band"),
    ("Learnable", "designs/learnable_share"),
    ("Credit", "types.Credit"),
    ("Advantage", "credit.advantage"),
    ("Trajectory", "tokens.Trajectory"),
    ("Stream", "tokens.TokenStream"),
    ("Cycle", "types.CycleReport"),
    ("Held-out score", "heldout/score"),
    ("Mechanic", "nano.mechanic.Mechanic"),
    ("Lesson", "nano.lessons.Lesson"),
    ("Cold start", "cold_start"),
    ("Zygote", "sandbox.child.zygote"),
    ("Child", "sandbox.child.child"),
)
# What no single place of the code says whole.
SPOKEN = {
    "Policy": "The one model that plays both roles; an Engine runs it.",
    "Agent": "The policy as a player: it reads observations and answers with actions.",
    "Environment": "What runs: `reset()` and `step()`, in the sandbox.",
    "Instance": "An environment reset with one seed.",
    "Arm": "Unaided or hinted: the same seeds, the hint the only difference.",
    "Run": "All cycles of one config, in one folder.",
    "Control": "A run that differs from self-play in one thing, at the same budget.",
    "Pool": "Given designs, or families with levels, that stand in the Designer's place.",
}
HEAD = """# Glossary

```text
 corpus ──► Brief ──► Designer ──► Draft ──► gates ──► Verdict
   memory ──┘          (policy)      │                    │ accepted
                                     ▼                    ▼
                                  Design ───────► Environment ◄──► Agent (the same policy)
                                 source, hint       reset/step        │
                                                                      ▼
        policy ◄── update ◄── Trajectory ◄── Credit ◄── Playtest = Episodes, unaided and hinted
```

Each word as the code says it, and where: `python -m tests.glossary_page` writes this page from docstrings.

| word | is | in |
|---|---|---|"""


def meaning(source: str) -> str:
    """The first paragraph of what the source says of itself."""
    if "/" in source:
        return metric(source).meaning
    name, _, inner = source.rpartition(".")
    whole = f"openspade.{source}"
    thing: object = import_module(whole) if _is_module(whole) else getattr(import_module(f"openspade.{name}"), inner)
    return " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())


def page() -> str:
    spoken = [f"| {word} | {words} | |" for word, words in SPOKEN.items()]
    return "\n".join([HEAD, *(f"| {word} | {meaning(source)} | `{source}` |" for word, source in TERMS), *spoken, ""])


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
