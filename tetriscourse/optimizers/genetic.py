"""The genetic algorithm of Muller and Ponton 2019: a population whose best members have children.

Start with `GeneticAlgorithm.ask` and `update`: together they are one generation. The operators are the functions
above the class, in the order in which a child meets them: selection, crossover, mutation. `GENETIC` has the
settings of the paper by name.

A member is a vector x of [0, 1]^n. Encoded as 'float' it is its own genome. Encoded as 'binary', its genome has
B bits e_0, e_1, ... for each component, worth sum e_k / 2^(k+1); `to_bits` and `from_bits` go from one to the
other without loss, so that the vector is all that has to be kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import floor
from typing import Any

import numpy as np
import numpy.typing as npt

from tetriscourse.errors import InputError, one_of, real_number, shown, whole_number
from tetriscourse.optimizers.protocol import Optimizer
from tetriscourse.random_numbers import Draws, Floats, Ints
from tetriscourse.settings import setting

Bits = npt.NDArray[np.int8]

NORMS = {"none": None, "L1": 1, "L2": 2}
CHOICES: dict[str, Sequence[str]] = {
    "encoding": ("float", "binary"),
    "selection": ("wheel", "tournament"),
    "replacement": ("elitism", "best", "renewal"),
    "normalisation": tuple(NORMS),
}
WHOLE: dict[str, tuple[int, int | None]] = {
    "population_size": (2, 100_000),
    "iterations": (1, None),
    "nb_bits": (1, 52),  # a float holds no more
}
REAL: dict[str, dict[str, float]] = {
    "proba_mutation": {"at_least": 0, "at_most": 1},
    "mutation_rate": {"above": 0, "at_most": 1},
    "percentage_for_tournament": {"above": 0, "at_most": 1},
    "percentage_new_offspring": {"above": 0, "at_most": 1},
    "elitism_percentage": {"at_least": 0, "below": 1},
}


@dataclass(frozen=True)
class GeneticSettings:
    """What is fixed before a run; the names are those of the paper, and its percentages are fractions of 1."""

    population_size: int = setting(100, "N, the members of every generation")
    iterations: int = setting(20, "generations of children; the random population before them is not counted")
    encoding: str = setting("float", "the genome: float (the vector itself) or binary (nb_bits for each component)")
    selection: str = setting("tournament", "how parents are found: wheel or tournament")
    replacement: str = setting("best", "who stays: elitism, best (of old and new together) or renewal (no one)")
    normalisation: str = setting("none", "what float vectors are divided by: none, or their norm L1 or L2")
    # The paper does not print B. Its vectors do not fit on a grid of 13 bits (0.9472 is not there), and do on any
    # finer one: at least 14, and we take the next power of two.
    nb_bits: int = setting(16, "B, the bits of a component in binary encoding")
    proba_mutation: float = setting(0.05, "p, the probability that a bit (binary) or a whole vector (float) mutates")
    mutation_rate: float = setting(0.2, "eta: a float vector mutates by a number between -eta and eta")
    percentage_for_tournament: float = setting(0.1, "share of the population in a tournament, at least two members")
    percentage_new_offspring: float = setting(0.3, "share of N that is born, at least one child, for replacement best")
    elitism_percentage: float = setting(0.1, "share of the population that is kept, for replacement elitism")
    reevaluate: bool = setting(False, "ask for the score of survivors again, so that nobody lives on luck")

    def __post_init__(self) -> None:
        for name, names in CHOICES.items():
            one_of(name, getattr(self, name), names)
        for name, (low, high) in WHOLE.items():
            object.__setattr__(self, name, whole_number(name, getattr(self, name), low, high))
        for name, bounds in REAL.items():
            object.__setattr__(self, name, real_number(name, getattr(self, name), **bounds))
        if not isinstance(self.reevaluate, bool):
            raise InputError(f"reevaluate is {shown(self.reevaluate)}; it must be True or False")
        if self.encoding == "binary" and self.normalisation != "none":
            raise InputError(f"normalisation is {self.normalisation!r}; with binary encoding it must be 'none'")

    def part(self, share: float) -> int:
        """So many of N, rounded down; 0.29 of 100 is 29, although the float nearest to 0.29 is smaller."""
        return _part(share, self.population_size)

    @property
    def children_of_a_couple(self) -> int:
        """One-point crossover has two children, a linear combination one."""
        return 2 if self.encoding == "binary" else 1

    @property
    def kept(self) -> int:
        """M: how many of the old generation stand beside the children when the N best of all are taken."""
        return {"elitism": self.part(self.elitism_percentage), "best": self.population_size}.get(self.replacement, 0)

    @property
    def offspring(self) -> int:
        """How many children are born in a generation."""
        if self.replacement == "best":
            return max(1, self.part(self.percentage_new_offspring))
        return (self.population_size - self.kept) * self.children_of_a_couple


@cache
def _part(share: float, n: int) -> int:
    return floor(Fraction(str(share)) * n)


# Chapter 10 of the paper. Its float vectors are printed with L2 norm 1, its binary ones are not normalised. How many
# games are played, for how long, and what is counted (lines in the first example, then points) is not decided here.
_FLOAT = GeneticSettings(normalisation="L2")  # the defaults are those of the first example
_BINARY = replace(_FLOAT, encoding="binary", normalisation="none")
_ELITE = replace(_BINARY, replacement="elitism")
GENETIC = {
    "example-1": _FLOAT,
    "example-2": _FLOAT,  # the first again, for points
    "example-3": _BINARY,
    "example-4": _ELITE,
    "example-5": replace(_ELITE, selection="wheel"),
    "example-6": replace(_ELITE, selection="wheel", proba_mutation=0.1),  # printed as a second "example 5"
    "example-7": replace(_FLOAT, population_size=1000, iterations=9),  # stopped there, after three weeks
}
"""The settings of Muller and Ponton 2019 by name."""


# --- genomes ------------------------------------------------------------------------------------


def to_bits(x: Floats, nb_bits: int) -> Bits:
    """The bits of every number, highest first, in a last axis; numbers beside the grid move to its nearest point."""
    steps = np.clip(np.rint(x * 2.0**nb_bits), 0, 2.0**nb_bits - 1).astype(np.int64)
    return (steps[..., None] >> np.arange(nb_bits)[::-1] & 1).astype(np.int8)


def from_bits(bits: Bits) -> Floats:
    """The numbers sum e_k / 2^(k+1)."""
    return np.asarray(bits @ 0.5 ** np.arange(1, bits.shape[-1] + 1), np.float64)


def normalised(x: Floats, normalisation: str) -> Floats:
    """Rows divided by their norm; a row of zeros stays as it is."""
    if normalisation == "none":
        return x
    norm = np.linalg.norm(x, NORMS[normalisation], axis=1, keepdims=True)
    return np.minimum(x / np.where(norm == 0, 1, norm), 1)  # rounding may pass 1


# --- selection: pairs of positions in the population ----------------------------------------------


def shares(fitness: Floats) -> Floats:
    """Fitness as shares of 1; if any is negative all are raised until the least is 0; equal shares if all are 0."""
    scaled = fitness / (np.abs(fitness).max() or 1.0)  # the sum of huge scores would be infinite
    raised = scaled - min(scaled.min(), 0.0)
    return raised / raised.sum() if raised.any() else np.full(len(fitness), 1 / len(fitness))


def wheel(fitness: Floats, couples: int, draws: Draws) -> Ints:
    """Parents found by turning a wheel on which every member has a sector as wide as its share of fitness."""
    sectors = np.cumsum(shares(fitness))
    found: Ints = np.searchsorted(sectors, draws.uniform((couples, 2)) * sectors[-1])
    return found


def tournament(fitness: Floats, couples: int, size: int, draws: Draws) -> Ints:
    """Parents that are the best two of so many members drawn by lot, each couple from a draw of its own."""
    n = len(fitness)
    at_once = max(1, 1_000_000 // n)  # lots for more couples would fill the memory if there are many members
    rounds = [draws.uniform((min(at_once, couples - k), n)) for k in range(0, couples, at_once)]
    return np.concatenate([best_two(fitness, size, lots) for lots in rounds])


def best_two(fitness: Floats, size: int, lots: Floats) -> Ints:
    """In each row the fittest two, best first, of the members with the lowest lots; among equals the lower lot wins."""
    entrants = np.argpartition(lots, size - 1)[..., :size]
    ranked = np.lexsort((np.take_along_axis(lots, entrants, -1), -fitness[entrants]))
    return np.take_along_axis(entrants, ranked[..., :2], -1).astype(np.int64)


# --- crossover ------------------------------------------------------------------------------------


def one_point(p: Bits, q: Bits, cuts: Ints) -> Bits:
    """Two children of each couple: every component of p up to its cut and of q after it, and the other way round."""
    before = np.arange(p.shape[-1]) < cuts[..., None]
    return np.stack([np.where(before, p, q), np.where(before, q, p)], axis=1).reshape(-1, *p.shape[1:])


def linear(p: Floats, q: Floats, f: Floats) -> Floats:
    """One child of each couple: f(p) p + f(q) q, with f scaled to f(p) + f(q) = 1.

    The paper does not scale, and so leaves the cube for every score above 1, unless it normalises. A weighted mean
    of the parents stays inside, and has the same direction: normalised, it is the child of the paper.
    """
    total = f.sum(axis=1, keepdims=True)
    w = np.where(total > 0, f / np.where(total > 0, total, 1), 0.5)
    return np.clip(w[:, :1] * p + w[:, 1:] * q, 0, 1)  # rounding may pass 1


# --- mutation -------------------------------------------------------------------------------------


def flipped(bits: Bits, proba_mutation: float, r: Floats) -> Bits:
    """Every bit b whose own number r is below p becomes 1 - b."""
    return np.where(r < proba_mutation, 1 - bits, bits)


def shifted(x: Floats, delta: Floats) -> Floats:
    """Rows to which their delta is added, in every component that stays in [0, 1] by it."""
    moved = x + delta[:, None]
    return np.where((moved >= 0) & (moved <= 1), moved, x)


# --- the algorithm --------------------------------------------------------------------------------


class GeneticAlgorithm(Optimizer):
    """A population whose best members have children, which inherit, mix and mutate what their parents are.

    Its vectors lie in [0, 1]^n: for weights of both signs, give the objective signs. A fitness is the score that a
    member had at birth. When scores are noisy, a member that was lucky once stays at the top for ever, unless
    `reevaluate` asks for its score again in every generation and forgets the old one.
    """

    name = "genetic"
    Settings = GeneticSettings
    positive = True
    NAMED = GENETIC

    def __init__(self, dimension: int, settings: Any = None, seed: int = 0, **changes: Any):
        super().__init__(dimension, settings, seed, **changes)
        self.population: Floats = np.empty((0, self.dimension))
        self.fitness: Floats = np.empty(0)

    def variables(self) -> tuple[str, ...]:
        return "population", "fitness"

    def ask(self) -> Floats:
        """First a random population, then children; with `reevaluate`, survivors before them."""
        if not len(self.population):
            return self.random_population()
        again = self.settings.kept if self.settings.reevaluate else 0
        return np.concatenate([self.population[:again], self.children()])

    def update(self, x: Floats, f: Floats) -> None:
        """The N best of those who were kept and those who were told are the new population."""
        kept = self._kept_with_old_fitness()
        pool = np.concatenate([self.population[:kept], self.encodable(x)])
        fitness = np.concatenate([self.fitness[:kept], f])
        best = np.argsort(-fitness, kind="stable")[: self.settings.population_size]  # among equals the old one stays
        self.population, self.fitness = pool[best], fitness[best]

    def random_population(self) -> Floats:
        """N random genomes."""
        shape = self.settings.population_size, self.dimension
        if self.settings.encoding == "binary":
            return from_bits(self.draws().below(2, (*shape, self.settings.nb_bits)).astype(np.int8))
        return normalised(self.draws().uniform(shape), self.settings.normalisation)

    def children(self) -> Floats:
        """Select parents, cross them, mutate the children."""
        draws = self.draws()
        parents = self.select(draws)
        breed = self.binary_children if self.settings.encoding == "binary" else self.float_children
        return breed(parents, draws)[: self.settings.offspring]

    def select(self, draws: Draws) -> Ints:
        """As many couples of parents as it takes, as positions in the population."""
        s = self.settings
        couples = -(-s.offspring // s.children_of_a_couple)
        if s.selection == "wheel":
            return wheel(self.fitness, couples, draws)
        return tournament(self.fitness, couples, max(2, s.part(s.percentage_for_tournament)), draws)

    def binary_children(self, parents: Ints, draws: Draws) -> Floats:
        """One-point crossover at a place of its own for each component, then bits flip."""
        p, q = (to_bits(self.population[one], self.settings.nb_bits) for one in parents.T)
        cuts = 1 + draws.below(self.settings.nb_bits, p.shape[:2])
        bits = one_point(p, q, cuts)
        return from_bits(flipped(bits, self.settings.proba_mutation, draws.uniform(bits.shape)))

    def float_children(self, parents: Ints, draws: Draws) -> Floats:
        """Linear combination, then some vectors move along the diagonal; normalised after either step."""
        p, q = self.population[parents[:, 0]], self.population[parents[:, 1]]
        child = normalised(linear(p, q, shares(self.fitness)[parents]), self.settings.normalisation)
        r, delta = draws.uniform(len(child)), (2 * draws.uniform(len(child)) - 1) * self.settings.mutation_rate
        mutated = shifted(child, np.where(r < self.settings.proba_mutation, delta, 0))
        return normalised(mutated, self.settings.normalisation)

    def encodable(self, x: Floats) -> Floats:
        """The nearest vectors that have a genome: those that were asked for as they are, others brought in."""
        if self.settings.encoding == "binary":
            return from_bits(to_bits(x, self.settings.nb_bits))
        return np.clip(x, 0, 1)

    @property
    def tells(self) -> int:
        """One more than elsewhere: the random population comes before the generations that are counted."""
        return int(self.settings.iterations) + 1

    @property
    def favourite(self) -> Floats:
        """The best of the population; before there is one, the first that will be asked for."""
        return np.asarray((self.population if len(self.population) else self.ask())[0])

    def recorded(self) -> dict[str, float | Floats]:
        """The fitness of the population, and how far its members are apart: the mean sd of a component."""
        return {
            "population_best": float(self.fitness[0]),
            "population_mean": float(self.fitness.mean()),
            "population_spread": float(self.fitness.std()),
            "diversity": float(self.population.std(axis=0).mean()),
        }

    def _kept_with_old_fitness(self) -> int:
        """How many members enter the next generation's choice without being told again."""
        return 0 if self.settings.reevaluate else min(self.settings.kept, len(self.population))

    def _checked(self, candidates: Any, scores: Any) -> tuple[Floats, Floats]:
        """Enough candidates for a whole population, whoever made them."""
        x, f = super()._checked(candidates, scores)
        least = self.settings.population_size - self._kept_with_old_fitness()
        if len(x) < least:
            raise InputError(f"candidates has {len(x)} rows; it must have at least {least} to fill the population")
        return x, f
