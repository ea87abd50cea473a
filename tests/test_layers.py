"""Data flows one way through the package: the contracts in pyproject.toml."""

from pathlib import Path

from importlinter.cli import lint_imports


def test_no_module_imports_one_further_along(capsys, monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[1])
    assert lint_imports(no_cache=True, no_logo=True) == 0, capsys.readouterr().out
