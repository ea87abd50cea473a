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

// --- the board ------------------------------------------------------------------------------------------------------

const WATCH_KEYS = {
  " ": (head) => head.toggle(),
  ArrowLeft: (head) => head.step(-1),
  ArrowRight: (head) => head.step(1),
  Home: (head) => head.go(0),
  End: (head) => head.go(head.game.length),
  c: (head) => head.closeCall(),
};

/** The board at the playhead, with the piece where it lands; it takes keys. */
function watchBoardBlock(spec, panel) {
  const head = playheadOf(panel);
  const canvas = made("canvas", "tc-board");
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  canvas.title = "Keys: space plays and pauses, arrows step, Home, End, c: next close call";
  canvas.addEventListener("keydown", (event) => {
    const act = isOurs(event) && WATCH_KEYS[event.key === "C" ? "c" : event.key];
    if (!act) return;
    event.preventDefault();
    act(head);
  });
  let cell = 18;
  const draw = () => drawWatched(canvas, head, cell);
  head.listeners.push(draw);
  head.observe(canvas);
  panel.redraws.add(draw);
  return {
    element: canvas,
    update(data) {
      cell = data.cell;
      draw();
    },
    destroy() {
      panel.redraws.delete(draw);
      head.destroy();
      panel.playhead = undefined;
    },
  };
}

function drawWatched(canvas, head, cell) {
  const { game, position, orders } = head;
  const { width, height } = game.setting;
  const rows = game.board(position).map((codes) => codes.map((code) => MARKS[code]).join(""));
  const move = game.moves[position];
  const top = Math.max(height, ...(move ? move.cells.map(([row]) => row + 1) : []));
  const data = { width, height, rows, cell, above: top - height };
  if (move && head.isPlaced()) {
    Object.assign(data, { piece: move.cells, mark: move.mark, highlight: { rows: game.fullRows(position) } });
  } else if (move) data.ghost = move.cells;
  if (!head.isPlaying && orders.judged === position) data.hint = orders.hint;
  drawBoard(canvas, data);
  canvas.dataset.rows = rows.join("/");
  canvas.dataset.position = position;
  canvas.setAttribute("aria-label", watchLabel(game, position, move));
}

/** The board in words. */
function watchLabel(game, position, move) {
  const columns = move ? move.cells.map(([, column]) => column) : [];
  const where = move ? `; ${move.mark} lands in columns ${Math.min(...columns)} to ${Math.max(...columns)}` : "";
  return `Board after ${position} moves, height ${game.heights[position]}${where}`;
}

// --- counters and controls ------------------------------------------------------------------------------------------

/** Counters, the height of the pile over the whole game, a slider to any move, buttons and speed. */
function watchControlsBlock(spec, panel) {
  const head = playheadOf(panel);
  const parts = [counterRow(head), scrubber(head, panel), playButtons(head), watchNote(head, panel)];
  const element = made("div", "tc-watch");
  element.append(...parts.map((part) => part.element));
  const show = () => {
    for (const part of parts) part.show();
  };
  head.listeners.push(show);
  return {
    element,
    isControls: true,
    update(data) {
      head.obey(data);
      show();
    },
    destroy() {
      for (const part of parts) part.destroy?.();
    },
  };
}

function counterRow(head) {
  const element = made("div", "tc-watch-counters");
  const values = new Map();
  for (const name of ["moves", "rows", "points", "height"]) {
    const box = made("div", "tc-watch-counter");
    const value = made("strong");
    value.dataset.counter = name;
    values.set(name, [value, made("span", "tc-of")]);
    box.append(made("span", "tc-name", name), value, values.get(name)[1]);
    element.append(box);
  }
  const write = (name, number, of) => {
    const texts = [number.toLocaleString("en"), of];
    values.get(name).forEach((one, i) => one.textContent !== texts[i] && (one.textContent = texts[i]));
  };
  const show = () => {
    const { game, position } = head;
    write("moves", position, ` of ${game.length.toLocaleString("en")}${head.isOver() ? "" : " so far"}`);
    write("rows", game.rows[position], "");
    write("points", game.points[position], "");
    write("height", game.heights[position], ` of ${game.setting.height}`);
  };
  return { element, show };
}

/** The height of the pile over the game, and a slider below it. */
function scrubber(head, panel) {
  const element = made("div", "tc-scrub");
  const strip = made("canvas", "tc-strip");
  const range = Object.assign(made("input"), { type: "range", min: 0, step: 1 });
  range.setAttribute("aria-label", "Move");
  range.addEventListener("input", () => head.go(range.valueAsNumber));
  strip.addEventListener("pointerdown", (event) => {
    head.go(Math.round((event.offsetX / strip.clientWidth) * head.game.length));
  });
  strip.title = "The height of the pile, move by move; marks: close calls";
  strip.setAttribute("aria-hidden", "true"); // the slider says the same
  const words = "The height of the pile. Line: three quarters of the board; ▼ close call: the pile rises to it.";
  element.append(strip, range, made("div", "tc-small", words));
  const show = () => {
    range.max = head.game.length;
    range.value = head.position;
    range.setAttribute("aria-valuetext", `move ${head.position} of ${head.game.length}`);
    drawStrip(strip, head);
  };
  panel.redraws.add(show);
  const sizes = new ResizeObserver(show); // the strip is as wide as there is room
  sizes.observe(element);
  const destroy = () => {
    sizes.disconnect();
    panel.redraws.delete(show);
  };
  return { element, show, destroy };
}

const STRIP_HEIGHT = 34;

function drawStrip(canvas, { game, position }) {
  const width = Math.floor(canvas.parentElement.clientWidth);
  const pen = width > 0 && sized(canvas, width, STRIP_HEIGHT);
  if (!pen) return;
  const style = getComputedStyle(canvas);
  const colour = (name) => style.getPropertyValue(name).trim();
  const { height } = game.setting;
  const y = (level) => STRIP_HEIGHT - (Math.min(level, height) / height) * (STRIP_HEIGHT - 8);
  const x = (made) => (made / Math.max(game.length, 1)) * (width - 1);
  pen.fillStyle = colour("--tc-empty");
  pen.fillRect(0, 8, width, STRIP_HEIGHT - 8);
  pen.fillStyle = colour("--tc-1");
  highestByPixel(game.heights, width).forEach((level, i) => pen.fillRect(i, y(level), 1, STRIP_HEIGHT - y(level)));
  pen.fillStyle = colour("--tc-accent");
  pen.fillRect(0, y((3 * height) / 4), width, 1);
  for (const call of game.closeCalls) drawTriangle(pen, x(call));
  pen.fillStyle = colour("--tc-ink");
  pen.fillRect(Math.min(x(position), width - 2), 6, 2, STRIP_HEIGHT - 6);
}

/** For each pixel, the highest pile among the positions that fall on it. */
function highestByPixel(heights, width) {
  const last = heights.length - 1;
  return Array.from({ length: width }, (_, pixel) => {
    const first = Math.round((pixel / width) * last);
    const next = Math.max(first + 1, Math.round(((pixel + 1) / width) * last));
    let highest = 0;
    for (let i = first; i < next; i++) highest = Math.max(highest, heights[i]);
    return highest;
  });
}

function drawTriangle(pen, x) {
  pen.beginPath();
  pen.moveTo(x - 4, 0);
  pen.lineTo(x + 4, 0);
  pen.lineTo(x, 7);
  pen.fill();
}

function playButtons(head) {
  const element = made("div", "tc-controls");
  const press = (name, label, help, act) => {
    const one = made("button", "tc-button", label);
    Object.assign(one, { type: "button", title: help });
    one.dataset.name = name;
    one.setAttribute("aria-label", help);
    one.addEventListener("click", act);
    element.append(one);
    return one;
  };
  const first = press("first", "|◀", "To the first move (Home)", () => head.go(0));
  const back = press("back", "◀", "One move back (left arrow)", () => head.step(-1));
  const play = press("play", "▶ Play", "Play (space)", () => head.toggle());
  const on = press("forward", "▶", "One move forward (right arrow)", () => head.step(1));
  const end = press("end", "▶|", "To the last move (End)", () => head.go(head.game.length));
  press("close-call", "Next close call", "To the next close call (c): the pile comes within a quarter of the height " +
    "of the top", () => head.closeCall());
  const speed = speedSlider(head);
  element.append(speed.element);
  const show = () => {
    play.textContent = head.isPlaying ? "❚❚ Pause" : "▶ Play";
    play.setAttribute("aria-label", head.isPlaying ? "Pause (space)" : "Play (space)");
    for (const one of [first, back]) one.disabled = head.position === 0;
    for (const one of [on, end]) one.disabled = head.isAtEnd();
    speed.show();
  };
  return { element, show };
}

function speedSlider(head) {
  const range = Object.assign(made("input"), { type: "range", min: 1, max: 60, step: 1 });
  const value = made("span", "tc-speed");
  range.addEventListener("input", () => head.setSpeed(range.valueAsNumber));
  const { label } = labelled({ type: "slider", label: "speed", help: "Moves a second" }, range, value);
  range.setAttribute("aria-label", "Speed, moves a second");
  label.dataset.name = "speed";
  const show = () => {
    range.value = head.speed;
    value.textContent = `${head.speed} a second`;
  };
  return { element: label, show };
}

/** The outcome of a search, or of the game; also dims the table while it is about another move. */
function watchNote(head, panel) {
  const element = made("div", "tc-watch-note");
  element.setAttribute("aria-live", "polite");
  const text = () => {
    if (head.orders.note) return head.orders.note;
    if (head.isAtEnd()) return head.orders.lost ? "The game is lost." : "The game stops here.";
    if (head.isPlaying && head.position === head.game.length) return "Waiting for the player ...";
    return head.game.closeCalls.includes(head.position) ? "A close call: the pile comes close to the top." : "";
  };
  const show = () => {
    if (element.textContent !== text()) element.textContent = text();
    const table = panel.parts.get("table")?.element;
    table?.classList.toggle("tc-stale", head.orders.judged !== head.position);
  };
  return { element, show };
}

BLOCKS.watchBoard = watchBoardBlock;
BLOCKS.watchControls = watchControlsBlock;
