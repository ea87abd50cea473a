# %% [markdown]
# # Glossary
#
# The words of the course, in the order of the alphabet: what each means here, the chapter that teaches it, and, since
# three of the five sources are written in French, what it is called there. A word without a French one has none in the
# sources, or the French authors use the English word.

# %%
from IPython.display import Markdown

from tetriscourse.course.glossary import TERMS, glossary_text

print(len(TERMS), "words,", sum(bool(one.french) for one in TERMS), "of them with their French name")

# %% [markdown]
# ## A to D

# %%
Markdown(glossary_text("abcd"))

# %% [markdown]
# ## E to L

# %%
Markdown(glossary_text("efghijkl"))

# %% [markdown]
# ## M to R

# %%
Markdown(glossary_text("mnopqr"))

# %% [markdown]
# ## S to Z

# %%
Markdown(glossary_text("stuvwxyz"))

# %% [markdown]
# The symbols of the features, and their definitions, are in [chapter 04](04_evaluation.ipynb), on cards; where each
# figure and table of the sources is reproduced, in the [references](references.ipynb).
