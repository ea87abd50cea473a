"""Settings declare default, meaning and check in one line, and are checked as declared."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
import pytest

from tetriscourse.errors import InputError
from tetriscourse.mdp.deep_q.learner import DeepQSettings
from tetriscourse.mdp.q_learning.settings import QSettings
from tetriscourse.optimizers.cma_es import CMASettings
from tetriscourse.optimizers.cross_entropy import CrossEntropySettings
from tetriscourse.optimizers.genetic import GeneticSettings
from tetriscourse.optimizers.racing import RacingSettings
from tetriscourse.optimizers.restarts import RestartSettings
from tetriscourse.optimizers.uncertainty import UncertaintySettings
from tetriscourse.settings import Settings, described, explained, setting

ALL = (
    GeneticSettings, CrossEntropySettings, CMASettings, RestartSettings, RacingSettings, UncertaintySettings, QSettings,
    DeepQSettings,
)  # fmt: skip


@dataclass(frozen=True)
class Brewing(Settings):
    """Settings of a cup of tea."""

    tea: str = setting("green", "what is brewed", one_of=("green", "black"))
    cups: int = setting(2, "how many", at_least=1, at_most=8)
    coldest: float = setting(70.0, "degrees at least")
    hottest: float = setting(80.0, "degrees at most", above="coldest")
    sugar: bool = setting(False, "whether there is any")
    guests: tuple[str, ...] = setting((), "who comes", read=lambda names: tuple(names.split()) if names else ())


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"tea": "grean"}, "tea is 'grean'; did you mean 'green'? (allowed: green, black)"),
        ({"cups": 9}, "cups is 9; it must be a whole number from 1 to 8"),
        ({"cups": 1.5}, "cups is 1.5; it must be a whole number from 1 to 8"),
        ({"cups": True}, "cups is True; it must be a whole number from 1 to 8"),
        ({"coldest": "hot"}, "coldest is 'hot'; it must be a number"),
        ({"sugar": 1}, "sugar is 1; it must be True or False"),
        ({"coldest": 90}, "hottest is 80.0; it must be a number above 90"),
    ],
)
def test_a_value_that_is_not_allowed_is_named_with_what_is(changes, said):
    with pytest.raises(InputError) as error:
        Brewing(**changes)
    assert str(error.value) == said


def test_values_are_converted_to_the_kind_of_their_default():
    brewing = Brewing(cups=3.0, coldest=60, hottest=np.float32(75), guests="Ada Max")
    assert repr(brewing) == (
        "Brewing(tea='green', cups=3, coldest=60.0, hottest=75.0, sugar=False, guests=('Ada', 'Max'))"
    )
    assert [type(getattr(brewing, one.name)) for one in fields(Brewing)] == [str, int, float, float, bool, tuple]


def test_changed_settings_are_checked_too():
    with pytest.raises(InputError, match="cups is 0"):
        replace(Brewing(), cups=0)


def test_help_has_a_line_for_each_setting():
    assert explained(Brewing)[1] == "    cups=2: how many"
    assert described(Brewing())["guests"] == []


@pytest.mark.parametrize("kind", ALL)
def test_every_setting_of_the_package_is_explained_and_refuses_nonsense(kind):
    for one in fields(kind):
        assert 3 < len(one.metadata["text"]) < 100
        with pytest.raises(InputError, match=one.name):
            kind(**{one.name: object()})
