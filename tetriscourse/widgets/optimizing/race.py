"""A race to watch: candidates play until it is clear enough who is among the best, and only those still in doubt."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

from tetriscourse.errors import InputError, counted, one_of, whole_number
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.protocol import MAX_SEED
from tetriscourse.optimizers.racing import BOUNDS, Race, Racing, RacingSettings
from tetriscourse.random_numbers import Floats
from tetriscourse.widgets import blocks
from tetriscourse.widgets.inputs import option, real, sets
from tetriscourse.widgets.optimizing import race_charts
from tetriscourse.widgets.optimizing.lineups import Field, KnownScores, Players, fields_of, scored
from tetriscourse.widgets.optimizing.playing import PlayingPanel
from tetriscourse.widgets.optimizing.race_charts import ORDERS, VIEWS, Settled
from tetriscourse.widgets.panel import typed_number, typed_whole

MOST_CANDIDATES = 40
NEXT = "next race"
BLANK = "\u00a0"  # a line that keeps its place, so that nothing moves when it has something to say


class RacePanel(PlayingPanel):
    """Races as in Boumaza 2013, section 5.2: lambda candidates, mu places, one evaluation of each in a round.

    `race` is the present Race, `racing` the Racing that carries the limit on, `lineup` the candidates (`vectors` or
    `truth`), `settled` the races before. The scores are those that `run_race` takes: same seeds, same games.
    """

    title = "Racing"
    unit = "round"
    tries = (
        "Press Start: a candidate whose bar is clear of enough others leaves. The area of 'still play' is its cost.",
        "When the race is over, choose 'hoeffding': the same scores, but bars that hold for any distribution. Who "
        "would have left? With normal scores and a limit of 1000, which is the first to decide, it or 'bernstein'?",
        "Tick 'race after race' and let five run as fast as possible: undecided races raise the limit, decided ones "
        "lower it. Let a dozen run if you have a minute: how many of those that 'tetris' decided were wrong?",
        "Race real players on Tetris 6x12: single games say little, yet the worst are found out after a few.",
    )

    def __init__(
        self, field: Field | Objective | str = "exponential scores", settings: RacingSettings | str | None = None, *,
        candidates: int | Sequence[Sequence[float]] | Floats = 10, mu: int | None = None, seed: int = 0, steps: int = 0,
    ):  # fmt: skip
        """Race candidates of a field: a name of the menu, or an Objective for players.

        settings: RacingSettings or a bound's name; candidates: how many, or the weights of each, one per row (for an
        Objective); mu: places, half of them if None; steps: rounds before anything is shown.
        """
        self.seed = whole_number("seed", seed, 0, MAX_SEED)
        self.fields = fields_of(field, candidates)
        self.field = next(iter(self.fields))  # the name of the present field
        given = getattr(self.fields[self.field], "vectors", None)
        self.candidates = whole_number("candidates", candidates if given is None else len(given), 2, MOST_CANDIDATES)
        self.mu = whole_number("mu", self.candidates // 2 if mu is None else mu, 1, self.candidates - 1)
        self.settings = self.chosen_settings(settings)
        self.order, self.view = ORDERS[0], VIEWS[0]
        self.truth_seen = self.onward = False
        super().__init__(*self.layout(), steps=steps)

    def chosen_settings(self, settings: RacingSettings | str | None) -> RacingSettings:
        """The given settings, or a bound with limits that fit a panel."""
        if isinstance(settings, RacingSettings):
            return settings
        bound = "tetris" if settings is None else one_of("settings", settings, BOUNDS)
        field = self.fields[self.field]
        return RacingSettings(bound, low=field.low, high=field.high, r_min=50, r_max=1000)

    def layout(self) -> list[blocks.Spec]:
        who = blocks.controls(
            "who",
            blocks.select("field", "scores of", list(self.fields), "starts over"),
            blocks.number("candidates", "candidates", "lambda; starts over"),
            blocks.number("places", "places", "mu; starts over"),
            blocks.check("onward", "race after race", "go on with the next race when one is over"),
            blocks.check("truth", "the true means", "known for made-up scores only"),
            blocks.button("next", "Next race", "new candidates; the limit follows from this race"),
        )
        bounds = blocks.controls(
            "bounds",
            blocks.select("bound", "bound", list(BOUNDS), "how wide the bars are; the same scores are judged again"),
            blocks.slider("delta", "delta", 0.001, 0.5, 0.001, "the probability that a decided race is wrong, at most"),
            blocks.number("limit", "limit", "r_limit: rounds at most"),
            blocks.select("order", "order", ORDERS),
            blocks.select("view", "show", VIEWS),
        )
        charts = blocks.column(blocks.drawing("playing"), blocks.drawing("races"))
        seen = blocks.row(blocks.drawing("bars"), charts, blocks.table("candidates"))
        return [who, bounds, blocks.text("verdict", "soft", live=True), seen]

    def restart(self) -> None:
        self.racing = Racing(self.settings)
        self.settled: list[Settled] = []
        self.begin()

    def begin(self) -> None:
        """A race with new candidates."""
        self.lineup = self.fields[self.field].lineup(self.seed, len(self.settled), self.candidates)
        self.known: KnownScores = {}  # the scores of this race
        self.race: Race = self.racing.next_race(self.candidates, self.mu)

    def compute(self) -> tuple[list[int], Floats] | str | None:
        """The scores of one round, for the candidates that are still wanted."""
        with self.lock:
            race, lineup, wanted, rounds = self.race, self.lineup, self.race.wanted, self.race.rounds
        if not wanted:
            return NEXT if self.onward and race is self.race else None
        self.compile()
        return wanted, lineup.scores(rounds, wanted)

    def played_objective(self) -> Objective | None:
        field = self.fields[self.field]
        return field.objective if isinstance(field, Players) else None

    def apply(self, result: tuple[list[int], Floats] | str) -> None:
        if isinstance(result, str):
            self.go_on()
            return
        wanted, scores = result
        self.known |= scored(self.race.rounds, wanted, scores)
        self.race.add(wanted, scores)

    def go_on(self) -> None:
        """Settle the race that is over, and begin the next."""
        race = self.race
        self.racing.settle(race)
        wrong = self.lineup.wrong_places(race)
        self.settled.append(Settled(race.limit, race.evaluations, race.allowed, race.decided, wrong))
        self.begin()

    def judge_again(self) -> None:
        """Run the race again with the present settings and limit, as far as its scores are known."""
        self.forget()
        self.racing.settings = self.settings
        race = self.racing.next_race(self.candidates, self.mu)
        self.lineup.replay(race, self.known)
        self.race = race

    def is_over(self) -> str:
        return "" if self.race.undecided or self.onward else "press 'Next race'"

    when_bound = sets("settings.bound", option("bound", BOUNDS), then="judge_again")
    when_delta = sets("settings.delta", real("delta", above=0, below=1), then="judge_again")
    when_onward = sets("onward", bool)
    when_order = sets("order", option("order", ORDERS))
    when_view = sets("view", option("show", VIEWS))
    when_truth = sets("truth_seen", bool)

    def when_next(self, value: Any) -> None:
        if self.race.undecided:
            raise InputError(f"{counted(len(self.race.undecided), 'candidate')} undecided; the race must be over first")
        self.forget()
        self.go_on()

    def when_field(self, value: Any) -> None:
        name = one_of("scores of", value, self.fields)
        chosen = self.fields[name]
        self.settings = replace(self.settings, low=chosen.low, high=chosen.high)
        self.field = name
        given = getattr(chosen, "vectors", None)
        self.resize(self.candidates if given is None else len(given), self.mu)

    def when_candidates(self, value: Any) -> None:
        """Start over with more or fewer candidates; half of them get a place."""
        count = typed_whole("candidates", value, 2, MOST_CANDIDATES)
        self.resize(count, count // 2)

    def when_places(self, value: Any) -> None:
        self.resize(self.candidates, typed_whole("places", value, 1, self.candidates - 1))

    def resize(self, candidates: int, mu: int) -> None:
        """Start over with this many candidates and places."""
        self.candidates, self.mu = candidates, min(mu, candidates - 1)
        self.reset()

    def when_limit(self, value: Any) -> None:
        low, high = self.settings.r_min, self.settings.r_max
        self.racing.r_limit = typed_number("limit", value, at_least=low, at_most=high)
        self.judge_again()

    def status(self) -> str:
        race = self.race
        used = f"{race.evaluations:,} of {race.allowed:,} evaluations"
        now = f"Race {len(self.settled) + 1}: {race.rounds} of at most {counted(race.limit, 'round')}, {used}"
        if not self.settled:
            return now
        decided = [one for one in self.settled if one.decided]
        wrong = [one for one in decided if one.wrong]
        known = f", {len(wrong)} of these wrong" if decided and self.lineup.truth is not None else ""
        share = self.racing.evaluations / self.racing.allowed
        return f"{now}; before: {counted(len(self.settled), 'race')}, {len(decided)} decided{known}, {share:.0%} played"

    def verdict(self) -> str:
        """The standing of the race, or its result."""
        race = self.race
        if race.undecided:
            sure = f"{len(race.selected)} selected, {len(race.discarded)} discarded, {len(race.undecided)} undecided"
            return f"{self.candidates} candidates for {counted(self.mu, 'place')}: {sure}."
        ended = f"Decided after {counted(race.rounds, 'round')}" if race.decided else "The limit ended it undecided"
        following = deepcopy(self.racing)
        following.settle(race)
        wrong = self.lineup.wrong_places(race)
        right = "" if wrong is None else " All places are right." if not wrong else f" {counted(wrong, 'place')} wrong."
        saved = 1 - race.evaluations / race.allowed
        return f"{ended}; {saved:.0%} of the evaluations were saved.{right} The next limit is {following.r_limit:.3g}."

    def shown(self) -> dict[str, Any]:
        known = self.lineup.truth is not None
        given = getattr(self.fields[self.field], "vectors", None) is not None
        who = {
            "field": {"value": self.field}, "candidates": {"value": self.candidates, "disabled": given},
            "places": {"value": self.mu}, "onward": {"value": self.onward},
            "next": {"disabled": bool(self.race.undecided)},
            "truth": {"value": self.truth_seen and known, "disabled": not known},
        }  # fmt: skip
        bounds = {
            "bound": {"value": self.settings.bound}, "limit": {"value": round(self.racing.r_limit, 1)},
            "delta": {"value": self.settings.delta, "disabled": self.settings.bound == "tetris"},
            "order": {"value": self.order}, "view": {"value": self.view},
        }  # fmt: skip
        race, truth, said = self.race, self.lineup.truth if self.truth_seen else None, self.verdict()
        return {
            "who": who, "bounds": bounds, "verdict": {"text": [said, race_charts.bounds_text(race) or BLANK]},
            "bars": {"svg": race_charts.bars_svg(race, self.order, self.view, truth, said)},
            "playing": {"svg": race_charts.playing_svg(race)},
            "races": {"svg": race_charts.races_svg(self.settled, race)},
            "candidates": race_charts.candidates_table(race, self.order, truth),
        }  # fmt: skip
