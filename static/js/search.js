/* The search box: "/" or Ctrl-K opens it anywhere, arrows choose a result, "?" lists the keys. Who
   has nothing yet has no search box either. */
const WRITING = "input:not([type=checkbox]), textarea, select, [contenteditable]";
const LETTERS = "todo-letters"; // "off" when the person wants no single letters

const box = document.getElementById("search-box");
const field = document.getElementById("search-field");
const keys = document.getElementById("all-keys");

const lettersAct = () => {
  try {
    return localStorage.getItem(LETTERS) !== "off";
  } catch {
    return true;
  }
};

function open() {
  if (!box.open) box.showModal();
  field.focus();
  field.select();
}

/* The keys of what this page shows, above those that every page has */
function listKeysOfPage() {
  const list = keys.querySelector("[data-page-keys]");
  for (const row of list.querySelectorAll("[data-of-page]")) row.remove();
  for (const one of document.querySelectorAll("main [aria-keyshortcuts]")) {
    if (!one.checkVisibility()) continue;
    const row = document.createElement("div");
    const [term, what] = [document.createElement("dt"), document.createElement("dd")];
    for (const key of one.getAttribute("aria-keyshortcuts").split(" ")[0].split("+")) {
      const cap = document.createElement("kbd");
      cap.textContent = key;
      term.append(cap, " ");
    }
    what.textContent = one.getAttribute("aria-label") || one.textContent.trim();
    row.dataset.ofPage = "";
    row.append(term, what);
    list.prepend(row);
  }
}

const results = () => [...box.querySelectorAll("[data-result]")];

document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.altKey) return;
  if (box && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    event.preventDefault();
    open();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.target.closest?.(WRITING)) return;
  // the page of to-dos has a search and a list of keys of its own
  if (!lettersAct() || event.defaultPrevented || document.getElementById("keys-help")) return;
  if (box && event.key === "/" && !document.querySelector("dialog[open]")) {
    event.preventDefault();
    open();
  }
  if (event.key === "?" && !document.querySelector("dialog[open]")) {
    listKeysOfPage();
    keys.showModal();
  }
});

box?.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) {
    if (event.key !== "Enter" || event.target !== field || !results().length) return;
    event.preventDefault();
    results()[0].click();
    return;
  }
  event.preventDefault();
  const all = [field, ...results()];
  const at = all.indexOf(document.activeElement);
  all[(at + step + all.length) % all.length].focus();
});

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-search]");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    open();
  }
  event.target.closest?.("#search-box [data-close], #all-keys [data-close]")?.closest("dialog").close();
  if (event.target === box || event.target === keys) event.target.close(); // beside it
});
