"""A panel that counts, for tests of what all panels share."""

from typing import Any

from tetriscourse.errors import InputError
from tetriscourse.widgets.blocks import controls, number, select, slider, table, table_data, text
from tetriscourse.widgets.panel import typed_number, typed_whole
from tetriscourse.widgets.step_controls import LearningPanel


class Counting(LearningPanel):
    """Counts up to a limit, one a step."""

    title = "Counting"
    tries = ("Press start.", "Type nonsense into the field.")

    def __init__(self, limit: int = 1_000_000, **options: Any) -> None:
        self.limit, self.weight, self.choice, self.picked = limit, 1.0, "a", None
        self.fails_at, self.refused = -1, set[str]()
        super().__init__(
            controls(
                "own",
                number("limit", "limit"),
                slider("weight", "weight", -5, 5),
                select("choice", "choice", ["a", "b"]),
            ),
            text("count", "large"),
            table("rows", pick=True),
            **options,
        )

    def restart(self) -> None:
        self.count = 0

    def compute(self) -> int | None:
        if self.count == self.fails_at:
            raise ZeroDivisionError("a mistake of the student's")
        return 1 if self.count < self.limit else None

    def apply(self, result: int) -> None:
        self.count += result

    def is_over(self) -> str:
        return "" if self.count < self.limit else "all is counted"

    def status(self) -> str:
        return f"count {self.count}"

    def shown(self) -> dict[str, Any]:
        return {
            "own": {"limit": {"value": self.limit}, "weight": {"value": self.weight}, "choice": {"value": self.choice}},
            "count": {"text": str(self.count)},
            "rows": table_data(["row", "square"], [[n, n * n] for n in range(3)], self.picked),
        }

    def when_limit(self, value: Any) -> None:
        self.limit = typed_whole("limit", value, 1)

    def when_weight(self, value: Any) -> None:
        self.weight = typed_number("weight", value, at_least=-5, at_most=5)

    def when_choice(self, value: Any) -> None:
        if value not in ("a", "b"):
            raise InputError(f"choice is {value!r}; it must be a or b")
        if value in self.refused:
            raise InputError(f"choice is {value!r}; it is refused")
        self.choice = value

    def when_rows(self, value: Any) -> None:
        self.picked = value

    def when_broken(self, value: Any) -> None:
        raise KeyError("broken")
