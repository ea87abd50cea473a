"""Notebooks come from text: the same text gives the same bytes, and exercises are solutions without the solutions."""

import ast
import json
import re

import pytest
from course_books import ROOT

from tetriscourse.course.chapters import CHAPTERS, chosen_stems
from tetriscourse.course.exercises import exercises
from tetriscourse.errors import InputError
from tetriscourse.teaching.building import as_text, built, source_files
from tetriscourse.teaching.sources import exercise_notebook, read_source, reckoned_minutes, solution, without_solution

SOURCES = [path for stem in chosen_stems([]) for path in source_files(ROOT, stem)]
SOLUTIONS = [path for path in SOURCES if path.parent.name == "solutions"]
BUILT = [path.with_suffix(".ipynb") for path in SOURCES]

LECTURE = """# %% [markdown]
# # A lecture
# It takes {{minutes}} minutes.

# %%
import matplotlib.pyplot as plt
import sys
from tetriscourse.widgets import PlayPanel
PlayPanel(seed=1)

# %%
print("seen"); print("never kept", file=sys.stderr)

# %%
plt.plot([1, 2])
plt.show()

# %%
import time
from tetriscourse.course.timing import Ratios
Ratios({"slow": time.time(), "fast": 1.0})
"""

SOLVED = """# %% [markdown]
# # Exercises

# %%
def heights(cells):
    ### BEGIN SOLUTION
    return 3
    ### END SOLUTION

# %%
check("01.1")
"""


def without_outputs(notebook):
    """A notebook as it was before it was executed."""
    notebook["metadata"].pop("widgets", None)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    return notebook


def stored(path):
    """A notebook of the course, as JSON."""
    return json.loads(path.read_text("utf-8"))


def rebuilt(path):
    """The notebook of a source, without executing it."""
    return json.loads(as_text(solution(path) if path.parent.name == "solutions" else read_source(path)))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_stored_notebook_is_what_its_source_gives(path):
    assert without_outputs(stored(path.with_suffix(".ipynb"))) == rebuilt(path)


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_the_stored_exercises_are_the_solutions_without_the_solutions(path):
    exercise = ROOT / "exercises" / f"{path.stem}.ipynb"
    assert exercise.read_text("utf-8") == as_text(exercise_notebook(solution(path)))


@pytest.mark.parametrize("path", BUILT, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_code_cell_has_been_executed_in_order_without_an_error(path):
    code = [cell for cell in stored(path)["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    outputs = [output for cell in code for output in cell["outputs"]]
    assert [output for output in outputs if output["output_type"] == "error" or output.get("name") == "stderr"] == []


@pytest.mark.parametrize("path", sorted(ROOT.glob("[ns]o*s/*.py")), ids=lambda path: path.stem)
def test_no_text_stands_beside_the_marker_of_a_cell_where_it_would_be_lost(path):
    markers = [line for line in path.read_text("utf-8").splitlines() if line.startswith("# %%")]
    allowed = re.compile(r'# %%( \[markdown\]( answer="\d\d\.\d+")?)?')
    assert [line for line in markers if not allowed.fullmatch(line)] == []


def test_every_notebook_has_a_source():
    found = {path for folder in ("notebooks", "solutions") for path in (ROOT / folder).glob("*.ipynb")}
    assert found == set(BUILT)
    assert {path.name for path in (ROOT / "exercises").glob("*.ipynb")} == {one.file for one in CHAPTERS.values()}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_stubs_parse_and_hold_nothing_of_the_solution(chapter):
    notebook = stored(ROOT / "exercises" / CHAPTERS[chapter].file)
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        assert "SOLUTION" not in source
        if cell["cell_type"] == "code":
            ast.parse(source)
            assert cell["outputs"] == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_exercise_stands_in_its_notebook_once_with_its_points(chapter):
    cells = stored(ROOT / "solutions" / CHAPTERS[chapter].file)["cells"]
    metadata = [cell["metadata"].get("nbgrader") for cell in cells]
    graded = {one["grade_id"]: one["points"] for one in metadata if one and one["grade"]}
    kinds = {one.id: "prose" if one.is_prose else "check" for one in exercises(chapter).values()}
    wanted = {f"{kinds[one.id]}-{one.slug}": one.points for one in exercises(chapter).values()}
    assert graded == wanted
    names = [one["grade_id"] for one in metadata if one]
    assert len(names) == len(set(names))


@pytest.mark.slow
def test_nbgrader_clears_solutions_in_the_same_way(tmp_path):
    preprocessors = pytest.importorskip("nbgrader.preprocessors")
    from traitlets.config import Config

    from tetriscourse.teaching.sources import CODE_STUB, PROSE_STUB

    config = Config({"ClearSolutions": {"code_stub": {"python": CODE_STUB}, "text_stub": PROSE_STUB}})
    for path in SOLUTIONS:
        cleared, _ = preprocessors.ClearSolutions(config=config).preprocess(solution(path), {})
        mine = exercise_notebook(solution(path))
        assert [cell.source for cell in cleared.cells] == [cell.source for cell in mine.cells]


def test_a_solution_is_replaced_by_a_stub_of_its_indentation():
    source = "def f(x):\n    y = 1\n    ### BEGIN SOLUTION\n    return y\n    ### END SOLUTION\nf(1)"
    assert without_solution(source) == "def f(x):\n    y = 1\n    # your code here\n    pass\nf(1)"


def test_a_solution_that_does_not_end_is_an_error():
    with pytest.raises(InputError, match="does not end"):
        without_solution("### BEGIN SOLUTION\n1")


def test_a_solution_without_a_check_is_an_error(tmp_path):
    path = tmp_path / "01_x.py"
    path.write_text(SOLVED.replace('check("01.1")', "1"))
    with pytest.raises(InputError, match="without a check"):
        solution(path)


@pytest.mark.slow
def test_two_builds_give_the_same_bytes_with_widgets_figures_and_measurements(tmp_path):
    path = tmp_path / "notebooks" / "01_x.py"
    path.parent.mkdir()
    path.write_text(LECTURE)
    assert built(path) == ""
    first = path.with_suffix(".ipynb").read_bytes()
    assert built(path) == ""
    assert path.with_suffix(".ipynb").read_bytes() == first
    assert b"image/png" in first
    assert b"widget-state+json" in first
    assert b"never kept" not in first.replace(rb"print(\"never kept\"", b"")
    assert f"It takes {reckoned_minutes(read_source(path))} minutes" in first.decode()


def test_a_cell_that_fails_is_named(tmp_path):
    path = tmp_path / "notebooks" / "01_x.py"
    path.parent.mkdir()
    path.write_text("# %%\n1 / 0\n")
    assert "ZeroDivisionError" in built(path)
    assert not path.with_suffix(".ipynb").exists()


def test_the_build_command_wants_a_chapter_that_exists():
    with pytest.raises(InputError, match="NN is '77'"):
        chosen_stems(["77"])
    assert chosen_stems(["3", "panels"]) == ["03_filtering", "panels"]
