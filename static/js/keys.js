/* Keys that lead to what carries `data-keys` ("Alt+KeyP"): a link is followed, a button pressed.
   Never while something is being written, and never without Alt, so that no single letter acts. */
const WRITING = "input, textarea, select, [contenteditable]";

const keysOf = (event) => `Alt+${event.code}`;

document.addEventListener("keydown", (event) => {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest?.(WRITING)) return;
  const pressed = keysOf(event);
  const control = [...document.querySelectorAll("[data-keys]")].find(
    (element) => element.dataset.keys === pressed,
  );
  if (!control) return;
  event.preventDefault();
  control.click();
});
