// The curve above the timeline: what each player expected of the hand when it was to act.

const FREE = 8; // per cent of the height, above and below the lines
let scale = 1; // the most that somebody expects, either way

/** What a player expected when it did what led to a moment: only who sees its hand may know. */
function expected(frame) {
  return frame.act !== null && frame.value !== null && sees(frame.who) ? frame.value : null;
}

function place(n, value) {
  return `${n} ${(50 - (50 - FREE) * value / scale).toFixed(2)}`;
}

function curvePart(attributes) {
  const made = document.createElementNS(SVG, "path");
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** Draw the lines of those whose hands are seen; each begins anew with each hand of the match. */
function fillCurve() {
  scale = Math.max(1, ...frames.map((frame) => Math.abs(expected(frame) ?? 0)));
  const paths = players.map(() => ""), hands = players.map(() => 0);
  frames.forEach((frame, n) => {
    const value = expected(frame), p = frame.who;
    if (value === null) return;
    // A line of no length is drawn as a dot: there may be no more of it in this hand.
    paths[p] += hands[p] === frame.hand ? `L${place(n, value)}` : `M${place(n, value)}h0`;
    hands[p] = frame.hand;
  });
  const lines = paths.flatMap((d, p) => (d ? [curvePart({ d, "data-line": p, style: `--seat: var(--seat-${p})` })] : []));
  $("curve").hidden = lines.length === 0;
  $("curve").setAttribute("aria-valuemax", frames.length - 1);
  $("curve-lines").setAttribute("viewBox", `0 0 ${Math.max(frames.length - 1, 1)} 100`);
  $("curve-lines").replaceChildren(curvePart({ d: `M0 50H${frames.length}`, class: "zero" }), ...lines,
    curvePart({ class: "now" }), curvePart({ class: "dot" }));
  $("curve-most").textContent = signed(round(scale));
  $("curve-least").textContent = signed(-round(scale));
}

/** Mark the moment that is shown, and say what was expected there. */
function drawCurve(frame) {
  const curve = $("curve"), value = expected(frame);
  const said = value === null ? "value expected" : `${players[frame.who]} expected ${signed(round(value))}`;
  $("curve-said").textContent = said;
  curve.setAttribute("aria-valuenow", at);
  curve.setAttribute("aria-valuetext", value === null ? `${at}: nothing was said` : `${at}: ${said}`);
  curve.querySelector(".now").setAttribute("d", `M${at} 0V100`);
  const dot = curve.querySelector(".dot");
  dot.setAttribute("d", value === null ? "" : `M${place(at, value)}h0`);
  dot.style.setProperty("--seat", `var(--seat-${frame.who})`);
  for (const line of curve.querySelectorAll("[data-line]")) line.classList.toggle("acting", Number(line.dataset.line) === frame.who);
}

/** A click goes to the moment below it, pulling scrubs, and arrows up and down go to the next value
 * and the one before; the other keys step as everywhere on the page. */
function listenToCurve() {
  const curve = $("curve"), to = (n) => { stop(); if (n >= 0 && n !== at) go(n); };
  const below = (event) => {
    const room = $("curve-lines").getBoundingClientRect(), last = frames.length - 1;
    to(Math.min(Math.max(Math.round(last * (event.clientX - room.left) / room.width), 0), last));
  };
  curve.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    curve.setPointerCapture(event.pointerId);
    below(event);
  });
  curve.addEventListener("pointermove", (event) => { if (curve.hasPointerCapture(event.pointerId)) below(event); });
  curve.addEventListener("keydown", (event) => {
    const told = (frame) => expected(frame) !== null;
    if (event.key === "ArrowUp") to(frames.findIndex((frame, n) => n > at && told(frame)));
    else if (event.key === "ArrowDown") to(frames.findLastIndex((frame, n) => n < at && told(frame)));
    else return;
    event.preventDefault();
  });
}
