/* The rows of the review page: one is unfolded at a time, versions go along with every save, and a
   list that arrives (from this tab or another) never takes away what is being written. */

/* A row in place of another stays as far open as that was. Of two open ones with the same name the
   browser closes the newer, so the old one leaves the group first. */
function takeFold(old, row) {
  const [has, gets] = [old, row].map((part) => part?.querySelector(".task__fold"));
  if (!has) return;
  has.removeAttribute("name");
  if (gets && has.open) gets.open = true;
}

function unfold(row) {
  const fold = row?.querySelector(".task__fold");
  if (!fold) return false;
  fold.open = true;
  fold.querySelector("summary").focus();
  return true;
}

/* Closing one above moves the one that opens: it stays in view. */
document.addEventListener(
  "toggle",
  ({ target }) => {
    if (!target.matches?.(".task__fold[open]")) return;
    const { top } = target.getBoundingClientRect();
    if (top < 0 || top > innerHeight * 0.8) target.closest(".task").scrollIntoView();
  },
  true,
);

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-next-task]");
  let row = link?.closest(".task").nextElementSibling;
  while (row && !row.querySelector(".task__fold")) row = row.nextElementSibling;
  if (row && unfold(row)) event.preventDefault();
});

const linked = document.getElementById(location.hash.slice(1))?.querySelector(".task__fold");
if (linked) linked.open = true;

/* The version a row shows is the version its forms save against. */
document.addEventListener("htmx:configRequest", (event) => {
  if (event.detail.verb !== "post") return;
  const row = event.detail.elt.closest("[data-task]");
  const { formData } = event.detail;
  if (row && formData?.has("version")) formData.set("version", row.dataset.version);
});
document.addEventListener("task-version", (event) => {
  const row = document.getElementById(`task-${event.detail.task}`);
  if (row) row.dataset.version = event.detail.version;
});

/* Why a rating was refused stands below all of them: it comes into view, above the dock, also where
   the whole row came anew. */
document.addEventListener("htmx:afterOnLoad", ({ detail }) => {
  const id = detail.requestConfig.elt.closest("[data-task]")?.id;
  if (detail.xhr.status < 400 || !id) return;
  const saved = document.getElementById(id)?.querySelector(".saved:has(.field__error)");
  saved?.scrollIntoView({ block: "nearest" });
});

/* Being written in, or on its way to the server: a swap would take words or a save away. */
const isBusy = (row) =>
  Boolean(row.querySelector("form[data-keep], form.htmx-request")) ||
  (row.contains(document.activeElement) && document.activeElement.matches("input, textarea"));

const isNewer = (arriving, row) => Number(arriving.dataset.version) > Number(row.dataset.version);

/* The answer to a request is no request any more; what it brings may be taken. */
document.addEventListener("htmx:beforeOnLoad", (event) => {
  event.detail.elt.classList.remove("htmx-request");
});

/* A row that stays may still have got a match meanwhile. */
function takeMatch(old, row) {
  const [has, gets] = [old, row].map((part) => part.querySelector(".match"));
  if (!has || !gets || !isNewer(gets, has) || has.contains(document.activeElement)) return;
  has.replaceWith(gets);
  window.htmx.process(gets);
}

/* Takes a new list over row by row: what is busy or not newer stays the very element it was, with
   its focus and its waiting saves. The row that sent for the list (`sender`) is always replaced. */
function takeOver(list, arriving, sender = null) {
  const wanted = arriving.querySelector("[autofocus]")?.closest("li")?.id;
  const held = document.activeElement;
  const rows = [...arriving.children].map((row) => {
    const old = document.getElementById(row.id);
    const stays = old && !old.contains(sender) && (isBusy(old) || !isNewer(row, old));
    if (stays) takeMatch(old, row);
    if (old && !stays) takeFold(old, row);
    return stays ? old : row;
  });
  if (wanted) {
    for (const { id, firstElementChild: fold } of rows) if (id !== wanted) fold.open = false;
  }
  const stay = new Set(rows);
  for (const old of [...list.children]) if (!stay.has(old)) window.htmx.remove(old);
  rows.forEach((row, place) => {
    if (list.children[place] === row) return;
    const isNew = !row.isConnected;
    list.insertBefore(row, list.children[place] ?? null);
    if (isNew) window.htmx.process(row);
  });
  list.className = arriving.className;
  list.dataset.version = arriving.dataset.version;
  const control = wanted && document.querySelector(`#${wanted} .task__menu, #${wanted} button`);
  if (control) control.focus();
  else if (held !== document.activeElement) standInFor(held)?.focus();
}

/* What had the focus, or what came in its place when its row was replaced. */
const standInFor = (held) => (held.isConnected ? held : document.getElementById(held.id));

/* The answer to a change of the whole list: its other fragments are swapped by htmx as usual. */
document.addEventListener("htmx:beforeSwap", (event) => {
  const { detail } = event;
  if (detail.target?.id !== "tasks" || detail.xhr.status >= 400) return;
  const answer = new DOMParser().parseFromString(detail.serverResponse, "text/html");
  const arriving = answer.getElementById("tasks");
  if (!arriving) return;
  const others = [...answer.body.children].filter((part) => part !== arriving);
  // htmx looks for the places of the others from the sender on: it must still be there
  queueMicrotask(() => {
    takeOver(detail.target, document.adoptNode(arriving), detail.requestConfig?.elt);
  });
  detail.serverResponse = others.map((part) => part.outerHTML).join("");
  detail.swapOverride = "none";
});

/* One row that htmx swaps by itself. */
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target?.matches("[data-task]")) takeFold(detail.target, null);
});

/* News from the socket: older or equal versions are what this tab did itself. */
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { target, fragment } = event.detail;
  const arriving = fragment?.querySelector?.(`[id="${target.id}"]`) ?? fragment?.firstElementChild;
  if (target.id === "tasks") {
    event.detail.shouldSwap = false;
    if (!isNewer(target, arriving)) takeOver(target, arriving);
  } else if (target.dataset.version && !isNewer(arriving, target)) {
    event.detail.shouldSwap = false;
  } else if (target.matches("[data-task], .match") && isBusy(target)) {
    event.detail.shouldSwap = false;
  } else if (target.matches("[data-task]")) {
    takeFold(target, arriving);
  } else if (target.querySelector("form.htmx-request")) {
    event.detail.shouldSwap = false; // its answer brings the same, and looks for it here
  }
});
