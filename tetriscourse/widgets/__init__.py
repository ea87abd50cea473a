"""Widgets: panels for the notebook, to play, watch, tune, and see learning happen."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tetriscourse.widgets.bellman import BellmanPanel
    from tetriscourse.widgets.board_view import BoardView
    from tetriscourse.widgets.cma_panel import CMAESPanel
    from tetriscourse.widgets.cross_entropy import CrossEntropyPanel
    from tetriscourse.widgets.deep_q_panel import DeepQPanel
    from tetriscourse.widgets.feature_panel import FeaturePanel
    from tetriscourse.widgets.filtering import FilterPanel
    from tetriscourse.widgets.genetic import GeneticPanel
    from tetriscourse.widgets.panel import Panel
    from tetriscourse.widgets.play import PlayPanel
    from tetriscourse.widgets.q_panel import QLearningPanel
    from tetriscourse.widgets.race_panel import RacePanel
    from tetriscourse.widgets.record import Record
    from tetriscourse.widgets.tune import TunePanel
    from tetriscourse.widgets.watch import WatchPanel

_HOME = {
    "BellmanPanel": "bellman",
    "BoardView": "board_view",
    "CMAESPanel": "cma_panel",
    "CrossEntropyPanel": "cross_entropy",
    "DeepQPanel": "deep_q_panel",
    "FeaturePanel": "feature_panel",
    "FilterPanel": "filtering",
    "GeneticPanel": "genetic",
    "Panel": "panel",
    "PlayPanel": "play",
    "QLearningPanel": "q_panel",
    "RacePanel": "race_panel",
    "Record": "record",
    "TunePanel": "tune",
    "WatchPanel": "watch",
}

__all__ = [
    "BellmanPanel",
    "BoardView",
    "CMAESPanel",
    "CrossEntropyPanel",
    "DeepQPanel",
    "FeaturePanel",
    "FilterPanel",
    "GeneticPanel",
    "Panel",
    "PlayPanel",
    "QLearningPanel",
    "RacePanel",
    "Record",
    "TunePanel",
    "WatchPanel",
]


def __getattr__(name: str) -> Any:
    """A panel, loaded when it is first used."""
    if name not in _HOME:
        raise AttributeError(f"module 'tetriscourse.widgets' has no attribute {name!r}")
    return getattr(import_module(f"tetriscourse.widgets.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
