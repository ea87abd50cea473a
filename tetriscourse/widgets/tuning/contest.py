"""A contest: the many games of a player and of a rival on the same pieces, played and shown while they go on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tetriscourse.errors import counted
from tetriscourse.statistics import Scores, compare_scores
from tetriscourse.widgets.tuning.score_chart import score_svg, summary
from tetriscourse.widgets.tuning.trials import FIRST_SLICE, Trial, common
from tetriscourse.widgets.worker import Worker

PLAYER, RIVAL = "this player", "the rival"
"""What the two are called in the picture and in the verdict."""


class Contest:
    """Plays a slice after the other, each followed by `show()`, as long as the page answers with its version."""

    def __init__(self, player: Trial, show: Callable[[], None], version: Callable[[], int]):
        self.player = player
        self.rival: Trial | None = None
        self.is_seen = False
        """Whether there is a page that shows it."""
        self.log_scale = False
        self.worker = Worker(self._slice, version, show)
        self._show = show
        self._reported: Trial | None = None
        self._shown: dict[str, Any] | None = None

    @property
    def trials(self) -> list[Trial]:
        """Those that take part; one, if the rival is the player itself."""
        return list(dict.fromkeys(one for one in (self.player, self.rival) if one is not None))

    @property
    def is_over(self) -> bool:
        """Whether all games have been played."""
        return all(one.is_over for one in self.trials)

    # --- playing ----------------------------------------------------------------------------------

    def renew(self, player: Trial, rival: Trial | None) -> None:
        """Go on with these two; the games of others are broken off."""
        self.stop()
        self.player, self.rival = player, rival
        if self.is_seen:  # a few games at once, so that the picture moves with the slider
            player.allow()
            player.go_on(FIRST_SLICE)
        self.play()

    def seen(self, version: int) -> None:
        """The page has shown this version."""
        self.is_seen = True
        self.worker.acknowledge(version)
        self.play()

    def play(self) -> None:
        """Go on, if somebody sees it."""
        if self.is_seen and not self.worker.running and not self.is_over:
            for one in self.trials:
                one.allow()
            self.worker.start()

    def stop(self) -> None:
        """Break everything off."""
        self.worker.pause()
        for one in self.trials:
            one.stop()

    def hide(self) -> None:
        """Nobody sees it any more."""
        self.is_seen = False
        self.stop()

    def _slice(self) -> bool:
        """Let the one with fewer games play for a slice, and show it; whether there was anything to do."""
        left = [one for one in self.trials if not one.is_over]
        if not left:
            return False
        # Whoever is in the middle of a long game does not keep the other one waiting.
        idle = [one for one in left if not one.is_playing] or left
        min(idle, key=lambda one: one.played).go_on()
        self._reported = self.player
        self._show()
        return True

    # --- showing ----------------------------------------------------------------------------------

    def redraw(self) -> None:
        """Draw everything anew the next time, even before a slice has been played."""
        self._shown = None

    def content(self) -> dict[str, Any]:
        """The picture of the scores; that of the weights before, until the first slice of the new ones is played."""
        if self._shown is None or self.player.played or self._reported is self.player:
            both = [(PLAYER, self.player)] + ([(RIVAL, self.rival)] if self.rival else [])
            results = [(name, trial, trial.scores()) for name, trial in both]
            svg = score_svg([(name, scores) for name, _, scores in results], self.log_scale)
            lines = [self._summary(*result) for result in results] + self._verdict()
            self._shown = {"scores": {"svg": svg}, "summary": {"text": lines}}
        return self._shown

    def _summary(self, name: str, trial: Trial, scores: Scores) -> str:
        """The scores of one in words."""
        if not self.is_seen:
            return f"{name.capitalize()}: {counted(trial.games, 'game')} will be played when the page is there."
        text = f"{name.capitalize()}: {summary(scores)}."
        if trial.is_over:
            return text
        moves = f"; {trial.moves:,} moves so far" if trial.moves else ""
        return f"{text} {trial.games - trial.played} to come{moves}."

    def _verdict(self) -> list[str]:
        """Who is better, from the games that both have played."""
        if self.rival is None or min(self.player.played, self.rival.played) < 2:
            return []
        a, b = common(self.player, self.rival)
        verdict = compare_scores(replace(a, player=PLAYER), replace(b, player=RIVAL)).verdict
        return [f"{verdict[0].upper()}{verdict[1:]}."]
