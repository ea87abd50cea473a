"""`tetriscourse grade`: run what students handed in, judge it, and say what it is worth.

Read in this order: `submissions` (whose notebook is where; check cells restored), `sandbox` (the walls), `watch` (over
one process), `runner` and `seal` (what happens inside), `marks` (points and flags), `pages`, `session`.

What holds with bubblewrap: a submission sees Python, the system's libraries and the course without its solutions; it
has no network; all that it writes is in memory of bounded size and gone afterwards; all its processes end with it.
Without bubblewrap, an audit hook refuses files elsewhere, the network, other processes and ctypes to Python code, but
not to code that finds another way to the system: grade only people whom you trust, or on a machine without secrets.

What holds in both cases: time and memory of each process are bounded; a cell or an answer that hangs, ends Python or
fills the memory costs its own exercise; check cells are the originals; what a submission tells is read as bounded text.

What does not hold: an answer is a Python function that runs in the same process as its judge. Replaced functions,
classes and tables of the course, of this package and of numpy are noticed before anything is said of a cell, forged
results need a secret that no module or object holds, and names that only such tricks need are flagged. But a determined
student who studies this package can still cheat, for instance with a replacement that undoes itself while a judge runs.
Look at notebooks that are flagged, and at results that surprise you.
"""
