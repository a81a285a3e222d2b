/* A long talk: what was seen, stretches loaded on either side, and links to one message. */
const scroller = document.querySelector("[data-scroller]");

const log = () => document.getElementById("log");
const order = (turn) => Number(turn.dataset.order);
const WAITS = 1_000_000; // from here on a message waits for its turn

/* Seen: the newest answer that is complete, while somebody has the page before them. */
let socket;
let seen = Number(log()?.dataset.seen ?? 0); // loading the page told that much
const seenAtFirst = seen;

function tellSeen() {
  if (!socket || document.hidden) return;
  const answers = document.querySelectorAll(
    '#log > .message:not(.message--person, [data-state="streaming"], [data-state="queued"])',
  );
  const newest = Math.max(0, ...[...answers].map(order).filter((seq) => seq < WAITS));
  if (newest <= seen) return;
  seen = newest;
  socket.send(JSON.stringify({ type: "seen", seq: newest }));
}

document.addEventListener("htmx:wsOpen", (event) => {
  socket = event.detail.socketWrapper;
  tellSeen();
});
document.addEventListener("htmx:wsClose", () => {
  socket = undefined;
  seen = seenAtFirst; // what was said into a dying line is said again
});
document.addEventListener("futura:changed", tellSeen);
document.addEventListener("visibilitychange", tellSeen);

/* A snapshot brings the end of the talk only: what was loaded before it stays above it, when the
   two touch. */
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { target, fragment } = event.detail;
  if (target.id !== "log") return;
  const arriving = fragment.querySelector?.("#log") ?? fragment.firstElementChild;
  const turns = [...arriving.querySelectorAll(":scope > .message")];
  const first = Math.min(...turns.map(order));
  const had = [...target.querySelectorAll(":scope > .message")].map(order);
  if (!had.some((seq) => seq >= first && seq < WAITS) || !had.some((seq) => seq < first)) return;
  if (document.getElementById("later")) return;
  arriving.querySelector("#earlier")?.remove();
  const before = [...target.children].filter((turn) => order(turn) < first);
  arriving.prepend(...before);
});

/* A stretch that arrives brings nothing twice, and whoever loaded it by key goes on from there. */
let hadFocus = "";
document.addEventListener("htmx:beforeSwap", (event) => {
  const { target } = event.detail;
  if (target?.id !== "earlier" && target?.id !== "later") return;
  hadFocus = target.contains(document.activeElement) ? target.id : "";
  const came = new DOMParser().parseFromString(event.detail.serverResponse, "text/html");
  for (const turn of came.body.querySelectorAll(":scope > .message[id]")) {
    document.getElementById(turn.id)?.remove();
  }
});
document.addEventListener("htmx:afterSettle", () => {
  if (!hadFocus) return;
  const next = document.querySelector(`#${hadFocus} a`) ?? log()?.querySelector(".message");
  hadFocus = "";
  if (next?.matches("article")) next.tabIndex = -1;
  next?.focus({ preventScroll: true });
});

/* Whoever says something sees it, wherever they were reading. */
const newestOwn = () => [...(log()?.querySelectorAll(":scope > .message--person") ?? [])].at(-1)?.id;
let lastOwn = newestOwn();
document.addEventListener("futura:changed", () => {
  const newest = newestOwn();
  if (newest === lastOwn) return;
  lastOwn = newest;
  const isWriting = document.activeElement?.closest("form[data-composer]");
  if (isWriting) scroller?.scrollTo(0, 0); // the scroller counts from its lower end
});

/* A link to a message that is not loaded leads to where it stands. */
function goToLinked() {
  const id = location.hash.match(/^#m-([0-9a-f-]{36})$/)?.[1];
  if (!id || !log() || document.getElementById(`m-${id}`)) return;
  const address = new URL(location.href);
  if (address.searchParams.get("at") === id) return; // it is gone
  address.search = `?at=${id}`;
  location.replace(address);
}

if (scroller) {
  goToLinked();
  window.addEventListener("hashchange", goToLinked);
}
