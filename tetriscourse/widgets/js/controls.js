// Controls: buttons, sliders, fields, menus, check boxes, and a list to be put in order.
// Each tells Python what the person did; what it shows comes from Python, which is the judge of every value.

/** A row of controls; its data: for each control, by name, whatever changes (value, disabled, label, ...). */
function controlsBlock(spec, panel) {
  const style = spec.style ? ` tc-${spec.style}` : "";
  const element = made("div", (spec.vertical ? "tc-controls tc-vertical" : "tc-controls") + style);
  const controls = spec.items.map((item) => {
    const control = (CONTROLS[item.type] || CONTROLS.button)(item, panel);
    control.element.dataset.name = item.name;
    element.append(control.element);
    return [item.name, control];
  });
  return {
    element,
    isControls: true,
    update(data) {
      for (const [name, control] of controls) if (data[name]) control.update(data[name]);
    },
  };
}

function made(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

/** A label around an input, with the label's text before it. */
function labelled(item, ...inputs) {
  const label = made("label", `tc-field tc-${item.type}`);
  const name = made("span", "tc-name", item.label);
  label.append(name, ...inputs);
  if (item.help) label.title = item.help;
  return { label, name };
}

/** Whether the person is using this element right now, so that it must not be changed under their hands. */
function isInUse(input) {
  return input.dataset.held === "yes";
}

function button(item, panel) {
  const element = made("button", "tc-button", item.label);
  element.type = "button";
  if (item.help) element.title = item.help;
  element.addEventListener("click", () => panel.emit(item.name, item.value === undefined ? null : item.value));
  return {
    element,
    update(data) {
      if (data.label !== undefined && data.label !== element.textContent) element.textContent = data.label;
      if (data.disabled !== undefined) element.disabled = data.disabled;
      if (data.pressed !== undefined) element.setAttribute("aria-pressed", String(data.pressed));
    },
  };
}

const MILLISECONDS_TO_SETTLE = 400;

/** A slider with a field beside it for an exact number. */
function slider(item, panel) {
  const range = made("input");
  const step = item.step || (item.high - item.low) / 200; // with "any" the arrow keys would do nothing
  Object.assign(range, { type: "range", min: item.low, max: item.high, step });
  const field = textField(item, panel);
  let [newest, isDown, settled] = [{}, false, 0];
  // The first answer from Python after a change may be older than the change, and would make the slider jump back.
  const hold = () => {
    range.dataset.held = "yes";
    clearTimeout(settled);
    settled = setTimeout(() => {
      if (isDown) return;
      range.dataset.held = "no";
      show(newest);
    }, MILLISECONDS_TO_SETTLE);
  };
  const press = (down) => () => {
    isDown = down;
    hold();
  };
  const show = (data) => {
    if (data.value !== undefined) range.value = data.value;
    field.update(data);
  };
  range.addEventListener("input", () => {
    hold();
    field.input.value = shortNumber(range.valueAsNumber);
    panel.emitLatest(item.name, range.valueAsNumber);
  });
  range.addEventListener("pointerdown", press(true));
  for (const end of ["pointerup", "pointercancel"]) range.addEventListener(end, press(false));
  range.addEventListener("blur", () => isDown && press(false)());
  const { label, name } = labelled(item, range, field.input);
  range.setAttribute("aria-label", item.label);
  field.input.setAttribute("aria-label", `${item.label}, exact`);
  return {
    element: label,
    update(data) {
      if (data.low !== undefined) range.min = data.low;
      if (data.high !== undefined) range.max = data.high;
      if (data.disabled !== undefined) range.disabled = data.disabled;
      if (data.label !== undefined) name.textContent = data.label;
      newest = { ...newest, ...data };
      if (!isInUse(range)) show(data);
    },
  };
}

/** At most six digits, without zeros at the end. */
function shortNumber(value) {
  return typeof value === "number" ? String(Number(value.toPrecision(6))) : String(value);
}

/** A field for a number or text; what is typed goes to Python as it is when Enter is pressed or the field is left. */
function textField(item, panel) {
  const input = made("input", "tc-input");
  Object.assign(input, { type: "text", spellcheck: false, autocomplete: "off" });
  if (item.type !== "text") input.inputMode = "decimal";
  let sent = "";
  const send = () => {
    input.dataset.held = "no";
    if (input.value !== sent) panel.emit(item.name, (sent = input.value));
  };
  input.addEventListener("input", () => (input.dataset.held = "yes"));
  input.addEventListener("change", send);
  input.addEventListener("keydown", (event) => event.key === "Enter" && !event.shiftKey && send());
  return {
    input,
    update(data) {
      if (data.disabled !== undefined) input.disabled = data.disabled;
      if (data.value === undefined || isInUse(input)) return;
      const isSelected = input.matches(":focus") && input.selectionEnd - input.selectionStart === input.value.length;
      input.value = shortNumber(data.value);
      if (isSelected) input.select(); // or else typing would append to the new value instead of replacing it
      // After a mistake even the old value is news: it takes the message away.
      sent = panel.model.get("message").kind === "error" ? null : input.value;
    },
  };
}

function numberField(item, panel) {
  const field = textField(item, panel);
  return { element: labelled(item, field.input).label, update: field.update };
}

function menu(item, panel) {
  const select = made("select", "tc-input");
  const { label } = labelled(item, select);
  const fill = (options) => {
    const wanted = options.map((option) => (Array.isArray(option) ? option : [option, option]));
    if (JSON.stringify(wanted) === select.dataset.options) return;
    select.dataset.options = JSON.stringify(wanted);
    select.replaceChildren(...wanted.map(([value, text]) => new Option(text, value)));
  };
  fill(item.options || []);
  select.addEventListener("change", () => panel.emit(item.name, select.value));
  return {
    element: label,
    update(data) {
      if (data.options) fill(data.options);
      if (data.disabled !== undefined) select.disabled = data.disabled;
      if (data.value !== undefined) select.value = data.value;
    },
  };
}

function checkBox(item, panel) {
  const box = made("input");
  box.type = "checkbox";
  const label = made("label", "tc-field tc-check");
  label.append(box, made("span", "tc-name", item.label));
  if (item.help) label.title = item.help;
  box.addEventListener("change", () => panel.emit(item.name, box.checked));
  return {
    element: label,
    update(data) {
      if (data.disabled !== undefined) box.disabled = data.disabled;
      if (data.value !== undefined) box.checked = data.value;
    },
  };
}

const CONTROLS = { button, slider, number: numberField, text: numberField, select: menu, check: checkBox };
