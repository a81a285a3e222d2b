/* The socket of an open page: htmx receives and swaps; this places new turns, remembers how far
   the page has read, comes back after every cut, and says how the line is. */
const GONE = new Set([4401, 4404]); // no use in trying again
const FIRST_WORD_MS = 1500; // shorter cuts are not worth a word
const BACK_MS = 4000; // how long a page says that it is back
const LASTING_MS = 5000; // a connection that held so long was a good one
const SILENT_MS = 30000; // with an answer on its way, a line so silent is a dead one
const NEWS_MS = 5000; // what was sent shows up within this time
const NEVER_MS = 2 ** 31 - 1;

const strip = document.getElementById("line-strip");
const root = document.documentElement;
let current; // the newest socket; what happens to older ones is of no interest
let comeBack; // connects anew
let attempts = 0;
let openedAt = 0;
let heardAt = Date.now();
let [worry, again, hush] = [];

/* One of on, reconnecting, offline, gone. Where the line was seen to be down, its return is said. */
function line(state) {
  clearTimeout(worry);
  const isBack = state === "on" && strip && !strip.hidden;
  root.dataset.line = state;
  show(isBack ? "back" : state);
  if (isBack) hush = setTimeout(show, BACK_MS, "on");
}

function show(state) {
  clearTimeout(hush);
  if (!strip) return;
  strip.hidden = state === "on";
  strip.dataset.state = state;
  for (const words of strip.querySelectorAll("[data-when]")) {
    words.hidden = !words.dataset.when.split(" ").includes(state);
  }
}

const down = () => line(navigator.onLine ? "reconnecting" : "offline");

function lineSoonDown() {
  clearTimeout(worry);
  if (root.dataset.line === "on" || !root.dataset.line) worry = setTimeout(down, FIRST_WORD_MS);
  else down();
}

/* Every connection begins where the page stands. When it ends, the next try is made here, so that
   there is one timer only: htmx, which would make its own, is told to wait for ever. */
htmx.config.wsReconnectDelay = () => NEVER_MS;
htmx.createWebSocket = (url) => {
  const address = new URL(url, location.href);
  const after = document.getElementById("log-cursor")?.dataset.after;
  if (after) address.searchParams.set("after", after);
  current = new WebSocket(address);
  return current;
};

const backoff = () => 200 + Math.random() * Math.min(1000 * 2 ** attempts++, 15000);

function connectNow() {
  clearTimeout(again);
  heardAt = Date.now(); // the new one gets its time
  comeBack?.();
}

const isOpen = () => current?.readyState === WebSocket.OPEN;

document.addEventListener("htmx:wsOpen", (event) => {
  comeBack = event.detail.socketWrapper.reconnect;
  openedAt = heardAt = Date.now();
  line("on");
  document.dispatchEvent(new CustomEvent("futura:online"));
});

document.addEventListener("htmx:wsClose", (event) => {
  const { event: closing, socketWrapper } = event.detail;
  if (closing.target !== current) return;
  clearTimeout(again);
  if (GONE.has(closing.code)) {
    line("gone");
    return;
  }
  lineSoonDown();
  comeBack = socketWrapper.reconnect;
  if (openedAt && Date.now() - openedAt > LASTING_MS) attempts = 0;
  openedAt = 0;
  again = setTimeout(connectNow, backoff());
});

window.addEventListener("offline", () => line("offline"));
window.addEventListener("online", () => {
  if (!isOpen()) connectNow();
  else {
    line("on"); // a short cut, which the socket outlived
    document.dispatchEvent(new CustomEvent("futura:online"));
  }
});
strip?.querySelector("[data-line-now]")?.addEventListener("click", connectNow);

/* A line can die without a word, on a phone between two cells above all. */
const isGone = () => root.dataset.line === "gone";
const isSilent = (forMs) => Date.now() - heardAt > forMs;

function distrust(forMs) {
  if (!isGone() && isOpen() && isSilent(forMs)) connectNow();
}

document.addEventListener("futura:sent", () => {
  const sentAt = Date.now();
  setTimeout(() => heardAt < sentAt && distrust(0), NEWS_MS);
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden || isGone()) return;
  if (comeBack && !isOpen()) connectNow();
  else distrust(SILENT_MS);
});
setInterval(() => {
  const isWaiting = document.getElementById("run-state")?.dataset.state === "streaming";
  if (isWaiting) distrust(SILENT_MS);
}, SILENT_MS / 3);

/* A turn that is new here gets a place in the order of the talk; one that waited moves there. */
function place(id, order) {
  const log = document.getElementById("log");
  if (!log) return;
  let turn = document.getElementById(id);
  if (turn && Number(turn.dataset.order) === order) return;
  if (!turn) {
    turn = document.createElement("article");
    turn.id = id;
  }
  turn.dataset.order = order;
  const later = [...log.children].find((other) => other !== turn && Number(other.dataset.order) > order);
  log.insertBefore(turn, later ?? null);
}

document.addEventListener("htmx:wsBeforeMessage", (event) => {
  if (!event.detail.message.includes("data-order=")) return;
  const frame = new DOMParser().parseFromString(event.detail.message, "text/html");
  for (const turn of frame.body.querySelectorAll(":scope > article[data-order]")) {
    place(turn.id, Number(turn.dataset.order));
  }
});

document.addEventListener("htmx:wsAfterMessage", () => {
  heardAt = Date.now();
  document.dispatchEvent(new CustomEvent("futura:changed"));
  const end = document.getElementById("run-state")?.dataset.goesTo;
  if (!end || root.dataset.leaving) return;
  root.dataset.leaving = "true";
  setTimeout(() => location.assign(end), 2500);
});
