"""`openspade pretrain`: makes the nano policy from lessons, the same one for the same recipe on the same machine.

Imports torch through the engine: whoever only wants the nano world imports the other modules of this package.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import platform
import random
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from statistics import fmean

from pydantic import Field, PositiveFloat, PositiveInt, ValidationError

from openspade.engine.chat import TemplateChat
from openspade.engine.loading import load_chat
from openspade.engine.newborn import Shape, new_model, use_one_thread, write_model, write_tokenizer
from openspade.engine.supervised import Progress, Schedule, fit
from openspade.errors import ConfigError
from openspade.nano.lessons import Lesson, Mix, Teacher, documents
from openspade.nano.measure import measure
from openspade.roles.prompts import Prompts
from openspade.settings.section import Section
from openspade.tokens import Sampling, TokenStream

TEMPLATE = Path(__file__).parent / "nanochat.jinja"
PACKAGES = ("torch", "transformers", "tokenizers", "openspade")
WEIGHT_DECAY = 0.05
TOKENIZER_MIX = Mix(level_decay=0.7, designer=0.18, good_hint=0.6, worked_unaided=0.2)


class ModelSection(Section):
    """The size of the policy."""

    vocabulary: PositiveInt = 2048
    """Entries of the tokenizer."""
    width: PositiveInt = 128
    """Size of the residual stream."""
    layers: PositiveInt = 6
    """Blocks."""
    heads: PositiveInt = 4
    """Query heads."""
    key_heads: PositiveInt = 2
    """Key and value heads."""
    hidden: PositiveInt = 384
    """Size of the feed-forward layers."""
    context_tokens: PositiveInt = 1024
    """The longest conversation."""


class PhaseSection(Section):
    """One pass over new lessons."""

    lessons: PositiveInt
    """Conversations, each seen once."""
    learning_rate: PositiveFloat
    """Peak of the schedule."""
    final_share: float = Field(default=0.05, gt=0, le=1)
    """What is left of the learning rate at the end."""
    tokens_per_batch: PositiveInt = 2048
    """Padded tokens of an optimiser step."""
    echo: float = Field(default=0.0, ge=0, le=1)
    """Share of the lessons in which a row of signs is said again."""
    designer: float = Field(default=0.0, ge=0, le=1)
    """Share of the other lessons in which a program is written."""
    level_decay: float = Field(default=0.62, gt=0, le=1)
    """A level is this much rarer in play than the one below."""
    design_decay: float = Field(default=0.85, gt=0, le=1)
    """The same for programs whose brief says nothing about the level."""
    good_hint: float = Field(default=0.6, ge=0, le=1)
    """Share of the programs with a hint that helps."""
    worked_unaided: float = Field(default=0.2, ge=0, le=1)
    """How often steps are written without a good hint, at level 1."""
    worked_decay: float = Field(default=1.0, gt=0, le=1)
    """At each further level, steps are written this much rarer."""


class BaseRecipe(Section):
    """How a nano policy is made."""

    seed: int = 0
    """Every draw derives from it."""
    tokenizer_lessons: PositiveInt = 6000
    """Lessons the tokenizer is learnt from."""
    model: ModelSection = ModelSection()
    phases: tuple[PhaseSection, ...] = Field(min_length=1)


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


def read_recipe(path: Path) -> BaseRecipe:
    """A checked recipe. Raises ConfigError naming the file and the setting."""
    try:
        return BaseRecipe.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise ConfigError(f"recipe {path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"recipe {path} is not TOML: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigError(f"recipe {path}: {where} is {first['input']!r}: {first['msg']}") from None


def pretrain(
    recipe_path: Path, output_directory: Path, progress: Report = lambda _: None, *, plays: int = 4
) -> PretrainReport:
    """Make a nano policy in `output_directory`, which is made where it is missing.

    Its scores on the held-out suite are measured with `plays` episodes a seed and arm; 0 leaves them out.
    """
    recipe = read_recipe(recipe_path)
    use_one_thread()
    teachers = [Teacher(_mix(phase), Prompts("compact"), documents()) for phase in recipe.phases]
    progress(PretrainProgress(stage="tokenizer", done=0, total=1))
    _make_tokenizer(recipe, output_directory)
    chat = load_chat(output_directory, context_tokens=recipe.model.context_tokens)
    model = new_model(Shape(**recipe.model.model_dump()), recipe.seed)
    tokens, losses = 0, [0.0]
    for number, phase in enumerate(recipe.phases):
        streams = _streams(recipe, number, teachers[number], chat, progress)
        tokens += sum(len(stream.ids) for stream in streams)
        losses = fit(model, streams, _schedule(phase, recipe.seed + number), progress=_shown(number, progress))
    write_model(model, output_directory)
    report = PretrainReport(
        folder=output_directory,
        sha256=sha256(output_directory / "model.safetensors"),
        parameters=sum(parameter.numel() for parameter in model.parameters()),
        tokens=tokens,
        loss=fmean(losses[-50:]),
        scores=asyncio.run(measure(output_directory, plays)) if plays else {},
    )
    _write_origin(report, recipe_path, recipe.seed)
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


def _make_tokenizer(recipe: BaseRecipe, folder: Path) -> None:
    teacher = Teacher(TOKENIZER_MIX, Prompts("compact"), documents())
    lessons = (teacher.lesson(random.Random(f"tok/{i}")) for i in range(recipe.tokenizer_lessons))
    texts = (text for lesson in lessons for text in _texts(lesson))
    folder.mkdir(parents=True, exist_ok=True)
    write_tokenizer(texts, TEMPLATE.read_text(encoding="utf-8"), recipe.model.vocabulary, folder)


def _streams(
    recipe: BaseRecipe, number: int, teacher: Teacher, chat: TemplateChat, progress: Report
) -> Sequence[TokenStream]:
    count = recipe.phases[number].lessons
    streams: list[TokenStream] = []
    for index in range(count):
        streams.append(stream_of(teacher.lesson(random.Random(f"{recipe.seed}/{number}/{index}")), chat))
        if index % 1000 == 0:
            progress(PretrainProgress(stage=f"lessons {number + 1}", done=index, total=count))
    return streams


def _schedule(phase: PhaseSection, seed: int) -> Schedule:
    return Schedule(
        learning_rate=phase.learning_rate,
        tokens_per_batch=phase.tokens_per_batch,
        final_share=phase.final_share,
        weight_decay=WEIGHT_DECAY,
        seed=seed,
    )


def _shown(number: int, progress: Report) -> Callable[[Progress], None]:
    def show(step: Progress) -> None:
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
