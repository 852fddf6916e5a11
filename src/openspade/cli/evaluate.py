"""`evaluate`: any policy on a held-out suite, beside what knowing everything and knowing nothing score."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openspade.cli.tables import show_table
from openspade.cli.terminal import plain, screen, show, show_json
from openspade.cli.train import Overrides
from openspade.config import Config, secret
from openspade.errors import ConfigError
from openspade.runview.formats import interval
from openspade.sources import open_memory
from openspade.tokens import JSON

if TYPE_CHECKING:
    from openspade.engine.base import Engine
    from openspade.evaluation.evaluate import Score
    from openspade.evaluation.references import Reference
    from openspade.evaluation.results import Evaluation
    from openspade.types import Playtest

ADDRESS = ("http://", "https://")
RUNS = Path("runs")


def register(app: typer.Typer) -> None:
    app.command()(evaluate)


def evaluate(  # noqa: PLR0913 - one option each
    overrides: Overrides = None,
    *,
    policy: Annotated[
        str,
        typer.Option(
            "--policy",
            "-p",
            metavar="RUN|RECIPE|MODEL|URL|NAME",
            help="A run (its latest weights), a recipe (its untrained policy), a model's folder or name, a server, "
            "or oracle, null, random, constant, copy, which need no model.",
        ),
    ],
    suite: Annotated[
        str, typer.Option(help="nano, mini, rg_hard or a JSONL file; a run's or recipe's own when left out.")
    ] = "",
    plays: Annotated[int, typer.Option(min=0, help="Episodes of each instance; 0 is what the settings say.")] = 0,
    hinted: Annotated[bool, typer.Option("--hinted", help="Play with the hints shown.")] = False,
    model: Annotated[str, typer.Option(help="The model's name on the server.")] = "",
    output: Annotated[Path | None, typer.Option(help="Where results.json and samples.jsonl are written.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what stands in results.json.")] = False,
) -> None:
    """Score a policy on a held-out suite: mean return with its 95 % interval, by family, beside the suite's floors.

    Every episode is kept in samples.jsonl, and results.json has the suite's SHA-256, the settings and the versions.
    A server's key is read from the environment variable OPENAI_API_KEY.

    Example: `openspade evaluate --suite mini --policy oracle`

    Example: `openspade evaluate --policy runs/nano --plays 4`
    """
    from openspade.evaluation.results import write_results

    chosen = _choose(policy, model, overrides or [])
    config = _with(chosen.config, suite, plays)
    evaluation = asyncio.run(_evaluate(chosen, config, hinted=hinted))
    folder = output or chosen.home / f"{Path(config.evaluate.suite).stem}-{chosen.label}{'-hinted' if hinted else ''}"
    path = write_results(evaluation, folder)
    if as_json:
        show_json(evaluation.record())
        return
    _show(evaluation)
    screen.print(f"Written: {plain(str(path))}", soft_wrap=True)


@dataclass(frozen=True, kw_only=True, slots=True)
class Chosen:
    """The policy that was named: its settings, and what says which one it is."""

    label: str
    config: Config
    home: Path
    facts: Mapping[str, JSON] = field(default_factory=dict)
    reference: Reference | None = None
    server: str = ""
    run: Path | None = None


def _choose(policy: str, model: str, overrides: list[str]) -> Chosen:
    from openspade.evaluation.references import REFERENCES
    from openspade.recipe import load
    from openspade.run_folder import CONFIG_FILE, refuse_foreign_servers, stored_config

    path, home = Path(policy), RUNS / "evaluations"
    if policy in REFERENCES:
        facts: dict[str, JSON] = {"reference": policy}
        reference = REFERENCES[REFERENCES.index(policy)]
        return Chosen(label=policy, config=load(None, overrides), home=home, facts=facts, reference=reference)
    if policy.startswith(ADDRESS):
        if not model:
            raise ConfigError(f"--policy {policy} is a server: say which model with --model NAME")
        facts = {"server": policy, "model": model}
        label = "".join(sign if sign.isalnum() or sign in "._-" else "_" for sign in model)
        return Chosen(label=label, config=load(None, overrides), home=home, facts=facts, server=policy)
    if (path / CONFIG_FILE).is_file():
        facts = {"run": policy}
        config = stored_config(path, overrides)
        refuse_foreign_servers(path, config, overrides)
        return Chosen(label="run", config=config, home=path / "evaluations", facts=facts, run=path)
    if path.suffix == ".toml":
        config = load(path, overrides)
        return Chosen(label=f"{path.stem}-untrained", config=config, home=home, facts={"recipe": policy})
    facts = {"model": policy}
    config = load(None, [*overrides, f"policy.model={policy}"])
    return Chosen(label=path.name, config=config, home=home, facts=facts)


def _with(config: Config, suite: str, plays: int) -> Config:
    changed = {**({"suite": suite} if suite else {}), **({"plays": plays} if plays else {})}
    return config.model_copy(update={"evaluate": config.evaluate.model_copy(update=changed)})


async def _evaluate(chosen: Chosen, config: Config, *, hinted: bool) -> Evaluation:
    from openspade.assembly import build_playtester, build_sandbox
    from openspade.evaluation.evaluate import play_tasks, score_of
    from openspade.evaluation.references import FLOORS, References
    from openspade.evaluation.results import Evaluation
    from openspade.evaluation.strict import strict_score
    from openspade.evaluation.suites import read_suite, refuse_missing_packages

    suite, started = read_suite(config.evaluate.suite), time.monotonic()
    refuse_missing_packages(suite)
    tasks = suite.tasks
    async with build_sandbox(config) as pool:
        references, sampling = References(pool, tasks, config.playtest), dict[str, JSON]()
        facts, cut = dict(chosen.facts), 0
        if chosen.reference:
            playtests = await references.play(chosen.reference)
            hinted, plays = False, 1
        else:
            sampling = {**config.agent.model_dump(), "prompts": config.policy.prompts, "run_seed": config.run.seed}
            plays = config.evaluate.plays
            async with _engine(chosen, config) as (engine, told):
                facts |= told
                playtester = build_playtester(config, engine, pool)
                playtests = await play_tasks(playtester, tasks, plays, hinted=hinted)
                cut = _count_cut(playtests, engine, config.playtest.observation_tokens)
        seconds = time.monotonic() - started
        floors: dict[str, Score] = {}
        for name in FLOORS:
            floors[name] = score_of(tasks, await references.play(name))
    return Evaluation(
        suite=suite,
        policy=facts,
        sampling=sampling,
        plays=plays,
        hinted=hinted,
        score=score_of(tasks, playtests, hinted=hinted),
        strict=strict_score(tasks, playtests, hinted=hinted),
        floors=floors,
        playtests=playtests,
        seconds=seconds,
        cut=cut,
    )


def _count_cut(playtests: Sequence[Playtest], engine: Engine, limit_tokens: int) -> int:
    firsts = {e.design_id + str(e.seed): e.first_observation for playtest in playtests for e in playtest.episodes}
    return sum(engine.chat.count(text) > limit_tokens for text in firsts.values())


@asynccontextmanager
async def _engine(chosen: Chosen, config: Config) -> AsyncIterator[tuple[Engine, Mapping[str, JSON]]]:
    """The policy's engine with its weights, and which weights these are."""
    from openspade.assembly import build_engine
    from openspade.engine.endpoint import Endpoint, EndpointEngine

    if chosen.server:
        name = str(chosen.facts["model"])
        server = Endpoint(
            url=chosen.server,
            model=name,
            api_key=secret("OPENAI_API_KEY"),
            context_tokens=config.policy.context_tokens,
            concurrency=config.endpoint.concurrency,
            timeout_s=config.endpoint.timeout_s,
        )
        async with EndpointEngine(server) as endpoint:
            yield endpoint, {}
        return
    engine = build_engine(config)
    told: dict[str, JSON] = {"model": config.policy.model}
    if chosen.run:
        with open_memory(chosen.run) as memory:
            checkpoint, told["cycles"] = memory.checkpoint(), memory.last_cycle() + 1
        if checkpoint:
            told["checkpoint"] = checkpoint
            await engine.load(chosen.run / "checkpoints" / checkpoint)
    yield engine, told


def _show(evaluation: Evaluation) -> None:
    score = evaluation.score
    arm = " with hints" if evaluation.hinted else ""
    told = interval(score.mean, score.low, score.high)
    show(
        f"{told}  mean return of {score.episodes} episodes{arm}, {score.void} void",
        style="bold",
    )
    show(f"Suite {evaluation.suite.name}, SHA-256 {evaluation.suite.digest[:16]}…", style="dim")
    if evaluation.cut:
        show(f"{evaluation.cut} first observations were cut: they are longer than playtest.observation_tokens")
    columns = {"score": score, **({"strict": evaluation.strict} if evaluation.strict else {}), **evaluation.floors}
    rows = [
        [family, *(f"{column.families.get(family, 0.0):.3f}" for column in columns.values())]
        for family in sorted(score.families)
    ]
    rows.append(["all", *(f"{column.mean:.3f}" for column in columns.values())])
    show_table(["family", *columns], rows)
