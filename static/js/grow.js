/* Text areas grow with their text where the browser cannot do it by itself (`data-grow`). */
const grow = (area) => {
  area.style.blockSize = "auto";
  area.style.blockSize = `${area.scrollHeight + 2}px`;
};

if (!CSS.supports("field-sizing", "content")) {
  document.addEventListener("input", (event) => {
    if (event.target.matches("textarea[data-grow]")) grow(event.target);
  });
}
