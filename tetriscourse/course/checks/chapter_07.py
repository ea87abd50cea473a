"""Judges of chapter 07: genetic algorithms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tetriscourse.course.differences import Function, first_difference
from tetriscourse.course.exercises import exercise, prose
from tetriscourse.course.laboratories import breeding
from tetriscourse.course.outcomes import Outcome, Right, Wrong, climbed, expected, nothing_yet, too_short
from tetriscourse.errors import InputError, readable
from tetriscourse.game.rules import RULES, Rules
from tetriscourse.optimizers.genetic import GeneticAlgorithm
from tetriscourse.optimizers.objectives import SCORES, Objective
from tetriscourse.optimizers.training import Training
from tetriscourse.players import PLAYERS, Filter, Player
from tetriscourse.random_numbers import Draws, Floats, derived_seed
from tetriscourse.simulator import simulate

Genome = list[list[int]]


@exercise("07.1", "Read a genome", answers="decode", points=1)
def genome_read(decode: Function, *, seed: int) -> Outcome:
    """Right when every list stands for the whole number that it writes, divided by a power of two."""

    def decoded(genome: Genome) -> list[float]:
        return [int("".join(map(str, bits)), 2) / 2 ** len(bits) for bits in genome]

    return first_difference(decode, decoded, small_genomes(seed), show="genome")


def small_genomes(seed: int) -> Iterator[tuple[Genome]]:
    """Genomes of one bit, of a few bits, then of several weights."""
    yield from (([[1]],), ([[0]],), ([[0, 1]],), ([[1, 0, 1]],))
    draws = Draws(seed, 701)
    for number in range(2, 20):
        yield ([draws.below(2, 1 + number // 2 + k % 2).tolist() for k in range(1 + number // 5)],)


@exercise("07.2", "A tournament", answers="parents", points=1)
def tournament_held(parents: Function, *, seed: int) -> Outcome:
    """Right when the couple is the one found by asking who is beaten by nobody."""
    return first_difference(parents, best_couple, tournaments(seed), show="fitness entrants")


def tournaments(seed: int) -> Iterator[tuple[list[int], list[int]]]:
    """Fitness and entrants, few first; entrants stand in any order, and some are equally fit."""
    yield from (([10, 20], [0, 1]), ([20, 10], [0, 1]), ([30, 10, 20], [2, 1]), ([5, 9, 7], [0, 1, 2]))
    yield from (([50, 40, 10, 20], [2, 3, 1]), ([7, 7, 7], [2, 0, 1]))
    draws = Draws(seed, 702)
    for number in range(4, 24):
        fitness = draws.below(4 + number, number).tolist()
        yield fitness, draws.order(number)[: 2 + number // 3].tolist()


def best_couple(fitness: Sequence[int], entrants: Sequence[int]) -> tuple[int, int]:
    """The first of the fittest, then the first of the fittest among the others."""
    first = next(k for k in entrants if all(fitness[k] >= fitness[other] for other in entrants))
    others = [k for k in entrants if k != first]
    return first, next(k for k in others if all(fitness[k] >= fitness[other] for other in others))


@exercise("07.3", "Two children", answers="crossover", points=2)
def children_crossed(crossover: Function, *, seed: int) -> Outcome:
    """Right when every bit of both children comes from the right parent."""
    return first_difference(crossover, crossed, couples(seed), show="mother father cuts")


def couples(seed: int) -> Iterator[tuple[Genome, Genome, list[int]]]:
    """Two genomes and their cuts: one weight of two bits, then more."""
    yield [[0, 0]], [[1, 1]], [1]
    yield [[0, 0, 0]], [[1, 1, 1]], [2]
    yield [[0, 0], [0, 0]], [[1, 1], [1, 1]], [1, 2]
    yield [[0, 0, 0], [1, 1, 1]], [[1, 1, 1], [0, 0, 0]], [1, 2]
    draws = Draws(seed, 703)
    for number in range(2, 18):
        weights, length = 1 + number // 5, 2 + number // 2
        mother, father = draws.below(2, (2, weights, length)).tolist()
        yield mother, father, (1 + draws.below(length, weights)).tolist()


def crossed(mother: Genome, father: Genome, cuts: list[int]) -> tuple[Genome, Genome]:
    """Both children, bit by bit."""

    def child(one: Genome, other: Genome) -> Genome:
        return [[(one if k < cut else other)[i][k] for k in range(len(one[i]))] for i, cut in enumerate(cuts)]

    return child(mother, father), child(father, mother)


@exercise("07.4", "Who stays", answers="survivors", points=1)
def stayed(survivors: Function, *, seed: int) -> Outcome:
    """Right when nobody outside is better than anybody inside."""
    return first_difference(survivors, elected, generations(seed), show="old young kept size")


def generations(seed: int) -> Iterator[tuple[list[int], list[int], int, int]]:
    """Old and young, small first; always at least as many children as places."""
    yield from (([2], [1], 0, 1), ([2], [1], 1, 1), ([1], [2], 1, 1), ([3, 4], [1, 2], 1, 2))
    yield from (([5, 9], [7, 8, 6], 1, 2), ([5, 9], [7, 8, 6], 2, 2))
    draws = Draws(seed, 704)
    for number in range(2, 20):
        old, young = draws.below(100, number).tolist(), draws.below(90, number + 2).tolist()
        yield old, young, int(draws.below(number + 1)), number


def elected(old: list[int], young: list[int], kept: int, size: int) -> list[int]:
    """The fittest, taken out one by one."""
    elite, chosen = list(old), list(young)
    for _ in range(kept):
        chosen.append(elite.pop(int(np.argmax(elite))))
    return [chosen.pop(int(np.argmax(chosen))) for _ in range(size)]


CHAMPION = Player("tetrisbot", (3, 0, -5, -1), "champion")
RANKED: dict[str, Player | Filter] = {
    "weak": PLAYERS["tetrisbot-6"], "good": PLAYERS["tetrisbot"], "champion": CHAMPION,
}  # fmt: skip
"""From worst to best in whole games: 131,457 and 584,378 points (100 games of seed 2026); the champion, millions."""
BUDGET, PILOT_GAMES, LONGEST, SAMPLES, FEWEST_WON, MOST_GAMES = 12_000, 200, 60_000, 300, 7 / 8, 200
"""A share of duels is known to some 2 %. The best cap for the budget, 1,000 pieces and 12 games by lines, wins 83 to
84 % for its worst pair; pieces drawn independently in six games, by lines, 93 to 94 %:
`python tests/benchmarks/check_bars.py 07.5`."""


@exercise("07.5", "A fitness that sees", answers="judging_rules judging_games judging_score", points=3)
def fitness_that_sees(judging_rules: Any, judging_games: Any, judging_score: Any, *, seed: int) -> Outcome:
    """Right when the better of any two players wins seven of eight duels or more, at a cost within the budget."""
    if not isinstance(judging_rules, Rules):
        return expected("`judging_rules` to be rules, such as `replace(rules, ...)`", judging_rules)
    if judging_rules.width != RULES["tetrisbot"].width:
        return Wrong(f"`judging_rules` has {judging_rules.width} columns. Keep 10, as in the game that counts.")
    if isinstance(judging_games, bool) or not isinstance(judging_games, int) or not 0 < judging_games <= MOST_GAMES:
        return expected(f"`judging_games` to be a whole number from 1 to {MOST_GAMES}", judging_games)
    if judging_score not in SCORES:
        return expected("`judging_score` to be 'lines' or 'points'", judging_score)
    costs = {name: judging_games * pieces_a_game(one, judging_rules, seed) for name, one in RANKED.items()}
    mean = sum(costs.values()) / len(costs)
    if mean > BUDGET:
        most = max(costs, key=costs.__getitem__)
        said = f"A candidate costs {readable(mean)} pieces on average, and {most} alone {readable(costs[most])} or more"
        return Wrong(f"{said}. The budget is {BUDGET:,}.", [f"{judging_games} games, {judging_rules}"])
    values = {
        name: fitness_values(one, judging_rules, judging_games, judging_score, seed + place)
        for place, (name, one) in enumerate(RANKED.items())
    }
    return duel_outcome(values, f"{readable(mean)} pieces a candidate")


def pieces_a_game(player: Player | Filter, rules: Rules, seed: int) -> float:
    """The mean length of a few games, none of which goes on forever."""
    longest = min(rules.max_pieces or LONGEST, LONGEST)
    return float(simulate(player, replace(rules, max_pieces=longest), PILOT_GAMES, seed, progress=False).pieces.mean())


def fitness_values(player: Player | Filter, rules: Rules, games: int, score: str, seed: int) -> Floats:
    """A player's fitness, measured many times."""
    played = simulate(player, rules, SAMPLES * games, seed, progress=False)
    return np.asarray(getattr(played, score).reshape(SAMPLES, games).mean(axis=1), np.float64)


def share_won(better: Floats, worse: Floats) -> float:
    """The share of all duels in which the better player is ahead; a draw counts half."""
    ahead = better[:, None] - worse
    return float(np.mean(ahead > 0) + np.mean(ahead == 0) / 2)


def duel_outcome(values: dict[str, Floats], cost: str) -> Outcome:
    """Right when every player mostly beats those that are worse."""
    pairs = (("good", "weak"), ("champion", "good"), ("champion", "weak"))
    won = {pair: share_won(values[pair[0]], values[pair[1]]) for pair in pairs}
    means = [f"{name}: fitness {readable(float(found.mean()))} on average" for name, found in values.items()]
    for (better, worse), share in won.items():
        if share < FEWEST_WON:
            said = f"By this fitness, {better} beats {worse} in only {share:.1%} of the duels"
            return Wrong(f"{said}; {FEWEST_WON:.1%} are asked for.", means)
    said = ", ".join(f"{better} beats {worse} in {share:.0%}" for (better, worse), share in won.items())
    return Right(f"Of the duels, {said}; {cost}.")


GROUND = RULES["10x10"]
GOAL, GAMES, MOST_MOVES, LONGEST_GAME = 1000, 60, 5_000_000, 30_000


@exercise("07.6", "Breed a player", answers="bred story", points=3, kind="open")
def player_bred(bred: Any, story: Any, *, seed: int) -> Outcome:
    """Right when a genetic algorithm found a player that clears enough lines in games that are new to it."""
    if not isinstance(bred, Training):
        return expected("`bred` to be what `tc.train` returns", bred)
    spent = [f"{bred.games:,} games, {bred.moves:,} moves"]
    if not isinstance(bred.optimizer, GeneticAlgorithm) or not isinstance(bred.objective, Objective):
        return Wrong("Not bred: `tc.train` should get a `tc.GeneticAlgorithm` and a `tc.Objective`.", spent)
    if not bred.optimizer.iteration:
        return Wrong("Nobody has been born yet in this run.", spent)
    if bred.moves > MOST_MOVES:
        said = f"The run spent {bred.moves:,} moves; {MOST_MOVES:,} are allowed. Fewer members, generations or games?"
        return Wrong(said, spent)
    try:
        scores = simulate(bred.player(), replace(GROUND, max_pieces=LONGEST_GAME), GAMES, seed + 7, progress=False)
    except InputError as error:
        return Wrong(f"The player cannot play on 10x10: {error}")
    mean, claimed = scores.exponential_mean, bred.best.score if bred.best else 0.0
    said = f"{readable(mean)} lines a game in {GAMES} new games"
    if mean < GOAL:
        return Wrong(f"{said}; {GOAL:,} are asked for. The best candidate claimed {readable(claimed)}.", spent)
    said += f", after {bred.moves:,} moves; the best candidate had claimed {readable(claimed)}."
    short = too_short("story", story, "what did you try, and what came of it?")
    return Wrong(f"{said} {short.text}") if short else Right(said)


prose("07.7", "What crossover breaks", points=3, kind="proof")


@exercise("07.8", "Genome or mutation", answers="causes", points=3, kind="design")
def causes_found(causes: Function, *, seed: int) -> Outcome:
    """A rung for each kind of world in which both answers are right every time, as long as those before are reached."""
    if not callable(causes):
        return expected("a function", causes)
    reached: list[str] = []
    for name, truths in worlds(seed).items():
        for number, (bits, mutation) in enumerate(truths):
            found = causes(breeding(bits, mutation, derived_seed(seed, 708, len(reached), number)))
            if found is None and not reached:
                return nothing_yet("causes")
            verdict = as_pair(found)
            if verdict is None:
                return expected("two answers, True or False, such as (True, False)", found)
            if verdict != (bits != 0, mutation != 0):
                mistake = f"in one of the worlds with {name}, you say {in_words(verdict)}"
                return climbed(mistake[0].upper() + mistake[1:], reached, [name])
        reached.append(name)
    return climbed("Right in sixteen worlds", reached, [])


def worlds(seed: int) -> dict[str, list[tuple[float, float]]]:
    """By kind, the effects of bits and of mutation on the logarithm of lines."""
    size, sign = 0.3 + 0.3 * Draws(seed, 780).uniform((12, 2)), 1 - 2 * Draws(seed, 781).below(2, (12, 2))
    effects = size * sign
    both = [(one, -other if k % 2 else other) for k, (one, other) in enumerate(np.abs(effects[8:]).tolist())]
    return {
        "one cause": [(one, 0.0) if k % 2 else (0.0, other) for k, (one, other) in enumerate(effects[:8].tolist())],
        "no cause": [(0.0, 0.0)] * 4,
        "both causes": both,
    }


def as_pair(found: Any) -> tuple[bool, bool] | None:
    """Two answers, if that is what they are."""
    if not isinstance(found, tuple | list) or len(found) != 2:
        return None
    if not all(isinstance(one, bool | np.bool_) for one in found):
        return None
    return bool(found[0]), bool(found[1])


def in_words(verdict: tuple[bool, bool]) -> str:
    """A verdict as a student would say it."""
    genome, mutation = ("matters" if one else "does not" for one in verdict)
    return f"that the genome {genome} and mutation {mutation}"
