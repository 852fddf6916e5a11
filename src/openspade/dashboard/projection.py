"""Designs on a plane: alike programs lie together.

Similarities of sketches hardly go between "one mechanic" and "nothing in common", so a linear projection of a dozen
mechanics is one heap. Some designs, the landmarks, are laid out by t-SNE (van der Maaten and Hinton, 2008), which keeps
neighbourhoods; every other design is put where the landmarks it resembles lie.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from openspade.memory.search.similarity import PERMUTATIONS

LANDMARKS = 300
PERPLEXITY = 18.0
STEPS = 350
EXAGGERATED_STEPS = 80
NEAREST = 4


def project(sketches: Sequence[bytes]) -> np.ndarray:
    """Points within [-1, 1], one row a sketch; the same sketches give the same points."""
    if len(sketches) < 3:
        return np.linspace(-0.5, 0.5, len(sketches))[:, None] * np.ones(2)
    minima = np.frombuffer(b"".join(sketches), dtype="<u4").reshape(len(sketches), PERMUTATIONS)
    chosen = np.unique(np.linspace(0, len(sketches) - 1, min(LANDMARKS, len(sketches))).astype(int))
    marks = minima[chosen]
    layout = _lay_out(1.0 - _similarity(marks, marks))
    points = _settle(_similarity(minima, marks), layout)
    points[chosen] = layout
    points -= (points.max(axis=0) + points.min(axis=0)) / 2
    return points / max(float(np.abs(points).max()), 1e-9)


def _similarity(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    rows = [(one[start : start + 256, None, :] == other[None, :, :]).mean(axis=2) for start in range(0, len(one), 256)]
    return np.concatenate(rows)


def _lay_out(distances: np.ndarray) -> np.ndarray:
    """t-SNE with its usual momentum and early exaggeration, from a fixed start."""
    near = _neighbourhoods(distances)
    count = len(distances)
    points = np.random.default_rng(0).normal(0, 1e-2, (count, 2))
    velocity, gains = np.zeros_like(points), np.ones_like(points)
    for step in range(STEPS):
        pull = near * (8.0 if step < EXAGGERATED_STEPS else 1.0)
        squared = (points**2).sum(axis=1)
        heavy = 1.0 / (1.0 + squared[:, None] + squared[None, :] - 2 * points @ points.T)
        np.fill_diagonal(heavy, 0.0)
        force = (pull - heavy / heavy.sum()) * heavy
        gradient = 4 * (force.sum(axis=1)[:, None] * points - force @ points)
        same_way = np.sign(gradient) == np.sign(velocity)
        gains = np.where(same_way, gains * 0.8, gains + 0.2).clip(0.01)
        velocity = (0.5 if step < EXAGGERATED_STEPS else 0.8) * velocity - max(count / 10, 20) * gains * gradient
        points = points + velocity
        points -= points.mean(axis=0)
    return points


def _neighbourhoods(distances: np.ndarray) -> np.ndarray:
    """Symmetric neighbour probabilities, each row's width searched for the wanted perplexity."""
    count = len(distances)
    wanted = np.log(min(PERPLEXITY, (count - 1) / 3))
    low, high = np.zeros(count), np.full(count, 1e4)
    share = np.zeros_like(distances)
    for _ in range(40):
        beta = (low + high) / 2
        weights = np.exp(-(distances**2) * beta[:, None])
        np.fill_diagonal(weights, 0.0)
        share = weights / weights.sum(axis=1, keepdims=True).clip(1e-12)
        entropy = -(share * np.log(share.clip(1e-12))).sum(axis=1)
        low, high = np.where(entropy > wanted, beta, low), np.where(entropy > wanted, high, beta)
    return np.maximum((share + share.T) / (2 * count), 1e-12)


def _settle(similarity: np.ndarray, layout: np.ndarray) -> np.ndarray:
    """Each design among the landmarks most like it, set apart a little by how it resembles the others."""
    nearest = np.argsort(-similarity, axis=1, kind="stable")[:, :NEAREST]
    weights = np.take_along_axis(similarity, nearest, axis=1) ** 4 + 1e-9
    weights /= weights.sum(axis=1, keepdims=True)
    points = (layout[nearest] * weights[:, :, None]).sum(axis=1)
    reach = np.ptp(layout, axis=0).max() * 0.008
    apart = np.random.default_rng(1).normal(0, reach, points.shape)
    return points + apart
