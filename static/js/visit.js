/* The public page of a portfolio: Enter asks the first question, and a question goes once. */
const first = document.querySelector("form[data-begins]");

first?.elements.text.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  if (matchMedia("(pointer: coarse)").matches) return; // there the key makes a new line
  event.preventDefault();
  first.requestSubmit();
});

/* The page is left for the answer; a second press meanwhile would ask the same again. */
document.addEventListener("submit", ({ target, defaultPrevented }) => {
  if (defaultPrevented || !target.matches("form[data-begins], .ask-next")) return;
  setTimeout(() => {
    for (const one of target.querySelectorAll("button")) one.disabled = true;
  });
});
window.addEventListener("pageshow", () => {
  for (const one of document.querySelectorAll("form[data-begins] button, .ask-next button")) {
    one.disabled = false;
  }
});

/* In a frame on another site, Escape closes the frame, unless it closed something in it. */
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
  if (parent !== window) parent.postMessage("futura:close", "*");
});
