/* Pictures are sent as soon as they are chosen, dropped or taken; a bar tells how far they are. */
const form = (element) => element.closest?.("form[data-pictures]");

function send(of) {
  of.requestSubmit(of.querySelector("button[name=do][value='']"));
}

document.addEventListener("change", (event) => {
  const of = event.target.matches?.("input[type=file]") && form(event.target);
  if (of && event.target.files.length) send(of);
});

for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    const area = event.target.closest?.("[data-drop]");
    if (!area || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    area.toggleAttribute("data-over", kind === "dragover");
    if (kind !== "drop") return;
    const field = area.querySelector("input[type=file][multiple]");
    field.files = event.dataTransfer.files;
    send(form(area));
  });
}

const bar = (event) => form(event.target)?.querySelector(".drop__progress");
document.addEventListener("htmx:xhr:progress", (event) => {
  const progress = bar(event);
  const { loaded, total } = event.detail;
  if (!progress || !total) return;
  progress.hidden = ![...form(progress).elements].some((field) => field.files?.length);
  progress.value = (100 * loaded) / total;
});
document.addEventListener("htmx:afterRequest", (event) => {
  const progress = bar(event);
  if (progress) progress.hidden = true;
});
