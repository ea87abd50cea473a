"""Tetris as an environment: what is seen, what can be done, what it brings, when it ends."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import THOROUGH, any_rules, random_board

import tetriscourse as tc
from tetriscourse.errors import InputError
from tetriscourse.game.board import Board
from tetriscourse.game.engine import Engine
from tetriscourse.game.moves import moves
from tetriscourse.game.random import Chance
from tetriscourse.game.rules import PieceSequence
from tetriscourse.mdp.environment import ACTIONS, COMMAND_ACTIONS, TetrisEnv
from tetriscourse.mdp.states import STATES, command_state, differences, placement_state, rounded, state_bits

DOMINO = tc.RULES["domino"]
SQUARE = tc.PIECES["O"]


def small(rules, **changes):
    """The rules on another board."""
    return tc.Rules(**{name: getattr(rules, name) for name in rules.__dataclass_fields__} | changes)


def played(env, seed=0, steps=200):
    """An episode with random actions: each observation, action, reward, both endings and the info."""
    chance, (s, info) = Chance(seed), env.reset(seed)
    for _ in range(steps):
        a = chance.pick(np.flatnonzero(info["allowed"]).tolist())
        s2, *rest, info = env.step(a)
        yield s, a, s2, *rest, info
        s = s2
        if not env.is_running:
            return


# --- Gymnasium's conventions ----------------------------------------------------------------------


@pytest.mark.parametrize("actions", ACTIONS)
@pytest.mark.parametrize("state", STATES)
def test_reset_and_step_return_what_gymnasium_returns(actions, state):
    env = TetrisEnv(DOMINO, actions, state)
    observation, info = env.reset(seed=3)
    assert type(observation) is int
    assert info["allowed"].shape == (env.action_count,) == (len(env.action_names),)
    observation, reward, terminated, truncated, info = env.step(int(np.flatnonzero(info["allowed"])[0]))
    assert [type(one) for one in (observation, reward, terminated, truncated)] == [int, float, bool, bool]
    assert set(info) == {"allowed", "pieces", "lines"}


def test_the_docstring_has_gymnasiums_headings():
    lines = [line.strip() for line in TetrisEnv.__doc__.splitlines()]
    headings = ["Description", "Actions", "Observations", "Reward", "Episode end", "References"]
    assert [line for line in lines if line in headings] == headings


def test_episodes_follow_one_another_and_a_seed_begins_anew():
    env = TetrisEnv(tc.Rules(6, 8), "placements")
    env.reset(seed=5)
    assert (env.seed, env.episode) == (5, 0)
    env.reset()
    assert (env.seed, env.episode) == (5, 1)
    env.reset(options={"episode": 7})
    assert env.episode == 7
    env.reset(seed=5)
    assert env.episode == 0


def test_nothing_can_be_done_before_the_first_reset_or_after_the_end():
    env = TetrisEnv(DOMINO, "placements", max_pieces=1)
    with pytest.raises(InputError, match=r"call reset\(\) first"):
        env.step(0)
    env.reset()
    env.step(0)
    with pytest.raises(InputError, match="the episode is over"):
        env.step(0)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"actions": "command"}, "did you mean 'commands'"),
        ({"state": "heights"}, "allowed: grid, rounded, differences"),
        ({"max_pieces": -1}, "max_pieces is -1"),
        ({"rules": "dominos"}, "rules is 'dominos'; did you mean 'domino'"),
    ],
)
def test_bad_arguments_are_named(wrong, message):
    with pytest.raises(InputError, match=message):
        TetrisEnv(**wrong)


def test_bad_actions_and_options_are_named():
    env = TetrisEnv(DOMINO)
    with pytest.raises(InputError, match="episode"):
        env.reset(options={"episodes": 3})
    with pytest.raises(InputError, match="options is 3; it must be a dict"):
        env.reset(options=3)
    with pytest.raises(InputError, match=r"options\['board'\] is 'x'; it must be a Board"):
        env.reset(options={"board": "x"})
    env.reset()
    for action in (6, -1, "L", 1.5):
        with pytest.raises(InputError, match="action is"):
            env.step(action)


# --- what is seen ---------------------------------------------------------------------------------


def drawn(engine):
    """The grid with the falling piece, cell by cell."""
    cells = {(r, c) for r, row in enumerate(engine.board.cells) for c, cell in enumerate(row) if cell}
    return cells | set(engine.cells)


def test_the_grid_has_one_bit_a_cell_with_row_0_at_the_bottom():
    env = TetrisEnv(DOMINO, max_pieces=30)
    for *_, info in played(env, seed=2):
        engine, s = env.game.engine, env.observation()
        width, rows = DOMINO.width, DOMINO.height + 2
        decoded = {(bit // width, bit % width) for bit in range(rows * width) if s >> bit & 1}
        assert decoded == {cell for cell in drawn(engine) if cell[0] < rows}
        assert info["pieces"] == engine.blocks_played


def test_the_grid_does_not_tell_piece_from_pile_but_the_key_does():
    lying, standing = "....\n....\n....\n.XX.", "....\n....\n.X..\n.X.."
    rules, seen = small(DOMINO, width=4, height=4), []
    for start, commands in ((lying, "NNN"), (standing, "HRN")):
        env = TetrisEnv(rules)
        env.reset(options={"board": Board.from_text(start)})
        while env.game.engine.position[0] > (start == lying):
            env.step(COMMAND_ACTIONS.index(commands[0]))
            commands = commands[1:] or "N"
        seen.append((env.observation(), env.key()))
    assert seen[0][0] == seen[1][0] == 0b0110_0110
    assert seen[0][1] != seen[1][1]


@THOROUGH
@given(rules=any_rules(), seed=st.integers(0, 10**6), cap=st.sampled_from([2, 4]))
def test_differences_are_the_steps_between_columns_cut_to_the_cap(rules, seed, cap):
    board = random_board(rules, np.random.default_rng(seed))
    number, digits = differences(board, cap), []
    for _ in range(rules.width - 1):
        number, digit = divmod(number, 2 * cap + 1)
        digits.append(digit - cap)
    heights = [max((r + 1 for r in range(board.height) if board.cells[r, c]), default=0) for c in range(board.width)]
    assert number == 0
    assert digits == [max(-cap, min(cap, b - a)) for a, b in pairwise(heights)]


PRINTED_BY_NUMPY_1 = (  # how many cells, their bits, and the sum of np.int8(cell) * 2**k, one by one, in numpy 1.26.4
    (63, 0x62B5F748D0DA1796, 0x62B5F748D0DA1796),
    (64, 0x4000000000000201, 0x4000000000000400),  # rounded although the 64th cell is empty
    (64, 0xF7081EF9C377D852, 0xF7081EF9C377D800),
    (70, 0x13E9637031452771C2, 0x13E963703145280000),
    (80, 0x00400000000000020000, 0x00400000000000000000),  # a half is rounded to even: down ...
    (80, 0x00400000000000060000, 0x00400000000000080000),  # ... and up
    (80, 0x10689BC26EF21A2732C2, 0x10689BC26EF21A000000),
    (80, 0xEDE179D3B65CDBCD7FCC, 0xEDE179D3B65CE0000000),  # rounded only once, it would end in CD8000000
    (80, 0xE9E23BFBBEABB475DCBF, 0xE9E23BFBBEABB0000000),
    (80, 0xFFFFFFFFFFFFFFFFFFFF, 0x100000000000000000000),
    (120, 0x9EEFBD7FEFF75FFFEFF7C3DC7DDFEF, 0x9EEFBD7FEFF7600000000000000000),
)
SIZES = {63: (7, 9), 64: (8, 8), 70: (7, 10), 80: (8, 10), 120: (10, 12)}


def board_of(numbered, width, rows):
    """The board whose cells, numbered column by column, are these bits."""
    return Board([[numbered >> (j * rows + i) & 1 for j in range(width)] for i in range(rows)])


@pytest.mark.parametrize(("cells", "bits", "printed"), PRINTED_BY_NUMPY_1)
def test_a_grid_is_rounded_to_the_number_that_numpy_1_printed(cells, bits, printed):
    width, rows = SIZES[cells]
    assert rounded(board_of(bits, width, rows), rows) == printed


def to_53_digits(x):
    """A whole number rounded to 53 binary digits, halves to even, in whole numbers only."""
    unit = 1 << max(0, x.bit_length() - 53)
    below = x - x % unit
    return below + unit * (2 * (x - below) > unit or (2 * (x - below) == unit and below // unit % 2))


@THOROUGH
@given(width=st.integers(4, 10), rows=st.integers(6, 12), data=st.data())
def test_a_rounded_sum_is_exact_up_to_63_cells_and_rounded_at_each_cell_beyond(width, rows, data):
    numbered = data.draw(st.integers(0, 2 ** (width * rows) - 1) | st.just(2 ** (width * rows) - 1))
    total = numbered & (1 << 63) - 1
    if width * rows > 63:
        total = to_53_digits(total)
        for k in range(63, width * rows):
            total = to_53_digits(total + (numbered >> k & 1) * 2**k)
    assert rounded(board_of(numbered, width, rows), rows) == total


def test_on_7x7_each_grid_keeps_its_number_and_on_8x8_those_that_differ_on_the_left_share_one():
    seven = [Board.from_text(text, height=9) for text in ("X.....X\nX.....X", ".X....X", "......X")]
    alike = ("XX.....X\nX......X", ".X.....X\n.......X", ".......X\nX......X")
    eight = [Board.from_text(text, height=10) for text in alike]
    assert len({rounded(board, 9) for board in seven}) == 3
    assert len({rounded(board, 10) for board in eight}) == 1
    nothing_on_the_right = Board.from_text("XX......\nX.......", height=10)
    assert rounded(nothing_on_the_right, 10) == 0b100000000011


def test_the_documented_formulas_give_the_numbers():
    rules = tc.Rules(4, 5)
    board = Board.from_text("....\n....\n....\nX...\nXX..")
    steps = sum((step + 4) * 9**j for j, step in enumerate((-1, -1, 0)))
    assert placement_state(board, SQUARE, rules, "differences") == steps + 9**3 * 1
    assert placement_state(board, SQUARE, rules, "grid") == 0b0001_0011 + (1 << 20) * 1
    assert placement_state(board, SQUARE, rules, "rounded") == 0b0000000_0000001_0000011 + (1 << 29) * 1
    engine = Engine(None, rules, board=board)
    drawn = zip(*(places.tolist() for places in engine.view().full.nonzero()), strict=True)
    assert command_state(engine, "rounded") == sum(1 << 7 * column + row for row, column in drawn)
    piece, (row, column) = rules.pieces.index(engine.piece), engine.position
    falling = piece + 7 * (engine.orientation + 4 * (column + 4 * row))
    assert command_state(engine, "differences") == steps + 9**3 * falling


@pytest.mark.parametrize("actions", ACTIONS)
@pytest.mark.parametrize("state", STATES)
@THOROUGH
@given(rules=any_rules(), seed=st.integers(0, 10**6))
def test_no_state_needs_more_bits_than_announced(actions, state, rules, seed):
    bits = state_bits(rules, actions, state)
    env = TetrisEnv(rules, actions, state)
    assert all(0 <= s2 < 1 << bits for _, _, s2, *_ in played(env, seed, steps=12))


def test_the_settled_board_can_be_read_from_a_state_before_a_placement():
    env = TetrisEnv(tc.Rules(5, 6), "placements")
    for *_, s2, _, lost, _, _ in played(env, seed=4):
        piece, bits = divmod(s2, 1 << 30)
        if not lost:
            assert bits == env.board.bits
            assert env.rules.pieces[piece] == env.game.piece


# --- commands -------------------------------------------------------------------------------------


def test_commands_are_those_of_the_real_engine():
    env, rules = TetrisEnv(DOMINO), DOMINO
    steps = list(played(env, seed=6, steps=300))
    engine, points = Engine(None, rules, seed=6), 0
    for _, a, s2, r, lost, *_ in steps:
        engine.play_command(("L", "R", "D", "H", "T", "N")[a])
        points += r
        assert (s2, points, lost) == (command_state(engine), engine.score, not engine.is_running)
    assert steps[-1][4]  # a random game on 8x8 is lost


def test_two_rows_at_once_bring_four_points_with_the_domino():
    env = TetrisEnv(small(DOMINO, width=4, height=5))
    env.reset(options={"board": Board.from_text("XX.X\nXX.X", height=5)})
    env.step(COMMAND_ACTIONS.index("H"))
    while env.game.engine.position[1] < 2:
        env.step(COMMAND_ACTIONS.index("R"))
    _, reward, _, _, info = env.step(COMMAND_ACTIONS.index("D"))
    assert (reward, info["lines"], env.board.bits) == (4.0, 2, 0)


def test_after_the_last_piece_the_next_one_is_seen_so_that_its_value_can_be_asked_for():
    env = TetrisEnv(DOMINO, max_pieces=1)
    env.reset()
    s2, _, terminated, truncated, info = env.step(COMMAND_ACTIONS.index("D"))
    assert (terminated, truncated) == (False, True)
    assert s2.bit_count() == 4  # the domino at rest, and the one that has appeared
    assert info["allowed"].all()


# --- placements -----------------------------------------------------------------------------------


class Recorded:
    """A player that makes the moves of a list."""

    def __init__(self, actions):
        self.actions = list(actions)

    def choose(self, board, piece, next_piece=None, rules=None, chance=None):
        found = moves(board, piece, rules)
        if not found or not self.actions:
            return None
        orientation, column = divmod(self.actions.pop(0), board.width)
        return next(move for move in found if (move.orientation, move.column) == (orientation, column))


@THOROUGH
@given(rules=any_rules(), seed=st.integers(0, 10**6))
def test_placements_are_the_moves_of_a_game_under_any_rules(rules, seed):
    env = TetrisEnv(rules, "placements")
    steps = list(played(env, seed, steps=15))
    game = tc.play_game(Recorded(a for _, a, *_ in steps), rules, seed)
    assert game.moves[-1].after == env.board
    assert (game.pieces, game.lines) == (env.pieces, steps[-1][-1]["lines"])
    assert game.points == sum(step[3] for step in steps)
    assert steps[-1][4] == (game.moves[-1].loses or not moves(env.board, env.game.piece, rules))


@THOROUGH
@given(rules=any_rules(), seed=st.integers(0, 10**6))
def test_the_mask_has_exactly_the_moves_that_a_player_may_take(rules, seed):
    env = TetrisEnv(rules, "placements")
    for *_, lost, _, info in played(env, seed, steps=6):
        found = [] if lost else moves(env.board, PieceSequence(rules, seed, 0)[env.pieces], rules)
        names = {f"P:{move.column}:{move.orientation}" for move in found}
        assert {env.action_names[a] for a in np.flatnonzero(info["allowed"])} == names


def test_an_impossible_placement_is_an_error_that_says_what_is_possible():
    env = TetrisEnv(small(DOMINO, width=4, height=4), "placements")
    env.reset()
    with pytest.raises(InputError, match="action is 3; allowed now: 0 1 2 4 5 6 7"):
        env.step(3)


# --- copies ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("actions", ACTIONS)
def test_a_copy_goes_its_own_way_and_the_way_back_is_the_same(actions):
    env = TetrisEnv(DOMINO, actions)
    list(played(env, seed=1, steps=9))
    before, snapshot = (env.observation(), env.key(), env.pieces), env.snapshot()
    allowed = np.flatnonzero(env.allowed())
    first = [env.step(int(allowed[0]))[:4], env.key()]
    assert (snapshot.observation(), snapshot.key(), snapshot.pieces) == before
    env.restore(snapshot)
    assert (env.observation(), env.key(), env.pieces) == before
    assert [env.step(int(allowed[0]))[:4], env.key()] == first
    assert (snapshot.observation(), snapshot.key(), snapshot.pieces) == before
