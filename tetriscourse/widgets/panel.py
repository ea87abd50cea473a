"""The base class of all panels. Python keeps the state and decides; the page shows it and reports what a person does.

A panel of your own, which works as it stands here:

    from typing import Any

    from tetriscourse.game.random import Chance
    from tetriscourse.widgets.blocks import button, column, controls, drawing, slider, text
    from tetriscourse.widgets.charts import Chart
    from tetriscourse.widgets.panel import Panel, typed_whole


    class Dice(Panel):
        title = "Dice"
        tries = ("Throw a hundred times: how even are the bars?",)

        def __init__(self) -> None:
            self.sides, self.thrown, self.chance = 6, list[int](), Chance(seed=1)
            buttons = controls("dice", button("throw", "Throw"), slider("sides", "sides", 2, 20, 1))
            super().__init__(column(buttons, text("last", "large", live=True), drawing("bars")))

        def content(self) -> dict[str, Any]:
            counts = [self.thrown.count(side + 1) for side in range(self.sides)]
            chart = Chart((0, self.sides + 1), (0, max(counts) + 1), "side", "times", whole_x=True)
            chart.bars(range(1, self.sides + 1), counts)
            return {
                "dice": {"sides": {"value": self.sides}},  # the value of each control, by the id of its group
                "last": {"text": str(self.thrown[-1]) if self.thrown else "-"},
                "bars": {"svg": chart.svg(f"How often each of {self.sides} sides came up")},
            }

        def when_throw(self, value: Any) -> None:
            self.thrown.append(1 + self.chance.below(self.sides))

        def when_sides(self, value: Any) -> None:
            self.sides, self.thrown = typed_whole("sides", value, 2, 20), []

After every `when_...` the page shows what `content()` returns. Errors become a message in the panel. See also blocks.py
for blocks and controls, inputs.py for controls that only set a value, step_controls.py for work in the background.
"""

from __future__ import annotations

import json
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import traitlets

from tetriscourse.errors import InputError, real_number, shown, whole_number
from tetriscourse.game.drawing import COLOURS, MARKS, SIGNS
from tetriscourse.widgets.blocks import Spec
from tetriscourse.widgets.pictures import as_image, panel_svg
from tetriscourse.widgets.worker import Worker

__all__ = ["Panel", "script", "typed_number", "typed_whole"]

HERE = Path(__file__).parent
SCRIPTS = ("board", "controls", "blocks")  # javaScript files that every panel needs; a panel can name more in `scripts`


def script(names: tuple[str, ...]) -> str:
    """The JavaScript module of a panel: constants of the library, followed by the files."""
    constants = {"MARKS": MARKS, "COLOURS": COLOURS, "SIGNS": SIGNS}
    first = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in constants.items())
    return first + "\n".join((HERE / "js" / f"{name}.js").read_text("utf-8") for name in (*SCRIPTS, *names, "main"))


class Panel(anywidget.AnyWidget):
    """A widget made of blocks, with its state in Python."""

    title: ClassVar[str] = "Panel"
    tries: ClassVar[tuple[str, ...]] = ()  # suggestions for the reader, a sentence each
    scripts: ClassVar[tuple[str, ...]] = ()  # further files of js/ that its blocks need

    _esm = script(())
    _css = (HERE / "style.css").read_text("utf-8")

    heading = traitlets.Dict().tag(sync=True)
    blocks = traitlets.Dict().tag(sync=True)
    data = traitlets.Dict().tag(sync=True)
    message = traitlets.Dict({"text": "", "kind": "note"}).tag(sync=True)
    version = traitlets.Int(0).tag(sync=True)  # goes up with each refresh; the page sends back the one it has shown

    def __init_subclass__(cls, **options: Any) -> None:
        if "scripts" in vars(cls):  # and not in the class that traitlets makes of it when traits are added
            cls._esm = script(cls.scripts)
        super().__init_subclass__(**options)

    def __init__(self, blocks: Spec):
        # Held while the state changes: events arrive in one or two threads of the kernel, work runs in another.
        self.lock = threading.RLock()
        self._newest: dict[str, float] = {}  # for events that come fast: when the page sent the newest value
        self.worker = Worker(self.advance, lambda: int(self.version), self._work_ended)
        self.failure = ""  # full traceback of the last error that was not bad input, for debugging
        self.epoch = 0  # goes up with each reset, so that a step begun before it is dropped
        super().__init__(heading={"title": self.title, "tries": self.tips()}, blocks=blocks, data=self.content())
        self.on_msg(lambda _, content, __: self.receive(content))

    # --- for subclasses ----------------------------------------------------------------------------

    def content(self) -> dict[str, Any]:
        """The data of every block with an id, for the current state."""
        return {}

    def compute(self) -> Any:
        """Compute the next step without changing anything; None if nothing is left to do."""
        return None

    def apply(self, result: Any) -> None:
        """Update the state with the result of `compute`."""

    def tips(self) -> list[str]:
        """Suggestions for this particular panel: all of `tries`, or those that apply."""
        return list(self.tries)

    def describe(self) -> str:
        """The current state in words, for the text form; one or more lines."""
        return ""

    # --- the page ---------------------------------------------------------------------------------

    def receive(self, content: dict[str, Any]) -> None:
        """Handle a message from the page."""
        name, _, argument = str(content.get("event", "")).partition(":")
        value = content.get("value")
        if name == "shown":
            self.worker.acknowledge(int(value or 0))
            return
        with self.lock:
            if self._is_overtaken(content):
                return
            self._hear(name, argument, value)

    def _is_overtaken(self, content: dict[str, Any]) -> bool:
        """Whether a newer value of the same event came first: the kernel's threads do not keep the order."""
        event, at = content.get("event", ""), content.get("at")
        if at is None:
            return False
        newest = self._newest[event] = max(at, self._newest.get(event, at))
        return bool(at < newest)

    def _hear(self, name: str, argument: str, value: Any) -> None:
        """Call the method for an event."""
        with self.changing():
            when = getattr(self, f"when_{name}", None)
            if when is None:
                raise InputError(f"event is {shown(name)}; this panel has no such control")
            if argument:
                when(value, argument)
            else:
                when(value)

    @contextmanager
    def changing(self, message: str = "", kind: str = "note") -> Iterator[None]:
        """Change the state inside this context: the page then shows it, with this message or an error."""
        with self.lock, self.hold_sync():
            self.say(message, kind)
            try:
                yield
            except InputError as error:
                self.say(str(error), "error")
            except Exception as error:  # a mistake in a user's feature or agent must not end up in the notebook
                self.failure = traceback.format_exc()
                self.say(f"{type(error).__name__}: {error}", "error")
            self.refresh()

    @contextmanager
    def naming(self, who: str) -> Iterator[None]:
        """Call a user's code inside this context: its errors are reported under the given name."""
        try:
            yield
        except InputError:
            raise
        except Exception as error:
            self.failure = traceback.format_exc()
            raise InputError(f"{who} failed: {type(error).__name__}: {error}") from error

    def say(self, text: str, kind: str = "note") -> None:
        """Show a message in the panel, a note or an error; an empty text clears it."""
        self.message = {"text": text, "kind": kind}

    def refresh(self) -> None:
        """Show the current state."""
        with self.lock:
            try:
                self.data = self.content()
            except Exception as error:
                self.failure = traceback.format_exc()
                self.say(f"{type(error).__name__}: {error}", "error")
            self.version += 1

    def when_hidden(self, value: Any) -> None:
        """The panel has left the screen: stop."""
        self.halt()

    # --- work -------------------------------------------------------------------------------------

    @property
    def running(self) -> bool:
        """Whether it is working in the background."""
        return self.worker.running

    def start(self) -> None:
        """Work in the background for as long as the page shows it."""
        self.worker.start()
        self.refresh()

    def halt(self) -> None:
        """Stop working, without telling the page."""
        self.worker.pause()

    def pause(self) -> None:
        """Stop working until started again."""
        self.halt()
        self.refresh()

    def step(self, steps: int = 1) -> None:
        """Take some steps right away, in this thread."""
        for _ in range(whole_number("steps", steps, 1)):
            if not self.advance():
                break

    def advance(self) -> bool:
        """Take one step: computed without the lock, so that the panel stays responsive, then applied. Is there more?"""
        epoch = self.epoch
        try:
            result = self.compute()
        except Exception as error:
            # Shown, not raised: in a background thread nobody would see it.
            self.worker.pause()
            with self.changing():
                raise error
            return False
        if result is None:
            return False
        with self.lock:
            if epoch != self.epoch:  # reset in the meantime
                return True
            # A message stays until the person does something.
            with self.changing(self.message["text"], self.message["kind"]):
                self.apply(result)
        return True

    def forget(self) -> None:
        """Drop the step being computed: the state it started from is gone."""
        self.epoch += 1

    def _work_ended(self) -> None:
        self.refresh()

    def close(self) -> None:
        """Stop working and leave the page."""
        if hasattr(self, "epoch"):  # missing if bad input ended __init__ early
            self.halt()
        super().close()

    # --- other forms ------------------------------------------------------------------------------

    def __repr__(self) -> str:
        described = self.describe()
        return f"{type(self).__name__}({self.title})" + (f"\n{described}" if described else "")

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """The live view, a still picture for pages without a kernel, and text."""
        found = super()._repr_mimebundle_(**options)
        if found is None:
            return None
        data, metadata = found
        picture = panel_svg(self.heading, self.blocks, self.data)
        # JupyterLab hides the SVG of an untrusted notebook, but shows an image inside HTML.
        return {**data, "text/html": as_image(picture), "image/svg+xml": picture}, metadata


def typed_number(argument: str, value: object, **bounds: float) -> float:
    """A number typed into a field or set with a slider, within the bounds of `real_number`."""
    return real_number(argument, _parsed(value), **bounds)


def typed_whole(argument: str, value: object, low: int, high: int | None = None) -> int:
    """A whole number typed into a field."""
    return whole_number(argument, _parsed(value), low, high)


def _parsed(value: object) -> object:
    """The number that a text stands for, or the text."""
    if not isinstance(value, str):
        return value
    text = value.strip().replace(",", "").replace("−", "-")
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return value
