/* Rows in an order of their own: dragged by the grip, or moved by their buttons. Any form with
   [data-arrange] whose rows [data-arrange-item] each carry their id in a hidden field; the button
   [data-arrange-done] sends the new order. After a move the focus stays with what was moved. */
let dragged = null;

document.addEventListener("pointerdown", (event) => {
  const grip = event.target.closest?.("[data-arrange] [data-grip]");
  if (!grip || event.button > 0) return;
  event.preventDefault();
  const row = grip.closest("[data-arrange-item]");
  dragged = { row, after: row.nextElementSibling };
  row.dataset.dragged = "";
  grip.setPointerCapture(event.pointerId);
});

document.addEventListener("pointermove", (event) => {
  if (!dragged) return;
  const under = document.elementFromPoint(event.clientX, event.clientY);
  const over = under?.closest("[data-arrange-item]");
  if (!over || over === dragged.row || over.parentElement !== dragged.row.parentElement) return;
  const box = over.getBoundingClientRect();
  const isBelow = event.clientY > box.top + box.height / 2;
  over.parentElement.insertBefore(dragged.row, isBelow ? over.nextElementSibling : over);
});

function drop(event) {
  if (!dragged) return;
  const { row, after } = dragged;
  dragged = null;
  delete row.dataset.dragged;
  if (event.type === "pointercancel") {
    row.parentElement.insertBefore(row, after);
    return;
  }
  if (row.nextElementSibling !== after) row.closest("form").querySelector("[data-arrange-done]").click();
}
document.addEventListener("pointerup", drop);
document.addEventListener("pointercancel", drop);

/* What cannot move any further says so, and does nothing. */
document.addEventListener(
  "click",
  (event) => {
    if (!event.target.closest?.("[data-arrange] [aria-disabled=true]")) return;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);
