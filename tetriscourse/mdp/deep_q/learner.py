"""Deep Q-learning: a network in place of the table (Muller and Ponton 2019, chapter 9; Mnih et al. 2015).

Start at `DeepQ.step`, the body of the printed algorithm. It differs from the print in three places where the print
contradicts the chapter's own text:

- the print tests whether E[j][0] is final; it is s', E[j][3], that may be: nothing is played from a final state;
- the print indents all that follows under the test for refreshing the second network; it is done at every step;
- the print gives the second network weights 0 at first; section 3 has it "initially identical" to the first.

And it stops after a number of steps where the print counts games, because a game that is played well has no end.

It learns three problems: `DominoGrid` (domino_grid.py), the game of chapter 8 seen as cells; `MoveValues`
(move_values.py), Tetris, where the network values moves by their features; and `AfterstateValues` (afterstates.py),
where it values the boards that moves lead to, and a state knows what each move is paid.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan
from typing import Any, ClassVar

import numpy as np

from tetriscourse.errors import InputError, finite_numbers, whole_number
from tetriscourse.history import History
from tetriscourse.mdp.deep_q.network import LOSSES, OPTIMIZERS, Network
from tetriscourse.mdp.deep_q.replay import Experiences, Problem, ReplayMemory, State, checked_problem
from tetriscourse.mdp.learning_loop import Learner, exploration
from tetriscourse.random_numbers import Draws, Floats, derived_seed
from tetriscourse.settings import Settings, chosen_settings, setting
from tetriscourse.simulator.run import MAX_SEED


def layer_sizes(hidden: Any) -> tuple[int, ...]:
    """The units in each hidden layer."""
    return tuple(whole_number("hidden", size, 1) for size in finite_numbers("hidden", hidden))


@dataclass(frozen=True)
class DeepQSettings(Settings):
    """Settings of a run; the defaults are for the domino."""

    gamma: float = setting(0.9, "what a reward is worth a step later", at_least=0, at_most=1)
    learning_rate: float = setting(0.001, "alpha of the descent", above=0)
    epsilon_min: float = setting(0.01, "the share of random actions in the end", at_least=0, at_most=1)
    epsilon_max: float = setting(1.0, "the share of random actions at first", at_least="epsilon_min", at_most=1)
    tau: float = setting(0.001, "its decay: epsilon_min + (epsilon_max - epsilon_min) exp(-tau t)", at_least=0)
    memory: int = setting(10_000, "experiences in the replay memory, first filled by random play", at_least=1)
    batch: int = setting(32, "experiences in a minibatch", at_least=1)
    refresh: int = setting(500, "steps after which the second network becomes a copy of the first", at_least=1)
    steps: int = setting(50_000, "when to stop", at_least=1)
    hidden: tuple[int, ...] = setting((64, 64), "units in each hidden layer", read=layer_sizes)
    target_network: bool = setting(True, "whether there is a second network; False: the first one gives the targets")
    double: bool = setting(False, "whether the first network chooses the action that the second one values")
    train_every: int = setting(1, "steps between two minibatches", at_least=1)
    optimizer: str = setting("adam", f"the descent: {' or '.join(OPTIMIZERS)}", one_of=OPTIMIZERS)
    loss: str = setting("squared", f"of the error of a value: {' or '.join(LOSSES)}", one_of=LOSSES)
    reward_lost: float = setting(0.0, "added to the reward when the game is lost; 0 in the paper")
    max_pieces: int = setting(0, "pieces after which a training game is cut off; 0: none", at_least=0)
    judge_every: int = setting(0, "steps between judgements; the best network is kept; 0: the last one", at_least=0)
    judge_games: int = setting(20, "games of a judgement, different from those of training", at_least=1)
    judge_pieces: int = setting(5_000, "pieces after which such a game is cut off", at_least=1)
    record_every: int = setting(250, "steps between two entries in the history", at_least=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.double and not self.target_network:
            raise InputError("double is True; it must be False with target_network=False: it needs a second network")


DEEP_Q: dict[str, DeepQSettings] = {
    "domino": DeepQSettings(max_pieces=200, judge_every=1_000),
    "tetris": DeepQSettings(
        gamma=0.99, tau=0.0005, refresh=100, steps=60_000, hidden=(32, 32), max_pieces=2_000,
        judge_every=2_000, judge_games=30,
    ),
}  # fmt: skip
COUNTED = ("descents", "loss", "greedy", "q", "games", "pieces", "lines")  # sums between two entries of the history
STORED = ("mean", "sd", "best", "best_theta", "tally")  # attributes of `DeepQ` that are stored as they are


class DeepQ(Learner):
    """Deep Q-learning: a network gives the values of all actions in a state.

    The print has French names. Res_P ("réseau principal") is the main network, which chooses the actions and learns:
    here `network`. Res_S ("réseau secondaire") is the second one, a copy refreshed now and then, which gives the values
    that the first one aims at: here `target`. temps_t is the time, in steps: here `t`.
    The default settings are those of DEEP_Q for the problem, if there are any, else those listed here.
    """

    name: ClassVar[str] = "deep-q"
    unit: ClassVar[str] = "step"
    longer: ClassVar[str] = "steps"
    Settings: ClassVar[Any] = DeepQSettings
    settings: DeepQSettings

    def __init__(self, problem: Problem, settings: DeepQSettings | None = None, seed: int = 0, **changes: Any):
        self.problem, self.seed = checked_problem(problem), whole_number("seed", seed, 0, MAX_SEED)
        self.settings = chosen_settings(settings, DEEP_Q.get(problem.name, DeepQSettings()), changes)
        self.memory = ReplayMemory(self.settings.memory, problem.rows, problem.inputs, problem.outputs)
        self.network = Network((problem.inputs, *self.settings.hidden, problem.outputs), derived_seed(self.seed, 1))
        self.target = self.network.copy() if self.settings.target_network else self.network
        self.optimizer = OPTIMIZERS[self.settings.optimizer](len(self.network.theta), self.settings.learning_rate)
        self.mean, self.sd = np.zeros(problem.inputs), np.ones(problem.inputs)  # inputs are scaled by these
        self.t = self.episode = self.pieces = self.lines = 0  # steps and games; pieces and lines of the present game
        self.best, self.best_theta = np.full(1, -inf), self.network.theta.copy()  # best judgement, and who earned it
        self.history, self.tally = History(), np.zeros(len(COUNTED))
        self.game_seed = derived_seed(self.seed, 2)
        self.s = problem.start(self.game_seed, 0)

    # --- the two loops of the print ---------------------------------------------------------------

    def fill(self) -> None:
        """One step of the first loop: random play, until the memory is full."""
        self.experience(self.random_action(Draws(derived_seed(self.seed, 3), self.memory.count)))
        if self.memory.is_full:
            if self.problem.standardised:
                self.mean = self.memory.x.mean(axis=0, dtype=np.float64)
                self.sd = np.maximum(self.memory.x.std(axis=0, dtype=np.float64), 1e-3)
            self.tally[:] = 0
            self.begin_game()

    def step(self) -> None:
        """One step of the second loop."""
        draws = Draws(self.seed, self.t)
        if self.t % self.settings.refresh == 0:  # Res_S = Res_P
            self.target.theta[:] = self.network.theta
        a = self.random_action(draws) if draws.uniform() < self.epsilon else self.best_action()
        self.experience(a)  # [s, a, r, s'] goes to the memory, and s = s'
        if self.t % self.settings.train_every == 0:
            self.descend(self.memory.sample(self.settings.batch, draws))
        self.t += 1

    @property
    def epsilon(self) -> float:
        """The share of random actions now."""
        return exploration(self.settings, self.t)

    def random_action(self, draws: Draws) -> int:
        """Any action that is allowed."""
        actions = np.flatnonzero(self.s.allowed)
        return int(actions[draws.below(len(actions))])

    def best_action(self) -> int:
        """An action a such that Res_P(s, a) == Res_P(s)_max."""
        q = self.values(self.network, self.s)
        self.count(greedy=1, q=float(q.max()))
        return int(q.argmax())

    def experience(self, a: int) -> None:
        """Take action a, remember (s, a, r, s') and go to s', or to the next game if s' is final."""
        following, rows, at_rest, lost = self.problem.act(a)
        r = self.problem.rules.points(rows) + self.settings.reward_lost * lost
        self.memory.add(self.s, a, r - self.s.paid(a), following, lost)
        self.s, self.pieces, self.lines = following, self.pieces + at_rest, self.lines + rows
        if lost or 0 < self.settings.max_pieces <= self.pieces:
            self.count(games=1, pieces=self.pieces, lines=self.lines)
            self.begin_game()

    def begin_game(self) -> None:
        """Go to the initial state of the next game."""
        self.episode, self.pieces, self.lines = self.episode + 1, 0, 0
        self.s = self.problem.start(self.game_seed, self.episode)

    def descend(self, E: Experiences) -> None:
        """One step down the gradient of the mean of (Res_P(s, a) - y)² over the minibatch E."""
        y = E.r + self.settings.gamma * np.where(E.final, 0.0, self.value_of_following(E))
        j = np.arange(len(y))
        q = self.network.forward(self.scaled(E.x))
        loss, slope = LOSSES[self.settings.loss](q[j, E.output] - y)
        dq = np.zeros_like(q)
        dq[j, E.output] = slope / len(y)
        self.optimizer.step(self.network.theta, self.network.backward(dq))
        self.count(descents=1, loss=float(loss.mean()))

    def value_of_following(self, E: Experiences) -> Floats:
        """Res_S(s')_max; with `double`, the value by Res_S of the action that Res_P prefers (van Hasselt 2016)."""
        s = State(E.following, E.allowed, E.rewards)
        q = self.values(self.target, s)
        if not self.settings.double:
            return np.asarray(q.max(axis=1))
        a = self.values(self.network, s).argmax(axis=1)
        return np.asarray(q[np.arange(len(a)), a])

    def values(self, network: Network, s: State) -> Floats:
        """Q(s, a) of all actions, what s knows of the reward and the output; -inf if an action is not allowed."""
        used = s.allowed.reshape(*s.rows.shape[:-1], self.problem.outputs).any(axis=-1)  # leaves out the padding
        q = np.full((*used.shape, self.problem.outputs), -inf)
        q[used] = network(self.scaled(s.rows[used]))
        return np.where(s.allowed, s.rewards + q.reshape(s.allowed.shape), -inf)

    def scaled(self, x: Floats) -> Floats:
        """The inputs as the network gets them."""
        return np.asarray((x - self.mean) / self.sd)

    # --- judgements and history -------------------------------------------------------------------

    def last(self) -> Network:
        """The current network, for inputs that are not scaled."""
        return self.network.unscaled(self.mean, self.sd)

    def learned(self) -> Network:
        """The network that was judged best, or the last one if none was, for inputs that are not scaled."""
        best = self.network.copy()
        if self.best[0] > -inf:
            best.theta[:] = self.best_theta
        return best.unscaled(self.mean, self.sd)

    def player(self, name: str = "deep-q") -> Any:
        """The player of that network: a NetworkPlayer, or a GridAgent for the domino."""
        return self.problem.player(self.learned(), name)

    def judge(self) -> None:
        """Let the current network play, and keep it if none was better; one that has diverged cannot play (nan)."""
        games, most, network = self.settings.judge_games, self.settings.judge_pieces, self.last()
        score = self.problem.judge(network, games, most, derived_seed(self.seed, 4)) if network.is_finite else nan
        self.history.add(judged_at=self.t, judged=score)
        if score > self.best[0]:
            self.best[0], self.best_theta = score, self.network.theta.copy()

    def count(self, **amounts: float) -> None:
        """Add to the sums for the history."""
        for name, amount in amounts.items():
            self.tally[COUNTED.index(name)] += amount

    def record(self) -> None:
        """Add an entry to the history: means since the last one, nan of what did not happen."""
        descents, loss, greedy, q, games, pieces, lines = self.tally.tolist()
        self.history.add(
            steps=self.t, episodes=self.episode, epsilon=self.epsilon, loss=loss / descents if descents else nan,
            q=q / greedy if greedy else nan, pieces=pieces / games if games else nan,
            lines=lines / games if games else nan,
        )  # fmt: skip
        self.tally[:] = 0

    # --- the protocol of a learner ----------------------------------------------------------------

    @property
    def done(self) -> int:
        return self.t

    @property
    def goal(self) -> int:
        """All steps, or those so far once a network is proved never to lose."""
        return self.t if self.best[0] == inf else self.settings.steps

    def advance(self) -> None:
        """A few steps of either loop."""
        for _ in range(64):
            if not self.memory.is_full:
                self.fill()
            elif self.t < self.goal:
                with np.errstate(over="ignore", invalid="ignore"):  # a run that diverges shows it by its loss
                    self.step()
                if self.t % self.settings.record_every == 0:
                    self.record()
                if self.settings.judge_every and self.t % self.settings.judge_every == 0:
                    self.judge()

    def about(self) -> str:
        if not self.memory.is_full:
            return f"random play, {len(self.memory):,} experiences"
        return f"game {self.episode:,}, epsilon {self.epsilon:.2f}"

    def __repr__(self) -> str:
        steps = f"{self.done:,} of {self.settings.steps:,} steps, {self.episode:,} games"
        return f"{type(self).__name__}({self.problem!r}: {steps}{', proved endless' if self.best[0] == inf else ''})"

    def description(self) -> dict[str, Any]:
        return super().description() | {"problem": self.problem.description()}

    def state(self) -> dict[str, Any]:
        """Networks, moments of the descent, memory, current game, counters and history."""
        arrays = {name: getattr(self, name) for name in STORED}
        counters = np.array([self.t, self.episode, self.pieces, self.lines, self.optimizer.t])
        networks = {"theta": self.network.theta, "target": self.target.theta, "moments": self.optimizer.moments}
        kept = arrays | networks | self.history.arrays("history_") | {"counters": counters}
        return kept | self.memory.state() | self.problem.state()

    def restore(self, arrays: dict[str, Any]) -> None:
        for name in STORED:
            setattr(self, name, arrays[name].copy())
        self.t, self.episode, self.pieces, self.lines, self.optimizer.t = map(int, arrays["counters"])
        self.network.theta[:], self.target.theta[:] = arrays["theta"], arrays["target"]
        self.optimizer.moments[:] = arrays["moments"]
        self.history = History.of(arrays, "history_")
        self.memory.restore(arrays)
        self.s = self.problem.restore(arrays)
