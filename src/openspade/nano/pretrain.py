"""`openspade pretrain`: makes the nano policy from lessons, the same one for the same recipe on the same machine.

Imports torch through the engine: whoever only wants the nano world imports the other modules of this package.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import platform
import random
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from statistics import fmean

from openspade.engine.chat.chat import TemplateChat
from openspade.engine.model.expand_model import grow_policy
from openspade.engine.model.loading import Policy, load_chat
from openspade.engine.model.new_model import LlamaSize, new_model, use_one_thread, write_model, write_tokenizer
from openspade.engine.training.supervised import Fitting, FittingProgress, Schedule
from openspade.errors import ConfigError
from openspade.nano.base_recipe import BaseRecipe, PhaseSection, read_recipe
from openspade.nano.lessons import Lesson, LessonWriter, Mix, documents
from openspade.nano.measure import measure
from openspade.roles.prompts import Prompts
from openspade.shipped import find_recipe
from openspade.tokens import Sampling, TokenStream

TEMPLATE = Path(__file__).parent / "nanochat.jinja"
PACKAGES = ("torch", "transformers", "tokenizers", "openspade")
WEIGHT_DECAY = 0.05
RECIPE = "recipe.toml"
LAST_STEPS = 50
"""Steps over which the loss at the end is a mean."""
TOKENIZER_MIX = Mix(level_decay=0.7, designer=0.18, good_hint=0.6, worked_unaided=0.2)


@dataclass(frozen=True, kw_only=True, slots=True)
class PretrainProgress:
    """How far a pretraining has come; `loss` in nats a written token, 0 where none is known yet."""

    stage: str
    done: int
    total: int
    loss: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class PretrainReport:
    """What came out: the folder, its weights' SHA-256, what was read and how well it plays."""

    folder: Path
    sha256: str
    parameters: int
    tokens: int
    loss: float
    scores: Mapping[str, float]


Report = Callable[[PretrainProgress], None]


def pretrain(
    recipe_path: Path,
    output_directory: Path,
    progress: Report = lambda _: None,
    *,
    plays: int = 4,
    save_minutes: float = 5.0,
) -> PretrainReport:
    """Make a nano policy in `output_directory`, which is made where it is missing.

    What was learnt is saved every `save_minutes` and after each phase; the same call goes on there after a stop.
    Its scores on the held-out suite are measured with `plays` episodes a seed and arm; 0 leaves them out.
    Raises ConfigError where another recipe was begun in the folder.
    """
    recipe_path = find_recipe(recipe_path)
    recipe = read_recipe(recipe_path)
    use_one_thread()
    writers = [LessonWriter(_mix(phase), Prompts("compact"), documents()) for phase in recipe.phases]
    begun = _begun(output_directory, recipe_path)
    progress(PretrainProgress(stage="tokenizer", done=0, total=1))
    shape = LlamaSize(**recipe.model.model_dump())
    if recipe.grown_from:
        model = grow_policy(recipe.grown_from, shape, recipe.seed, output_directory)
    else:
        _make_tokenizer(recipe, output_directory)
        model = new_model(shape, recipe.seed)
    chat = load_chat(output_directory, context_tokens=recipe.model.context_tokens)
    tokens, loss = 0, 0.0
    for number, phase in enumerate(recipe.phases):
        streams = _streams(recipe, number, writers[number], chat, progress)
        tokens += sum(len(stream.ids) for stream in streams)
        if number >= begun:
            fitting = Fitting(model, streams, _schedule(phase, recipe, number))
            saved = output_directory / _checkpoint(number)
            loss = _learn(fitting, Policy(model=model, chat=chat), saved, _shown(number, progress), save_minutes)
            shutil.rmtree(output_directory / _checkpoint(number - 1), ignore_errors=True)
    write_model(model, output_directory)
    report = PretrainReport(
        folder=output_directory,
        sha256=sha256(output_directory / "model.safetensors"),
        parameters=sum(parameter.numel() for parameter in model.parameters()),
        tokens=tokens,
        loss=loss,
        scores=asyncio.run(measure(output_directory, plays)) if plays else {},
    )
    _write_origin(report, recipe_path, recipe.seed)
    shutil.rmtree(output_directory / _checkpoint(len(recipe.phases) - 1), ignore_errors=True)
    return report


def stream_of(lesson: Lesson, chat: TemplateChat) -> TokenStream:
    """A lesson in tokens, exactly as the same conversation would be sampled."""
    conversation = chat.start(lesson.opening, lesson.tools)
    for exchange in lesson.exchanges:
        prompt = conversation.prompt(Sampling(max_tokens=1), 0)
        if prompt is None or chat.end_of_turn is None:
            raise ConfigError("model.context_tokens is too small for the lessons; 1024 is enough")
        ids = [*chat.encode_after(prompt.ids[-1], exchange.reply), chat.end_of_turn]
        conversation.reply(chat.completion(ids, [0.0] * len(ids), "stop"))
        if exchange.answers:
            conversation.tell(exchange.answers)
    (stream,) = conversation.streams()
    return stream


def sha256(path: Path) -> str:
    """Of a file's bytes, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _checkpoint(phase: int) -> str:
    return f"phase_{phase + 1:02d}"


def _begun(folder: Path, recipe_path: Path) -> int:
    """The phase to go on with; 0 in a new folder."""
    text, kept = recipe_path.read_text(encoding="utf-8"), folder / RECIPE
    saved = sorted(folder.glob("phase_[0-9][0-9]"))
    if saved and kept.read_text(encoding="utf-8") != text:
        raise ConfigError(
            f"{folder} holds a pretraining that was begun with another recipe ({kept}): "
            "choose another --output, or delete the folder"
        )
    folder.mkdir(parents=True, exist_ok=True)
    kept.write_text(text, encoding="utf-8")
    return int(saved[-1].name[-2:]) - 1 if saved else 0


def _learn(
    fitting: Fitting, policy: Policy, folder: Path, show: Callable[[FittingProgress], None], save_minutes: float
) -> float:
    """One phase, from where the folder says; the mean loss of its last steps."""
    if folder.is_dir():
        fitting.load(folder)
    losses: list[float] = []
    saved = time.monotonic()
    for step in fitting.steps():
        losses.append(step.loss)
        show(step)
        if time.monotonic() - saved > 60 * save_minutes:
            fitting.save(policy, folder)
            saved = time.monotonic()
    fitting.save(policy, folder)
    return fmean(losses[-LAST_STEPS:] or [fitting.progress.loss])


def _make_tokenizer(recipe: BaseRecipe, folder: Path) -> None:
    writer = LessonWriter(TOKENIZER_MIX, Prompts("compact"), documents())
    lessons = (writer.lesson(random.Random(f"tok/{i}")) for i in range(recipe.tokenizer_lessons))
    texts = (text for lesson in lessons for text in _texts(lesson))
    folder.mkdir(parents=True, exist_ok=True)
    write_tokenizer(texts, TEMPLATE.read_text(encoding="utf-8"), recipe.model.vocabulary, folder)


def _streams(
    recipe: BaseRecipe, number: int, writer: LessonWriter, chat: TemplateChat, progress: Report
) -> Sequence[TokenStream]:
    count = recipe.phases[number].lessons
    streams: list[TokenStream] = []
    for index in range(count):
        streams.append(stream_of(writer.lesson(random.Random(f"{recipe.seed}/{number}/{index}")), chat))
        if index % 1000 == 0:
            progress(PretrainProgress(stage=f"lessons {number + 1}", done=index, total=count))
    return streams


def _schedule(phase: PhaseSection, recipe: BaseRecipe, number: int) -> Schedule:
    return Schedule(
        learning_rate=phase.learning_rate,
        tokens_per_batch=phase.tokens_per_batch,
        final_share=phase.final_share,
        weight_decay=WEIGHT_DECAY,
        bfloat16=recipe.bfloat16,
        seed=recipe.seed + number,
    )


def _shown(number: int, progress: Report) -> Callable[[FittingProgress], None]:
    def show(step: FittingProgress) -> None:
        progress(PretrainProgress(stage=f"phase {number + 1}", done=step.step, total=step.steps, loss=step.loss))

    return show


def _write_origin(report: PretrainReport, recipe_path: Path, seed: int) -> None:
    """Where the weights come from, beside them."""
    origin = {
        "command": f"openspade pretrain {recipe_path}",
        "recipe": recipe_path.read_text(encoding="utf-8"),
        "seed": seed,
        "versions": {"python": platform.python_version(), **{name: metadata.version(name) for name in PACKAGES}},
        "machine": platform.machine(),
        "sha256": report.sha256,
        "parameters": report.parameters,
        "tokens": report.tokens,
        "loss": round(report.loss, 4),
        "scores": {name: round(score, 4) for name, score in report.scores.items()},
    }
    (report.folder / "origin.json").write_text(json.dumps(origin, indent=2) + "\n", encoding="utf-8")


def _mix(phase: PhaseSection) -> Mix:
    return Mix(
        level_decay=phase.level_decay,
        designer=phase.designer,
        good_hint=phase.good_hint,
        worked_unaided=phase.worked_unaided,
        echo=phase.echo,
        design_decay=phase.design_decay,
        worked_decay=phase.worked_decay,
    )


def _texts(lesson: Lesson) -> Iterator[str]:
    yield from (message.content for message in lesson.opening)
    for exchange in lesson.exchanges:
        yield exchange.reply
        yield from (message.content for message in exchange.answers)
