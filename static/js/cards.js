/* Ticks on suggestions outlive a reply that comes anew while they are on their way: they stay set,
   and are saved again, for htmx sends nothing more of a form that is gone. */
const LATE_MS = 2000; // a reply read before a tick was saved may come after the answer to its saving

const ticks = new Map(); // form id → { value: checked } that the person set lately

document.addEventListener("change", ({ target }) => {
  const form = target.closest("form[data-cards]");
  if (!form || target.name !== "card") return;
  ticks.set(form.id, { ...ticks.get(form.id), [target.value]: target.checked });
});

document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig, successful } }) => {
  const forms = [...document.querySelectorAll("form[data-cards]")];
  const form = forms.find((other) => other.getAttribute("hx-post") === requestConfig.path);
  if (!form || !successful) return;
  // two forms of the same reply may have saved at once, and the older one last
  const [sent, standing] = [requestConfig.formData, new FormData(form)].map((data) => data.getAll("card"));
  if (String(sent) !== String(standing)) {
    form.elements.card[0].dispatchEvent(new Event("change", { bubbles: true }));
    return;
  }
  const saved = ticks.get(form.id);
  setTimeout(() => ticks.get(form.id) === saved && ticks.delete(form.id), LATE_MS);
});

document.addEventListener("htmx:wsAfterMessage", () => {
  for (const [id, set] of ticks) {
    const boxes = document.getElementById(id)?.querySelectorAll("[name=card]") ?? [];
    const lost = [...boxes].filter(({ value, checked }) => checked !== (set[value] ?? checked));
    for (const box of lost) box.checked = set[box.value];
    lost[0]?.dispatchEvent(new Event("change", { bubbles: true }));
  }
});
