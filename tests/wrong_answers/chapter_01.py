"""Plausible wrong answers of chapter 01."""

WRONG = {
    "01.1": ["def heights(cells):\n    return cells.sum(axis=0)  # counts the cells: wrong above a hole"],
}
