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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from importlib import metadata
from pathlib import Path
from statistics import fmean

from openspade.engine.chat.chat import TemplateChat
from openspade.engine.model.expand_model import grow_policy
from openspade.engine.model.loading import Policy, load_chat
from openspade.engine.model.new_model import new_model, use_one_thread, write_model, write_tokenizer
from openspade.engine.training.supervised import Fitting, FittingProgress, Schedule, Stage, StageReport
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
class PretrainReport:
    """What came out: the folder, its weights' SHA-256, what was read and how well it plays."""

    folder: Path
    sha256: str
    parameters: int
    tokens: int
    loss: float
    scores: Mapping[str, float]


def pretrain(
    recipe_path: Path,
    output_directory: Path,
    report: StageReport = lambda _: None,
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
    report(Stage(name="tokenizer", done=0.0))
    if recipe.grown_from:
        model = grow_policy(recipe.grown_from, recipe.model, recipe.seed, output_directory)
    else:
        _make_tokenizer(recipe, output_directory)
        model = new_model(recipe.model, recipe.seed)
    chat = load_chat(output_directory, context_tokens=recipe.model.context_tokens)
    tokens, loss = 0, 0.0
    for number, phase in enumerate(recipe.phases):
        streams = _streams(recipe, number, writers[number], chat, report)
        tokens += sum(len(stream.ids) for stream in streams)
        if number >= begun:
            fitting = Fitting(model, streams, _schedule(phase, recipe, number))
            saved = output_directory / _checkpoint(number)
            phase_report = partial(_report_step, report, f"phase {number + 1}")
            loss = _learn(fitting, Policy(model=model, chat=chat), saved, phase_report, save_minutes)
            shutil.rmtree(output_directory / _checkpoint(number - 1), ignore_errors=True)
    write_model(model, output_directory)
    made = PretrainReport(
        folder=output_directory,
        sha256=sha256(output_directory / "model.safetensors"),
        parameters=sum(parameter.numel() for parameter in model.parameters()),
        tokens=tokens,
        loss=loss,
        scores=asyncio.run(measure(output_directory, plays)) if plays else {},
    )
    _write_origin(made, recipe_path, recipe.seed)
    shutil.rmtree(output_directory / _checkpoint(len(recipe.phases) - 1), ignore_errors=True)
    return made


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

    def note(step: FittingProgress) -> None:
        losses.append(step.loss)
        show(step)

    def save() -> None:
        fitting.save(policy, folder)

    fitting.learn(note, save, save_minutes=save_minutes)
    save()
    return fmean(losses[-LAST_STEPS:] or [fitting.progress.loss])


def _make_tokenizer(recipe: BaseRecipe, folder: Path) -> None:
    writer = LessonWriter(TOKENIZER_MIX, Prompts("compact"), documents())
    lessons = (writer.lesson(random.Random(f"tok/{i}")) for i in range(recipe.tokenizer_lessons))
    texts = (text for lesson in lessons for text in _texts(lesson))
    folder.mkdir(parents=True, exist_ok=True)
    write_tokenizer(texts, TEMPLATE.read_text(encoding="utf-8"), recipe.model.vocabulary, folder)


def _streams(
    recipe: BaseRecipe, number: int, writer: LessonWriter, chat: TemplateChat, report: StageReport
) -> Sequence[TokenStream]:
    count = recipe.phases[number].lessons
    streams: list[TokenStream] = []
    for index in range(count):
        streams.append(stream_of(writer.lesson(random.Random(f"{recipe.seed}/{number}/{index}")), chat))
        if index % 1000 == 0:
            report(Stage(name=f"lessons {number + 1}", done=index / count))
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


def _report_step(report: StageReport, stage: str, step: FittingProgress) -> None:
    report(Stage(name=stage, done=step.done, note=f"loss {step.loss:.3f}"))


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
    return Mix(**phase.model_dump(include={field.name for field in fields(Mix)}))


def _texts(lesson: Lesson) -> Iterator[str]:
    yield from (message.content for message in lesson.opening)
    for exchange in lesson.exchanges:
        yield exchange.reply
        yield from (message.content for message in exchange.answers)
