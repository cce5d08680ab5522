// The parts that the page is made of, and how the record is unpacked.

const $ = (id) => document.getElementById(id);
const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const RANKS = { A: "ace", T: "ten", J: "jack", Q: "queen", K: "king" };
const SVG = "http://www.w3.org/2000/svg";
const EVERYONE = "all", PUBLIC = "public";
const MOST_THOUGHTS = 12;
const stillness = matchMedia("(prefers-reduced-motion: reduce)");
const narrow = matchMedia("(max-width: 820px), (max-height: 560px)");

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
