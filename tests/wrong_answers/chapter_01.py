"""Plausible wrong answers of chapter 01."""

WRONG = {
    "01.1": [
        "def mirrored(cells):\n    return {(r, -c) for r, c in cells}  # not pushed into the corner",
        "def mirrored(cells):\n    return in_corner({(-r, c) for r, c in cells})  # the mirror lies on the floor",
        "def mirrored(cells):\n    return in_corner({(-r, -c) for r, c in cells})  # a half turn",
        "def mirrored(cells):\n    return frozenset((r, 2 - c) for r, c in cells)  # right for three columns only",
    ],
    "01.2": [
        "culprit = 'XXXX/X.X./XXXX'  # a row lies between",
        "culprit = 'XXXX/XXXX/XXXX'  # fails, but is not the smallest",
        "culprit = 'XXXXX/XXXXX'  # five columns",
        "culprit = ['XXXX', 'XXXX']  # no drawing",
    ],
    "01.3": [
        "def sideways(piece, width, step):\n    return piece << 1 if step == 1 else piece >> 1  # no walls",
        "def sideways(piece, width, step):\n"
        "    wall = 1 << width - 1 if step == 1 else 1  # in the lowest row only\n"
        "    return piece if piece & wall else piece << 1 if step == 1 else piece >> 1",
        "def sideways(piece, width, step):\n"
        "    wall = sum(1 << width - 1 + width * row for row in range(30))\n"
        "    return piece if piece & wall else piece << 1 if step == 1 else piece >> 1  # the right wall, both ways",
    ],
    "01.4": [
        "def lids(cells):\n    return int((cells[1:] & ~cells[:-1]).sum())  # only those right above a hole",
        "def lids(cells):\n"
        "    covered = np.logical_or.accumulate(cells[::-1])[::-1]\n"
        "    return int((covered & ~cells).sum())  # the holes, not their lids",
        "def lids(cells):\n"
        "    solid = np.logical_and.accumulate(cells[::-1])[::-1]\n"
        "    return int((cells & ~solid).sum())  # from the top down",
    ],
    "01.6": [
        "def encode(cells):\n    return np.packbits(cells).tobytes()\n\n"
        "def decode(data, width, height):\n"
        "    bits = np.unpackbits(np.frombuffer(data, np.uint8), count=width * height)\n"
        "    return bits.reshape(height, width).astype(bool)  # nothing is lost, nothing is won",
        "def encode(cells):\n"
        "    heights = np.where(cells.any(axis=0), len(cells) - cells[::-1].argmax(axis=0), 0)\n"
        "    return bytes(heights.tolist())\n\n"
        "def decode(data, width, height):\n"
        "    return np.arange(height)[:, None] < np.frombuffer(data, np.uint8)  # forgets the holes",
        "import zlib\n\n"
        "def encode(cells):\n    return zlib.compress(np.packbits(cells).tobytes(), 9)\n\n"
        "def decode(data, width, height):\n"
        "    bits = np.unpackbits(np.frombuffer(zlib.decompress(data), np.uint8), count=width * height)\n"
        "    return bits.reshape(height, width).astype(bool)  # a header, a checksum, and little to compress",
        "kept = []\n\n"
        "def encode(cells):\n    kept.append(cells)\n    return bytes([len(kept) % 256])\n\n"
        "def decode(data, width, height):\n    return kept[data[0] - 1]  # the board is not in the bytes",
        "numbers = {}\n\n"
        "def encode(cells):\n"
        "    return bytes([numbers.setdefault((cells.shape, cells.tobytes()), len(numbers))])\n\n"
        "def decode(data, width, height):\n"
        "    shape, cells = list(numbers)[data[0]]  # nor here, though the same board has the same byte\n"
        "    return np.frombuffer(cells, bool).reshape(shape)",
        "def encode(cells):\n    return str(sum(1 << int(place) for place in np.flatnonzero(cells)))  # no bytes\n\n"
        "def decode(data, width, height):\n    return None",
    ],
}

TRIMMED = """
def encode(cells):
    number = sum(1 << int(place) for place in np.flatnonzero(cells))
    return number.to_bytes((number.bit_length() + 7) // 8, "little")

def decode(data, width, height):
    number = int.from_bytes(data, "little")
    return np.array([number >> place & 1 for place in range(width * height)], bool).reshape(height, width)
"""
SKYLINE = """
from math import comb

def encode(cells):
    heights = np.where(cells.any(axis=0), len(cells) - cells[::-1].argmax(axis=0), 0)
    below = np.array([cells[r, c] for c, top in enumerate(heights) for r in range(top - 1)], bool)
    number = int(heights.max())
    worth = len(cells) + 1
    for height in heights:
        number, worth = number + worth * int(height), worth * (int(heights.max()) + 1)
    holes = np.flatnonzero(~below)
    number, worth = number + worth * len(holes), worth * (len(below) + 1)
    number += worth * sum(comb(int(place), k + 1) for k, place in enumerate(holes))
    return number.to_bytes((number.bit_length() + 7) // 8, "little")

def decode(data, width, height):
    number = int.from_bytes(data, "little")
    number, most = divmod(number, height + 1)
    heights = []
    for _ in range(width):
        number, one = divmod(number, most + 1)
        heights.append(one)
    places = [(r, c) for c, top in enumerate(heights) for r in range(top - 1)]
    number, holes = divmod(number, len(places) + 1)
    cells = np.arange(height)[:, None] < np.array(heights)
    for k in range(holes, 0, -1):
        place = max(p for p in range(len(places)) if comb(p, k) <= number)
        number -= comb(place, k)
        cells[places[place]] = False
    return cells
"""

PARTLY = {
    "01.6": [(1, TRIMMED), (2, SKYLINE)],
}
"""Answers that reach some rungs of a ladder, with the points that they are worth."""
