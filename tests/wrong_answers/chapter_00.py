"""Plausible wrong answers to the exercises of chapter 00."""

WRONG = {
    "00.1": [
        *("guess = 100", "guess = 5_200_000", "guess = 'many'"),
        *("guess = '2500'", "guess = True", "guess = float('nan')"),
    ],
    "00.2": [
        'drawing = """\nX.....\nX..XX.\nXX.XXX\n"""',  # the last column is too low
        'drawing = """\nXX.XXX\nX..XXX\nX....X\n.....X\n"""',  # upside down
        'drawing = """\n.....X\nX....X\nX..XXX\nXX.XXX\n"""',  # no holes
        'drawing = """\n.....X\nX...X\n"""',  # rows of different lengths
    ],
    "00.3": [
        "first_three, highest = 48, 9",  # counted from 1
        "first_three, highest = 10, 9",  # the first move that clears two rows
        "first_three, highest = 94, 9",  # three rows, but not the first time
        "first_three, highest = 47, 10",  # the height of the board
    ],
}
