/* Keeps the place of a person at the keyboard: when news replaces the part of the page that has
   the focus, its control in the new part gets it, found by id or else by its place among the
   controls there. */
const CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary";

let held = null; // { part, id, place } of the control that is about to go

const placeIn = (part, control) => [...part.querySelectorAll(CONTROLS)].indexOf(control);

document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { target, shouldSwap } = event.detail;
  const control = document.activeElement;
  if (!shouldSwap || !target?.id || !target.contains(control)) return;
  held = { part: target.id, id: control.id, place: placeIn(target, control) };
});

document.addEventListener("htmx:oobAfterSwap", () => {
  if (!held) return;
  const part = document.getElementById(held.part);
  if (!part) return;
  const { id, place } = held;
  held = null;
  if (document.activeElement && document.activeElement !== document.body) return;
  const control = (id && document.getElementById(id)) || part.querySelectorAll(CONTROLS)[place];
  control?.focus({ preventScroll: true });
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
