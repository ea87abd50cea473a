"""Panels for the notebook: play, watch, tune, and see learning happen."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tetriscourse.widgets.board_view import BoardView
    from tetriscourse.widgets.deciding.bellman import BellmanPanel
    from tetriscourse.widgets.deciding.deep_q import DeepQPanel
    from tetriscourse.widgets.deciding.q_learning import QLearningPanel
    from tetriscourse.widgets.feature_panel import FeaturePanel
    from tetriscourse.widgets.filtering.panel import FilterPanel
    from tetriscourse.widgets.optimizing.cma_es import CMAESPanel
    from tetriscourse.widgets.optimizing.cross_entropy import CrossEntropyPanel
    from tetriscourse.widgets.optimizing.genetic import GeneticPanel
    from tetriscourse.widgets.optimizing.race import RacePanel
    from tetriscourse.widgets.panel import Panel
    from tetriscourse.widgets.play import PlayPanel
    from tetriscourse.widgets.policy.panel import PolicyPanel
    from tetriscourse.widgets.record import Record
    from tetriscourse.widgets.sampling import SamplingPanel
    from tetriscourse.widgets.searching.panel import SearchPanel
    from tetriscourse.widgets.tuning.panel import TunePanel
    from tetriscourse.widgets.watching.panel import WatchPanel

_HOME = {
    "BellmanPanel": "deciding.bellman", "BoardView": "board_view", "CMAESPanel": "optimizing.cma_es",
    "CrossEntropyPanel": "optimizing.cross_entropy", "DeepQPanel": "deciding.deep_q", "FeaturePanel": "feature_panel",
    "FilterPanel": "filtering.panel", "GeneticPanel": "optimizing.genetic", "Panel": "panel", "PlayPanel": "play",
    "PolicyPanel": "policy.panel", "QLearningPanel": "deciding.q_learning", "RacePanel": "optimizing.race",
    "Record": "record", "SamplingPanel": "sampling", "SearchPanel": "searching.panel", "TunePanel": "tuning.panel",
    "WatchPanel": "watching.panel",
}  # fmt: skip

__all__ = [
    "BellmanPanel", "BoardView", "CMAESPanel", "CrossEntropyPanel", "DeepQPanel", "FeaturePanel", "FilterPanel",
    "GeneticPanel", "Panel", "PlayPanel", "PolicyPanel", "QLearningPanel", "RacePanel", "Record", "SamplingPanel",
    "SearchPanel", "TunePanel", "WatchPanel",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Load a panel when it is first used."""
    if name not in _HOME:
        raise AttributeError(f"module 'tetriscourse.widgets' has no attribute {name!r}")
    return getattr(import_module(f"tetriscourse.widgets.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
