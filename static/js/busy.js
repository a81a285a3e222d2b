/* What was tapped says at once that its answer is on the way: the button of a form, a link to
   another page. A box is ticked and a row leaves before the answer, and both come back when the
   request fails. The mark is htmx's own class, so that one rule of CSS shows them all. */
const BUSY = "htmx-request";
const FILE_MS = 5000; // an answer that is a file leaves the page as it is

const busy = new Map(); // what was marked -> how to have it as it was

function free(element, isDone = true) {
  element.classList.remove(BUSY);
  if (!isDone) busy.get(element)?.();
  busy.delete(element);
}

/* What the person sees before the server has agreed; undone by the function that is returned. */
function foresee(button) {
  if (button?.role === "checkbox") {
    const before = button.ariaChecked;
    button.ariaChecked = String(before !== "true");
    return () => (button.ariaChecked = before);
  }
  const row = button?.dataset.removes && button.closest(button.dataset.removes);
  if (!row) return () => {};
  button.closest("[popover]:popover-open")?.hidePopover();
  row.dataset.leaving = "";
  return () => delete row.dataset.leaving;
}

/* Heard last, so that what a script does by itself is known by then. */
window.addEventListener("submit", (event) => {
  const { target: form, submitter, defaultPrevented } = event;
  const isHtmx = form.classList.contains(BUSY);
  if (defaultPrevented && !isHtmx) return; // a script sends it and says so itself
  const tapped = submitter ?? form;
  if (!isHtmx && busy.has(tapped)) { // pressed twice
    event.preventDefault();
    return;
  }
  busy.set(tapped, foresee(submitter));
  tapped.classList.add(BUSY);
  if (!isHtmx) setTimeout(free, FILE_MS, tapped);
});

window.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const { pathname, search, hash, origin, target } = link;
  const isHere = hash && pathname === location.pathname && search === location.search;
  if (isHere || target || link.hasAttribute("download") || origin !== location.origin) return;
  busy.set(link, () => {});
  link.classList.add(BUSY);
  setTimeout(free, FILE_MS, link);
});

document.addEventListener("htmx:afterRequest", ({ detail: { elt, successful } }) => {
  for (const element of busy.keys()) {
    if (element === elt || element.form === elt) free(element, successful === true);
  }
});
window.addEventListener("pageshow", () => [...busy.keys()].forEach((element) => free(element)));
