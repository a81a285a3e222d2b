/* Words of one's own answers as tasks: a selection is offered as a task, a mark is a switch that
   the Space key works, too. The server knows where the words stand; what changed comes by the
   socket. */
const LATER_MS = 200; // a selection that is still growing offers nothing yet
const GAP = 8;

const button = document.getElementById("mark-add");
let selected = null; // { address, words, at }
let timer = 0;

/* The text of an own answer that the whole selection lies in. */
function textOf(range) {
  const holder = range.commonAncestorContainer;
  const at = holder.nodeType === Node.ELEMENT_NODE ? holder : holder.parentElement;
  const text = at?.closest(".message--person .message__text");
  return text?.closest(".message")?.querySelector("a[data-words]") ? text : null;
}

function offer() {
  const selection = getSelection();
  const range = selection.rangeCount && !selection.isCollapsed ? selection.getRangeAt(0) : null;
  const text = range && textOf(range);
  const words = selection.toString().trim();
  if (!text || !words) {
    hide();
    return;
  }
  const before = range.cloneRange();
  before.selectNodeContents(text);
  before.setEnd(range.startContainer, range.startOffset);
  const { href } = text.closest(".message").querySelector("a[data-words]");
  selected = { address: href, words, at: before.toString().length };
  if (text.nextElementSibling !== button) text.after(button); // the next stop of the Tab key
  button.hidden = false;
  place(range);
}

function place(range) {
  const box = range.getBoundingClientRect();
  const size = button.getBoundingClientRect();
  const below = box.bottom + GAP;
  const fits = below + size.height < innerHeight;
  const inline = Math.min(box.left, innerWidth - size.width - GAP);
  button.style.setProperty("--at-block", `${fits ? below : box.top - size.height - GAP}px`);
  button.style.setProperty("--at-inline", `${Math.max(GAP, inline)}px`);
}

function hide() {
  if (button.contains(document.activeElement)) return;
  selected = null;
  button.hidden = true;
}

async function add() {
  if (!selected) return;
  const { address, words, at } = selected;
  getSelection().removeAllRanges();
  const values = { words, at, is_task: "1" };
  await htmx.ajax("POST", address, { source: button, swap: "none", values });
  button.blur();
  hide();
}

if (button) {
  document.addEventListener("selectionchange", () => {
    clearTimeout(timer);
    timer = setTimeout(offer, LATER_MS);
  });
  document.querySelector("[data-scroller]")?.addEventListener("scroll", () => {
    const selection = getSelection();
    if (!button.hidden && selection.rangeCount) place(selection.getRangeAt(0));
  });
  button.addEventListener("pointerdown", (event) => event.preventDefault()); // keeps the selection
  button.addEventListener("click", add);
  button.addEventListener("blur", hide);
}

document.addEventListener("keydown", (event) => {
  if (event.key !== " " || !event.target.matches?.(".mark-switch")) return;
  event.preventDefault();
  event.target.click();
});

/* Whoever selects words across a mark does not mean to switch it. */
document.addEventListener(
  "click",
  (event) => {
    if (!event.target.closest?.(".mark-switch") || getSelection().isCollapsed) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);
