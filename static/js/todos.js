/* The list of to-dos: single letters act on the row that has the focus, rows are dragged by their
   grip, and the focus keeps its place when the list comes anew. */
const WRITING = "input:not([type=checkbox]), textarea, select, [contenteditable]";
const LETTERS = "todo-letters"; // "off" when the person wants no single letters

const list = () => document.getElementById("found");
const rows = () => [...document.querySelectorAll("[data-todo]")];
const here = () => document.activeElement?.closest?.("[data-todo]");
let at = 0; // where in the list the person is

/* Letters ------------------------------------------------------------------------------------ */
const lettersAct = () => {
  try {
    return localStorage.getItem(LETTERS) !== "off";
  } catch {
    return true;
  }
};

function goTo(place) {
  const all = rows();
  if (!all.length) return;
  at = Math.min(Math.max(place, 0), all.length - 1);
  all[at].focus({ preventScroll: true });
  all[at].scrollIntoView({ block: "nearest" });
}

const step = (by) => {
  const row = here();
  goTo(row ? rows().indexOf(row) + by : at);
};

let last = null; // the id of the row that was chosen last, from where Shift reaches

function choose(row) {
  const box = row?.querySelector("[name=chosen]");
  if (!box) return;
  box.checked = !box.checked;
  last = row.id;
  count();
}

/* All rows from the one that was chosen last to this one. */
function reach(row) {
  const all = rows();
  const from = all.findIndex((one) => one.id === last);
  const to = all.indexOf(row);
  if (from < 0 || to < 0) return choose(row);
  for (const one of all.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    const box = one.querySelector("[name=chosen]");
    if (box) box.checked = true;
  }
  last = row.id;
  count();
}

const ACTS = {
  j: () => step(1),
  k: () => step(-1),
  x: () => choose(here()),
  X: () => reach(here()),
  c: () => here()?.querySelector(".todo__tick")?.click(),
  e: () => here()?.querySelector(".todo__text a")?.click(),
  n: () => document.getElementById("quick")?.focus(),
  "/": () => document.getElementById("q")?.focus(),
  z: () => document.querySelector("[data-undo] button")?.click(),
  l: () => document.getElementById("view-list").click(),
  w: () => document.getElementById("view-week").click(),
  b: () => document.getElementById("view-board").click(),
  "?": () => document.getElementById("keys-help")?.togglePopover(),
};

document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.ctrlKey || event.metaKey) return;
  if (event.key === "Escape" && event.target.matches?.("#q, #quick")) {
    event.target.blur();
    goTo(at);
    return;
  }
  if (event.target.closest?.(WRITING)) return;
  if (event.altKey) {
    const way = { ArrowUp: "up", ArrowDown: "down" }[event.key];
    const button = way && here()?.querySelector(`[data-move=${way}]`);
    if (!button) return;
    event.preventDefault();
    button.click();
    return;
  }
  const act = ACTS[event.key];
  if (!act || !lettersAct()) return;
  event.preventDefault();
  act();
});

const switchBox = document.querySelector("[data-letters]");
if (switchBox) {
  switchBox.checked = lettersAct();
  switchBox.addEventListener("change", () => {
    try {
      localStorage.setItem(LETTERS, switchBox.checked ? "on" : "off");
    } catch {
      /* a browser without storage forgets */
    }
  });
}

/* Choosing several ---------------------------------------------------------------------------- */
function count() {
  const boxes = [...document.querySelectorAll("[name=chosen]")];
  const chosen = boxes.filter((one) => one.checked).length;
  for (const one of document.querySelectorAll("[data-chosen]")) one.textContent = chosen;
  const all = document.querySelector("[data-choose-all]");
  if (!all) return;
  all.checked = chosen === boxes.length;
  all.indeterminate = chosen > 0 && chosen < boxes.length;
}
document.addEventListener("click", (event) => {
  const box = event.target.closest?.("[name=chosen]");
  if (!box) return;
  const row = box.closest("[data-todo]");
  if (event.shiftKey && last) reach(row);
  last = row.id;
});

/* A phone: a long press on a row begins to choose several. */
const LONG_MS = 500;
let press = 0;
const release = () => clearTimeout(press);
document.addEventListener("pointerdown", (event) => {
  const row = event.target.closest?.("[data-todo]");
  const box = document.getElementById("choosing");
  if (event.pointerType !== "touch" || !row || event.target.closest("button, input")) return;
  press = setTimeout(() => {
    if (box) box.checked = true;
    choose(row);
    row.dataset.pressed = "";
  }, LONG_MS);
});
for (const name of ["pointerup", "pointercancel", "pointermove", "scroll"]) {
  document.addEventListener(name, release, { passive: true, capture: true });
}
document.addEventListener("contextmenu", (event) => {
  if (event.target.closest?.("[data-pressed]")) event.preventDefault();
});
document.addEventListener(
  "click",
  (event) => {
    const row = event.target.closest?.("[data-pressed]");
    if (!row) return;
    delete row.dataset.pressed;
    event.preventDefault(); // letting go is not following the link
  },
  { capture: true },
);

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-choose-all]")) {
    for (const one of document.querySelectorAll("[name=chosen]")) one.checked = event.target.checked;
  }
  if (event.target.matches("[data-choose-all], [name=chosen]")) count();
});

/* What comes back ----------------------------------------------------------------------------- */
document.addEventListener("htmx:configRequest", (event) => {
  const { elt, parameters } = event.detail;
  // forms outside the list are about the list that is shown now
  if (elt.matches?.("[data-quick], [data-undo]") && list()) parameters.next = list().dataset.here;
});

/* The navigation counts along. */
document.addEventListener("htmx:afterSettle", () => {
  const today = list()?.dataset.today;
  if (today === undefined) return;
  for (const one of document.querySelectorAll("[data-todos-today]")) {
    one.textContent = today;
    one.hidden = today === "0";
  }
});

let held = null;
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target?.id !== "found") return;
  const row = here();
  if (row) at = rows().indexOf(row);
  const search = document.getElementById("q");
  held = {
    row: row?.id,
    inList: Boolean(document.activeElement?.closest?.("#todos-form")),
    typed: document.activeElement === search ? search.value : null,
  };
});
document.addEventListener("htmx:afterSettle", (event) => {
  if (!held || event.detail.target?.id !== "found") return;
  const { row, inList, typed } = held;
  held = null;
  count();
  if (typed !== null) {
    const search = document.getElementById("q");
    if (search && search.value !== typed) search.value = typed;
  }
  const lost = !document.activeElement || document.activeElement === document.body;
  if (!inList || !lost) return;
  const again = row && document.getElementById(row);
  if (again) again.focus({ preventScroll: true });
  else goTo(at);
});

/* Quick add: Enter saves, Shift+Enter is a new line; what was kept leaves the field, for the next. */
document.addEventListener("keydown", (event) => {
  const { form } = event.target;
  if (event.target.id !== "quick" || !form.matches("[data-quick]")) return;
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit(form.querySelector("[type=submit]:not([form])"));
});
document.addEventListener("htmx:beforeRequest", (event) => {
  if (!event.detail.elt.matches?.("[data-quick]")) return;
  window.htmx.trigger("#quick", "htmx:abort");
});
document.addEventListener("htmx:afterRequest", (event) => {
  const { elt, successful, xhr, requestConfig } = event.detail;
  // a refusal (422) is shown like an answer, and must leave the words where they are
  if (!successful || xhr.status >= 400 || !elt.matches?.("[data-quick]")) return;
  const field = document.getElementById("quick");
  if (field.value !== requestConfig.formData.get("text")) return; // the next line, typed meanwhile
  field.value = "";
  field.style.blockSize = "";
  field.removeAttribute("aria-invalid");
  field.focus();
});

/* Dragging by the grip: the row follows the pointer among the rows of its list. -------------- */
let dragged = null;

document.addEventListener("pointerdown", (event) => {
  const grip = event.target.closest?.("[data-grip]");
  if (!grip || event.button > 0) return;
  event.preventDefault();
  dragged = grip.closest("[data-todo]");
  dragged.dataset.was = dragged.nextElementSibling?.id ?? "";
  dragged.dataset.dragged = "";
  grip.setPointerCapture(event.pointerId);
});
document.addEventListener("pointermove", (event) => {
  if (!dragged) return;
  const under = document.elementFromPoint(event.clientX, event.clientY);
  for (const one of document.querySelectorAll("[data-over]")) delete one.dataset.over;
  const column = under?.closest("[data-drop]");
  if (column) column.dataset.over = "";
  if (document.querySelector("[data-drop]")) return;
  const over = under?.closest("[data-todo]");
  if (!over || over === dragged || over.parentElement !== dragged.parentElement) return;
  const middle = over.getBoundingClientRect();
  const isBelow = event.clientY > middle.top + middle.height / 2;
  over.parentElement.insertBefore(dragged, isBelow ? over.nextElementSibling : over);
});
/* In a column of a week or a board: another day, another status. */
function dropIn(row, column) {
  if (!column) return;
  delete column.dataset.over;
  if (column.contains(row)) return;
  const [field, value] = column.dataset.drop.split(":");
  const form = row.closest("form");
  const values = {
    next: list().dataset.here,
    csrfmiddlewaretoken: form.elements.csrfmiddlewaretoken.value,
    ...(field === "day" ? { to: "day", day: value } : { status: value }),
  };
  window.htmx.ajax("POST", `/todos/${row.dataset.todo}/${field === "day" ? "when" : "status"}`, {
    source: row,
    target: "#found",
    swap: "outerHTML",
    values,
  });
}

function drop() {
  if (!dragged) return;
  const row = dragged;
  dragged = null;
  delete row.dataset.dragged;
  if (document.querySelector("[data-drop]")) {
    dropIn(row, document.querySelector("[data-over]"));
    return;
  }
  const next = row.nextElementSibling;
  if ((next?.id ?? "") === row.dataset.was) return;
  const form = row.closest("form");
  const values = { next: list().dataset.here, csrfmiddlewaretoken: form.elements.csrfmiddlewaretoken.value };
  if (next) Object.assign(values, { to: "before", before: next.dataset.todo });
  else {
    const previous = row.previousElementSibling;
    Object.assign(values, { to: "after", before: previous?.dataset.todo ?? "" });
  }
  window.htmx.ajax("POST", `/todos/${row.dataset.todo}/place`, {
    source: row,
    target: "#found",
    swap: "outerHTML",
    values,
  });
}
document.addEventListener("pointerup", drop);
document.addEventListener("pointercancel", drop);
count();

/* On a phone the tabs reach beyond the edge: the one that is shown is never hidden there. */
document.querySelector(".todos-tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
