// Blocks: the parts of a panel. Each is made from its specification and then updated with data from Python.

/** Blocks side by side, wrapping when there is no room, or one above the other. */
function groupBlock(spec, panel) {
  const element = made("div", `tc-group tc-${spec.kind}`);
  const parts = spec.blocks.map((inner) => panel.make(inner));
  element.append(...parts.map((part) => part.element));
  return { element, update() {} };
}

/**
 * A drawing that Python made. Where only numbers changed they are changed in place, so that things move.
 * A click on a part that can be picked is told to Python by the number in its data-pick.
 */
function svgBlock(spec, panel) {
  const element = made("div", "tc-svg");
  if (spec.pick)
    element.addEventListener("click", (event) => {
      const part = event.target.closest("[data-pick]");
      if (part) panel.emit(spec.id, Number(part.dataset.pick));
    });
  return {
    element,
    update(data) {
      const holder = document.createElement("template");
      holder.innerHTML = data.svg;
      const next = holder.content.firstElementChild;
      const now = element.firstElementChild;
      if (!next) element.replaceChildren();
      else if (!now || !patched(now, next)) element.replaceChildren(next);
    },
  };
}

/** Give one drawing the attributes and texts of another with the same structure; whether that was possible. */
function patched(now, next) {
  const [mine, theirs] = [now, next].map((root) => [root, ...root.querySelectorAll("*")]);
  if (mine.length !== theirs.length || mine.some((one, i) => one.tagName !== theirs[i].tagName)) return false;
  mine.forEach((one, i) => {
    const other = theirs[i];
    for (const { name } of [...one.attributes]) if (!other.hasAttribute(name)) one.removeAttribute(name);
    for (const { name, value } of other.attributes) if (one.getAttribute(name) !== value) one.setAttribute(name, value);
    if (!one.children.length && one.textContent !== other.textContent) one.textContent = other.textContent;
  });
  return true;
}

/** A table: columns, rows, the marked row; a row that can be picked is told to Python by its number. */
function tableBlock(spec, panel) {
  const element = made("div", "tc-table");
  const table = made("table");
  element.append(table);
  const pick = (event) => {
    const row = event.target.closest("tr[data-row]");
    if (!row || (event.type === "keydown" && event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    panel.emit(spec.id, Number(row.dataset.row));
  };
  if (spec.pick) for (const kind of ["click", "keydown"]) table.addEventListener(kind, pick);
  return {
    element,
    update(data) {
      const focused = table.contains(document.activeElement) ? document.activeElement.dataset.row : undefined;
      table.replaceChildren(...tableParts(spec, data));
      if (focused !== undefined) table.querySelector(`tr[data-row="${focused}"]`)?.focus({ preventScroll: true });
      if (element.dataset.marked !== String(data.marked)) reveal(element, table.querySelector(".tc-marked"));
      element.dataset.marked = data.marked;
    },
  };
}

/** Scroll a table or tree, and nothing else on the page, just far enough to show this row. */
function reveal(element, row) {
  if (!row) return;
  const [frame, line] = [element, row].map((one) => one.getBoundingClientRect());
  const head = element.querySelector("th, .tc-tree-head")?.offsetHeight || 0;
  if (line.top < frame.top + head) element.scrollTop -= frame.top + head - line.top;
  else if (line.bottom > frame.bottom) element.scrollTop += line.bottom - frame.bottom;
}

function tableParts(spec, data) {
  const head = made("thead");
  const names = made("tr");
  names.append(...data.columns.map((name) => Object.assign(made("th", "", name), { scope: "col" })));
  head.append(names);
  const body = made("tbody");
  body.append(...data.rows.map((row, number) => tableRow(spec, row, number, data.marked)));
  return data.caption ? [made("caption", "", data.caption), head, body] : [head, body];
}

function tableRow(spec, row, number, marked) {
  const line = made("tr");
  line.append(...row.map((text) => made("td", "", text)));
  if (number === marked) line.className = "tc-marked";
  if (number === marked) line.setAttribute("aria-current", "true");
  if (spec.pick) line.dataset.row = number;
  if (spec.pick) line.tabIndex = 0;
  return line;
}

/** Lines of text; `live` ones are read out by screen readers when they change. */
function textBlock(spec) {
  const element = made("div", `tc-text ${spec.style ? `tc-${spec.style}` : ""}`);
  if (spec.live) element.setAttribute("aria-live", "polite");
  return {
    element,
    update(data) {
      const lines = [].concat(data.text);
      if (element.dataset.text === lines.join("\n")) return;
      element.dataset.text = lines.join("\n");
      element.replaceChildren(...lines.map((line) => made("div", "", line)));
    },
  };
}

/** Code that can be copied. */
function codeBlock(spec, panel) {
  const element = made("div", "tc-code");
  const code = made("pre");
  const copy = made("button", "tc-button", spec.label || "Copy");
  copy.type = "button";
  copy.addEventListener("click", async () => {
    const done = await copied(code);
    copy.textContent = done ? "Copied" : "Press Ctrl-C to copy";
    setTimeout(() => (copy.textContent = spec.label || "Copy"), 2000);
    panel.emit(spec.id, "copied");
  });
  element.append(code, copy);
  return { element, update: (data) => (code.textContent = data.text) };
}

/** Put the text of an element into the clipboard, or at least select it; whether it was copied. */
async function copied(element) {
  getSelection().selectAllChildren(element);
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    return document.execCommand("copy"); // where the page may not use the clipboard
  }
}

const BLOCKS = {
  row: groupBlock,
  column: groupBlock,
  board: boardBlock,
  controls: controlsBlock,
  svg: svgBlock,
  table: tableBlock,
  text: textBlock,
  code: codeBlock,
};
