/* Before an answer is made anew, what it had changed is undone. That is said first, and can be
   left; while a message is reworded, a note in its editor says the same. */
const dialog = document.getElementById("anew");
const note = document.getElementById("anew-note");

const changesOf = (answer) => answer?.querySelector(".ledger-line [data-standing]");

function answerTo(message) {
  const next = message?.nextElementSibling;
  return next?.matches(".message--person") ? null : next;
}

document.addEventListener("htmx:confirm", (event) => {
  const { elt: button, issueRequest } = event.detail;
  const answer = button.id.startsWith("again-") ? button.closest(".message") : null;
  const changes = changesOf(answer);
  if (!dialog || !changes) return;
  event.preventDefault();
  dialog.querySelector("[data-changes]").textContent = changes.textContent.trim();
  dialog.returnValue = "";
  dialog.addEventListener(
    "close",
    () => {
      if (dialog.returnValue === "go") issueRequest(true);
      else document.getElementById(button.id)?.focus();
    },
    { once: true },
  );
  dialog.showModal();
});

document.addEventListener("click", (event) => {
  const turn = event.target.closest("[data-edit]")?.closest(".message--person");
  if (!note || !changesOf(answerTo(turn))) return;
  requestAnimationFrame(() => {
    const foot = turn.querySelector("[data-editor] .editor__foot");
    if (foot && !turn.querySelector("[data-anew]")) foot.before(note.content.cloneNode(true));
  });
});
