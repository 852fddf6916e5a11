"""`generate`: designs from any OpenAI-compatible server, gated and stored, without training."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openspade.cli.terminal import one_line, show, show_json
from openspade.config import Config
from openspade.types import Brief, Credit, CycleReport, Verdict

if TYPE_CHECKING:
    from openspade.engine.endpoint import Endpoint

RUN_NAME = "generated"
BATCH = 8
"""Briefs asked for at once; each batch is stored before the next, so that a stop loses little."""


def register(app: typer.Typer) -> None:
    app.command()(generate)


def generate(
    overrides: Annotated[
        list[str] | None,
        typer.Argument(metavar="SECTION.KEY=VALUE", help="Settings, e.g. designer.max_tokens=8192."),
    ] = None,
    *,
    endpoint: Annotated[str, typer.Option(metavar="URL", help="The server's address, e.g. http://localhost:8000/v1.")],
    model: Annotated[str, typer.Option(help="The model's name on that server.")],
    count: Annotated[int, typer.Option("-n", "--count", min=1, help="How many drafts to ask for.")] = 50,
    recipe: Annotated[Path | None, typer.Option(help="A recipe for skills, corpus, gates and sampling.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a draft.")] = False,
) -> None:
    """Ask a model server for environments, judge each by the gates, and keep all of them in a new run.

    A key, if the server wants one, is read from the environment variable OPENAI_API_KEY.
    Exit code 0 when at least one was accepted, 1 when none.

    Example: `openspade generate --endpoint http://localhost:8000/v1 --model qwen3-8b -n 50`
    """
    from openspade.config import secret
    from openspade.engine.endpoint import Endpoint
    from openspade.recipe import load
    from openspade.run_folder import new_run_directory

    given = overrides or []
    named = [] if any(item.startswith("run.name=") for item in given) else [f"run.name={RUN_NAME}"]
    config = load(recipe, [*named, *given])
    directory = new_run_directory(config)
    key, context_tokens = secret("OPENAI_API_KEY"), config.policy.context_tokens
    server = Endpoint(url=endpoint, model=model, api_key=key, context_tokens=context_tokens)
    accepted = asyncio.run(_generate(config, directory, server, count, as_json=as_json))
    if not as_json:
        show(f"{accepted} of {count} accepted; all are in {directory}")
    raise typer.Exit(0 if accepted else 1)


async def _generate(config: Config, directory: Path, server: Endpoint, count: int, *, as_json: bool) -> int:
    from openspade.assembly import build_curriculum
    from openspade.engine.endpoint import EndpointEngine
    from openspade.memory.memory import Memory
    from openspade.roles.designer import Designer
    from openspade.roles.prompts import Prompts
    from openspade.run_folder import DATABASE_FILE
    from openspade.sandbox.host.sandbox_pool import SandboxPool
    from openspade.verifier.judge import build_judge
    from openspade.verifier.ladder import Verifier

    # One draft a brief: without training nothing compares drafts with each other, and more briefs are more topics.
    config = config.model_copy(
        update={"cycle": config.cycle.model_copy(update={"briefs": BATCH, "drafts_per_brief": 1})}
    )
    accepted = 0
    with Memory.open(directory / DATABASE_FILE, config.memory, reward=config.reward) as memory:
        async with EndpointEngine(server) as engine, SandboxPool(config.sandbox, numpy=config.gates.numpy) as pool:
            curriculum = build_curriculum(config, engine, memory)
            designer = Designer(engine, Prompts(config.policy.prompts), config.designer, drafts_per_brief=1)
            judge = build_judge(config, Verifier(pool, memory, config.gates), engine, designer)
            for batch in range((count + BATCH - 1) // BATCH):
                briefs = curriculum.briefs(batch)[: count - batch * BATCH]
                verdicts = await judge.verify(await designer.design(briefs))
                memory.commit(_report(batch, briefs, verdicts), state={}, checkpoint="")
                accepted += sum(verdict.accepted for verdict in verdicts)
                _tell(verdicts, as_json=as_json)
    return accepted


def _report(batch: int, briefs: Sequence[Brief], verdicts: Sequence[Verdict]) -> CycleReport:
    from openspade.metrics.cycle import funnel

    return CycleReport(
        cycle=batch,
        briefs=tuple(briefs),
        verdicts=tuple(verdicts),
        playtests=(),
        credit=Credit(rewards={}, stats={}, trajectories=()),
        metrics=funnel(verdicts),
    )


def _tell(verdicts: Sequence[Verdict], *, as_json: bool) -> None:
    for verdict in verdicts:
        design, problem = verdict.draft.design, verdict.problems[0] if verdict.problems else None
        if as_json:
            show_json(
                {
                    "draft": verdict.draft.id,
                    "design": design.id if design else None,
                    "title": design.title if design else None,
                    "accepted": verdict.accepted,
                    "gate": problem.gate if problem else None,
                    "problem": problem.message if problem else None,
                }
            )
        elif design and verdict.accepted:
            show(f"  ✓ {design.id}  {one_line(design.title, 56)}")
        elif problem:
            show(f"  ✗ {problem.gate}: {one_line(problem.message, 64)}", style="dim")
