"""Policy panel: the probabilities of the moves on a board, the gradient of a move, and what a step changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from tetriscourse.errors import InputError, counted, finite_numbers, one_of, shown, whole_number
from tetriscourse.features import FeatureSet, as_feature_set
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move
from tetriscourse.game.pieces import Piece
from tetriscourse.game.rules import Rules, short_name
from tetriscourse.mdp.policies.policy_gradient import (
    GradientSettings,
    advantages,
    expected_uphill,
    fisher,
    gradients,
    log_gradients,
    softmax,
    stepped,
    uphill,
)
from tetriscourse.mdp.policies.samples import discounted_sums
from tetriscourse.players import Player
from tetriscourse.random_numbers import Floats, derived_seed
from tetriscourse.widgets.blocks import (
    Spec,
    button,
    check,
    column,
    controls,
    drawing,
    row,
    select,
    slider,
    table,
    table_data,
    text,
)
from tetriscourse.widgets.blocks import board as board_block
from tetriscourse.widgets.board_view import move_data
from tetriscourse.widgets.candidates import move_name
from tetriscourse.widgets.gallery import rows_above
from tetriscourse.widgets.inputs import option, real, sets, values, whole
from tetriscourse.widgets.policy.charts import change_chart, probability_chart, returns_chart, signed_bars
from tetriscourse.widgets.policy.episodes import Episode, samples_of
from tetriscourse.widgets.positions import given_position, piece_of
from tetriscourse.widgets.step_controls import LearningPanel

FEATURES = ("lines", "landing_height", "holes", "row_transitions", "wells")
"""By default: what a move gains, and four of DN's features."""

DIRECTIONS = {"gradient": "gradient", "natural": "natural gradient"}
REWARDS = {"up": "+1 for the move on show", "down": "−1 for the move on show", "played": "what episodes gained"}
AS_THEY_ARE = "as they are"
SCALE = 10.0
LIVE, ROUND = 1, 2  # labels that separate the seeds of episodes
STANDARD = GradientSettings()


@dataclass(frozen=True, eq=False)
class Standing:
    """Everything that a step changes, and that Undo brings back."""

    theta: Floats  # weights, for features in the present units
    units: Floats  # what each feature is multiplied with
    episode: Episode  # the one on the board
    chosen: int = 0  # number of the move on show
    begun: int = 0  # episodes begun by hand
    before: Floats | None = None  # weights before the last step, for features as they are and a temperature of 1
    played: tuple[Episode, ...] = ()  # from which the next step learns
    rounds: int = 0
    lines: tuple[float, ...] = ()  # mean of each round
    returns: tuple[float, ...] = ()

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The moves on the board."""
        return self.episode.moves

    @cached_property
    def features(self) -> Floats:
        """Their features as they are, a row each."""
        return self.episode.phi(self.moves)


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
        "Press Start and watch a policy learn from its own games. Is the natural gradient faster? Reset and compare.",
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
        self.features: FeatureSet = as_feature_set(features)
        self.seed = whole_number("seed", seed, 0)
        self.given = weights
        self.start_at(rules, board, piece)
        self.episodes = whole_number("episodes", episodes, 1, 100)
        self.temperature = real("temperature", at_least=0.1, at_most=10)(temperature)
        self.length = STANDARD.step
        self.reward, self.direction, self.baseline, self.scaled = "up", "natural", True, AS_THEY_ARE
        super().__init__(*self.layout(), steps=steps)

    def start_at(self, rules: Rules | str, board: Board | None, piece: Piece | str | None) -> None:
        """Take the position from which everything starts."""
        found = given_position(rules, self.seed, board, piece)
        if not found.moves:
            raise InputError(f"board is {shown(found.board)}; {found.piece} has no move there")
        self.rules, self.start_board, self.start_piece = found.rules, found.board, found.piece
        self.labels = self.features.labels(self.rules.width)
        weights = [0.0] * len(self.labels) if self.given is None else self.given
        self.weights = np.array(finite_numbers("weights", weights))
        if len(self.weights) != len(self.labels):
            raise InputError(f"weights has {len(self.weights)} numbers; there are {len(self.labels)} features")

    def layout(self) -> list[Spec]:
        """The blocks below the buttons for rounds."""
        learning = controls(
            "learning",
            select("direction", "rounds follow the", list(DIRECTIONS.items())),
            slider("episodes", "episodes a round", 1, 100, 1),
            check("baseline", "with baseline", "subtract what a board like this gains on average"),
        )
        pushing = controls(
            "pushing",
            select("reward", "reward", list(REWARDS.items())),
            button("gradient", "Gradient step"),
            button("natural", "Natural step"),
            button("undo", "Undo", "take back the last change of weights or board"),
        )
        sliders = controls(
            "sliders",
            slider("length", "step size", 0.05, 3, 0.05, "how much a step changes log π, as a root mean square"),
            slider("temperature", "temperature", 0.1, 10, 0.1, "the scores are divided by it"),
            select("scaled", "features times 10", [AS_THEY_ARE, *(one.name for one in self.features.features)]),
        )
        stepping = controls(
            "stepping",
            button("previous", "← Previous"),
            button("next", "Next →"),
            button("likeliest", "Likeliest"),
        )
        playing = controls(
            "playing",
            button("take", "Take a move", "drawn by the policy"),
            button("finish", "Play to the end", "of this episode"),
            select("piece", "piece", [one.name for one in self.rules.pieces]),
        )
        left = column(board_block("board"), stepping, text("about", live=True))
        right = column(drawing("bars"), drawing("changes"))
        below = row(column(text("gradient_words", "soft"), drawing("gradients")), drawing("returns"))
        return [learning, playing, pushing, sliders, text("episode", "soft", live=True), row(left, right), below,
                table("moves", pick=True)]  # fmt: skip

    # --- the policy -------------------------------------------------------------------------------

    def restart(self) -> None:
        self.scaled = AS_THEY_ARE
        self.past: list[Standing] = []
        first = Episode(self.rules, self.features, self.live_seed(0), self.start_board, self.start_piece)
        self.now = Standing(self.weights.copy(), np.ones(len(self.weights)), first)
        self.now = replace(self.now, chosen=int(self.p.argmax()))

    def live_seed(self, number: int) -> int:
        """The seed of an episode played by hand; the first has the pieces of the panel's seed."""
        return derived_seed(self.seed, LIVE, number) if number else self.seed

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves on the board."""
        return self.now.moves

    @property
    def theta(self) -> Floats:
        """The weights, for features in their present units."""
        return self.now.theta

    @property
    def phi(self) -> Floats:
        """The features of the moves in their present units, a row each."""
        return self.now.features * self.now.units

    @property
    def p(self) -> Floats:
        """The probability of each move."""
        return softmax(self.phi, self.theta / self.temperature)

    @property
    def psi(self) -> Floats:
        """The gradient of log pi of each move by the weights, a row each."""
        return log_gradients(self.phi, self.theta / self.temperature) / self.temperature

    @property
    def entropy(self) -> float:
        """The entropy of the probabilities, in nats."""
        p = self.p[self.p > 0]
        return float(-(p * np.log(p)).sum()) + 0.0

    def player(self, name: str = "policy") -> Player:
        """The greedy player with these weights."""
        return Player(self.features, (self.theta * self.now.units).tolist(), name)

    def change(self, direction: str) -> Floats:
        """What a step would add to the weights, for the reward that is set."""
        beta, T = self.theta / self.temperature, self.temperature
        if self.reward == "played":
            return T * (self.learned(beta, direction, self.now.played) - beta) if self.now.played else 0 * beta
        reward = np.zeros(len(self.moves))
        reward[self.now.chosen] = 1.0 if self.reward == "up" else -1.0
        w = expected_uphill(self.phi, beta, reward, direction)
        size = float(np.sqrt(w @ fisher(self.phi, beta) @ w))
        return T * (stepped(beta, w, size, self.length) - beta)

    def learned(self, beta: Floats, direction: str, episodes: Sequence[Episode]) -> Floats:
        """The weights after a step of `PolicyGradient` from these episodes."""
        D = samples_of(episodes, self.now.units)
        made, gamma, ridge = D.chosen >= 0, STANDARD.gamma, STANDARD.ridge
        psi = gradients(D, beta)[made]
        gain = advantages(D, gamma, ridge) if self.baseline else discounted_sums(D.rewards, D.ends, gamma)
        w = uphill(psi, gain[made], direction, ridge)
        return stepped(beta, w, float(np.sqrt(np.square(psi @ w).mean())), self.length)

    # --- steps ------------------------------------------------------------------------------------

    def remember(self) -> None:
        """Keep the present for Undo; a round that is being played belongs to the past."""
        self.forget()
        self.past.append(self.now)

    def step_along(self, direction: str) -> None:
        """Take a step for the reward that is set."""
        added = self.change(direction)
        if not np.abs(self.psi @ added).max() > 1e-9:
            raise InputError("this step has no direction: nothing that was done gained more than anything else")
        self.remember()
        self.set_weights(self.theta + added)

    def set_weights(self, theta: Floats) -> None:
        """Go on with other weights; what was played with the old ones is no sample of the new policy."""
        now, here = self.now, self.now.episode
        fresh = replace(here, start=here.board, first=here.piece, turns=(), seed=self.live_seed(now.begun + 1))
        before = now.theta * now.units / self.temperature
        self.now = replace(now, theta=theta, before=before, episode=fresh, begun=now.begun + 1, played=())

    def compute(self) -> Any:
        """A round: the episodes of the present policy, each from the empty board."""
        with self.lock:
            now, count, beta = self.now, self.episodes, self.theta * self.now.units / self.temperature
        seed, board = derived_seed(self.seed, ROUND, now.rounds), self.rules.empty_board()
        first = [Episode(self.rules, self.features, derived_seed(seed, k), board) for k in range(count)]
        return [one.played(beta) for one in first]

    def apply(self, result: Any) -> None:
        self.remember()
        D = samples_of(result, self.now.units)
        G = discounted_sums(D.rewards, D.ends, STANDARD.gamma)
        starts = np.cumsum([0, *(len(one.rows) for one in result)])[:-1]
        self.set_weights(self.temperature * self.learned(self.theta / self.temperature, self.direction, result))
        now, lines = self.now, float(np.mean([one.lines for one in result]))
        self.now = replace(
            now, rounds=now.rounds + 1, lines=(*now.lines, lines), returns=(*now.returns, float(G[starts].mean()))
        )

    def takes_long(self) -> bool:
        return True

    def ended(self) -> None:
        """If the episode on the board is over, keep it as a sample, and begin another on the board it began on."""
        now, episode = self.now, self.now.episode
        if now.moves and not episode.is_cut:
            self.now = replace(now, chosen=int(self.p.argmax()))
            return
        begun = now.begun + 1
        fresh = Episode(self.rules, self.features, self.live_seed(begun), self.start_board, self.start_piece)
        self.now = replace(now, episode=fresh, begun=begun, played=(*now.played, episode))
        self.now = replace(self.now, chosen=int(self.p.argmax()))
        self.reward = "played"

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
        self.remember()
        episode = self.now.episode.taken(self.theta * self.now.units / self.temperature)
        self.now = replace(self.now, episode=episode)
        self.ended()

    def when_finish(self, value: Any) -> None:
        self.remember()
        self.now = replace(
            self.now, episode=self.now.episode.played(self.theta * self.now.units / self.temperature)
        )
        self.ended()

    def when_undo(self, value: Any) -> None:
        if not self.past:
            raise InputError("nothing is left to undo")
        self.forget()
        units = self.now.units
        self.now = self.past.pop()
        self.now = replace(self.now, units=units, theta=self.now.theta * self.now.units / units)

    def when_temperature(self, value: Any) -> None:
        new = real("temperature", at_least=0.1, at_most=10)(value)
        self.forget()
        self.set_weights(self.theta)
        self.temperature = new

    def when_scaled(self, value: Any) -> None:
        """Change the units of a feature, and its weight so that the policy stays the same."""
        name = one_of("features times 10", value, [AS_THEY_ARE, *(one.name for one in self.features.features)])
        new = np.array([SCALE if label.partition("[")[0] == name else 1.0 for label in self.labels])
        self.forget()
        self.scaled, self.now = name, replace(self.now, units=new, theta=self.theta * self.now.units / new)

    def when_piece(self, value: Any) -> None:
        piece, here = piece_of(self.rules, value), self.now.episode
        fresh = replace(here, start=here.board, first=piece, turns=())
        if not fresh.moves:
            raise InputError(f"piece is {shown(value)}; it has no move on this board")
        self.remember()
        self.now = replace(self.now, episode=fresh, chosen=0)
        self.now = replace(self.now, chosen=int(self.p.argmax()))

    def choose(self, number: int) -> None:
        """Show another move."""
        self.now = replace(self.now, chosen=whole_number("move", number, 0, len(self.moves) - 1))

    def when_moves(self, value: Any) -> None:
        self.choose(value)

    def when_bars(self, value: Any) -> None:
        self.choose(value)

    def when_previous(self, value: Any) -> None:
        self.choose((self.now.chosen - 1) % len(self.moves))

    def when_next(self, value: Any) -> None:
        self.choose((self.now.chosen + 1) % len(self.moves))

    def when_likeliest(self, value: Any) -> None:
        self.choose(int(self.p.argmax()))

    # --- pictures and texts -----------------------------------------------------------------------

    def status(self) -> str:
        now = self.now
        most = float(np.log(len(self.moves)))
        entropy = f"entropy {self.entropy:.2f} of at most {most:.2f}"
        if not now.rounds:
            return f"{short_name(self.rules)}, no round yet: {entropy}"
        return f"round {now.rounds}: {now.lines[-1]:.2f} lines an episode, return {now.returns[-1]:.2f}; {entropy}"

    def about(self, plain: Floats, natural: Floats) -> list[str]:
        """The move on show, in words."""
        now, p = self.now, float(self.p[self.now.chosen])
        return [
            f"Move {now.chosen + 1} of {len(self.moves)}: {move_name(self.moves[now.chosen])}",
            f"π = {p:.4f}, log π = {np.log(p):.2f}".replace("-", "−"),
            f"A gradient step would change its log π by {plain[now.chosen]:+.2f},".replace("-", "−"),
            f"a natural step by {natural[now.chosen]:+.2f}.".replace("-", "−"),
        ]

    def episode_words(self) -> str:
        """The episode on the board and those that have ended, in words."""
        now = self.now
        here = f"This episode: {counted(len(now.episode.turns), 'move')}, {counted(now.episode.lines, 'row')}."
        if not now.played:
            return here + " None has ended with these weights."
        ended = ", ".join(f"{len(one.turns)} ({one.lines})" for one in now.played[-8:])
        return f"{here} Ended with these weights, moves (rows): {ended}."

    def shown(self) -> dict[str, Any]:
        now, p, psi, chosen = self.now, self.p, self.psi, self.now.chosen
        changes = {direction: self.change(direction) for direction in DIRECTIONS}
        plain, natural = (psi @ changes[direction] for direction in DIRECTIONS)
        names, move = [move_name(one) for one in self.moves], self.moves[chosen]
        before = None if now.before is None else softmax(now.features, now.before)
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
            "sliders": values(length=self.length, temperature=self.temperature, scaled=self.scaled),
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
             *(f"{self.phi[k, j]:g}" for j in kept)]
            for k, name in enumerate(names)
        ]  # fmt: skip
        return table_data(titles, lines, self.now.chosen, "All moves: shape from its top row down, leftmost column")

    def describe(self) -> str:
        now = self.now
        return "\n".join([self.moves[now.chosen].before.text(letters=True), self.status(), self.about(
            *(self.psi @ self.change(direction) for direction in DIRECTIONS))[0]])  # fmt: skip
