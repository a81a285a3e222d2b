/* Toasts: closing them, and saying when a request failed or the line is down. */
const area = document.getElementById("toasts");

function show(templateId) {
  const template = document.getElementById(templateId);
  if (!template || !area) return;
  area.replaceChildren(template.content.cloneNode(true));
}

document.addEventListener("click", (event) => {
  event.target.closest("[data-toast-close]")?.closest("[data-toast]")?.remove();
});

/* An error page must not land inside the page: only fragments that say where they go may. */
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr } = event.detail;
  if (xhr.status < 400 || xhr.status === 422) return;
  if (xhr.getResponseHeader("HX-Retarget")) return;
  event.detail.shouldSwap = false;
  show("toast-failed");
});
document.addEventListener("htmx:sendError", () => show("toast-offline"));
document.addEventListener("htmx:timeout", () => show("toast-offline"));
