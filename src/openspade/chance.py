"""Every random draw of a run, derived by name: the same run seed and cycle give the same draws, also after a resume."""

import random
from hashlib import blake2b


def named_rng(run_seed: int, cycle: int, purpose: str) -> random.Random:
    """A private generator for one purpose in one cycle."""
    return random.Random(f"{run_seed}/{cycle}/{purpose}")


def environment_seed(run_seed: int, design_id: str, index: int) -> int:
    """The seed of a design's instance number `index`: below 2**31, stable over processes and resumes."""
    return stable_hash(f"{run_seed}/{design_id}/{index}") % 2**31


def stable_hash(text: str) -> int:
    """A 64-bit number of a text that, unlike `hash()`, is the same in every process."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
