// A game played by hand. Everything happens in the page, sixty times a second if need be; Python is told the keys.

const KEYS = {
  ArrowLeft: "L", ArrowRight: "R", ArrowUp: "H", ArrowDown: "N", " ": "D", x: "H", z: "T",
};
const ROWS_A_LEVEL = 10;

/** Milliseconds for which a piece stays in a row: a level is a sixth faster than the one before. */
function fallingTime(level) {
  return Math.max(40, 800 * 0.85 ** (level - 1));
}

/** One game in play, whoever sees it: views come and go, the game stays with its model. */
class Playing {
  constructor(panel) {
    this.panel = panel;
    this.round = null;
    this.frames = new Set(); // the functions that draw it
  }

  /** Begin another game if Python has made one. */
  take(data) {
    this.hint = data.hint_for === this.place() ? data.hint : [];
    if (data.round === this.round) return;
    this.round = data.round;
    this.firstLevel = data.level;
    this.game = new Game(this.panel.model.get("spec"));
    this.hint = [];
    this.state = "ready";
  }

  /** Which piece of which game is falling. */
  place() {
    return this.game ? `${this.round}:${this.game.blocksPlayed}` : "";
  }

  get level() {
    return this.firstLevel + Math.floor(this.game.totalLines / ROWS_A_LEVEL);
  }

  get falls() {
    return this.game.spec.mode === "falling";
  }

  /** One key, if the game takes keys now. */
  press(key) {
    if (!this.game.isRunning) return;
    if (this.state !== "on") this.resume();
    const before = this.game.blocksPlayed;
    this.game.command(key);
    if (key === "N" || key === "D") this.due = performance.now() + fallingTime(this.level);
    if (!this.game.isRunning) this.report("finished");
    else if (this.game.blocksPlayed > before) this.report("played");
    if (this.game.blocksPlayed > before) this.hint = [];
    this.draw();
  }

  report(event) {
    const said = { round: this.round, keys: this.game.keys.join(" ") };
    if (event === "finished") this.panel.emit(event, { ...said, state: this.game.state() });
    else if (event === "played") this.panel.emitLatest(event, said);
    else this.panel.emit(event, said);
  }

  resume() {
    if (!this.game.isRunning || this.state === "on") return;
    this.state = "on";
    this.due = performance.now() + fallingTime(this.level);
    if (this.falls) this.beat = requestAnimationFrame((now) => this.tick(now));
    this.draw();
  }

  pause() {
    if (this.state !== "on") return;
    this.state = "paused";
    cancelAnimationFrame(this.beat);
    this.draw();
  }

  /** Every frame: let the piece fall when its time has come. */
  tick(now) {
    if (this.state !== "on" || !this.game.isRunning) return;
    this.beat = requestAnimationFrame((later) => this.tick(later));
    if (now < this.due) return;
    // After a long interruption the piece falls one row, not all the rows that it has missed.
    this.due = Math.max(this.due + fallingTime(this.level), now);
    this.press("N");
  }

  draw() {
    for (const frame of this.frames) frame();
  }
}

const playing = new WeakMap();

/** The block: board, next piece, counters, buttons. */
function playBlock(spec, panel) {
  if (!playing.has(panel.model)) playing.set(panel.model, new Playing(panel));
  const play = playing.get(panel.model);
  play.panel = panel;
  const parts = playParts(play);
  const draw = () => play.game && drawPlay(parts, play);
  play.frames.add(draw);
  panel.redraws.add(draw);
  listenToKeys(parts.board, play);
  return {
    element: parts.element,
    update(data) {
      const before = play.round;
      parts.cell = data.cell;
      play.take(data);
      if (before !== null && before !== play.round) parts.board.focus({ preventScroll: true });
      play.draw();
    },
    destroy() {
      play.frames.delete(draw);
      panel.redraws.delete(draw);
      if (!play.frames.size) play.pause();
    },
  };
}

const TOUCH = [
  ["L", "◀", "Left"], ["N", "▼", "Fall one row"], ["R", "▶", "Right"],
  ["T", "↺", "Turn back"], ["D", "⤓", "Drop"], ["H", "↻", "Turn clockwise"],
];

/** The elements of a view. */
function playParts(play) {
  const element = made("div", "tc-play");
  const board = made("canvas", "tc-board");
  board.tabIndex = 0;
  board.setAttribute("role", "application");
  const stage = made("div", "tc-stage");
  const notice = made("div", "tc-notice");
  stage.append(board, notice);
  const side = made("div", "tc-side");
  const next = made("canvas", "tc-board");
  next.setAttribute("role", "img");
  const counters = made("dl", "tc-counters");
  side.append(made("div", "tc-soft", "Next"), next, counters, touchButtons(play, board), keyHelp());
  const spoken = made("div", "tc-unseen");
  spoken.setAttribute("aria-live", "polite");
  element.append(stage, side, spoken);
  notice.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    board.focus({ preventScroll: true });
    play.resume();
  });
  return { element, board, notice, next, counters, spoken, cell: 18 };
}

function touchButtons(play, board) {
  const pad = made("div", "tc-pad");
  for (const [key, sign, name] of TOUCH) {
    const one = made("button", "tc-button", sign);
    Object.assign(one, { type: "button", title: name });
    one.setAttribute("aria-label", name);
    one.addEventListener("click", () => play.press(key));
    pad.append(one);
  }
  const others = [["Pause", () => togglePause(play)], ["Hint", () => askHint(play)], ["Stop", () => play.press("Q")]];
  for (const [name, act] of others) {
    const one = made("button", "tc-button", name);
    one.type = "button";
    one.addEventListener("click", () => {
      act();
      if (name === "Pause") board.focus({ preventScroll: true });
    });
    pad.append(one);
  }
  return pad;
}

function keyHelp() {
  const text = "← → move   ↑ or x turn   z turn back   ↓ fall   space drop   p pause   i hint";
  const help = made("div", "tc-soft tc-keys");
  help.append(...text.split("   ").map((one) => made("span", "", one)));
  return help;
}

function togglePause(play) {
  if (play.state === "on") play.pause();
  else play.resume();
}

function askHint(play) {
  if (play.game.isRunning) play.report("hint");
}

function listenToKeys(board, play) {
  board.addEventListener("keydown", (event) => {
    if (!isOurs(event) || event.key === "Tab") return;
    const key = KEYS[event.key] || KEYS[event.key.toLowerCase()];
    const own = { p: () => togglePause(play), i: () => askHint(play), "?": () => askHint(play) }[event.key.toLowerCase()];
    if (!key && !own && event.key !== "Enter") return;
    event.preventDefault(); // arrows and space would scroll the page
    if (own) own();
    else if (!key || (play.state !== "on" && play.falls && key === "D")) play.resume(); // no drop unseen
    else if (!(event.repeat && key === "D")) play.press(key); // a held space drops one piece, not ten
  });
  board.addEventListener("pointerdown", () => play.state === "paused" && play.resume());
  board.addEventListener("blur", () => play.falls && play.pause());
}

// --- drawing --------------------------------------------------------------------------------------------

function drawPlay(parts, play) {
  const { game } = play;
  const rows = game.board.map((row) => row.map((code) => MARKS[code]).join(""));
  const view = { width: game.width, height: game.height, rows, above: Game.INVISIBLE_ROWS, cell: parts.cell };
  const piece = { piece: game.cells(), mark: game.piece.mark, ghost: game.isRunning ? game.ghost() : [] };
  drawBoard(parts.board, { ...view, ...piece, hint: play.hint });
  drawNext(parts.next, game);
  const heights = columnHeights(game);
  const now = game.isRunning ? `${game.piece.name} falling` : "the game is over";
  parts.board.setAttribute("aria-label", `Tetris, ${now}; heights ${heights.join(" ")}`);
  parts.board.dataset.pieces = game.blocksPlayed;
  parts.board.dataset.state = game.isRunning ? play.state : "over";
  writeCounters(parts.counters, play);
  const words = notice(play);
  parts.notice.textContent = words;
  parts.notice.hidden = !words;
  const news = `${game.totalLines} rows, ${game.score} points. ${game.isRunning ? "" : words}`;
  if (parts.spoken.textContent !== news) parts.spoken.textContent = news;
}

function columnHeights(game) {
  return Array.from({ length: game.width }, (_, column) => 1 + game.board.findLastIndex((row) => row[column] > 0));
}

function drawNext(canvas, game) {
  const shape = game.nextPiece.orientations[game.nextPiece.spawn];
  const wide = Math.max(4, shape.width);
  drawBoard(canvas, { width: wide, height: 2, rows: ["", ""], piece: shape.cells, mark: game.nextPiece.mark, cell: 16 });
  canvas.setAttribute("aria-label", `Next piece: ${game.nextPiece.name}`);
}

function writeCounters(list, play) {
  const { game } = play;
  const level = play.falls ? [["Level", play.level]] : [];
  const entries = [["Points", game.score], ["Rows", game.totalLines], ["Pieces", game.blocksPlayed], ...level];
  const text = JSON.stringify(entries);
  if (list.dataset.text === text) return;
  list.dataset.text = text;
  list.replaceChildren(...entries.flatMap(([name, value]) => [made("dt", "", name), made("dd", "", String(value))]));
}

/** What is written over the board; nothing while the game is on. */
function notice(play) {
  if (!play.game.isRunning) return play.game.ending === Game.QUIT ? "Stopped" : capital(play.game.ending);
  if (play.state === "ready") return "Click here, then play with the keys";
  return play.state === "paused" ? "Paused: click, or press p" : "";
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

BLOCKS.play = playBlock;
