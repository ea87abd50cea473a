"""Simulations that keep the games that are over in a file."""

from __future__ import annotations

import numpy as np
import pytest

import tetriscourse as tc
from tetriscourse.cli import main
from tetriscourse.errors import InputError
from tetriscourse.simulator import run
from tetriscourse.simulator.games import GameList, Ongoing, play

SEED, RULES = 7, "5x6"


def same(a: tc.Scores, b: tc.Scores) -> bool:
    """Whether two simulations had the same games."""
    names = ("lines", "pieces", "points", "finished", "heights")
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in names)


def interrupted_after(monkeypatch, games: int):
    """Let a simulation be stopped as if by Ctrl-C, after so many games."""
    played = []

    def playing(part: GameList, ongoing: Ongoing):
        if len(played) >= games:
            ongoing.stop()
        played.extend(part.numbers)
        return play(part, ongoing)

    monkeypatch.setattr(run, "play", playing)


@pytest.mark.parametrize("player", ["dn", "filter-heights", tc.LookAhead("dn")])
@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupted_simulation_goes_on_to_the_same_scores(tmp_path, monkeypatch, player, threads):
    whole, file = tc.simulate(player, RULES, 40, SEED), tmp_path / "games.npz"
    with monkeypatch.context() as patch:
        interrupted_after(patch, 5)
        first = tc.simulate(player, RULES, 40, SEED, threads, checkpoint=file)
    assert first.interrupted
    assert 0 < len(first) < 40
    assert same(tc.simulate(player, RULES, 40, SEED, threads, checkpoint=file, resume=True), whole)
    monkeypatch.setattr(run, "play", None)  # nothing is left to be played
    assert same(tc.simulate(player, RULES, 40, SEED, threads, checkpoint=file, resume=True), whole)


def test_a_simulation_can_be_made_longer_but_not_shorter(tmp_path):
    file = tmp_path / "games.npz"
    tc.simulate("dn", RULES, 20, SEED, checkpoint=file)
    assert same(tc.simulate("dn", RULES, 30, SEED, checkpoint=file, resume=True), tc.simulate("dn", RULES, 30, SEED))
    with pytest.raises(InputError, match="games is 10; it must be at least 30"):
        tc.simulate("dn", RULES, 10, SEED, checkpoint=file, resume=True)


def test_games_that_end_at_a_limit_of_pieces_are_over(tmp_path):
    file, rules = tmp_path / "games.npz", tc.Rules(width=10, height=10, max_pieces=50)
    whole = tc.simulate("dn", rules, 20, SEED, checkpoint=file)
    assert not whole.finished.all()
    assert same(tc.simulate("dn", rules, 20, SEED, checkpoint=file, resume=True), whole)


@pytest.mark.parametrize(
    ("player", "rules", "seed", "what"),
    [("dt-10", RULES, SEED, "player.features.name"), ("dn", "5x5", SEED, "rules.height"), ("dn", RULES, 8, "seed")],
)
def test_a_file_of_another_simulation_is_refused(tmp_path, player, rules, seed, what):
    file = tmp_path / "games.npz"
    tc.simulate("dn", RULES, 5, SEED, checkpoint=file)
    with pytest.raises(InputError, match=f"belongs to another run: {what}"):
        tc.simulate(player, rules, 5, seed, checkpoint=file, resume=True)
    with pytest.raises(InputError, match="the file exists: resume it"):
        tc.simulate("dn", RULES, 5, SEED, checkpoint=file)


def test_a_player_that_no_file_can_describe_is_refused_before_any_game(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "play", None)

    class First:
        def choose(self, board, piece, *_):
            return tc.moves(board, piece)[0]

    with pytest.warns(run.SlowWarning), pytest.raises(InputError, match="checkpoint is given; a file cannot describe"):
        tc.simulate(First(), RULES, 5, checkpoint=tmp_path / "games.npz")


def test_the_command_keeps_its_games_too(tmp_path, capsys):
    words = ["simulate", "--player", "dn", "--rules", "5x5", "--games", "20", "--quiet", "--json"]
    file = str(tmp_path / "games.npz")
    assert main(words) == 0
    whole = capsys.readouterr().out
    assert main([*words, "--games", "10", "--checkpoint", file]) == 0
    capsys.readouterr()
    assert main([*words, "--checkpoint", file, "--resume"]) == 0
    found = capsys.readouterr().out
    assert found[: found.index("moves_per_second")] == whole[: whole.index("moves_per_second")]
    assert main([*words, "--resume"]) == 2
    assert "--resume is given; it needs --checkpoint FILE" in capsys.readouterr().err
