"""Plausible wrong answers of chapter 07."""

CHOSEN = "judging_rules, judging_games, judging_score = "
BREED = (
    "objective = tc.Objective({objective}, signs='usual')\n"
    "algorithm = tc.GeneticAlgorithm(objective.dimension, {settings})\n"
    "bred = tc.train(algorithm, objective, progress=False, curve=0)\n"
    "story = 'word ' * 20"
)

WRONG = {
    "07.1": [
        "def decode(genome):\n"
        "    return [sum(bit / 2**k for k, bit in enumerate(bits)) for bits in genome]  # the first bit is worth 1",
        "def decode(genome):\n    return [sum(bit * 2**k for k, bit in enumerate(bits)) for bits in genome]  # whole",
        "def decode(genome):\n"
        "    return [sum(bit / 2 ** (k + 1) for k, bit in enumerate(bits[::-1])) for bits in genome]  # read backwards",
        "def decode(genome):\n    return sum(bit / 2 ** (k + 1) for k, bit in enumerate(genome[0]))  # one weight only",
    ],
    "07.2": [
        "def parents(fitness, entrants):\n"
        "    ranked = sorted(range(len(fitness)), key=lambda k: -fitness[k])  # everybody enters\n"
        "    return ranked[0], ranked[1]",
        "def parents(fitness, entrants):\n"
        "    ranked = sorted((fitness[k] for k in entrants), reverse=True)  # fitness, not positions\n"
        "    return ranked[0], ranked[1]",
        "def parents(fitness, entrants):\n"
        "    ranked = sorted(entrants, key=lambda k: fitness[k])  # the worst two\n"
        "    return ranked[0], ranked[1]",
        "def parents(fitness, entrants):\n"
        "    ranked = sorted(entrants, key=lambda k: (fitness[k], k))  # equals by position\n"
        "    return ranked[-1], ranked[-2]",
    ],
    "07.3": [
        "def crossover(mother, father, cuts):\n"
        "    first = [m[:cut] + f[cut:] for m, f, cut in zip(mother, father, cuts)]\n"
        "    return first, first  # twins",
        "def crossover(mother, father, cuts):\n"
        "    cut = cuts[0]  # one cut for all weights\n"
        "    pairs = list(zip(mother, father))\n"
        "    return [m[:cut] + f[cut:] for m, f in pairs], [f[:cut] + m[cut:] for m, f in pairs]",
        "def crossover(mother, father, cuts):\n"
        "    triples = list(zip(mother, father, cuts))\n"
        "    return [f[:c] + m[c:] for m, f, c in triples], [m[:c] + f[c:] for m, f, c in triples]  # swapped",
        "def crossover(mother, father, cuts):\n    return [m[:c] + f[c:] for m, f, c in zip(mother, father, cuts)]",
    ],
    "07.4": [
        "def survivors(old, young, kept, size):\n"
        "    return sorted(old + young, reverse=True)[:size]  # all of the old ones",
        "def survivors(old, young, kept, size):\n"
        "    elite = sorted(old, reverse=True)[:kept]\n"
        "    return elite + sorted(young, reverse=True)[: size - kept]  # in this order, and the elite cannot lose",
        "def survivors(old, young, kept, size):\n    return sorted(old[:kept] + young, reverse=True)[:size]",
        "def survivors(old, young, kept, size):\n"
        "    elite = sorted(old, reverse=True)[:kept]\n"
        "    return sorted(elite + young)[:size]  # the worst stay",
    ],
    "07.5": [
        f"{CHOSEN}replace(rules, max_pieces=500), 5, 'lines'",
        f"{CHOSEN}replace(rules, max_pieces=500), 5, 'points'",
        f"{CHOSEN}replace(rules, max_pieces=1000), 12, 'lines'  # the best of caps",
        f"{CHOSEN}replace(rules, max_pieces=2000), 6, 'lines'",
        f"{CHOSEN}replace(rules, max_pieces=4000), 3, 'lines'",
        f"{CHOSEN}replace(rules, height=10), 5, 'lines'",
        f"{CHOSEN}replace(rules, height=18, max_pieces=2000), 6, 'lines'",
        f"{CHOSEN}rules, 1, 'lines'  # for ever",
        f"{CHOSEN}replace(rules, draw='independent'), 100, 'lines'  # too many",
        f"{CHOSEN}replace(rules, draw='independent'), 0, 'lines'",
        f"{CHOSEN}tc.RULES['6x12'], 5, 'lines'",
        f"{CHOSEN}replace(rules, draw='independent'), 5, 'pieces'",
    ],
    "07.6": [
        BREED.format(objective="'tetrisbot', ground, games=2", settings="population_size=40, iterations=6"),
        BREED.format(objective="'dellacherie', ground", settings="population_size=10, iterations=1"),
        BREED.format(objective="'bertsekas', tc.RULES['6x12']", settings="population_size=10, iterations=1"),
        "bred = tc.PLAYERS['dellacherie']\nstory = 'word ' * 20",
        "bred = tc.train(tc.CMAES(6, iterations=2), tc.Objective('dellacherie', ground), progress=False, curve=0)\n"
        "story = 'word ' * 20",
        "story = 'I bred it.'",
    ],
    "07.8": [
        "def causes(breed):\n    return True, False",
        "def causes(breed):\n    return 'both'",
        "def causes(breed):  # floats as they are against bits as they are\n"
        "    ratios = [np.log(breed('bits', 0.96, k) / breed('floats', 0.05, k)) for k in range(30)]\n"
        "    return (abs(np.mean(ratios)) > 0.15,) * 2",
        "def causes(breed):  # each run with a seed of its own\n"
        "    def mean(genome, share, first):\n"
        "        return np.mean([np.log(breed(genome, share, first + k)) for k in range(15)])\n"
        "    base = mean('floats', 0, 0)\n"
        "    return abs(mean('bits', 0, 100) - base) > 0.15, abs(mean('floats', 1, 200) - base) > 0.15",
        "def causes(breed):  # too many\n"
        "    lines = [[np.log(breed(g, s, k)) for k in range(30)] for g in ('floats', 'bits') for s in (0, 1)]\n"
        "    return True, True",
    ],
}

PARTLY = {
    "07.8": [
        (1, "def causes(breed):  # the larger of the two is taken for the only one\n"
         "    base = np.log([breed('floats', 0, k) for k in range(20)])\n"
         "    bits = abs((np.log([breed('bits', 0, k) for k in range(20)]) - base).mean())\n"
         "    share = abs((np.log([breed('floats', 1, k) for k in range(20)]) - base).mean())\n"
         "    return bits > share, share >= bits"),
        (2, "def causes(breed):  # one cause at most\n"
         "    base = np.log([breed('floats', 0, k) for k in range(20)])\n"
         "    bits = abs((np.log([breed('bits', 0, k) for k in range(20)]) - base).mean())\n"
         "    share = abs((np.log([breed('floats', 1, k) for k in range(20)]) - base).mean())\n"
         "    return 0.15 < bits > share, 0.15 < share > bits"),
    ],
}  # fmt: skip
