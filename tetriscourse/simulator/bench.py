"""bench: moves a second for each feature set, on one thread and on all, and how long starting takes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

from tetriscourse.errors import InputError
from tetriscourse.game.rules import RULES, Rules
from tetriscourse.looking_ahead import NEXT_PIECE, LookAhead
from tetriscourse.players import PLAYERS, Filter, Player
from tetriscourse.simulator.announcing import BACKGROUND
from tetriscourse.simulator.background import compiler
from tetriscourse.simulator.run import default_threads, simulate
from tetriscourse.simulator.search_speed import placements_per_second
from tetriscourse.statistics import Scores

ROUNDS = 7
BENCH_RULES = Rules(max_pieces=100_000)


OWN_GAME = replace(RULES["tetrisbot"], max_pieces=100_000)
SIX_CRITERIA = Filter(["holes", "bumpiness", "sum_heights", "landing_height", "wells", "lines"], "six criteria")

CHAMPION = [
    *(-0.204, 0.108, -0.173, -0.359, -0.102, -0.208, -0.106, -0.810, 0.089),  # RV-CE's nine
    *(-0.043, -0.045, 0.064, -0.027, 0.011, -0.019),  # homes
    *(-0.116, 0.084, -0.044, 0.049, 0.114, -0.039, -0.003, 0.1, 0.00525),
]  # learned by CMA-ES on 10x10

Case = tuple[Player | Filter, Rules]


def bench_cases() -> dict[str, Case]:
    """The players that are measured: one for each feature set; TetrisBot and filters in TetrisBot's own game."""
    cases: dict[str, Case] = {name: (player, BENCH_RULES) for name, player in bench_players().items()}
    for name in ("tetrisbot", "filter-heights", "filter-bumpiness"):
        cases[f"{name}, own game"] = PLAYERS[name], OWN_GAME
    return cases | {"filter of six, own game": (SIX_CRITERIA, OWN_GAME)}


def bench_players() -> dict[str, Player]:
    """One player for most feature sets; where none is published, a plausible one of our own."""
    found: dict[str, Player] = {}
    for name in ("dn", "dellacherie", "dt-20", "rv-ce", "tetrisbot"):
        player = PLAYERS[name]
        assert isinstance(player, Player)
        found[player.features.name] = player
    heights, steps = [-0.01] * 10, [-0.02] * 9
    found["bertsekas"] = Player("bertsekas", [*[0.0] * 10, *[-1.0] * 9, -1.0, -20.0], "bertsekas")
    found["bd"] = Player("bd", [*heights, *steps, -0.1, *found["dellacherie"].weights], "bd")
    found["bdn"] = Player("bdn", [*heights, *steps, -0.1, *found["dn"].weights], "bdn")
    found["champion"] = Player("champion", CHAMPION, "champion")
    return found


def measured(yardstick: str | None = None, seconds: float = 1.0) -> dict[str, Any]:
    """All measurements by name; with a yardstick, a C program, ratios to it from the same run."""
    if seconds <= 0:
        raise InputError(f"seconds is {seconds!r}; it must be positive")
    cases = bench_cases()
    with tempfile.TemporaryDirectory() as folder:
        program = build(yardstick, Path(folder)) if yardstick else None
        games = {name: games_for(case, seconds / ROUNDS) for name, case in cases.items()}
        rates: dict[str, list[float]] = {name: [] for name in cases}
        plain: list[float] = []
        for _ in range(ROUNDS):  # in turn, so that a slow moment of the machine affects all of them
            if program:
                plain.append(run_yardstick(program, seconds / ROUNDS))
            for name, case in cases.items():
                played(case, 1, 1)  # whoever comes right after another program is slow for a moment
                rates[name].append(played(case, games[name], 1).moves_per_second)
    threads = default_threads()
    report: dict[str, Any] = {
        "moves_per_second": {name: round(median(found)) for name, found in rates.items()},
        "threads": threads,
        "speed_up": round(speed_up(cases["dn"], games["dn"], threads), 2),
        "placements_per_second": {kind: round(looking_ahead(kind, seconds)) for kind in NEXT_PIECE},
        "first_start_seconds": round(start_seconds(fresh=True), 2),
        "start_seconds": round(min(start_seconds(fresh=False) for _ in range(3)), 2),
    }
    if plain:
        report["yardstick"] = round(median(plain))
        report["ratio"] = {
            name: round(median(ours / theirs for ours, theirs in zip(found, plain, strict=True)), 2)
            for name, found in rates.items()
        }
    return report


def played(case: Case, games: int, threads: int) -> Scores:
    """The games, unless Ctrl-C ended them: then nothing was measured."""
    scores = simulate(*case, games=games, seed=1, threads=threads, progress=False)
    if scores.interrupted:
        raise KeyboardInterrupt
    return scores


def games_for(case: Case, seconds: float) -> int:
    """How many games take about this long; waits until the player's own programs are compiled."""
    played(case, 1, 1)
    compiler.finish()
    scores = played(case, 2, 1)
    return max(2, round(seconds * scores.moves_per_second / max(1.0, scores.mean_of("pieces"))))


def looking_ahead(next_piece: str, seconds: float) -> float:
    """Placements a second that dn values when it looks ahead, on one core."""
    return placements_per_second(LookAhead("dn", next_piece), seconds)


def speed_up(case: Case, games: int, threads: int) -> float:
    """How many times faster all threads play the same games than one."""

    def elapsed(count: int) -> float:
        start = time.perf_counter()
        played(case, 8 * threads * games, count)
        return time.perf_counter() - start

    return median(elapsed(1) / elapsed(threads) for _ in range(3))


def start_seconds(fresh: bool) -> float:
    """Seconds for a short simulation from the command line; fresh: compiling everything."""
    command = [sys.executable, "-m", "tetriscourse.cli", "simulate", "--player=dn", "--height=10", "--games=10"]
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | ({"NUMBA_CACHE_DIR": folder, BACKGROUND: "0"} if fresh else {})
        start = time.perf_counter()
        subprocess.run(command, env=environment, check=True, capture_output=True)
        return time.perf_counter() - start


def build(source: str, folder: Path) -> Path:
    """Compile the yardstick."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not Path(source).is_file():
        raise InputError(f"yardstick is '{source}'; it must be a C file")
    if compiler is None:
        raise InputError("yardstick needs a C compiler; none was found as cc or gcc")
    program = folder / "yardstick"
    ran = subprocess.run([compiler, "-O3", "-march=native", source, "-o", str(program)], capture_output=True)
    if ran.returncode:
        raise InputError(f"yardstick is '{source}'; it must be a C program, and the compiler refused it")
    return program


def run_yardstick(program: Path, seconds: float) -> float:
    """Its moves a second."""
    moves = max(20_000, round(500_000 * seconds))
    output = subprocess.run([program, "20", str(moves)], check=True, capture_output=True, text=True).stdout
    return float(output.split()[2])
