"""POLICIES: the methods of this package as the papers used them, by name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tetriscourse.catalogues import Catalogue
from tetriscourse.mdp.policies.classification import CBMPI, DPI
from tetriscourse.mdp.policies.fitted_value_iteration import FittedValueIteration
from tetriscourse.mdp.policies.lambda_policy_iteration import LambdaPolicyIteration
from tetriscourse.mdp.policies.linear_programming import LinearProgramming
from tetriscourse.mdp.policies.lspi import LSPI
from tetriscourse.mdp.policies.policy_gradient import PolicyGradient
from tetriscourse.mdp.policies.policy_learner import PolicyLearner


@dataclass(frozen=True)
class PolicyExperiment:
    """A method with the game, the features and the settings of a paper."""

    name: str
    method: type[PolicyLearner]
    shows: str
    source: str
    published: str
    changes: dict[str, Any] = field(default_factory=dict)  # settings, rules and features that are not the method's own

    def learner(self, seed: int = 0, **changes: Any) -> PolicyLearner:
        """The learner, with changes of settings, rules and features by name."""
        return self.method(**{**self.changes, "seed": seed, **changes})

    @property
    def settings(self) -> Any:
        """The settings that it starts from."""
        own = {name: value for name, value in self.changes.items() if name not in ("rules", "features")}
        return self.method.Settings(**own)


POLICIES: Catalogue[PolicyExperiment] = Catalogue("experiment", {
    one.name: one
    for one in (
        PolicyExperiment(
            "value-iteration", FittedValueIteration, "value iteration with two features",
            "Tsitsiklis and Van Roy 1996", "about 30 lines",
        ),
        PolicyExperiment(
            "lambda-pi", LambdaPolicyIteration, "values from games, fitted step by step",
            "Bertsekas and Ioffe 1996", "3,183 or 3,200 lines",
        ),
        PolicyExperiment(
            "lspi", LSPI, "values of moves, by features of the board and of its change",
            "Lagoudakis, Parr and Littman 2002", "1,000 to 3,000 lines",
        ),
        PolicyExperiment(
            "lspi-bertsekas", LSPI, "the same with the features of λ-policy iteration",
            "", "", {"features": "bertsekas", "moves": 30_000},
        ),
        PolicyExperiment(
            "linear-programming", LinearProgramming, "values from a linear program with sampled constraints",
            "Farias and Van Roy 2006", "4,274 or 4,700 lines",
        ),
        PolicyExperiment(
            "reinforce", PolicyGradient, "uphill by the plain gradient", "Williams 1992", "",
            {"direction": "gradient"},
        ),
        PolicyExperiment(
            "natural-gradient", PolicyGradient, "uphill by the natural gradient", "Kakade 2001", "about 6,800 lines",
        ),
        PolicyExperiment(
            "dpi", DPI, "rollouts and a classifier", "Gabillon, Ghavamzadeh and Scherrer 2013", "",
        ),
        PolicyExperiment(
            "cbmpi", CBMPI, "rollouts, a critic and a classifier", "Gabillon, Ghavamzadeh and Scherrer 2013",
            "5,000 lines on 10x10 (DT-10)",
        ),
    )
})  # fmt: skip
"""Figures are as quoted by Szita and Lőrincz 2006 or Thiery and Scherrer 2009, those of CBMPI its authors' own."""
