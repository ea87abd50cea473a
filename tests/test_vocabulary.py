"""One vocabulary: every public entry takes a thing or its name, catalogues say what is meant, reprs are short."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

import tetriscourse as tc
from tetriscourse.agents import RandomPlacements, agent_of
from tetriscourse.cli.terminal_game import play
from tetriscourse.game.engine import Engine
from tetriscourse.statistics import Scores
from tetriscourse.widgets import (
    FeaturePanel,
    FilterPanel,
    PlayPanel,
    PolicyPanel,
    QLearningPanel,
    Record,
    SamplingPanel,
    SearchPanel,
    TunePanel,
    WatchPanel,
)
from tetriscourse.widgets.highlights import highlight
from tetriscourse.widgets.positions import position

CATALOGUES = {
    "rules": tc.RULES,
    "player": tc.PLAYERS,
    "feature": tc.FEATURES,
    "feature set": tc.FEATURE_SETS,
    "piece": tc.PIECES,
    "bag": tc.BAGS,
    "agent": tc.AGENTS,
    "experiment": tc.EXPERIMENTS,
    "word": tc.WORDS,
}
SMALL = tc.Rules(4, 5, max_pieces=6)
FOUR = tc.Board.empty(4, 5)
TEN = tc.Board.empty()


def seen(move: tc.Move | None) -> str:
    return repr(move)


def moves_of(game: tc.Game) -> list[str]:
    return list(map(seen, game.moves))


def lines(scores: Scores) -> list[int]:
    return scores.lines.tolist()


def finished(engine: Engine) -> tuple[int, str]:
    engine.run()
    return engine.score, engine.board.text()


Entry = Callable[[Any], Any]

PLAYER: dict[str, Entry] = {
    "simulate": lambda player: lines(tc.simulate(player, SMALL, games=3, progress=False)),
    "play_game": lambda player: moves_of(tc.play_game(player, SMALL, seed=3)),
    "exact_value": lambda player: tc.exact_value(player, tc.Rules(4, 4, bag="domino"), gamma=0.5).start,
    "the first of compare": lambda player: str(tc.compare(player, "dellacherie", rules=SMALL, games=5)),
    "the second of compare": lambda player: str(tc.compare("dellacherie", player, rules=SMALL, games=5)),
    "agent_of": lambda player: repr(agent_of(player)),
    "LookAhead": lambda player: tc.LookAhead(player).player,
    "Rollouts": lambda player: tc.Rollouts(player).player,
    "rollouts": lambda player: tc.rollouts(player, FOUR, "T", games=2, moves=3).means.tolist(),
    "position": lambda player: position(SMALL, 1, 2, player).board.text(),
    "WatchPanel": lambda player: WatchPanel(player, SMALL).watched.player.name,
    "the judge of WatchPanel": lambda player: WatchPanel("dellacherie", SMALL, judge=player).watched.judge.name,
    "the hint of PlayPanel": lambda player: PlayPanel(hint=player).adviser.name,
    "SamplingPanel": lambda player: SamplingPanel(player, rules="5x5", pool=3).pool.player,
    "SearchPanel": lambda player: SearchPanel(player, SMALL).player.name,
}

RULES: dict[str, Entry] = {
    "as_rules": tc.as_rules,
    "moves": lambda rules: list(map(seen, tc.moves(tc.Board.empty(5, 5), "T", rules))),
    "choose": lambda rules: seen(tc.PLAYERS["dn"].choose(tc.Board.empty(5, 5), "T", rules=rules)),
    "play_game": lambda rules: moves_of(tc.play_game("dn", rules)),
    "simulate": lambda rules: lines(tc.simulate("dn", rules, games=3, progress=False)),
    "rollouts": lambda rules: repr(tc.rollouts("dn", tc.Board.empty(5, 5), "T", rules, games=2, moves=3)),
    "Engine": lambda rules: tc.Engine(rules=rules).rules,
    "PieceSequence": lambda rules: [str(tc.PieceSequence(rules, 1, 2)[k]) for k in range(9)],
    "Objective": lambda rules: tc.Objective("dn", rules).rules,
    "Curve": lambda rules: tc.Curve(3, rules).rules,
    "Scores.of": lambda rules: Scores.of([1, 2], rules=rules).rules,
    "compare": lambda rules: str(tc.compare("dn", "dellacherie", rules=rules, games=3)),
    "TetrisEnv": lambda rules: tc.TetrisEnv(rules).rules,
    "QLearning": lambda rules: tc.QLearning(rules).rules,
    "FeatureSearch": lambda rules: tc.FeatureSearch(rules).rules,
    "DominoGrid": lambda rules: tc.DominoGrid(rules=rules).rules,
    "MoveValues": lambda rules: tc.MoveValues(rules).rules,
    "AfterstateValues": lambda rules: tc.AfterstateValues(rules).rules,
    "position": lambda rules: position(rules).rules,
    "Record": lambda rules: Record(rules).rules,
    "PlayPanel": lambda rules: PlayPanel(rules).rules,
    "WatchPanel": lambda rules: WatchPanel("dn", rules).watched.rules,
    "FilterPanel": lambda rules: FilterPanel(rules=rules).rules,
    "FeaturePanel": lambda rules: FeaturePanel(rules=rules).position.rules,
    "TunePanel": lambda rules: TunePanel(rules=rules).rules,
    "SamplingPanel": lambda rules: SamplingPanel(rules=rules, pool=3).rules,
    "SearchPanel": lambda rules: SearchPanel("dn", rules).rules,
    "PolicyPanel": lambda rules: PolicyPanel(rules=rules).home.rules,
    "QLearningPanel": lambda rules: QLearningPanel(rules).rules,
}
SOLVED: dict[str, Entry] = {
    "solve": lambda rules: tc.solve(rules, gamma=0.9, progress=False).start,
    "exact_value": lambda rules: tc.exact_value("dn", rules, gamma=0.9, progress=False).start,
    "tetris_mdp": lambda rules: repr(tc.tetris_mdp(rules)),
}

PIECE: dict[str, Entry] = {
    "as_piece": tc.as_piece,
    "moves": lambda piece: list(map(seen, tc.moves(TEN, piece))),
    "a player's choose": lambda piece: seen(tc.PLAYERS["dn"].choose(TEN, piece)),
    "a filter's choose": lambda piece: seen(tc.PLAYERS["filter-heights"].choose(TEN, piece)),
    "the next piece": lambda piece: seen(tc.PLAYERS["dn"].choose(TEN, "O", piece)),
    "number_of": tc.RULES["research"].number_of,
    "rollouts": lambda piece: tc.rollouts("dn", TEN, piece, games=1, moves=2).means.tolist(),
    "the next piece of a search": lambda piece: seen(tc.LookAhead("dn", "known", 2).choose(TEN, "O", piece)),
    "FeaturePanel": lambda piece: FeaturePanel(piece=piece).position.piece,
    "FilterPanel": lambda piece: FilterPanel(board=FOUR, piece=piece, rules="research").piece,
    "SearchPanel": lambda piece: SearchPanel("dn", board=TEN, piece=piece).piece,
    "the next piece of SearchPanel": lambda piece: SearchPanel("dn", board=TEN, next_piece=piece).next_piece,
    "PolicyPanel": lambda piece: PolicyPanel(board=FOUR, piece=piece, rules="research").moves[0].piece,
}

FEATURES: dict[str, Entry] = {
    "as_feature_set": tc.as_feature_set,
    "Player": lambda features: tc.Player(features, range(8)),
    "Objective": lambda features: tc.Objective(features).features,
    "MoveValues": lambda features: tc.MoveValues(features=features).features,
    "PolicyPanel": lambda features: PolicyPanel(features).features,
}


@pytest.mark.parametrize("entry", PLAYER.values(), ids=PLAYER)
class TestAPlayer:
    def test_goes_by_its_name(self, entry: Entry) -> None:
        assert entry("dn") == entry(tc.PLAYERS["dn"])

    def test_that_nobody_knows_is_named_with_the_closest(self, entry: Entry) -> None:
        with pytest.raises(tc.InputError, match=r"^\w+ is 'delacherie'; did you mean 'dellacherie'\? \(allowed: "):
            entry("delacherie")


@pytest.mark.parametrize("given", [3, None, tc.Player])
def test_what_is_no_player_is_refused(given: object) -> None:
    for call in (tc.as_player, tc.simulate, tc.play_game):
        with pytest.raises(tc.InputError, match=r"^player is .*; it must be a Player or a name such as 'dellacherie'$"):
            call(given)  # type: ignore[operator]


@pytest.mark.parametrize("entry", RULES.values(), ids=RULES)
class TestRules:
    def test_go_by_their_name(self, entry: Entry) -> None:
        assert entry("5x5") == entry(tc.RULES["5x5"])

    def test_that_nobody_knows_are_named_with_the_closest(self, entry: Entry) -> None:
        with pytest.raises(tc.InputError, match=r"rules is 'reserch'; did you mean 'research'\? \(allowed: "):
            entry("reserch")

    def test_that_are_none_are_refused(self, entry: Entry) -> None:
        with pytest.raises(tc.InputError, match="rules is 7; it must be a Rules or a name such as 'tetrisbot'"):
            entry(7)


@pytest.mark.slow
@pytest.mark.parametrize("entry", SOLVED.values(), ids=SOLVED)
def test_a_small_game_is_solved_by_its_size(entry: Entry) -> None:
    assert entry("4x4") == entry(tc.Rules(4, 4))
    with pytest.raises(tc.InputError, match=r"rules is '4 x 4' \(allowed: research, .*, 5x5, any other size\)"):
        entry("4 x 4")


def test_every_size_of_a_board_names_the_research_game_on_it() -> None:
    for width, height in ((4, 4), (16, 28), (7, 9), (10, 20)):
        assert tc.as_rules(f"{width}x{height}") == tc.Rules(width, height)
    for name in ("3x4", "17x20", "10x29", "999x4"):
        with pytest.raises(tc.InputError, match=f"rules is '{name}'; a board has 4 to 16 columns and 4 to 28 rows"):
            tc.as_rules(name)


def test_names_of_rules_that_look_like_sizes_are_those_sizes() -> None:
    for name, rules in tc.RULES.items():
        assert tc.as_rules(name) == rules


@pytest.mark.parametrize("entry", PIECE.values(), ids=PIECE)
class TestAPiece:
    def test_goes_by_its_name(self, entry: Entry) -> None:
        assert entry("T") == entry(tc.PIECES["T"])

    def test_that_nobody_knows_is_named_with_the_closest(self, entry: Entry) -> None:
        with pytest.raises(tc.InputError, match=r"piece is 't'; did you mean 'T'\? \(allowed: I, O, T, Z, S, J, L"):
            entry("t")

    def test_that_is_none_is_refused(self, entry: Entry) -> None:
        with pytest.raises(tc.InputError, match=r"piece is 7"):
            entry(7)


def test_a_name_means_the_piece_as_the_rules_turn_it() -> None:
    rapid = tc.RULES["tetrisbot"].pieces[2]
    assert rapid != tc.PIECES["T"]
    board = tc.RULES["tetrisbot"].empty_board()
    assert tc.moves(board, "T", "tetrisbot") == tc.moves(board, rapid, "tetrisbot")
    assert tc.moves(FOUR, "domino") == tc.moves(FOUR, tc.DOMINO)


@pytest.mark.parametrize("entry", FEATURES.values(), ids=FEATURES)
def test_a_feature_set_goes_by_its_name(entry: Entry) -> None:
    assert entry("dn") == entry(tc.FEATURE_SETS["dn"])
    with pytest.raises(tc.InputError, match=r"features is 'xtrs'; did you mean 'xtris'\? \(allowed: tetrisbot, "):
        entry("xtrs")
    with pytest.raises(tc.InputError, match=r"features\[1\] is 'wels'; did you mean 'wells'\?"):
        entry(["holes", "wels"])


def test_a_feature_goes_by_its_name() -> None:
    move = tc.moves(FOUR, "T")[0]
    assert highlight("holes", move) == highlight(tc.FEATURES["holes"], move)
    with pytest.raises(tc.InputError, match="feature is 'wels'; did you mean 'wells'"):
        highlight("wels", move)


class TestAnAgent:
    def test_goes_by_its_name(self) -> None:
        for name in ("dellacherie", "random-placements"):
            assert finished(tc.Engine(name, "6x12", max_blocks=8)) == finished(
                tc.Engine(tc.AGENTS[name](), tc.RULES["6x12"], max_blocks=8)
            )

    def test_plays_in_the_terminal_by_its_name(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert play("dn", "6x12", max_blocks=5).board == play(tc.AGENTS["dn"](), tc.RULES["6x12"], max_blocks=5).board

    @pytest.mark.parametrize("call", [tc.Engine, tc.as_agent, play])
    def test_that_nobody_knows_is_named_with_the_closest(self, call: Entry) -> None:
        with pytest.raises(tc.InputError, match=r"^agent is 'delacherie'; did you mean 'dellacherie'\? \(allowed: hum"):
            call("delacherie")

    @pytest.mark.parametrize("player", [tc.PLAYERS["dn"], tc.LookAhead("dn", "known"), tc.Rollouts("dn", 2, 2)])
    def test_can_be_a_player(self, player: Any) -> None:
        of_player = tc.Engine(agent_of(player), "6x12", seed=1, max_blocks=4)
        assert finished(tc.Engine(player, "6x12", seed=1, max_blocks=4)) == finished(of_player)

    def test_cannot_be_a_player_of_your_own_that_only_chooses(self) -> None:
        class First:
            def choose(self, *position: Any) -> tc.Move:
                return tc.moves(*position[:2])[0]

        with pytest.raises(tc.InputError, match="only one that values moves by features can play in the engine"):
            tc.Engine(First())

    def test_that_is_none_is_refused(self) -> None:
        with pytest.raises(tc.InputError, match=r"^agent is 7; it must be a function of the engine or a name such as"):
            tc.Engine(7)

    def test_of_your_own_can_be_entered(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(tc.AGENTS, "mine", RandomPlacements)
        assert isinstance(tc.Engine("mine").agent, RandomPlacements)


@pytest.mark.parametrize(("noun", "catalogue"), CATALOGUES.items(), ids=CATALOGUES)
class TestACatalogue:
    def test_says_what_it_holds_instead_of_an_unknown_name(self, noun: str, catalogue: dict[str, Any]) -> None:
        known = next(iter(catalogue))
        with pytest.raises(tc.InputError) as caught:
            catalogue[known + "?"]
        assert str(caught.value).startswith(f"{noun} is '{known}?'")
        assert f"(allowed: {', '.join(catalogue)})" in str(caught.value)
        assert "\n" not in str(caught.value)

    def test_names_the_closest(self, noun: str, catalogue: dict[str, Any]) -> None:
        for name in catalogue:
            if len(name) > 3:
                with pytest.raises(tc.InputError, match=r"; did you mean '"):
                    catalogue[name + "?"]

    def test_is_a_dict_in_everything_else(self, noun: str, catalogue: dict[str, Any]) -> None:
        plain = dict(catalogue)
        assert catalogue == plain == {**catalogue}
        assert list(catalogue) == list(plain)
        assert "?" not in catalogue
        assert (catalogue.get("?"), catalogue.get("?", 3)) == (None, 3)
        with pytest.raises(KeyError):
            catalogue["?"]
        with pytest.raises(KeyError):
            catalogue.copy()["?"]

    def test_shows_its_names_on_one_line_and_its_things_in_a_notebook(
        self, noun: str, catalogue: dict[str, Any]
    ) -> None:
        from IPython.lib.pretty import pretty

        assert repr(catalogue).startswith(f"Catalogue({noun}: {next(iter(catalogue))}")
        assert len(repr(catalogue)) < 140
        assert len(pretty(catalogue).splitlines()) == len(catalogue)
        assert " at 0x" not in pretty(catalogue)


def things() -> dict[str, Any]:
    """One of everything that is public."""
    move, rules = tc.moves(FOUR, "T")[0], tc.Rules(6, 8, max_pieces=20)
    solved, problem = tc.solve("4x4", progress=False), tc.MoveValues("5x5")
    scores = tc.simulate("dn", "6x12", games=50, progress=False)
    objective, learner = tc.Objective("dellacherie", rules), tc.QLearning(tc.Rules(4, 4, bag="domino"))
    training = tc.train(tc.CMAES(6, seed=1, iterations=2), objective, progress=False, curve=0)
    race = tc.Racing().next_race(8, 3)
    return {
        "AfterstateValues": tc.AfterstateValues("5x5"), "MoveValues": problem, "Board": FOUR,
        "CMAES": training.optimizer, "CrossEntropy": tc.CrossEntropy(6),
        "Curve": tc.Curve(3, "5x5"), "DeepQ": tc.DeepQ(tc.DominoGrid()), "DominoGrid": tc.DominoGrid(),
        "Engine": tc.Engine("dn"), "Experiment": tc.EXPERIMENTS["genetic-1"], "Feature": tc.FEATURES["holes"],
        "FeatureSearch": tc.FeatureSearch("10x6", start=["holes"]), "a word": tc.WORDS["has_step(0)"],
        "FeatureSet": tc.FEATURE_SETS["dn"], "Filter": tc.PLAYERS["filter-heights"],
        "FiniteMDP": tc.tetris_mdp("4x4").mdp, "Game": tc.play_game("dn", SMALL),
        "GeneticAlgorithm": tc.GeneticAlgorithm(6), "InputError": tc.InputError("holes is 'x'"),
        "LookAhead": tc.LookAhead("dn", width=5, lost=-100.0), "Move": move,
        "NetworkPlayer": tc.DeepQ(problem).player(), "Objective": objective, "Piece": tc.PIECES["T"],
        "PieceSequence": tc.PieceSequence("domino", 1, 2), "Player": tc.PLAYERS["dn"],
        "PlayerValues": tc.exact_value("dn", "4x4", progress=False), "Proof": tc.prove_endless(learner),
        "QLearning": learner, "Race": race, "Racing": tc.Racing(), "RacingSettings": tc.RacingSettings(),
        "Restarts": tc.Restarts(6), "Uncertainty": tc.Uncertainty(),
        "ValidationSettings": tc.ValidationSettings(), "CBMPI": tc.CBMPI(), "DPI": tc.DPI(), "LSPI": tc.LSPI(),
        "FittedValueIteration": tc.FittedValueIteration(), "LambdaPolicyIteration": tc.LambdaPolicyIteration(),
        "LinearProgramming": tc.LinearProgramming(), "PolicyGradient": tc.PolicyGradient(),
        "FiniteSource": tc.FiniteSource(tc.tetris_mdp("4x4")),
        "RolloutValues": tc.rollouts("dn", FOUR, "T"), "Rollouts": tc.Rollouts("dn"), "Rules": tc.RULES["tetrisbot"],
        "Scores": scores, "Search": tc.Search(), "Solution": solved, "TetrisEnv": tc.TetrisEnv("domino"),
        "Training": training, "an orientation": move.shape, "a comparison": tc.compare(scores, scores),
        "a fit": scores.fit(), "an extrapolation": tc.extrapolate([50, 900, 400, 100, 20], 6),
        "a criterion": tc.PLAYERS["filter-heights"].criteria[0], "an MDP of Tetris": tc.tetris_mdp("4x4"),
        "the best player": solved.player(), "a record": Record("domino", 1, keys=("D", "D")),
        "how to make an agent": tc.AGENTS["dn"], "a linear agent": tc.AGENTS["dn"](),
        "a filtering agent": tc.AGENTS["filter-heights"](), "a looking agent": tc.AGENTS["two-piece:dn"](),
        "a searching agent": agent_of(tc.LookAhead("dn")), "an agent by rollouts": agent_of(tc.Rollouts("dn")),
        "a random agent": tc.AGENTS["random-commands"](), "a person": tc.AGENTS["human"](),
    }  # fmt: skip


@pytest.mark.slow
def test_everything_public_shows_itself_on_a_short_line_without_an_address() -> None:
    shown = things()
    classes = {name for name in tc.__all__ if isinstance(getattr(tc, name), type)}
    assert classes <= set(shown), f"no example of {sorted(classes - set(shown))}"
    for name, thing in shown.items():
        text = repr(thing)
        assert not re.search(r"0x[0-9a-f]{6}|array\(|<", text), (name, text)
        assert len(text) < 200, (name, text)
        assert "\n" not in text, (name, text)


def test_features_declare_which_way_is_better_and_everybody_reads_it_there() -> None:
    from tetriscourse.optimizers.objectives import usual_signs
    from tetriscourse.players import Criterion

    better = {name for name, one in tc.FEATURES.items() if one.better > 0}
    homes = {f"home_{piece}" for piece in "otzsjl"}
    assert better == {"lines", "eroded_cells", "drop_depth", "diversity", "steps_of_0", "steps_of_1"} | homes
    for name, one in tc.FEATURES.items():
        signs = usual_signs(tc.as_feature_set([name]), 10)
        assert signs == (1.0 if name in better else -1.0,) * one.size(10)
        if one.per_column is None:
            assert Criterion.from_text(name).sign == signs[0]


CHAMPIONS = ("champion-10x10", "champion-10x20")
PUBLISHED = [name for name, one in tc.PLAYERS.items() if isinstance(one, tc.Player) and name not in CHAMPIONS]


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_weights_have_these_signs(name: str) -> None:
    player = tc.PLAYERS[name]
    assert isinstance(player, tc.Player)
    pairs = zip(player.features.features, player.weights, strict=True)
    against = [one.name for one, weight in pairs if weight * one.usual_sign < 0]
    assert against == (["holes"] if name in ("dt-10", "dt-20") else [])  # they count holes by depth and by rows
