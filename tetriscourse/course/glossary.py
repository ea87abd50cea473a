"""The vocabulary of the course: each term in English and in the papers' French, its meaning, and its chapter."""

from __future__ import annotations

from dataclasses import dataclass

from tetriscourse.course.chapters import CHAPTERS


@dataclass(frozen=True)
class Term:
    """A term of the course."""

    name: str
    french: str
    chapter: str
    meaning: str


_TABLE = """
action | action | 10 | What a player can do in a state. In Tetris: an orientation and a column, or one command.
afterstate | | 12 | The board after a move, before the next piece is known.
agent | agent | 02 | Who gives the engine its commands: a person, chance, or a program.
alpha | facteur d'apprentissage | 11 | Learning rate: how far one experience moves an entry of the table.
bag | sac | 02 | The seven pieces in random order, drawn one after the other before a new bag is opened.
Bellman equation | équation de Bellman | 10 | The value of a state, in terms of the values of the states that can follow.
offset | | 12 | The number that a neuron adds whatever its inputs are; often called bias.
bumpiness | bumpiness | 01 | Sum of the height differences between neighbouring columns.
callback | | 02 | A function that you hand over, to be called when it is needed.
genome | génome | 07 | The numbers that make up an individual: here the weights of a player.
CMA-ES | | 09 | Evolution strategy that learns the shape of its cloud: covariance matrix adaptation.
column transitions | transitions de colonnes | 04 | Changes between full and empty up each column.
common pieces | | 05 | Two players meet the same pieces, so that luck counts less in the comparison.
interval | intervalle de confiance | 05 | A range around a measured mean that holds the true one in 95 of 100 such experiments.
covariance matrix | matrice de covariance | 09 | Which weights vary together in a cloud of candidates, and how much.
criterion | critère | 03 | A feature and a direction, by which a filter keeps the best moves.
cross-entropy | méthode d'entropie croisée | 08 | Draw candidates from a distribution, keep the best, fit the distribution to them, repeat.
crossover | croisement, enjambement | 07 | Making a child from the genomes of two parents.
wells | puits | 04 | For each empty cell between two full ones: 1 plus the empty cells right below it.
discount, gamma | facteur d'actualisation | 10 | How much a reward one step later is worth today.
elite | élite | 08 | The best share of the candidates, from which the next distribution is made.
elitism | élitisme | 07 | Keeping the best individuals unchanged in the next generation.
engine | moteur de jeu | 02 | The program that knows the rules, asks for commands and carries them out.
epsilon | facteur d'exploration | 11 | The probability of a random action instead of the best one known; such play is called epsilon-greedy.
episode | épisode | 11 | One game, as far as learning is concerned.
eroded cells | érosion | 04 | Rows cleared by a move, times the cells of the piece in these rows.
evaluation function | fonction d'évaluation | 04 | The weighted sum of features by which a player ranks moves.
evolution path | | 09 | The recent steps of the mean, added up; long when they agree in direction.
exponential law | distribution exponentielle | 05 | The law of waiting without memory, and of Tetris scores; its standard deviation is its mean.
feature | fonction de base | 04 | A number that a player sees of a move or of the board after it.
filter | agent par filtrage | 03 | A player that keeps the best moves by one criterion after the other.
fitness | adaptation | 07 | What an optimizer maximises; here the mean score in some games.
generation | génération | 07 | One round of a genetic algorithm.
hidden unit | | 12 | A number between inputs and outputs of a network: a feature that nobody had to invent.
loss | fonction d'erreur | 12 | What a network is trained to make small: the mean of its squared errors.
neural network | réseau de neurones | 12 | Sums of inputs with weights, cut off below 0, layer upon layer.
target | | 12 | The answer that a network should have given, by its own words of one step later.
gradient | gradient | 12 | The direction in which a loss grows fastest, one number for each weight.
greedy player | | 04 | One that always takes the move with the highest value, and looks no further.
harder game | | 09 | Tetris in which S and Z come three times as often as the others.
hole | trou | 01 | An empty cell with a full cell somewhere above it in its column.
hole depth | profondeur des trous | 04 | Full cells right above holes.
Kolmogorov and Smirnov | | 05 | Their statistic: the widest gap between two staircases of scores.
landing height | hauteur d'arrivée | 04 | Where a piece came to rest: the height of its middle.
Markov decision process | processus de décision markovien | 10 | States, actions, chances and rewards; what comes next depends on the present only.
minibatch | échantillon | 12 | Some experiences drawn from the memory for one step of learning.
mutation | mutation | 07 | A small random change of a genome.
noise | bruit | 08 | What is added to the variance so that a cloud does not shrink too early.
orientation | rotation | 01 | One of the ways in which a piece can be turned; only those that differ count.
overflow | | 05 | A piece sticks out above the board: the move loses, before or after rows are cleared, as the rules say.
placement | placement | 02 | An orientation and a column, as one decision.
policy | politique | 10 | A rule that says what to do in each state.
policy iteration | | 10 | Value a policy, be greedy by these values, repeat until nothing changes.
population | population | 07 | The individuals of one generation.
premature convergence | | 08 | A cloud that has shrunk to a point before it found anything good.
Q table | Q-table | 11 | What each action is worth in each state that was met.
race | | 09 | Playing more games only as long as it is not clear who belongs to the best.
regret | | 10 | What a move loses against the best one.
replay memory | mémoire de reprise | 12 | Past experiences, kept to be learned from again in random order.
reward | récompense | 10 | What a step earns: rows, or their square.
wheel | roulette | 07 | Choosing parents with probability proportional to their fitness.
row transitions | transitions de lignes | 04 | Changes between full and empty along each row.
rows with holes | nombre de lignes avec trous | 04 | Rows in which there is at least one hole.
scale invariance | | 04 | All weights times the same positive number: the same player.
state | état | 10 | All that matters for the future: the board and the piece.
step size | | 09 | Sigma: how far candidates are from the mean, overall.
target network | réseau secondaire | 12 | An older copy of the network, by which the targets of learning are computed.
piece | tétramino | 01 | Four cells that hang together, in English also tetromino; there are seven.
tournament | tournoi | 07 | A few individuals drawn at random; the best of them become parents.
two pieces | contrôleur à deux pièces | 13 | What a player knows that also sees the next piece.
value | fonction de valeur | 10 | What a state is worth under a policy: the rewards that can be expected.
value iteration | | 10 | Applying the Bellman equation of optimal play again and again. (The report calls its Q-learning *itération des fonctions de valeur*.)
well | puits | 03 | A deep, narrow gap between two higher columns.
"""

TERMS = tuple(
    sorted(
        (Term(*(part.strip() for part in row.split("|"))) for row in _TABLE.strip().splitlines()),
        key=lambda term: term.name.casefold(),
    )
)
"""In alphabetical order."""


def glossary_text(letters: str = "") -> str:
    """The terms that begin with one of these letters, or all, as a Markdown table with links to their chapters."""
    rows = [
        f"| **{one.name}** | {f'*{one.french}*' if one.french else ''} | {one.meaning} "
        f"| [{one.chapter}]({CHAPTERS[one.chapter].file}) |"
        for one in TERMS
        if not letters or one.name[0].lower() in letters
    ]
    return "\n".join(["| word | in French | meaning | chapter |", "|---|---|---|---|", *rows])
