"""Feature search: a program that finds its features, one change at a time.

    search = tc.FeatureSearch("10x6", seed=1).run()
    search.features, search.player()

In each round all changes of the present features race: every word of a grammar (grammar.py) added, every feature
dropped, and the control, which changes nothing. All learn weights by CMA-ES, with the same budget on the same pieces,
from the present weights on, and from 0 for a new feature. After each rung the better half goes on, to learn from twice
as many games with smaller steps; additions and drops are halved separately, and the control always goes on. The last
addition and the last drop meet the control in many fresh games, `settle`: an addition is accepted if it is surely
better, a drop if it is surely not much worse. The search is over when neither is.

Read `advance` first. The same seed gives the same bits, also after a kill and resume=True.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import asdict
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from tqdm.auto import tqdm

from tetriscourse import checkpoints
from tetriscourse.checkpoints import Checkpoint, Description
from tetriscourse.errors import InputError, readable, whole_number
from tetriscourse.features import Feature
from tetriscourse.game.rules import Rules, as_rules
from tetriscourse.grammar import WORDS
from tetriscourse.interrupts import interrupts
from tetriscourse.optimizers.cma_es import CMAES
from tetriscourse.optimizers.contenders import (
    ADDED,
    CONTROL,
    DROPPED,
    NOTHING,
    Contender,
    after,
    better_halves,
    carried,
    changes,
    late_mean,
    of_kind,
)
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.protocol import MAX_SEED
from tetriscourse.optimizers.search_rounds import FeatureSearchSettings, SearchRound, checked_words, rival
from tetriscourse.optimizers.spreads import spreads
from tetriscourse.players import Player
from tetriscourse.random_numbers import Floats, derived_seed
from tetriscourse.settings import chosen_settings, described, explained
from tetriscourse.simulator.run import Pool, Stopped, is_shown, warn_if_slow
from tetriscourse.statistics import Comparison, Scores, compare_scores

LEARNING, PIECES, RANKING, FINAL = 1, 2, 3, 4  # labels of seeds: candidates, their games, those of a rung, of the end


class FeatureSearch:
    """A search for features by races in which each change is retrained; `run` returns it with what it has found."""

    def __init__(
        self,
        rules: Rules | str = "10x6",
        words: Sequence[str | Feature] | None = None,
        settings: FeatureSearchSettings | None = None,
        seed: int = 0,
        *,
        start: Sequence[str] = (),
        **changes: Any,
    ):
        """rules: the game; words: features to choose from, None: those of the grammar; start: the features at first."""
        self.rules = as_rules(rules)
        self.settings: FeatureSearchSettings = chosen_settings(settings, FeatureSearchSettings(), changes)
        self.seed = whole_number("seed", seed, 0, MAX_SEED)
        self.words = checked_words("words", WORDS if words is None else words)
        self.features = checked_words("start", start)
        if not self.words or len(self.features) > self.settings.most:
            few = "words is empty; a search needs at least one"
            many = f"start has {len(self.features)} features; most allows {self.settings.most}"
            raise InputError(few if not self.words else many)
        self.spreads = spreads(list(dict.fromkeys((*self.words, *self.features, *NOTHING))), self.rules)
        self.vector: Floats = np.zeros(len(self.features or NOTHING))  # weights of features divided by their spreads
        self.history: list[SearchRound] = []
        self.interrupted = False  # by Ctrl-C; `run` goes on from there
        self.start = self.features
        self.begin()

    # --- a round ----------------------------------------------------------------------------------

    def begin(self) -> None:
        """Line up the contenders of a round."""
        self.rung = self.place = self.games = self.moves = 0
        self.contenders = [self.contender(change) for change in changes(self.features, self.words, self.settings.most)]

    def contender(self, change: str) -> Contender:
        """A contender who has learned nothing yet."""
        features = after(self.features, change)
        return Contender(change, self.objective(features), carried(self.features, self.vector, features))

    def objective(self, features: Sequence[str]) -> Objective:
        """The mean lines of players with some features, whose weights are in units of the spreads."""
        seen = features or NOTHING
        return Objective(seen, self.rules, self.settings.games, signs=[1 / self.spreads[one] for one in seen])

    def advance(self, pool: Pool) -> None:
        """Train the next contender of this rung; after the last, halve them, or settle the round."""
        if self.place < len(self.contenders):
            self.train(self.contenders[self.place], pool)
            self.place += 1
        elif any(len(of_kind(kind, self.contenders)) > 1 for kind in (ADDED, DROPPED)):
            self.contenders = better_halves(self.contenders)
            self.rung, self.place = self.rung + 1, 0
        else:
            self.settle(pool)

    def train(self, one: Contender, pool: Pool) -> None:
        """Let a contender learn, and keep what it has learned if that is better than what it knew."""
        learned, seed = self.learned(one, pool), self.label(RANKING, self.rung)
        vectors, games = np.array([one.vector, learned]), self.settings.ranking << self.rung
        before, one.score = self.lines(one, vectors, seed, games, pool).mean(axis=1).tolist()
        if one.score > before:
            one.vector = learned

    def learned(self, one: Contender, pool: Pool) -> Floats:
        """What CMA-ES makes of its vector in this rung: with more games than in the last, and smaller steps."""
        s, rung = self.settings, self.rung
        optimizer = CMAES(
            len(one.vector), seed=self.label(LEARNING, rung), population=s.population, sigma=s.sigma / sqrt(2) ** rung,
            iterations=s.iterations, start=one.vector.tolist(), normalise=True,
        )  # fmt: skip
        while not optimizer.stop():
            candidates, seed = optimizer.ask(), self.label(PIECES, rung, optimizer.iteration)
            scores = self.lines(one, candidates, seed, s.games << rung, pool).mean(axis=1)
            optimizer.tell(candidates, scores)
        return late_mean(optimizer)

    def settle(self, pool: Pool) -> None:
        """Compare the last addition and the last drop with the control in fresh games, and accept one or none.

        The control plays with the weights that it has learned and with those of before; the better ones count.
        """
        before, learned, *rivals = self.contender(CONTROL), *self.contenders
        scores = [self.judged(one, pool) for one in (before, learned, *rivals)]
        k = int(scores[1].mean >= scores[0].mean)
        control, best = (before, learned)[k], scores[k]
        compared = {one.change: compare_scores(of, best) for one, of in zip(rivals, scores[2:], strict=True)}
        chosen = next((one for one in rivals if self.accepts(compared[one.change])), control)
        lines = best.mean + (compared[chosen.change].difference if chosen.change else 0.0)
        addition, drop = (rival(kind, compared) for kind in (ADDED, DROPPED))
        entrants = len(changes(self.features, self.words, self.settings.most))
        self.features, self.vector = after(self.features, chosen.change), chosen.vector
        self.history.append(SearchRound(
            chosen.change, self.features, lines, best.mean, addition, drop, entrants, self.games, self.moves
        ))  # fmt: skip
        self.begin()

    def judged(self, one: Contender, pool: Pool) -> Scores:
        """The fresh games of the final."""
        seed = self.label(FINAL)
        lines = self.lines(one, one.vector[None], seed, self.settings.final, pool)[0]
        return Scores.of(lines, player=one.change, rules=self.rules, seed=seed)

    def accepts(self, compared: Comparison) -> bool:
        """Whether a change is made: an addition that is surely better, a drop that surely costs little."""
        if compared.a.startswith(ADDED):
            return compared.better == compared.a
        return compared.low > 1 - self.settings.margin

    def lines(self, one: Contender, candidates: Floats, seed: int, games: int, pool: Pool) -> Floats:
        """The lines of each candidate, a row each, in the first games of a seed."""
        played = pool.play(one.objective.work(candidates, seed, games=games), "games")
        self.games += len(played)
        self.moves += int(played.pieces.sum())
        return np.asarray(played.lines, np.float64).reshape(len(candidates), games)

    def label(self, *labels: int) -> int:
        """A seed that belongs to this round, the same for all contenders."""
        return derived_seed(self.seed, len(self.history), *labels)

    # --- the whole search -------------------------------------------------------------------------

    def run(
        self,
        checkpoint: str | Path | None = None,
        progress: bool | None = None,
        executor: Executor | None = None,
        *,
        resume: bool = False,
        threads: int | None = None,
    ) -> FeatureSearch:
        """Search to the end, and return the search; Ctrl-C returns what there is, and `run` then goes on from there.

        checkpoint: a file for the search, at most a training old; resume: go on from it.
        """
        file = Checkpoint(checkpoint, resume)
        if arrays := file.read(self.description()):
            self.restore(arrays)
        file.write(self.description(), self.state())  # a file that cannot be written is noticed at once
        bar = tqdm(delay=0.5, miniters=0, unit="training", disable=not is_shown(progress), leave=False)
        with Pool(executor, threads) as pool, interrupts(pool), bar:
            pool.watch = lambda: bar.update(0)
            if not self.stopped:
                self.prepare()
            while not self.stopped and not pool.stopping:
                try:
                    self.advance(pool)
                except Stopped:
                    break
                bar.set_description_str(self.about(), refresh=False)
                bar.update(1)
                if file.is_due():
                    file.write(self.description(), self.state())
            self.interrupted = pool.stopping
        file.write(self.description(), self.state())
        return self

    def prepare(self) -> None:
        """Compile what the games need before any of them is played."""
        everything = Objective([*self.words, *(one for one in self.features if one not in self.words)], self.rules)
        warn_if_slow(everything.players(np.zeros((1, everything.dimension))), self.rules, "a contender")
        everything.prepare()

    @property
    def stopped(self) -> str:
        """Why the search is over; empty as long as it is not."""
        if self.history and not self.history[-1].change:
            return "no change was accepted"
        done = len(self.history) >= self.settings.rounds
        return f"all {self.settings.rounds} rounds are done" if done else ""

    def player(self, name: str = "found") -> Player:
        """The player with the features and the weights that were found."""
        source = f"feature search on {self.rules}, seed {self.seed}"
        return Player(self.features or NOTHING, self.weights.tolist(), name, source)

    @property
    def weights(self) -> Floats:
        """The weights of the features."""
        return self.objective(self.features).weights(self.vector)

    def save(self, path: str | Path, name: str = "found") -> None:
        """Keep the player in a file, for `simulate --player FILE` and mdp.saved_players.load_player."""
        one = self.player(name)
        facts = {"features": list(self.features or NOTHING), "weights": one.weights, "name": name, "source": one.source}
        checkpoints.write(checkpoints.checked_path(path, "path"), {"weighed": facts}, {}, "path")

    def about(self) -> str:
        """What it is doing."""
        round_, rung = len(self.history) + 1, self.rung + 1
        return f"round {round_}, rung {rung}: {self.place} of {len(self.contenders)}, {self.outcome()}"

    def outcome(self) -> str:
        """The features so far, and their lines."""
        lines = f": {readable(self.history[-1].lines)} lines" if self.history else ""
        return (" + ".join(self.features) or "no features") + lines

    def __repr__(self) -> str:
        state = self.stopped or ("interrupted: `run` goes on" if self.interrupted else "not finished")
        many = len(self.features)
        shown = f"{many} features" if many > 3 else " + ".join(self.features) or "no features"
        lines = f", {readable(self.history[-1].lines)} lines" if self.history else ""
        return f"FeatureSearch({self.rules}, {len(self.history)} rounds: {shown}{lines}; {state})"

    # --- a search as data -------------------------------------------------------------------------

    def description(self) -> Description:
        """Everything that identifies a search: equal descriptions give equal searches."""
        settings = described(self.settings)
        settings.pop("rounds")  # it may be made longer
        return {
            "search": "features", "seed": self.seed, "rules": described(self.rules), "settings": settings,
            "words": list(self.words), "start": list(self.start),
        }  # fmt: skip

    def state(self) -> dict[str, Any]:
        """Everything that changes, as arrays."""
        facts = {
            "features": self.features, "rounds": [asdict(one) for one in self.history],
            "changes": [one.change for one in self.contenders],
            "counters": [self.rung, self.place, self.games, self.moves],
        }  # fmt: skip
        vectors = {f"vector {k}": one.vector for k, one in enumerate(self.contenders)}
        scores = np.array([one.score for one in self.contenders])
        return {"facts": np.array(json.dumps(facts)), "vector": self.vector, "scores": scores, **vectors}

    def restore(self, arrays: dict[str, Any]) -> None:
        """Go back to a state."""
        facts = json.loads(str(arrays["facts"]))
        self.features, self.vector = tuple(facts["features"]), np.array(arrays["vector"])
        self.history = [SearchRound.of(one) for one in facts["rounds"]]
        self.rung, self.place, self.games, self.moves = facts["counters"]
        self.contenders = [self.contender(change) for change in facts["changes"]]
        for k, one in enumerate(self.contenders):
            one.vector, one.score = np.array(arrays[f"vector {k}"]), float(arrays["scores"][k])


FeatureSearch.__doc__ = "\n".join(
    [FeatureSearch.__doc__ or "", "", "    Settings:", *explained(FeatureSearchSettings())]
)
