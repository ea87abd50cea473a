"""Two players compared on common pieces."""

from __future__ import annotations

from tetriscourse.game.rules import RESEARCH, Rules, as_rules
from tetriscourse.games import Chooser
from tetriscourse.simulator.run import simulate
from tetriscourse.statistics import Comparison, Scores, compare_scores


def compare(
    a: Scores | Chooser | str,
    b: Scores | Chooser | str,
    confidence: float = 0.95,
    rules: Rules | str = RESEARCH,
    games: int = 100,
    seed: int = 0,
) -> Comparison:
    """Which of two players clears more lines: from their Scores, or from games that they play now."""
    rules = as_rules(rules)
    x, y = (one if isinstance(one, Scores) else simulate(one, rules, games, seed) for one in (a, b))
    return compare_scores(x, y, confidence)
