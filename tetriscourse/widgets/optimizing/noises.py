"""The noise of the cross-entropy method as two controls: the name of a schedule, and a size."""

from __future__ import annotations

from tetriscourse.optimizers.cross_entropy import NOISES, Noise, constant, geometric, hyperbolic, linear

OWN = "your own"  # the menu's name for a noise that is in none of the papers


def noise_of(schedule: str, size: float) -> Noise:
    """A schedule of the papers; its size is what it adds to the variances at first."""
    if schedule == "linear":
        return linear(size, 50 / size) if size else constant(0)  # 0 after 50 iterations, as in the papers
    found = {"none": lambda _: constant(0), "constant": constant, "geometric": geometric, "hyperbolic": hyperbolic}
    return found[schedule](size)


def schedule_of(noise: Noise) -> tuple[str, float]:
    """The name and the size of a noise."""
    if noise == NOISES["none"]:
        return "none", 4.0
    known = [name for name, one in NOISES.items() if name != "none" and one.function is noise.function]
    return (known[0], float(noise.parameters[0])) if known else (OWN, 4.0)


def schedules(current: str) -> list[str]:
    """The options of the menu, with 'your own' while that is the current one."""
    return [*NOISES, *([OWN] if current == OWN else [])]
