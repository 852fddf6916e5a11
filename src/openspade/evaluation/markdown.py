"""A report as one Markdown page, for a repository or a review."""

from __future__ import annotations

from collections.abc import Sequence

from openspade.evaluation.instructive import Exhibit
from openspade.evaluation.quoting import escape, fenced
from openspade.evaluation.report import Refusal, RunReport


def markdown(report: RunReport) -> str:
    """The page; its figures are `NAME.png` beside it."""
    parts = [
        f"# {escape(report.name)}",
        report.summary,
        f"**{report.heldout}**" if report.heldout else "",
        _ends(report),
        *(f"## {chart.title}\n\n![{chart.title}]({chart.name}.png)\n\n{chart.caption}" for chart in report.charts),
        _refusals(report.refusals),
        _gallery(report.exhibits),
        _events(report.events),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _ends(report: RunReport) -> str:
    rows = [f"| mean of | first {report.edge} | last {report.edge} |", "|---|---:|---:|"]
    rows += [f"| {label} | {first} | {last} |" for label, first, last in report.ends]
    return "\n".join(rows)


def _refusals(refusals: Sequence[Refusal]) -> str:
    if not refusals:
        return ""
    rows = ["## Why drafts were refused", "", "| gate | drafts | for example |", "|---|---:|---|"]
    rows += [f"| `{refusal.gate}` | {refusal.count} | {escape(refusal.example)} |" for refusal in refusals]
    return "\n".join(rows)


def _gallery(exhibits: Sequence[Exhibit]) -> str:
    if not exhibits:
        return ""
    heading = f"## The {len(exhibits)} most instructive environments\n\nPlay one: `openspade play ID`."
    return "\n\n".join([heading, *map(_portrait, exhibits)])


def _portrait(exhibit: Exhibit) -> str:
    design, stats, problem = exhibit.stored.design, exhibit.stored.stats, exhibit.stored.problem
    told = [f"### {exhibit.why}: {escape(design.title)}"]
    numbers = ""
    if stats:
        numbers = (
            f": solved {stats.solve_rate:.0%} unaided, {stats.hinted_solve_rate:.0%} hinted; "
            f"regret {stats.regret:+.2f} ± {stats.regret_se:.2f}"
        )
    told.append(f"`{design.id}`, {escape(design.skill)}, {design.kind}, cycle {exhibit.stored.cycle + 1}{numbers}")
    if problem:
        told.append(f"Refused by `{problem.gate}`: {escape(problem.message)}")
        told += [fenced(problem.evidence)] if problem.evidence else []
    told.append(f"Hint: {escape(design.hint)}")
    told.append(f"<details><summary>Program</summary>\n\n{fenced(design.source, 'python')}\n\n</details>")
    return "\n\n".join(told)


def _events(events: Sequence[tuple[int, str, str]]) -> str:
    if not events:
        return ""
    return "## Events\n\n" + "\n".join(
        f"- cycle {cycle + 1}, {escape(kind)}: {escape(text)}" for cycle, kind, text in events
    )
