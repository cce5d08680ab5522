"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
  const RANKS = { A: "ace", T: "ten", J: "jack", Q: "queen", K: "king" };
  const SVG = "http://www.w3.org/2000/svg";
  const EVERYONE = "all", PUBLIC = "public";
  const MOST_THOUGHTS = 12;
  const stillness = matchMedia("(prefers-reduced-motion: reduce)");
  const narrow = matchMedia("(max-width: 820px)");

  let game, frames, players; // the record, its moments, the names
  let at = 0; // the moment that is shown
  let viewer = EVERYONE; // or PUBLIC, or a seat
  let timer = 0;
  let seats = []; // the parts of each seat on the page
  const sizes = new Map(); // of cards, by hand: they shrink where needed, and do not grow again

  /* Making parts of the page. Text from the record only ever becomes text. */

  function make(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined) made.setAttribute(name, value);
    }
    made.append(...children);
    return made;
  }

  function suitSign(suit) {
    const sign = document.createElementNS(SVG, "svg");
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `#suit-${suit}`);
    sign.append(use);
    return sign;
  }

  /** What a card is called: 7S, JK, JK(5C), JK(5). */
  function cardName(card) {
    if (card.startsWith("JK")) return card.length > 2 ? `joker as ${cardName(card.slice(3, -1))}` : "joker";
    const rank = RANKS[card[0]] ?? card[0];
    return card.length > 1 ? `${rank} of ${SUITS[card[1]]}` : rank;
  }

  function rankText(card) {
    return card[0] === "T" ? "10" : card[0];
  }

  function cardPart(card, role = "img") {
    if (card === null) return make("span", { class: "card back", role, "aria-label": "face down" });
    const joker = card.startsWith("JK");
    const made = make("span", {
      class: `card ${joker ? "J" : card[1]}`, role, "aria-label": cardName(card), "data-card": card,
    });
    if (!joker) {
      made.append(make("b", {}, rankText(card)), suitSign(card[1]), suitSign(card[1]));
      return made;
    }
    made.append(make("b", {}, "★"));
    if (card.length === 2) {
      made.append(suitSign("J"), suitSign("J"));
      return made;
    }
    const as = card.slice(3, -1);
    made.append(make("span", { class: `as ${as[1] ?? ""}` }, `=${rankText(as)}`));
    if (as.length > 1) made.lastChild.append(suitSign(as[1]));
    return made;
  }

  /* The record: each frame says what has changed since the one before. */

  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  function cardsIn(text) {
    return text.match(/../g) ?? [];
  }

  function unfold(changes) {
    const empty = {
      hand: 1, line: "", stock: 0, pile: [], melds: [], seats: [], turn: -1, dealer: -1, gained: null,
    };
    const done = [];
    let now = empty;
    for (const change of changes) {
      const next = { ...now };
      for (const name of ["who", "act", "drew", "chances", "values", "value", "seconds"]) {
        next[name] = change[name] ?? null;
      }
      for (const name of ["hand", "line", "stock", "turn", "dealer", "gained"]) {
        if (name in change) next[name] = change[name];
      }
      if (change.pile) next.pile = now.pile.slice(0, change.pile[0]).concat(cardsIn(change.pile[1]));
      if (change.melds) {
        next.melds = now.melds.slice(0, change.melds[0]);
        for (const [n, meld] of Object.entries(change.melds[1])) next.melds[n] = readMeld(meld);
      }
      if (change.seats) {
        next.seats = now.seats.slice();
        for (const [p, row] of Object.entries(change.seats)) {
          next.seats[p] = { open: cardsIn(row[0]), shut: cardsIn(row[1]), hidden: row[2], score: row[3], played: row[4] };
        }
      }
      done.push((now = next));
    }
    return done;
  }

  function readMeld(text) {
    return text.split(" ").map((part) => ({ card: part.slice(0, -1), owner: Number(part.slice(-1)) }));
  }

  /** Whether the page comes to the end that the engine came to. */
  function agrees(frame, end) {
    const hands = frame.seats.map((seat) => seat.open.join(""));
    const scores = frame.seats.map((seat) => seat.score);
    return JSON.stringify([hands, frame.pile.join(""), scores, frame.stock])
      === JSON.stringify([end.hands, end.pile, end.scores, end.stock]);
  }

  /* Who sees what. */

  function sees(seat) {
    return viewer === EVERYONE || viewer === seat;
  }

  /** The cards of a seat as they are seen: card texts, then null for each that is face down. */
  function seen(frame, p) {
    const seat = frame.seats[p];
    return sees(p) ? seat.open : [...seat.shut, ...Array(seat.hidden).fill(null)];
  }

  /** The cards that one list has beyond another, as marks by place. */
  function beyond(cards, before) {
    const left = before.slice();
    return cards.map((card) => {
      const n = left.indexOf(card);
      if (n >= 0) left.splice(n, 1);
      return n < 0;
    });
  }

  /* The table. */

  function bottomSeat() {
    return typeof viewer === "number" ? viewer : 0;
  }

  /** Seats clockwise round the table: whoever looks sits at the bottom, the next at the left. */
  function seatPlaces(n) {
    const left = n <= 3 ? 0 : n <= 6 ? 1 : 2;
    return Array.from({ length: n }, (_, k) => {
      if (k === 0) return "bottom";
      return k <= left ? "left" : k >= n - left ? "right" : "top";
    });
  }

  function placeSeats() {
    const n = players.length, me = bottomSeat(), places = seatPlaces(n), others = n - 1, half = Math.floor(others / 2);
    for (const zone of ["top", "left", "right", "bottom"]) $(`zone-${zone}`).replaceChildren();
    for (let k = 0; k < n; k++) {
      const part = seats[(me + k) % n].part;
      $(`zone-${places[k]}`).append(part);
      // On a narrow screen: two columns, the seats opposite on top.
      const up = k <= half ? 2 * (half - k) + 1 : k > others - half ? 2 * (k - others + half - 1) + 2 : 0;
      part.style.setProperty("--place", up);
      const wide = up === 0 || k === 0;
      part.classList.toggle("wide", wide);
      part.classList.toggle("slim", narrow.matches ? !wide : places[k] === "left" || places[k] === "right");
      part.classList.toggle("own", k === 0);
    }
  }

  function makeSeats() {
    seats = players.map((name, p) => {
      const hand = make("div", { class: "cards hand", role: "list", "aria-label": `Hand of ${name}` });
      const tag = make("span", { class: "tag" }), points = make("span", { class: "points", title: "score of the match" });
      const played = make("span", { class: "played" });
      const part = make(
        "section", { class: "seat", "aria-label": `Seat ${p}, ${name}`, "data-seat": p },
        make("div", { class: "who" }, make("span", { class: "badge", title: `seat ${p}` }, String(p)),
          make("span", { class: "name", title: name }, name), tag, points, played),
        hand,
      );
      part.style.setProperty("--seat", `var(--seat-${p})`);
      return { part, hand, tag, points, played };
    });
  }

  function drawSeat(p, frame, before) {
    const { part, hand, tag, points, played } = seats[p], seat = frame.seats[p], cards = seen(frame, p);
    const fresh = before ? beyond(cards, seen(before, p)) : cards.map(() => false);
    const shown = sees(p) ? beyond(cards, seat.shut) : cards.map(() => true);
    hand.replaceChildren(...cards.map((card, n) => {
      const made = cardPart(card, "listitem");
      made.classList.toggle("new", fresh[n]);
      // A card that everybody knows to be in this hand.
      if (card !== null && sees(p) && !shown[n]) {
        made.classList.add("known");
        made.setAttribute("aria-label", `${cardName(card)}, known to all`);
      }
      return made;
    }));
    part.classList.toggle("acts", frame.turn === p);
    part.classList.toggle("won", at === frames.length - 1 && game.winner === p);
    const count = cards.length === 1 ? "1 card" : `${cards.length} cards`;
    tag.textContent = frame.dealer === p ? `dealer · ${count}` : count;
    points.textContent = seat.score < 0 ? signed(seat.score) : seat.score;
    const gain = frame.gained ? frame.gained[p] : seat.played;
    played.textContent = gain === null ? "" : signed(gain);
    played.classList.toggle("gain", frame.gained !== null);
    played.title = frame.gained ? "score of the hand" : "points played in this hand";
  }

  function signed(number) {
    return number < 0 ? `−${-number}` : `+${number}`;
  }

  function drawPile(frame, before) {
    const taken = before && frame.hand === before.hand && frame.act !== null && before.pile.length > frame.pile.length
      ? before.pile.slice(frame.pile.length) : [];
    const grown = before && frame.act !== null && frame.pile.length > before.pile.length;
    const parts = frame.pile.map((card, n) => {
      const made = cardPart(card, "listitem");
      made.classList.toggle("new", grown && n === frame.pile.length - 1);
      return made;
    });
    for (const card of taken) {
      const made = cardPart(card, "listitem");
      made.classList.add("gone");
      made.setAttribute("aria-label", `${cardName(card)}, just taken`);
      parts.push(made);
    }
    $("pile").replaceChildren(...parts);
    const count = frame.pile.length;
    const took = taken.length ? `; ${players[frame.who]} took ${taken.length}` : "";
    $("pile-name").textContent = count || taken.length ? `Discard pile, the top last (${count}${took})` : "Discard pile: empty";
  }

  function drawMelds(frame, before) {
    $("melds").replaceChildren(...frame.melds.map((meld, n) => {
      const old = before && frame.hand === before.hand ? before.melds[n] ?? [] : meld;
      const fresh = beyond(meld.map((laid) => laid.card), old.map((laid) => laid.card));
      const parts = meld.map(({ card, owner }, m) => {
        const made = cardPart(card);
        made.classList.toggle("new", fresh[m]);
        made.setAttribute("aria-label", `${cardName(card)}, laid by ${players[owner]}`);
        const bar = make("i", { class: "owner", title: players[owner], "aria-hidden": "true" }, String(owner));
        const laid = make("span", { class: "laid" }, made, bar);
        laid.style.setProperty("--seat", `var(--seat-${owner})`);
        return laid;
      });
      return make("div", { class: "meld", role: "listitem" }, ...parts);
    }));
  }

  function drawStock(frame) {
    $("stock").classList.toggle("none", frame.stock === 0);
    $("stock").setAttribute("aria-label", `Stock: ${frame.stock} cards`);
    $("stock-count").textContent = frame.stock;
  }

  /* The cards are as large as they fit. */

  function largest() {
    const n = players.length;
    return { seat: n === 2 ? 1.9 : n < 5 ? 1.5 : 1.25, mid: narrow.matches ? 36 : 76 };
  }

  function fit(frame) {
    const felt = $("felt"), middle = $("middle"), key = `${frame.hand} ${viewer}`;
    const size = sizes.get(key) ?? largest();
    sizes.set(key, size);
    const set = () => {
      felt.style.setProperty("--fit", size.seat);
      middle.style.setProperty("--mid", `${size.mid}px`);
    };
    if (narrow.matches) size.seat = 1;
    set();
    if (narrow.matches) {
      while (size.mid > 24 && middle.scrollHeight > 300) { size.mid -= 2; set(); }
      return;
    }
    const least = Math.min(160, 0.3 * felt.clientHeight);
    const tight = () => felt.scrollHeight > felt.clientHeight + 1 || middle.clientHeight < least
      || [...document.querySelectorAll("#zone-left, #zone-right")].some((z) => z.scrollHeight > z.clientHeight + 1 || z.clientHeight > middle.clientHeight + 1);
    // A hand in one row is easier to read than a larger one in two.
    const wraps = () => seats.some(({ part, hand }) => !part.classList.contains("slim") && hand.children.length > 1
      && hand.lastChild.offsetTop > hand.firstChild.offsetTop + 9);
    while (size.seat > 1.1 && wraps()) { size.seat -= 0.07; set(); }
    while (size.seat > 0.62 && tight()) { size.seat -= 0.07; set(); }
    while (size.mid > 24 && middle.scrollHeight > middle.clientHeight + 1) { size.mid -= 3; set(); }
  }

  /** New cards come from where they were: a small help for the eye. */
  function glide(frame, from) {
    if (stillness.matches || from === null || frame.act === null) return;
    const verb = frame.act.split(" ")[0];
    for (const card of document.querySelectorAll("#felt .card.new")) {
      const origin = verb === "draw" ? $("stock").firstElementChild.getBoundingClientRect()
        : card.closest(".seat") ? $("pile").getBoundingClientRect() : from;
      const here = card.getBoundingClientRect();
      const move = `translate(${origin.left - here.left}px, ${origin.top - here.top}px)`;
      card.animate([{ transform: move, opacity: .4 }, { transform: "none", opacity: 1 }], { duration: 240, easing: "ease-out" });
    }
  }

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
    const told = frame.chances ?? frame.values;
    const shown = (told !== null || frame.value !== null) && sees(frame.who);
    $("thoughts").hidden = !shown;
    $("thoughts-list").replaceChildren();
    $("thoughts-title").textContent = $("thoughts-value").textContent = "";
    if (!shown) return;
    $("thoughts-title").textContent = `What ${players[frame.who]} thought`;
    const parts = frame.value === null ? [] : [`expects ${signed(round(frame.value))} points`];
    if (frame.seconds !== null) parts.push(`${round(frame.seconds)} s`);
    if (frame.values) parts.push(frame.chances ? "chance, points" : "points expected of each");
    $("thoughts-value").textContent = parts.join("; ");
    const order = Object.keys(told ?? {}).sort((a, b) => told[b] - told[a]);
    const rows = order.slice(0, MOST_THOUGHTS);
    if (order.includes(frame.act) && !rows.includes(frame.act)) rows.push(frame.act);
    $("thoughts-list").append(...rows.map((action) => thought(frame, action)));
    if (order.length > rows.length) $("thoughts-list").append(make("li", {}, `and ${order.length - rows.length} more`));
  }

  function thought(frame, action) {
    const chance = frame.chances?.[action], value = frame.values?.[action], bar = make("i");
    const words = [];
    if (chance !== undefined) words.push(`${round(100 * chance)} %`);
    if (value !== undefined) words.push(signed(round(value)));
    if (chance !== undefined) {
      bar.style.width = `${100 * chance}%`;
    } else {
      const most = Math.max(...Object.values(frame.values).map(Math.abs), 1e-9), width = 50 * Math.abs(value) / most;
      bar.style.left = `${value < 0 ? 50 - width : 50}%`;
      bar.style.width = `${Math.max(width, 1)}%`;
    }
    return make("li", { class: action === frame.act ? "chosen" : "" },
      make("span", {}, action), make("span", {}, words.join(", ")),
      make("span", { class: "bar", "aria-hidden": "true" }, bar));
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
    listen();
    draw();
    document.documentElement.dataset.ready = "yes";
  }

  begin().catch((error) => {
    $("trouble").hidden = false;
    $("trouble").textContent = error.message;
  });
})();
