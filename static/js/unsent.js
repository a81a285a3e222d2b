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
