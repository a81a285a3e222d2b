/* A text field with a list of suggestions (WAI-ARIA combobox): the server fills the list. The list
   pushes on what follows it, so it closes only when a press elsewhere is over: what was pressed
   must not move away from under the pointer. */
let isPressed = false;
const released = () => setTimeout(() => {
  isPressed = false;
  document.dispatchEvent(new Event("press-over"));
});
document.addEventListener("pointerdown", () => (isPressed = true), true);
for (const kind of ["click", "pointercancel", "dragend"]) {
  document.addEventListener(kind, released, true);
}

for (const box of document.querySelectorAll("[data-typeahead]")) {
  const input = box.querySelector("[role=combobox]");
  const list = box.querySelector("[role=listbox]");
  let told = input.value;
  let isDismissed = false; // by Escape or a choice: an answer on its way does not open it again

  const options = () => [...list.querySelectorAll("[role=option]")];
  const active = () => list.querySelector("[aria-selected=true]");

  const open = (yes) => {
    list.hidden = !yes;
    input.setAttribute("aria-expanded", String(yes));
    if (!yes) mark(null);
  };

  const mark = (option) => {
    active()?.setAttribute("aria-selected", "false");
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) input.setAttribute("aria-activedescendant", option.id);
    else input.removeAttribute("aria-activedescendant");
  };

  /* Others (the picker) hear of a new title once, when it is settled. */
  const settle = () => {
    if (input.value.trim() === told.trim() || input.validity.customError) return;
    told = input.value;
    input.dispatchEvent(new Event("title-chosen", { bubbles: true }));
  };

  const choose = (option) => {
    input.value = option.dataset.value;
    input.setCustomValidity(""); // a title of the list is never too long
    isDismissed = true;
    open(false);
    settle();
  };

  const move = (step) => {
    const all = options();
    if (!all.length) return;
    isDismissed = false;
    if (list.hidden) open(true);
    const at = all.indexOf(active());
    mark(all[(at + step + all.length + (at < 0 && step < 0 ? 1 : 0)) % all.length]);
  };

  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter" && !list.hidden && active()) {
      event.preventDefault();
      choose(active());
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      isDismissed = true;
      open(false);
    } else if (event.key === "Tab") {
      open(false);
    }
  });
  input.addEventListener("input", () => {
    isDismissed = false;
    mark(null);
  });
  input.addEventListener("change", settle);
  input.addEventListener("blur", () => isPressed || open(false));
  document.addEventListener("press-over", () => document.activeElement === input || open(false));
  input.addEventListener("focus", () => {
    if (options().length) open(true);
  });

  /* pointerdown, so that the field keeps its focus */
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) choose(option);
  });
  /* A later answer keeps what is marked, where it still stands. */
  let marked;
  list.addEventListener("htmx:beforeSwap", () => (marked = active()?.dataset.value));
  list.addEventListener("htmx:afterSwap", () => {
    open(!isDismissed && document.activeElement === input && options().length > 0);
    const same = options().find((option) => option.dataset.value === marked);
    if (same && !list.hidden) mark(same);
  });
}
