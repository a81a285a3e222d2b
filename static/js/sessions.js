/* The list of conversations: Escape leaves a title. */
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing) return;
  event.target.closest("form.talk-row__naming")?.querySelector("[data-cancel]")?.click();
});
