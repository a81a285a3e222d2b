/* A number with its two thumbs (`data-stepper`): buttons and arrow keys change it in whole steps. */
const PAUSE_MS = 350;
const waiting = new WeakMap();

function change(input, by) {
  const now = Number.parseFloat(input.value.replace(",", ".")) || 0;
  const next = Math.min(100, Math.max(0, by > 0 ? Math.floor(now) + by : Math.ceil(now) + by));
  input.value = String(next);
  /* several presses in a row are one save */
  clearTimeout(waiting.get(input));
  waiting.set(
    input,
    setTimeout(() => input.dispatchEvent(new Event("change", { bubbles: true })), PAUSE_MS),
  );
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-stepper] [data-step]");
  if (button) change(button.closest("[data-stepper]").querySelector("input"), Number(button.dataset.step));
});

document.addEventListener("keydown", (event) => {
  if (!event.target.matches("[data-stepper] input")) return;
  const by = { ArrowUp: 1, ArrowDown: -1, PageUp: 5, PageDown: -5 }[event.key];
  if (!by) return;
  event.preventDefault();
  change(event.target, by);
});
