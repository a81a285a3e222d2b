/* Claims of an answer: a marked stretch opens the quote behind it, one at a time in its answer. */
const sourceOf = (claim) => document.getElementById(claim.getAttribute("href").slice(1));

function close(source) {
  source.hidden = true;
  for (const claim of document.querySelectorAll(`a.claim[href="#${CSS.escape(source.id)}"]`)) {
    claim.setAttribute("aria-expanded", "false");
  }
}

function open(claim) {
  const source = sourceOf(claim);
  if (!source) return;
  const isOpen = claim.getAttribute("aria-expanded") === "true";
  for (const other of claim.closest(".message").querySelectorAll(".source:not([hidden])")) close(other);
  if (isOpen) return;
  source.hidden = false;
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
  const source = event.target.closest(".source [data-close]")?.closest(".source");
  if (source) {
    const claim = document.querySelector(`a.claim[aria-expanded="true"][href="#${CSS.escape(source.id)}"]`);
    close(source);
    claim?.focus();
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const at = event.target.closest?.(".message");
  const source = at?.querySelector(".source:not([hidden])");
  if (!source) return;
  const claim = at.querySelector('a.claim[aria-expanded="true"]');
  close(source);
  claim?.focus();
});
