/* Where a person writes: sends, stops, keeps the text until it has arrived, and a draft of it. */
const DRAFT_MS = 800;
const AGAIN_MS = 3000;
const AGAIN_AT_MOST_MS = 30000;

/* A frame on another site may have no storage at all. */
const storage = (() => {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
})();

const counted = (number) => number.toLocaleString(document.documentElement.lang || "en");

const GONE = new Set([401, 404]); // signed out meanwhile; a page from before is refused with 403

const form = document.querySelector("form[data-composer]");
if (form) attach(form);

function attach(form) {
  const area = form.elements.text;
  const note = () => document.getElementById("composer-note");
  const texts = document.getElementById("composer-texts").dataset;
  const count = document.querySelector("[data-count]");
  const wait = document.getElementById("composer-wait"); // counts down by itself (countdown.js)
  const limit = Number(form.dataset.limit);
  let sending = false;
  let isHeld = false; // not sent because the line is down
  let draftTimer;
  let againTimer;
  let tries = 0;
  let pending; // the message as it is shown before the server's own arrives
  let isBehind = false; // whether that waits for another reply to end
  let tried; // the words that the server may have got already, under the present id
  const outbox = `futura:unsent:${form.action}`; // outlives a reload without a line

  const say = (words) => {
    const place = note();
    place.textContent = words;
    place.hidden = !words;
  };

  function showState() {
    const state = document.getElementById("run-state");
    if (!state) return;
    form.dataset.state = state.dataset.state;
    form.elements.run.value = state.dataset.run;
  }

  function showCount() {
    const left = limit - area.value.length;
    count.hidden = left > limit / 10;
    count.textContent = (left >= 0 ? texts.left : texts.over).replace("{n}", counted(Math.abs(left)));
  }

  const body = (fields) => {
    const data = new FormData();
    // a frame on another site has its own token, and neither cookies nor drafts
    for (const name of ["csrfmiddlewaretoken", "visitor"]) {
      if (form.elements[name]) data.set(name, form.elements[name].value);
    }
    for (const [name, value] of Object.entries(fields)) data.set(name, value);
    return data;
  };

  const post = (address, fields) =>
    fetch(address, { method: "POST", body: body(fields), headers: { Accept: "application/json" } });

  /* What stands in the field, and which of it was pasted (pasted.js), where that is marked. */
  const marks = form.elements.pasted;
  const written = () => ({ text: area.value, ...(marks && { pasted: marks.value }) });

  /* The text stays where it is until the server has it; the id makes a second try harmless. */
  async function send() {
    const { text, ...pasted } = written();
    if (sending || wait.dataset.left) return;
    if (!text.trim()) {
      say(texts.empty);
      area.focus();
      return;
    }
    sending = true;
    clearTimeout(draftTimer);
    clearTimeout(againTimer);
    if (tried !== undefined && tried !== text) form.elements.client_id.value = newId();
    tried = text;
    document.dispatchEvent(new CustomEvent("futura:sent"));
    showAsSent(text);
    try {
      const fields = { text, ...pasted, client_id: form.elements.client_id.value };
      const answer = await post(form.action, fields);
      if (answer.ok) arrived(text);
      else await refused(answer);
    } catch {
      later();
    } finally {
      sending = false;
      delete form.dataset.sending;
    }
  }

  /* The message stands in the talk at once; the field only looks empty until the server has it. */
  function showAsSent(text) {
    const log = document.getElementById("log");
    if (!log) return;
    form.dataset.sending = "true";
    isBehind = form.dataset.state === "streaming";
    pending = document.createElement("article");
    pending.className = "message message--person";
    pending.dataset.state = "queued";
    const words = document.createElement("div");
    words.className = "message__text message__typed";
    words.textContent = text.trim();
    pending.append(words);
    log.append(pending);
  }

  function arrived(text) {
    forget();
    if (pending && !isBehind) pending.dataset.taken = ""; // its own reply is on the way
    tried = undefined;
    say("");
    wait.hidden = true;
    area.value = area.value.startsWith(text) ? area.value.slice(text.length) : area.value;
    form.elements.client_id.value = newId();
    area.dispatchEvent(new Event("input", { bubbles: true }));
  }

  async function refused(answer) {
    pending?.remove();
    if (answer.status >= 502 && answer.status <= 504) {
      later();
      return;
    }
    forget();
    const failure = await answer.json().catch(() => null);
    if (failure?.error?.code === "id_taken") form.elements.client_id.value = newId();
    if (texts.gone && (GONE.has(answer.status) || (answer.status === 403 && !failure))) {
      keep(); // for when the page is opened again, signed in
      say(texts.gone);
      return;
    }
    const seconds = Number(answer.headers.get("Retry-After"));
    if (answer.status === 429 && seconds > 0) {
      wait.dispatchEvent(new CustomEvent("futura:wait", { bubbles: true, detail: { seconds } }));
    }
    // a rate is said by the countdown alone
    say(failure?.error?.code === "too_many" ? "" : failure?.error?.message ?? texts.failed);
  }

  function later() {
    pending?.remove();
    isHeld = true;
    say(texts.offline);
    keep();
    clearTimeout(againTimer);
    const pause = Math.min(AGAIN_MS * 1.5 ** tries++, AGAIN_AT_MOST_MS);
    againTimer = setTimeout(send, pause * (0.75 + Math.random() / 2));
  }

  const keep = () =>
    storage?.setItem(
      outbox,
      JSON.stringify({ text: tried, pasted: marks?.value, id: form.elements.client_id.value }),
    );

  function forget() {
    isHeld = false;
    tries = 0;
    storage?.removeItem(outbox);
  }

  /* What could not be sent before the page was loaded again; the id keeps it from going twice. Without
     an id it is what was being typed: the page may be back sooner than the server has its draft. */
  function takeUp() {
    const unsent = JSON.parse(storage?.getItem(outbox) ?? "null");
    if (!unsent) return;
    if (!unsent.id) {
      storage.removeItem(outbox);
      if (performance.getEntriesByType("navigation")[0].type === "navigate") return;
    } else if (!unsent.text.startsWith(area.value.trim())) return; // a draft is its beginning
    area.value = unsent.text;
    if (marks && unsent.pasted) {
      marks.value = unsent.pasted;
      marks.dispatchEvent(new Event("futura:pasted"));
    }
    if (!unsent.id) return;
    tried = unsent.text;
    form.elements.client_id.value = unsent.id;
    send();
  }

  function keepDraft() {
    clearTimeout(draftTimer);
    if (isHeld || sending || !form.dataset.draft) return;
    draftTimer = setTimeout(() => post(form.dataset.draft, written()).catch(() => {}), DRAFT_MS);
  }

  async function stop() {
    try {
      const answer = await post(form.dataset.stop, { run: form.elements.run.value });
      if (!answer.ok) await refused(answer);
    } catch {
      say(texts.failed);
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.submitter?.dataset.when === "streaming") stop();
    else send();
  });
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    if (matchMedia("(pointer: coarse)").matches) return; // there the key makes a new line
    event.preventDefault();
    send();
  });
  document.addEventListener("htmx:wsBeforeMessage", ({ detail }) => {
    if (detail.message.includes("message--person")) pending?.remove();
  });
  area.addEventListener("input", () => {
    delete form.dataset.sending;
    if (!isHeld) say("");
    showCount();
    keepDraft();
  });
  window.addEventListener("pagehide", () => {
    if (form.dataset.draft && area.value !== area.defaultValue && !sending) {
      navigator.sendBeacon(form.dataset.draft, body(written()));
      if (!isHeld) storage?.setItem(outbox, JSON.stringify(written()));
    }
  });
  /* Words that found no place elsewhere come here, below what is being written. */
  document.addEventListener("futura:keep", ({ detail }) => {
    area.value = area.value.trim() ? `${area.value}\n\n${detail.text}` : detail.text;
    area.dispatchEvent(new Event("input", { bubbles: true }));
    say(detail.words);
    area.focus();
  });
  document.addEventListener("futura:changed", showState);
  document.addEventListener("futura:online", () => isHeld && send());
  window.addEventListener("online", () => isHeld && send());
  takeUp();
  showCount();
  form.dataset.ready = "true";
}

/* `crypto.randomUUID` exists on secure pages only. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
