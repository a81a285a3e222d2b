/* Keeps the place of a person at the keyboard: when an answer or news replaces the part of the page
   that has the focus, its control in the new part gets it, found by id or else by its place among
   the controls there. A menu stands for the button that opened it. A notice that goes leaves the
   focus where it was before. */
const CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary";

let held = null; // { target, id, place } of the control that is about to go
let last = ""; // the id of the control in the page itself that had the focus last

const controlsOf = (part) =>
  [...part.querySelectorAll(CONTROLS)].filter((control) => control.checkVisibility());

function hold({ detail: { target, shouldSwap } }) {
  const menu = document.activeElement?.closest("[popover]");
  const opener = menu && document.querySelector(`[popovertarget="${menu.id}"]`);
  const control = opener ?? document.activeElement;
  if (!shouldSwap || !target?.id || !target.contains(control)) return;
  held = { target, id: control.id, place: controlsOf(target).indexOf(control) };
}

function giveBack() {
  const part = held && document.getElementById(held.target.id);
  if (!part) return;
  const { id, place } = held;
  held = null;
  if (document.activeElement && document.activeElement !== document.body) return;
  const controls = controlsOf(part);
  const same = [id, part.id === "toasts" ? last : ""].map((name) => document.getElementById(name));
  const control = same.find((other) => other?.checkVisibility()) ?? controls[place] ?? controls.at(-1);
  control?.focus({ preventScroll: true });
}

for (const swap of ["htmx:beforeSwap", "htmx:oobBeforeSwap"]) document.addEventListener(swap, hold);
document.addEventListener("htmx:oobAfterSwap", ({ detail }) => {
  if (detail.target === held?.target) giveBack();
});
// a list that knows better where its focus belongs gives it first
document.addEventListener("htmx:afterSettle", () => queueMicrotask(giveBack));
document.addEventListener("focusin", ({ target }) => {
  if (target.closest("main")) last = target.id;
});
document.addEventListener("click", ({ target }) => {
  if (!target.closest?.("[data-toast-close]")) return;
  (document.getElementById(last) ?? document.getElementById("main"))?.focus({ preventScroll: true });
});

/* News may take away the form or the link whose answer is still on its way. htmx looks for the
   places of an answer in the tree of what asked; while the answer is read, a part that is gone
   stands out of sight at the end of the page, so that notices and lists still get what it brings. */
function standBy(event) {
  const asked = event.currentTarget;
  if (asked.isConnected) return;
  const stand = document.createElement("div");
  stand.hidden = true;
  stand.append(asked.getRootNode());
  document.body.append(stand);
  setTimeout(() => stand.remove());
}

document.addEventListener("htmx:beforeSend", ({ detail: { elt } }) => {
  elt.addEventListener("htmx:beforeOnLoad", standBy, { once: true });
});
