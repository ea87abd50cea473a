"""Every figure and table of the sources: where the course shows it, what makes it, and our numbers beside theirs."""

from __future__ import annotations

from dataclasses import dataclass

from tetriscourse.course.chapters import CHAPTERS

SOURCES = {
    "TS": "Christophe Thiery and Bruno Scherrer, *Construction d'un joueur artificiel pour Tetris*, Revue d'intelligence "
    "artificielle 23, 2009. In French.",
    "MP": "Frédéric Muller and Lionel Ponton, *Tétris Bot: implémentation et résolution automatique du jeu*, report, 2019, "
    "and its early draft: two documents. Both in French.",
    "B": "Amine Boumaza, *How to design good Tetris players*, 2013.",
    "SL": "István Szita and András Lőrincz, *Learning Tetris using the noisy cross-entropy method*, Neural Computation 18, "
    "2006.",
}
"""By their abbreviation in the table."""


@dataclass(frozen=True)
class Reproduction:
    """One figure, table or claim of a source."""

    source: str
    item: str
    what: str
    chapter: str
    section: str
    command: str
    published: str
    ours: str


_TABLE = """
TS | figure 1 | the game and its seven pieces | 01 | A piece is a set of cells | | drawn | drawn, from the cells
TS | figure 2 | a one-piece controller | 04 | From filters to prices | | drawn | played, with the value of every move
TS | table 1 | the features of Bertsekas and Tsitsiklis | 04 | Every feature, seen | | 21 features | 21 features
TS | table 2 | Dellacherie's features and weights | 04 | Every feature, seen | | six | six, each seen on a board
TS | section 3.1 | error of a mean of N games | 05 | How far is a mean to be trusted? | | 2/√N | found again in 4,000 games, and where it fails
TS | section 3.2 | small print of the rules, Dellacherie, 10x20 | 05 | Small print | python tests/benchmarks/published_figures.py | 5.2 M, 850,000, 2.5 M lines, each ± 20 % | 7,300,152, 1,046,024 and 2,460,318 lines
TS | section 3.2 | the same player on 10x16 | 05 | Small print | python tests/benchmarks/published_figures.py | 220,000 ± 20 % lines | 282,853 lines; theirs is low
TS | algorithm 1, figure 3 | noisy cross-entropy, in two dimensions | 08 | A hundred scouts | | drawn | written out, and alive in a panel
TS | figure 4 | mean learning curves of ten runs | 08 | Ten runs each | tetriscourse train thiery-constant (also thiery-none, thiery-decreasing) | three curves | redrawn from our runs
TS | figure 5 | the ten runs | 08 | Ten runs each | the same | 100 to 3,000, 100,000 to 200,000, 5,000 to 250,000 lines | 115 to 16,041, 22,827 to 117,134, 3,347 to 173,840 lines
TS | figure 6 | learning curves of four sets of features, 10x20 | | | tetriscourse train thiery-dn-harder (also thiery-d-harder, thiery-bd-harder, thiery-bdn-harder) | four curves | not on 10x20, where a run would take about a day; learned on harder games instead (results)
TS | table 3 | the best players of D, BD, DN and BDN features, 10x16 | | | tetriscourse train thiery-dn-harder (also thiery-d-harder, thiery-bd-harder, thiery-bdn-harder) | 530,000, 660,000, 910,000 and 910,000 lines | 405,861, 402,535, 1,019,410 and 437,260 lines (results; one run each, learned on harder games)
TS | table 3 | the same players, 10x20 | | | | 17, 20, 35 and 35 M lines | not played: learned on 10x20 they would take days; DN's published weights are in table 4
TS | table 4 | the weights of DN, and their score on 10x16 | 04 | Dellacherie's insight | python tests/benchmarks/published_figures.py | 910,000 ± 5 % lines | 956,702 lines (results)
TS | section 6 | length of a game from its beginning | 05 | A long game from a short one? | | imprecise | imprecise: far too low
MP | chapter 1, section 5 | S and Z that nobody survives | 13 | Nobody wins | | quoted from Brzustowski | played by turns in a panel, and proved on 6x4
MP | chapters 2 and 3 | data structures and engine; the draft's other encoding | 01 | What each makes easy | | described | written, and compared
MP | chapter 4 | the agents | 02 | How badly, exactly? | | described | played and measured
MP | chapters 5 and 6 | the genetic algorithm | 07 | What is bred | | described | one operator at a time
MP | chapter 7 | equations (7.4) to (7.6) | 10 | Two questions: V and Q | | derived | computed, each in a cell
MP | chapter 7 | equations (7.7) to (7.9) | 10 | The equations of the best | | derived | computed, each in a cell
MP | chapter 8 | Q-learning with a table, map of known cells | 11 | What it knows | tetriscourse learn q-learning | described | drawn
MP | chapter 9 | deep Q-learning, on paper | 12 | The algorithm on paper | tetriscourse learn deep-q | not run | run: 1,108 to 2,037 lines on 10x20 (results)
MP | chapter 10, section 1 | two orders of filtering | 03 | Which order wins? | python tests/benchmarks/published_figures.py | 76,308 and 233,573 points | 80,164 and 234,590 points
MP | chapter 10, sections 2.1 to 2.6 | six genetic experiments | 07 | Six experiments | tetriscourse train genetic-1 (to genetic-6) | curves of best and mean | redrawn from our runs
MP | chapter 10, section 2.1 | example 1: lines in 500 pieces go blind | 07 | Lines go blind | tetriscourse train genetic-1 | 186,510 points | 203,892 points (results); their weights in our engine 188,725
MP | chapter 10, section 2.2 | example 2: points instead of lines | 07 | Points look elsewhere | tetriscourse train genetic-2 | 125,049 points | 109,044 points (results); their weights in our engine 111,544
MP | chapter 10, section 2.3 | example 3: bits | 07 | Six experiments | tetriscourse train genetic-3 | 518,412 points | 104,620 points (results): points in 500 pieces reward a fast life; their weights in our engine 512,612
MP | chapter 10, sections 2.4 to 2.6 | examples 4 to 6: elitism, the wheel, more mutation | 07 | Six experiments | tetriscourse train genetic-4 (also genetic-5, genetic-6) | vectors, their scores only as pictures | 100,253, 104,620 and 76,738 points (results)
MP | chapter 10, section 2.7 | three weeks of learning | 07 | Points look elsewhere | tetriscourse train genetic-7 | 548,058 points | 107,896 points (results); their weights in our engine 562,270
MP | chapter 10, section 3 | dominoes on 8x8 without end | 11 | The published result | python tests/benchmarks/q_learning_figures.py | after 50,000 episodes | not with six commands, in any of ten seeds; with placements in all ten
B | figures 1 to 3 | the game, the decision tree, eight features | 04 | Every feature, seen | | drawn | played, and each feature seen on a board
B | algorithm 1 | CMA-ES | 09 | All of it | | printed | written out, and equal to pycma
B | figure 4 | step sizes and weights without normalisation | 09 | A weight vector has no length | tetriscourse train boumaza-unnormalised | both diverge | the weights do, to lengths up to 175; the step size grows, then falls
B | figures 5 and 6 | a run with normalisation | 09 | A weight vector has no length | tetriscourse train boumaza-normalised | converges | converges
B | table 1 | players of six and eight features, 10x16 | 09 | Harder or smaller? | tetriscourse train boumaza-d (also boumaza-dn) | 470,000 and 870,000 lines | 546,583 and 895,471 lines
B | table 1 | the player of six features, 10x20 | | | | 16.6 M lines | not played: the one of eight features is in table 2
B | table 2 | learned on harder or on smaller games, 10x20 | 09 | Harder or smaller? | python tests/benchmarks/learned_figures.py --standard | 36.3 M and 17 M lines | 30.3 M and 28.5 M lines, 25 games: cannot be told apart
B | table 2 | the same two on 10x16 | 09 | Harder or smaller? | tetriscourse train boumaza-dn-6x12 | 870,000 and 879,000 lines | 895,471 and 674,264 lines
B | section 4.4 | eight features on 5x5 | 09 | Five by five, or: two numbers that agree | tetriscourse train boumaza-5x5-dn | 13.84 lines | 11.30 lines; 13.81 with overflow decided after clearing
B | section 4.4 | six features on 5x5 | | | tetriscourse train boumaza-5x5-d (also boumaza-5x5-d-after) | 13.30 lines | 11.06 lines; 13.63 with overflow decided after clearing (results)
B | section 4.4 | the best possible play on 5x5 | 10 | 5x5, and a published figure | tetriscourse solve --width 5 --height 5 | 13.8 ± 0.6 % lines | 13.7016 lines, exactly
B | figure 7 | fitness and evaluations with races | 09 | Races | tetriscourse train boumaza-race-hoeffding (also -bernstein, -tetris, -off) | same fitness, Hoeffding cheapest | same fitness, Tetris bounds cheapest
B | figure 8 | evaluations of all 50 runs | 09 | Races | the same | back to the limit at the end (Tetris) | stays below
B | figure 9 | larger populations | 09 | Races | tetriscourse train boumaza-race-tetris-40 (also boumaza-race-tetris-20, boumaza-race-hoeffding-20 and -40) | Hoeffding relatively cheaper, Tetris dearer | only the second
B | figures 10 and 11 | fitness and step size with larger populations | | | tetriscourse train boumaza-race-tetris-40 | medians of 50 runs | three runs each, fitness only (results): too few for a curve of medians
B | figure 12 | less confidence | 09 | Races | tetriscourse train boumaza-race-hoeffding-0.5 | earlier ends | no real gain
B | figure 13 | weights of 20 runs | 09 | Harder or smaller? | tetriscourse train boumaza-dn | boxes | redrawn, for eight features and for six
SL | figure 1 | three noises | 08 | A month in two minutes | tetriscourse train szita-decreasing (also -none, -constant) | three curves | redrawn from our runs
SL | table 1 | scores of the three noises | 08 | A month in two minutes | the same | 21,252, 72,705 and 348,895 lines | 483.8, 107,634 and 132,835 lines (results), one run each
SL | table 1 | other people's players | | | | quoted | Dellacherie's is in chapter 04; the others are not published as weights
SL | section 3 | scores are exponential (Kolmogorov-Smirnov) | 05 | How exponential is exponential? | | confirmed | confirmed for good players, refuted for bad ones
"""

REPRODUCTIONS = tuple(Reproduction(*(part.strip() for part in row.split("|"))) for row in _TABLE.strip().splitlines())
"""In the order of the sources."""


def reproductions_text(source: str) -> str:
    """The rows of one source as a Markdown table."""
    rows = [
        f"| {one.item} | {one.what} | {place(one)} | {command(one)} | {one.published} | {one.ours} |"
        for one in REPRODUCTIONS
        if one.source == source
    ]
    return "\n".join(["| in the paper | what | here | made by | published | ours |", "|---|---|---|---|---|---|", *rows])


def command(one: Reproduction) -> str:
    """The command that makes it, as code, and the words beside it."""
    typed, also, others = one.command.partition(" (")
    return f"`{typed}`{also}{others}" if typed.startswith(("python", "tetriscourse")) else typed


def place(one: Reproduction) -> str:
    """A link to the place where it is shown."""
    if not one.chapter:
        return "not in a chapter"
    return f"[{one.chapter}]({CHAPTERS[one.chapter].file})" + (f", *{one.section}*" if one.section else "")
