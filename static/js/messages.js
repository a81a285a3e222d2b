/* What can be done with single turns: copy, edit in place, say why an answer was not good. Other
   buttons are htmx's; what changed arrives by the socket, in every tab, and words that are being
   written outlive it. */
const texts = document.getElementById("turn-texts")?.dataset ?? {};
const status = document.getElementById("turn-status");
const token = () => document.querySelector("#turn [name=csrfmiddlewaretoken]").value;

function announce(words) {
  if (!status || !words) return;
  status.textContent = "";
  requestAnimationFrame(() => (status.textContent = words)); // the same words twice are news twice
}

/* The server's answer to a form: null when it was taken, else words that say why it was not. */
async function post(address, form) {
  const data = new FormData(form);
  data.set("csrfmiddlewaretoken", token());
  try {
    const answer = await fetch(address, {
      method: "POST",
      body: data,
      headers: { Accept: "application/json" },
    });
    if (answer.ok) return null;
    const failure = await answer.json().catch(() => null);
    return failure?.error?.message ?? texts.failed;
  } catch {
    return texts.failed;
  }
}

function complain(form, words) {
  const place = form.querySelector("[role=alert]");
  place.textContent = words;
  place.hidden = !words;
}

/* What somebody opened or closed in a message stays so when the message comes anew. */
document.addEventListener("htmx:oobBeforeSwap", ({ detail: { target, fragment } }) => {
  if (!target.matches(".message")) return;
  const standing = target.querySelectorAll("details");
  const arriving = fragment.querySelectorAll("details");
  if (standing.length !== arriving.length) return;
  arriving.forEach((part, place) => (part.open = standing[place].open));
});

/* Copying: the source as it was written. Without the right to, by hand. */
async function copy(button) {
  const { source } = button.closest(".message").dataset;
  try {
    await navigator.clipboard.writeText(source);
  } catch {
    if (!copyOldWay(source)) {
      copyByHand(button, source);
      return;
    }
    button.focus();
  }
  announce(texts.copied);
  button.dataset.done = texts.copied;
  setTimeout(() => delete button.dataset.done, 2000);
}

function copyArea(source) {
  const area = document.createElement("textarea");
  area.className = "input copy-area";
  area.readOnly = true;
  area.value = source;
  return area;
}

function copyOldWay(source) {
  const area = copyArea(source);
  document.body.append(area);
  area.select();
  let isCopied = false;
  try {
    isCopied = document.execCommand("copy");
  } catch {
    isCopied = false;
  }
  area.remove();
  return isCopied;
}

function copyByHand(button, source) {
  const area = copyArea(source);
  const note = document.createElement("p");
  note.className = "small";
  note.textContent = texts.byHand;
  const box = document.createElement("div");
  box.className = "by-hand";
  box.append(note, area);
  button.closest(".message").append(box);
  area.setAttribute("aria-label", texts.byHand);
  area.focus();
  area.select();
  announce(texts.byHand);
  const away = () => box.remove();
  area.addEventListener("blur", away);
  area.addEventListener("keydown", (event) => {
    if (event.key === "Escape") button.focus();
  });
}

/* One editor at a time, in the place of the message. */
let editor = null;

function openEditor(link) {
  if (editor && !closeEditor({ ifUnchanged: true })) {
    editor.area.focus();
    return;
  }
  const turn = link.closest(".message");
  const form = document.getElementById("turn-editor").content.cloneNode(true).firstElementChild;
  const area = form.elements.text;
  area.value = turn.dataset.source;
  const marks = { area, store: form.elements.pasted };
  document.dispatchEvent(new CustomEvent("futura:marks-pasted", { detail: marks }));
  const save = form.querySelector("[data-save]");
  const waits = "waits" in link.dataset;
  save.textContent = waits ? save.dataset.waiting : save.dataset.last;
  editor = {
    form,
    area,
    turnId: turn.id,
    linkId: link.id,
    address: link.dataset.edit,
    source: area.value,
    done: waits ? texts.saved : texts.again,
    isSending: false,
  };
  place(turn);
  area.dispatchEvent(new Event("input", { bubbles: true }));
  area.focus();
  area.setSelectionRange(area.value.length, area.value.length);
}

function place(turn) {
  turn.dataset.editing = "true";
  turn.append(editor.form);
}

function closeEditor({ ifUnchanged = false, focus = false } = {}) {
  if (!editor) return true;
  if (ifUnchanged && editor.area.value !== editor.source) return false;
  const { form, linkId, turnId } = editor;
  editor = null;
  form.remove();
  document.getElementById(turnId)?.removeAttribute("data-editing");
  if (focus) document.getElementById(linkId)?.focus();
  return true;
}

async function saveEditor() {
  if (!editor || editor.isSending) return;
  if (editor.area.value.trim() === editor.source.trim()) {
    closeEditor({ focus: true });
    return;
  }
  const sent = editor;
  sent.isSending = true;
  complain(sent.form, "");
  const refusal = await post(sent.address, sent.form);
  sent.isSending = false;
  if (editor !== sent) return;
  if (!refusal) {
    closeEditor({ focus: true });
    announce(sent.done);
  } else if (sent.form.isConnected) {
    complain(sent.form, refusal);
    sent.area.focus();
  } else {
    moveToComposer(refusal);
  }
}

function moveToComposer(words) {
  const { area, source } = editor;
  const text = area.value;
  closeEditor();
  if (text === source) return;
  document.dispatchEvent(new CustomEvent("futura:keep", { detail: { text, words } }));
}

/* The socket replaced a turn: the editor goes back into it, or its words into the composer. */
function returnEditor(hadFocus, selection) {
  if (!editor || editor.form.isConnected || editor.isSending) return;
  const turn = document.getElementById(editor.turnId);
  const link = document.getElementById(editor.linkId);
  if (!turn || link?.dataset.edit !== editor.address) {
    moveToComposer(texts.taken);
    return;
  }
  place(turn);
  if (!hadFocus) return;
  editor.area.focus();
  editor.area.setSelectionRange(...selection);
}

let held = null;
document.addEventListener("htmx:wsBeforeMessage", () => {
  const focused = document.activeElement;
  held = {
    focused: focused?.closest("#log") ? focused : null,
    inEditor: Boolean(editor && focused === editor.area),
    selection: editor ? [editor.area.selectionStart, editor.area.selectionEnd] : [0, 0],
  };
});
document.addEventListener("htmx:wsAfterMessage", () => {
  if (!held) return;
  returnEditor(held.inEditor, held.selection);
  const { focused } = held;
  held = null;
  if (!focused || focused.isConnected || document.activeElement !== document.body) return;
  const again = focused.id ? document.getElementById(focused.id) : null;
  if (again?.checkVisibility()) again.focus({ preventScroll: true });
  else if (matchMedia("(pointer: fine)").matches) document.getElementById("say")?.focus();
});

/* Why an answer was not good: beside its button on a desk, a sheet from below on a phone. */
const why = document.getElementById("why");

function openWhy(opener) {
  const form = why.querySelector("form");
  if (form.action !== new URL(opener.dataset.why, location.href).href) {
    const given = new Set((opener.dataset.reasons ?? "").split(" "));
    form.setAttribute("action", opener.dataset.why);
    for (const box of form.querySelectorAll("[name=reasons]")) box.checked = given.has(box.value);
    form.elements.comment.value = opener.dataset.comment ?? "";
    complain(form, "");
  }
  why.dataset.opener = opener.id;
  why.showPopover();
  const spot = opener.getBoundingClientRect();
  const box = why.getBoundingClientRect();
  const above = Math.max(8, spot.top - box.height - 8);
  why.style.setProperty("--at-block", `${above}px`);
  why.style.setProperty("--at-inline", `${Math.max(8, spot.left)}px`);
  form.querySelector("[name=reasons]").focus({ preventScroll: true });
}

function closeWhy() {
  why.hidePopover();
}

/* The browser gives the focus back itself, unless the button was replaced meanwhile. */
why?.addEventListener("toggle", (event) => {
  const at = document.activeElement;
  if (event.newState !== "closed" || (at !== document.body && !why.contains(at))) return;
  document.getElementById(why.dataset.opener)?.focus({ preventScroll: true });
});

async function sendWhy(form) {
  const refusal = await post(form.getAttribute("action"), form);
  complain(form, refusal ?? "");
  if (refusal) return;
  form.removeAttribute("action"); // opened again, it shows what the page then knows
  closeWhy();
  announce(texts.thanks);
}

document.addEventListener("click", (event) => {
  const control = event.target.closest("[data-copy], [data-edit], [data-why], [data-cancel]");
  if (!control || event.metaKey || event.ctrlKey) return;
  if ("copy" in control.dataset) copy(control);
  if ("edit" in control.dataset) {
    event.preventDefault();
    openEditor(control);
  }
  if ("why" in control.dataset) {
    if (control.matches("a")) event.preventDefault(); // the button also sends its rating
    openWhy(control);
  }
  if ("cancel" in control.dataset && (editor?.form.contains(control) || why.contains(control))) {
    event.preventDefault();
    if (why.contains(control)) closeWhy();
    else closeEditor({ focus: true });
  }
});

document.addEventListener("submit", (event) => {
  if (editor && event.target === editor.form) {
    event.preventDefault();
    saveEditor();
  } else if (why?.contains(event.target)) {
    event.preventDefault();
    sendWhy(event.target);
  }
});

document.addEventListener("keydown", (event) => {
  const isMine = editor && event.target === editor.area;
  if (isMine && event.key === "Escape") closeEditor({ focus: true });
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
  if (isMine) saveEditor();
  else if (why?.contains(event.target)) sendWhy(event.target.form);
});

document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful) announce(event.detail.elt.dataset?.said);
});
