"""One episode from reset to its end: the same runner for both arms and for evaluation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from openspade.chance import stable_hash
from openspade.credit.outcome import Ending, conclude
from openspade.engine.base import Chat, Conversation
from openspade.errors import EngineError, ReplyRefused
from openspade.roles.prompts import Prompts
from openspade.rollout.sampler import Sampler
from openspade.rollout.tools import read_action
from openspade.sandbox.base import Environment
from openspade.sandbox.failures import ProgramFault, SandboxLost
from openspade.settings.worlds import PlaytestConfig
from openspade.tokens import Message, Sampling
from openspade.types import Design, Episode, Observation, StepResult, Turn

CUT_MARK = "\n[... {count} characters cut ...]\n"


@dataclass(frozen=True, kw_only=True, slots=True)
class Seat:
    """Who plays what: one instance of one design, one arm; `key` names the play for its random draws."""

    design: Design
    environment: Environment
    instance: int
    seed: int
    play: int
    hinted: bool
    key: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """What every episode of a playtest shares."""

    chat: Chat
    sampler: Sampler
    prompts: Prompts
    sampling: Sampling
    limits: PlaytestConfig
    policy_version: int


@dataclass(slots=True)
class _Record:
    """What an episode has gathered so far."""

    first_observation: str = ""
    conversation: Conversation | None = None
    turns: list[Turn] = field(default_factory=list)
    tokens_written: int = 0
    cause: str = ""


async def play_episode(seat: Seat, first: Observation | ProgramFault, table: Table) -> Episode:
    """Play a freshly reset instance.

    Expected trouble of generated code ends as a void episode, a reply that cannot be read back as a truncated one,
    never as an exception.
    """
    if isinstance(first, ProgramFault):
        return _conclude(seat, table, _Record(cause=first.kind), Ending.CRASH)
    text = shorten(first.text, table.limits.observation_tokens, table.chat.count)
    hint = seat.design.hint if seat.hinted else None
    messages = table.prompts.play(text, kind=seat.design.kind, hint=hint)
    conversation = table.chat.start(messages, seat.environment.description.tools)
    record = _Record(first_observation=first.text, conversation=conversation)
    try:
        ending = await _play_turns(seat, table, conversation, record)
    except ReplyRefused as error:
        ending, record.cause = Ending.REFUSED, f"{Ending.REFUSED}: {error}"
    except (EngineError, SandboxLost) as error:
        ending, record.cause = Ending.INFRASTRUCTURE, f"{Ending.INFRASTRUCTURE}: {error}"
    return _conclude(seat, table, record, ending)


async def _play_turns(seat: Seat, table: Table, conversation: Conversation, record: _Record) -> Ending:
    for turn in range(min(seat.design.max_turns, table.limits.max_turns)):
        if record.turns:
            # Told only now: what follows the last turn, perhaps the answer, must not enter the tokens.
            conversation.tell(_messages(record.turns[-1].observation, table))
        left = table.limits.episode_tokens - record.tokens_written
        if left <= 0:
            return Ending.TOKENS
        asked = replace(table.sampling, max_tokens=min(table.sampling.max_tokens, left))
        prompt = conversation.prompt(asked, stable_hash(f"{seat.key}/{turn}"))
        if prompt is None:
            return Ending.CONTEXT
        completion = await table.sampler.sample(prompt)
        conversation.reply(completion)
        record.tokens_written += len(completion.ids)
        if completion.stop == "length":
            # A reply without an end says nothing final: it is not executed.
            return Ending.CONTEXT if prompt.sampling.max_tokens < asked.max_tokens else Ending.TOKENS
        action = read_action(completion.text, seat.design.kind, seat.environment.description.tools)
        result = (await seat.environment.step({seat.instance: action}))[seat.instance]
        if isinstance(result, ProgramFault):
            record.cause = result.kind
            return Ending.CRASH
        record.turns.append(
            Turn(reply=completion.text, action=action, observation=result.observation, reward=result.reward)
        )
        if ending := _ending(result):
            return ending
    return Ending.TURNS


def shorten(text: str, limit_tokens: int, count: Callable[[str], int]) -> str:
    """The text, its middle cut out visibly where it is longer than `limit_tokens`."""
    if len(text) <= limit_tokens or count(text) <= limit_tokens:
        return text
    keep = len(text)
    while keep > 2:
        keep = keep * 3 // 4
        shortened = text[: keep // 2] + CUT_MARK.format(count=len(text) - keep // 2 * 2) + text[-(keep // 2) :]
        if count(shortened) <= limit_tokens:
            return shortened
    return text[:1]


def _ending(result: StepResult) -> Ending | None:
    if result.terminated:
        return Ending.TERMINATED
    return Ending.ENVIRONMENT if result.truncated else None


def _messages(observation: Observation, table: Table) -> list[Message]:
    def fit(text: str) -> str:
        return shorten(text, table.limits.observation_tokens, table.chat.count)

    results = [Message(role="tool", content=fit(result)) for result in observation.results]
    if observation.text or not results:
        return [*results, Message(role="user", content=fit(observation.text))]
    return results


def _conclude(seat: Seat, table: Table, record: _Record, ending: Ending) -> Episode:
    outcome, return_ = conclude(ending, [turn.reward for turn in record.turns], table.limits.return_)
    return Episode(
        design_id=seat.design.id,
        seed=seat.seed,
        play=seat.play,
        hinted=seat.hinted,
        outcome=outcome,
        return_=return_,
        cause=record.cause or ("" if ending is Ending.TERMINATED else ending.value),
        first_observation=record.first_observation,
        turns=tuple(record.turns),
        streams=record.conversation.streams() if record.conversation else (),
        policy_version=table.policy_version,
    )
