"""Results that must never change, bit for bit: games, training runs, learners and exact values, as digests.

The digests are in data/results.json, each with a summary that says what the result was about. A new player, game or
feature has new results; this stores them, and leaves those that are there as they are:

    python tests/test_same_results.py

A change that is meant to give other results stores all of them with `--all`; the difference of the file shows which.
"""

from __future__ import annotations

import json
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import astuple, replace
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tetriscourse as tc
from tetriscourse.mdp.deep_q.steady import SteadyDeepQ  # with the next, the only names here that are not public
from tetriscourse.simulator.bench import bench_players

pytestmark = pytest.mark.slow

DATA = Path(__file__).parent / "data" / "results.json"
STORED = json.loads(DATA.read_text(encoding="utf-8")) if DATA.exists() else {}

Result = tuple[list[Any], str]
"""The numbers and texts that a digest is made of, and the summary beside it."""
Cases = Iterator[tuple[str, Callable[[], Result]]]

# --- digests --------------------------------------------------------------------------------------


def content(part: Any) -> bytes:
    """Bytes that are the same on every machine: whole numbers and floats of 64 bits, little-endian; texts in UTF-8."""
    if isinstance(part, str):
        return part.encode()
    array = np.asarray(part)
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), np.nan, array)  # of nan there are many
    assert array.dtype.kind in "biuf", f"no numbers: {part!r}"
    return str(array.shape).encode() + array.astype("<f8" if array.dtype.kind == "f" else "<i8").tobytes()


def digest(parts: Iterable[Any]) -> str:
    """SHA-256 of all parts, each with its length, so that none can pass for a piece of another."""
    found = sha256()
    for part in map(content, parts):
        found.update(f"{len(part)} ".encode() + part)
    return found.hexdigest()


def rounded(values: Any) -> Any:
    """Floats to 30 bits below the largest one, or below 1: processors and libraries differ in the last digits."""
    array = np.atleast_1d(values)
    finite = array[np.isfinite(array)]
    if array.dtype.kind != "f" or not finite.size:
        return array
    step = 2.0 ** (max(int(np.frexp(abs(finite).max())[1]), 0) - 30)
    return np.rint(array / step) * step + 0.0  # without -0.0


UNSEEN = ("game_board", "game_cells", "memory_rewards")
"""How a checkpoint stores the board of a game that goes on; known rewards, which are 0 for values of moves."""


def named(arrays: Mapping[str, Any], keep: Callable[[Any], Any] = np.asarray) -> list[Any]:
    """Arrays, each after its name."""
    return [part for name in arrays if name not in UNSEEN for part in (name, keep(arrays[name]))]


def history(columns: Any) -> dict[str, Any]:
    """The columns of a History."""
    return {name: columns[name] for name in columns.names}


# --- catalogues -----------------------------------------------------------------------------------


def player_data(player: Any) -> Result:
    """The weights of a player, whose last digits no game may show, or the criteria of a filter."""
    if isinstance(player, tc.Filter):
        return [str(one) for one in player.criteria], ", ".join(map(str, player.criteria))
    labels = player.features.labels(10)
    return [*labels, player.weights, player.integers, player.unit], " ".join(f"{one:g}" for one in player.weights)


def bag_data(pieces: Iterable[tc.Piece]) -> Result:
    """The shapes of all pieces of a bag, in their order, and how they turn."""
    found = [
        [piece.name, piece.spawn, piece.left, [[*one.cells, one.corner] for one in piece.orientations]]
        for piece in pieces
    ]
    return [json.dumps(found)], " ".join(f"{name} {len(shapes)}" for name, _, _, shapes in found)


def experiment_data(one: tc.Experiment) -> Result:
    """Everything that decides how an experiment goes."""
    usual = ("covariance", "diagonal")  # left out, as when there was no other
    settings, race = (
        [str(value) for name, value in vars(part).items() if (name, value) != usual] if part else []
        for part in (one.settings, one.racing)
    )
    curve = f"{one.curve.games} {one.curve.rules!r}"
    how = [one.method, repr(one.objective.rules), str(one.objective), str(one.objective.signs), curve]
    return [*how, *settings, *race, one.runs, one.seed], str(one)


def catalogue_cases() -> Cases:
    """Published players, rules, bags and experiments."""
    for name, player in tc.PLAYERS.items():
        yield f"player {name}", partial(player_data, player)
    for name, rules in tc.RULES.items():
        yield f"rules {name}", lambda rules=rules: ([repr(rules)], repr(rules))
    for name, pieces in tc.BAGS.items():
        yield f"bag {name}", partial(bag_data, pieces)
    for name, one in tc.EXPERIMENTS.items():
        yield f"experiment {name}", partial(experiment_data, one)


# --- games of the simulator -----------------------------------------------------------------------

SEEDS = (0, 3, 2**62 + 1)
GAMES, PIECES, PIECES_IF_TWO_ARE_KNOWN = 5, 1000, 100

FILTERS = {
    "filter-wells": tc.Filter(("holes", "wells", "max_height")),
    "filter-transitions": tc.Filter(("+lines", "-row_transitions", "column_transitions")),
    "filter-deep": tc.Filter(("hole_depth", "eroded_cells", "landing_height", "i_wells")),
}
OWN = {
    "xtris": tc.Player("xtris", (-1, -5, 1, -1, -1, -1)),
    "champion": bench_players()["champion"],
    "bertsekas on width 10": tc.Player("bertsekas", [*[-1] * 10, *[-2] * 9, -1, -10]),
    "bdn on width 6": tc.Player("bdn", [*[-1, -2] * 6, *tc.PLAYERS["dn"].weights]),
}
ALL = {**tc.PLAYERS, **FILTERS, **OWN}
SOME = {name: ALL[name] for name in ("dellacherie", "dn", "dt-10", "rv-ce", "tetrisbot", "filter-heights", *FILTERS)}
AFTER_CLEARING, FEW_PIECES = "overflow-after-clearing", {"O": 1, "I": 2, "T": 0.5}

VARIANTS = {
    "two known": tc.Rules(10, 10, pieces_known=2),
    "two known, bag, 4x6": tc.Rules(4, 6, pieces_known=2, draw="bag"),
    "two known, spawn, losing allowed": tc.Rules(8, 8, pieces_known=2, entry="spawn", losing_moves="allowed"),
    "two known, 16x28": tc.Rules(16, 28, pieces_known=2),
    "top row, losing allowed": tc.Rules(9, 9, game_over="top-row", losing_moves="allowed"),
    "top row, bag, spawn": tc.Rules(7, 10, game_over="top-row", draw="bag", entry="spawn"),
    "after clearing, losing allowed": tc.Rules(8, 7, game_over=AFTER_CLEARING, losing_moves="allowed"),
    "after clearing, spawn": tc.Rules(10, 6, game_over=AFTER_CLEARING, entry="spawn", scoring="tetrisbot"),
    "by turns": tc.Rules(10, 8, draw="by-turns"),
    "by turns, S and Z": tc.Rules(10, 12, draw="by-turns", probabilities={"S": 1, "Z": 1}),
    "O, I and T": tc.Rules(10, 8, probabilities=FEW_PIECES),
    "classic bag": tc.Rules(10, 9, bag="classic", draw="bag", entry="spawn", scoring="squares"),
    "rapid": tc.Rules(11, 9, bag="rapid"),
    "domino 5x5": replace(tc.RULES["domino"], width=5, height=5),
    "domino 4x4": tc.Rules(4, 4, bag="domino"),
    "16x4": tc.Rules(16, 4),
    "4x28": tc.Rules(4, 28),
    "9x27": tc.Rules(9, 27),
} | {f"{size}x{size}": tc.Rules(size, size) for size in range(4, 17) if size not in (5, 10)}


def fits(player: Any, rules: tc.Rules) -> bool:
    """Whether a player has as many weights as it needs on this width; a filter has none."""
    try:
        getattr(player, "check_width", int)(rules.width)
    except tc.InputError:
        return False
    return True


def numbers(scores: tc.Scores) -> list[Any]:
    """All that was counted in some games."""
    return [scores.lines, scores.pieces, scores.points, scores.finished, scores.heights]


def told(found: Iterable[tc.Scores]) -> str:
    """Mean lines and lost games of each result."""
    return "; ".join(f"{scores.mean:.6g} lines, {scores.finished.sum()} of {len(scores)} lost" for scores in found)


def simulated(player: Any, rules: tc.Rules, games: int = GAMES, pieces: int = PIECES, threads: int = 1) -> Result:
    """Games of each seed."""
    most = pieces if rules.pieces_known == 1 else PIECES_IF_TWO_ARE_KNOWN
    limited = replace(rules, max_pieces=most)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some players are slow
        found = [tc.simulate(player, limited, games, seed, threads, progress=False) for seed in SEEDS]
    return [part for scores in found for part in numbers(scores)], told(found)


def simulations() -> Cases:
    """Every player by every named rules, some players by variants; players without the right width are left out."""
    for listed, players in ((tc.RULES, ALL), (VARIANTS, SOME)):
        for name, rules in listed.items():
            for who, player in players.items():
                if fits(player, rules):
                    yield f"simulate {name}: {who}", partial(simulated, player, rules)


def other_simulations() -> Cases:
    """Many short games in threads, games without a limit, players that only plain Python can play."""

    def squared_holes(move: tc.Move) -> float:
        return float(tc.FEATURES["holes"](move)) ** 2

    own = tc.Player([squared_holes, "sum_heights"], (-1, -1))
    long = tc.Filter([f"-{name}" for name, one in tc.FEATURES.items() if one.per_column is None])
    many = {"games": 2000, "pieces": 40, "threads": 3}
    yield "simulate 2000 games in threads", partial(simulated, ALL["tetrisbot"], tc.RULES["10x10"], **many)
    yield "simulate without a limit", partial(simulated, ALL["tetrisbot"], tc.RULES["6x12"], games=40, pieces=0)
    yield "simulate a feature of one's own", partial(simulated, own, tc.Rules(6, 6), games=2, pieces=15)
    yield "simulate a filter of all features", partial(simulated, long, tc.Rules(6, 6), games=2, pieces=15)


# --- games in plain Python ------------------------------------------------------------------------


def described(move: tc.Move) -> str:
    """A move as text, with all that it does to the board."""
    return f"{move.orientation} {move.column} {move.row} {move.cleared} {move.loses} {move.after.bits:x}"


def played(player: Any, rules: tc.Rules, pieces: int) -> Result:
    """The moves of one game."""
    game = tc.play_game(player, replace(rules, max_pieces=pieces), seed=5, number=2)
    moves = [described(move) for move in game.moves]
    last = f"{game.board.text(letters=True)} {game.lost}"
    return [*moves, game.lines, game.points, last], f"{game.pieces} pieces, {game.lines} lines, lost: {game.lost}"


def listed_moves(rules: tc.Rules) -> Result:
    """All moves of every piece on the boards of a game."""
    game = tc.play_game(tc.PLAYERS["filter-heights"], replace(rules, max_pieces=20), seed=1)
    boards = [move.before for move in game.moves]
    found = [described(move) for board in boards for piece in rules.pieces for move in tc.moves(board, piece, rules)]
    return found, f"{len(found)} moves on {len(boards)} boards"


def sequences(rules: tc.Rules) -> Result:
    """The first pieces of some games."""
    drawn = [tc.PieceSequence(rules, seed, game) for seed in SEEDS for game in (0, 1, 10**9)]
    names = [" ".join(pieces[position].name for position in range(150)) for pieces in drawn]
    return names, names[0][:30]


def plain_games() -> Cases:
    """Games, lists of moves and sequences of pieces in the readable layer."""
    for name in ("dellacherie", "dt-20", "tetrisbot", "filter-bumpiness", "filter-deep", "xtris"):
        for rules in ("research", "tetrisbot", "10x10", "5x5"):
            yield f"play_game {rules}: {name}", partial(played, ALL[name], tc.RULES[rules], 40)
    for rules in ("top row, losing allowed", "after clearing, losing allowed", "classic bag", "O, I and T"):
        yield f"play_game {rules}: dn", partial(played, ALL["dn"], VARIANTS[rules], 40)
    yield "play_game two known: tetrisbot", partial(played, ALL["tetrisbot"], tc.Rules(5, 6, pieces_known=2), 8)
    for name, rules in (tc.RULES | VARIANTS).items():
        if rules.width < 12:
            yield f"moves {name}", partial(listed_moves, rules)
    for name, rules in (tc.RULES | VARIANTS).items():
        if rules.draw != "independent" or rules.probabilities or name == "research":
            yield f"pieces {name}", partial(sequences, rules)


# --- features -------------------------------------------------------------------------------------


@cache
def positions() -> list[tc.Move]:
    """Moves on a few hundred boards from games, those that lose too."""
    found = []
    for size in ((10, 20), (6, 8), (4, 4), (16, 6)):
        rules = tc.Rules(*size, max_pieces=60, losing_moves="allowed")
        for number in range(3):
            game = tc.play_game(tc.PLAYERS["filter-heights"], rules, seed=7, number=number)
            for move in game.moves[::2]:
                found += tc.moves(move.before, move.piece, rules)
    return found


def valued(feature: tc.Feature) -> Result:
    """A feature of all these moves."""
    values = [np.array(feature(move), np.float64) for move in positions()]
    return values, f"{len(values)} moves, sum {sum(value.sum() for value in values):g}"


def feature_cases() -> Cases:
    """Every feature, and what is in the feature sets."""
    for name, feature in tc.FEATURES.items():
        yield f"feature {name}", partial(valued, feature)
    for name, members in tc.FEATURE_SETS.items():
        yield f"feature set {name}", lambda members=members: (members.labels(10), f"{members.size(10)} values")


# --- the engine and the environment ---------------------------------------------------------------


def commanded(agent: str, rules: tc.Rules, commands: int, gravity: bool = False) -> Result:
    """Commands of an agent in some games, and each game after each of them; with gravity, commands are keys."""
    games, choose, found = [tc.Engine(None, rules, seed=4)], tc.AGENTS[agent](), []
    for _ in range(commands):
        if not games[-1].is_running:
            games.append(tc.Engine(None, rules, seed=4, game=len(games)))
        engine = games[-1]
        command = choose(engine)
        (engine.press if gravity else engine.play_command)(command)
        found += [command, [engine.score, engine.total_lines, *engine.position, engine.orientation]]
    found += [part for engine in games for part in (engine.text(), str(engine.ending))]
    pieces, points = sum(engine.blocks_played for engine in games), sum(engine.score for engine in games)
    return found, f"{commands} commands in {len(games)} games, {pieces} pieces, {points} points"


def stepped(rules: tc.Rules, actions: str, state: str) -> Result:
    """A walk through some episodes of the environment, by arithmetic."""
    env, found = tc.TetrisEnv(rules, actions, state, max_pieces=60, seed=2), []
    while len(found) < 600:
        seen, info = env.reset()
        while env.is_running:
            possible = np.flatnonzero(info["allowed"])
            action = int(possible[17 * len(found) % len(possible)])
            seen, reward, lost, cut, info = env.step(action)
            found.append([reward, lost, cut, info["pieces"], info["lines"]])
            found.append(str(seen))
    return found, f"{len(found) // 2} actions in {env.episode + 1} episodes, {env.pieces} pieces in the last"


def engine_cases() -> Cases:
    """Every agent but a person, and the environment with all kinds of actions and states."""
    bot, domino = tc.RULES["tetrisbot"], VARIANTS["domino 5x5"]
    narrow = replace(bot, width=6, height=8)
    for name in tc.AGENTS:
        if name.startswith("two-piece"):
            yield f"engine 6x8: {name}", partial(commanded, name, narrow, 15)
        elif name != "human":
            commands = 300 if name.startswith("random") else 40
            yield f"engine tetrisbot: {name}", partial(commanded, name, bot, commands)
    for name, rules in {"classic": VARIANTS["classic bag"], "domino": domino, "research": tc.RULES["research"]}.items():
        yield f"engine {name}: random-commands", partial(commanded, "random-commands", rules, 400)
        yield f"engine {name}: keys", partial(commanded, "random-commands", rules, 400, gravity=True)
    for actions in ("commands", "placements"):
        for state in ("grid", "differences"):
            yield f"environment domino {actions}, {state}", partial(stepped, domino, actions, state)
            yield f"environment 6x8 {actions}, {state}", partial(stepped, tc.Rules(6, 8), actions, state)
    yield "environment domino 8x8, rounded", partial(stepped, tc.RULES["domino"], "commands", "rounded")


# --- optimizers -----------------------------------------------------------------------------------

SMALL = tc.Rules(6, 8)
GENETIC = {
    "float": ("example-1", {}),
    "float, L1, renewal": ("example-1", {"normalisation": "L1", "replacement": "renewal"}),
    "float, wheel, elitism": ("example-1", {"selection": "wheel", "replacement": "elitism"}),
    "binary": ("example-3", {}),
    "binary, judged again": ("example-3", {"reevaluate": True}),
    "binary, elitism, 9 bits": ("example-4", {"nb_bits": 9}),
    "binary, wheel, elitism": ("example-6", {}),
}
RACES = {bound: tc.RacingSettings(bound=bound, low=0, high=60, r_max=12) for bound in ("hoeffding", "bernstein")}
RACES["tetris"] = tc.RacingSettings(bound="tetris", r_min=2, r_max=20)


def cross_entropy(noise: Any, iterations: int = 6, covariance: str = "diagonal") -> tc.CrossEntropy:
    """A short run with a noise."""
    return tc.CrossEntropy(8, seed=3, population=15, rho=0.2, iterations=iterations, noise=noise, covariance=covariance)


def objective(features: str = "dn", games: int = 3, **changes: Any) -> tc.Objective:
    """Games that are soon lost."""
    return tc.Objective(features, replace(SMALL, scoring="squares"), games, **changes)


def trained(make: Callable[[], Any], goal: tc.Objective, keep: Callable[[Any], Any] = np.asarray, **how: Any) -> Result:
    """A run: favourite, all that the optimizer knows with its history, and the log."""
    run = tc.train(make(), goal, progress=False, threads=1, **{"curve": 4} | how)
    parts = [keep(run.favourite), *named(run.optimizer.state(), keep), *named(history(run.log), keep)]
    return [*parts, run.stopped], f"{run.games} games, {run.moves} moves, best {run.best.score:.6g}, {run.stopped}"


def resumed(make: Callable[[], Any], **how: Any) -> Result:
    """The arrays in the checkpoint of a run that stops early and is resumed."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.npz"
        train = partial(tc.train, checkpoint=file, progress=False, threads=1, curve=4, **how)
        early = train(make(), objective(), patience=1).optimizer.iteration
        run = train(make(), objective(), resume=True)
        with np.load(file) as arrays:
            parts = named({name: arrays[name] for name in arrays.files if name != "description"})
    return parts, f"stopped after iteration {early}, ended after {run.optimizer.iteration}"


def optimizer_cases() -> Cases:
    """Every optimizer in several variants, with and without races; those that use LAPACK rounded."""
    for name, (settings, changes) in GENETIC.items():
        make = partial(tc.GeneticAlgorithm, 4, settings, seed=2, population_size=14, iterations=5, **changes)
        goal = objective("tetrisbot", signs="usual", score="points" if changes else "lines")
        yield f"train genetic {name}", partial(trained, make, goal)
    for noise in ("none", "constant", "linear", "geometric", "hyperbolic"):
        goal = objective(pieces="own" if noise == "linear" else "common")
        yield f"train cross-entropy, noise {noise}", partial(trained, partial(cross_entropy, noise), goal)
    make = partial(cross_entropy, "constant", covariance="full")
    yield "train cross-entropy, full covariance", partial(trained, make, objective(), rounded)
    for name in ("boumaza", "boumaza-racing", "boumaza-unnormalised"):
        make = partial(tc.CMAES, 8, name, iterations=6)
        yield f"train cma-es {name}", partial(trained, make, objective(), rounded)
    yield "train cma-es on bertsekas", partial(trained, partial(tc.CMAES, 13), objective("bertsekas"), rounded)
    for bound, race in RACES.items():
        make = partial(cross_entropy, "constant")
        yield f"train cross-entropy, race {bound}", partial(trained, make, objective(), racing=race)
        make = partial(tc.CMAES, 8, "boumaza-racing", iterations=6)
        yield f"train cma-es, race {bound}", partial(trained, make, objective(), rounded, racing=race)
    other = tc.Curve(5, tc.Rules(6, 9, draw="bag"))
    yield (
        "train cross-entropy, curve by other rules",
        partial(trained, partial(cross_entropy, 1.5), objective(), curve=other),
    )
    yield "train cross-entropy, resumed", partial(resumed, partial(cross_entropy, "linear", 12))
    yield (
        "train cross-entropy, race resumed",
        partial(resumed, partial(cross_entropy, "linear", 12), racing=RACES["tetris"]),
    )


# --- learners -------------------------------------------------------------------------------------


def table_learned(rules: tc.Rules, **settings: Any) -> Result:
    """Q-learning: the table, the history, a proof if there is one."""
    learner = tc.QLearning(rules, seed=1, **{"episodes": 1500, "max_pieces": 60} | settings).learn(progress=False)
    proof = str(tc.prove_endless(learner))
    parts = [*named(learner.state()), *named(history(learner.history)), proof]
    return parts, f"{len(learner.table)} states, {learner.steps} steps, {proof}"


def learned_in_two_parts(make: Callable[..., Any], **longer: tuple[int, int]) -> Result:
    """The checkpoint of a learner that is resumed with more to do."""
    (name, goals), states = *longer.items(), []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.npz"
        for goal in goals:
            make(**{name: goal}).learn(file, progress=False, resume=file.exists())
            with np.load(file) as arrays:
                states.append({key: arrays[key] for key in arrays.files if key != "description"})
    return [part for state in states for part in named(state, rounded)], f"{name} {goals[0]}, then {goals[1]}"


DEEP = {
    "steps": 300, "memory": 150, "hidden": (12, 8), "max_pieces": 60, "judge_every": 100, "judge_games": 4,
    "judge_pieces": 80, "record_every": 50, "refresh": 40,
}  # fmt: skip


def network_learned(problem: Callable[[], Any], **settings: Any) -> Result:
    """Deep Q-learning: networks, memory, history; rounded, which hides nothing of the steady network."""
    learner = SteadyDeepQ(problem(), seed=3, **DEEP | settings).learn(progress=False)
    parts = named(learner.state(), rounded)
    return [*parts, learner.network.theta], f"{learner.episode} games, best judged {learner.best[0]:.6g}"


def network_player() -> Result:
    """Games of a player that was learned, in the simulator and in plain Python."""
    player = SteadyDeepQ(tc.MoveValues(SMALL), seed=3, **DEEP).learn(progress=False).player()
    simulated_ones, summary = simulated(player, SMALL, games=20, pieces=200)
    return [*simulated_ones, *played(player, SMALL, 30)[0]], summary


def learner_cases() -> Cases:
    """Tables and networks, on the domino and on Tetris."""
    domino = VARIANTS["domino 5x5"]
    for actions in ("commands", "placements"):
        for state in ("grid", "differences"):
            how = {"actions": actions, "state": state}
            yield f"q-learning domino {actions}, {state}", partial(table_learned, domino, **how)
            yield f"q-learning 4x5 {actions}, {state}", partial(table_learned, tc.Rules(4, 5), **how)
    yield "q-learning domino 8x8, rounded", partial(table_learned, tc.RULES["domino"], state="rounded")
    printed = {"clock": "step", "start": "follow", "zeros": "first", "lost": "state"}
    yield "q-learning domino as printed", partial(table_learned, domino, **printed)
    for method in ("sarsa", "expected-sarsa"):
        yield f"q-learning domino, {method}", partial(table_learned, domino, method=method)
    yield "q-learning domino, traces", partial(table_learned, domino, trace=0.9)
    yield "q-learning domino, sarsa, traces", partial(table_learned, domino, method="sarsa", trace=0.9, reach=8)
    fading = {"actions": "placements", "alpha": 1.0, "fading": 0.6}
    yield "q-learning 4x5, fading steps", partial(table_learned, tc.Rules(4, 5), **fading)
    yield "q-learning domino in plain Python", partial(table_learned, domino, compiled=False, episodes=60)
    table = partial(tc.QLearning, domino, seed=1, max_pieces=60)
    yield "q-learning domino, resumed", partial(learned_in_two_parts, table, episodes=(400, 900))
    grid, tetris = partial(tc.DominoGrid, 4, 4), partial(tc.MoveValues, SMALL)
    yield "deep-q domino", partial(network_learned, grid)
    yield "deep-q domino, one plane, double", partial(network_learned, partial(grid, planes=1), double=True)
    descent = {"optimizer": "gradient-descent", "loss": "huber", "reward_lost": -1.0, "train_every": 2}
    yield "deep-q domino, gradient descent, huber", partial(network_learned, grid, **descent)
    yield "deep-q tetris", partial(network_learned, tetris)
    yield (
        "deep-q tetris, dn, no second network",
        partial(network_learned, partial(tc.MoveValues, VARIANTS["classic bag"], "dn"), target_network=False),
    )
    yield "deep-q afterstates", partial(network_learned, partial(tc.AfterstateValues, SMALL))
    deep = partial(lambda **steps: SteadyDeepQ(tetris(), seed=5, **DEEP | steps))
    yield "deep-q tetris, resumed", partial(learned_in_two_parts, deep, steps=(120, 260))
    yield "deep-q player", network_player


# --- exact values ---------------------------------------------------------------------------------

TINY = {
    "4x4": tc.Rules(4, 4),
    "4x4 bag": tc.Rules(4, 4, draw="bag"),
    "4x4 two known": tc.Rules(4, 4, pieces_known=2),
    "4x4 top row": tc.Rules(4, 4, game_over="top-row"),
    "4x4 after clearing": tc.Rules(4, 4, game_over=AFTER_CLEARING, losing_moves="allowed"),
    "4x4 O, I and T": tc.Rules(4, 4, probabilities=FEW_PIECES, scoring="tetrisbot"),
    "5x4 rapid, spawn": tc.Rules(5, 4, bag="rapid", entry="spawn"),
    "domino 4x4": replace(tc.RULES["domino"], width=4, height=4),
}
PILE = {
    "low": {"clear": [(0.8, 1, "low"), (0.2, 0, "high")], "wait": [(1, 0, "high")]},
    "high": {"clear": [(0.5, 1, "low"), (0.5, 0, "high")], "wait": [(0.5, 4, "low"), (0.5, 0, "lost")]},
    "lost": {},
}


def discount(rules: tc.Rules) -> float:
    """Games of dominoes may have no end."""
    return 0.9 if rules.bag == "domino" else 1.0


def values_of(found: tc.Solution | tc.PlayerValues) -> Result:
    """The value of every board, and how it was found."""
    parts = [found.table, found.sweeps, found.residual, found.bound, rounded(found.start)]
    return parts, f"{found.start:.6f} {found.unit}, {found.boards.total} boards, {found.sweeps} sweeps"


def solved(rules: tc.Rules) -> Result:
    """The values under the best play."""
    return values_of(tc.solve(rules, discount(rules), progress=False))


def optimal_games() -> Result:
    """The worth of moves on the boards of a game of the best player, and games of that player."""
    rules = TINY["4x4"]
    solution = tc.solve(rules, progress=False)
    game = tc.play_game(solution.player(), rules, seed=3)
    ranked = [solution.ranked(move.before, move.piece) for move in game.moves]
    parts = [part for one in ranked for move, worth in one for part in (described(move), worth)]
    scores, summary = simulated(solution.player(), rules, games=30, pieces=300)
    return [*parts, *scores], summary


def exactly_valued(player: Any, rules: tc.Rules) -> Result:
    """The values under a player's own moves."""
    return values_of(tc.exact_value(player, rules, discount(rules), progress=False))


def mdp_solved(make: Callable[[], Any], method: Callable[..., Any]) -> Result:
    """V and Q of a finite MDP."""
    mdp = make()
    found = method(mdp)
    first = f"V {np.array2string(found.V[:4], precision=6)}, {found.sweeps} sweeps"
    return [rounded(found.V), rounded(found.Q), rounded(mdp.R), found.sweeps], f"{len(found.V)} states, {first}"


def tetris_as_mdp() -> tc.FiniteMDP:
    """A game of some hundred states."""
    return tc.tetris_mdp(tc.Rules(4, 4, probabilities=FEW_PIECES)).mdp


def transitions() -> Result:
    """The probabilities and rewards of a game."""
    game = tc.tetris_mdp(tc.Rules(4, 4, probabilities={"S": 1, "O": 2, "L": 1}, draw="independent"))
    T = game.mdp.T
    parts = [T.indptr, T.indices, rounded(T.data), game.mdp.R, game.mdp.allowed, rounded(game.start)]
    return [*parts, *(len(found) for found in game.moves)], repr(game)


def exact_cases() -> Cases:
    """Small games solved, players valued, finite MDPs."""
    for name, rules in TINY.items():
        yield f"solve {name}", partial(solved, rules)
        for who in ("dn", "tetrisbot", "filter-heights"):
            yield f"exact_value {name}: {who}", partial(exactly_valued, tc.PLAYERS[who], rules)
    yield "solve 4x4: best player", optimal_games
    worlds = {"pile": partial(tc.FiniteMDP.from_table, PILE, 0.9), "4x4": tetris_as_mdp}
    for name, make in worlds.items():
        for method in (tc.value_iteration, tc.policy_iteration):
            yield f"{method.__name__} {name}", partial(mdp_solved, make, method)
    yield "tetris_mdp", transitions


# --- statistics -----------------------------------------------------------------------------------


@cache
def scores_of(name: str, seed: int = 0) -> tc.Scores:
    """Games that are played to the end."""
    return tc.simulate(tc.PLAYERS[name], tc.Rules(10, 8), 150, seed, threads=1, progress=False)


def compared(a: str, b: str) -> Result:
    """Two players on common pieces."""
    first, *rest = [value for value in astuple(tc.compare(scores_of(a), scores_of(b))) if not isinstance(value, str)]
    return [first, *(rounded(float(value)) for value in rest)], str(tc.compare(scores_of(a), scores_of(b)))


def intervals(name: str) -> Result:
    """Every interval of the mean, the fit, and two results merged."""
    scores = scores_of(name).merge(scores_of(name, 1))
    ways = [(confidence, of, how) for confidence in (0.5, 0.95) for of in ("lines", "points", "pieces")
            for how in ("exact", "relative", "normal")]  # fmt: skip
    parts = [rounded(scores.interval(*way)) for way in ways]
    return [*parts, rounded(astuple(scores.fit())), scores.heights, str(scores)], str(scores)


def extrapolated(name: str) -> Result:
    """The length of games from the heights of the pile."""
    found = tc.extrapolate(scores_of(name).heights, 8)
    return [rounded(float(value)) for value in astuple(found)], str(found)


def mean_of_runs() -> Result:
    """The mean of the vectors of players."""
    vectors = [tc.PLAYERS[f"tetrisbot-{number}"].weights for number in range(1, 7)]
    found = tc.mean_vector(vectors)
    return [rounded(found)], np.array2string(found, precision=6)


def statistics_cases() -> Cases:
    """Comparisons, intervals, extrapolations."""
    for a, b in (("dellacherie", "tetrisbot"), ("tetrisbot", "filter-heights"), ("el-tetris", "dellacherie")):
        yield f"compare {a}, {b}", partial(compared, a, b)
    for name in ("tetrisbot", "filter-bumpiness"):
        yield f"interval {name}", partial(intervals, name)
        yield f"extrapolate {name}", partial(extrapolated, name)
    yield "mean_vector", mean_of_runs


# --- all of them ----------------------------------------------------------------------------------

KINDS = (
    catalogue_cases, simulations, other_simulations, plain_games, feature_cases, engine_cases, optimizer_cases,
    learner_cases, exact_cases, statistics_cases,
)  # fmt: skip
CASES = {key: case for kind in KINDS for key, case in kind()}


def outcome(key: str) -> dict[str, str]:
    """Digest and summary of a result, as they are stored."""
    parts, summary = CASES[key]()
    return {"digest": digest(parts), "summary": summary}


@pytest.mark.parametrize("key", CASES)
def test_result_is_the_one_that_is_stored(key):
    assert outcome(key) == STORED[key]


def test_every_stored_result_is_tested():
    assert [*STORED] == [*CASES]


def store(everything: bool) -> None:
    """Compute the results that are missing, or all, and write the data, one line each."""
    found = {key: outcome(key) if everything or key not in STORED else STORED[key] for key in CASES}
    lines = [f"  {json.dumps(key)}: {json.dumps(one, ensure_ascii=False)}" for key, one in found.items()]
    DATA.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    store("--all" in sys.argv)
