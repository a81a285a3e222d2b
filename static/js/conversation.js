/* The socket of an open page: htmx receives and swaps; this places new turns, remembers how far
   the page has read, comes back after a cut, and says when the line is down. */
const GONE = new Set([4401, 4404]);
const FIRST_WORD_MS = 1500; // shorter cuts are not worth a word
const BY_HTMX = new Set([1006, 1011, 1012, 1013]); // closings after which htmx reconnects itself

const strip = document.getElementById("line-strip");
let worry;
let isOpen = false;

function line(state) {
  clearTimeout(worry);
  document.documentElement.dataset.line = state;
  if (!strip) return;
  strip.hidden = state === "on";
  for (const words of strip.querySelectorAll("[data-when]")) {
    words.hidden = words.dataset.when !== state;
  }
}

function lineSoonOff() {
  clearTimeout(worry);
  worry = setTimeout(() => line("offline"), FIRST_WORD_MS);
}

/* Every connection begins where the page stands. */
htmx.config.wsReconnectDelay = (retries) =>
  200 + Math.random() * Math.min(1000 * 2 ** retries, 15000);
htmx.createWebSocket = (url) => {
  const address = new URL(url, location.href);
  const after = document.getElementById("log-cursor")?.dataset.after;
  if (after) address.searchParams.set("after", after);
  return new WebSocket(address);
};

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
  document.dispatchEvent(new CustomEvent("futura:changed"));
  const end = document.getElementById("run-state")?.dataset.goesTo;
  if (!end || document.documentElement.dataset.leaving) return;
  document.documentElement.dataset.leaving = "true";
  setTimeout(() => location.assign(end), 2500);
});

function lineBack() {
  line("on");
  document.dispatchEvent(new CustomEvent("futura:online"));
}

document.addEventListener("htmx:wsOpen", () => {
  isOpen = true;
  lineBack();
});

let comeBack;
document.addEventListener("htmx:wsClose", (event) => {
  const { code } = event.detail.event;
  isOpen = false;
  if (GONE.has(code)) {
    line("gone");
    return;
  }
  lineSoonOff();
  comeBack = () => event.detail.socketWrapper.reconnect();
  if (!BY_HTMX.has(code)) setTimeout(comeBack, 500 + Math.random() * 1500);
});

window.addEventListener("offline", () => line("offline"));
window.addEventListener("online", () => {
  if (isOpen) lineBack(); // a short cut, which the socket outlived
  else if (document.documentElement.dataset.line !== "on") comeBack?.();
});
