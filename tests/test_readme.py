"""What the README shows works as it stands there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tetriscourse.course.chapters import CHAPTERS

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_the_python_of_the_readme_runs(tmp_path):
    script = tmp_path / "readme.py"
    script.write_text("\n".join(re.findall(r"```python\n(.*?)```", README, re.DOTALL)), encoding="utf-8")
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert "Move(T" in ran.stdout


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
