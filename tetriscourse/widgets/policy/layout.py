"""The controls and blocks of the policy panel."""

from __future__ import annotations

from collections.abc import Sequence

from tetriscourse.widgets.blocks import (
    Spec,
    board,
    button,
    check,
    column,
    controls,
    drawing,
    row,
    select,
    slider,
    table,
    text,
)

DIRECTIONS = {"gradient": "gradient", "natural": "natural gradient"}
REWARDS = {"up": "+1 for the move on show", "down": "−1 for the move on show", "played": "what episodes gained"}
AS_THEY_ARE = "as they are"


def layout(features: Sequence[str], pieces: Sequence[str]) -> list[Spec]:
    """The blocks below the buttons for rounds."""
    learning = controls(
        "learning",
        select("direction", "rounds follow the", list(DIRECTIONS.items())),
        slider("episodes", "episodes a round", 1, 100, 1),
        check("baseline", "with baseline", "subtract what a board like this gains on average"),
    )
    pushing = controls(
        "pushing",
        select("reward", "reward", list(REWARDS.items())),
        button("gradient", "Gradient step"),
        button("natural", "Natural step"),
        button("undo", "Undo", "take back the last change of weights or board"),
    )
    sliders = controls(
        "sliders",
        slider("length", "step size", 0.05, 3, 0.05, "how much a step changes log π, as a root mean square"),
        slider("temperature", "temperature", 0.1, 10, 0.1, "the scores are divided by it"),
        select("scaled", "feature times 10", [AS_THEY_ARE, *features]),
    )
    stepping = controls(
        "stepping",
        button("previous", "← Previous"),
        button("next", "Next →"),
        button("likeliest", "Likeliest"),
    )
    playing = controls(
        "playing",
        button("take", "Take a move", "drawn by the policy"),
        button("finish", "Play to the end", "of this episode"),
        select("piece", "piece", pieces),
    )
    left = column(board("board"), stepping, text("about", live=True))
    right = column(drawing("bars", pick=True), drawing("changes", pick=True))
    below = row(column(text("gradient_words", "soft"), drawing("gradients")), drawing("returns"))
    return [learning, playing, pushing, sliders, text("episode", "soft", live=True), row(left, right), below,
            table("moves", pick=True)]  # fmt: skip
