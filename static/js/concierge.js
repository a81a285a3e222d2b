/* The concierge: digits choose a suggestion, a conversation that opens takes the page along. */
const seen = new Set();

for (const panel of document.querySelectorAll("[data-opens]")) seen.add(panel.dataset.opens);

/* 1 to 5 press the newest suggestions while nothing is being written. */
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (!/^[1-9]$/.test(event.key) || event.target.closest("input, textarea, select, dialog")) return;
  const lists = document.querySelectorAll("[data-offers]");
  const chosen = lists[lists.length - 1]?.querySelector(`[data-number="${event.key}"]`);
  if (!chosen) return;
  event.preventDefault();
  chosen.click();
});

/* Enter sends the first words of all; Shift+Enter is a new line. */
const first = document.querySelector("form[data-begins]");
first?.elements.text.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  if (matchMedia("(pointer: coarse)").matches) return; // there the key makes a new line
  event.preventDefault();
  first.requestSubmit();
});

/* News of changes may come before the answer that shows them, and not every page has all the
   panel's parts: what has no place here is swapped in out of sight, and forgotten. */
const nowhere = document.createElement("div");
nowhere.hidden = true;
const PANEL = "[data-gesture][hx-swap-oob], [id^=operations-][hx-swap-oob]";

document.addEventListener("htmx:wsBeforeMessage", ({ detail: { message } }) => {
  if (!/data-gesture|id="operations-/.test(message)) return;
  const frame = new DOMParser().parseFromString(message, "text/html");
  for (const panel of frame.querySelectorAll(PANEL)) {
    if (document.getElementById(panel.id)) continue;
    const place = document.createElement(panel.localName);
    place.id = panel.id;
    nowhere.append(place);
  }
  document.body.append(nowhere);
});
document.addEventListener("htmx:wsAfterMessage", () => nowhere.replaceChildren());

/* Goes to what was opened once the answer is whole, unless the person is writing or elsewhere. */
function follow() {
  const isBusy = document.getElementById("run-state")?.dataset.state === "streaming";
  if (isBusy) return;
  const fresh = [...document.querySelectorAll("[data-opens]")].filter(
    (panel) => !seen.has(panel.dataset.opens),
  );
  for (const panel of fresh) seen.add(panel.dataset.opens);
  const last = fresh.at(-1);
  const isWriting = document.getElementById("say")?.value.trim();
  if (!last || isWriting || document.hidden) return;
  location.assign(last.dataset.opens);
}
document.addEventListener("htmx:wsAfterMessage", () => queueMicrotask(follow));
