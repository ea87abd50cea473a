// The game itself, the same as Engine in tetriscourse/game/engine.py, method for method: a game that is played in the
// page by hand cannot ask Python at every key. It draws nothing and knows nothing of time.
//
// A cell is [row, column], a board is an array of rows of codes: row 0 is the bottom row, 0 is an empty cell, and any
// other code is the place in Game.MARKS of the piece that filled the cell.

// --- boards, never changed, only replaced ------------------------------------------------------------------------

/** Whether all the cells are empty, and inside the walls and the floor; everything above is empty. */
function isFree(board, cells, width) {
  return cells.every(([row, column]) =>
    row >= 0 && column >= 0 && column < width && (row >= board.length || board[row][column] === 0));
}

/** The board with these cells filled too; it grows when they stick out above it. */
function withCells(board, cells, mark, width) {
  const rows = Math.max(board.length, ...cells.map(([row]) => row + 1));
  const grown = Array.from({ length: rows }, (_, row) => (row < board.length ? [...board[row]] : emptyRow(width)));
  for (const [row, column] of cells) grown[row][column] = Game.MARKS.indexOf(mark);
  return grown;
}

/** The board without its full rows, everything above them moved down, and how many there were. */
function withoutFullRows(board, height, width) {
  const kept = board.filter((row) => row.includes(0));
  const cleared = board.length - kept.length;
  // Rows above the board are kept only while a cell in them is full.
  while (kept.length > height && kept.at(-1).every((code) => code === 0)) kept.pop();
  while (kept.length < height) kept.push(emptyRow(width));
  return { board: kept, cleared };
}

/**
 * Put cells on a board and clear the rows that are full then: { board, cleared }.
 *
 * `mark` is a letter of Game.MARKS, `cleared` the number of rows. The board that is given stays as it is; the new one
 * has as many rows, and more only if cells stick out above it even after clearing.
 */
function place(board, cells, mark, width) {
  return withoutFullRows(withCells(board, cells, mark, width), board.length, width);
}

/** A row without any full cell. */
function emptyRow(width) {
  return new Array(width).fill(0);
}

// --- chance, as in tetriscourse/game/random.py -------------------------------------------------------------------

/** The pieces of one game, by position: computed from the key of its stream with SplitMix64, without any state. */
class PieceSequence {
  static GOLDEN = 0x9e3779b97f4a7c15n;

  /** `key` is a decimal text (JSON has no whole numbers of 64 bits), `thresholds` are as in Python. */
  constructor({ pieces, draw, key, thresholds, possible }) {
    Object.assign(this, { pieces, draw, key: BigInt(key), thresholds, possible });
  }

  /** 64 bits scrambled so that every input bit reaches every output bit. */
  static mix(z) {
    z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return z ^ (z >> 31n);
  }

  /** The 32 random bits at a position, as a number from 0 to 2 ** 32 - 1. */
  bits32(position) {
    const place = BigInt.asUintN(64, this.key + BigInt(position + 1) * PieceSequence.GOLDEN);
    return Number(PieceSequence.mix(place) >> 32n);
  }

  /** 0 to n - 1 in random order (Fisher and Yates), from n positions. */
  shuffled(n, first) {
    const order = Array.from({ length: n }, (_, i) => i);
    for (let i = n - 1; i > 0; i--) {
      // Not >> 32: on numbers, that would shift by 0. The product has at most 35 bits, so the division is exact.
      const j = Math.floor((this.bits32(first + i) * (i + 1)) / 2 ** 32);
      [order[i], order[j]] = [order[j], order[i]];
    }
    return order;
  }

  /** Which piece of the bag comes at this position. */
  number(position) {
    const n = this.pieces.length;
    if (this.draw === "bag") return this.shuffled(n, position - (position % n))[position % n];
    if (this.draw === "by-turns") return this.possible[position % this.possible.length];
    const bits = this.bits32(position);
    return this.thresholds.findIndex((edge) => bits < edge);
  }

  /** The piece at this position. */
  at(position) {
    return this.pieces[this.number(position)];
  }
}

// --- the game ----------------------------------------------------------------------------------------------------

/** One game, made from what game_spec() in tetriscourse/widgets/record.py returns. */
class Game {
  static MARKS = ".IOTZSJLX";
  static INVISIBLE_ROWS = 2;
  static LOST = "game over";
  static LIMIT = "piece limit reached";
  static QUIT = "stopped";

  constructor(spec) {
    this.spec = spec;
    this.width = spec.width;
    this.height = spec.height;
    this.board = spec.board.map((row) => [...row]); // the cells that have settled
    this.score = this.scoreOnMove = this.totalLines = 0;
    this.linesByCount = [0, 0, 0, 0]; // how often 1, 2, 3 or 4 rows were cleared at once
    this.blocksPlayed = 0;
    this.turns = 0;
    this.ending = null;
    this.keys = []; // everything that command() has done: all that is needed to play the game again
    this.sequence = new PieceSequence(spec);
    this.enter(0);
  }

  /** Whether the game goes on. */
  get isRunning() {
    return this.ending === null;
  }

  /** The falling piece as it is turned now: { cells, width, height, corner }. */
  get shape() {
    return this.piece.orientations[this.orientation];
  }

  /** The cells of the falling piece; none once the last piece has settled. */
  cells() {
    return this.hasPiece() ? this.placed(this.shape, ...this.position) : [];
  }

  /** The cells where the falling piece would land if it were dropped now. */
  ghost() {
    return this.hasPiece() ? this.placed(this.shape, this.landingRow(), this.position[1]) : [];
  }

  /** The board with the falling piece drawn in. */
  view() {
    return withCells(this.board, this.cells(), this.piece.mark, this.width);
  }

  /** The game as it stands, in the words of state_of() in tetriscourse/widgets/record.py. */
  state() {
    return {
      rows: this.board.map((row) => row.map((code) => Game.MARKS[code]).join("")).reverse(),
      score: this.score,
      score_on_move: this.scoreOnMove,
      lines: this.totalLines,
      lines_by_count: [...this.linesByCount],
      pieces: this.blocksPlayed,
      turns: this.turns,
      ending: this.ending,
      piece: this.piece.name,
      next_piece: this.nextPiece.name,
      orientation: this.orientation,
      position: [...this.position],
      cells: this.cells(),
      ghost: this.ghost(),
    };
  }

  // --- commands and keys ---

  /** Do what the key does in this mode, and remember it. */
  command(key) {
    if (this.spec.mode === "turns") this.play(key);
    else this.press(key);
    this.keys.push(Game.spelled(key));
  }

  /** One turn: the command, then the piece falls one row, or settles and the next one enters. */
  play(command) {
    const [action, column, rotation] = this.accepted(command);
    if (this.isRunning) {
      this.act(action, column, rotation);
      this.fall();
    }
  }

  /** One key of a game with gravity: N lets the piece fall one row, D and P settle it, the others only move it. */
  press(key) {
    const [action, column, rotation] = this.accepted(key);
    if (this.isRunning && (this.act(action, column, rotation) || action === "N")) this.fall();
  }

  /** The command's parts, once it is counted; Q ends the game. */
  accepted(command) {
    const parts = this.parsed(command);
    if (!this.isRunning) throw new RangeError(`command is '${command}'; none is allowed any more: ${this.ending}`);
    this.turns += 1;
    this.scoreOnMove = 0;
    if (parts[0] === "Q") this.ending = Game.QUIT;
    return parts;
  }

  /** The command's letter, column and rotation (0 if it has none), or an error. */
  parsed(command) {
    const text = Game.spelled(command);
    if (/^[LRHTDNQ]$/.test(text)) return [text, 0, 0];
    const [, column, rotation] = (text.match(/^P:([0-9]{1,3}):([0-9]{1,3})$/) ?? []).map(Number);
    const shape = this.piece.orientations[rotation];
    if (!shape || column > this.width - shape.width) {
      throw new RangeError(`command is '${command}'; it must be one of L R H T D N Q, or P:column:rotation that fits`);
    }
    return ["P", column, rotation];
  }

  /** A command as it is written in a record. */
  static spelled(command) {
    return String(command).trim().toUpperCase();
  }

  // --- the falling piece ---

  /** Let a piece appear and fall one row; if it cannot, it settles there, which loses. */
  enter(number) {
    this.number = number;
    this.piece = this.sequence.at(number);
    this.nextPiece = this.sequence.at(number + 1);
    this.orientation = this.piece.spawn;
    const row = this.height - this.shape.height + 1;
    const column = Math.floor((this.width - this.shape.width) / 2);
    this.position = [row + 1, column]; // of the bottom left corner
    if (isFree(this.board, this.placed(this.shape, row, column), this.width)) this.position = [row, column];
    else this.settle();
  }

  /** Let the piece fall one row; if it cannot, it settles and the next one enters. */
  fall() {
    if (this.try(this.orientation, this.position[0] - 1, this.position[1])) return;
    this.blocksPlayed += 1;
    this.settle();
    if (this.isRunning && this.blocksPlayed === this.spec.max_pieces) this.ending = Game.LIMIT;
    if (this.isRunning) this.enter(this.number + 1);
  }

  /** Do what the command says, if the piece fits there; whether it dropped to the bottom. */
  act(action, column, rotation) {
    const [row, left] = this.position;
    if (action === "L" || action === "R") this.try(this.orientation, row, left + (action === "R" ? 1 : -1));
    else if (action === "H" || action === "T") this.turn(action === "T" ? this.piece.left : -this.piece.left);
    else if (action === "D" || (action === "P" && this.try(rotation, this.rowBelowTop(rotation), column))) {
      this.position = [this.landingRow(), this.position[1]];
      return true;
    }
    return false;
  }

  /** Turn by a step in the list of orientations; the square that the piece turns in stays where it is. */
  turn(step) {
    const [[row, column], old, count] = [this.position, this.shape, this.piece.orientations.length];
    const turned = (this.orientation + step + count) % count;
    const shape = this.piece.orientations[turned];
    const top = row + old.height + old.corner[0] - shape.corner[0];
    this.try(turned, top - shape.height, column - old.corner[1] + shape.corner[1]);
  }

  /** The bottom row where the piece comes to rest, falling straight from where it is. */
  landingRow() {
    let [row, column] = this.position;
    while (isFree(this.board, this.placed(this.shape, row - 1, column), this.width)) row -= 1;
    return row;
  }

  /** The bottom row of the piece when it is turned like this and its top row stays where it is. */
  rowBelowTop(rotation) {
    return this.position[0] + this.shape.height - this.piece.orientations[rotation].height;
  }

  /** Move the piece there if it fits, below the upper edge of the invisible rows; whether it did. */
  try(orientation, row, column) {
    const shape = this.piece.orientations[orientation];
    const inside = row + shape.height <= this.height + Game.INVISIBLE_ROWS;
    const fits = inside && isFree(this.board, this.placed(shape, row, column), this.width);
    if (fits) [this.orientation, this.position] = [orientation, [row, column]];
    return fits;
  }

  /** Leave the piece where it is; clear and score full rows. */
  settle() {
    const { board, cleared, loses } = this.landed();
    this.board = board;
    this.scoreOnMove = this.spec.points[cleared];
    this.score += this.scoreOnMove;
    this.totalLines += cleared;
    if (cleared) this.linesByCount[cleared - 1] += 1;
    if (loses) this.ending = Game.LOST;
  }

  /** The board once the piece is left where it is: { board, cleared, loses }. */
  landed() {
    const [row, column] = this.position;
    const filled = withCells(this.board, this.placed(this.shape, row, column), this.piece.mark, this.width);
    const after = withoutFullRows(filled, this.height, this.width);
    if (this.spec.game_over === "overflow-after-clearing") return { ...after, loses: after.board.length > this.height };
    const highest = this.height - (this.spec.game_over === "top-row" ? 1 : 0);
    const loses = row + this.shape.height > highest;
    // Decided before clearing: then nothing is cleared.
    return loses ? { board: filled, cleared: 0, loses } : { ...after, loses };
  }

  /** The cells of a shape whose bottom left corner is at (row, column). */
  placed(shape, row, column) {
    return shape.cells.map(([r, c]) => [row + r, column + c]);
  }

  /** Whether a piece is falling, or was when the game was stopped. */
  hasPiece() {
    return this.ending === null || this.ending === Game.QUIT;
  }
}
