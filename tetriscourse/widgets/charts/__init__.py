"""Charts as SVG text, drawn in Python: curves, clouds, heat maps, graphs."""

from tetriscourse.widgets.charts.axes import linear_ticks, log_ticks
from tetriscourse.widgets.charts.chart import Chart
from tetriscourse.widgets.charts.graphs import Edge, Node, graph_svg
from tetriscourse.widgets.charts.maps import heat_svg, strip_svg

__all__ = ["Chart", "Edge", "Node", "graph_svg", "heat_svg", "linear_ticks", "log_ticks", "strip_svg"]
