// A bell when time is up, and a soft sound before it: on the hall's screen and on the organiser's
// phone. Browsers play nothing before somebody has tapped, so a button turns the sound on.
import { watch } from "./clock.js";

const LATE = 60; // seconds past a bell that was not heard: it would only startle
const SLACK = 5; // seconds by which two looks at the site may differ
const heard = new Map(); // by bell: what of it is still to come on this page
let sound = null;

// One stroke: a tone and its overtones, which die away.
function stroke(after, pitch, loudness, length) {
  const start = sound.currentTime + after;
  for (const [overtone, share] of [[1, 1], [2.01, 0.5], [2.99, 0.25]]) {
    const tone = new OscillatorNode(sound, { frequency: pitch * overtone });
    const volume = new GainNode(sound, { gain: 0 });
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(loudness * share, start + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
    tone.connect(volume).connect(sound.destination);
    tone.start(start);
    tone.stop(start + length);
  }
}

const SOUNDS = {
  bell: () => [0, 0.9, 1.8].forEach((after) => stroke(after, 660, 0.4, 1.6)),
  warning: () => [0, 0.4].forEach((after) => stroke(after, 440, 0.12, 0.8)),
};

function play(button, name) {
  if (!sound || button.getAttribute("aria-pressed") !== "true") return;
  SOUNDS[name]();
  button.dataset.played = `${button.dataset.played ?? ""} ${name}`.trim();
}

// Sounds once at each bell. More minutes, or a clock started anew, make another bell of it.
function listen(button, time, left) {
  const bell = time.dataset.bellOf;
  const warned = Number(time.dataset.warned);
  if (!heard.has(bell)) heard.set(bell, { bell: left > 0, warning: left > warned });
  const coming = heard.get(bell);
  coming.bell ||= left > SLACK;
  coming.warning ||= left > warned + SLACK;
  if (coming.warning && left <= warned) {
    coming.warning = false;
    if (left > 0) play(button, "warning");
  }
  if (coming.bell && left <= 0) {
    coming.bell = false;
    if (left > -LATE) play(button, "bell");
  }
}

for (const button of document.querySelectorAll("[data-sound]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    sound ??= new AudioContext();
    if (on) sound.resume();
    if (on) stroke(0, 440, 0.12, 0.8); // so that people hear how loud it is
  });
  watch((time, left) => listen(button, time, left));
}
