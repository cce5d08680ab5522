// The table: who sees what, seats, hands, pile and melds, and how large the cards are.

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
