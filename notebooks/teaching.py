# %% [markdown]
# # For teachers: planning a term
#
# What is in each chapter, how long it takes, what it needs, and four ways to make a course of it. The tables are
# read from the chapters themselves, so they are true after the next change, too.
#
# The times are those at the top of each notebook, reckoned from its words, its cells, its panels and the points of its
# exercises, for a student who reads everything and tries most of it. Fast students need half of that.

# %%
from IPython.display import Markdown

from tetriscourse.course.chapters import CHAPTERS
from tetriscourse.teaching.planning import PLANS, exercises_text, overview_text, sight, term_text

sights = [sight(number) for number in CHAPTERS]
hours = sum(one.minutes + one.exercise_minutes for one in sights) / 60
print(f"{len(sights)} chapters, {hours:.0f} hours, {sum(one.points for one in sights)} points")

# %% [markdown]
# ## The chapters
#
# *Needs* lists the chapters that a lecture names under *You need*. Some of them only help, as it says there: 00 for 01,
# 07 for 08, 08 for 09, 10 for 11; and one of 07 to 09 is enough for 15. What is not listed can be left out: after
# chapter 05, for instance, the optimizers (07 to 09) and the road by way of the Bellman equations (10 to 14) can be
# taught in either order, or one without the other.

# %%
Markdown(overview_text())

# %% [markdown]
# Every [panel](panels.ipynb) works without a network, and beside 20 others on one page.
#
# ## The exercises
#
# The checks give their points by themselves, `tetriscourse grade` for a whole class; answers in words are for you to
# read. The kind of an exercise stands in the third column:
#
# - *open*, one in each chapter: there is a bar that can be passed, and no upper end. In 00, 03 and 06 it is answered in
#   words (and in 03 the one before it has the bar). In 05, 07, 08, 09, 10 and 12 it also asks for a few sentences, of
#   which the check counts only the words: read them in the notebooks that were handed in.
# - *proof*, one in each chapter from 05 on: a derivation that the lecture does not give, answered in words and
#   formulas. The solutions have a model answer and say what each point is given for. Other proofs are as good: give the
#   points for the steps, in whatever order they come.
# - *design*, one in each chapter from 05 on: an experiment on a fixed budget, judged by what it finds in worlds that
#   the student does not know. Most are ladders with a point for each rung, so a first idea gets a point, and the last
#   needs a plan.

# %%
for number, chapter in CHAPTERS.items():
    print(f"{number} {chapter.title}\n{exercises_text(number)}")

# %% [markdown]
# ## Three hours: an afternoon
#
# For guests, or for one session in another course: play, weigh what a player sees, and let a population find better
# weights than your own. All but two exercises are for afterwards. What 04 and 07 take from 01, 02, 03 and 05 (holes and
# bumpiness, the rules, filters, how scores vary), say in a few sentences.

# %%
print(PLANS[3])

# %% [markdown]
# ## Ten hours: a block of five sessions
#
# The road from a board to a player that learns, with honest statistics on the way. Two optimizers, of which the second
# shows why the first had trouble; the rest is for self-study.

# %%
print(PLANS[10])

# %% [markdown]
# ## Twenty-four hours: a term of twelve sessions
#
# The whole course, with those exercises without which a chapter has not been understood, and a few experiments to
# design. The others make good homework, and the championship a good last session: announce the leaderboard in the first
# one.

# %%
print(PLANS[24])

# %% [markdown]
# Session by session, two hours each:

# %%
print(term_text(PLANS[24], hours=2))

# %% [markdown]
# ## Thirty-six hours: a term of eighteen sessions, for masters' students
#
# The whole course again, with more than twice the exercises: the proof and the experiment of every chapter from 05 on,
# and most of the open ones. Proofs are good homework that is discussed in class, designs good work for two.

# %%
print(PLANS[36])

# %% [markdown]
# ## What to do when
#
# - **Before the term**: `tetriscourse check` runs every lecture and every solution on your machine and compares all
#   outputs. `tetriscourse release hand-out` writes what students get: lectures and exercises without solutions, and a
#   README that tells them how to start. They need the package, too: in a clone, `pip wheel --no-deps -w hand-out .`
#   puts it beside the hand-out, as one file that `pip install` takes. Solutions, one notebook a chapter, are in
#   `solutions/`, and in the package: whoever looks for them finds them, as in any open course.
# - **In the first session**: let everybody install and open [chapter 00](00_welcome.ipynb), which checks the
#   installation and says what is missing.
# - **Each week**: students hand in one notebook of `exercises/`. Collect them in a folder `submitted` with a folder (or
#   a zip file) for each student, the notebooks named as they were handed out. `tetriscourse grade submitted --out
#   grades.csv` writes the points of each exercise, and a page of feedback for each student.
#
# ## What to know about grading
#
# - **Where it runs.** Each notebook runs in its own process with limits on time and memory, inside
#   [bubblewrap](https://github.com/containers/bubblewrap) without network where that is installed (on Debian
#   `apt-get install bubblewrap`); the command tells you when it is not.
# - **What is judged.** Check cells are restored first, and answers are judged on other boards and seeds than the
#   students saw.
# - **What is not certain.** Those who try to fool the checks are flagged. Still, an answer runs in the same process as
#   its judge, so read what is flagged or surprising.
# - **With nbgrader.** The tree of `tetriscourse release my-course --as nbgrader` works with nbgrader's own
#   `generate_assignment` and `autograde`, which trust what they run.
#
# ## Where to go next
#
# - The [references](references.ipynb) say which figure of which paper is reproduced in which
#   chapter, and where ours differs; the [results](results.ipynb) have every table with its command.
# - The [glossary](glossary.ipynb) has the French terms.
