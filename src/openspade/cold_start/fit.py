"""`openspade cold-start`: lessons are made once, learnt with checkpoints, and the folder at the end is a policy."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec

from openspade.cold_start.cold_start_plan import ColdStartPlan, TokenLesson
from openspade.cold_start.pool_lessons import make_lessons
from openspade.config import Config
from openspade.engine.local import LocalEngine
from openspade.engine.model.loading import Policy, find_folder
from openspade.engine.training.supervised import Fitting, FittingProgress, Stage, StageReport, loss_of, write_policy
from openspade.errors import ConfigError
from openspade.tokens import JSON, Role, TokenStream

ORIGIN, LESSONS, CHECKPOINT = "cold_start.json", "lessons.json", "checkpoint"
OLD_ORIGIN = "warmup.json"
"""What earlier versions called it; a folder begun by one goes on. Goes with the next release."""
ROLES: tuple[Role, ...] = ("designer", "agent")


@dataclass(frozen=True, kw_only=True, slots=True)
class ColdStartReport:
    """What came out. Held-out losses are in nats a written token, by role, before and after; `seconds` of training.

    `finished` is False when training was stopped: the same call goes on.
    """

    folder: Path
    finished: bool
    lessons: Mapping[str, int]
    steps: int
    tokens: int
    loss: float
    before: Mapping[str, float]
    after: Mapping[str, float]
    seconds: float


class ColdStart:
    """One cold start in its folder, begun or gone on with.

    Raises ConfigError when the folder holds something else.
    """

    def __init__(self, config: Config, plan: ColdStartPlan, folder: Path, report: StageReport) -> None:
        self._folder = folder
        self._report = report
        self._losses: list[float] = []
        self._origin = _open_folder(folder, asked(config, plan))
        report(Stage(name="policy", done=0.0, note=config.policy.model))
        engine = LocalEngine(config.policy, config.train)
        self._policy = Policy(model=engine.model, chat=engine.chat, folder=find_folder(config.policy.model))
        self._lessons = self._read_lessons(config, plan)
        self._schedule = plan.schedule(bfloat16=config.policy.bfloat16, seed=config.run.seed)
        self._fitting = Fitting(engine.model, self._streams(held_out=False), self._schedule)

    def run(self, *, stopped: Callable[[], bool], save_minutes: float) -> ColdStartReport:
        """Learn until the plan's end, or until `stopped` says so; what was learnt is saved either way."""
        if (self._folder / CHECKPOINT).is_dir():
            self._fitting.load(self._folder / CHECKPOINT)
        if "before" not in self._origin:
            self._note(before=self._held_out_loss("held-out loss before"))
        self._fitting.learn(self._show, self._save, save_minutes=save_minutes, stopped=stopped)
        if self._fitting.progress.done < 1:
            self._save()
        else:
            self._note(after=self._held_out_loss("held-out loss after"))
            write_policy(self._policy, self._folder)
            self._note(finished=True)
            shutil.rmtree(self._folder / CHECKPOINT, ignore_errors=True)
        return self._told()

    def _show(self, step: FittingProgress) -> None:
        self._losses = [*self._losses[-19:], step.loss]
        loss = sum(self._losses) / len(self._losses)
        told = f"step {step.step}, loss {loss:.3f}, {step.tokens / step.seconds:.0f} tokens/s"
        self._report(Stage(name="learning", done=step.done, note=told))

    def _read_lessons(self, config: Config, plan: ColdStartPlan) -> list[TokenLesson]:
        path = self._folder / LESSONS
        if path.exists():
            return msgspec.json.decode(path.read_bytes(), type=list[TokenLesson])
        lessons = asyncio.run(make_lessons(config, plan, self._policy.chat, self._report))
        if not any(not lesson.held_out for lesson in lessons):
            raise ConfigError(
                f"policy.context_tokens={config.policy.context_tokens} holds no lesson of {', '.join(plan.pools)}; "
                "raise it, or set policy.prompts=compact"
            )
        aside = path.with_suffix(".partial")
        aside.write_bytes(msgspec.json.encode(lessons))
        aside.rename(path)
        return lessons

    def _streams(self, *, held_out: bool, role: Role | None = None) -> list[TokenStream]:
        chosen = [one for one in self._lessons if one.held_out == held_out and role in (None, one.role)]
        return [stream for lesson in chosen for stream in lesson.streams]

    def _held_out_loss(self, stage: str) -> dict[str, JSON]:
        self._report(Stage(name=stage, done=0.0))
        model = self._policy.model
        return {role: loss_of(model, self._streams(held_out=True, role=role), self._schedule) for role in ROLES}

    def _save(self) -> None:
        self._fitting.save(self._policy, self._folder / CHECKPOINT)
        self._note()

    def _note(self, **facts: JSON) -> None:
        self._origin = {**self._origin, **facts}
        progress = self._fitting.progress
        self._origin |= {"steps": progress.step, "tokens": progress.tokens, "seconds": progress.seconds}
        _write(self._folder, self._origin)

    def _told(self) -> ColdStartReport:
        progress = self._fitting.progress
        return ColdStartReport(
            folder=self._folder,
            finished=bool(self._origin.get("finished")),
            lessons=_counts(self._lessons),
            steps=progress.step,
            tokens=progress.tokens,
            loss=progress.loss,
            before=_losses(self._origin.get("before")),
            after=_losses(self._origin.get("after")),
            seconds=progress.seconds,
        )


def asked(config: Config, plan: ColdStartPlan) -> dict[str, JSON]:
    """Everything that decides what a cold start makes; a later part of it must be asked for the same."""
    sections = {"policy", "gates", "corpus", "curriculum", "agent", "playtest"}
    settings = config.model_dump(
        mode="json", by_alias=True, include=sections, exclude={"policy": {"device", "threads", "batch_rows"}}
    )
    return {"plan": json.loads(json.dumps(asdict(plan))), "seed": config.run.seed, **settings}


def taught_programs(folder: Path) -> tuple[str, ...]:
    """Every program that a cold start showed, held-out ones left out."""
    lessons = msgspec.json.decode((folder / LESSONS).read_bytes(), type=list[TokenLesson])
    return tuple(dict.fromkeys(lesson.source for lesson in lessons if lesson.source and not lesson.held_out))


def _open_folder(folder: Path, wanted: dict[str, JSON]) -> dict[str, JSON]:
    if (folder / OLD_ORIGIN).exists():
        (folder / OLD_ORIGIN).rename(folder / ORIGIN)
    begun = (folder / ORIGIN).exists()
    if begun and (folder / LESSONS).exists():
        origin: dict[str, JSON] = json.loads((folder / ORIGIN).read_text(encoding="utf-8"))
        if origin.get("finished"):
            raise ConfigError(f"{folder} is a finished cold start; choose another --output, or delete it")
        before = origin["asked"] if isinstance(origin["asked"], dict) else {}
        if differing := [name for name, value in wanted.items() if before.get(name) != value]:
            raise ConfigError(
                f"{folder} holds a cold start that was begun with other settings of {', '.join(differing)}; "
                "repeat the first command, choose another --output, or delete the folder"
            )
        return origin
    if folder.exists() and any(folder.iterdir()) and not begun:
        raise ConfigError(f"{folder} is not empty and holds no cold start; choose another --output")
    folder.mkdir(parents=True, exist_ok=True)
    origin = {"asked": wanted, "finished": False}
    _write(folder, origin)
    return origin


def _write(folder: Path, origin: Mapping[str, JSON]) -> None:
    aside = folder / f"{ORIGIN}.partial"
    aside.write_text(json.dumps(origin, indent=1) + "\n", encoding="utf-8")
    aside.rename(folder / ORIGIN)


def _counts(lessons: list[TokenLesson]) -> dict[str, int]:
    """Lessons by role, pool and whether they are held out."""
    return dict(Counter(f"{one.role} {one.pool}{' held out' if one.held_out else ''}" for one in lessons))


def _losses(found: JSON) -> dict[str, float]:
    return {name: float(str(value)) for name, value in found.items()} if isinstance(found, dict) else {}
