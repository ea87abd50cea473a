// A list to be put in order: by dragging, by buttons and by keys; and a gallery of small boards.

const SENSES = { "-1": "fewest", 1: "most" };

/** A small button with a sign on it, and words for those who cannot see it. */
function signButton(part, sign, words, call) {
  const element = made("button", "tc-button tc-sign", sign);
  Object.assign(element, { type: "button", title: words });
  element.dataset.part = part;
  element.setAttribute("aria-label", words);
  element.addEventListener("click", call);
  return element;
}

/** The list. A change shows at once and is sent to Python, whose answer then counts. */
class OrderedList {
  constructor(item, panel) {
    Object.assign(this, { name: item.name, panel, items: [], at: 0, asked: 0, drag: null, late: null });
    this.list = made("ul", "tc-order-list");
    this.list.setAttribute("role", "list");
    this.list.setAttribute("aria-label", item.label);
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("focusin", (event) => this.visit(event.target.closest("li")));
    this.element = made("div", "tc-order");
    this.element.append(made("div", "tc-name", item.label), this.list, this.adder());
    if (item.help) this.element.append(made("div", "tc-soft", item.help));
  }

  /** The menu of what can be added. */
  adder() {
    this.menu = made("select", "tc-input");
    this.menu.setAttribute("aria-label", "What to add");
    this.add = made("button", "tc-button", "Add");
    this.add.type = "button";
    this.add.addEventListener("click", () => this.tell([...this.items, { name: this.menu.value, sign: null }]));
    const line = made("div", "tc-order-add");
    line.append(this.menu, this.add);
    return line;
  }

  // --- what is shown --------------------------------------------------------------------------------

  update(data) {
    if (data.answered < this.asked) return; // newer answers are on their way
    if (this.drag) return void (this.late = data);
    this.asked = data.answered;
    this.items = data.items;
    this.menu.replaceChildren(...data.others.map(([value, text]) => new Option(text, value)));
    this.menu.disabled = this.add.disabled = !data.others.length;
    this.show();
  }

  /** Redraw the list; the item that had the focus keeps it. */
  show() {
    const focused = this.list.contains(document.activeElement) ? document.activeElement.dataset.part : null;
    this.at = Math.max(0, Math.min(this.at, this.items.length - 1));
    this.list.replaceChildren(...this.items.map((item, place) => this.line(item, place)));
    this.visit(this.list.children[this.at]);
    if (focused) this.focus(focused);
  }

  focus(part) {
    const line = this.list.children[this.at];
    const inner = line?.querySelector(`[data-part="${part}"]:not(:disabled)`);
    (inner || line)?.focus();
  }

  /** One item: handle, place, fewest or most, name, buttons. */
  line(item, place) {
    const line = made("li", "tc-order-item");
    line.dataset.part = "line";
    line.dataset.item = item.name;
    line.setAttribute("aria-label", `${place + 1}. ${SENSES[item.sign]} ${item.label}`);
    line.setAttribute("aria-keyshortcuts", "Shift+ArrowUp Shift+ArrowDown Delete");
    if (item.help) line.title = item.help;
    const sense = signButton("sense", SENSES[item.sign], `${SENSES[item.sign]} ${item.label}: change to ` +
      SENSES[-item.sign], () => this.turn(place));
    const up = signButton("up", "↑", `Move ${item.label} up`, () => this.move(place, place - 1));
    const down = signButton("down", "↓", `Move ${item.label} down`, () => this.move(place, place + 1));
    const remove = signButton("remove", "×", `Remove ${item.label}`, () => this.remove(place));
    up.disabled = place === 0;
    down.disabled = place === this.items.length - 1;
    line.append(this.handle(line, place), made("span", "tc-order-place", `${place + 1}`), sense,
      made("span", "tc-order-label", item.label), up, down, remove);
    return line;
  }

  /** Only one item and its buttons can be reached with Tab; the arrow keys lead to the others. */
  visit(line) {
    if (!line) return;
    this.at = [...this.list.children].indexOf(line);
    for (const one of this.list.children) {
      one.tabIndex = one === line ? 0 : -1;
      for (const button of one.querySelectorAll("button")) button.tabIndex = one.tabIndex;
    }
  }

  // --- what the person does -------------------------------------------------------------------------

  /** Tell Python the list that is wanted. */
  tell(items) {
    this.asked += 1;
    this.panel.emit(this.name, items.map(({ name, sign }) => ({ name, sign })));
  }

  /** Show a list at once, with this item in focus, and tell Python; an empty one only if Python agrees. */
  propose(items, at) {
    this.tell(items);
    if (!items.length) return;
    Object.assign(this, { items, at });
    this.show();
  }

  move(from, to) {
    if (to < 0 || to >= this.items.length || to === from) return;
    const items = [...this.items];
    items.splice(to, 0, ...items.splice(from, 1));
    this.propose(items, to);
  }

  remove(place) {
    this.propose(this.items.filter((_, other) => other !== place), Math.min(place, this.items.length - 2));
  }

  turn(place) {
    this.propose(this.items.map((item, other) => (other === place ? { ...item, sign: -item.sign } : item)), place);
  }

  key(event) {
    if (!isOurs(event)) return;
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step && event.key !== "Delete") return;
    event.preventDefault();
    if (event.key === "Delete") this.remove(this.at);
    else if (event.shiftKey) this.move(this.at, this.at + step);
    else this.list.children[this.at + step]?.focus();
  }

  // --- dragging -------------------------------------------------------------------------------------

  /** The handle by which an item is dragged, with a mouse, pen or finger. */
  handle(line, place) {
    const handle = made("span", "tc-order-handle", "⠿");
    handle.title = "Drag to another place";
    handle.setAttribute("aria-hidden", "true"); // there are buttons and keys for those who cannot drag
    handle.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      line.focus();
      handle.setPointerCapture(event.pointerId);
      this.drag = { from: place, gap: place };
      line.classList.add("tc-dragged");
    });
    handle.addEventListener("pointermove", (event) => this.drag && this.aim(event.clientY));
    handle.addEventListener("pointerup", () => this.drop(true));
    for (const kind of ["pointercancel", "lostpointercapture"]) handle.addEventListener(kind, () => this.drop(false));
    return handle;
  }

  /** Show where it would go: gap g lies before item g. */
  aim(y) {
    const lines = [...this.list.children];
    const isAbove = ({ top, height }) => top + height / 2 < y;
    this.drag.gap = lines.filter((line) => isAbove(line.getBoundingClientRect())).length;
    lines.forEach((line, place) => {
      line.classList.toggle("tc-gap-above", place === this.drag.gap);
      line.classList.toggle("tc-gap-below", place === lines.length - 1 && this.drag.gap === lines.length);
    });
  }

  /** The end of a drag: put the item there, unless Python has changed the list meanwhile. */
  drop(isMeant) {
    if (!this.drag) return;
    const { from, gap } = this.drag;
    const late = this.late;
    this.drag = this.late = null;
    for (const line of this.list.children) line.classList.remove("tc-dragged", "tc-gap-above", "tc-gap-below");
    if (late) this.update(late);
    else if (isMeant) this.move(from, gap > from ? gap - 1 : gap);
  }
}

CONTROLS.order = (item, panel) => new OrderedList(item, panel);

// --- small boards -------------------------------------------------------------------------------------

/** A gallery: groups of small boards, each the common board with a piece; kept, discarded or chosen. */
function boardsBlock(spec, panel) {
  const element = made("div", "tc-boards");
  let draws = [];
  const draw = () => draws.forEach((one) => one());
  panel.redraws.add(draw);
  return {
    element,
    update(data) {
      draws = [];
      element.replaceChildren(...data.groups.map((group) => boardsGroup(group, data.board, draws)));
      draw(); // only now, as the colours come from the page
    },
    destroy: () => panel.redraws.delete(draw),
  };
}

function boardsGroup(group, board, draws) {
  const element = made("div", "tc-boards-group");
  const line = made("div", "tc-boards-line");
  line.append(...group.items.map((item) => smallBoard(item, board, draws)));
  if (group.more) line.append(made("span", "tc-soft", group.more));
  element.append(made("div", "tc-boards-text", group.text), line);
  return element;
}

function smallBoard(item, board, draws) {
  const figure = made("figure", `tc-small tc-${item.state}`);
  const canvas = made("canvas");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", item.label);
  figure.title = item.label;
  figure.append(canvas, made("figcaption", "", item.caption));
  draws.push(() => drawBoard(canvas, { ...board, ...item }));
  return figure;
}

BLOCKS.boards = boardsBlock;
