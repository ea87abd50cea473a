"""The README is short, and works as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tetriscourse.course.chapters import CHAPTERS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def linked(text):
    """The files that a text links to."""
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    found = re.findall(r"\]\((?!http)([^)#]+)\)", prose) + re.findall(r'(?:src|srcset)="([^"]+)"', prose)
    return [ROOT / target for target in found]


def test_a_person_reads_the_readme():
    assert len(README.splitlines()) <= 200


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_and_pictures_lead_somewhere(name):
    assert [path for path in linked((ROOT / name).read_text("utf-8")) if not path.exists()] == []


def test_the_modules_of_an_evening_are_fewer_than_two_thousand_lines():
    modules = linked(README.split("read in an evening\n")[1].split("\n## ")[0])
    assert len(modules) >= 8
    assert sum(len(path.read_text("utf-8").splitlines()) for path in modules) < 2000


@pytest.mark.slow
def test_the_python_of_the_readme_runs(tmp_path):
    script = tmp_path / "readme.py"
    script.write_text("\n".join(re.findall(r"```python\n(.*?)```", README, re.DOTALL)), encoding="utf-8")
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert "Move(T" in ran.stdout


@pytest.mark.slow
def test_every_command_of_the_readme_is_understood():
    commands = re.findall(r"^\.venv/bin/tetriscourse ([^#\n]+)", README, re.MULTILINE)
    assert len(commands) >= 6
    for command in commands:
        name = command.split()[0]
        options = re.findall(r"--[a-z-]+", command)
        shown = subprocess.run(
            [sys.executable, "-m", "tetriscourse.cli", name, "--help"], capture_output=True, text=True, check=True
        ).stdout
        assert [option for option in options if option not in shown] == []


def test_the_chapters_of_the_readme_are_those_of_the_course():
    rows = re.findall(r"^\| \[(\d\d) (.+)\]\(notebooks/(.+)\) \| (.+) \|$", README, re.MULTILINE)
    assert rows == [(one.number, one.title, one.file, one.question) for one in CHAPTERS.values()]
