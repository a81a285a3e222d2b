/* Copies the text of a field that a button names (data-copy), and says so on the button. */
async function put(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select(); /* no clipboard here: the keys still work */
    return false;
  }
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const words = button.querySelector("span");
  if (!(await put(document.getElementById(button.dataset.copy)))) return;
  const before = words.textContent;
  words.textContent = button.dataset.copied;
  setTimeout(() => (words.textContent = before), 2000);
});
