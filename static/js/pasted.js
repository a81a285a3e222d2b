/* Stretches that were pasted into a message, and the words of text files that are attached to it or
   dropped on it, are marked as not the person's own words: they are
   known by how they came, keep to their text while it is edited, and the mark can be taken off.
   The form's field `pasted` holds them as [[start, end], …] in characters, not in UTF-16 units. */
const LEAST = 300;
const SHOWN = 60;
const FILE_BYTES = 1_000_000;

const characters = (text) => [...text].length;
const units = (text, count) => [...text].slice(0, count).join("").length;

/* What one edit changed: [from, to] of the text before gave way to [from, end] of the text now. */
function change(before, now, caret) {
  let tail = now.length - caret;
  if (tail > before.length || !before.endsWith(now.slice(caret))) {
    tail = 0;
    const most = Math.min(before.length, now.length);
    while (tail < most && before.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  }
  const most = Math.min(before.length, now.length) - tail;
  let from = 0;
  while (from < most && before[from] === now[from]) from += 1;
  return { from, to: before.length - tail, end: now.length - tail };
}

function moved(ranges, { from, to, end }) {
  const shift = end - to;
  const shifted = ranges.map(([first, last]) => [
    first <= from ? first : first >= to ? first + shift : from,
    last <= from ? last : last >= to ? last + shift : end,
  ]);
  return shifted.filter(([first, last]) => first < last);
}

/* Keeps the marks of a field in step; `show` is told of them after each change. */
function track(area, store, show = () => {}) {
  let before = area.value;
  let ranges = [];

  const read = () => {
    before = area.value;
    const stored = JSON.parse(store.value || "[]");
    ranges = stored.map((pair) => pair.map((place) => units(before, place)));
    show(ranges);
  };
  const write = () => {
    const inCharacters = ranges.map((pair) =>
      pair.map((place) => characters(before.slice(0, place))),
    );
    store.value = JSON.stringify(inCharacters);
    show(ranges);
  };
  area.addEventListener("input", (event) => {
    const edit = change(before, area.value, area.selectionEnd);
    before = area.value;
    ranges = moved(ranges, edit);
    // redoing brings back what was pasted, too
    const isFromElsewhere = /^(insertFrom|history)/.test(event.inputType ?? "");
    if (isFromElsewhere && edit.end - edit.from >= LEAST) {
      ranges = ranges.filter(([first, last]) => first < edit.from || last > edit.end);
      ranges.push([edit.from, edit.end]);
    }
    write();
  });
  store.addEventListener("futura:pasted", read);
  read();
  return (range) => {
    ranges = ranges.filter((other) => other !== range);
    write();
  };
}

/* Another field, such as the editor of a message, asks for its marks. */
document.addEventListener("futura:marks-pasted", ({ detail }) => track(detail.area, detail.store));

/* The words of a file; none when it is too large or holds no text. Spreadsheets write their tables
   as UTF-16 with a mark, or in the letters of Western Europe; others would be read wrongly: words
   of those have no four letters in a row that English lacks, as Russian and Chinese ones have. */
async function wordsOf(file) {
  if (file.size > FILE_BYTES) return "";
  const bytes = new Uint8Array(await file.arrayBuffer());
  const mark = `${bytes[0]} ${bytes[1]}`;
  const wide = { "255 254": "utf-16le", "254 255": "utf-16be" }[mark];
  let text;
  try {
    text = new TextDecoder(wide ?? "utf-8", { fatal: true }).decode(bytes);
  } catch {
    text = new TextDecoder("windows-1252").decode(bytes);
    if (/([\xa1-\xff])(?!\1)[\xa1-\xff]{3}/.test(text)) return "";
  }
  return /[\0-\x08\x0e-\x1a\x7f-\x9f]/.test(text) ? "" : text;
}

/* Files come into the field under their names, each as a marked stretch, by button or by drop. */
function takeFiles(area, store, box) {
  const button = document.querySelector(`[data-attach-to="${area.id}"]`);
  if (!button) return;
  const input = document.createElement("input");
  Object.assign(input, { type: "file", multiple: true, accept: "text/*,.md,.csv,.json,.eml,.ics" });

  async function take(files) {
    for (const file of files) {
      const words = await wordsOf(file);
      if (!words.trim()) {
        box.textContent = button.dataset.refused.replace("{name}", file.name);
        box.hidden = false;
        continue;
      }
      if (area.value) area.value += "\n\n";
      const start = characters(area.value);
      area.value += `${file.name}:\n\n${words}`;
      const marked = [...JSON.parse(store.value || "[]"), [start, characters(area.value)]];
      store.value = JSON.stringify(marked);
      store.dispatchEvent(new Event("futura:pasted"));
      area.dispatchEvent(new Event("input", { bubbles: true }));
    }
    input.value = "";
    area.focus();
  }
  button.hidden = false;
  button.addEventListener("click", () => input.click());
  input.addEventListener("change", () => take([...input.files]));
  area.addEventListener("dragover", (event) => {
    if (event.dataTransfer.types.includes("Files")) event.preventDefault();
  });
  area.addEventListener("drop", (event) => {
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    take([...event.dataTransfer.files]);
  });
}

for (const box of document.querySelectorAll("[data-pasted-for]")) {
  const area = document.getElementById(box.dataset.pastedFor);
  takeFiles(area, area.form.elements.pasted, box);
  const drop = track(area, area.form.elements.pasted, (ranges) => {
    box.hidden = !ranges.length;
    box.replaceChildren(
      ...ranges.map((range) => {
        const row = document.createElement("p");
        const words = document.createElement("q");
        const text = area.value.slice(...range).trim();
        words.textContent = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
        const own = document.createElement("button");
        own.type = "button";
        own.className = "action";
        own.textContent = box.dataset.own;
        own.addEventListener("click", () => {
          drop(range);
          area.focus();
          area.dispatchEvent(new Event("input", { bubbles: true })); // the draft forgets it, too
        });
        row.append(`${box.dataset.text} `, words, " ", own);
        return row;
      }),
    );
  });
}
