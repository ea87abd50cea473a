"""TunePanel: a slider for each weight, and what it does at once to a move, to a game and to many games."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

from tetriscourse.errors import whole_number
from tetriscourse.game.rules import RULES, Rules, short_name
from tetriscourse.looking_ahead import LookAhead
from tetriscourse.players import Player
from tetriscourse.simulator.playable import can_compute
from tetriscourse.simulator.run import MAX_SEED
from tetriscourse.statistics import Scores
from tetriscourse.widgets.blocks import Spec
from tetriscourse.widgets.inputs import sets, whole
from tetriscourse.widgets.panel import typed_number
from tetriscourse.widgets.tuning.contest import PLAIN_GAMES, PLAYER, Contest, Contestant, Trial, failed
from tetriscourse.widgets.tuning.layout import arranged, cell_size, chosen_player, chosen_rival, chosen_rules
from tetriscourse.widgets.tuning.live_game import LivePanel
from tetriscourse.widgets.tuning.weights import Tuned

MOST_GAMES = 100_000
ZERO = "All weights are zero: every move is worth the same, the first one is taken."
KEPT = "The code keeps the weights as you set them: dividing would round them; the choices are the same."


class TunePanel(LivePanel):
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
        freeze()             let the present player go on as a rival on the same pieces; freeze("dn"): that player;
                             freeze(tc.LookAhead(tune.player)): the present one, looking ahead
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
        self, player: str | Player = "dellacherie", rules: str | Rules = "10x10", seed: int = 0, *, games: int = 400,
        normalise: bool = False, speed: str = "4 a second",
    ):  # fmt: skip
        """player: the name of a linear player in PLAYERS, or a Player; rules: those of RULES that know one piece.

        seed: of the pieces, for the player and the rival; games: for the scores, at most 100,000, or 20 if a feature
        runs in plain Python; normalise: show the weights with length 1, though the player keeps them as they were set;
        speed: of the game that goes on, such as "4 a second" or "as fast as possible".
        """
        self.own, origin = chosen_player(player)
        self.rules = self.given_rules = chosen_rules(rules)
        self.seed = whole_number("seed", seed, 0, MAX_SEED)
        self.games = whole_number("games", games, 1, MOST_GAMES)
        self.tuned = Tuned(origin, self.rules.width, self.own)
        self.tuned.normalised = bool(normalise)
        trial = Trial(self.player, self.rules, self.games, self.seed)
        self.contest = Contest(trial, self._show_scores, lambda: int(self.version))  # of the player and the rival
        super().__init__(self._arranged(), self.rules, self.seed, speed)

    # --- the state, for Python ----------------------------------------------------------------------

    @property
    def player(self) -> Player:
        return self.tuned.player

    @property
    def weights(self) -> tuple[float, ...]:
        """The player's weights, as they were set."""
        return self.tuned.weights

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
        return self.tuned.code()

    def set_weights(self, weights: Sequence[float]) -> None:
        """Take these weights, as if they had been set with the sliders."""
        with self.lock:
            self.tuned.set(weights)
            with self.changing():
                self._renew()

    def freeze(self, rival: str | Contestant | None = None) -> None:
        """Let the present player, or another one, play on the same pieces for comparison."""
        chosen = self.player if rival is None else chosen_rival(rival, self.rules)
        with self.changing():
            self._set_rival(chosen)

    def unfreeze(self) -> None:
        """Play alone."""
        with self.changing():
            self._set_rival(None)

    # --- the page -----------------------------------------------------------------------------------

    def _arranged(self) -> Spec:
        """The blocks for the present player, board and rival."""
        self.cell, self.rules_name = cell_size(self.rules, self.rival is not None), short_name(self.rules)
        return arranged(self.tuned, self.given_rules, self.rival is not None)

    def content(self) -> dict[str, Any]:
        tuned, found, weights = self.tuned, self._candidates(), self.tuned.slider_data()
        reset = "Reset to published" if tuned.origin.startswith("player:") else "Reset"
        data = {
            "menus": {
                "origin": {"value": tuned.origin},
                "reset": {"label": reset, "disabled": self.weights == tuned.published},
                "normalise": {"value": tuned.normalised},
                "rules": {"value": self.rules_name},
                "freeze": {"label": "Unfreeze" if self.rival else "Freeze as rival"},
            },
            "weights": weights,
            "column_weights": weights,
            "notice": {"text": self._notices()},
            "board": self.game.picture(self.cell, found[0].move if found else None),
            "status": {"text": self.game.status(PLAYER)},
            "play": {"play": {"label": "Pause" if self.running else "Play"}, "step": {"disabled": self.running}},
            "pace": {"speed": {"value": self.speed}},
            "many": {"games": {"value": self.games}, "log": {"value": self.contest.log_scale}},
            "words": {"text": self.sight.words(found, self.game, tuned)},
            "moves": self.sight.table(found, tuned),
            "kept": {"text": KEPT},
            "code": {"text": self.code},
            **self.contest.content(),
        }
        if self.rival is not None and self.rival_game is not None:
            data["rival_board"] = self.rival_game.picture(self.cell)
            data["rival_status"] = {"text": self.rival_game.status(f"rival {self.rival.name}")}
        return data

    def _notices(self) -> list[str]:
        """Remarks that hold as long as nothing changes."""
        own = ", ".join(one.name for one in self.player.features.features if not can_compute(one))
        slow = f"{own} runs in plain Python, so at most {PLAIN_GAMES} games are played, slowly."
        trials = self.contest.trials
        notes = [ZERO if self.tuned.is_zero else "", slow if own else "", *(one.note for one in trials)]
        notes += [self.sight.stuck, *(failed(one.player, one.error) for one in trials if one.error)]
        return [note for note in dict.fromkeys(notes) if note and note != self.message["text"]]

    def describe(self) -> str:
        weights = [f"{name} {value:.6g}" for name, value in zip(self.tuned.labels, self.tuned.shown, strict=True)]
        words = self.sight.words(self._candidates(), self.game, self.tuned)
        return "\n".join([f"{self.player.name} on {self.rules_name}", ", ".join(weights), words])

    def _show_scores(self) -> None:
        """Show everything again, in one message."""
        with self.lock, self.hold_sync():
            self.refresh()

    # --- the player, the rival and the board --------------------------------------------------------

    def _renew(self) -> None:
        """Play the many games of the present player and rival on the present board."""
        self.forget()
        self.contest.renew(self.player, self.rival, self.rules, self.games)

    def _begin_with(self, origin: str) -> None:
        """Take the weights of a player or feature set."""
        self.tuned.begin(origin, self.rules.width)
        self.blocks = self._arranged()
        self._renew()

    def _set_rival(self, rival: Contestant | None) -> None:
        """A rival begins at the same position as the player; if it is that player, with its games."""
        self.rival, self.rival_game = rival, None if rival is None else copy(self.game)
        self._renew()
        self.contest.redraw()
        self.blocks = self._arranged()

    # --- the controls -------------------------------------------------------------------------------

    def receive(self, content: dict[str, Any]) -> None:
        """The many games are played once the page is there, and as long as it is."""
        if content.get("event") == "shown":
            with self.lock:
                self.contest.seen(int(content.get("value") or 0))
        super().receive(content)

    when_games = sets("games", whole("games", 1, MOST_GAMES), then="_renew")

    def when_weight(self, value: Any, number: str) -> None:
        name = dict(enumerate(self.tuned.labels)).get(int(number), "weight")
        self.tuned.change(int(number), typed_number(name, value))
        self._renew()

    def when_origin(self, value: Any) -> None:
        self._begin_with(str(value))

    def when_reset(self, value: Any) -> None:
        self._begin_with(self.tuned.origin)

    def when_normalise(self, value: Any) -> None:
        """Show the weights with length 1, or as they are; the player stays as it is."""
        self.tuned.normalised = bool(value)
        self.blocks = self._arranged()

    def when_rules(self, value: Any) -> None:
        """Another board, on which everything starts over."""
        rules = self.given_rules if value == short_name(self.given_rules) else chosen_rules(RULES.named(value))
        self.tuned, self.rules = self.tuned.on_width(rules.width), rules
        rival = self.rival if isinstance(self.rival, Player | LookAhead) else None
        if rival is not None and rival.features.size(rules.width) != len(rival.weights):
            self._set_rival(None)
            self.say("The rival was let go: it has no weights for this width.")
        self._begin_game(0)
        self.blocks = self._arranged()
        self._renew()

    def when_freeze(self, value: Any) -> None:
        """Keep the present player as a rival, or let it go."""
        self._set_rival(None if self.rival else self.player)

    def when_log(self, value: Any) -> None:
        """A logarithmic scale, on which an exponential law is a straight line."""
        self.contest.log_scale = bool(value)
        self.contest.redraw()

    def when_code(self, value: Any) -> None:
        """The code was copied."""

    def when_hidden(self, value: Any) -> None:
        self.contest.hide()
        super().when_hidden(value)

    def close(self) -> None:
        if hasattr(self, "contest"):  # not if it was given bad input: then it was never finished
            self.contest.hide()
        super().close()
