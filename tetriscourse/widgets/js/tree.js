// A tree of rows that can be opened, moved through with the arrow keys, and selected.

/** A tree block; its data: columns, rows (see widgets/searching/rows.py), selected, label. Python does the opening. */
class Tree {
  constructor(spec, panel) {
    Object.assign(this, { name: spec.id, panel, rows: [], selected: "" });
    this.element = made("div", "tc-tree");
    this.head = made("div", "tc-tree-head");
    this.head.setAttribute("aria-hidden", "true"); // each row says what its numbers are
    this.body = made("div");
    this.body.setAttribute("role", "tree");
    this.element.append(this.head, this.body);
    this.body.addEventListener("click", (event) => this.click(event));
    this.body.addEventListener("keydown", (event) => this.key(event));
  }

  update(data) {
    const focused = this.body.contains(document.activeElement);
    this.rows = data.rows;
    const isAhead = this.panel.waiting.has(`${this.name}:select`); // Python has not heard of the last key yet
    if (!isAhead || !this.rows.some((row) => row.id === this.selected)) this.selected = data.selected;
    this.body.setAttribute("aria-label", data.label);
    this.head.replaceChildren(...data.columns.map((name) => made("span", "", name)));
    this.body.replaceChildren(...this.rows.map(treeRow));
    this.mark(focused);
  }

  /** Show which row is selected, where it can be seen; give it the focus if the tree had it. */
  mark(isFocused) {
    for (const line of this.body.children) {
      const isSelected = line.dataset.id === this.selected;
      line.setAttribute("aria-selected", String(isSelected));
      line.tabIndex = isSelected ? 0 : -1;
      if (isSelected && isFocused) line.focus({ preventScroll: true });
      if (isSelected) reveal(this.element, line);
    }
  }

  /** Select a row at once; Python hears of the newest one. */
  select(id) {
    if (id === undefined) return;
    this.selected = id;
    this.mark(true);
    this.panel.emitLatest(`${this.name}:select`, id);
  }

  /** Select a row, and open or close it. */
  toggle(id) {
    this.selected = id;
    this.mark(true);
    this.panel.emit(`${this.name}:toggle`, id);
  }

  click(event) {
    const line = event.target.closest("[role=treeitem]");
    if (!line) return;
    if (line.hasAttribute("aria-expanded")) this.toggle(line.dataset.id);
    else this.select(line.dataset.id);
  }

  key(event) {
    if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = treeKey(event.key, this.rows, this.rows.findIndex((row) => row.id === this.selected));
    if (!step) return;
    event.preventDefault();
    if (step.toggle !== undefined) this.toggle(step.toggle);
    else this.select(step.select);
  }
}

/** What a key does in a row: the row to select, or the one to open or close; null for keys that are not ours. */
function treeKey(key, rows, at) {
  const row = rows[at];
  const above = rows.findLastIndex((other, place) => place < at && other.level < row.level);
  const select = (place) => ({ select: rows[place]?.id });
  const toggle = { toggle: row?.id };
  const nothing = {};
  switch (row && key) {
    case "ArrowDown": return select(at + 1);
    case "ArrowUp": return select(at - 1);
    case "Home": return select(0);
    case "End": return select(rows.length - 1);
    case "Enter":
    case " ": return row.open === null ? nothing : toggle;
    case "ArrowRight": return row.open === false ? toggle : row.open ? select(at + 1) : nothing;
    case "ArrowLeft": return row.open ? toggle : select(above);
    default: return null;
  }
}

/** One row: the sign of opening, the piece, its name, numbers, and what is to be said of it. */
function treeRow(row) {
  const line = made("div", `tc-tree-row tc-level-${row.level}${row.faint ? " tc-faint" : ""}`);
  const set = (name, value) => line.setAttribute(name, String(value));
  Object.entries({ role: "treeitem", "aria-level": row.level, "aria-posinset": row.place, "aria-setsize": row.of,
    "aria-label": row.label }).forEach(([name, value]) => set(name, value));
  if (row.open !== null) set("aria-expanded", row.open);
  line.dataset.id = row.id;
  const name = made("span", "tc-tree-name");
  const twist = made("span", "tc-tree-twist", row.open === null ? "" : row.open ? "▾" : "▸");
  name.append(twist, treeShape(row.shape, row.mark), made("span", "", row.name));
  name.append(...row.signs.map(([kind, text]) => made("span", `tc-tree-sign tc-tree-${kind}`, text)));
  line.append(name, ...row.cells.map((text) => made("span", "tc-tree-number", text)));
  return line;
}

const SHAPE_CELL = 6;

/** A small drawing of a piece as it is turned. */
function treeShape(cells, mark) {
  const high = Math.max(...cells.map(([row]) => row)) + 1;
  const wide = Math.max(...cells.map(([, column]) => column)) + 1;
  const path = cells.map(([row, column]) => `M${column * SHAPE_CELL} ${(high - 1 - row) * SHAPE_CELL}h5v5h-5z`).join("");
  const holder = document.createElement("template");
  holder.innerHTML = `<svg class="tc-tree-shape" aria-hidden="true" width="${wide * SHAPE_CELL}" `
    + `height="${high * SHAPE_CELL}"><path d="${path}" fill="${COLOURS[codeOf(mark)]}"/></svg>`;
  return holder.content.firstElementChild;
}

BLOCKS.tree = (spec, panel) => new Tree(spec, panel);
