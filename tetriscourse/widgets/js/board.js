// The board view: any board, piece and highlight on a canvas. `COLOURS`, `SIGNS` and `MARKS` come from Python.

const PATHS = SIGNS.map((sign) => new Path2D(sign));

/** A board block: a canvas that shows the newest data it was given. */
function boardBlock(spec, panel) {
  const canvas = document.createElement("canvas");
  canvas.className = "tc-board";
  canvas.setAttribute("role", "img");
  let data = null;
  const draw = () => data && drawBoard(canvas, data);
  panel.redraws.add(draw);
  return {
    element: canvas,
    update(next) {
      data = next;
      canvas.setAttribute("aria-label", next.label || "");
      draw();
    },
    destroy: () => panel.redraws.delete(draw),
  };
}

/** Draw the data of a board: rows from the bottom up as text, and what lies over them. */
function drawBoard(canvas, data) {
  const cell = data.cell || 18;
  const high = Math.max(data.rows.length, data.height + (data.above || 0));
  const over = data.highlight && data.highlight.columns && data.highlight.columns.length ? 16 : 0;
  const pen = sized(canvas, data.width * cell + 1, high * cell + 1 + over);
  if (!pen) return;
  const shades = shadesOf(canvas);
  const at = (row, column) => [column * cell, over + (high - 1 - row) * cell];
  pen.fillStyle = shades.empty;
  pen.fillRect(0, over + (high - data.height) * cell, data.width * cell + 1, data.height * cell + 1);
  drawGrid(pen, data, cell, high, over, shades);
  data.rows.forEach((marks, row) => {
    for (let column = 0; column < marks.length; column++) {
      const code = MARKS.indexOf(marks[column]);
      if (code > 0) drawCell(pen, code, ...at(row, column), cell);
    }
  });
  const outline = (cells, style) => cells && drawOutline(pen, cells, at, cell, style);
  outline(data.ghost, { stroke: shades.ink, dash: [3, 3], width: 1.5 });
  for (const [row, column] of data.piece || []) drawCell(pen, codeOf(data.mark), ...at(row, column), cell);
  outline(data.piece, { stroke: shades.ink, dash: [], width: 1.5 });
  outline(data.hint, { stroke: shades.accent, dash: [], width: 3 });
  if (data.highlight) drawHighlight(pen, data.highlight, { at, cell, high, over, width: data.width, shades });
}

/** The canvas's pen, once the canvas has this size in CSS pixels and as many real pixels as the screen has for them. */
function sized(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const real = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== real[0] || canvas.height !== real[1]) [canvas.width, canvas.height] = real;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const pen = canvas.getContext("2d");
  if (!pen) return null;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}

/** The colours of the theme, as the style sheet defines them for this element. */
function shadesOf(element) {
  const style = getComputedStyle(element);
  const read = (name, fallback) => style.getPropertyValue(name).trim() || fallback;
  return {
    empty: read("--tc-empty", "#f4f4f4"),
    grid: read("--tc-grid", "#d8d8d8"),
    ink: read("--tc-ink", "#222222"),
    accent: read("--tc-accent", "#b3005e"),
    paper: read("--tc-paper", "#ffffff"),
  };
}

function codeOf(mark) {
  return Math.max(MARKS.indexOf(mark), 0) || MARKS.indexOf("X");
}

function drawGrid(pen, data, cell, high, over, shades) {
  const top = over + (high - data.height) * cell;
  const bottom = over + high * cell;
  pen.strokeStyle = shades.grid;
  pen.lineWidth = 1;
  pen.beginPath();
  for (let column = 0; column <= data.width; column++) {
    pen.moveTo(column * cell + 0.5, top);
    pen.lineTo(column * cell + 0.5, bottom + 1);
  }
  for (let row = 0; row <= data.height; row++) {
    pen.moveTo(0, bottom - row * cell + 0.5);
    pen.lineTo(data.width * cell + 1, bottom - row * cell + 0.5);
  }
  pen.stroke();
}

/** One full cell: its piece's colour and sign. */
function drawCell(pen, code, x, y, cell) {
  pen.fillStyle = COLOURS[code];
  pen.fillRect(x + 1, y + 1, cell - 1, cell - 1);
  pen.save();
  pen.translate(x + 1, y + 1);
  pen.scale(cell - 1, cell - 1);
  pen.strokeStyle = "rgba(0, 0, 0, 0.55)";
  pen.lineWidth = 0.1;
  pen.lineCap = "round";
  pen.stroke(PATHS[code]);
  pen.restore();
}

/** The border around a set of cells. */
function drawOutline(pen, cells, at, cell, style) {
  const inside = new Set(cells.map(([row, column]) => `${row},${column}`));
  const has = (row, column) => inside.has(`${row},${column}`);
  pen.save();
  pen.strokeStyle = style.stroke;
  pen.lineWidth = style.width;
  pen.setLineDash(style.dash);
  pen.beginPath();
  for (const [row, column] of cells) {
    const [x, y] = at(row, column);
    for (const side of ["top", "bottom", "left", "right"]) {
      const [down, right] = { top: [1, 0], bottom: [-1, 0], left: [0, -1], right: [0, 1] }[side];
      if (!has(row + down, column + right)) sideLine(pen, x, y, cell, side);
    }
  }
  pen.stroke();
  pen.restore();
}

/** The line along one side of the cell at (x, y). */
function sideLine(pen, x, y, cell, side) {
  const [x0, y0, x1, y1] = {
    top: [0, 0, 1, 0],
    bottom: [0, 1, 1, 1],
    left: [0, 0, 0, 1],
    right: [1, 0, 1, 1],
  }[side];
  pen.moveTo(x + x0 * cell + 0.5, y + y0 * cell + 0.5);
  pen.lineTo(x + x1 * cell + 0.5, y + y1 * cell + 0.5);
}

// --- highlights: what a feature counts ------------------------------------------------------------

function drawHighlight(pen, highlight, view) {
  pen.save();
  for (const row of highlight.rows || []) highlightRow(pen, row, view);
  for (const [row, column, count] of highlight.cells || []) highlightCell(pen, row, column, count, view);
  if (highlight.edges) highlightEdges(pen, highlight.edges, view);
  for (const [column, number] of highlight.columns || []) {
    writeAbove(pen, column + (highlight.between ? 1 : 0.5), number, view);
  }
  for (const [height, text] of highlight.levels || []) drawLevel(pen, height, text, view);
  pen.restore();
}

/** A hatched cell in a frame, with the number that it counts unless that is 1; only the frame if it counts nothing. */
function highlightCell(pen, row, column, count, { at, cell, shades }) {
  const [x, y] = at(row, column);
  if (count) hatch(pen, x, y, cell, shades);
  pen.strokeStyle = shades.accent;
  pen.lineWidth = count ? 2 : 1;
  pen.strokeRect(x + 2.5, y + 2.5, cell - 4, cell - 4);
  if (count && count !== 1) writeIn(pen, String(count), x + cell / 2 + 0.5, y + cell / 2 + 1, shades, cell * 0.6);
}

function hatch(pen, x, y, cell, shades) {
  pen.save();
  pen.beginPath();
  pen.rect(x + 2, y + 2, cell - 3, cell - 3);
  pen.clip();
  pen.strokeStyle = shades.accent;
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (let step = -cell; step < cell; step += 5) {
    pen.moveTo(x + step, y + cell);
    pen.lineTo(x + step + cell, y);
  }
  pen.stroke();
  pen.restore();
}

function highlightEdges(pen, edges, { at, cell, shades }) {
  pen.strokeStyle = shades.accent;
  pen.lineWidth = 3;
  pen.lineCap = "round";
  pen.beginPath();
  for (const [row, column, side] of edges) sideLine(pen, ...at(row, column), cell, side);
  pen.stroke();
}

function highlightRow(pen, row, { at, cell, width, shades }) {
  const [, y] = at(row, 0);
  pen.strokeStyle = shades.accent;
  pen.lineWidth = 2;
  pen.strokeRect(1, y + 1, width * cell - 1, cell - 1);
}

function writeAbove(pen, middle, number, { cell, shades }) {
  writeIn(pen, String(number), middle * cell + 0.5, 8, shades, 11);
}

function drawLevel(pen, height, text, { cell, high, over, width, shades }) {
  const y = over + (high - height) * cell + 0.5;
  pen.strokeStyle = shades.accent;
  pen.lineWidth = 2;
  pen.setLineDash([6, 3]);
  pen.beginPath();
  pen.moveTo(0, y);
  pen.lineTo(width * cell, y);
  pen.stroke();
  pen.setLineDash([]);
  if (text) writeIn(pen, text, (width * cell) / 2, y < over + 14 ? y + 9 : y - 9, shades, 11);
}

/** Text with a halo, readable over anything. */
function writeIn(pen, text, x, y, shades, size) {
  pen.font = `bold ${Math.max(8, Math.round(size))}px system-ui, sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  pen.strokeStyle = shades.paper;
  pen.lineWidth = 3;
  pen.strokeText(text, x, y);
  pen.fillStyle = shades.ink;
  pen.fillText(text, x, y);
}
