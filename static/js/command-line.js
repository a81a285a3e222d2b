/* Basic mode's command line: what a line will do stands above the field while it is written, and
   how it may go on, to be taken with the arrows and Enter, or by a tap. */
const PAUSE_MS = 180;
const LONGEST = 500;

const box = document.querySelector("[data-command-line]");
const field = box && document.getElementById(box.dataset.for);
if (field) attach(box, field);

function attach(box, field) {
  const list = box.querySelector("[role=listbox]");
  const says = box.querySelector("[role=status]");
  let timer;
  let asked; // the question that is on its way
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-controls", list.id);
  field.setAttribute("aria-describedby", says.id);

  const active = () => list.querySelector("[aria-selected=true]");

  function mark(option) {
    active()?.setAttribute("aria-selected", "false");
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (option) field.setAttribute("aria-activedescendant", option.id);
    else field.removeAttribute("aria-activedescendant");
  }

  function show(completions) {
    list.replaceChildren(
      ...completions.map(({ line, label }, number) => {
        const option = document.createElement("li");
        option.id = `completion-${number}`;
        option.dataset.line = line;
        option.textContent = label;
        option.setAttribute("role", "option");
        option.setAttribute("aria-selected", "false");
        return option;
      }),
    );
    list.hidden = !completions.length;
    mark(null);
  }

  function clear() {
    clearTimeout(timer);
    asked?.abort();
    show([]);
    says.hidden = true;
    says.textContent = "";
  }

  async function ask() {
    const text = field.value;
    asked?.abort();
    if (!text.trim() || text.length > LONGEST) return clear();
    asked = new AbortController();
    const body = JSON.stringify({ text, session: box.dataset.session || null });
    const token = field.form.elements.csrfmiddlewaretoken.value;
    try {
      const answer = await fetch(box.dataset.url, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRFToken": token },
        body,
        signal: asked.signal,
      });
      if (!answer.ok || field.value !== text) return;
      const { sentences, completions } = await answer.json();
      says.textContent = sentences.join("\n");
      says.hidden = !sentences.length;
      show(completions);
    } catch {
      clear(); // without a line there is no preview; the words can be sent all the same
    }
  }

  function take(option) {
    field.value = option.dataset.line;
    field.focus();
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function step(by) {
    const options = [...list.children];
    const at = options.indexOf(active());
    mark(options[(at + by + options.length + (at < 0 && by < 0 ? 1 : 0)) % options.length]);
  }

  /* Before the composer hears of the key: Enter takes what is marked, and sends nothing then. */
  field.form.addEventListener(
    "keydown",
    (event) => {
      if (event.target !== field || list.hidden || event.isComposing) return;
      const isOneLine = !field.value.includes("\n");
      if (isOneLine && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
        step(event.key === "ArrowDown" ? 1 : -1);
      } else if (["Enter", "Tab"].includes(event.key) && !event.shiftKey && active()) {
        take(active());
      } else if (event.key === "Escape") {
        show([]);
      } else return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
  field.addEventListener("input", () => {
    clearTimeout(timer);
    if (!field.value.trim()) clear();
    else timer = setTimeout(ask, PAUSE_MS);
  });
  document.addEventListener("futura:sent", clear);
  /* pointerdown, so that the field keeps its focus */
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) take(option);
  });
  if (field.value.trim()) ask(); // a draft
}
