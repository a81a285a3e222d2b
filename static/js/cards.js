/* Ticks on suggestions outlive a reply that comes anew while they are on their way: they stay set,
   and are saved again, for htmx sends nothing more of a form that is gone. */
const LATE_MS = 2000; // a reply read before a tick was saved may come after the answer to its saving

const ticks = new Map(); // form id → { value: checked } that the person set lately
const saving = new Set(); // form ids

const cardsIn = (data) => String(data.getAll("card"));

function save(form) {
  form.querySelector("[name=card]").dispatchEvent(new Event("change", { bubbles: true }));
}

document.addEventListener("change", ({ target }) => {
  const form = target.closest("form[data-cards]");
  if (!form || target.name !== "card") return;
  ticks.set(form.id, { ...ticks.get(form.id), [target.value]: target.checked });
});

/* One saving of a reply's ticks at a time, of its old form or its new one: two might be stored in
   the wrong order. What stands when one is over is saved next. */
document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, xhr, requestConfig } = event.detail;
  if (!elt.matches("form[data-cards]")) return;
  if (saving.has(elt.id)) {
    event.preventDefault();
    return;
  }
  saving.add(elt.id);
  xhr.addEventListener("loadend", () => {
    saving.delete(elt.id);
    const form = document.getElementById(elt.id);
    if (!form) return;
    const saved = ticks.get(form.id);
    if (cardsIn(requestConfig.formData) !== cardsIn(new FormData(form))) save(form);
    else if (xhr.status >= 200 && xhr.status < 300)
      setTimeout(() => ticks.get(form.id) === saved && ticks.delete(form.id), LATE_MS);
  });
});

document.addEventListener("htmx:wsAfterMessage", () => {
  for (const [id, set] of ticks) {
    const form = document.getElementById(id);
    const boxes = form?.querySelectorAll("[name=card]") ?? [];
    const lost = [...boxes].filter(({ value, checked }) => checked !== (set[value] ?? checked));
    for (const box of lost) box.checked = set[box.value];
    if (lost.length) save(form);
  }
});
