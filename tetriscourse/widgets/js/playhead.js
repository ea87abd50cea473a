// Watching a game: the page replays it by itself from a compact record and asks Python only for more moves and for the
// table of candidates. A position is the number of moves made so far: the move with that number comes next.

const SNAPSHOT_EVERY = 50;
const NUMBERS_A_MOVE = 6; // piece, orientation, column, row, rows cleared, height of the pile after it
const FAST = 4; // moves a second up to which the table keeps up
const watchedGames = new WeakMap(); // by model: two views of one panel share the moves

// --- the game -------------------------------------------------------------------------------------------------------

/** The moves so far; the board at any position is near one of its snapshots. */
class WatchedGame {
  constructor(setting) {
    this.setting = setting;
    this.moves = [];
    this.rows = [0]; // cleared, by position
    this.points = [0];
    this.heights = [setting.height_at_start];
    this.closeCalls = []; // positions
    this.last = { position: 0, board: setting.board };
    this.snapshots = [setting.board];
  }

  get length() {
    return this.moves.length;
  }

  /** Add the moves of a chunk that are not there yet; nothing if there is a gap before it. */
  add({ first, moves }) {
    if (first === undefined || first > this.length) return;
    for (let i = (this.length - first) * NUMBERS_A_MOVE; i < moves.length; i += NUMBERS_A_MOVE) {
      this.append(moves.slice(i, i + NUMBERS_A_MOVE));
    }
  }

  append([piece, orientation, column, row, cleared, height]) {
    const made = this.length;
    const { mark, orientations } = this.setting.pieces[piece];
    const cells = orientations[orientation].cells.map(([r, c]) => [row + r, column + c]);
    this.moves.push({ mark, cells, cleared });
    this.rows.push(this.rows[made] + cleared);
    this.points.push(this.points[made] + this.setting.points[cleared]);
    this.heights.push(height);
    if (this.isClose(height) && !this.isClose(this.heights[made])) this.closeCalls.push(made + 1);
    // Now, so that a jump to any position is short: snapshots are taken as moves come in.
    if ((made + 1) % SNAPSHOT_EVERY === 0) this.snapshots.push(this.board(made + 1));
  }

  /** Whether a pile comes within a quarter of the board's height of its top. */
  isClose(height) {
    return 4 * (this.setting.height - height) <= this.setting.height;
  }

  /** The board at a position: from the board that was asked for last, or from a snapshot. */
  board(position) {
    const number = Math.min(Math.floor(position / SNAPSHOT_EVERY), this.snapshots.length - 1);
    const isAhead = this.last.position <= position && this.last.position >= number * SNAPSHOT_EVERY;
    let { position: at, board } = isAhead
      ? this.last
      : { position: number * SNAPSHOT_EVERY, board: this.snapshots[number] };
    for (; at < position; at++) board = this.after(board, this.moves[at]);
    this.last = { position, board };
    return board;
  }

  after(board, { cells, mark, cleared }) {
    const { width } = this.setting;
    // A move that loses before rows are cleared leaves full rows behind, so `place` would clear too many.
    return cleared ? place(board, cells, mark, width).board : withCells(board, cells, mark, width);
  }

  /** The rows that a move fills. */
  fullRows(position) {
    const { cells, mark, cleared } = this.moves[position];
    if (!cleared) return [];
    const filled = withCells(this.board(position), cells, mark, this.setting.width);
    return filled.flatMap((codes, row) => (codes.includes(0) ? [] : [row]));
  }

  /** The first close call after a position, or undefined. */
  nextCloseCall(position) {
    return this.closeCalls.find((call) => call > position);
  }
}

// --- the playhead ---------------------------------------------------------------------------------------------------

/** Where one view stands in the game, and whether it moves. */
class Playhead {
  constructor(panel) {
    this.panel = panel;
    const { model } = panel;
    if (!watchedGames.has(model)) watchedGames.set(model, new WatchedGame(model.get("setting")));
    this.game = watchedGames.get(model);
    this.position = 0;
    this.goal = 0; // where to go as soon as the moves up to there have arrived
    this.speed = 4;
    this.phase = 0; // of the present move while it plays: first it is outlined, then placed
    this.isPlaying = this.isSearching = false;
    this.isVisible = true;
    this.searches = 0;
    this.orders = { go: [-1, 0], length: 0, over: false }; // what Python said last
    this.listeners = [];
    this.tick = this.tick.bind(this);
    this.absorb = () => this.receiveMoves();
    model.on("change:record", this.absorb);
    this.game.add(model.get("record"));
  }

  // --- from Python ---

  /** Orders from Python: where to go, how many moves there are, whether a search goes on. */
  obey(orders) {
    const [number] = this.orders.go;
    this.orders = orders;
    if (number === -1) this.speed = orders.speed;
    if (this.isPlaying && this.panel.model.get("message").kind === "error") this.stopPlaying(); // no more moves will come
    if (orders.go[0] !== number) this.go(orders.go[1]);
    else this.receiveMoves();
  }

  /** New moves: go on to the position that was asked for. */
  receiveMoves() {
    this.game.add(this.panel.model.get("record"));
    if (this.goal > this.position && !this.isPlaying) this.moveTo(this.goal);
    if (this.isSearching) this.search();
    if (this.game.length < this.orders.length) this.ask(); // a long game comes in several chunks
    this.changed();
  }

  /** Tell Python where we are, and ask for moves ahead and, if there is time, for the table. */
  ask() {
    const judge = !this.isPlaying || this.speed <= FAST;
    const want = this.position + Math.max(60, 3 * this.speed);
    this.asked = this.position;
    this.panel.emitLatest("look", {
      position: this.position, have: this.game.length, want, judge, speed: this.speed, searching: this.isSearching,
    });
  }

  // --- moving ---

  moveTo(position) {
    this.position = Math.max(0, Math.min(position, this.game.length));
  }

  /** Stand at a position. */
  go(position) {
    this.stopPlaying();
    this.isSearching = false;
    this.goal = Math.max(0, position);
    this.moveTo(position);
    this.changed();
    this.ask();
  }

  /** One move forward or back. */
  step(by) {
    this.go(Math.min(this.position + by, this.isOver() ? this.game.length : Infinity));
  }

  /** Whether all moves are here and there will be no more. */
  isOver() {
    return this.orders.over && this.game.length >= this.orders.length;
  }

  isAtEnd() {
    return this.isOver() && this.position === this.game.length;
  }

  toggle() {
    if (this.isPlaying) return this.go(this.position);
    if (this.isAtEnd()) this.moveTo(0); // once more
    this.isSearching = false;
    this.isPlaying = true;
    this.phase = 0;
    this.then = performance.now();
    this.frame = requestAnimationFrame(this.tick);
    this.ask();
    this.changed();
  }

  stopPlaying() {
    this.isPlaying = false;
    cancelAnimationFrame(this.frame);
  }

  /** One frame of the screen. */
  tick(now) {
    if (!this.isPlaying) return;
    this.frame = requestAnimationFrame(this.tick);
    const seconds = Math.min((now - this.then) / 1000, 0.25); // a page that was hidden does not catch up
    this.then = now;
    if (!this.isVisible) return;
    const before = this.isPlaced();
    const steps = Math.floor((this.phase += seconds * this.speed));
    this.phase -= steps;
    if (steps) this.pass(steps);
    else if (before !== this.isPlaced()) this.changed();
  }

  /** Advance through the moves while it plays. */
  pass(steps) {
    this.moveTo(this.position + steps);
    if (this.isAtEnd()) return this.go(this.position);
    const often = this.speed <= FAST ? 1 : this.speed / 4;
    if (this.position - this.asked >= often) this.ask();
    this.changed();
  }

  /** Whether the piece is drawn as placed, not only its outline. */
  isPlaced() {
    return !this.isPlaying || this.speed > 12 || this.phase > 0.4;
  }

  setSpeed(speed) {
    this.speed = speed;
    this.ask();
    this.changed();
  }

  // --- close calls ---

  /** Go to the next close call; if none is known, let Python play on. */
  closeCall() {
    this.stopPlaying();
    this.isSearching = true;
    this.searches += 1;
    if (this.search()) return;
    this.panel.emit("close_call", [this.position, this.searches]);
    this.changed();
  }

  /** Whether there is a close call to go to now; the search ends when Python has answered it and none can come. */
  search() {
    const call = this.game.nextCloseCall(this.position);
    const [searches, goesOn] = this.orders.search || [0, false];
    if (call !== undefined) this.go(call);
    else if (searches === this.searches && !goesOn && this.game.length >= this.orders.length) this.isSearching = false;
    return call !== undefined;
  }

  // --- who shows it ---

  changed() {
    for (const show of this.listeners) show();
  }

  /** Keep still while nobody can see the board. */
  observe(element) {
    this.observer = new IntersectionObserver(([entry]) => (this.isVisible = entry.isIntersecting));
    this.observer.observe(element);
  }

  destroy() {
    this.stopPlaying();
    this.observer?.disconnect();
    this.panel.model.off("change:record", this.absorb);
  }
}

/** The playhead that the blocks of a view share. */
function playheadOf(panel) {
  return (panel.playhead ??= new Playhead(panel));
}
