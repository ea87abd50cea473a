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
