/* The log of changes: news get their place in it, details open in a dialog, ages grow. What is
   sent from here is htmx's; what changed comes back by the socket and in every answer. */
const dialog = document.getElementById("operation-dialog");
const log = document.querySelector("[data-operations]");
let opener = ""; // the control that opened the dialog; its card may be replaced meanwhile

document.addEventListener("click", (event) => {
  const link = event.target.closest("[hx-target='#operation-dialog']");
  if (link && !dialog?.contains(link)) opener = link.id;
  if (event.target.closest("[data-dialog-close]")) dialog?.close();
  const cause = event.target.closest("[data-cause]");
  const turn = cause && document.getElementById(cause.dataset.cause);
  if (!turn || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  show("tab-talk");
  turn.scrollIntoView({ block: "center" });
  turn.tabIndex = -1;
  turn.focus({ preventScroll: true });
});

/* On a phone the two panes are tabs. */
function show(tab) {
  const radio = document.getElementById(tab);
  if (radio) radio.checked = true;
}

function toChange() {
  const id = location.hash.slice(1);
  if (!/^(batch|op)-/.test(id)) return;
  show("tab-log");
  const entry = document.getElementById(id);
  entry?.scrollIntoView({ block: "center" });
  entry?.focus({ preventScroll: true });
}
window.addEventListener("hashchange", toChange);
toChange();

document.addEventListener("htmx:afterSwap", (event) => {
  const { target, xhr } = event.detail;
  if (target !== dialog || dialog.open || xhr.getResponseHeader("HX-Trigger")) return;
  dialog.showModal();
});

document.addEventListener("operations-done", () => dialog?.close());

dialog?.addEventListener("close", () => {
  if (dialog.open) return; // opened anew before this was told
  dialog.replaceChildren();
  document.getElementById(opener)?.focus();
});
dialog?.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close(); // the veil
});

/* A batch that is new here gets an empty place, newest first, which the swap then fills. */
function place(arriving) {
  if (document.getElementById(arriving.id)) return true;
  const list = document.getElementById("operations-list");
  if (!list || "narrowed" in list.dataset) return false;
  const entry = document.createElement("section");
  entry.id = arriving.id;
  entry.className = "gesture";
  entry.dataset.order = arriving.dataset.order;
  const older = [...list.querySelectorAll(":scope > [data-order]")].find(
    (element) => Number(element.dataset.order) < Number(arriving.dataset.order),
  );
  list.insertBefore(entry, older ?? list.querySelector(":scope > .beyond"));
  list.querySelector(":scope > [data-empty]")?.remove();
  return true;
}

const GESTURES = "section[data-gesture][hx-swap-oob]";

function withPlaces(html) {
  const frame = new DOMParser().parseFromString(html, "text/html");
  const homeless = [...frame.body.querySelectorAll(GESTURES)].filter((element) => !place(element));
  if (!homeless.length) return html;
  for (const element of homeless) element.remove();
  return frame.body.innerHTML;
}

document.addEventListener("htmx:wsBeforeMessage", (event) => {
  if (event.detail.message.includes("data-gesture")) withPlaces(event.detail.message);
});
document.addEventListener("htmx:beforeSwap", (event) => {
  const { detail } = event;
  if (!detail.serverResponse?.includes("data-gesture")) return;
  detail.serverResponse = withPlaces(detail.serverResponse);
});
/* Where a list shows some kinds only, others have no place in it. */
document.addEventListener("htmx:oobErrorNoTarget", (event) => event.preventDefault());

function count() {
  const waiting = document.getElementById("operations-waiting")?.dataset.waiting ?? "0";
  for (const element of document.querySelectorAll("[data-operations-waiting]")) {
    element.textContent = waiting;
    element.hidden = waiting === "0";
  }
}
document.addEventListener("htmx:oobAfterSwap", count);

/* Of changes that wait together some can be left out: the button says how many are meant. */
document.addEventListener("change", ({ target }) => {
  if (!target.matches?.("[data-tick]")) return;
  const button = target.form?.querySelector("[data-ticks]");
  if (!button) return;
  const all = [...target.form.elements].filter((element) => element.matches("[data-tick]"));
  const some = all.filter((element) => element.checked).length;
  button.textContent = some === all.length ? button.dataset.all : button.dataset.some.replace("{some}", some);
  button.disabled = some === 0;
});

/* Ages in the words that the server uses, too; after a day the day stands there already. */
function age() {
  for (const element of document.querySelectorAll("time[data-age]")) {
    const minutes = Math.floor((Date.now() - Date.parse(element.dateTime)) / 60000);
    if (minutes >= 24 * 60) continue;
    const { now, minutes: some, hours } = log.dataset;
    if (minutes < 1) element.textContent = now;
    else if (minutes < 60) element.textContent = some.replace("{n}", minutes);
    else element.textContent = hours.replace("{n}", Math.floor(minutes / 60));
  }
}
if (log) setInterval(age, 30000);
