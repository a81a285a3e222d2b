/* What was typed on the first page, or as a new to-do, and not sent is there again after signing in.
   On the first page Enter sends it as the first button does; Shift+Enter is a new line. */
const KEY = `futura:unsent:${location.pathname}`;
const field =
  document.getElementById("quick") ??
  (document.getElementById("day") && document.getElementById("say"));

if (field) {
  const text = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (text && !field.value) {
    field.value = text;
    // the preview listens as soon as htmx has read the page
    document.addEventListener("htmx:load", () => field.dispatchEvent(new Event("input")), {
      once: true,
    });
  }
  let isSent = false;
  if ("unsent" in field.dataset) {
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      field.form.requestSubmit(field.form.querySelector("[type=submit]:not([form])"));
    });
    field.form.addEventListener("submit", () => {
      isSent = true;
    });
  }
  if (field.id === "quick") {
    addEventListener("pagehide", () => {
      if (!isSent && field.value.trim()) sessionStorage.setItem(KEY, field.value);
    });
  }
}

/* A form that was opened in place is opened again by the same link, with all its values: the version
   among them, so that a change made meanwhile elsewhere still shows. */
const FORMS = `futura:unsent:forms:${location.pathname}`;

if (document.querySelector(".dimension")) {
  const unsent = JSON.parse(sessionStorage.getItem(FORMS) ?? "{}");
  sessionStorage.removeItem(FORMS);
  const reopen = () => Object.keys(unsent).forEach((id) => document.getElementById(id)?.click());
  document.addEventListener("htmx:load", reopen, { once: true });
  document.addEventListener("htmx:load", ({ target }) => {
    const form = target.querySelector("form[data-opened-by]");
    for (const [name, value] of unsent[form?.dataset.openedBy] ?? []) {
      form.elements[name].value = value;
      form.elements[name].dispatchEvent(new Event("input", { bubbles: true }));
    }
    if (form) form.closest("details").open = true;
    delete unsent[form?.dataset.openedBy];
  });
  addEventListener("pagehide", () => {
    for (const form of document.querySelectorAll("form[data-opened-by]")) {
      const { content, version } = form.elements;
      if (content.value === content.defaultValue && !content.ariaInvalid) continue;
      unsent[form.dataset.openedBy] = [content, version].map(({ name, value }) => [name, value]);
    }
    if (Object.keys(unsent).length) sessionStorage.setItem(FORMS, JSON.stringify(unsent));
  });
}

/* What was typed into one of several forms of a page is there again after another of them was sent. */
for (const form of document.querySelectorAll("form[data-unsent]")) {
  const key = `futura:unsent:${new URL(form.action).pathname}`;
  const texts = [...form.querySelectorAll("textarea, input:is([type=text], [type=url])")];
  const stored = JSON.parse(sessionStorage.getItem(key) ?? "{}");
  sessionStorage.removeItem(key);
  for (const field of texts) field.value ||= stored[field.name] ?? "";
  let isSent = false;
  form.addEventListener("submit", () => {
    isSent = true;
  });
  addEventListener("pagehide", () => {
    const typed = texts.filter((field) => !isSent && field.value);
    const values = Object.fromEntries(typed.map((field) => [field.name, field.value]));
    if (typed.length) sessionStorage.setItem(key, JSON.stringify(values));
  });
}
