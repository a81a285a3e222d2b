/* Places with `data-fresh` stay fresh while somebody keeps the page open: each is asked for again when
   the conversation beside it has changed something, when the page is looked at again, and every
   minute, sooner while it shows something at work; but not while somebody has something in hand there. */
const AFTER_NEWS_MS = 400;
const EVERY_MS = 60 * 1000;
const AT_WORK_MS = 3 * 1000; // while a conversation in the list is being answered
const STALE_MS = 10 * 1000;
const IN_HAND =
  ":popover-open, [data-dragged], [data-stays], .htmx-request, :active, details[open]:not([data-open])";
const TICKS = "input[type=checkbox], input[type=radio]";
const FIELDS = "input:not([type=hidden]), textarea";

let timer;
let seenAt = Date.now();

function isChanged(field) {
  if (field.matches(TICKS)) return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue || field === document.activeElement;
}

function isInHand(place) {
  if (place.dataset.awaited) return true;
  const fields = [...place.querySelectorAll(FIELDS)];
  return place.querySelector(IN_HAND) !== null || fields.some(isChanged);
}

function stale(after = 0) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    seenAt = Date.now();
    for (const place of document.querySelectorAll("[data-fresh]")) {
      if (!isInHand(place)) window.htmx.trigger(place, "stale");
    }
  }, after);
}

/* What is done to a place answers with the place as it is after that: until then nobody asks for it. */
const isDone = ({ elt, target }) => target.matches("[data-fresh]") && elt !== target;
document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  if (!isDone(detail)) return;
  detail.target.dataset.awaited = "true";
  window.htmx.trigger(detail.target, "htmx:abort");
});
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (isDone(detail)) delete detail.target.dataset.awaited;
  if (!detail.successful) pressNext();
});

/* What is pressed on a row before that answer, its tick or a line of its menu, is pressed on the place
   that comes with it. */
const presses = [];
const pressed = (button) =>
  [button.getAttribute("formaction") ?? button.form.getAttribute("action"), button.name, button.value].join(" ");
document.addEventListener("htmx:confirm", (event) => {
  const { elt, target, triggeringEvent } = event.detail;
  const button = triggeringEvent?.submitter;
  if (!target.dataset.awaited || !button?.closest(".todo")) return;
  event.preventDefault();
  elt.classList.add("htmx-request"); // seen at once, like others (busy.js)
  presses.push(pressed(button));
});
function pressNext() {
  if (presses.length === 0 || document.querySelector("[data-awaited]")) return;
  const next = presses.shift();
  const button = [...document.querySelectorAll(".todo [type=submit]")].find((it) => pressed(it) === next);
  if (button) button.click();
  else pressNext();
}
document.addEventListener("htmx:afterSettle", pressNext);

/* What was taken in hand while the answer was on its way stays, too. */
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { requestConfig, target } = detail;
  if (target === requestConfig.elt && target.matches("[data-fresh]") && isInHand(target)) detail.shouldSwap = false;
});

/* So does what comes with another place. */
document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  if (detail.target.matches("[data-beside]") && isInHand(detail.target)) detail.shouldSwap = false;
});

/* A press that is under way on what would be drawn anew goes first; then the place is asked for. */
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!detail.shouldSwap || !detail.target.matches("[data-fresh]:has(:active)")) return;
  detail.shouldSwap = false;
  window.addEventListener("pointerup", () => stale(), { once: true });
});

/* What is gone says so once. */
document.addEventListener("htmx:responseError", ({ detail }) => {
  if (detail.xhr.status < 500) delete detail.elt.dataset.fresh;
});

/* What was done in the conversation: the log of changes, and the answer's end. */
document.addEventListener("htmx:wsAfterMessage", (event) => {
  if (/operation|gesture|data-state="complete"/.test(event.detail.message)) stale(AFTER_NEWS_MS);
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && Date.now() - seenAt > STALE_MS) stale();
});
document.addEventListener("zone-told", () => stale());
setInterval(() => {
  if (!document.hidden) stale();
}, EVERY_MS);

const isAtWork = () => document.querySelector("[data-fresh] :is([data-work=running], [data-work=queued])") !== null;
setInterval(() => {
  if (!document.hidden && isAtWork()) stale();
}, AT_WORK_MS);

/* The tab of a phone and the navigation count along. */
document.addEventListener("htmx:afterSettle", () => {
  const count = document.getElementById("day")?.dataset.count;
  if (count === undefined) return;
  for (const badge of document.querySelectorAll("[data-day-count], [data-todos-today]")) {
    badge.textContent = count;
    badge.hidden = count === "0" && badge.matches("[data-todos-today]");
  }
});
