"""What all tests need."""

import contextlib
import os
import signal

# What tests do is not the progress of the person who runs them.
os.environ["TETRISCOURSE_PROGRESS"] = ""

# A shell that runs the tests in the background makes them, and every process they start, ignore Ctrl-C; tests of
# Ctrl-C need the usual behaviour. (Only the main thread may say so, which is where tests are loaded.)
with contextlib.suppress(ValueError):
    signal.signal(signal.SIGINT, signal.default_int_handler)
