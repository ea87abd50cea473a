// A tree of rows that can be opened, moved through with the arrow keys, and selected.

/** A tree block; its data: columns, rows (see widgets/searching/rows.py), selected, label. Python does the opening. */
function treeBlock(spec, panel) {
  const element = made("div", "tc-tree");
  const head = made("div", "tc-tree-head");
  head.setAttribute("aria-hidden", "true"); // each row says what its numbers are
  const body = made("div");
  body.setAttribute("role", "tree");
  element.append(head, body);
  let rows = [];
  const idOf = (event) => event.target.closest?.("[role=treeitem]")?.dataset.id;
  const tell = (what, id) => panel.emit(`${spec.id}:${what}`, id);
  body.addEventListener("click", (event) => {
    const id = idOf(event);
    if (id === undefined) return;
    body.querySelector(`[data-id="${id}"]`).focus({ preventScroll: true });
    tell(event.target.closest(".tc-tree-twist") ? "toggle" : "select", id);
  });
  body.addEventListener("dblclick", (event) => idOf(event) !== undefined && tell("toggle", idOf(event)));
  body.addEventListener("keydown", (event) => {
    const id = idOf(event);
    const step = id === undefined ? null : treeKey(event.key, rows, rows.findIndex((row) => row.id === id));
    if (!step) return;
    event.preventDefault();
    if (step[1] !== undefined) tell(...step);
  });
  return {
    element,
    update(data) {
      const focused = body.contains(document.activeElement);
      rows = data.rows;
      element.style.setProperty("--tc-tree-columns", data.columns.length - 1);
      body.setAttribute("aria-label", data.label);
      head.replaceChildren(...data.columns.map((name) => made("span", "", name)));
      body.replaceChildren(...rows.map((row) => treeRow(row, row.id === data.selected)));
      const chosen = body.querySelector('[tabindex="0"]');
      if (focused) chosen?.focus({ preventScroll: true });
      if (element.dataset.selected !== data.selected) reveal(element, chosen);
      element.dataset.selected = data.selected;
    },
  };
}

/** What a key does in a row: ["select" or "toggle", id]; nothing for keys that are not ours. */
function treeKey(key, rows, at) {
  const row = rows[at];
  const select = (place) => ["select", rows[place]?.id];
  if (key === "ArrowDown") return select(at + 1);
  if (key === "ArrowUp") return select(at - 1);
  if (key === "Home") return select(0);
  if (key === "End") return select(rows.length - 1);
  if (key === "Enter" || key === " ") return ["toggle", row.open === null ? undefined : row.id];
  if (key === "ArrowRight") return row.open === false ? ["toggle", row.id] : select(row.open ? at + 1 : -1);
  if (key !== "ArrowLeft") return null;
  if (row.open) return ["toggle", row.id];
  return select(rows.findLastIndex((other, place) => place < at && other.level < row.level));
}

/** One row: the sign of opening, the piece, its name, numbers, and what is to be said of it. */
function treeRow(row, isSelected) {
  const line = made("div", `tc-tree-row tc-level-${row.level}${row.faint ? " tc-faint" : ""}`);
  const set = (name, value) => line.setAttribute(name, String(value));
  Object.entries({ role: "treeitem", "aria-level": row.level, "aria-posinset": row.place, "aria-setsize": row.of,
    "aria-selected": isSelected, "aria-label": row.label }).forEach(([name, value]) => set(name, value));
  if (row.open !== null) set("aria-expanded", row.open);
  line.dataset.id = row.id;
  line.tabIndex = isSelected ? 0 : -1;
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

BLOCKS.tree = treeBlock;
