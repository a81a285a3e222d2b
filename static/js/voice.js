/* Speaking instead of typing: the browser's own recognition where it works, else a recording that
   the server has written down, else no button. `data-voice` on the button says which. */
const MAX_MS = 120000;
const Recognition = window.SpeechRecognition ?? window.webkitSpeechRecognition;
const ELSEWHERE = new Set(["network", "service-not-allowed", "language-not-supported"]);

const button = document.querySelector("button[data-voice]");
if (button) attach(button);

function attach(button) {
  const form = button.form;
  const area = form.elements[button.dataset.voiceInto ?? "text"];
  const texts = document.getElementById("composer-texts").dataset;
  const { transcribe: address, lang } = button.closest("[data-transcribe]").dataset;
  const canRecord = Boolean(address && window.MediaRecorder && navigator.mediaDevices?.getUserMedia);
  const label = button.getAttribute("aria-label");
  let mode = Recognition ? "browser" : canRecord ? "record" : "none";
  let end = null; // stops what is listening now

  const say = (words) => {
    const place = document.getElementById("composer-note");
    place.textContent = words;
    place.hidden = !words;
  };

  function show(listening) {
    button.dataset.recording = listening;
    button.setAttribute("aria-pressed", listening);
    button.setAttribute("aria-label", listening ? button.dataset.labelStop : label);
    if (listening) say(texts.listening);
  }

  function write(words) {
    if (!words) return;
    const gap = area.value && !/\s$/.test(area.value) ? " " : "";
    area.value += gap + words;
    area.dispatchEvent(new Event("input", { bubbles: true }));
    area.focus();
  }

  function useMode(next) {
    mode = next;
    button.dataset.voice = mode;
    button.hidden = mode === "none";
  }

  function listen() {
    const recognition = new Recognition();
    let heard = false;
    let failed = "";
    recognition.lang = lang;
    recognition.continuous = true;
    recognition.interimResults = false;
    recognition.addEventListener("result", (event) => {
      for (let i = event.resultIndex; i < event.results.length; i += 1) {
        if (event.results[i].isFinal) write(event.results[i][0].transcript.trim());
        heard = true;
      }
    });
    recognition.addEventListener("error", (event) => { failed = event.error; });
    recognition.addEventListener("end", () => {
      end = null;
      show(false);
      if (ELSEWHERE.has(failed) && !heard) {
        useMode(canRecord ? "record" : "none");
        if (canRecord) record();
        else say(texts.voiceFailed);
      } else if (failed === "not-allowed") say(texts.denied);
      else if (failed === "audio-capture") say(texts.noMic);
      else if (failed && failed !== "aborted" && failed !== "no-speech") say(texts.voiceFailed);
      else say(heard ? "" : texts.notHeard);
    });
    end = () => recognition.stop();
    show(true);
    recognition.start();
  }

  async function record() {
    let stream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    } catch (error) {
      say(error.name === "NotFoundError" ? texts.noMic : texts.denied);
      return;
    }
    const recorder = new MediaRecorder(stream);
    const pieces = [];
    const timer = setTimeout(() => end?.(), MAX_MS);
    recorder.addEventListener("dataavailable", (event) => pieces.push(event.data));
    recorder.addEventListener("stop", () => {
      clearTimeout(timer);
      for (const track of stream.getTracks()) track.stop();
      end = null;
      show(false);
      transcribe(new Blob(pieces, { type: recorder.mimeType }));
    });
    end = () => recorder.stop();
    show(true);
    recorder.start();
  }

  async function transcribe(sound) {
    say(texts.writing);
    button.disabled = true;
    try {
      const data = new FormData();
      data.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
      const kind = sound.type.includes("mp4") ? "mp4" : sound.type.includes("ogg") ? "ogg" : "webm";
      data.set("audio", sound, `speech.${kind}`);
      const answer = await fetch(address, { method: "POST", body: data, headers: { Accept: "application/json" } });
      const told = await answer.json().catch(() => null);
      if (answer.ok && told?.text) {
        write(told.text);
        say("");
      } else if (answer.ok) say(texts.notHeard);
      else if (answer.status === 429) later(sound, Number(answer.headers.get("Retry-After")) || 10);
      else say(told?.error?.code === "model_unavailable" ? texts.voiceFailed : told?.error?.message ?? texts.voiceFailed);
    } catch {
      say(texts.voiceFailed);
    } finally {
      button.disabled = Boolean(document.getElementById("voice-wait")?.dataset.left);
    }
  }

  /* What was said is not lost to a rate: it waits, and is sent by itself. */
  function later(sound, seconds) {
    const wait = document.getElementById("voice-wait");
    say(texts.voiceKept);
    wait.addEventListener("futura:waited", () => {
      wait.hidden = true;
      transcribe(sound);
    }, { once: true });
    wait.dispatchEvent(new CustomEvent("futura:wait", { bubbles: true, detail: { seconds } }));
  }

  button.addEventListener("click", () => {
    if (end) end();
    else if (mode === "browser") listen();
    else record();
  });
  useMode(mode);
}
