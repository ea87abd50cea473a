"""Figures about speed: ratios, and shares of time.

Every machine and every run measures something new. So these figures keep numbers out of their plain text, which is
compared when notebooks are checked; `alternative(figure)` and the image's `alt` in a notebook have them.
"""

from __future__ import annotations

import cProfile
import pstats
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from tetriscourse.errors import InputError, shown
from tetriscourse.plots.style import COLOURS, WIDTH, Picture, alternative, panels, plain_numbers

FIRST, OTHERS = "0.6", COLOURS[0]  # colours of the reference, and of what is compared with it


class MeasuredPicture(Picture):
    """A figure of measurements: its plain text names what was measured, without numbers."""

    measured = "measurements"

    def __repr__(self) -> str:
        return f"Figure: {self.measured}, measured on this machine"

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, str], dict[str, Any]]:
        return {}, {"image/png": {"alt": alternative(self), "measured": True}}


def speed_ratios(seconds: Mapping[str, float], job: str = "") -> Figure:
    """The speed of each way relative to the first, from the seconds that each takes for the same job."""
    if not seconds or not all(isinstance(one, int | float) and one > 0 for one in seconds.values()):
        raise InputError(f"seconds is {shown(seconds)}; it must give each way a positive number")
    first, *_ = seconds
    ratios = [seconds[first] / one for one in seconds.values()]
    figure = bars(list(seconds), ratios, f"times as fast as {first}", job, [two_digits(one) for one in ratios])
    said = ", ".join(f"{name} {two_digits(ratio)}" for name, ratio in zip(seconds, ratios, strict=True))
    return described(figure, f"the speeds of {', '.join(seconds)}", f"Times as fast as {first}: {said}.")


def time_shares(profile: cProfile.Profile, functions: Sequence[str]) -> Figure:
    """The share of a profile's time that each function took, including what it called."""
    if not isinstance(profile, cProfile.Profile):
        raise InputError(f"profile is {shown(profile)}; it must be a cProfile.Profile that has watched something")
    found = shares_of(profile)
    strange = [name for name in functions if name not in found]
    if strange or not functions:
        raise InputError(f"functions contains {shown(strange)}; each must be a function that the profile has seen")
    shares = [100 * found[name] for name in functions]
    texts = [f"{share:.0f} %" for share in shares]
    figure = bars(list(functions), shares, "share of the time, % (what a function calls is included)", "", texts, 100)
    said = ", ".join(f"{name} {text}" for name, text in zip(functions, texts, strict=True))
    return described(figure, f"shares of time of {', '.join(functions)}", f"Shares of the time: {said}.")


def shares_of(profile: cProfile.Profile) -> dict[str, float]:
    """The share of the time of each function, by module.function; the largest of those with the same name."""
    entries: dict[Any, Any] = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    total = sum(own for _, _, own, _, _ in entries.values())
    shares: dict[str, float] = {}
    for (file, _, function), (_, _, _, cumulated, _) in entries.items():
        name = f"{Path(file).stem}.{function}"
        shares[name] = max(shares.get(name, 0.0), min(1.0, cumulated / total))
    return shares


def bars(
    names: list[str], lengths: list[float], label: str, title: str, texts: list[str], most: float | None = None
) -> Figure:
    """One bar per name, the first on top and grey; logarithmic if they span more than a decade."""
    logarithmic = most is None and max(lengths) > 10 * min(lengths)
    size = (WIDTH, 0.9 + 0.36 * len(names) + 0.2 * bool(title))
    with panels(FigureClass=MeasuredPicture, figsize=size) as (figure, (axes,)):
        if logarithmic:
            axes.set_xscale("log")
        start = min(1.0, *lengths) / 1.5 if logarithmic else 0.0
        drawn = axes.barh(names, [length - start for length in lengths], left=start, height=0.7, color=OTHERS)
        drawn[0].set_color(FIRST if most is None else OTHERS)
        axes.bar_label(drawn, texts, padding=4)
        axes.invert_yaxis()
        axes.grid(False, axis="y")
        axes.set_xlim(start, most or max(lengths) * (2.5 if logarithmic else 1.12))
        plain_numbers(axes.xaxis)
        axes.set(xlabel=label + (" (logarithmic)" if logarithmic else ""), title=title)
    return figure


def described(figure: Figure, measured: str, words: str) -> Figure:
    """The figure with its texts: plain text without numbers, and a text alternative with them."""
    assert isinstance(figure, MeasuredPicture)
    figure.measured = measured
    figure.set_label(words)
    return figure


def two_digits(number: float) -> str:
    """A number as precise as a measurement deserves: 1.5, 22, 950, 12,000."""
    rounded = float(f"{number:.2g}")
    return f"{rounded:,.0f}" if rounded >= 10 else f"{rounded:.2g}" if rounded < 1 else f"{rounded:.1f}"
