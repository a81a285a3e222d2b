/* Single keys of the staff's desk: what carries `data-key` is followed or pressed. Of several with
   one key, the one in the task looked at ([data-item][aria-current]) is meant.
   Never while something is being written, never with a modifier; a switch turns them off. */
const WRITING = "input:not([type=checkbox]):not([type=range]), textarea, select, [contenteditable]";
const OFF = "futura.review.keys-off";

const off = () => localStorage.getItem(OFF) === "yes";
const items = () => [...document.querySelectorAll("[data-item]")];
const current = () => document.querySelector('[data-item][aria-current="true"]');

const look = (item) => {
  current()?.removeAttribute("aria-current");
  item.setAttribute("aria-current", "true");
  const candidates = item.querySelector("[data-candidates]");
  if (candidates) candidates.open = true;
  item.focus({ preventScroll: true });
  item.scrollIntoView({ block: "nearest" });
};

const step = (by) => {
  const all = items();
  const place = all.indexOf(current());
  const next = all[Math.min(Math.max(place + by, 0), all.length - 1)];
  if (next) look(next);
};

const edit = () => {
  const fold = current()?.querySelector("[data-edit]");
  if (!fold) return;
  fold.open = true;
  fold.querySelector("textarea")?.focus();
};

const OWN = { ArrowDown: () => step(1), ArrowUp: () => step(-1), e: edit };

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
  if (event.key === "Escape" && event.target.matches?.(WRITING)) return event.target.blur();
  if (off() || event.target.closest?.(WRITING)) return;
  if (event.target.matches?.("input[type=range]") && event.key.startsWith("Arrow")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const marked = `[data-key="${CSS.escape(key)}"]`;
  const control = current()?.querySelector(marked) ?? document.querySelector(marked);
  const isOwn = key in OWN && items().length > 0;
  if (!isOwn && (!control || control.closest("[data-item]:not([aria-current])"))) return;
  event.preventDefault();
  if (isOwn) OWN[key]();
  else control.click();
});

/* What came in place of the panel: the task to look at now is in view and holds the focus. */
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target?.id !== "desk-side" || !current()) return;
  const writing = document.querySelector("#desk-side [autofocus]"); // a form that was refused
  look(current());
  writing?.focus();
  writing?.scrollIntoView({ block: "nearest" });
});

document.addEventListener("click", (event) => {
  const item = event.target.closest?.("[data-item]");
  if (item && item !== current()) {
    current()?.removeAttribute("aria-current");
    item.setAttribute("aria-current", "true");
  }
});

document.addEventListener("change", (event) => {
  if (event.target.matches?.("[data-keys-off]")) {
    localStorage.setItem(OFF, event.target.checked ? "yes" : "no");
  }
  if (event.target.matches?.("[data-sends]")) event.target.form.requestSubmit();
});

for (const box of document.querySelectorAll("[data-keys-off]")) box.checked = off();
document.documentElement.classList.toggle("keys-are-off", off());
/* Where everything stands in one column, the talk comes first. */
if (current() && matchMedia("(min-width: 64rem)").matches) {
  current().scrollIntoView({ block: "nearest" });
}
