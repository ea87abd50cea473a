"""`tetriscourse grade`: run what students handed in, judge it, and say what it is worth.

Read in this order: `submissions` (whose notebook is where; check cells restored), `sandbox` (the walls, and the watch
over one process), `runner` and `seal` (what happens inside), `marks` (points and flags), `pages`, `command`.

What holds with bubblewrap: a submission sees Python, the system's libraries and the course without its solutions; it
has no network; all that it writes is in memory of bounded size and gone afterwards; all its processes end with it.
Without bubblewrap, an audit hook refuses files elsewhere, the network, other processes and ctypes to Python code, but
not to code that finds another way to the system: grade only people whom you trust, or on a machine without secrets.

What holds in both cases: time and memory of each process are bounded; a cell or an answer that hangs, ends Python or
fills the memory costs its own exercise; check cells are the originals; what a submission tells is read as bounded text.

What does not hold: an answer is a Python function that runs in the same process as its judge. Replaced functions,
classes and tables of the course and of numpy are noticed, forged results need a secret, and names that only such
tricks need are flagged; but someone who studies this package long enough can make a wrong answer look right. A teacher
who suspects it reads the notebook.
"""
