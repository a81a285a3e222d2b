/* The rows of the review page: versions go along with every save, and a list that arrives
   (from this tab or another) never takes away what is being written. */

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

const isBusy = (row) =>
  row.contains(document.activeElement) && document.activeElement !== document.body
    ? document.activeElement.matches("input, textarea")
    : false;

const isWritten = (row) =>
  [...row.querySelectorAll("form[data-keep]")].length > 0 ||
  [...row.querySelectorAll("textarea, input:not([type])")].some((f) => f.value !== f.defaultValue);

/* Rows that a new list must not overwrite, other than the one whose own form was just sent. */
let kept = new Map();
let focused = null;

function keep(list, sender) {
  kept = new Map();
  focused = document.activeElement?.id ?? null;
  for (const row of list.querySelectorAll("[data-task]")) {
    if (row.contains(sender)) continue;
    if (row.querySelector("form[data-keep]") || (isBusy(row) && isWritten(row))) {
      kept.set(row.id, row);
    }
  }
}

function putBack() {
  for (const [id, row] of kept) {
    const arrived = document.getElementById(id);
    if (!arrived || arrived === row) continue;
    arrived.replaceWith(row);
    window.htmx.process(row);
  }
  if (kept.size && focused) document.getElementById(focused)?.focus();
  kept = new Map();
}

document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target?.id === "tasks") keep(event.detail.target, event.detail.requestConfig?.elt);
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target.id === "tasks" || event.detail.target?.id === "tasks") putBack();
});

/* News from the socket: older or equal versions are what this tab did itself. */
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { target, fragment } = event.detail;
  const arriving = fragment?.querySelector?.(`[id="${target.id}"]`) ?? fragment?.firstElementChild;
  const has = Number(target.dataset.version);
  const gets = Number(arriving?.dataset?.version);
  if (target.dataset.version && gets <= has) {
    event.detail.shouldSwap = false;
  } else if (target.id === "tasks") {
    keep(target, null);
  } else if (target.matches("[data-task]") && (isBusy(target) || target.querySelector("form[data-keep]"))) {
    event.detail.shouldSwap = false;
  } else if (target.matches(".match") && isBusy(target)) {
    event.detail.shouldSwap = false;
  }
});
document.addEventListener("htmx:oobAfterSwap", (event) => {
  if (event.detail.target?.id === "tasks") putBack();
});
