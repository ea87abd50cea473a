"""Small Tetris: the fast solver against plain Python, simulation and the published figures."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array, eye_array
from scipy.sparse.linalg import spsolve
from strategies import THOROUGH, any_rules, random_board

import tetriscourse as tc
from tetriscourse.cli import main
from tetriscourse.course.results import stored_table
from tetriscourse.game.moves import all_moves
from tetriscourse.game.rules import Draw, GameOver, LosingMoves, Rules
from tetriscourse.mdp.exact import boards as boards_module
from tetriscourse.mdp.exact.boards import check_size, conceivable, estimated_boards
from tetriscourse.mdp.exact.optimal_player import OptimalPlayer
from tetriscourse.mdp.finite.piece_chain import outcomes, piece_chain
from tetriscourse.mdp.finite.solving import policy_iteration
from tetriscourse.mdp.finite.tetris import tetris_mdp
from tetriscourse.players import Player
from tetriscourse.simulator.bitboards import ROOM, fits, mirrored
from tetriscourse.simulator.compiling import fast
from tetriscourse.simulator.encode import encode_rules
from tetriscourse.simulator.moves import FINE, NO_ROOM, can_enter, drop

FOUR = Rules(4, 4)
TINY = [
    (Rules(4, 4, probabilities={"S": 1, "Z": 1}), 1.0),
    (Rules(4, 4, probabilities={"S": 1, "Z": 2, "T": 1}), 1.0),
    (Rules(4, 4, probabilities={"S": 1, "Z": 1}, pieces_known=2), 1.0),
    (Rules(4, 4, probabilities={"S": 2, "Z": 1}, game_over=GameOver.OVERFLOW_AFTER_CLEARING), 1.0),
    (
        Rules(
            4, 4, probabilities={"S": 1, "Z": 1}, game_over=GameOver.OVERFLOW_AFTER_CLEARING, scoring="tetrisbot",
            losing_moves=LosingMoves.ALLOWED, entry="spawn",
        ),
        1.0,
    ),
    (Rules(4, 5, probabilities={"S": 1, "Z": 1}, game_over=GameOver.TOP_ROW), 1.0),
    (Rules(4, 4, probabilities={"I": 1, "O": 1}), 0.9),
    (Rules(4, 4, bag="domino", scoring="squares"), 0.8),
    (replace(tc.RULES["domino"], width=4, height=4), 0.9),
    (Rules(4, 5, draw=Draw.BAG, game_over=GameOver.TOP_ROW, bag="domino", pieces_known=2), 0.5),
    (Rules(5, 4, draw=Draw.BY_TURNS, probabilities={"S": 1, "Z": 1}), 1.0),
    (Rules(4, 4, draw=Draw.BY_TURNS, pieces_known=2), 0.9),
]  # fmt: skip


@fast
def landed(board, turn, column, rules):  # type: ignore[no-untyped-def]
    return drop(board, turn, column, rules)


@fast
def enters(board, piece, rules):  # type: ignore[no-untyped-def]
    return can_enter(board, piece, rules)


@fast
def image(board, rules):  # type: ignore[no-untyped-def]
    return mirrored(board, rules)


# --- boards as whole numbers ----------------------------------------------------------------------


@pytest.mark.slow
@given(any_rules(width=5, height=5), st.integers(0, 2**32))
@THOROUGH
def test_moves_on_bits_are_the_moves_of_the_readable_game(rules: Rules, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rules = replace(rules, width=int(rng.integers(4, 7)), height=int(rng.integers(4, 7)))
    assert fits(rules)
    encoded = encode_rules(rules)
    for _ in range(10):
        board = random_board(rules, rng)
        bits = board.bits
        for p, piece in enumerate(rules.pieces):
            wanted = {
                (move.orientation, move.column): (move.after.text(), move.rows, move.loses)
                for move in all_moves(board, piece, rules)
            }
            assert bool(wanted) == bool(enters(bits, p, encoded)) or not wanted
            found = {}
            first = sum(len(one.orientations) for one in rules.pieces[:p])
            for turn, shape in enumerate(piece.orientations):
                for column in range(rules.width - shape.width + 1):
                    after, rows, fate = landed(bits, first + turn, column, encoded)
                    if fate != NO_ROOM and enters(bits, p, encoded):
                        found[turn, column] = (after, rows, fate != FINE)
            assert found.keys() == wanted.keys()
            for place, (after, rows, loses) in found.items():
                text, wanted_rows, wanted_loses = wanted[place]
                assert (rows, loses) == (wanted_rows, wanted_loses)
                if not loses:
                    assert tc.Board.from_bits(after, rules.width, rules.height).text() == text


def test_a_mirror_turns_columns_round_and_twice_is_nothing() -> None:
    rules = Rules(5, 5)
    encoded = encode_rules(rules)
    rng = np.random.default_rng(1)
    assert encoded["column_mask"] == sum(1 << 5 * row for row in range(5 + ROOM))
    for _ in range(50):
        board = random_board(rules, rng)
        seen = image(board.bits, encoded)
        assert tc.Board.from_bits(seen, 5, 5).text() == "\n".join(row[::-1] for row in board.text().splitlines())
        assert image(seen, encoded) == board.bits


# --- what is known of the next pieces -------------------------------------------------------------


@pytest.mark.parametrize("draw", Draw)
@pytest.mark.parametrize("known", [1, 2])
def test_a_memory_is_a_markov_chain_whose_pieces_come_as_often_as_they_are_drawn(draw: Draw, known: int) -> None:
    memory = piece_chain(Rules(4, 4, draw=draw, pieces_known=known))
    chain = np.zeros((len(memory), len(memory)))
    for m in range(len(memory)):
        part = slice(memory.edges[m], memory.edges[m + 1])
        assert memory.probabilities[part].sum() == pytest.approx(1)
        np.add.at(chain[m], memory.following[part], memory.probabilities[part])
    assert memory.start.sum() == pytest.approx(1)
    assert (
        len(memory)
        == {
            (Draw.INDEPENDENT, 1): 1, (Draw.INDEPENDENT, 2): 7, (Draw.BAG, 1): 127, (Draw.BAG, 2): 448,
            (Draw.BY_TURNS, 1): 7, (Draw.BY_TURNS, 2): 7,
        }[draw, known]
    )  # fmt: skip
    where, often = memory.start, np.zeros(7)
    for _ in range(7):
        for m in range(len(memory)):
            for k in range(memory.edges[m], memory.edges[m + 1]):
                often[memory.choices[memory.chosen[k]][0]] += where[m] * memory.probabilities[k]
        where = where @ chain
    assert often == pytest.approx(np.ones(7))


def test_with_a_bag_no_piece_comes_twice_before_all_have_come() -> None:
    rules = Rules(4, 4, draw=Draw.BAG)
    key, seen = (None, frozenset()), []
    for _ in range(7):
        _, piece, _, key = next(iter(outcomes(rules, key)))
        seen.append(piece)
    assert sorted(seen) == list(range(7))


# --- the solver -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "gamma"), TINY, ids=lambda value: str(value))
def test_the_solver_finds_what_policy_iteration_finds_in_plain_python(rules: Rules, gamma: float) -> None:
    plain, solved = tetris_mdp(rules, gamma), tc.solve(rules, gamma=gamma, tolerance=1e-9)
    exact = policy_iteration(plain.mdp)
    assert solved.start == pytest.approx(plain.value(exact.V), abs=2e-9)
    if rules.draw is not Draw.BY_TURNS:  # for which boards are listed as if the pieces came in any order
        assert solved.boards.total == len({board for board, *_ in plain.states})
    values = dict(zip(plain.states, exact.V[1:], strict=True))
    key_value: dict[object, float] = {}
    for board, *_ in list(plain.states)[:200]:
        for m, key in enumerate(piece_chain(rules).keys):
            states = [(p, (board, piece, seen, after)) for p, piece, seen, after in outcomes(rules, key)]
            if all(state in values for _, state in states):
                key_value[board, key] = sum(p * values[state] for p, state in states)
                found = solved.table[solved.boards.place(board.bits), m]
                assert found == pytest.approx(key_value[board, key], abs=2e-9)
    assert key_value


def test_mirror_images_are_worth_the_same_and_folding_them_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    folded = tc.solve(FOUR, tolerance=1e-9)
    monkeypatch.setattr(boards_module, "is_symmetric", lambda rules: False)
    whole = tc.solve(FOUR, tolerance=1e-9)
    assert len(whole.boards) > 1.9 * len(folded.boards)
    assert whole.boards.total == folded.boards.total == 2582
    rng = np.random.default_rng(2)
    for bits in rng.choice(whole.boards.boards, 100):
        board = tc.Board.from_bits(int(bits), 4, 4)
        assert folded.value(board) == pytest.approx(whole.value(board), abs=2e-9)


@pytest.mark.parametrize("uneven", [{"S": 2, "Z": 1}, {"J": 1, "O": 1, "S": 1, "Z": 1}])
def test_games_that_look_different_in_a_mirror_are_not_folded(uneven: dict[str, float]) -> None:
    assert not boards_module.is_symmetric(Rules(4, 4, probabilities=uneven))
    assert boards_module.is_symmetric(FOUR)
    assert not boards_module.is_symmetric(replace(FOUR, entry="spawn"))


def test_the_bound_bounds() -> None:
    exact = tc.solve(FOUR, tolerance=1e-10)
    for tolerance in (1.0, 0.1, 1e-3):
        rough = tc.solve(FOUR, tolerance=tolerance)
        error = abs(rough.table - exact.table).max()
        assert error <= rough.bound + exact.bound <= tolerance + 1e-9
    rough, exact = (tc.solve(FOUR, gamma=0.9, tolerance=one) for one in (0.1, 1e-10))
    assert 0 < abs(rough.table - exact.table).max() <= rough.bound + exact.bound


@pytest.mark.slow
def test_five_by_five_has_the_value_that_was_computed_independently() -> None:
    # Its milder sister, with 14.6 million boards and a minute of work, is left to tests/benchmarks/exact_figures.py.
    value, boards = 13.7016, 6_437_226
    solved = tc.solve(Rules(5, 5))
    assert round(solved.start, 4) == value
    assert solved.boards.total == boards
    assert solved.bound < 1e-6
    assert f" | {boards:,} | {value:.4f} | " in str(stored_table("best-possible"))
    scores = tc.simulate(solved.player(), solved.rules, games=20_000, seed=5)
    low, high = scores.interval(0.999, method="normal")
    assert low < solved.start < high


def test_a_game_that_can_go_on_for_ever_has_a_value_only_with_discount() -> None:
    domino = replace(tc.RULES["domino"], width=4, height=4)
    with pytest.raises(tc.InputError, match=r"from 2,659 of 2,735 boards .* gamma below 1"):
        tc.solve(domino)
    assert tc.solve(domino, gamma=0.9).start > 0


def test_who_leaves_it_to_chance_does_not_play_for_ever() -> None:
    rules = Rules(4, 4, probabilities={"I": 1, "O": 1})
    careless = tc.Filter(["lines"])
    with pytest.raises(tc.InputError, match="can go on for ever"):
        tc.solve(rules)
    scores = tc.simulate(careless, rules, games=10_000, seed=4)
    low, high = scores.interval(0.999, method="normal")
    assert low < tc.exact_value(careless, rules).start < high
    with pytest.raises(tc.InputError, match="can go on for ever"):
        tc.exact_value(tc.solve(rules, gamma=0.9).player(), rules)


# --- the optimal player ---------------------------------------------------------------------------

VARIANTS = [
    FOUR,
    replace(FOUR, pieces_known=2),
    replace(FOUR, draw=Draw.BAG),
    replace(FOUR, draw=Draw.BAG, pieces_known=2, height=5, game_over=GameOver.TOP_ROW),
    replace(FOUR, game_over=GameOver.OVERFLOW_AFTER_CLEARING, losing_moves=LosingMoves.ALLOWED, scoring="squares"),
    replace(FOUR, entry="spawn", bag="rapid", probabilities={"S": 3, "Z": 3, "T": 1}),
]


@pytest.mark.slow
@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_the_optimal_player_earns_what_its_value_says(rules: Rules) -> None:
    solved = tc.solve(rules)
    scores = tc.simulate(solved.player(), rules, games=40_000, seed=3)
    low, high = scores.interval(0.999, of="points", method="normal")
    assert low < solved.start < high


@pytest.mark.slow
@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_its_fast_games_are_those_that_it_plays_in_plain_python(rules: Rules) -> None:
    player = tc.solve(rules).player()
    scores = tc.simulate(player, rules, games=12, seed=8)
    plain = [tc.play_game(player, rules, seed=8, number=number) for number in range(12)]
    assert scores.lines.tolist() == [game.lines for game in plain]
    assert scores.pieces.tolist() == [game.pieces for game in plain]
    assert scores.points.tolist() == [game.points for game in plain]
    assert scores.finished.all()


@pytest.mark.parametrize("known", [1, 2])
def test_by_turns_nothing_is_left_to_chance_and_the_best_game_is_its_value(known: int) -> None:
    rules = Rules(4, 4, draw=Draw.BY_TURNS, probabilities={"O": 1, "Z": 1, "J": 1}, pieces_known=known)
    solved = tc.solve(rules)
    assert {*tc.simulate(solved.player(), rules, games=3).lines} == {round(solved.start)}
    assert tc.play_game(solved.player(), rules).lines == solved.start == pytest.approx(round(solved.start))
    if known == 1:
        (lines,) = {*tc.simulate(tc.PLAYERS["dn"], rules, games=3).lines}
        assert tc.exact_value(tc.PLAYERS["dn"], rules).start == lines <= solved.start


def test_it_stops_at_the_piece_limit_and_the_piece_limit_alone_may_differ() -> None:
    player = tc.solve(FOUR).player()
    scores = tc.simulate(player, replace(FOUR, max_pieces=3), games=50)
    assert scores.pieces.max() == 3
    with pytest.raises(tc.InputError, match="solved for 4x4"):
        tc.simulate(player, Rules(4, 5))
    with pytest.raises(tc.InputError, match="they must agree"):
        player.choose(FOUR.empty_board(), tc.PIECES["T"], rules=replace(FOUR, scoring="squares"))


def test_no_linear_player_is_better_on_any_board() -> None:
    solved = tc.solve(FOUR)
    for name in ("dellacherie", "dn", "tetrisbot", "filter-bumpiness"):
        player = tc.exact_value(tc.PLAYERS[name], FOUR)
        for bits in player.boards.boards:
            board = tc.Board.from_bits(int(bits), 4, 4)
            assert player.value(board) <= solved.value(board) + 2e-6
        assert player.start < solved.start - 1


def test_regret_is_what_a_move_costs() -> None:
    solved = tc.solve(FOUR)
    board = tc.Board.from_text("X...\nX.XX", height=4)
    for piece in FOUR.pieces:
        ranked = solved.ranked(board, piece)
        assert [solved.regret(move) for move, _ in ranked] == sorted(solved.regret(move) for move, _ in ranked)
        assert not ranked or solved.regret(ranked[0][0]) == 0
    mean = np.mean([max((worth for _, worth in solved.ranked(board, piece)), default=0) for piece in FOUR.pieces])
    assert mean == pytest.approx(solved.value(board), abs=1e-6)


@pytest.mark.slow
def test_the_regrets_of_a_game_add_up_to_what_its_player_lacks() -> None:
    solved, player = tc.solve(FOUR), tc.PLAYERS["dellacherie"]
    totals = []
    for number in range(400):
        game = tc.play_game(player, FOUR, seed=4, number=number)
        totals.append(sum(solved.regret(move) for move in game.moves))
    lack = solved.start - tc.exact_value(player, FOUR).start
    assert np.mean(totals) == pytest.approx(lack, abs=4 * np.std(totals) / 20)


def test_it_plays_in_the_engine() -> None:
    rules = replace(FOUR, entry="spawn")
    solved = tc.solve(rules)
    engine = tc.Engine(solved.player().agent(), rules, seed=2)
    engine.run()
    game = tc.play_game(solved.player(), rules, seed=2)
    assert (engine.total_lines, engine.blocks_played) >= (game.lines, game.pieces)
    with pytest.raises(tc.InputError, match="solved for 4x4"):
        tc.Engine(solved.player().agent(), Rules(4, 6)).run()
    with pytest.raises(tc.InputError, match="they must agree"):
        tc.Engine(solved.player().agent(), replace(rules, draw=Draw.BAG)).run()
    assert repr(solved.player().agent()).startswith("OptimalAgent(OptimalPlayer(Solution(4x4, entry spawn: ")


# --- the exact value of a player ------------------------------------------------------------------


def by_linear_solve(player: Player, rules: Rules) -> float:
    """The value of a deterministic player by scipy, from the readable game."""
    boards, waiting, rewards = {rules.empty_board(): 0}, [rules.empty_board()], []
    entries: list[tuple[int, int, float]] = []
    weights = np.array(rules.probabilities or [1.0] * len(rules.pieces))
    weights /= weights.sum()
    while len(rewards) < len(waiting):
        s, board, reward = len(rewards), waiting[len(rewards)], 0.0
        for piece, weight in zip(rules.pieces, weights, strict=True):
            move = player.choose(board, piece, rules=rules) if weight else None
            if move is None:
                continue
            reward += rules.points(move.rows) * weight
            if not move.loses:
                if move.after not in boards:
                    boards[move.after] = len(boards)
                    waiting.append(move.after)
                entries.append((s, boards[move.after], weight))
        rewards.append(reward)
    rows, columns, shares = zip(*entries, strict=True)
    n = len(rewards)
    chain = csr_array((shares, (rows, columns)), shape=(n, n))
    return float(spsolve((eye_array(n) - chain).tocsc(), np.array(rewards))[0])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dellacherie", "dn", "tetrisbot"])
@pytest.mark.parametrize(
    "rules", [Rules(4, 4, probabilities={"S": 1, "Z": 1, "T": 1}), replace(FOUR, scoring="tetrisbot")], ids=str
)
def test_a_players_value_solves_its_linear_equations(name: str, rules: Rules) -> None:
    player = tc.PLAYERS[name]
    assert isinstance(player, Player)
    assert tc.exact_value(player, rules, tolerance=1e-9).start == pytest.approx(
        by_linear_solve(player, rules), abs=2e-9
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dellacherie", "filter-bumpiness"])
@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_a_players_value_is_its_mean(name: str, rules: Rules) -> None:
    value = tc.exact_value(tc.PLAYERS[name], rules)
    scores = tc.simulate(tc.PLAYERS[name], rules, games=40_000, seed=6)
    low, high = scores.interval(0.999, of="points", method="normal")
    assert low < value.start < high


@pytest.mark.slow
def test_five_by_five_players_have_the_value_that_they_play() -> None:
    rules = Rules(5, 5)
    for name, measured in (("dn", 10.85), ("dellacherie", 10.93)):
        value = tc.exact_value(tc.PLAYERS[name], rules)
        scores = tc.simulate(tc.PLAYERS[name], rules, games=50_000, seed=1)
        low, high = scores.interval(0.999, method="normal")
        assert low < value.start < high
        assert value.start == pytest.approx(measured, rel=0.01)  # 200,000 games of MDPTetris
        assert f"| {name} | 5x5 | {value.start:.4f} |" in str(stored_table("exact-players"))


def test_any_player_has_a_value_in_plain_python_too() -> None:
    class Asked:
        """A player that the simulator does not know."""

        choose = tc.PLAYERS["dn"].choose

    rules = Rules(4, 4, probabilities={"S": 1, "Z": 1, "O": 1})
    assert tc.exact_value(Asked(), rules).start == pytest.approx(
        tc.exact_value(tc.PLAYERS["dn"], rules).start, abs=2e-6
    )
    optimal = tc.exact_value(tc.solve(rules).player(), rules)
    assert optimal.start == pytest.approx(tc.solve(rules).start, abs=2e-6)


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("game_over", GameOver)
@pytest.mark.parametrize(("width", "height"), [(4, 4), (4, 5), (5, 4)])
def test_the_number_of_boards_is_known_beforehand_within_a_quarter(
    width: int, height: int, game_over: GameOver
) -> None:
    rules = Rules(width, height, game_over=game_over)
    found = tc.solve(rules, tolerance=1.0).boards.total
    assert found < conceivable(rules)
    if game_over is not GameOver.TOP_ROW or height > 4:
        assert found == pytest.approx(estimated_boards(rules), rel=0.25)


def test_a_board_too_large_is_refused_at_once() -> None:
    with pytest.raises(
        tc.InputError, match=r"rules is '10x20'; there are about 2 x 10\^59 boards, .* GB, and 2 GB are"
    ):
        tc.solve(Rules())
    with pytest.raises(tc.InputError, match=r"about 7,505,080,313 boards, which need about [\d,.]+ GB"):
        tc.exact_value(tc.PLAYERS["dn"], Rules(6, 6))
    with pytest.raises(tc.InputError, match=r"need about 0\.\d+ GB, and 0.1 GB are allowed"):
        tc.solve(Rules(5, 5), gigabytes=0.1)
    check_size(Rules(4, 7), 2.0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"gamma": 0}, "gamma is 0; it must be a number above 0 and at most 1"),
        ({"gamma": 1.5}, "gamma is 1.5"),
        ({"tolerance": 0}, "tolerance is 0; it must be a number at least 1e-10"),
        ({"gigabytes": -1}, "gigabytes is -1"),
        ({"rules": "5x"}, "rules is '5x'; did you mean '5x5'"),
        ({"rules": 5}, "rules is 5; it must be a Rules or a name"),
        ({"rules": Rules(4, 4, max_pieces=9)}, "max_pieces is 9; it must be 0"),
    ],
)
def test_bad_input_is_named(changes: dict[str, object], message: str) -> None:
    with pytest.raises(tc.InputError, match=message):
        tc.solve(**({"rules": FOUR} | changes))  # type: ignore[arg-type]
    with pytest.raises(tc.InputError, match=message):
        tc.exact_value(tc.PLAYERS["dn"], **({"rules": FOUR} | changes))  # type: ignore[arg-type]


def test_strange_boards_and_players_are_refused() -> None:
    solved = tc.solve(FOUR)
    with pytest.raises(tc.InputError, match="board is 5x5; these values are for 4x4"):
        solved.value(tc.Board.empty(5, 5))
    with pytest.raises(tc.InputError, match="cannot be reached"):
        solved.value(tc.Board.from_text("X...\n....", height=4))
    with pytest.raises(tc.InputError, match="hand is T and left is None; with 4x4 that is never known"):
        solved.value(FOUR.empty_board(), hand=tc.PIECES["T"])
    with pytest.raises(tc.InputError, match="player is 'dnn'; did you mean 'dn'"):
        tc.exact_value("dnn", FOUR)
    two = tc.solve(Rules(4, 4, probabilities={"S": 1, "Z": 1}, pieces_known=2))
    with pytest.raises(tc.InputError, match="next_piece is None"):
        two.ranked(FOUR.empty_board(), tc.PIECES["S"])


# --- files and the command ------------------------------------------------------------------------


def test_a_solution_can_be_kept(tmp_path: Path) -> None:
    solved, file = tc.solve(replace(FOUR, draw=Draw.BAG)), tmp_path / "four.npz"
    solved.save(file)
    again = tc.Solution.load(file)
    assert repr(again) == repr(solved)
    assert again.rules == solved.rules
    assert np.array_equal(again.table, solved.table)
    assert tc.simulate(again.player(), again.rules, games=5).lines.tolist() == (
        tc.simulate(solved.player(), solved.rules, games=5).lines.tolist()
    )
    file.write_bytes(file.read_bytes()[:-9] + b"x" * 9)
    with pytest.raises(tc.InputError, match="damaged"):
        tc.Solution.load(file)
    tc.train(tc.CMAES(2, iterations=1), lambda x: 0.0, checkpoint=tmp_path / "run.npz")
    with pytest.raises(tc.InputError, match="holds no solution"):
        tc.Solution.load(tmp_path / "run.npz")
    with pytest.raises(tc.InputError, match="path is 5; it must be the name of a file"):
        tc.Solution.load(5)  # type: ignore[arg-type]


def test_what_is_printed_of_a_solution() -> None:
    solved = tc.solve(FOUR)
    assert repr(solved).startswith("Solution(4x4: 7.0669 lines, 2,582 boards, error below ")
    assert repr(solved.player()) == f"OptimalPlayer({solved!r})"
    assert isinstance(solved.player(), OptimalPlayer)
    discounted = tc.solve(replace(FOUR, scoring="squares"), gamma=0.5)
    assert ", gamma 0.5: " in repr(discounted)
    assert " points, " in repr(discounted)


def test_the_command_solves_and_judges_players(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "four.npz"
    words = ["solve", "--width", "4", "--height", "4", "--player", "dellacherie", "--save", str(file)]
    assert main(words) == 0
    text = capsys.readouterr().out
    assert "value        7.066942 lines a game" in text
    assert "2,582 can be reached" in text
    assert any(line.split()[:3] == ["dellacherie", "5.538754", "78.4%"] for line in text.splitlines())
    assert tc.Solution.load(file).rules == FOUR
    assert main([*words[:5], "--json", "--player", "dn"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["value"] == pytest.approx(7.0669425, abs=1e-6)
    assert (found["boards"], found["bound"] < 1e-6, found["sweeps"] > 0, found["seconds"] > 0) == (
        2582,
        True,
        True,
        True,
    )
    assert found["players"]["dn"]["value"] == pytest.approx(5.430372, abs=1e-6)


def test_a_kept_solution_plays_in_commands(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "four.npz"
    tc.solve(FOUR).save(file)
    size = ["--width", "4", "--height", "4"]
    assert main(["simulate", "--player", str(file), *size, "--games", "50", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["player"] == "optimal"
    assert main(["simulate", "--player", str(tmp_path / "none.npz"), *size]) == 2
    assert "cannot be read" in capsys.readouterr().err
    tc.train(tc.CMAES(2, iterations=1), lambda x: 0.0, checkpoint=tmp_path / "run.npz")
    assert main(["simulate", "--player", str(tmp_path / "run.npz"), *size]) == 2
    assert "the file holds a run, and no player" in capsys.readouterr().err


def test_the_command_refuses_what_it_cannot_do(capsys: pytest.CaptureFixture[str]) -> None:
    for words, message in (
        (["solve"], "rules is '10x20'; there are about 2 x 10^59 boards"),
        (["solve", "--rules", "3x4"], "--rules is '3x4'; a board has 4 to 16 columns"),
        (["solve", "--width", "4", "--height", "4", "--player", "del"], "did you mean 'dellacherie'?"),
        (["solve", "--width", "4", "--height", "4", "--gamma", "2"], "gamma is 2"),
        (["solve", "--width", "4", "--height", "4", "--memory", "0"], "--memory is 0.0; it must be a number above 0"),
        (["solve", "--width", "4", "--height", "4", "--save", "/no/x"], "--save is '/no/x'; it must be a new file"),
        (["solve", "--rules", "domino", "--width", "4", "--height", "4"], "gamma below 1"),
        (["simulate", "--player", "optimal"], "rules is '10x20'; there are about"),
        (["play", "--agent", "optimal"], "boards, which need about"),
    ):
        assert main(words) == 2
        assert message in capsys.readouterr().err


def test_the_optimal_player_can_be_named_in_commands(capsys: pytest.CaptureFixture[str]) -> None:
    size = ["--width", "4", "--height", "4"]
    assert main(["simulate", "--player", "optimal", *size, "--games", "2000", "--max-pieces", "0", "--quiet"]) == 0
    assert "optimal" in capsys.readouterr().out
    assert main(["play", "--agent", "optimal", "--rules", "5x5", *size]) == 0
    assert "agent optimal, seed 0" in capsys.readouterr().out
    assert main(["play", "--list"]) == 0
    assert "best possible move" in capsys.readouterr().out


def test_with_a_bag_what_is_left_decides() -> None:
    rules = replace(FOUR, draw=Draw.BAG)
    solved, empty = tc.solve(rules), rules.empty_board()
    assert solved.value(empty) == solved.value(empty, left=rules.pieces) == solved.value(empty, left=[])
    assert solved.value(empty) == solved.start
    s, z = tc.PIECES["S"], tc.PIECES["Z"]
    either = [solved.ranked(empty, s, left=[z])[0][1], solved.ranked(empty, z, left=[s])[0][1]]
    assert solved.value(empty, left=[s, z]) == pytest.approx(np.mean(either), abs=1e-6) != solved.start
    best = [solved.ranked(empty, piece)[0][1] for piece in rules.pieces]
    assert np.mean(best) == pytest.approx(solved.start, abs=1e-6)
    with pytest.raises(tc.InputError, match="chance is None; with a bag"):
        tc.exact_value(solved.player(), rules)
    for left in (3, tc.PIECES["S"]):
        with pytest.raises(tc.InputError, match=r"left is .*; it must be a list of pieces"):
            solved.value(empty, left=left)  # type: ignore[arg-type]
    with pytest.raises(tc.InputError, match="piece is 'U'"):
        solved.value(empty, left=["U"])  # type: ignore[list-item]


@pytest.mark.slow
def test_with_a_bag_and_two_pieces_the_best_first_moves_are_worth_the_game() -> None:
    rules = replace(FOUR, draw=Draw.BAG, pieces_known=2)
    solved, empty = tc.solve(rules), rules.empty_board()
    pairs = [(one, two) for one in rules.pieces for two in rules.pieces if one != two]
    best = [solved.ranked(empty, *pair)[0][1] for pair in pairs]
    assert np.mean(best) == pytest.approx(solved.start, abs=1e-6)
    one, two = pairs[0]
    assert solved.worth(solved.ranked(empty, one, one)[0][0], one) > 0  # the second one opens the next bag
    with pytest.raises(tc.InputError, match="chance is None"):
        solved.player().choose(empty, one, two)


def test_a_players_moves_are_checked() -> None:
    class Wrong:
        """Always moves the same piece."""

        def choose(self, board: tc.Board, piece: tc.Piece, *_: object) -> object:
            return tc.moves(board, tc.PIECES["I"])[0]

    with pytest.raises(tc.InputError, match=r"player chose Move.I .* for O; it must be one of moves"):
        tc.exact_value(Wrong(), FOUR)  # type: ignore[arg-type]
    with pytest.raises(tc.InputError, match="it never comes"):
        tc.solve(Rules(4, 4, probabilities={"S": 1, "Z": 1})).ranked(FOUR.empty_board(), tc.PIECES["T"])
    for wrong in ("value", "regret"):
        with pytest.raises(tc.InputError, match="is 'X'; it must be a"):
            getattr(tc.solve(FOUR), wrong)("X")


def test_the_states_of_the_readable_game_can_be_read() -> None:
    small = tetris_mdp(Rules(4, 4, probabilities={"S": 1, "Z": 1}))
    assert small.state(0) is None
    board, piece, seen, _ = small.state(1) or pytest.fail("a state")
    assert (board, seen) == (FOUR.empty_board(), None)
    assert small.moves[1] == tuple(tc.moves(board, FOUR.pieces[piece]))
    assert int(small.mdp.allowed[1].sum()) == len(small.moves[1])
    with pytest.raises(tc.InputError, match=r"mdp is TetrisMDP.*; it must be a FiniteMDP; it has one: .mdp"):
        policy_iteration(small)  # type: ignore[arg-type]
    with pytest.raises(tc.InputError, match="v has shape"):
        small.value([1, 2])  # type: ignore[arg-type]
    with pytest.raises(tc.InputError, match="without a limit on pieces"):
        tetris_mdp(Rules(4, 4, max_pieces=3))


def test_pieces_of_another_bag_are_named() -> None:
    solved = tc.solve(FOUR)
    rapid = tc.BAGS["rapid"][2]
    with pytest.raises(tc.InputError, match="piece is T, as another bag turns it; the rules have the research bag"):
        solved.ranked(FOUR.empty_board(), rapid)
    with pytest.raises(tc.InputError, match=r"piece is 'U' .allowed: I, O, T"):
        solved.ranked(FOUR.empty_board(), "U")  # type: ignore[arg-type]


def test_a_player_is_valued_from_boards_to_which_it_never_comes() -> None:
    own, everywhere = tc.exact_value("dn", FOUR), tc.exact_value("dn", FOUR, everywhere=True)
    solved = tc.solve(FOUR)
    assert everywhere.start == pytest.approx(own.start, abs=2e-6)
    assert everywhere.boards.total == solved.boards.total > own.boards.total
    elsewhere = next(
        board
        for board in (tc.Board.from_bits(int(bits), 4, 4) for bits in solved.boards.boards)
        if own.boards.place(board.bits) < 0 and solved.value(board) > 2
    )
    with pytest.raises(tc.InputError, match="cannot be reached"):
        own.value(elsewhere)
    after = [tc.PLAYERS["dn"].choose(elsewhere, piece, rules=FOUR) for piece in FOUR.pieces]
    backed_up = np.mean([everywhere.worth(move) if move else 0.0 for move in after])
    assert everywhere.value(elsewhere) == pytest.approx(backed_up, abs=2e-6)


def test_a_player_asked_in_plain_python_has_the_same_values_everywhere() -> None:
    class Asked:
        """DN, without the simulator."""

        def choose(self, board, piece, next_piece=None, rules=None, chance=None):  # type: ignore[no-untyped-def]
            """DN's move."""
            return tc.PLAYERS["dn"].choose(board, piece, next_piece, rules)

    fast, plain = (tc.exact_value(player, FOUR, everywhere=True) for player in ("dn", Asked()))
    for bits in fast.boards.boards.tolist():
        board = tc.Board.from_bits(bits, 4, 4)
        assert plain.value(board) == pytest.approx(fast.value(board), abs=2e-6)
