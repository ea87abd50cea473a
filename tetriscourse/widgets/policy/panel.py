"""Policy panel: the probabilities of the moves on a board, the gradient of a move, and what a step changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tetriscourse.errors import InputError, counted, finite_numbers, one_of, shown, whole_number
from tetriscourse.features import FeatureSet, as_feature_set
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move
from tetriscourse.game.pieces import Piece
from tetriscourse.game.rules import Rules, short_name
from tetriscourse.players import Player
from tetriscourse.random_numbers import Floats
from tetriscourse.widgets.blocks import (
    Spec,
    table_data,
)
from tetriscourse.widgets.board_view import move_data
from tetriscourse.widgets.candidates import move_name
from tetriscourse.widgets.gallery import rows_above
from tetriscourse.widgets.inputs import option, real, sets, values, whole
from tetriscourse.widgets.policy.charts import change_chart, probability_chart, returns_chart, signed_bars
from tetriscourse.widgets.policy.episodes import Episode
from tetriscourse.widgets.policy.layout import AS_THEY_ARE, DIRECTIONS, REWARDS, layout
from tetriscourse.widgets.policy.standing import STANDARD, Standing
from tetriscourse.widgets.positions import given_position, piece_of
from tetriscourse.widgets.step_controls import LearningPanel

FEATURES = ("lines", "landing_height", "holes", "row_transitions", "wells")
"""By default: what a move gains, and four of DN's features."""

SCALE = 10.0
NOTHING = 1e-9  # a step that changes every log pi by less goes nowhere
TEMPERATURE = real("temperature", at_least=0.1, at_most=10)


class PolicyPanel(LearningPanel):
    """A softmax policy on a board: the probability of every move, the gradient of its logarithm, and steps.

    Attributes: `theta`, the weights; `p`, the probabilities of `moves`; `psi`, the gradient of the logarithm of each.
    """

    title = "A policy: what is pushed, and what moves with it"
    unit = "round of episodes"
    tries = (
        "Reward a move with +1 and take a gradient step: which other moves went up with it, and what do they share?",
        "Multiply holes by 10. Which crosses have moved, and why not a single dot?",
        "Play to the end a few times until an episode clears a row, then take a step: which moves does it praise?",
        "Press Start and watch a policy learn from its own games. Is the natural gradient faster? Try several seeds.",
    )

    def __init__(
        self, features: Any = FEATURES, rules: Rules | str = "10x6", weights: Sequence[float] | None = None,
        board: Board | None = None, piece: Piece | str | None = None, seed: int = 0, steps: int = 0,
        episodes: int = 20, temperature: float = 1.0,
    ):  # fmt: skip
        """features: the name of a set, or a list of names and functions of a move; weights: theta, by default zeros.

        board, piece: a position, of any size; without them, one from a careless game with this seed and these rules.
        seed: of that position and of everything drawn later; steps: rounds to learn from before anything is shown;
        episodes: those of a round, each from the empty board; temperature: by which the scores are divided.
        """
        chosen, seed = as_feature_set(features), whole_number("seed", seed, 0)
        found = given_position(rules, seed, board, piece)
        if not found.moves:
            raise InputError(f"board is {shown(found.board)}; {found.piece} has no move there")
        self.features: FeatureSet = chosen
        self.home = Episode(found.rules, chosen, seed, found.board, found.piece)
        self.labels = chosen.labels(found.rules.width)
        self.weights = np.array(finite_numbers("weights", [0.0] * len(self.labels) if weights is None else weights))
        if len(self.weights) != len(self.labels):
            raise InputError(f"weights has {len(self.weights)} numbers; it must have {len(self.labels)}")
        self.episodes = whole_number("episodes", episodes, 1, 100)
        self.first_temperature = TEMPERATURE(temperature)
        self.length, self.reward, self.direction, self.baseline = STANDARD.step, "up", "natural", True
        pieces = [one.name for one in found.rules.pieces]
        super().__init__(*layout([one.name for one in chosen.features], pieces), steps=steps)

    # --- the policy -------------------------------------------------------------------------------

    def restart(self) -> None:
        self.past: list[Standing] = []
        self.scaled = AS_THEY_ARE
        start = Standing(self.home, self.weights.copy(), np.ones(len(self.weights)), self.first_temperature, self.home)
        self.now = start.on_likeliest()

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves on the board."""
        return self.now.moves

    @property
    def theta(self) -> Floats:
        """The weights, for features in their present units."""
        return self.now.theta

    @property
    def p(self) -> Floats:
        """The probability of each move."""
        return self.now.p

    @property
    def psi(self) -> Floats:
        """The gradient of log pi of each move by the weights, a row each."""
        return self.now.psi

    def player(self, name: str = "policy") -> Player:
        """The greedy player with these weights."""
        return Player(self.features, (self.theta * self.now.units).tolist(), name)

    def change(self, direction: str) -> Floats:
        """What a step would add to the weights, for the reward that is set."""
        if self.reward == "played":
            after = self.now.learned(self.now.played, direction, self.length, self.baseline)
        else:
            after = self.now.pushed(1.0 if self.reward == "up" else -1.0, direction, self.length)
        return after - self.theta

    # --- steps ------------------------------------------------------------------------------------

    def go_on(self, after: Standing) -> None:
        """Change what is, and keep it for Undo; a round that is being played belongs to the past."""
        self.forget()
        self.past.append(self.now)
        self.now = after

    def step_along(self, direction: str) -> None:
        """Take a step for the reward that is set."""
        added = self.change(direction)
        if not np.abs(self.psi @ added).max() > NOTHING:
            raise InputError("reward leads nowhere: no move has gained more than another")
        self.go_on(self.now.with_weights(self.theta + added))

    def compute(self) -> Any:
        with self.lock:
            now, count = self.now, self.episodes
        return now.round(count)

    def apply(self, result: Any) -> None:
        theta = self.now.learned(result, self.direction, self.length, self.baseline)
        self.go_on(self.now.with_round(result, theta))

    def takes_long(self) -> bool:
        return True

    # --- controls ---------------------------------------------------------------------------------

    when_length = sets("length", real("step size", above=0, at_most=10))
    when_episodes = sets("episodes", whole("episodes a round", 1, 100))
    when_direction = sets("direction", option("rounds follow the", DIRECTIONS))
    when_baseline = sets("baseline", bool)
    when_reward = sets("reward", option("reward", REWARDS))

    def when_gradient(self, value: Any) -> None:
        self.step_along("gradient")

    def when_natural(self, value: Any) -> None:
        self.step_along("natural")

    def when_take(self, value: Any) -> None:
        self.play(self.now.episode.taken(self.now.policy))

    def when_finish(self, value: Any) -> None:
        self.play(self.now.episode.played(self.now.policy))

    def play(self, episode: Episode) -> None:
        """Go on with the episode; once it is over, steps learn from it."""
        self.go_on(self.now.going_on(episode))
        if self.now.played:
            self.reward = "played"

    def when_undo(self, value: Any) -> None:
        if not self.past:
            raise InputError("nothing is left to undo")
        self.forget()
        self.now = self.past.pop().in_units(self.now.units)
        if not self.now.played and self.reward == "played":
            self.reward = "up"

    def when_temperature(self, value: Any) -> None:
        new = TEMPERATURE(value)
        self.forget()
        self.now = replace(self.now.afresh(), temperature=new)

    def when_scaled(self, value: Any) -> None:
        """Change the units of a feature, and its weight so that the policy stays the same."""
        name = one_of("feature times 10", value, [AS_THEY_ARE, *(one.name for one in self.features.features)])
        units = np.array([SCALE if label.partition("[")[0] == name else 1.0 for label in self.labels])
        self.forget()
        self.scaled, self.now = name, self.now.in_units(units)

    def when_piece(self, value: Any) -> None:
        here = self.now.episode
        after = replace(self.now, episode=here.from_here(here.seed, piece_of(self.home.rules, value)))
        if not after.moves:
            raise InputError(f"piece is {shown(value)}; it has no move on this board")
        self.go_on(after.on_likeliest())

    def choose(self, number: int) -> None:
        """Show another move."""
        self.now = replace(self.now, chosen=whole_number("move", number, 0, len(self.moves) - 1))

    def when_moves(self, value: Any) -> None:
        self.choose(value)

    def when_bars(self, value: Any) -> None:
        self.choose(value)

    def when_changes(self, value: Any) -> None:
        self.choose(value)

    def when_previous(self, value: Any) -> None:
        self.choose((self.now.chosen - 1) % len(self.moves))

    def when_next(self, value: Any) -> None:
        self.choose((self.now.chosen + 1) % len(self.moves))

    def when_likeliest(self, value: Any) -> None:
        self.now = self.now.on_likeliest()

    # --- pictures and texts -----------------------------------------------------------------------

    def status(self) -> str:
        now = self.now
        most = float(np.log(len(self.moves)))
        entropy = f"entropy {now.entropy:.2f} of at most {most:.2f}"
        if not now.lines:
            return f"{short_name(self.home.rules)}, no round yet: {entropy}"
        return f"round {len(now.lines)}: {now.lines[-1]:.2f} lines an episode, return {now.returns[-1]:.2f}; {entropy}"

    def about(self, plain: Floats, natural: Floats) -> list[str]:
        """The move on show, in words."""
        k = self.now.chosen
        lines = (
            f"Move {k + 1} of {len(self.moves)}: {move_name(self.moves[k])}",
            f"π = {self.p[k]:.4f}, log π = {self.now.log_p[k]:.2f}",
            f"To first order, a gradient step changes it by {plain[k]:+.2f},",
            f"a natural step by {natural[k]:+.2f}.",
        )
        return [line.replace("-", "−") for line in lines]

    def episode_words(self) -> str:
        """The episode on the board and those that have ended, in words."""
        now = self.now
        here = f"This episode: {counted(len(now.episode.turns), 'move')}, {counted(now.episode.lines, 'row')}."
        if not now.played:
            return here + " None has ended with these weights: to learn from one, play to the end."
        ended = ", ".join(f"{len(one.turns)} ({one.lines})" for one in now.played[-8:])
        return f"{here} Ended with these weights, moves (rows): {ended}."

    def shown(self) -> dict[str, Any]:
        now, p, psi, chosen, before = self.now, self.p, self.psi, self.now.chosen, self.now.p_before
        changes = {direction: self.change(direction) for direction in DIRECTIONS}
        plain, natural = (psi @ changes[direction] for direction in DIRECTIONS)
        names, move = [move_name(one) for one in self.moves], self.moves[chosen]
        idle = self.reward == "played" and not now.played
        return {
            "learning": values(direction=self.direction, episodes=self.episodes, baseline=self.baseline),
            "playing": values(piece=move.piece.name),
            "pushing": {
                "reward": {"value": self.reward},
                "gradient": {"disabled": idle},
                "natural": {"disabled": idle},
                "undo": {"disabled": not self.past},
            },
            "sliders": values(length=self.length, temperature=now.temperature, scaled=self.scaled),
            "episode": {"text": self.episode_words()},
            "board": move_data(move, above=rows_above(move)),
            "about": {"text": self.about(plain, natural)},
            "bars": {"svg": probability_chart(p, before, chosen, names)},
            "changes": {"svg": change_chart(plain, natural, chosen)},
            "gradient_words": {"text": "The gradient of log π of this move, and what a step would add to the weights"},
            "gradients": {"svg": self.gradients_svg(psi[chosen], changes)},
            "returns": {"svg": returns_chart(now.lines, now.returns, self.episodes)},
            "moves": self.table(p, before, names),
        }

    def gradients_svg(self, psi: Floats, changes: dict[str, Floats]) -> str:
        """Weights, the gradient of the move on show, and both steps, by feature."""
        columns = {"θ": self.theta, "∇ log π": psi, "gradient step": changes["gradient"]}
        columns["natural step"] = changes["natural"]
        labels = [name.replace("_", " ") for name in self.labels]
        said = ", ".join(f"{name} {value:+.3g}" for name, value in zip(labels, psi, strict=True))
        return signed_bars(labels, columns, f"Gradient of log pi of the chosen move by feature: {said}")

    def table(self, p: Floats, before: Floats | None, names: Sequence[str]) -> Spec:
        """All moves with their probabilities and features."""
        kept = [k for k, name in enumerate(self.labels) if "[" not in name]
        titles = ["move", "π", *([] if before is None else ["before"])]
        titles += [self.labels[k].replace("_", " ") for k in kept]
        lines = [
            [f"{k + 1}: {name}", f"{p[k]:.4f}", *([] if before is None else [f"{before[k]:.4f}"]),
             *(f"{self.now.phi[k, j]:g}" for j in kept)]
            for k, name in enumerate(names)
        ]  # fmt: skip
        return table_data(titles, lines, self.now.chosen, "All moves: shape from its top row down, leftmost column")

    def describe(self) -> str:
        now = self.now
        return "\n".join([self.moves[now.chosen].before.text(letters=True), self.status(), self.about(
            *(self.psi @ self.change(direction) for direction in DIRECTIONS))[0]])  # fmt: skip
