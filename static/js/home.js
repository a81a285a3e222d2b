/* The home page stays fresh while somebody keeps it open: the day is asked for again when the
   conversation has changed something, when the page is looked at again, and every few minutes. */
const AFTER_NEWS_MS = 400;
const EVERY_MS = 5 * 60 * 1000;
const STALE_MS = 60 * 1000;

let timer;
let seenAt = Date.now();

function stale(after = 0) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    seenAt = Date.now();
    document.body.dispatchEvent(new CustomEvent("day-stale"));
  }, after);
}

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

/* The tab of a phone and the navigation count along. */
document.addEventListener("htmx:afterSettle", () => {
  const count = document.getElementById("day")?.dataset.count;
  if (count === undefined) return;
  for (const badge of document.querySelectorAll("[data-day-count], [data-todos-today]")) {
    badge.textContent = count;
    badge.hidden = count === "0" && badge.matches("[data-todos-today]");
  }
});
