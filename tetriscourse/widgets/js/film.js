// A film of a game: its frames in turn, or any of them by hand.

const FRAMES_A_SECOND = 4;

/** A board with a button that plays the frames and a slider that goes through them. */
function filmBlock(spec, panel) {
  const element = made("div", "tc-film");
  const caption = made("div", "tc-text", "");
  const canvas = made("canvas", "tc-board");
  const words = made("div", "tc-text tc-soft", "");
  const { bar, button, range } = filmControls(spec);
  canvas.setAttribute("role", "img");
  element.append(caption, canvas, bar, words);
  let data = null;
  let at = 0;
  let timer = null;

  const last = () => data.frames.length - 1;
  const draw = () => data && drawBoard(canvas, { ...data, ...data.frames[at] });
  const show = (frame) => {
    at = Math.min(Math.max(frame, 0), last());
    range.value = at;
    range.setAttribute("aria-valuetext", data.frames[at].text);
    words.textContent = data.frames[at].text || "\u00a0"; // so that the line keeps its height
    canvas.setAttribute("aria-label", `${data.caption}. ${data.frames[at].text}`);
    draw();
  };
  const stop = () => {
    clearInterval(timer);
    timer = null;
    button.textContent = "Play";
  };
  const tick = () => {
    if (at < last()) show(at + 1);
    else if (data.loop !== null) show(data.loop + 1); // the last frame is the one at which the cycle begins
    else stop();
  };
  const start = () => {
    stop();
    button.textContent = "Pause";
    timer = setInterval(tick, 1000 / FRAMES_A_SECOND);
  };
  const toggle = () => {
    if (timer) return stop();
    if (at === last() && data.loop === null) show(0);
    start();
  };
  button.addEventListener("click", toggle);
  range.addEventListener("input", () => {
    stop();
    show(range.valueAsNumber);
  });
  panel.redraws.add(draw);
  return {
    element,
    update(next) {
      element.style.display = next.frames.length ? "" : "none";
      if (!next.frames.length) return stop();
      data = { ...next, frames: completed(next.frames) };
      caption.textContent = data.caption;
      range.max = last();
      bar.style.visibility = last() > 0 ? "visible" : "hidden";
      if (!last()) stop();
      show(timer ? at : 0);
      if (data.play && !timer && !matchMedia("(prefers-reduced-motion: reduce)").matches) start();
    },
    destroy() {
      clearInterval(timer);
      panel.redraws.delete(draw);
    },
  };
}

/** The button and the slider of a film. */
function filmControls(spec) {
  const bar = made("div", "tc-controls");
  const button = made("button", "tc-button", "Play");
  const range = made("input");
  button.type = "button";
  button.setAttribute("aria-label", `Play or pause ${spec.label}`);
  Object.assign(range, { type: "range", min: 0, max: 0, step: 1, value: 0 });
  range.setAttribute("aria-label", `Position in ${spec.label}`);
  bar.append(button, range);
  return { bar, button, range };
}

/** The frames, each with its rows: where they are left out, they are those of the frame before. */
function completed(frames) {
  let rows = [];
  return frames.map((frame) => ({ ...frame, rows: (rows = frame.rows || rows) }));
}

BLOCKS.film = filmBlock;
