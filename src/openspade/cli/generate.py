"""`generate`: designs from any OpenAI-compatible server, gated and stored, without training."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openspade.cli.terminal import one_line, show, show_json
from openspade.config import Config
from openspade.errors import EngineError
from openspade.roles.designer import CUT
from openspade.tokens import JSON
from openspade.types import Brief, Credit, CycleReport, Verdict

if TYPE_CHECKING:
    from openspade.curriculum.briefs import Curriculum
    from openspade.engine.endpoint import Endpoint
    from openspade.memory.memory import Memory

RUN_NAME = "generated"
ROOMY = ("policy.context_tokens=32768", "designer.max_tokens=8192")
"""Half of the environments that ship have more than 512 tokens, and a model may think before it writes."""
BATCH = 8
"""Briefs asked for at once; each batch is stored before the next, so that a stop loses little."""


def register(app: typer.Typer) -> None:
    app.command()(generate)


def generate(  # noqa: PLR0913 - one argument an option
    overrides: Annotated[
        list[str] | None,
        typer.Argument(metavar="SECTION.KEY=VALUE", help="Settings, e.g. designer.max_tokens=8192."),
    ] = None,
    *,
    endpoint: Annotated[str, typer.Option(metavar="URL", help="The server's address, e.g. http://localhost:8000/v1.")],
    model: Annotated[str, typer.Option(help="The model's name on that server.")],
    count: Annotated[int, typer.Option("-n", "--count", min=1, help="How many drafts to ask for.")] = 50,
    recipe: Annotated[Path | None, typer.Option(help="A recipe for skills, corpus, gates and sampling.")] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="RUN", help="Go on in this run until it holds that many drafts.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a draft.")] = False,
) -> None:
    """Ask a model server for environments, judge each by the gates, and keep all of them in a new run.

    A key, if the server wants one, is read from the environment variable OPENAI_API_KEY. An answer that is none costs
    its own draft; what a batch has brought is stored before the next, and `--resume RUN` goes on after it.
    Without a recipe replies may have 8,192 tokens (designer.max_tokens).
    Exit code 0 when at least one was accepted, 1 when none.

    Example: `openspade generate --endpoint http://localhost:8000/v1 --model qwen3-8b -n 50`
    """
    from openspade.config import secret
    from openspade.engine.endpoint import Endpoint
    from openspade.recipe import load
    from openspade.run_folder import new_run_directory, stored_config

    given = overrides or []
    if resume:
        config, directory = stored_config(resume, given), resume
    else:
        roomy = [] if recipe else ROOMY
        named = [] if any(item.startswith("run.name=") for item in given) else [f"run.name={RUN_NAME}"]
        config = load(recipe, [*named, *roomy, *given])
        directory = new_run_directory(config)
    server = Endpoint(
        url=endpoint,
        model=model,
        api_key=secret("OPENAI_API_KEY"),
        context_tokens=config.policy.context_tokens,
        concurrency=config.endpoint.concurrency,
        timeout_s=config.endpoint.timeout_s,
    )
    try:
        stored = asyncio.run(_generate(config, directory, server, count, as_json=as_json))
    except EngineError as error:
        raise EngineError(f"{error}\nwhat was there is in {directory}; go on with --resume {directory}") from None
    if not as_json:
        show(f"{stored.accepted} of {stored.drafts} accepted; all are in {directory}")
        if stored.cut:
            limit = config.designer.max_tokens
            show(f"{stored.cut} replies were cut at designer.max_tokens={limit}: allow more, designer.max_tokens=N")
    raise typer.Exit(0 if stored.accepted else 1)


@dataclass
class Stored:
    """What a run of drafts holds so far."""

    drafts: int = 0
    accepted: int = 0
    cut: int = 0

    def add(self, drafts: Iterable[tuple[bool, str]]) -> None:
        """Whether each was accepted, and else why not."""
        for accepted, problem in drafts:
            self.drafts += 1
            self.accepted += accepted
            self.cut += problem == CUT


async def _generate(config: Config, directory: Path, server: Endpoint, count: int, *, as_json: bool) -> Stored:
    from openspade.assembly import build_curriculum
    from openspade.engine.endpoint import EndpointEngine
    from openspade.engine.watched import Progress, WatchedEngine
    from openspade.memory.memory import Memory
    from openspade.roles.designer import Designer
    from openspade.roles.prompts import Prompts
    from openspade.run_folder import DATABASE_FILE
    from openspade.sandbox.host.sandbox_pool import SandboxPool
    from openspade.verifier.judge import build_judge
    from openspade.verifier.ladder import Verifier
    from openspade.watchdog import Watchdog

    # One draft a brief: without training nothing compares drafts with each other, and more briefs are more topics.
    config = config.model_copy(
        update={"cycle": config.cycle.model_copy(update={"briefs": BATCH, "drafts_per_brief": 1})}
    )
    progress, stored = Progress(), Stored()
    with Memory.open(directory / DATABASE_FILE, config.memory, reward=config.reward) as memory:
        async with EndpointEngine(server) as asked, SandboxPool(config.sandbox, numpy=config.gates.numpy) as pool:
            engine = WatchedEngine(asked, progress)
            curriculum = build_curriculum(config, engine, memory)
            _go_on(memory, curriculum, stored)
            designer = Designer(engine, Prompts(config.policy.prompts), config.designer, drafts_per_brief=1)
            judge = build_judge(config, Verifier(pool, memory, config.gates), engine, designer)
            watchdog = Watchdog(progress, timeout_s=config.run.stall_timeout_s, memory=memory)
            with watchdog.watching():
                while stored.drafts < count:
                    batch = memory.last_cycle() + 1
                    watchdog.cycle(batch)
                    briefs = curriculum.briefs(batch)[: count - stored.drafts]
                    verdicts = await judge.verify(await designer.design(briefs))
                    state: dict[str, JSON] = {"curriculum": dict(curriculum.state())}
                    memory.commit(_report(batch, briefs, verdicts), state=state, checkpoint="")
                    stored.add((v.accepted, v.problems[0].message if v.problems else "") for v in verdicts)
                    _tell(verdicts, as_json=as_json)
    return stored


def _go_on(memory: Memory, curriculum: Curriculum, stored: Stored) -> None:
    """Where an earlier call stopped: what it has stored counts, and its briefs are not asked again."""
    saved = memory.state().get("curriculum")
    if isinstance(saved, dict):
        curriculum.restore(saved)
    for cycle in range(memory.last_cycle() + 1):
        verdicts, _ = memory.reread(cycle)
        stored.add((v.accepted, v.problems[0].message if v.problems else "") for v in verdicts)


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
