"""The filter panel without a page: its stages, its games, and what it says of bad input."""

import json
from xml.etree import ElementTree

import pytest

import tetriscourse as tc
from tetriscourse.errors import InputError
from tetriscourse.features import FEATURES, Feature
from tetriscourse.game.pieces import PIECES
from tetriscourse.players import Criterion
from tetriscourse.widgets import FilterPanel
from tetriscourse.widgets.positions import position

HEIGHTS = ["holes", "sum_heights", "bumpiness", "lines"]


def send(panel, event, value=None):
    """An event as the page would report it."""
    panel.receive({"event": event, "value": value})


def listed(*names):
    """The criteria as the page sends them: '-holes' for the fewest, '+holes' for the most."""
    return [{"name": name[1:], "sign": -1 if name[0] == "-" else 1} for name in names]


def names(panel):
    """The criteria of a panel, in order."""
    return [criterion.feature.name for criterion in panel.filter.criteria]


def boards_of(game):
    """The boards of a game, as text."""
    return [move.after.text(letters=True) for move in game.moves]


# --- positions ------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", tc.RULES)
def test_a_position_of_any_rules_has_a_move_and_is_the_same_again(rules):
    for seed in range(3):
        found, again = position(rules, seed), position(rules, seed)
        assert (found.board, found.piece) == (again.board, again.piece)
        assert (found.board.width, found.board.height) == (tc.RULES[rules].width, tc.RULES[rules].height)
        assert found.moves


def test_a_position_is_the_board_of_a_game_before_the_piece_after_so_many():
    rules = tc.Rules(max_pieces=30)
    game = tc.play_game(tc.PLAYERS["tetrisbot"], rules, seed=4, number=1)
    for pieces in (0, 1, 29):
        found = position(rules, 4, pieces, "tetrisbot")
        assert (found.board, found.piece) == (game.moves[pieces].before, game.moves[pieces].piece)


def test_of_a_game_that_is_over_too_soon_the_middle_is_taken():
    game = tc.play_game(tc.Filter(["+holes"]), tc.RULES["5x5"], seed=0, number=1)
    assert game.lost
    found = position("5x5", 0, 1000, tc.Filter(["+holes"]))
    assert found.board == game.moves[len(game.moves) // 2].before


def test_careless_games_leave_holes_and_steps_to_look_at():
    for seed in range(10):
        move = position("research", seed).moves[0]
        assert FEATURES["holes"](move) > 0
        assert FEATURES["bumpiness"](move) > 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rules": "reserch"}, "rules is 'reserch'; did you mean 'research'"),
        ({"seed": -1}, "seed is -1; it must be a whole number of at least 0"),
        ({"pieces": 1.5}, "pieces is 1.5; it must be a whole number of at least 0"),
        ({"player": "delacherie"}, "player is 'delacherie'; did you mean 'dellacherie'"),
    ],
)
def test_a_position_names_what_it_cannot_use(given, message):
    with pytest.raises(InputError, match=message):
        position(**given)


# --- stages ---------------------------------------------------------------------------------------


def test_each_stage_keeps_the_moves_with_the_best_value_of_those_before():
    panel = FilterPanel(["-holes", "+bumpiness", "-lines"], seed=3)
    left = tc.moves(panel.board, panel.piece, panel.rules)
    for (name, best), stage in zip((("holes", min), ("bumpiness", max), ("lines", min)), panel.stages, strict=True):
        value = best(FEATURES[name](move) for move in left)
        left = [move for move in left if FEATURES[name](move) == value]
        assert stage == left
    assert panel.choice in left


def test_the_page_is_shown_who_came_into_a_stage_who_is_kept_and_the_value_that_decides():
    panel = FilterPanel(HEIGHTS)
    came = panel.moves
    for name, stage, group in zip(HEIGHTS, panel.stages, panel.data["stages"]["groups"], strict=True):
        value_of = {str([list(cell) for cell in move.cells]): FEATURES[name](move) for move in came}
        kept = {str([list(cell) for cell in move.cells]) for move in stage}
        for item in group["items"]:
            assert item["caption"] == str(value_of[str(item["piece"])])
            assert (item["state"] != "discarded") == (str(item["piece"]) in kept)
        assert [item["state"] for item in group["items"]].count("chosen") == 1
        assert len(group["items"]) == min(8, len(came))
        hidden = len(stage) - sum(item["state"] != "discarded" for item in group["items"])
        more = f"+ {len(came) - 8} more" + (f", {hidden} of them kept" if 0 < hidden < len(came) - 8 else "")
        assert group["more"] == (more if len(came) > 8 else "")
        came = stage


def test_the_summary_counts_the_moves_after_each_stage():
    panel = FilterPanel(HEIGHTS)
    counts = [len(stage) for stage in panel.stages]
    text = panel.data["summary"]["text"]
    assert text.startswith(f"{len(panel.moves)} moves → fewest holes: {counts[0]} → fewest sum heights: {counts[1]} → ")
    assert f"chance decides among {counts[-1]}" in text


def test_a_stage_that_keeps_all_and_one_with_nothing_to_decide_say_so():
    panel = FilterPanel(["constant", "holes", "bumpiness", "landing_height", "row_transitions", "wells", "lines"])
    texts = [group["text"] for group in panel.data["stages"]["groups"]]
    assert texts[0] == f"1. fewest constant (1): keeps all {len(panel.moves)}"
    assert len(panel.stages[-2]) == 1
    assert texts[-1].endswith("nothing is left to decide")


# --- games ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["tetrisbot", "research", "harder", "domino"])
def test_played_on_it_is_the_game_that_play_game_plays(rules):
    panel = FilterPanel(HEIGHTS, rules=rules, seed=5)
    panel.play(40)
    limited = tc.Rules(**{**tc.RULES[rules].differences(), "max_pieces": len(panel.game.moves)})
    game = tc.play_game(tc.Filter(HEIGHTS), limited, seed=5, board=panel.first_board)
    assert len(game.moves) > 5
    assert boards_of(panel.game) == boards_of(game)
    assert (panel.game.lines, panel.game.points) == (game.lines, game.points)


def test_from_the_empty_board_it_is_the_seeds_own_game_to_its_very_end():
    panel = FilterPanel(["+holes"], seed=2)
    send(panel, "empty")
    for _ in range(10):
        send(panel, "play_more")
    game = tc.play_game(tc.Filter(["+holes"]), panel.rules, seed=2)
    assert game.lost
    assert panel.game.lost
    assert boards_of(panel.game) == boards_of(game)
    assert panel.choice is None
    assert panel.data["playing"]["play"]["disabled"]
    assert panel.data["summary"]["text"] == "The game is over: the last piece sticks out above the board."
    assert panel.message["text"] == ""


def test_the_piece_limit_of_the_rules_ends_the_game():
    panel = FilterPanel(HEIGHTS, rules=tc.Rules(max_pieces=3))
    panel.play(10)
    assert len(panel.game.moves) == 3
    assert panel.data["summary"]["text"] == "The game is over: the rules' last piece is placed."


def test_a_new_board_is_that_of_the_next_seed():
    panel, other = FilterPanel(seed=7), FilterPanel(seed=8)
    panel.play(3)
    send(panel, "new")
    assert panel.seed == 8
    assert panel.data["board"] == other.data["board"]
    assert (panel.board, panel.piece, panel.game.moves) == (other.board, other.piece, [])


def test_another_piece_can_be_chosen_and_the_next_one_is_the_sequences_again():
    panel = FilterPanel(rules="research", seed=1)
    send(panel, "piece", "O")
    assert panel.piece == PIECES["O"]
    assert {move.piece.name for move in panel.moves} == {"O"}
    send(panel, "play")
    assert panel.game.moves[0].piece == PIECES["O"]
    assert panel.piece == tc.PieceSequence(panel.rules, 1, 0)[1]


def test_a_board_of_another_size_gives_the_rules_its_size():
    board = tc.Board.from_text("X.XXX\nX..XX\n.X.X.", height=8)
    panel = FilterPanel(board=board, piece="T", rules="research")
    assert (panel.rules.width, panel.rules.height) == (5, 8)
    assert panel.board == board
    assert panel.piece.name == "T"
    assert len(panel.moves) == len(tc.moves(board, PIECES["T"]))


# --- what a person does with the list -------------------------------------------------------------


def test_the_order_from_the_page_becomes_the_filter():
    panel = FilterPanel(HEIGHTS)
    send(panel, "criteria", listed("-bumpiness", "+holes"))
    assert [str(criterion) for criterion in panel.filter.criteria] == ["fewest bumpiness", "most holes"]
    assert panel.stages == tc.Filter(["bumpiness", "+holes"]).stages(panel.moves)
    assert [(item["name"], item["sign"]) for item in panel.data["ordering"]["criteria"]["items"]] == [
        ("bumpiness", -1),
        ("holes", 1),
    ]
    assert panel.data["ordering"]["published"]["value"] == "your own"


def test_a_criterion_that_is_added_gets_its_usual_sign():
    panel = FilterPanel(["holes"])
    send(panel, "criteria", [*listed("-holes"), {"name": "eroded_cells", "sign": None}, {"name": "wells"}])
    assert panel.filter.criteria == tc.Filter(["holes", "eroded_cells", "wells"]).criteria
    assert [str(one) for one in panel.filter.criteria] == ["fewest holes", "most eroded_cells", "fewest wells"]


def test_what_can_be_added_is_what_is_not_in_the_list():
    panel = FilterPanel(HEIGHTS)
    others = [name for name, _ in panel.data["ordering"]["criteria"]["others"]]
    single = [name for name, feature in FEATURES.items() if feature.per_column is None]
    assert sorted(others + HEIGHTS) == sorted(single)


def test_a_published_filter_can_be_chosen_and_is_recognised_when_it_is_put_together():
    panel = FilterPanel(["wells"])
    send(panel, "published", "filter-bumpiness")
    assert panel.filter is tc.PLAYERS["filter-bumpiness"]
    send(panel, "criteria", listed("-holes", "-sum_heights", "-bumpiness", "+lines"))
    assert panel.data["ordering"]["published"]["value"] == "filter-heights"
    send(panel, "published", "your own")
    assert panel.message["text"] == ""


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "the last one cannot be removed"),
        ([{"name": "hole", "sign": -1}], "criteria is 'hole'; did you mean 'holes'"),
        ([{"name": "column_heights", "sign": -1}], "criteria is 'column_heights'"),
        ([{"name": "holes", "sign": 2}], "sign of holes is 2; it must be -1 for fewest or 1 for most"),
        ([["holes"]], r"criteria is ['holes']"),
        ("holes", "criteria is 'holes'; it must be a list"),
        (None, "criteria is None; it must be a list"),
    ],
)
def test_a_list_that_cannot_be_used_is_a_message_and_changes_nothing_but_is_answered(value, message):
    panel = FilterPanel(HEIGHTS)
    before = panel.data["stages"]
    send(panel, "criteria", value)
    assert message in panel.message["text"]
    assert panel.message["kind"] == "error"
    assert names(panel) == HEIGHTS
    assert panel.data["stages"] == before
    assert panel.data["ordering"]["criteria"]["answered"] == 1


@pytest.mark.parametrize(("event", "value"), [("piece", "Q"), ("piece", None), ("published", "dellacherie")])
def test_other_values_that_cannot_be_used_are_messages_too(event, value):
    panel = FilterPanel(HEIGHTS)
    before = (panel.board, panel.piece, panel.filter)
    send(panel, event, value)
    assert panel.message["kind"] == "error"
    assert (panel.board, panel.piece, panel.filter) == before


def test_the_order_can_be_set_from_python():
    panel = FilterPanel(HEIGHTS)
    version = panel.version
    panel.set_criteria(["wells", "+lines"])
    assert names(panel) == ["wells", "lines"]
    assert panel.version > version
    with pytest.raises(InputError, match="criteria is 'welds'"):
        panel.set_criteria(["welds"])
    assert names(panel) == ["wells", "lines"]


def test_the_code_makes_the_same_filter():
    panel = FilterPanel(["+holes", "lines", "-eroded_cells", "wells"])
    found = {}
    exec(panel.code, {"tc": tc}, found)
    assert found["player"].criteria == panel.filter.criteria
    assert panel.data["code"]["text"] == "player = tc.Filter(['+holes', 'lines', '-eroded_cells', 'wells'])"


# --- features of one's own ------------------------------------------------------------------------


def test_a_criterion_of_ones_own_filters_and_can_be_removed_and_added_again():
    left = Feature("left", "left", "The column.", lambda move: move.column)
    panel = FilterPanel(["holes", Criterion(left, -1)])
    assert {move.column for move in panel.stages[1]} == {min(move.column for move in panel.stages[0])}
    send(panel, "criteria", listed("-holes"))
    assert "left" in [name for name, _ in panel.data["ordering"]["criteria"]["others"]]
    send(panel, "criteria", [*listed("-holes"), {"name": "left", "sign": None}])
    assert panel.filter.criteria[1] == Criterion(left, -1)


def test_a_criterion_that_fails_during_a_game_is_a_message_and_the_game_stands_still():
    def fragile(move):
        if move.before.full.sum() >= 12:
            raise RuntimeError("too many cells")
        return 0

    panel = FilterPanel([Criterion(Feature("fragile", "f", "", fragile), -1)], tc.Board.empty(10, 20), rules="research")
    for _ in range(3):
        send(panel, "play")
    assert panel.message == {"text": "RuntimeError: too many cells", "kind": "error"}
    assert panel.data["summary"]["text"] == "A criterion fails on this board."
    send(panel, "play")
    assert len(panel.game.moves) == 3
    send(panel, "criteria", listed("-holes"))
    assert panel.message["text"] == ""
    assert panel.choice is not None


# --- construction and other forms -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"criteria": "dellacherie"}, "criteria is 'dellacherie'.*allowed: filter-heights, filter-bumpiness"),
        ({"criteria": ["hols"]}, "criteria is 'hols'; did you mean 'holes'"),
        ({"criteria": []}, "criteria is \\[\\]; it must be a list of at least one"),
        ({"criteria": 3}, "criteria is 3"),
        ({"criteria": [Criterion(FEATURES["column_heights"], 1)]}, "column_heights; it has a value for each column"),
        ({"board": "X..X"}, "board is 'X..X'; it must be a Board"),
        ({"board": tc.Board.from_text("XXXX\n....\n....\n....")}, "board has full rows"),
        ({"piece": "Q"}, "piece is 'Q'"),
        ({"rules": 7}, "rules is 7"),
        ({"seed": "one"}, "seed is 'one'; it must be a whole number of at least 0"),
    ],
)
def test_what_the_panel_cannot_be_made_of_is_named(given, message):
    with pytest.raises(InputError, match=message):
        FilterPanel(**given)


def test_two_panels_of_the_same_arguments_show_the_same():
    one, other = FilterPanel(seed=3), FilterPanel(seed=3)
    assert one.data == other.data
    assert repr(one) == repr(other)
    assert one.board.text(letters=True) in repr(one)
    assert "34 moves →" in repr(FilterPanel())


def test_the_still_picture_is_one_svg_with_a_small_board_for_each_shown_move():
    panel = FilterPanel()
    svg = panel._repr_mimebundle_()[0]["image/svg+xml"]
    root = ElementTree.fromstring(svg)
    greyed = [one for one in root.iter() if one.get("opacity") == "0.35"]
    items = [item for group in panel.data["stages"]["groups"] for item in group["items"]]
    assert len(greyed) == [item["state"] for item in items].count("discarded") > 0
    assert len(svg) < 120_000


def test_what_is_sent_stays_small_with_every_criterion_there_is():
    single = [name for name, feature in FEATURES.items() if feature.per_column is None]
    panel = FilterPanel([name for name in single if name != "constant"])
    panel.play(20)
    assert len(json.dumps(panel.data)) < 60_000
