/* Text areas grow with their text where the browser cannot do it by itself (`data-grow`). A field
   that takes so many characters keeps a longer text whole and says by how much it is too long: a
   browser by itself cuts what is pasted, and says nothing. What is too long is not looked up. */
const grow = (area) => {
  area.style.blockSize = "auto";
  area.style.blockSize = `${area.scrollHeight + 2}px`;
};
const LIMITED = "textarea[maxlength], input[maxlength]:not([type=search])";
const limits = new WeakMap();

document.addEventListener("focusin", ({ target: area }) => {
  if (!area.matches(LIMITED)) return;
  limits.set(area, area.maxLength);
  area.removeAttribute("maxlength");
});

document.addEventListener("input", ({ target: area }) => {
  if (!CSS.supports("field-sizing", "content") && area.matches("textarea[data-grow]")) grow(area);
  if (!limits.has(area)) return;
  const over = area.value.length - limits.get(area);
  area.setCustomValidity(over > 0 ? document.body.dataset.tooLong.replace("{n}", over) : "");
});

document.addEventListener("change", ({ target: area }) => {
  if (limits.has(area) && area.validity.customError) area.reportValidity();
});

document.addEventListener("htmx:beforeRequest", (event) => {
  const field = event.detail.elt;
  if (limits.has(field) && field.validity.customError) event.preventDefault();
});
