"""TunePanel: a slider for each weight, and at once what it does to a move, to a game and to many games."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from copy import copy
from typing import Any

from tetriscourse.errors import InputError, one_of, shown, whole_number
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move
from tetriscourse.game.rules import Rules, short_name
from tetriscourse.players import PLAYERS, Filter, Player
from tetriscourse.simulator.games import is_known
from tetriscourse.simulator.run import MAX_SEED
from tetriscourse.statistics import Scores
from tetriscourse.widgets.blocks import Spec
from tetriscourse.widgets.candidates import Candidate
from tetriscourse.widgets.panel import Panel, typed_number, typed_whole
from tetriscourse.widgets.step_controls import SPEEDS
from tetriscourse.widgets.tuning.contest import PLAYER, Contest
from tetriscourse.widgets.tuning.layout import arranged, cell_size, chosen_player, chosen_rules
from tetriscourse.widgets.tuning.live_game import LiveGame
from tetriscourse.widgets.tuning.sight import Sight, best_moves, chosen_words, game_board
from tetriscourse.widgets.tuning.trials import PLAIN_GAMES, Trial, failed
from tetriscourse.widgets.tuning.weights import Tuned

MOST_GAMES = 100_000
ZERO = "All weights are zero: every move is worth the same, the first one is taken."
KEPT = "The code keeps the weights as you set them: dividing would round them; the choices are the same."


class TunePanel(Panel):
    """Sliders for the weights of a linear player; the move it chooses, a game it plays, and the scores of many.

    In Python:
        player               the player as it is now, to play or simulate with
        weights              its weights, as they were set
        set_weights(...)     take others, as if they had been set with the sliders
        code                 Python that makes the player
        rules                board and rules
        game                 the game that goes on: its lines, pieces, number
        board                the board of that game
        chosen               the move that the player takes on it
        step(5)              let it place 5 pieces
        scores               the many games of the player that have ended so far
        freeze()             let the present player go on as a rival on the same pieces; freeze("dn"): that player
        unfreeze()           play alone again
        rival                who that is, or None
        rival_game           its game
        rival_scores         its many games
        failure              the traceback, if a feature of your own has failed
        close()              stop everything and leave the page
    """

    title = "Tune a player"
    tries = (
        "Drag the weight of holes to zero and watch the move, then the scores. Which weight is the most precious?",
        "Freeze Dellacherie as a rival and beat him on the same pieces. How many games does it take to be sure?",
        "Tick 'normalise' and drag one weight: the others shrink. Only the direction matters, not the length.",
    )

    def __init__(
        self,
        player: str | Player = "dellacherie",
        rules: str | Rules = "10x10",
        seed: int = 0,
        *,
        games: int = 400,
        normalise: bool = False,
        speed: str = "4 a second",
    ):
        """Begin with a player on a board.

        player: the name of a linear player in PLAYERS, or a Player of your own.
        rules: the name of rules in RULES, or Rules; the player knows one piece.
        seed: where the pieces come from; the same seed gives the same games, for the player and the rival.
        games: how many are played for the scores, at most 100,000; 20 if a feature runs in plain Python.
        normalise: show the weights with length 1; the player keeps them as they were set.
        speed: pieces of the game that goes on, such as "4 a second" or "as fast as possible".
        """
        self.own, origin = chosen_player(player)
        self.rules = self.given_rules = chosen_rules(rules)
        self.seed = whole_number("seed", seed, 0, MAX_SEED)
        self.games = whole_number("games", games, 1, MOST_GAMES)
        self.speed = one_of("speed", speed, SPEEDS)
        self.tuned = Tuned(origin, self.rules.width, self.own)
        self.tuned.normalised = bool(normalise)
        self.rival: Player | Filter | None = None
        """Who plays on the same pieces for comparison, if anybody does."""
        self.game = LiveGame(self.rules, self.seed)
        """The game that goes on; `rival_game` is that of the rival."""
        self.rival_game: LiveGame | None = None
        self.contest = Contest(self._new_trial(self.player), self._show_scores, lambda: int(self.version))
        """The many games of the player, and of the rival."""
        self.sight = Sight()
        """What the player sees of the position."""
        super().__init__(self._arranged())
        self.worker.pace = SPEEDS[self.speed]

    # --- the state, for Python ----------------------------------------------------------------------

    @property
    def player(self) -> Player:
        """The player as it is now."""
        return self.tuned.player

    @property
    def weights(self) -> tuple[float, ...]:
        """Its weights."""
        return self.tuned.weights

    @property
    def board(self) -> Board:
        """The board of the game that goes on."""
        return self.game.board

    @property
    def chosen(self) -> Move | None:
        """The move that the player takes on it."""
        found = self._candidates()
        return found[0].move if found else None

    @property
    def scores(self) -> Scores:
        """The games of the player that have ended so far."""
        return self.contest.player.scores()

    @property
    def rival_scores(self) -> Scores | None:
        """Those of the rival."""
        return self.contest.rival.scores() if self.contest.rival else None

    @property
    def code(self) -> str:
        """Python that makes the player."""
        return self.tuned.code()

    def set_weights(self, weights: Sequence[float]) -> None:
        """Take these weights, as if they had been set with the sliders."""
        with self.lock:
            self.tuned.set(weights)
            with self.changing():
                self._renew()

    def freeze(self, rival: str | Player | Filter | None = None) -> None:
        """Let the present player, or another one, play on the same pieces for comparison."""
        if isinstance(rival, str):
            rival = PLAYERS[one_of("rival", rival, PLAYERS)]
        elif rival is not None and not isinstance(rival, Player | Filter):
            raise InputError(f"rival is {shown(rival)}; it must be a Player, a Filter or the name of one")
        if isinstance(rival, Player):
            rival.check_width(self.rules.width)
        with self.changing():
            self._set_rival(rival or self.player)

    def unfreeze(self) -> None:
        """Play alone."""
        with self.changing():
            self._set_rival(None)

    # --- the page -----------------------------------------------------------------------------------

    def _arranged(self) -> Spec:
        return arranged(self.tuned, self.given_rules, self.rival is not None)

    def content(self) -> dict[str, Any]:
        """Everything that is seen."""
        limit = self.tuned.shown_limit
        weights = {
            f"weight:{k}": {"value": value, "low": -limit, "high": limit} for k, value in enumerate(self.tuned.shown)
        }
        found, cell = self._candidates(), cell_size(self.rules, self.rival is not None)
        data = {
            "menus": {
                "origin": {"value": self.tuned.origin},
                "reset": {
                    "label": "Reset to published" if self.tuned.origin.startswith("player:") else "Reset",
                    "disabled": self.weights == self.tuned.published,
                },
                "normalise": {"value": self.tuned.normalised},
                "rules": {"value": short_name(self.rules)},
                "freeze": {"label": "Unfreeze" if self.rival else "Freeze as rival"},
            },
            "weights": weights,
            "column_weights": weights,
            "notice": {"text": self._notices()},
            "board": game_board(self.game, found[0].move if found else None, cell),
            "status": {"text": self.game.status(PLAYER)},
            "play": {
                "play": {"label": "Pause" if self.running else "Play"},
                "step": {"disabled": self.running},
            },
            "pace": {"speed": {"value": self.speed}},
            "many": {"games": {"value": self.games}, "log": {"value": self.contest.log_scale}},
            "words": {"text": self._words(found)},
            "moves": best_moves(found, self.tuned, self.sight.stuck),
            "kept": {"text": KEPT},
            "code": {"text": self.code},
            **self.contest.content(),
        }
        if self.rival is not None and self.rival_game is not None:
            data["rival_board"] = game_board(self.rival_game, None, cell)
            data["rival_status"] = {"text": self.rival_game.status(f"rival {self.rival.name}")}
        return data

    def _words(self, found: Sequence[Candidate]) -> str:
        return chosen_words(found, self.game, self.tuned, self.sight.stuck)

    def _notices(self) -> list[str]:
        """What holds as long as things are as they are."""
        own = [one.name for one in self.player.features.features if not is_known(one)]
        slow = f"{', '.join(own)} runs in plain Python, so at most {PLAIN_GAMES} games are played, slowly."
        notes = [ZERO if self.tuned.is_zero else "", slow if own else "", *(one.note for one in self.contest.trials)]
        notes += [self.sight.stuck, *(failed(one.player, one.error) for one in self.contest.trials if one.error)]
        told = self.message["text"]
        return [note for note in dict.fromkeys(notes) if note and note != told]

    def describe(self) -> str:
        """The weights, and the move on the board."""
        weights = [f"{name} {value:.6g}" for name, value in zip(self.tuned.labels, self.tuned.shown, strict=True)]
        return "\n".join(
            [f"{self.player.name} on {short_name(self.rules)}", ", ".join(weights), self._words(self._candidates())]
        )

    def _candidates(self) -> list[Candidate]:
        """The moves as the player sees them, best first."""
        found = self.sight.candidates(self.game, self.player)
        self.failure = self.sight.traceback or self.failure
        return found

    # --- the game that goes on ----------------------------------------------------------------------

    def compute(self) -> Any:
        """The next move of both, or the next game when both are over."""
        games = [one for one in (self.game, self.rival_game) if one is not None]
        if all(one.is_over for one in games):
            return "next game"
        chosen = self.chosen
        if self.sight.stuck:
            raise InputError(self.sight.stuck)
        return chosen, self._rivals_choice()

    def _rivals_choice(self) -> Move | None:
        """The move of the rival, if there is one who still plays."""
        rival, game = self.rival, self.rival_game
        if rival is None or game is None or game.is_over:
            return None
        try:
            return game.choice(rival)
        except Exception as error:
            self.failure = traceback.format_exc()
            raise InputError(failed(rival, error)) from error

    def apply(self, result: Any) -> None:
        """Make the moves."""
        if result == "next game":
            self._begin_game(self.game.number + 1)
            return
        for game, move in zip((self.game, self.rival_game), result, strict=True):
            if game is not None and not game.is_over:
                game.take(move)

    def _begin_game(self, game: int) -> None:
        """Both begin a game on the same pieces."""
        self.forget()
        self.game = LiveGame(self.rules, self.seed, game)
        self.rival_game = LiveGame(self.rules, self.seed, game) if self.rival else None

    # --- many games ---------------------------------------------------------------------------------

    def _new_trial(self, player: Player | Filter) -> Trial:
        return Trial(player, self.rules, self.games, self.seed)

    def _show_scores(self) -> None:
        """Show everything anew, in one message."""
        with self.lock, self.hold_sync():
            self.refresh()

    def _renew(self) -> None:
        """The player has changed: its many games begin anew."""
        self.forget()
        self.contest.renew(self._new_trial(self.player), self.contest.rival)

    def _renew_both(self) -> None:
        """Other rules or another number of games: the rival's begin anew too."""
        self.forget()
        self.contest.renew(self._new_trial(self.player), self._new_trial(self.rival) if self.rival else None)

    # --- what the person does -----------------------------------------------------------------------

    def receive(self, content: dict[str, Any]) -> None:
        """Once the page is there, and as long as it is, the many games are played."""
        if content.get("event") == "shown":
            with self.lock:
                self.contest.seen(int(content.get("value") or 0))
        super().receive(content)

    def when_weight(self, value: Any, number: str) -> None:
        """A slider was moved, or a number typed."""
        name = dict(enumerate(self.tuned.labels)).get(int(number), "weight")
        self.tuned.change(int(number), typed_number(name, value))
        self._renew()

    def when_origin(self, value: Any) -> None:
        """Another player or feature set."""
        self.tuned.begin(str(value), self.rules.width)
        self.blocks = self._arranged()
        self._renew()

    def when_reset(self, value: Any) -> None:
        """Back to where it started."""
        self.tuned.begin(self.tuned.origin, self.rules.width)
        self.blocks = self._arranged()
        self._renew()

    def when_normalise(self, value: Any) -> None:
        """Show the weights with length 1, or as they are; the player stays as it is."""
        self.tuned.normalised = bool(value)
        self.blocks = self._arranged()

    def when_rules(self, value: Any) -> None:
        """Another board: everything begins anew on it."""
        rules = self.given_rules if value == short_name(self.given_rules) else chosen_rules(str(value))
        tuned = self.tuned
        if self.tuned.features.size(rules.width) != len(self.weights):
            tuned = Tuned(self.tuned.origin, rules.width, self.own)
            tuned.normalised = self.tuned.normalised
        self.tuned, self.rules = tuned, rules
        tuned.width = rules.width
        if isinstance(self.rival, Player) and self.rival.features.size(rules.width) != len(self.rival.weights):
            self._set_rival(None)
            self.say("The rival was let go: it has no weights for this width.")
        self._begin_game(0)
        self.blocks = self._arranged()
        self._renew_both()

    def when_freeze(self, value: Any) -> None:
        """Keep the present player as a rival, or let it go."""
        self._set_rival(None if self.rival else self.player)

    def _set_rival(self, rival: Player | Filter | None) -> None:
        """A rival begins at the same position as the player; if it is that player, with its games."""
        self.forget()
        self.rival, self.rival_game, trial = rival, None, None
        if rival is not None:
            self.rival_game = copy(self.game)
            trial = self.contest.player if rival is self.player else self._new_trial(rival)
        self.contest.renew(self.contest.player, trial)
        self.contest.redraw()
        self.blocks = self._arranged()

    def when_play(self, value: Any) -> None:
        """Go on by itself, or stand still."""
        if self.running:
            self.worker.pause()
        else:
            self.worker.start()

    def when_step(self, value: Any) -> None:
        """One piece."""
        if not self.running:
            self.step()

    def when_new_game(self, value: Any) -> None:
        """The next game."""
        self._begin_game(self.game.number + 1)

    def when_speed(self, value: Any) -> None:
        """Pieces a second, at most."""
        self.speed = one_of("speed", value, SPEEDS)
        self.worker.pace = SPEEDS[self.speed]

    def when_games(self, value: Any) -> None:
        """How many games make up the picture."""
        self.games = typed_whole("games", value, 1, MOST_GAMES)
        self._renew_both()

    def when_log(self, value: Any) -> None:
        """A logarithmic scale, on which an exponential law is a straight line."""
        self.contest.log_scale = bool(value)
        self.contest.redraw()

    def when_code(self, value: Any) -> None:
        """The code was copied."""

    def when_hidden(self, value: Any) -> None:
        """Nobody sees the panel any more."""
        self.contest.hide()
        super().when_hidden(value)

    def close(self) -> None:
        """Stop everything."""
        if hasattr(self, "contest"):  # not if it was given bad input: then it was never finished
            self.contest.hide()
        super().close()
