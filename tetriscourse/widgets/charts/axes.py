"""The axes of a chart: limits, round ticks, and the pixel of each data point."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, floor, isfinite, log10

from tetriscourse.errors import InputError, finite_numbers, one_of, real_number, shown
from tetriscourse.widgets.charts.marks import label, pixels, signed, text_width

CORNERS = ("upper left", "upper right", "lower right", "lower left")
FAR = 5000.0  # largest coordinate in pixels, since viewers go wrong on huge numbers


class Axes:
    """Axes from x[0] to x[1] and from y[0] to y[1]; width and height in pixels."""

    def __init__(
        self, x: Sequence[float], y: Sequence[float], xlabel: str = "", ylabel: str = "", title: str = "",
        width: float = 420, height: float = 260, log_y: bool = False, equal: bool = False, legend: str = "upper left",
        whole_x: bool = False,
    ) -> None:  # fmt: skip
        self.x, self.y = axis("x", x), axis("y", y)
        if log_y and self.y[0] <= 0:
            raise InputError(f"y is {shown(y)}; a logarithmic axis must begin above 0")
        if log_y and equal:
            raise InputError("equal is True; axes of equal scale cannot be logarithmic")
        self.xlabel, self.ylabel, self.title, self.log_y = xlabel, ylabel, title, log_y
        self.width = real_number("width", width, at_least=120)
        self.height = real_number("height", height, at_least=100)
        self.legend, self.least_step = one_of("legend", legend, CORNERS), 1.0 if whole_x else 0.0
        self.top, self.bottom = 24.0 if title else 10.0, self.height - (38.0 if xlabel else 22.0)
        self.y_ticks = self.ticks_of_y()
        self.left = max(30.0, 10 + max((text_width(text) for _, text in self.y_ticks), default=0))
        self.left += 17 if ylabel else 0
        self.right = self.width - 12.0
        if equal:
            self.equalise()
        self.x_ticks = linear_ticks(*self.x, self.right - self.left, least_step=self.least_step)
        self.drawn: list[tuple[bool, str]] = []  # (whether to clip it to the plot, SVG text)
        self.marked: list[tuple[float, str]] = []  # (pixel, text) of the vertical lines
        self.seen: list[tuple[float, float]] = []  # pixels that a legend should not cover
        self.entries: list[tuple[str, str]] = []  # (SVG text of the sample, label) of the legend

    @staticmethod
    def range(values: Iterable[float], margin: float = 0.05, log: bool = False) -> tuple[float, float]:
        """Axis limits around the values, with a margin on both sides; with log, around the positive ones."""
        numbers = finite_numbers("values", values)
        if log:
            low, high = Axes.range([log10(v) for v in numbers if v > 0], margin)
            return 10**low, 10**high
        if not numbers:
            return 0.0, 1.0
        low, high = min(numbers), max(numbers)
        apart = high - low > 1e-9 * max(abs(low), abs(high))
        pad = margin * (high - low) if apart else max(0.5, 0.1 * abs(low))
        return low - pad, high + pad

    def ticks_of_y(self) -> list[tuple[float, str]]:
        """The ticks of the y axis with their texts."""
        room = self.bottom - self.top
        return log_ticks(*self.y, room) if self.log_y else linear_ticks(*self.y, room, upright=True)

    def equalise(self) -> None:
        """Widen one axis around its middle, so that both have the same scale."""
        across, up = self.right - self.left, self.bottom - self.top
        unit = max((self.x[1] - self.x[0]) / across, (self.y[1] - self.y[0]) / up)
        self.x, self.y = widened(self.x, unit * across), widened(self.y, unit * up)
        self.y_ticks = self.ticks_of_y()

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The pixel of a data point."""
        return self.pixel_x(x), self.pixel_y(y)

    def pixel_x(self, x: float) -> float:
        """The distance of x from the left edge, in pixels."""
        low, high = self.x
        return bounded(self.left + (x - low) / (high - low) * (self.right - self.left))

    def pixel_y(self, y: float) -> float:
        """The distance of y from the top edge, in pixels; on a log axis, 0 and less lie far below."""
        low, high = self.y
        if self.log_y:
            if y <= 0:
                return FAR
            low, high, y = log10(low), log10(high), log10(y)
        return bounded(self.bottom - (y - low) / (high - low) * (self.bottom - self.top))

    def frame(self) -> str:
        """The grid, the axes with ticks and labels, and the title."""
        left, right, top, bottom = map(pixels, (self.left, self.right, self.top, self.bottom))
        xs = [(self.pixel_x(x), text) for x, text in self.x_ticks]
        ys = [(self.pixel_y(y), text) for y, text in self.y_ticks]
        grid = "".join(f"M{pixels(x)} {top}V{bottom}" for x, _ in xs)
        grid += "".join(f"M{left} {pixels(y)}H{right}" for y, _ in ys)
        text = f'<path stroke="currentColor" stroke-opacity=".13" d="{grid}"/>'
        text += f'<path fill="none" stroke="currentColor" d="M{left} {top}V{bottom}H{right}"/>'
        text += "".join(label(x, self.bottom + 15, text_, "middle") for x, text_ in xs)
        text += "".join(label(self.left - 5, y + 4, text_, "end") for y, text_ in ys)
        middle, half_way = (self.left + self.right) / 2, (self.top + self.bottom) / 2
        turned = f' font-size="12" transform="rotate(-90 12 {pixels(half_way)})"'
        text += label(12, half_way, self.ylabel, "middle", turned) if self.ylabel else ""
        text += label(middle, self.height - 6, self.xlabel, "middle", ' font-size="12"') if self.xlabel else ""
        bold = ' font-size="12" font-weight="600"'
        return text + (label(middle, 15, self.title, "middle", bold) if self.title else "")


def bounded(place: float) -> float:
    """A coordinate that viewers can handle."""
    return min(max(place, -FAR), FAR)


def axis(argument: str, limits: Sequence[float]) -> tuple[float, float]:
    """The two ends of an axis, in order."""
    low, high = pair(argument, limits)
    if not high - low > 1e-12 * max(abs(low), abs(high), 1e-280) or not isfinite(high - low):
        raise InputError(f"{argument} is {shown(limits)}; an axis must go from a number to a clearly greater one")
    return low, high


def pair(argument: str, values: Sequence[float]) -> tuple[float, float]:
    """Two finite numbers."""
    numbers = finite_numbers(argument, values)
    if len(numbers) != 2:
        raise InputError(f"{argument} is {shown(values)}; it must be two numbers")
    return numbers[0], numbers[1]


def widened(limits: tuple[float, float], length: float) -> tuple[float, float]:
    """Limits of the given length around the same middle."""
    middle = (limits[0] + limits[1]) / 2
    return middle - length / 2, middle + length / 2


def linear_ticks(
    low: float, high: float, room: float, upright: bool = False, least_step: float = 0.0
) -> list[tuple[float, str]]:
    """Multiples of 1, 2 or 5 times a power of ten from low to high, as many as fit, with their texts."""
    exponent = floor(log10((high - low) / 20))
    while True:
        for digit in (1, 2, 5):
            step = digit * 10.0**exponent
            first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
            texts = [tick_text(k * step, exponent) for k in (first, last)]
            need = 32 if upright else 22 + max(map(text_width, texts))
            if step >= least_step and (last - first) * need <= room - (0 if upright else need):
                return [(float(f"{k * step:.12g}"), tick_text(k * step, exponent)) for k in range(first, last + 1)]
        exponent += 1


def tick_text(value: float, exponent: int) -> str:
    """The text of a tick, with as many decimals as its step."""
    if abs(value) >= 1e9 or exponent < -5:
        return signed(f"{value:.10g}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e"))
    return signed(f"{value:,.{max(0, -exponent)}f}")


def log_ticks(low: float, high: float, room: float) -> list[tuple[float, str]]:
    """Powers of ten from low to high, thinned out if there are many; other numbers if there is at most one."""
    first, last = ceil(log10(low) - 1e-9), floor(log10(high) + 1e-9)
    if last > first:
        stride = ceil((last - first) * 20 / room)
        return [(10.0**k, tick_text(10.0**k, k)) for k in range(first, last + 1, stride)]
    between = [digit * 10.0**k for k in range(first - 1, last + 2) for digit in (1, 2, 5)]
    inside = [(value, tick_text(value, floor(log10(value) + 1e-9))) for value in between if low <= value <= high]
    return inside if len(inside) > 1 else linear_ticks(low, high, room, upright=True)
