"""Runs for the dashboard to show: one with everything in it, one whose words attack, an empty and a broken one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from openspade.config import Config
from openspade.memory.memory import Memory
from openspade.run_folder import write_config
from openspade.settings.learning import PolicyConfig
from openspade.settings.worlds import MemoryConfig
from openspade.tokens import TokenStream
from openspade.types import (
    Action,
    CycleReport,
    Design,
    Document,
    Episode,
    GateResult,
    Observation,
    Outcome,
    Playtest,
    Problem,
    Skill,
    ToolCall,
    Turn,
)
from tests.unit.mechanics import OTHERS
from tests.unit.memories import a_cycle, design_of, teachable

HOSTILE = (
    "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">'\"&amp;"
    "\x1b[31mred\x9b2J\u202egnp.exe\x07 {{ 7 * 7 }}"
)
HOSTILE_SLUG = "hostile <i>run & co"
METRICS = {
    "designs/regret_mean": 0.2,
    "designs/regret_ci95": 0.1,
    "designs/solve_rate_unaided": 0.5,
    "designs/solve_rate_hinted": 0.7,
    "designs/in_band_share": 0.4,
    "funnel/drafts": 4.0,
    "funnel/parsed": 4.0,
    "funnel/accepted": 3.0,
    "refused/floor_gap": 1.0,
    "curriculum/largest_cluster_share": 0.4,
    "seconds/cycle": 2.0,
    "tokens/agent": 100.0,
    "tokens/designer": 50.0,
    "episodes/count": 8.0,
}


def a_run(folder: Path, *, cycles: int = 3, words: str = "Sort numbers") -> Path:
    """A run of whole cycles: designs accepted, refused and replayed, documents, events, scores."""
    memory = Memory.open(folder / "openspade.db", MemoryConfig())
    document = Document(id=f"doc {words}", text=words, source=f"notes {words}", licence="MIT", span=(3, 9))
    skill = Skill(name=words, kind="game", description="")
    for cycle in range(cycles):
        memory.commit(_cycle(cycle, words, document, skill), state={}, checkpoint="")
        scores = {"heldout/score": 0.4 + 0.1 * cycle, "heldout/score_low": 0.3, "heldout/score_high": 0.8}
        memory.record_evaluation(cycle, "suite", scores)
        memory.record_event(cycle, words, words)
    memory.record_run("run", {"versions": {"openspade": words}, "note": words})
    memory.close()
    write_config(Config(policy=PolicyConfig(engine="scripted")), folder)
    return folder


def an_empty_run(folder: Path) -> Path:
    Memory.open(folder / "openspade.db", MemoryConfig()).close()
    return folder


def a_broken_run(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "openspade.db").write_bytes(b"no database at all" * 100)
    return folder


def a_shelf(folder: Path) -> Path:
    """A folder with a run of each kind."""
    a_run(folder / "plain")
    a_run(folder / HOSTILE_SLUG, words=HOSTILE)
    an_empty_run(folder / "empty")
    a_broken_run(folder / "broken")
    return folder


def _cycle(cycle: int, words: str, document: Document, skill: Skill) -> CycleReport:
    fresh = replace(design_of(OTHERS[cycle] + f"# {words}\n", f"{words} {cycle}"), hint=words, skill=words)
    again = [replace(design_of(OTHERS[0] + f"# {words}\n", f"{words} 0"), hint=words, skill=words)] if cycle else []
    refused = replace(design_of(f"x = {cycle} # {words}", f"{words} refused {cycle}"), hint=words)
    problem = Problem(gate="floor_gap", message=words, evidence=words)
    played = [(design, teachable(solve_rate=0.25 + 0.1 * cycle, regret=0.1 * cycle)) for design in [fresh, *again]]
    report = a_cycle(cycle, played, refused=[(refused, problem)], skill=skill, document=document)
    gates = (GateResult(gate="parses", passed=True, note=words, cpu_ms=1.5), GateResult(gate=words, passed=True))
    return replace(
        report,
        verdicts=tuple(replace(v, gates=gates, draft=replace(v.draft, text=words)) for v in report.verdicts),
        playtests=tuple(Playtest(design=d, episodes=_episodes(d, words), replayed=d in again) for d, _ in played),
        metrics=METRICS,
    )


def _episodes(design: Design, words: str) -> tuple[Episode, ...]:
    return tuple(
        Episode(
            design_id=design.id,
            seed=seed,
            play=play,
            hinted=hinted,
            outcome=Outcome.SOLVED if play else Outcome.TRUNCATED,
            return_=float(play),
            cause="" if play else words,
            first_observation=words,
            turns=(_turn(words),),
            streams=(a_spoken_stream(words),),
        )
        for hinted in (False, True)
        for seed in (11, 12)
        for play in (0, 1)
    )


def _turn(words: str) -> Turn:
    call = ToolCall(name=words, arguments={words: words}, problem=words)
    return Turn(
        reply=words,
        action=Action(text=words, calls=(call,)),
        observation=Observation(text=words, results=(words, words)),
        reward=0.5,
    )


def a_spoken_stream(words: str) -> TokenStream:
    """A stream of bytes, the second half written by the policy."""
    ids = tuple(words.encode("utf-8", "surrogatepass"))
    half = len(ids) // 2
    written = tuple(place >= half for place in range(len(ids)))
    return TokenStream(ids=ids, written=written, logprobs=tuple(-0.5 if mine else 0.0 for mine in written))
