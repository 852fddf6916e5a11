"""A run as one Markdown page with curves: what was written, refused, worth its hints and learned."""

from __future__ import annotations

import html
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

from openspade.errors import ConfigError, StorageError
from openspade.evaluation.figures import Cycles, Evaluations, draw_figures
from openspade.memory.catalogue import StoredDesign, Wanted
from openspade.memory.memory import Memory
from openspade.types import DesignStats

INSTRUCTIVE = 12
CANDIDATES = 2000
EACH_SKILL = 3
"""At most so many of the instructive designs share a skill, so that the page shows the breadth of the curriculum."""
EDGE_SHARE, EDGE_LEAST = 0.1, 3
"""First and last tenth of the cycles, but three where there are six, whose means the table compares."""
NO_PROGRAM = "The reply held no readable program."

COMPARED = {
    "Drafts accepted": "funnel/accepted_share",
    "Designs in the band": "designs/in_band_share",
    "Seeds with something to learn": "designs/learnable_share",
    "Solve rate, unaided": "designs/solve_rate_unaided",
    "Solve rate, hinted": "designs/solve_rate_hinted",
    "Regret": "designs/regret_mean",
    "Designer's reward": "credit/designer_reward_mean",
    "Seconds a cycle": "seconds/cycle",
}


def write_report(memory: Memory, folder: Path) -> Path:
    """Write `report.md` and its curves into a folder; the page's path. Raises ConfigError before the first cycle."""
    cycles, evaluations = memory.metrics(), memory.evaluations()
    if not cycles:
        raise ConfigError(f"{memory.run_directory} has no finished cycle yet: there is nothing to report")
    try:
        figures = draw_figures(folder, cycles, evaluations)
        page = folder / "report.md"
        parts = [
            f"# {escape(memory.run_directory.name)}",
            _summary(cycles, evaluations),
            _comparison(cycles),
            *(f"## {_heading(name)}\n\n![{_heading(name)}]({name})\n\n{caption}" for name, caption in figures),
            _refusals(cycles, memory),
            _gallery(instructive(memory.designs(Wanted(accepted=True, order="regret", limit=CANDIDATES)))),
            _events(memory.events()),
        ]
        page.write_text("\n\n".join(part for part in parts if part) + "\n", encoding="utf-8")
    except OSError as error:
        raise StorageError(f"the report cannot be written to {folder}: {error.strerror}") from None
    return page


def instructive(designs: Sequence[StoredDesign], count: int = INSTRUCTIVE) -> list[StoredDesign]:
    """Designs that showed most: unaided play neither hopeless nor sure, a hint worth more than noise, skills mixed."""
    ranked = sorted(
        (design for design in designs if _worth(design.stats) > 0), key=lambda design: -_worth(design.stats)
    )
    chosen: list[StoredDesign] = []
    skills: Counter[str] = Counter()
    titles: set[str] = set()
    for stored in ranked:
        if skills[stored.asked_skill] < EACH_SKILL and stored.design.title not in titles:
            chosen.append(stored)
            skills[stored.asked_skill] += 1
            titles.add(stored.design.title)
    return chosen[:count]


def escape(text: str) -> str:
    """Foreign text as plain words on one line of Markdown: no markup, no HTML, no control characters."""
    printable = "".join(character if character.isprintable() else " " for character in text)
    return re.sub(r"([\\`*_\[\]|#~!])", r"\\\1", html.escape(" ".join(printable.split()), quote=False))


def fenced(text: str, language: str = "") -> str:
    """Foreign text as a code block that it cannot end."""
    printable = "".join(character if character.isprintable() or character in "\n\t" else "\ufffd" for character in text)
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", printable)), default=0))
    return f"{fence}{language}\n{printable.rstrip()}\n{fence}"


def _worth(stats: DesignStats | None) -> float:
    if stats is None or not stats.qualified or not stats.hinted_played:
        return 0.0
    uncertain = 4 * stats.solve_rate * (1 - stats.solve_rate)
    return uncertain * max(0.0, stats.regret - stats.regret_se)


def _summary(cycles: Cycles, evaluations: Evaluations) -> str:
    def total(metric: str) -> float:
        return sum(metrics.get(metric, 0.0) for _, metrics in cycles)

    lines = [
        f"{len(cycles)} cycles in {total('seconds/cycle') / 60:.1f} minutes: {total('funnel/drafts'):.0f} drafts, "
        f"{total('funnel/accepted'):.0f} accepted; {total('episodes/count'):.0f} episodes; "
        f"{total('tokens/designer') + total('tokens/agent'):,.0f} tokens sampled."
    ]
    scored = [(cycle, scores) for cycle, _, scores in evaluations if "heldout/score" in scores]
    if scored:
        (_, first), (last_cycle, last) = scored[0], scored[-1]
        lines.append(
            f"**Held-out score: {_interval(first)} at first, {_interval(last)} after {last_cycle + 1} cycles.**"
        )
    return "\n\n".join(lines)


def _interval(scores: Mapping[str, float]) -> str:
    low, high = scores.get("heldout/score_low", math.nan), scores.get("heldout/score_high", math.nan)
    return f"{scores['heldout/score']:.3f} [{low:.3f}, {high:.3f}]"


def _comparison(cycles: Cycles) -> str:
    edge = max(1, min(EDGE_LEAST, len(cycles) // 2), round(len(cycles) * EDGE_SHARE))
    first, last = cycles[:edge], cycles[-edge:]
    rows = [f"| mean of | first {edge} | last {edge} |", "|---|---:|---:|"]
    for label, metric in COMPARED.items():
        rows.append(f"| {label} | {_mean(first, metric)} | {_mean(last, metric)} |")
    return "\n".join(rows)


def _mean(cycles: Cycles, metric: str) -> str:
    values = [metrics[metric] for _, metrics in cycles if math.isfinite(metrics.get(metric, math.nan))]
    return f"{fmean(values):.3f}" if values else "-"


def _refusals(cycles: Cycles, memory: Memory) -> str:
    counts: Counter[str] = Counter()
    for _, metrics in cycles:
        counts.update(
            {name.removeprefix("refused/"): int(n) for name, n in metrics.items() if name.startswith("refused/")}
        )
    if not counts:
        return ""
    examples = {
        d.problem.gate: d.problem.message for d in memory.designs(Wanted(accepted=False, limit=500)) if d.problem
    }
    rows = ["## Why drafts were refused", "", "| gate | drafts | for example |", "|---|---:|---|"]
    rows += [
        f"| `{gate}` | {count} | {escape(examples.get(gate, NO_PROGRAM))} |" for gate, count in counts.most_common()
    ]
    return "\n".join(rows)


def _gallery(designs: Sequence[StoredDesign]) -> str:
    if not designs:
        return ""
    intro = (
        "Uncertain without the hint, better with it, by more than the noise; at most "
        f"{EACH_SKILL} of a skill. Play one: `openspade play ID`."
    )
    return "\n\n".join([f"## The {len(designs)} most instructive environments", intro, *map(_portrait, designs)])


def _portrait(stored: StoredDesign) -> str:
    design, stats = stored.design, stored.stats
    numbers = ""
    if stats:
        numbers = (
            f"solved {stats.solve_rate:.0%} unaided, {stats.hinted_solve_rate:.0%} hinted; "
            f"regret {stats.regret:+.2f} ± {stats.regret_se:.2f}"
        )
    return "\n\n".join(
        [
            f"### {escape(design.title)}",
            f"`{design.id}`, {escape(design.skill)}, {design.kind}, cycle {stored.cycle + 1}: {numbers}",
            f"Hint: {escape(design.hint)}",
            f"<details><summary>Program</summary>\n\n{fenced(design.source, 'python')}\n\n</details>",
        ]
    )


def _events(events: Sequence[tuple[int, str, str]]) -> str:
    if not events:
        return ""
    return "## Events\n\n" + "\n".join(
        f"- cycle {cycle + 1}, {escape(kind)}: {escape(text)}" for cycle, kind, text in events
    )


def _heading(file_name: str) -> str:
    return Path(file_name).stem.replace("_", " ").capitalize()
