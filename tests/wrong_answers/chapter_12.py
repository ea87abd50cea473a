"""Plausible wrong answers of chapter 12."""

MEMORY = """
class Memory:
    def __init__(self, places):
        self.places, self.held, self.count = places, [], 0

    def add(self, experience):
        {add}

    def sample(self, size, draws):
        return {sample}
"""
RING = (
    "if len(self.held) < self.places:\n"
    "            self.held.append(experience)\n"
    "        else:\n"
    "            self.held[self.count % self.places] = experience\n"
    "        self.count += 1"
)
DRAWN = "[self.held[j] for j in draws.below(len(self.held), size)]"


def backwards(*changes):
    """The model solution of 12.5 with parts of it replaced."""
    text = (
        "def gradients(x, y, W, b, V, c):\n"
        "    hidden = np.maximum(0, x @ W + b)\n"
        "    dy = 2 * (hidden @ V + c - y) / len(x)\n"
        "    dz = dy @ V.T * (hidden > 0)\n"
        "    return x.T @ dz, dz.sum(axis=0), hidden.T @ dy, dy.sum(axis=0)"
    )
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def forwards(*changes):
    """The model solution of the first part of 12.1 with parts of it replaced."""
    text = (
        "def forward(x, theta, sizes):\n"
        "    start = 0\n"
        "    for n, m in zip(sizes, sizes[1:]):\n"
        "        W = theta[start : start + n * m].reshape(n, m)\n"
        "        b = theta[start + n * m : start + n * m + m]\n"
        "        start += n * m + m\n"
        "        x = x @ W + b\n"
        "        if start < len(theta):\n"
        "            x = np.maximum(0, x)\n"
        "    return x"
    )
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def best_repairs(runs, value="np.log(run(repairs, seed))"):
    """Answers of 12.8: the best of all learners, by the mean of some runs of each."""
    return (
        "def best_repairs(run):\n"
        "    def mean(repairs):\n"
        f"        return np.mean([{value} for seed in {runs}])\n"
        "    return max(product((False, True), repeat=4), key=mean)"
    )


ONE_AT_A_TIME = (
    "def best_repairs(run):\n"
    "    def mean(repairs):\n"
    "        return np.mean([np.log(run(repairs, seed)) for seed in range(9)])\n"
    "    plain = mean((False,) * 4)\n"
    "    return tuple(mean(tuple(i == j for j in range(4))) > plain for i in range(4))"
)

REPAIR_AFTER_REPAIR = (
    "def best_repairs(run):\n"
    "    known = {}\n"
    "    def mean(repairs):\n"
    "        if repairs not in known:\n"
    "            known[repairs] = np.mean([np.log(run(repairs, seed)) for seed in range(4)])\n"
    "        return known[repairs]\n"
    "    best, more = (False,) * 4, True\n"
    "    while more and run.left >= 16:\n"
    "        tries = [tuple(on or i == j for j, on in enumerate(best)) for i in range(4)]\n"
    "        more = (new := max([best, *tries], key=mean)) != best\n"
    "        best = new\n"
    "    return best"
)

WRONG = {
    "12.1": [
        forwards(("if start < len(theta)", "if True")),  # the last layer too
        forwards(("if start < len(theta)", "if False")),  # never rectified
        forwards(("x = x @ W + b", "x = x @ W"), ("np.maximum(0, x)", "np.maximum(0, x) + b")),  # after the corner
        forwards(("np.maximum(0, x)", "abs(x)")),
        forwards(("reshape(n, m)", "reshape(m, n).T  # column by column")),
        forwards(("start += n * m + m", "start += n * m  # the offsets are read as weights")),
    ],
    "12.2": [
        MEMORY.format(add="self.held.append(experience)  # it grows and grows", sample=DRAWN),
        MEMORY.format(
            add="self.held = [*self.held, experience][: self.places]  # what is new is dropped", sample=DRAWN
        ),
        MEMORY.format(
            add="self.held = [*self.held[: self.places - 1], experience]  # takes the newest one's place", sample=DRAWN
        ),
        MEMORY.format(add=RING, sample="[self.held[j] for j in draws.below(self.places, size)]  # some are still free"),
        MEMORY.format(add=RING, sample="self.held[-size:]  # the newest, not a sample"),
        MEMORY.format(add=RING, sample="[self.held[j % len(self.held)] for j in range(size)]  # in order"),
    ],
    "12.3": [
        "def targets(r, q, allowed, final, gamma):\n"
        "    return r + gamma * np.where(allowed, q, 0).max(axis=1)  # all values may be negative",
        "def targets(r, q, allowed, final, gamma):\n"
        "    return r + gamma * np.where(final, 0, q.max(axis=1))  # what is not allowed counts too",
        "def targets(r, q, allowed, final, gamma):\n    return r + gamma * q.max(axis=1)  # no end",
        "def targets(r, q, allowed, final, gamma):\n"
        "    return r + gamma * ~final * np.where(allowed, q, -np.inf).max(axis=1)  # 0 times infinity",
        "def targets(r, q, allowed, final, gamma):\n"
        "    best = np.where(allowed, q, -np.inf).max(axis=1)\n"
        "    return np.where(final, 0, r + gamma * best)  # the last reward is lost",
        "def targets(r, q, allowed, final, gamma):\n"
        "    best = np.where(allowed, q, -np.inf).max(axis=1)\n"
        "    return r + np.where(final, 0, best)  # no discount",
    ],
    "12.4": [
        "def numerical_gradient(f, theta, h=1e-5):\n"
        "    return np.array([(f(theta + step) - f(theta)) / h for step in h * np.eye(len(theta))])  # one side only",
        "def numerical_gradient(f, theta, h=1e-5):\n"
        "    steps = h * np.eye(len(theta))\n"
        "    return np.array([(f(theta + step) - f(theta - step)) / h for step in steps])  # twice too large",
        "def numerical_gradient(f, theta, h=1e-5):\n"
        "    return (f(theta + h) - f(theta - h)) / (2 * h)  # all parameters at once",
        "def numerical_gradient(f, theta, h=1e-5):\n"
        "    slopes = []\n"
        "    for i in range(len(theta)):\n"
        "        theta[i] += h\n"
        "        more = f(theta)\n"
        "        theta[i] -= 2 * h\n"
        "        slopes.append((more - f(theta)) / (2 * h))  # and theta stays there\n"
        "    return np.array(slopes)",
    ],
    "12.5": [
        backwards((" * (hidden > 0)", "")),
        backwards((" / len(x)", "")),
        backwards(("2 * (hidden", "(hidden")),
        backwards(("dz.sum(axis=0)", "dz.mean(axis=0)")),
        backwards(("hidden @ V + c - y", "y - hidden @ V - c")),
        backwards(("x.T @ dz", "dz.T @ x")),
        backwards(("(hidden > 0)", "hidden")),
    ],
    "12.6": [
        *(
            f"found_how = 'word ' * 20\nnetwork = {made}"
            for made in (
                "Network((10, 19, 1), seed=0)  # random",
                "Network((10, 19, 1), seed=None)  # all zero",
                "Network.from_theta((10, 1), [-1.0] * 10 + [0.0])  # the sum of the heights alone",
                "Network((4, 8, 1), seed=0)",
                "Network((10, 8, 2), seed=0)",
                "'by hand'",
            )
        ),
        "found_how = 'By hand.'\nnetwork = Network((10, 19, 1), seed=0)",
    ],
    "12.8": [
        "def best_repairs(run):\n    return (True, True, True, True)",
        ONE_AT_A_TIME,
        best_repairs("range(4)"),  # 64 runs
    ],
}

PARTLY = {
    "12.1": [
        (1, "larger = [1, 0, 0, -1, 1, -1, 0, 0, 0, 1, 1, 0, 0]  # for positive numbers only"),
        (1, "larger = [1, -1, 0, -1, 1, 0, 0, 0, 0, 1, 1, 0, 0]  # how far apart they are"),
        (1, "larger = [1, 0, 0, 0, 1, 0]"),
        (1, "larger = max"),
    ],
    "12.8": [
        (1, best_repairs("range(run.left, run.left + 3)")),  # seeds of their own
        (1, REPAIR_AFTER_REPAIR),
        (2, best_repairs("[0]")),  # a single run of each, and 32 left
    ],
}
