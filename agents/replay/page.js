// What is told beside the table, and how one goes through the game.

/* What is told beside the table. */

function moveText(frame) {
  if (frame.act === null) return frame === frames[0] ? "the record begins" : `hand ${frame.hand} is dealt`;
  return frame.drew !== null && sees(frame.who) ? `${frame.act} (${frame.drew})` : frame.act;
}

let listed = ""; // what the list of moves shows

function drawMoves() {
  const frame = frames[at], list = $("move-list"), key = `${frame.hand} ${viewer}`;
  $("moves-title").textContent = `Moves of hand ${frame.hand}`;
  if (listed !== key) {
    listed = key;
    list.replaceChildren(...frames.flatMap((other, n) => (other.hand === frame.hand ? [moveEntry(other, n)] : [])));
  }
  for (const entry of list.querySelectorAll("[aria-current]")) entry.removeAttribute("aria-current");
  const current = list.querySelector(`[data-at="${at}"]`);
  if (current) {
    current.setAttribute("aria-current", "step");
    const room = list.getBoundingClientRect(), place = current.getBoundingClientRect();
    if (place.top < room.top || place.bottom > room.bottom) {
      list.scrollTop += place.top - room.top - (room.height - place.height) / 2;
    }
  }
}

function moveEntry(frame, n) {
  const entry = make("button", { type: "button", "data-at": n });
  if (frame.act !== null) {
    const by = make("span", { class: "by" }, players[frame.who]);
    by.style.setProperty("--seat", `var(--seat-${frame.who})`);
    entry.append(by);
  }
  entry.append(make("span", { class: "what" }, moveText(frame)));
  entry.addEventListener("click", () => { stop(); go(n); });
  return make("li", {}, entry);
}

/** What a player thought names its cards: only who sees its hand may read it. */
function drawThoughts(frame) {
  const told = Object.keys({ ...frame.chances, ...frame.values });
  const shown = (told.length > 0 || frame.value !== null) && sees(frame.who);
  $("thoughts").hidden = !shown;
  $("thoughts-list").replaceChildren();
  $("thoughts-title").textContent = $("thoughts-value").textContent = "";
  if (!shown) return;
  $("thoughts-title").textContent = `What ${players[frame.who]} thought`;
  const parts = frame.value === null ? [] : [`expects ${signed(round(frame.value))}`];
  if (frame.seconds !== null) parts.push(`${round(frame.seconds)} s`);
  if (frame.values) parts.push(isSure(frame) ? "value of each move" : "chance, value");
  $("thoughts-value").textContent = parts.join("; ");
  const rank = (thoughts, a, b) => (thoughts?.[b] ?? -Infinity) - (thoughts?.[a] ?? -Infinity) || 0;
  const order = told.sort((a, b) => rank(frame.chances, a, b) || rank(frame.values, a, b));
  const rows = order.slice(0, MOST_THOUGHTS);
  if (order.includes(frame.act) && !rows.includes(frame.act)) rows.push(frame.act);
  $("thoughts-list").append(...rows.map((action) => thought(frame, action)));
  if (order.length > rows.length) $("thoughts-list").append(make("li", {}, `and ${order.length - rows.length} more`));
}

function thought(frame, action) {
  const chance = isSure(frame) ? undefined : frame.chances?.[action], value = frame.values?.[action];
  const words = [], bar = make("i");
  if (chance !== undefined) words.push(`${round(100 * chance)} %`);
  if (value !== undefined) words.push(signed(round(value)));
  if (chance !== undefined) {
    bar.style.width = `${100 * chance}%`;
  } else if (value !== undefined) {
    const most = Math.max(...Object.values(frame.values).map(Math.abs), 1e-9), width = 50 * Math.abs(value) / most;
    bar.style.left = `${value < 0 ? 50 - width : 50}%`;
    bar.style.width = `${Math.max(width, 1)}%`;
  }
  return make("li", { class: action === frame.act ? "chosen" : "" },
    make("span", {}, action), make("span", {}, words.join(", ")),
    make("span", { class: "bar", "aria-hidden": "true" }, bar));
}

/** Whether a player tells what it expects of its moves, and has no doubt which it takes. */
function isSure(frame) {
  return frame.values !== null && Object.keys(frame.chances ?? {}).length < 2;
}

function round(number) {
  return Number(number.toPrecision(3));
}

/** The headline with names instead of seats. */
function headline(frame) {
  const text = frame.line.slice(frame.line.indexOf(",") + 2);
  return text.replace(/seat (\d)/g, (found, p) => players[p] ?? found);
}

/* Going through the game. */

function draw(from = null) {
  const frame = frames[at], before = at > 0 && frames[at - 1].hand === frame.hand ? frames[at - 1] : null;
  for (let p = 0; p < players.length; p++) drawSeat(p, frame, before);
  drawStock(frame);
  drawPile(frame, before);
  drawMelds(frame, before);
  $("headline").textContent = headline(frame);
  drawThoughts(frame);
  drawCurve(frame);
  drawMoves();
  fit(frame);
  glide(frame, from);
  const timeline = $("timeline"), hands = frames[frames.length - 1].hand;
  timeline.value = at;
  const spoken = frame.act === null ? moveText(frame) : `${players[frame.who]}: ${moveText(frame)}`;
  timeline.setAttribute("aria-valuetext", `${at} of ${frames.length - 1}: ${spoken}`);
  $("where").textContent = `${at} / ${frames.length - 1} · hand ${frame.hand} of ${hands}`;
  $("spoken").textContent = timer ? "" : spoken;
  for (const id of ["first", "back", "hand-back"]) $(id).disabled = at === 0;
  for (const id of ["last", "forward", "hand-on"]) $(id).disabled = at === frames.length - 1;
  $("call-on").disabled = nextCall() < 0;
  document.documentElement.dataset.at = at;
}

function go(to) {
  const next = Math.min(Math.max(to, 0), frames.length - 1);
  const mover = next === at + 1 ? frames[next].who : null;
  const from = mover === null ? null : seats[mover].hand.getBoundingClientRect();
  at = next;
  draw(from);
}

function handStart(step) {
  const starts = frames.flatMap((frame, n) => (n === 0 || frame.hand !== frames[n - 1].hand ? [n] : []));
  if (step > 0) return starts.find((n) => n > at) ?? frames.length - 1;
  return starts.reverse().find((n) => n < at) ?? 0;
}

function isCall(frame) {
  return frame.act !== null && /^(call|knock|gin|big) /.test(frame.act);
}

function nextCall() {
  return frames.findIndex((frame, n) => n > at && isCall(frame));
}

function stop() {
  clearTimeout(timer);
  timer = 0;
  $("play").classList.remove("playing");
  $("play").setAttribute("aria-label", "Play");
}

function play() {
  if (timer) {
    stop();
    return;
  }
  if (at === frames.length - 1) go(0);
  $("play").classList.add("playing");
  $("play").setAttribute("aria-label", "Pause");
  const next = () => {
    if (at === frames.length - 1) { stop(); draw(); return; }
    timer = setTimeout(next, 1000 / Number($("speed").value));
    go(at + 1);
  };
  timer = setTimeout(next, 1000 / Number($("speed").value));
}

function look(as) {
  viewer = as;
  $("viewer").value = String(as);
  placeSeats();
  fillCurve();
  draw();
}

/* Setting up. */

function fillTicks() {
  const marks = [], last = Math.max(frames.length - 1, 1), room = $("ticks").clientWidth;
  let free = -1;
  frames.forEach((frame, n) => {
    const begins = n === 0 || frame.hand !== frames[n - 1].hand;
    if (!begins && !isCall(frame)) return;
    const mark = make("span", { class: begins ? "" : "call" });
    mark.style.left = `${100 * n / last}%`;
    if (begins && room * n / last > free) {
      mark.textContent = frame.hand;
      free = room * n / last + 20;
    }
    marks.push(mark);
  });
  $("ticks").replaceChildren(...marks);
}

function fillAbout() {
  $("about-title").textContent = game.title;
  const rows = [["Players", players.map((name, p) => `${p}: ${name}`).join(", ")],
    ...Object.entries(game.about), ...Object.entries(game.rules),
    ["Made with", Object.entries(game.versions).map((pair) => pair.join(" ")).join(", ")]];
  for (const [name, value] of rows) $("about-list").append(make("dt", {}, name), make("dd", {}, String(value)));
}

function fillViewer() {
  $("viewer").append(make("option", { value: EVERYONE }, "everyone"), make("option", { value: PUBLIC }, "the public"));
  players.forEach((name, p) => $("viewer").append(make("option", { value: p }, `${p}: ${name}`)));
  $("viewer").addEventListener("change", (event) => {
    const value = event.target.value;
    look(value === EVERYONE || value === PUBLIC ? value : Number(value));
  });
}

function listen() {
  const press = (id, action) => $(id).addEventListener("click", action);
  const jump = (where) => () => { stop(); go(where()); };
  press("first", jump(() => 0));
  press("last", jump(() => frames.length - 1));
  press("back", jump(() => at - 1));
  press("forward", jump(() => at + 1));
  press("hand-back", jump(() => handStart(-1)));
  press("hand-on", jump(() => handStart(1)));
  press("call-on", jump(nextCall));
  press("play", play);
  press("keys-open", () => $("keys").showModal());
  press("about-open", () => $("about").showModal());
  $("timeline").addEventListener("input", (event) => { stop(); go(Number(event.target.value)); });
  document.addEventListener("keydown", key);
  let start = null;
  $("felt").addEventListener("pointerdown", (event) => { start = event.pointerType === "mouse" ? null : event; });
  $("felt").addEventListener("pointerup", (event) => {
    if (!start) return;
    const dx = event.clientX - start.clientX, dy = event.clientY - start.clientY;
    if (Math.abs(dx) > 40 && Math.abs(dx) > 2 * Math.abs(dy)) { stop(); go(dx < 0 ? at + 1 : at - 1); }
    start = null;
  });
  let waiting = 0;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => { sizes.clear(); fillTicks(); placeSeats(); draw(); }, 80);
  });
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const typing = event.target.closest("select"), button = event.target.closest("button");
  const jumps = {
    ArrowLeft: () => at - 1, ArrowRight: () => at + 1, Home: () => 0, End: () => frames.length - 1,
    PageUp: () => handStart(-1), PageDown: () => handStart(1), c: nextCall,
  };
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (typing && name !== "Escape") return;
  if (name in jumps) {
    const to = jumps[name]();
    stop();
    if (to >= 0 || name === "ArrowLeft") go(to);
  } else if (name === " " && !button) play();
  else if (name === "?") $("keys").showModal();
  else if (name === "a") look(EVERYONE);
  else if (name === "p") look(PUBLIC);
  else if (/^\d$/.test(name) && Number(name) < players.length) look(Number(name));
  else return;
  event.preventDefault();
}

async function begin() {
  if (typeof DecompressionStream === "undefined") throw new Error("This browser is too old for this page.");
  game = await unpack($("record").textContent);
  players = game.players;
  frames = unfold(game.frames);
  if (!agrees(frames[frames.length - 1], game.end)) throw new Error("This page is damaged: the game does not end as it was played.");
  $("game").textContent = game.title;
  $("timeline").max = frames.length - 1;
  const calls = frames.filter(isCall).map((frame) => frame.act.split(" ")[0]);
  const word = calls.includes("call") ? "call" : "knock";
  $("call-on").hidden = calls.length === 0;
  $("call-on").textContent = `Next ${word}`;
  $("keys-call").textContent = `to the next ${word}`;
  $("keys-call").hidden = $("keys-call").previousElementSibling.hidden = calls.length === 0;
  fillViewer();
  fillAbout();
  makeSeats();
  placeSeats();
  fillTicks();
  fillCurve();
  listen();
  listenToCurve();
  draw();
  document.documentElement.dataset.ready = "yes";
}

begin().catch((error) => {
  $("trouble").hidden = false;
  $("trouble").textContent = error.message;
});
