/* Claims of an answer: a marked stretch opens the quote behind it, under its paragraph, one at a
   time. Without this script every quote stands below the answer. */
const WITHIN = ".message, [data-claims]";
const sourceOf = (claim) => document.getElementById(claim.getAttribute("href").slice(1));
const opened = (within) => within.querySelector('a.claim[aria-expanded="true"]');

function shut(claim, { focus = false } = {}) {
  const source = sourceOf(claim);
  if (source) delete source.dataset.open;
  claim.setAttribute("aria-expanded", "false");
  if (focus) claim.focus();
}

function open(claim) {
  const source = sourceOf(claim);
  if (!source) return;
  const message = claim.closest(WITHIN);
  const before = opened(message);
  if (before) shut(before);
  if (before === claim) return;
  claim.closest(".message__text > *, .prose > *")?.after(source);
  source.dataset.open = "true";
  claim.setAttribute("aria-expanded", "true");
  claim.setAttribute("aria-controls", source.id);
  source.scrollIntoView({ block: "nearest" });
}

document.addEventListener("click", (event) => {
  const claim = event.target.closest("a.claim");
  if (claim && !event.metaKey && !event.ctrlKey) {
    event.preventDefault();
    open(claim);
  }
  const message = event.target.closest(".source [data-close]")?.closest(WITHIN);
  const at = message && opened(message);
  if (at) shut(at, { focus: true });
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const message = event.target.closest?.(WITHIN);
  const at = message && opened(message);
  if (!at) return;
  event.preventDefault();
  shut(at, { focus: true });
});
