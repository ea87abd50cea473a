"""The genetic algorithm of Muller and Ponton 2019: a population whose best members have children.

Start with `GeneticAlgorithm.ask` and `update`: together they are one generation. The operators are the functions
above the class, in the order in which they make a child: selection, crossover, mutation. `GENETIC` holds the
settings of the paper by name.

A member is a vector x of [0, 1]^n. In 'float' encoding the vector is its own genome. In 'binary' encoding the genome
has B bits e_0, e_1, ... for each component, which is worth sum e_k / 2^(k+1); in 'gray' encoding the genome is Gray's
code of these bits. `to_bits` and `from_bits` convert without loss, so only vectors are stored.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
import numpy.typing as npt

from tetriscourse.errors import InputError
from tetriscourse.optimizers.protocol import Optimizer
from tetriscourse.random_numbers import Draws, Floats, Ints
from tetriscourse.settings import Settings, setting

Bits = npt.NDArray[np.int8]

NORMS = {"none": None, "L1": 1, "L2": 2}
ENCODINGS = ("float", "binary", "gray")
SELECTIONS = ("wheel", "tournament")
REPLACEMENTS = ("elitism", "best", "renewal")
MUTATIONS = ("vector", "gene")


@dataclass(frozen=True)
class GeneticSettings(Settings):
    """Settings of a run; the names are those of the paper, and its percentages are fractions of 1."""

    population_size: int = setting(100, "N, the members of every generation", at_least=2, at_most=100_000)
    iterations: int = setting(20, "generations of children, after the random population", at_least=1)
    encoding: str = setting("float", "the genome: float (the vector), binary or gray (bits)", one_of=ENCODINGS)
    selection: str = setting("tournament", "how parents are found: wheel or tournament", one_of=SELECTIONS)
    replacement: str = setting("best", "who stays: elitism, best (of all) or renewal (no one)", one_of=REPLACEMENTS)
    normalisation: str = setting("none", "the norm that float vectors are divided by: none, L1 or L2", one_of=NORMS)
    # The paper does not print B. Its vectors do not fit on a grid of 13 bits (0.9472 is not there) but do on any finer
    # one, so B is at least 14; we take the next power of two. A float holds no more than 52.
    nb_bits: int = setting(16, "B, the bits of a component in binary encoding", at_least=1, at_most=52)
    mutation: str = setting("vector", "what floats mutate by: vector (one shift for all) or gene", one_of=MUTATIONS)
    proba_mutation: float = setting(0.05, "p: the chance of each bit, float vector or gene", at_least=0, at_most=1)
    mutation_rate: float = setting(0.2, "eta: floats mutate by a number from -eta to eta", above=0, at_most=1)
    percentage_for_tournament: float = setting(0.1, "share of N in a tournament, at least two", above=0, at_most=1)
    percentage_new_offspring: float = setting(0.3, "share of N that is born, for replacement best", above=0, at_most=1)
    elitism_percentage: float = setting(0.1, "share of N that is kept, for replacement elitism", at_least=0, below=1)
    reevaluate: bool = setting(False, "ask for the score of survivors again, so that nobody lives on luck")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.has_bits and self.normalisation != "none":
            raise InputError(
                f"normalisation is {self.normalisation!r}; with {self.encoding} encoding it must be 'none'"
            )
        if self.has_bits and self.mutation != "vector":
            raise InputError(
                f"mutation is {self.mutation!r}; with {self.encoding} encoding, bits mutate: leave it 'vector'"
            )

    def part(self, share: float) -> int:
        """A share of N, rounded down; 0.29 of 100 is 29, although the float nearest to 0.29 is smaller."""
        return floor(Fraction(str(share)) * self.population_size)

    @property
    def has_bits(self) -> bool:
        """Whether genomes are made of bits."""
        return self.encoding != "float"

    @property
    def children_of_a_couple(self) -> int:
        """Two by one-point crossover, one by linear combination."""
        return 2 if self.has_bits else 1

    @property
    def kept(self) -> int:
        """M: members of the old generation that compete with the children for the N places of the next."""
        return {"elitism": self.part(self.elitism_percentage), "best": self.population_size}.get(self.replacement, 0)

    @property
    def offspring(self) -> int:
        """Children born in a generation."""
        if self.replacement == "best":
            return max(1, self.part(self.percentage_new_offspring))
        return (self.population_size - self.kept) * self.children_of_a_couple


# Chapter 10 of the paper. Its float vectors are printed with L2 norm 1, its binary ones are not normalised. The number
# of games, their length and what is counted (lines in the first example, then points) belong to the objective.
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


# --- genomes ------------------------------------------------------------------------------------


def to_bits(x: Floats, nb_bits: int) -> Bits:
    """The bits of every number along a new last axis, highest first; numbers off the grid are rounded to it."""
    steps = np.clip(np.rint(x * 2.0**nb_bits), 0, 2.0**nb_bits - 1).astype(np.int64)
    return (steps[..., None] >> np.arange(nb_bits)[::-1] & 1).astype(np.int8)


def from_bits(bits: Bits) -> Floats:
    """The numbers sum e_k / 2^(k+1)."""
    return np.asarray(bits @ 0.5 ** np.arange(1, bits.shape[-1] + 1), np.float64)


def to_gray(bits: Bits) -> Bits:
    """Gray's code of some bits: each is 1 where it differs from the one before; numbers a step apart differ in one."""
    return np.concatenate([bits[..., :1], bits[..., 1:] ^ bits[..., :-1]], axis=-1)


def from_gray(code: Bits) -> Bits:
    """The bits that have this code: each says whether the number of ones so far is odd."""
    return np.asarray(np.bitwise_xor.accumulate(code, axis=-1))


def normalised(x: Floats, normalisation: str) -> Floats:
    """Rows divided by their norm; a row of zeros stays as it is."""
    if normalisation == "none":
        return x
    norm = np.linalg.norm(x, NORMS[normalisation], axis=1, keepdims=True)
    return np.minimum(x / np.where(norm == 0, 1, norm), 1)  # rounding may pass 1


# --- selection: pairs of positions in the population ----------------------------------------------


def shares(fitness: Floats) -> Floats:
    """Fitness as shares of 1: raised so that the least is 0 if any is negative; equal shares if all are 0."""
    scaled = fitness / (np.abs(fitness).max() or 1.0)  # the sum of huge scores would be infinite
    raised = scaled - min(scaled.min(), 0.0)
    return raised / raised.sum() if raised.any() else np.full(len(fitness), 1 / len(fitness))


def wheel(fitness: Floats, couples: int, draws: Draws) -> Ints:
    """Parents found by spinning a wheel on which each member has a sector as wide as its share of fitness."""
    sectors = np.cumsum(shares(fitness))
    return np.asarray(np.searchsorted(sectors, draws.uniform((couples, 2)) * sectors[-1]))


def tournament(fitness: Floats, couples: int, size: int, draws: Draws) -> Ints:
    """Each couple is the best two of `size` members drawn by lot."""
    n = len(fitness)
    at_once = max(1, 1_000_000 // n)  # more lots would fill the memory when the population is large
    rounds = [draws.uniform((min(at_once, couples - k), n)) for k in range(0, couples, at_once)]
    return np.concatenate([best_two(fitness, size, lots) for lots in rounds])


def best_two(fitness: Floats, size: int, lots: Floats) -> Ints:
    """For each row of lots, the fittest two of the `size` members with the lowest; ties go to the lower lot."""
    entrants = np.argpartition(lots, size - 1)[..., :size]
    ranked = np.lexsort((np.take_along_axis(lots, entrants, -1), -fitness[entrants]))
    return np.take_along_axis(entrants, ranked[..., :2], -1).astype(np.int64)


# --- crossover ------------------------------------------------------------------------------------


def one_point(p: Bits, q: Bits, cuts: Ints) -> Bits:
    """Two children of each couple: every component of p up to its cut and of q after it, and vice versa."""
    before = np.arange(p.shape[-1]) < cuts[..., None]
    return np.stack([np.where(before, p, q), np.where(before, q, p)], axis=1).reshape(-1, *p.shape[1:])


def linear(p: Floats, q: Floats, f: Floats) -> Floats:
    """One child of each couple: f(p) p + f(q) q, with f scaled to f(p) + f(q) = 1.

    The paper does not scale, so without normalisation any score above 1 leaves the cube. A weighted mean of the
    parents stays inside and has the same direction: normalised, it is the child of the paper.
    """
    total = f.sum(axis=1, keepdims=True)
    w = np.where(total > 0, f / np.where(total > 0, total, 1), 0.5)
    return np.clip(w[:, :1] * p + w[:, 1:] * q, 0, 1)  # rounding may pass 1


# --- mutation -------------------------------------------------------------------------------------


def flipped(bits: Bits, proba_mutation: float, r: Floats) -> Bits:
    """Bits b whose random number r is below p become 1 - b."""
    return np.where(r < proba_mutation, 1 - bits, bits)


def shifted(x: Floats, delta: Floats) -> Floats:
    """Each row plus its delta, or each component plus its own, except where the sum would leave [0, 1]."""
    moved = x + delta.reshape(len(x), -1)
    return np.where((moved >= 0) & (moved <= 1), moved, x)


class GeneticAlgorithm(Optimizer):
    """A population whose best members have children that mix and mutate the genomes of their parents.

    Vectors lie in [0, 1]^n: for weights of both signs, give the objective signs. The fitness of a member is its score
    at birth. When scores are noisy, a member that was lucky once stays at the top for ever, unless `reevaluate` asks
    for its score again in every generation.
    """

    name = "genetic"
    Settings = GeneticSettings
    positive = True
    NAMED = GENETIC
    variables = ("population", "fitness")

    def __init__(self, dimension: int, settings: Any = None, seed: int = 0, **changes: Any):
        super().__init__(dimension, settings, seed, **changes)
        self.population: Floats = np.empty((0, self.dimension))
        self.fitness: Floats = np.empty(0)

    def ask(self) -> Floats:
        """A random population at first, then children; with `reevaluate`, preceded by the survivors."""
        if not len(self.population):
            return self.random_population()
        again = self.settings.kept if self.settings.reevaluate else 0
        return np.concatenate([self.population[:again], self.children()])

    def update(self, x: Floats, f: Floats) -> None:
        """The new population is the N best of the members kept and the candidates told."""
        kept = self._kept_with_old_fitness()
        pool = np.concatenate([self.population[:kept], self.encodable(x)])
        fitness = np.concatenate([self.fitness[:kept], f])
        best = np.argsort(-fitness, kind="stable")[: self.settings.population_size]  # ties go to the older member
        self.population, self.fitness = pool[best], fitness[best]

    def random_population(self) -> Floats:
        """N random genomes."""
        shape = self.settings.population_size, self.dimension
        if self.settings.has_bits:
            return from_bits(self.draws().below(2, (*shape, self.settings.nb_bits)).astype(np.int8))
        return normalised(self.draws().uniform(shape), self.settings.normalisation)

    def children(self) -> Floats:
        """Select parents, cross them, mutate the children."""
        draws = self.draws()
        parents = self.select(draws)
        breed = self.binary_children if self.settings.has_bits else self.float_children
        return breed(parents, draws)[: self.settings.offspring]

    def select(self, draws: Draws) -> Ints:
        """Enough couples of parents, as positions in the population."""
        s = self.settings
        couples = -(-s.offspring // s.children_of_a_couple)
        if s.selection == "wheel":
            return wheel(self.fitness, couples, draws)
        return tournament(self.fitness, couples, max(2, s.part(s.percentage_for_tournament)), draws)

    def binary_children(self, parents: Ints, draws: Draws) -> Floats:
        """One-point crossover with a separate cut for each component, then bit flips."""
        p, q = (self.genomes(self.population[one]) for one in parents.T)
        cuts = 1 + draws.below(self.settings.nb_bits, p.shape[:2])
        bits = one_point(p, q, cuts)
        bits = flipped(bits, self.settings.proba_mutation, draws.uniform(bits.shape))
        return from_bits(from_gray(bits) if self.settings.encoding == "gray" else bits)

    def genomes(self, x: Floats) -> Bits:
        """The bits of members."""
        bits = to_bits(x, self.settings.nb_bits)
        return to_gray(bits) if self.settings.encoding == "gray" else bits

    def float_children(self, parents: Ints, draws: Draws) -> Floats:
        """Linear combination, then some vectors move along the diagonal, or some genes; normalised after each step."""
        p, q = self.population[parents[:, 0]], self.population[parents[:, 1]]
        child = normalised(linear(p, q, shares(self.fitness)[parents]), self.settings.normalisation)
        shape = len(child) if self.settings.mutation == "vector" else child.shape
        r, delta = draws.uniform(shape), (2 * draws.uniform(shape) - 1) * self.settings.mutation_rate
        mutated = shifted(child, np.where(r < self.settings.proba_mutation, delta, 0))
        return normalised(mutated, self.settings.normalisation)

    def encodable(self, x: Floats) -> Floats:
        """The nearest vectors that have a genome; those asked for are their own nearest."""
        if self.settings.has_bits:
            return from_bits(to_bits(x, self.settings.nb_bits))
        return np.clip(x, 0, 1)

    @property
    def tells(self) -> int:
        """One more than the iterations, for the random population."""
        return int(self.settings.iterations) + 1

    @property
    def favourite(self) -> Floats:
        """The best member of the population; before there is one, the first candidate."""
        return np.asarray((self.population if len(self.population) else self.ask())[0])

    def recorded(self) -> dict[str, float | Floats]:
        """The fitness of the population and its diversity, the mean standard deviation of a component."""
        return {
            "population_best": float(self.fitness[0]),
            "population_mean": float(self.fitness.mean()),
            "population_spread": float(self.fitness.std()),
            "diversity": float(self.population.std(axis=0).mean()),
        }

    def _kept_with_old_fitness(self) -> int:
        """Members that compete for the next generation without being told again."""
        return 0 if self.settings.reevaluate else min(self.settings.kept, len(self.population))

    def _checked(self, candidates: Any, scores: Any) -> tuple[Floats, Floats]:
        x, f = super()._checked(candidates, scores)
        least = self.settings.population_size - self._kept_with_old_fitness()
        if len(x) < least:
            raise InputError(f"candidates has {len(x)} rows; it must have at least {least} to fill the population")
        return x, f
