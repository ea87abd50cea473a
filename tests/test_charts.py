"""Charts as text: what is drawn is where the data are, in valid XML that says in words what it shows."""

import re
from math import inf, log10, nan
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import THOROUGH

from tetriscourse.errors import InputError
from tetriscourse.plots.style import COLOURS
from tetriscourse.widgets.charts import (
    Chart,
    Edge,
    Node,
    graph_svg,
    heat_svg,
    linear_ticks,
    log_ticks,
    marks,
    strip_svg,
)
from tetriscourse.widgets.charts.curves import lines_chart

SVG = "{http://www.w3.org/2000/svg}"
WORDS = 'A cloud of "weights" & <values>'


def numbers(text):
    """All numbers of path data or of a list of attributes."""
    return [float(found) for found in re.findall(r"-?\d*\.?\d+", text)]


def elements(svg, tag, **attributes):
    """The elements of a kind, in order."""
    found = ElementTree.fromstring(svg).iter(SVG + tag)
    return [element for element in found if all(element.get(key) == value for key, value in attributes.items())]


def plot_area(svg):
    """Left, top, right and bottom of the plot, as the window in the picture has them."""
    window = elements(svg, "svg")[1]
    x, y, width, height = numbers(window.get("viewBox"))
    return x, y, x + width, y + height


def plain_chart(**options):
    chart = Chart(**({"x": (0, 10), "y": (0, 5)} | options))
    chart.line([0, 10], [options.get("y", (0, 5))[0]] * 2)  # makes the window, whose edges the tests read
    return chart


def dots(svg):
    """Middles of the dots: path data that begin at a circle's left, or the points of other marks."""
    (group,) = elements(svg, "g", **{"class": "tc-points"})
    paths = [path.get("d") for path in group]
    return [(data[0] + data[2], data[1]) for data in map(numbers, paths)]


def full_chart():
    chart = Chart(x=(0, 10), y=(1, 1e4), xlabel="generation", ylabel="lines", title="All", log_y=True)
    chart.points(range(5), [2, 20, 200, 2000, 9000], label="players")
    chart.line([0, 5, 10], [1, 50, 500], 1, dashed=True, label="mean")
    chart.band([0, 5, 10], [1, 5, 50], [2, 500, 5000], 1)
    chart.ellipse((5, 3000), [[1, 0], [0, 1e6]], 2, label="Gaussian")
    chart.arrow((1, 10), (5, 100), 3)
    chart.bars([1, 2, 3], [10, 100, 1000], series=4, label="games")
    chart.interval(8, 10, 30, 90, 5, "square")
    chart.mark_x(4, "here")
    chart.mark_y(100, "goal")
    chart.text(2, 2, "R&D", "middle")
    return chart


# Text


def test_every_picture_is_xml_that_says_in_words_what_it_shows():
    nodes = [Node(50, 50, 1.0, "a"), Node(150, 50, None, "b")]
    pictures = [
        full_chart().svg(WORDS),
        heat_svg([[1, nan], [3, 4]], WORDS),
        graph_svg(nodes, [Edge(0, 1)], WORDS, 200, 100),
        strip_svg([1, 2, 3], WORDS, 200, 20),
    ]
    for svg in pictures:
        root = ElementTree.fromstring(svg)
        assert root.tag == SVG + "svg"
        assert root.get("role") == "img"
        assert root.get("aria-label") == WORDS
        assert root.find(SVG + "title").text == WORDS
        assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"


def test_the_same_calls_give_the_same_text_and_no_ids():
    assert full_chart().svg(WORDS) == full_chart().svg(WORDS)
    assert "id=" not in full_chart().svg(WORDS).replace("width=", "")


def test_pixels_have_at_most_two_decimals():
    chart = Chart(x=(0, 3), y=(0, 7))
    chart.points(np.linspace(0.1, 2.9, 40), np.linspace(0.1, 6.9, 40))
    chart.ellipse((1, 3), [[0.3, 0.1], [0.1, 2]])
    assert re.search(r"\d\.\d\d", chart.svg(WORDS))
    assert not re.search(r"\d\.\d{3}", chart.svg(WORDS))


def test_other_data_change_attributes_but_not_the_structure():
    def structure(ys):
        chart = Chart(x=(0, 10), y=(0, 10))
        chart.points([1, 2, 3], ys)
        chart.ellipse((5, ys[0]), [[1, 0.5], [0.5, ys[1]]])
        return [element.tag for element in ElementTree.fromstring(chart.svg(WORDS)).iter()]

    assert structure([1, 2, 3]) == structure([4, 5, 60])


def test_a_hundred_points_take_less_than_15_kilobytes():
    chart = Chart(x=(0, 1), y=(0, 1), xlabel="x", ylabel="y")
    across = [k * 0.618034 % 1 for k in range(100)]
    chart.points(across, across[::-1])
    assert len(elements(chart.svg(WORDS), "path")) >= 100
    assert len(chart.svg(WORDS).encode()) < 15_000


def test_colours_are_those_of_the_figures_and_can_be_changed_by_the_page():
    assert tuple(c.lower() for c in marks.PALETTE[:6]) == tuple(c.lower() for c in COLOURS[:6])
    assert "var(--tc-2, #D55E00)" in full_chart().svg(WORDS)


def test_every_marker_has_a_shape_of_its_own():
    assert len({marks.shape(marker, 4) for marker in marks.MARKERS}) == len(marks.MARKERS) == 6
    assert 'fill="none"' in marks.paint("ring", 0)


# Places


def test_a_point_is_where_its_shares_of_the_axes_are():
    chart = plain_chart(x=(-5, 15), y=(0, 400))
    chart.points([0, 15, 7], [100, 400, 33])
    left, top, right, bottom = plot_area(chart.svg(WORDS))
    expected = [(0.25, 0.25), (1, 1), (0.6, 0.0825)]
    for (x, y), (across, up) in zip(dots(chart.svg(WORDS)), expected, strict=True):
        assert x == pytest.approx(left + across * (right - left), abs=0.02)
        assert y == pytest.approx(bottom + up * (top - bottom), abs=0.02)


def test_powers_of_ten_are_equally_far_apart_on_a_logarithmic_axis():
    chart = plain_chart(y=(1, 1e4), log_y=True)
    chart.points([1, 1, 1], [10, 100, 1000])
    _, top, _, bottom = plot_area(chart.svg(WORDS))
    heights = [y for _, y in dots(chart.svg(WORDS))]
    assert heights == pytest.approx([bottom + share * (top - bottom) for share in (0.25, 0.5, 0.75)], abs=0.02)


def test_zero_on_a_logarithmic_axis_is_marked_at_the_bottom():
    chart = plain_chart(y=(1, 1e4), log_y=True)
    chart.points([5], [0])
    (group,) = elements(chart.svg(WORDS), "g", **{"class": "tc-points"})
    assert group[0].get("d") == marks.shape("down", 4, chart.pixel_x(5), chart.bottom)


@pytest.mark.parametrize(
    ("point", "shape", "edge"),
    [
        ((-3, 2), "left", (0, 2)),
        ((13, 2), "right", (10, 2)),
        ((4, 9), "up", (4, 5)),
        ((4, -1e300), "down", (4, 0)),
        ((99, 99), "up", (10, 5)),
    ],
)
def test_a_point_outside_is_a_triangle_on_the_edge_that_points_to_it(point, shape, edge):
    chart = plain_chart()
    chart.points([point[0]], [point[1]], marker="square")
    (group,) = elements(chart.svg(WORDS), "g", **{"class": "tc-points"})
    left, top, right, bottom = plot_area(chart.svg(WORDS))
    x, y = left + edge[0] / 10 * (right - left), bottom + edge[1] / 5 * (top - bottom)
    assert group[0].get("d") == marks.shape(shape, 4, x, y)


def test_a_point_on_the_edge_is_not_outside():
    chart = plain_chart()
    chart.points([0, 10], [0, 5])
    (group,) = elements(chart.svg(WORDS), "g", **{"class": "tc-points"})
    assert all("a4 4" in path.get("d") for path in group)


@pytest.mark.parametrize("options", [{}, {"equal": True}, {"width": 700, "height": 180}])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_an_ellipse_is_as_far_from_its_mean_as_asked_in_the_metric_of_its_covariance(options, scale):
    covariance, mean = np.array([[4.0, -30.0], [-30.0, 900.0]]), np.array([3.0, 50.0])
    chart = plain_chart(x=(-10, 20), y=(-100, 200), **options)
    chart.ellipse(mean, covariance, scale=scale)
    svg = chart.svg(WORDS)
    left, top, right, bottom = plot_area(svg)
    pixels = np.reshape(numbers(elements(svg, "path", **{"class": "tc-ellipse"})[0].get("d")), (-1, 2))
    shares = (pixels - (left, bottom)) / (right - left, top - bottom)
    rim = np.array([chart.x[0], chart.y[0]]) + shares * (chart.x[1] - chart.x[0], chart.y[1] - chart.y[0]) - mean
    distances = np.einsum("ki,ij,kj->k", rim, np.linalg.inv(covariance), rim)
    assert len(rim) == 48
    np.testing.assert_allclose(distances, scale**2, rtol=0.02)
    angles = np.unwrap(np.arctan2(*np.linalg.solve(np.linalg.cholesky(covariance), rim.T)))
    assert abs(angles[-1] - angles[0]) == pytest.approx(2 * np.pi * 47 / 48, rel=0.01)  # once around


def test_a_flat_ellipse_is_a_line():
    chart = plain_chart()
    chart.ellipse((5, 2), [[1, 0], [0, 0]])
    data = elements(chart.svg(WORDS), "path", **{"class": "tc-ellipse"})[0].get("d")
    assert len(set(numbers(data)[1::2])) == 1


def test_equal_axes_have_equal_units_and_hold_what_was_asked():
    chart = Chart(x=(0, 1), y=(0, 10), equal=True)
    assert chart.pixel_x(1) - chart.pixel_x(0) == pytest.approx(chart.pixel_y(0) - chart.pixel_y(1))
    assert chart.x[0] <= 0 < 1 <= chart.x[1]
    assert chart.y[0] <= 0 < 10 <= chart.y[1]


def test_bars_stand_on_zero_and_hang_from_it():
    chart = plain_chart(y=(-2, 2))
    chart.bars([2, 4], [1, -2], width=1)
    svg = chart.svg(WORDS)
    left, top, right, bottom = plot_area(svg)
    (group,) = elements(svg, "g", **{"class": "tc-bars"})
    up, down = [[float(bar.get(name)) for name in ("x", "y", "width", "height")] for bar in group]
    unit, step, zero = (right - left) / 10, (bottom - top) / 4, (top + bottom) / 2
    assert up == pytest.approx([left + 1.5 * unit, zero - step, unit, step], abs=0.02)
    assert down == pytest.approx([left + 3.5 * unit, zero, unit, 2 * step], abs=0.02)


def test_a_band_goes_forth_over_its_upper_and_back_over_its_lower_curve():
    chart = plain_chart()
    chart.band([0, 5, 10], [0, 1, 2], [3, 4, 5])
    points = np.reshape(numbers(elements(chart.svg(WORDS), "path", **{"class": "tc-band"})[0].get("d")), (-1, 2))
    data = [(0, 3), (5, 4), (10, 5), (10, 2), (5, 1), (0, 0)]
    np.testing.assert_allclose(points, [chart.at(x, y) for x, y in data], atol=0.01)


def test_lines_and_ellipses_are_cut_at_the_edge_of_the_plot_and_points_are_not():
    chart = plain_chart()
    chart.line([0, 10], [0, 50])
    chart.points([0], [0])
    _, window = elements(chart.svg(WORDS), "svg")
    assert window.get("overflow") == "hidden"
    assert len(window) == 2
    assert all(path.get("class") == "tc-line" for path in window)


# Words and ticks


def texts(svg):
    return [element.text for element in elements(svg, "text")]


def test_labels_make_a_legend_with_samples():
    svg = full_chart().svg(WORDS)
    (legend,) = elements(svg, "g", **{"class": "tc-legend"})
    assert [text.text for text in legend.iter(SVG + "text")] == ["players", "mean", "Gaussian", "games"]
    assert not elements(plain_chart().svg(WORDS), "g", **{"class": "tc-legend"})


@pytest.mark.parametrize("corner", ["upper left", "upper right", "lower right", "lower left"])
def test_the_legend_is_in_the_chosen_corner_inside_the_plot(corner):
    chart = plain_chart(legend=corner)
    chart.points([1], [1], label="a player")
    svg = chart.svg(WORDS)
    left, top, right, bottom = plot_area(svg)
    (legend,) = elements(svg, "g", **{"class": "tc-legend"})
    x, y = numbers(legend.get("transform"))
    width, height = float(legend[0].get("width")), float(legend[0].get("height"))
    assert left <= x < x + width <= right
    assert top <= y < y + height <= bottom
    assert (x + width / 2 < (left + right) / 2) == ("left" in corner)
    assert (y + height / 2 < (top + bottom) / 2) == ("upper" in corner)


@pytest.mark.parametrize("corner", ["upper left", "upper right", "lower right", "lower left"])
def test_a_legend_finds_the_corner_that_is_free_though_lines_have_few_points(corner):
    chart = Chart(x=(0, 10), y=(0, 10), legend="upper left")
    frame = {"upper left": (0, 9), "upper right": (10, 9), "lower right": (10, 1), "lower left": (0, 1)}
    ends = [place for name, place in frame.items() if name != corner]
    for x, y in ends:
        chart.line([x, 5], [y, y], label="a line")
    assert chart.free_corner() == corner


def test_a_legend_stays_where_it_is_if_no_corner_is_better():
    chart = Chart(x=(0, 10), y=(0, 10), legend="lower right")
    chart.line([4, 6], [5, 5], label="a short line")
    assert chart.free_corner() == "lower right"
    chart.points([9.5], [0.5])
    assert chart.free_corner() == "upper left"


@THOROUGH
@given(
    st.lists(st.floats(1e-9, 1e9), min_size=2, max_size=60),
    st.integers(1, 3),
    st.sampled_from([None, True, False]),
    st.sampled_from([(330, 180), (400, 220), (335, 182)]),
)
def test_the_legend_of_curves_covers_none_of_them(values, many, log, size):
    lines = [(f"favourite, other games {k}", np.roll(values, k)) for k in range(many)]
    chart = lines_chart(lines, "score", "iteration", *size, log, 1, "upper right")
    assert chart.covered(chart.legend) == 0


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (-0.0556, "−0.0556"), (0.000556, "5.6e−4"), (-123456, "−1.2e5"), (9999.9, "1e4"), (1.5, "1.5")],
)
def test_compact_numbers_are_never_wide(value, text):
    assert marks.compact(value) == text


def test_texts_of_neighbouring_lines_are_in_different_rows():
    chart = Chart(x=(0, 100), y=(0, 1))
    chart.mark_x(50, "a long text")
    chart.mark_x(52, "another long text")
    chart.mark_x(10, "far")
    rows = {text.text: text.get("y") for text in elements(chart.svg(WORDS), "text")}
    assert rows["a long text"] != rows["another long text"]
    assert rows["a long text"] == rows["far"]


def test_a_line_outside_of_the_axes_is_at_the_edge_with_an_arrow():
    chart = Chart(x=(0, 10), y=(0, 1))
    chart.mark_x(20, "best")
    chart.mark_y(-1, "worst")
    assert {"best →", "worst ↓"} <= set(texts(chart.svg(WORDS)))


@pytest.mark.parametrize(
    "limits", [(0, 10), (0, 1), (-3.7, 12.2), (0, 123456), (1e-7, 3e-7), (99.5, 100.5), (-1e12, 1e12), (5, 5.0001)]
)
@pytest.mark.parametrize("upright", [False, True])
def test_ticks_are_multiples_of_a_round_step_inside_the_axis_and_their_texts_tell_them_apart(limits, upright):
    ticks = linear_ticks(*limits, 220, upright=upright)
    places = [place for place, _ in ticks]
    step = places[1] - places[0]
    assert float(f"{step:.3e}".split("e")[0]) in (1, 2, 5)
    assert all(limits[0] - 1e-9 * step <= place <= limits[1] + 1e-9 * step for place in places)
    assert all(abs(place / step - round(place / step)) < 1e-4 for place in places)
    assert places[0] - step < limits[0]
    assert places[-1] + step > limits[1]
    assert len({text for _, text in ticks}) == len(ticks)
    for place, text in ticks:
        assert float(text.replace(",", "").replace("−", "-")) == pytest.approx(place, rel=1e-6, abs=1e-12)


def test_whole_axes_have_no_ticks_between_whole_numbers():
    chart = Chart(x=(0, 3), y=(0, 1), whole_x=True)
    assert [place for place, _ in chart.x_ticks] == [0, 1, 2, 3]


def test_logarithmic_ticks_are_powers_of_ten_with_thousands_apart():
    assert log_ticks(1, 2e4, 200) == [(1, "1"), (10, "10"), (100, "100"), (1000, "1,000"), (10000, "10,000")]
    many = [place for place, _ in log_ticks(1e-10, 1e10, 200)]
    assert all(log10(place) == pytest.approx(round(log10(place))) for place in many)
    assert 2 <= len(many) <= 11
    assert [place for place, _ in log_ticks(15, 60, 200)] == [20, 50]
    assert len(log_ticks(21, 29, 200)) > 1


def test_a_range_holds_the_data_with_a_margin():
    assert Chart.range([0, 10]) == (-0.5, 10.5)
    assert Chart.range([]) == (0, 1)
    for constant in (0, 7, -1e9, 1e-9):
        low, high = Chart.range([constant, constant])
        assert low < constant < high
    low, high = Chart.range([0, 10, 1000], log=True)
    assert log10(low) == pytest.approx(0.9)
    assert log10(high) == pytest.approx(3.1)
    assert Chart.range([0, 0], log=True) == (1, 10)


# Maps, graphs and strips


def test_a_grid_has_a_cell_for_each_value_and_hatches_walls():
    svg = heat_svg([[0, 1, 2], [3, nan, 5]], WORDS, texts=[list("abc"), ["d", "", "f"]], cell=30)
    cells = elements(svg, "rect")
    assert [(float(cell.get("x")) // 30, float(cell.get("y")) // 30) for cell in cells] == [
        (j, i) for i in range(2) for j in range(3)
    ]
    assert len(elements(svg, "path")) == 1
    assert texts(svg) == list("abcdf")


def test_greater_values_are_darker_and_values_around_zero_are_orange_white_and_blue():
    shades = [marks.luminance(marks.scale_colour(value, 0, 1)) for value in np.linspace(0, 1, 30)]
    assert shades == sorted(shades, reverse=True)
    red, _, blue = marks.channels(marks.scale_colour(-1, -1, 3))
    assert red > blue
    assert len(set(marks.channels(marks.scale_colour(0, -1, 3)))) == 1
    red, _, blue = marks.channels(marks.scale_colour(3, -1, 3))
    assert blue > red


@pytest.mark.parametrize("low", [-1, 0])
def test_text_on_every_colour_of_the_scale_can_be_read(low):
    for value in np.linspace(low, 1, 101):
        fill = marks.scale_colour(float(value), low, 1)
        light, dark = sorted([marks.luminance(fill), 1.0 if marks.ink(fill) == "#fff" else 0.0], reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_without_texts_a_grid_has_a_key_with_the_ends_of_its_scale():
    assert texts(heat_svg([[-1.5, 2000]], WORDS)) == ["−1.5", "2,000"]
    assert texts(heat_svg([[1, 2]], WORDS, low=0, high=10)) == ["0", "10"]


def test_stronger_arrows_are_wider_and_every_edge_is_drawn():
    nodes = [Node(50, 50, 0.0, "a"), Node(200, 50, 1.0, "b")]
    svg = graph_svg(nodes, [Edge(0, 1, 0.2), Edge(1, 0, 0.9), Edge(0, 0, 0.5)], WORDS, 250, 120)
    widths = [float(path.get("stroke-width")) for path in elements(svg, "path", fill="none")]
    assert len(widths) == 3
    assert widths[0] < widths[2] < widths[1]
    assert [circle.get("fill") for circle in elements(svg, "circle")] == [
        marks.scale_colour(0, 0, 1),
        marks.scale_colour(1, 0, 1),
    ]


def test_an_arrow_goes_from_rim_to_rim():
    nodes = [Node(50, 50, radius=20), Node(200, 90, radius=10)]
    svg = graph_svg(nodes, [Edge(0, 1)], WORDS, 250, 120)
    curve = np.reshape(numbers(elements(svg, "path", fill="none")[0].get("d")), (-1, 2))
    assert np.hypot(*(curve[0] - (50, 50))) == pytest.approx(21, abs=0.02)
    tip = np.array(numbers(elements(svg, "path")[1].get("d"))[:2])
    assert 10 < np.hypot(*(tip - (200, 90))) < 12


def test_a_picture_is_fitted_into_its_node():
    board = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 40" width="300" height="400"><rect id="r"/></svg>'
    svg = graph_svg([Node(60, 70, picture=board, radius=24)], [], WORDS, 120, 120)
    inner = elements(svg, "svg")[1]
    assert [inner.get(name) for name in ("x", "y", "width", "height", "viewBox")] == [
        "40",
        "50",
        "40",
        "40",
        "0 0 30 40",
    ]


def test_a_strip_has_a_cell_for_each_value_up_to_one_for_two_pixels():
    def cells(values):
        return sum(path.get("d").count("M") for path in elements(strip_svg(values, WORDS, 400, 20), "path"))

    assert cells([]) == 0
    assert cells([1.0, nan, 3.0]) == 2
    assert cells([k % 7 for k in range(200)]) == 200
    assert cells([k % 7 for k in range(10_000)]) == 200


def test_a_strip_keeps_its_structure_whatever_the_values():
    structures = [
        [element.tag for element in ElementTree.fromstring(strip_svg(values, WORDS, 400, 20)).iter()]
        for values in ([0, 0, 1], [1, 2, 3, 4, 5, 6], [-5, 2])
    ]
    assert structures[0] == structures[1] == structures[2]


# Bad input


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda c: c.points([1, nan], [1, 2]), "xs[1] is nan"),
        (lambda c: c.points([1], [inf]), "ys[0] is inf"),
        (lambda c: c.points([1, 2], [1]), "xs has 2 and ys 1 numbers"),
        (lambda c: c.points([1], [1], marker="blob"), "marker is 'blob'"),
        (lambda c: c.line("ab", [1, 2]), "xs is 'ab'"),
        (lambda c: c.band([1], [nan], [2]), "low[0] is nan"),
        (lambda c: c.band([1], [1], [inf]), "high[0] is inf"),
        (lambda c: c.ellipse((1, 2, 3), np.eye(2)), "mean is (1, 2, 3)"),
        (lambda c: c.ellipse((1, 2), [[1, nan], [nan, 1]]), "covariance is"),
        (lambda c: c.ellipse((1, 2), [[1, 0], [0, -1]]), "without negative variances"),
        (lambda c: c.ellipse((1, 2), [[1, 0.5], [0, 1]]), "symmetric"),
        (lambda c: c.ellipse((1, 2), np.eye(3)), "2 by 2"),
        (lambda c: c.arrow((0, 0), (nan, 1)), "end[0] is nan"),
        (lambda c: c.bars([1], [nan]), "heights[0] is nan"),
        (lambda c: c.bars([1], [1], width=0), "width is 0"),
        (lambda c: c.interval(1, nan, 2, 3), "low is nan"),
        (lambda c: c.interval(1, 1, nan, 3), "mean is nan"),
        (lambda c: c.mark_x(inf), "x is inf"),
        (lambda c: c.mark_y(nan), "y is nan"),
        (lambda c: c.text(0, 0, "a", anchor="left"), "anchor is 'left'"),
        (lambda c: c.svg(" "), "description is ' '"),
        (lambda _: Chart(x=(3, 3), y=(0, 1)), "x is (3, 3)"),
        (lambda _: Chart(x=(0, 1), y=(1, nan)), "y[1] is nan"),
        (lambda _: Chart(x=(0, 1), y=(0, 10), log_y=True), "y is (0, 10)"),
        (lambda _: Chart(x=(0, 1), y=(1, 10), log_y=True, equal=True), "equal is True"),
        (lambda _: Chart(x=(0, 1), y=(0, 1), width=10), "width is 10"),
        (lambda _: Chart(x=(0, 1), y=(0, 1), legend="top"), "legend is 'top'"),
        (lambda _: Chart.range([1, nan]), "values[1] is nan"),
        (lambda _: heat_svg([1, 2], WORDS), "values is [1, 2]"),
        (lambda _: heat_svg([[]], WORDS), "values is [[]]"),
        (lambda _: heat_svg([[1, 2], [3]], WORDS), "values is [[1, 2], [3]]"),
        (lambda _: heat_svg([[inf]], WORDS), "values is [[inf]]"),
        (lambda _: heat_svg([[1, 2]], WORDS, texts=[["a"]]), "texts must have a text for each of the 1 by 2"),
        (lambda _: graph_svg([Node(1, nan)], [], WORDS, 99, 99), "nodes[0].y is nan"),
        (lambda _: graph_svg([Node(1, 1, inf)], [], WORDS, 99, 99), "nodes[0].value is inf"),
        (lambda _: graph_svg([Node(1, 1)], [Edge(0, 1)], WORDS, 99, 99), "edges[0].target is 1"),
        (lambda _: graph_svg([Node(1, 1)], [Edge(0, 0, 2)], WORDS, 99, 99), "edges[0].strength is 2"),
        (lambda _: strip_svg([inf], WORDS, 99, 9), "values is [inf]"),
        (lambda _: strip_svg("abc", WORDS, 99, 9), "values is 'abc'"),
    ],
)
def test_bad_input_is_named(draw, message):
    with pytest.raises(InputError, match=re.escape(message)):
        draw(Chart(x=(0, 10), y=(0, 5)))
