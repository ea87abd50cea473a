"""The wheel holds the course, so that a student needs no clone."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tetriscourse.course import chapters

pytestmark = pytest.mark.slow

KINDS = ("notebooks", "exercises", "solutions")
INSIDE = "tetriscourse/course/files"
LEFT_OUT = shutil.ignore_patterns("__pycache__", ".*", "*.nbi", "*.nbc")

if not (chapters.CLONE / "pyproject.toml").is_file():
    pytest.skip("wheels are built in a clone", allow_module_level=True)


def built(tree, target, out):
    """A wheel or a source distribution of a tree, with the hatchling of this environment."""
    words = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(out)]
    ran = subprocess.run(words, cwd=tree, capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stderr
    [path] = Path(out).iterdir()
    return path


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the clone: sources and pictures too, which stay out of the wheel."""
    top = tmp_path_factory.mktemp("tree")
    for name in ("pyproject.toml", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(chapters.CLONE / name, top / name)
    for name in ("tetriscourse", *KINDS):
        shutil.copytree(chapters.CLONE / name, top / name, ignore=LEFT_OUT)
    return top


@pytest.fixture(scope="module")
def wheel(tree, tmp_path_factory):
    """A wheel of it."""
    return built(tree, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The folder that the wheel is unpacked in, which is what installing does."""
    folder = tmp_path_factory.mktemp("site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def command(installed, folder, *words):
    """The command of the installed package, in a folder."""
    around = os.environ | {"PYTHONPATH": str(installed), "TETRISCOURSE_PROGRESS": ""}
    ran = [sys.executable, "-m", "tetriscourse.cli", *words]
    return subprocess.run(ran, cwd=folder, env=around, capture_output=True, text=True, timeout=120, check=False)


def names(wheel):
    """The files in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_every_notebook_and_nothing_else_of_the_course(tree, wheel):
    expected = {f"{INSIDE}/{kind}/{path.name}" for kind in KINDS for path in (tree / kind).glob("*.ipynb")}
    assert f"{INSIDE}/notebooks/panels.ipynb" in expected
    assert {name for name in names(wheel) if name.startswith(INSIDE)} == expected


def test_the_wheel_holds_the_package_and_nothing_beside(tree, wheel):
    package = {path.relative_to(tree).as_posix() for path in (tree / "tetriscourse").rglob("*") if path.is_file()}
    rest = {name for name in names(wheel) if not name.startswith(INSIDE) and ".dist-info/" not in name}
    assert rest == package


def test_a_wheel_made_from_the_source_distribution_is_the_same(tree, wheel, tmp_path):
    with tarfile.open(built(tree, "sdist", tmp_path / "sdist")) as archive:
        archive.extractall(tmp_path / "again", filter="data")
    [again] = (tmp_path / "again").iterdir()
    assert names(built(again, "wheel", tmp_path / "wheel")) == names(wheel)


def test_a_student_without_a_clone_gets_a_working_copy(tree, installed, tmp_path):
    ran = command(installed, tmp_path, "lab", "--no-start")
    assert ran.returncode == 0, ran.stderr
    copied = {path.relative_to(tmp_path / "tetriscourse-course").as_posix() for path in tmp_path.rglob("*.ipynb")}
    stems = {chapter.stem for chapter in chapters.CHAPTERS.values()} | set(chapters.APPENDICES)
    offered = [path for kind in ("notebooks", "exercises") for path in (tree / kind).glob("*.ipynb")]
    assert copied == {f"{path.parent.name}/{path.name}" for path in offered if path.stem in stems}


def test_a_second_start_changes_nothing_in_the_copy(installed, tmp_path):
    command(installed, tmp_path, "lab", "mine", "--no-start")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    ran = command(installed, tmp_path, "lab", "mine", "--no-start")
    assert ran.stderr == f"the course is in {tmp_path.resolve() / 'mine'}\n"
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_the_installed_package_is_no_place_to_work_in(installed, tmp_path):
    for inside in ("tetriscourse", INSIDE):
        assert "outside the course's own files" in command(installed, tmp_path, "lab", str(installed / inside)).stderr


def test_a_teacher_without_a_clone_can_release(installed, tmp_path):
    ran = command(installed, tmp_path, "release", "out", "01")
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "out" / "exercises" / "01_data_structures.ipynb").is_file()


def test_building_needs_a_clone_and_says_so(installed, tmp_path):
    ran = command(installed, tmp_path, "build", "01")
    assert ran.returncode == 2
    assert "works in a clone" in ran.stderr
