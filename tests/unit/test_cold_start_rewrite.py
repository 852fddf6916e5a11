"""Other versions of a program: what may change, and what must not."""

import ast
import random

from openspade.cold_start.matching_briefs import BriefWriter
from openspade.cold_start.rewrite import rewrite
from openspade.curriculum.fixed_pool import collect
from openspade.memory.search.similarity import fingerprint, similarity
from openspade.roles.source import read_design
from openspade.types import Design, Skill

STARTER = collect("pool:starter")
SKILLS = ("optimisation", "spatial reasoning")


def versions(design: Design, count: int) -> set[str]:
    return {rewrite(design.source, SKILLS, random.Random(f"{number}")) for number in range(count)}


def test_nearly_every_version_is_another_program():
    changed = [fingerprint(version) != fingerprint(d.source) for d in STARTER for version in versions(d, 2)]
    assert sum(changed) / len(changed) > 0.8


def test_versions_stay_readable_designs_of_the_same_mechanic():
    for design in STARTER[::4]:
        for version in versions(design, 3):
            found = read_design(version)
            assert isinstance(found, Design) and found.kind == design.kind
            assert similarity(version, design.source) > 0.6


def test_the_same_chance_gives_the_same_version():
    source = STARTER[0].source
    assert rewrite(source, SKILLS, random.Random("7")) == rewrite(source, SKILLS, random.Random("7"))


def test_a_number_changes_wherever_it_stands():
    source = 'class A:\n    skill = "s"\n\n    def f(self, rng):\n        return f"up to 50: {rng.randint(4, 50)}"\n'
    found = {rewrite(source, SKILLS, random.Random(f"{n}")) for n in range(40)}
    for version in found:
        told, used = version.partition("up to ")[2].split(":")[0], ast.unparse(ast.parse(version))
        assert f", {told})" in used


def test_a_number_that_also_stands_there_as_a_word_is_left_alone():
    source = 'class A:\n    max_turns = 9\n\n    def f(self):\n        return "Nine guesses."\n'
    assert all("max_turns = 9" in rewrite(source, SKILLS, random.Random(f"{n}")) for n in range(30))


def test_lists_of_words_change_their_order_only():
    source = 'class A:\n    def f(self, rng):\n        return rng.choice(["Ada", "Bö", "Cleo", "Dan"])\n'
    found = {rewrite(source, SKILLS, random.Random(f"{n}")) for n in range(30)}
    rows = [next(n for n in ast.walk(ast.parse(version)) if isinstance(n, ast.List)) for version in found]
    assert len(found) > 3 and all(sorted(ast.literal_eval(row)) == ["Ada", "Bö", "Cleo", "Dan"] for row in rows)


def test_names_of_the_contract_are_never_renamed():
    for design in STARTER[:8]:
        for version in versions(design, 4):
            assert all(word in version for word in ("def start(", "def solution(", "skill =", "hint =", "max_turns"))


def test_a_brief_asks_for_the_skill_and_the_kind_of_its_program():
    skills = {"optimisation": Skill(name="optimisation", kind="game", description="Find the best.")}
    writer = BriefWriter(skills, STARTER, lambda _: None)
    for number, design in enumerate(STARTER):
        brief = writer.brief(design, random.Random(f"{number}"))
        assert brief.skill.name == design.skill and brief.skill.kind == design.kind
        assert all(one.design.title != design.title and one.design.kind == design.kind for one in brief.exemplars)
