// A panel in the page: made of blocks, it shows what Python says and tells Python what the person does.

const SECONDS_TO_ANSWER = 5;
const views = new WeakMap(); // how many views of each model there are

/** The things that the blocks of one view share. */
class PanelView {
  constructor(model, el) {
    this.model = model;
    this.root = el;
    this.parts = new Map(); // blocks with an id
    this.made = [];
    this.shown = new Map(); // the data that each block shows, as text
    this.redraws = new Set(); // what must be drawn again when the theme or the zoom changes
    this.waiting = new Map(); // values that are held back until Python has dealt with the last one
  }

  /** A block from its specification. */
  make(spec) {
    const part = BLOCKS[spec.kind](spec, this);
    if (spec.id) this.parts.set(spec.id, part);
    this.made.push(part);
    return part;
  }

  /** Send to Python; whether it was there. `at`: when, if only the newest value counts. */
  send(event, value, at) {
    try {
      this.model.send({ event, value, at });
      return true;
    } catch {
      this.say("Python is no longer there: run this cell again.", "error"); // the kernel was restarted or closed
      return false;
    }
  }

  /** Send, and say so if no answer comes. */
  ask(event, value, at) {
    clearTimeout(this.alarm);
    if (!this.send(event, value, at)) return;
    this.alarm = setTimeout(() => this.say("No answer from Python. Is another cell running? If not, run this again.",
      "error"), SECONDS_TO_ANSWER * 1000);
  }

  /** Tell Python what the person did, once everything held back has been sent: that came first. */
  emit(event, value) {
    if (this.waiting.size) this.release();
    this.ask(event, value);
  }

  /** Tell Python the newest value of something that changes fast, as soon as the one before is dealt with. */
  emitLatest(event, value) {
    this.waiting.set(event, value);
    if (!this.busy) this.release();
  }

  /** Send what is held back. */
  release() {
    const held = [...this.waiting];
    this.waiting.clear();
    this.busy = held.length > 0;
    clearTimeout(this.patience);
    if (this.busy) this.patience = setTimeout(() => this.release(), 1000);
    for (const [event, value] of held) this.ask(event, value, performance.timeOrigin + performance.now());
  }

  say(text, kind) {
    this.message.textContent = text;
    this.message.dataset.kind = kind || "note";
    this.message.hidden = !text;
  }

  /** Rebuild everything. */
  build() {
    const inUse = this.root.contains(document.activeElement) && document.activeElement.closest("[data-name]");
    for (const part of this.made) part.destroy?.();
    this.parts.clear();
    this.shown.clear();
    this.made = [];
    const { title, tries } = this.model.get("heading");
    this.message = made("div", "tc-message");
    this.message.setAttribute("role", "status");
    const body = this.make(this.model.get("blocks")).element;
    this.frame = made("section", "tetriscourse-panel");
    this.frame.setAttribute("aria-label", title);
    this.frame.append(made("h4", "tc-title", title), this.message, body);
    if (tries.length) this.frame.append(triesList(tries));
    this.root.replaceChildren(this.frame);
    this.unguard?.();
    this.unguard = guardKeys(this.frame);
    this.update();
    if (inUse) focusControl(this.frame, inUse.dataset.name);
  }

  /** Show what is new, and tell Python that it was shown. */
  update() {
    clearTimeout(this.alarm);
    const data = this.model.get("data");
    const message = this.model.get("message");
    for (const [id, part] of this.parts) {
      if (data[id] === undefined) continue;
      const text = JSON.stringify(data[id]);
      const refused = part.isControls && message.text && message.kind === "error"; // so take back what was chosen
      if (this.shown.get(id) === text && !refused) continue;
      this.shown.set(id, text);
      part.update(data[id]);
    }
    this.say(message.text, message.kind);
    this.send("shown", this.model.get("version"));
    this.release();
  }

  redraw() {
    for (const draw of this.redraws) draw();
  }
}

/** Give the focus to the control with this name, so that keyboard users do not lose their place. */
function focusControl(frame, name) {
  const control = [...frame.querySelectorAll("[data-name]")].find((one) => one.dataset.name === name);
  (control?.matches("button") ? control : control?.querySelector("input, select"))?.focus({ preventScroll: true });
}

function triesList(tries) {
  const box = made("div", "tc-tries");
  const list = made("ul");
  list.append(...tries.map((text) => made("li", "", text)));
  box.append(made("strong", "", "Try"), list);
  return box;
}

// --- keys -------------------------------------------------------------------------------------------

/** Whether a key is for the panel: plain keys are, those of the notebook (with Ctrl, Shift-Enter, Escape) are not. */
function isOurs(event) {
  if (event.metaKey || event.ctrlKey || event.altKey) {
    const editing = event.target.matches?.("input, textarea");
    return Boolean(editing && "acvxz".includes(event.key.toLowerCase()));
  }
  return event.key !== "Escape" && !(event.key === "Enter" && event.shiftKey);
}

/** Keep the notebook from handling our keys, and us from handling its keys; returns a function that ends this. */
function guardKeys(frame) {
  // The notebook asks the element with the focus for this attribute when a key arrives at the document, which is
  // after the window.
  const mark = (event) => {
    if (!frame.contains(event.target)) return;
    if (isOurs(event)) event.target.dataset.lmSuppressShortcuts = "true";
    else delete event.target.dataset.lmSuppressShortcuts;
  };
  window.addEventListener("keydown", mark, true);
  return () => window.removeEventListener("keydown", mark, true);
}

// --- theme and zoom -----------------------------------------------------------------------------------

/** Whether the background of an element is dark. */
function isDark(element) {
  for (let one = element; one; one = one.parentElement) {
    const [red, green, blue, alpha = 1] = (getComputedStyle(one).backgroundColor.match(/[\d.]+/g) || []).map(Number);
    if (alpha > 0.5 && blue !== undefined) return 0.3 * red + 0.6 * green + 0.1 * blue < 110;
  }
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Call back when the theme or the zoom changes; returns a function that ends this. */
function whenLookChanges(call) {
  const soon = () => setTimeout(call, 50); // after the new style sheet is in force
  const observer = new MutationObserver(soon);
  for (const node of [document.documentElement, document.body]) {
    observer.observe(node, { attributes: true, attributeFilter: ["class", "data-jp-theme-name", "data-jp-theme-light",
      "data-theme"] });
  }
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", soon);
  window.addEventListener("resize", soon);
  return () => {
    observer.disconnect();
    scheme.removeEventListener("change", soon);
    window.removeEventListener("resize", soon);
  };
}

function render({ model, el }) {
  const view = new PanelView(model, el);
  views.set(model, (views.get(model) || 0) + 1);
  const dress = () => {
    view.frame.classList.toggle("tc-dark", isDark(el.parentElement || document.body));
    view.redraw();
  };
  const build = () => {
    view.build();
    dress();
  };
  const update = () => view.update();
  build();
  requestAnimationFrame(dress); // by then the element is in the page
  model.on("change:version", update);
  model.on("change:blocks", build);
  const forget = whenLookChanges(dress);
  return () => {
    forget();
    clearTimeout(view.alarm);
    clearTimeout(view.patience);
    model.off("change:version", update);
    model.off("change:blocks", build);
    for (const part of view.made) part.destroy?.();
    view.unguard();
    views.set(model, views.get(model) - 1);
    if (!views.get(model)) view.send("hidden", null);
  };
}

export default { render };
