/* Ticks on suggestions outlive a reply that comes anew while they are on their way: they stay set,
   and are saved again, for htmx sends nothing more of a form that is gone. */
const LATE_MS = 2000; // a reply read before a tick was saved may come after the answer to its saving

const ticks = new Map(); // form id → { value: checked } that the person set lately

document.addEventListener("change", ({ target }) => {
  const form = target.closest("form[data-cards]");
  if (!form || target.name !== "card") return;
  ticks.set(form.id, { ...ticks.get(form.id), [target.value]: target.checked });
});

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const form = detail.elt;
  const saved = ticks.get(form.id);
  if (!saved || !detail.successful) return;
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
