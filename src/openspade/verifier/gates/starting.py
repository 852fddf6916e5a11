"""Gates on the first moments: does it start, does it take anything, do its answers and rewards keep in bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from openspade.sandbox.failures import ProgramFault
from openspade.tokens import JSON
from openspade.types import Action, Problem, ToolCall
from openspade.verifier.gate import Judgement, faulty, short, told
from openspade.verifier.players.attackers import Constant
from openspade.verifier.players.probe import Cast, Play, Player, Probe, Script

MAX_OBSERVATION_CHARS = 8000
GROWING_TURNS = 6
NONSENSE = "?"

_ODD_TEXTS = (
    "",
    "x" * 5000,
    "-1",
    "0",
    "-0.5",
    "1/0",
    "²",
    "½ ٣ Ⅷ",
    "nan",
    "999999999999999999999999",
    "1 2 3 4 5 6 7 8 9",
    "Ünïcode ☃ \u202e\x00 \ud83d\ude00 ٣",
    '{"action": {"move": [1, null, "}"]}}',
    "```python\nraise SystemExit\n```",
    "a-b, c/0; (d) [e] %s {f}",
)


async def starts(probe: Probe) -> Judgement:
    """Every seed begins, with something to read."""
    for one in await probe.instances():
        if isinstance(one.first, ProgramFault):
            return faulty("starts", one.first, where=f"reset(seed={one.seed})")
        if not one.first.text.strip():
            message = "The first observation is empty: start() must say what is going on and what to do."
            return Problem(gate="starts", message=message, evidence=f"seed {one.seed}")
    return None


async def robust(probe: Probe) -> Judgement:
    """Any action is answered, also a nonsensical one, a nearly right one, and the same one again."""
    plans = [plan for plan in await probe.solved_plans() if plan]
    players = (
        [*_odd_callers(probe), *_nearly_right(plans)] if probe.is_tool else [*_odd_talkers(), *_nearly_right(plans)]
    )
    seeds = probe.seeds(probe.config.seeds)
    casts = [Cast(seed=seeds[i % len(seeds)], player=player) for i, player in enumerate(players)]
    casts += [Cast(seed=seed, player=Constant(text="1", patient=True)) for seed in seeds]
    casts += [Cast(seed=seed, player=Constant(text=NONSENSE, patient=True)) for seed in seeds]
    plays = await probe.play(casts)
    for play in plays:
        if play.fault:
            action = next_move(play)
            where = f"seed {play.seed}, turn {len(play.moves) + 1}, action {action}"
            return faulty("robust", play.fault, where=where)
    return _paid_for_nonsense(plays[-len(seeds) :], probe.config.floor) or f"{len(players)} odd players"


def _paid_for_nonsense(plays: Sequence[Play], floor: float) -> Problem | None:
    """Whoever says the same nonsense until the end must not be paid for it, nor for having stayed."""
    mean = sum(play.earned for play in plays) / len(plays)
    if mean <= floor:
        return None
    says = f"A player that understands nothing (saying {NONSENSE!r} until the turns are over)"
    message = f"{says} earns {mean:.2f} on average: pay for the task alone."
    best = max(plays, key=lambda play: play.earned)
    return Problem(gate="floor_gap", message=message, evidence=f"seed {best.seed}, {len(best.moves)} turns")


async def observation_size(probe: Probe) -> Judgement:
    """No observation is longer than an agent can read, and none grows without end."""
    for play in probe.plays:
        for turn, observation in enumerate(play.observations):
            size = len(observation.text) + sum(map(len, observation.results))
            if size > MAX_OBSERVATION_CHARS:
                message = f"An observation is too long: {MAX_OBSERVATION_CHARS} characters are the limit."
                return Problem(
                    gate="observation_size", message=message, evidence=f"seed {play.seed}, turn {turn}: {size}"
                )
        lengths = [len(observation.text) for observation in play.observations[1:]]
        recent = lengths[-GROWING_TURNS:]
        if len(lengths) > GROWING_TURNS and recent == sorted(set(recent)) and recent[-1] > 400 + 3 * lengths[0]:
            message = "The observation grows every turn: show what changed, not everything that happened."
            return Problem(gate="observation_size", message=message, evidence=f"seed {play.seed}: {recent} characters")
    return None


async def reward_range(probe: Probe) -> Judgement:
    """Rewards are finite and within [0, 1]; a step after the end pays nothing."""
    for play in probe.plays:
        if play.fault and play.fault.kind == "reward_range":
            return faulty("reward_range", play.fault, where=f"seed {play.seed}, action {next_move(play)}")
    seeds = probe.seeds(1)
    plans = await probe.solved_plans()
    if not plans:
        return None
    await probe.environment.reset({0: seeds[0]})
    paid_at_end = False
    for action in (*plans[0], *plans[0][-1:]):
        result = (await probe.environment.step({0: action}))[0]
        if isinstance(result, ProgramFault):
            return None
        if paid_at_end and result.reward > 0:
            message = "A step after the end pays again: the episode must be over once it is over."
            return Problem(gate="reward_range", message=message, evidence=f"seed {seeds[0]}, action {told(action)}")
        paid_at_end = paid_at_end or result.terminated
    return None


def next_move(play: Play) -> str:
    """What the player said when the program broke off, for evidence."""
    player = play.player
    if isinstance(player, Script) and len(play.moves) < len(player.actions):
        return told(player.actions[len(play.moves)])
    if isinstance(player, Constant):
        return short(repr(player.text), 120)
    return player.name


def _odd_talkers() -> list[Player]:
    return [Script(actions=(Action(text=text),) * 3, name=f"odd text {text[:20]!r}") for text in _ODD_TEXTS]


def _nearly_right(plans: list[tuple[Action, ...]]) -> list[Player]:
    """What looks like a solution and is none: another instance's, its first half, and its texts with a bit more."""
    players: list[Player] = []
    for plan in plans[-3:]:
        longer = tuple(Action(text=f"{action.text} 1x", calls=action.calls) for action in plan)
        halved = plan[: max(1, len(plan) // 2)]
        players += [Script(actions=actions, name="a near miss") for actions in (plan[::-1], longer, halved * 2)]
    return players


def _odd_callers(probe: Probe) -> list[Player]:
    odd = [
        ToolCall(name="no_such_tool", arguments={}),
        ToolCall(name="", arguments={}, problem="the call is not valid JSON"),
    ]
    for schema in probe.environment.description.tools:
        function = schema["function"]
        if isinstance(function, dict):
            odd += [ToolCall(name=str(function["name"]), arguments=arguments) for arguments in _odd_arguments(function)]
    talk = [Script(actions=(Action(text=text),) * 2, name="odd text") for text in _ODD_TEXTS[:3]]
    return [
        *talk,
        *(Script(actions=(Action(text="", calls=(call,)),) * 2, name=f"odd call {call.name}") for call in odd),
    ]


def _odd_arguments(function: Mapping[str, JSON]) -> list[dict[str, JSON]]:
    """Arguments that fit the schema and nothing else, and some that do not fit it."""
    parameters = function["parameters"]
    properties = parameters["properties"] if isinstance(parameters, dict) else {}
    kinds = properties if isinstance(properties, dict) else {}
    fitting = [{name: _odd_value(schema, variant) for name, schema in kinds.items()} for variant in range(3)]
    return [{}, {"unknown": 1}, *fitting]


def _odd_value(schema: JSON, variant: int) -> JSON:
    if not isinstance(schema, dict):
        return None
    allowed = schema.get("enum")
    if isinstance(allowed, list):
        return allowed[variant % len(allowed)]
    table: dict[JSON, tuple[JSON, JSON, JSON]] = {
        "string": ("", "☃" * 300, "no such thing"),
        "integer": (0, -1, 10**12),
        "number": (0.0, -1.5, 1e12),
        "boolean": (True, False, True),
        "array": ([], [], []),
        "object": ({}, {}, {}),
    }
    return table.get(schema.get("type"), (None, None, None))[variant]
