// What a table sounds like: a card laid down, a trick taken, the end of a hand. It is silent until
// somebody asks for sound, which this browser then remembers; browsers play nothing before a tap.
const KEPT = "kula.practice.sound";
let sound = null;
let button = null;

// A card on felt: a breath of noise, which *pitch* makes sharper or duller.
function rustle(after, pitch, loudness) {
  const start = sound.currentTime + after;
  const noise = sound.createBuffer(1, sound.sampleRate * 0.07, sound.sampleRate);
  const samples = noise.getChannelData(0);
  for (let at = 0; at < samples.length; at += 1) samples[at] = (Math.random() * 2 - 1) * (1 - at / samples.length) ** 3;
  const source = new AudioBufferSourceNode(sound, { buffer: noise });
  const tone = new BiquadFilterNode(sound, { type: "bandpass", frequency: pitch, Q: 0.8 });
  source.connect(tone).connect(new GainNode(sound, { gain: loudness })).connect(sound.destination);
  source.start(start);
}

function note(after, pitch) {
  const start = sound.currentTime + after;
  const tone = new OscillatorNode(sound, { frequency: pitch, type: "triangle" });
  const volume = new GainNode(sound, { gain: 0 });
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(0.12, start + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.5);
  tone.connect(volume).connect(sound.destination);
  tone.start(start);
  tone.stop(start + 0.5);
}

const SOUNDS = {
  card: () => rustle(0, 1800, 0.5),
  take: () => [0, 0.06, 0.12].forEach((after) => rustle(after, 900, 0.35)),
  won: () => [523, 659, 784].forEach((pitch, at) => note(at * 0.13, pitch)),
  over: () => [440, 392].forEach((pitch, at) => note(at * 0.16, pitch)),
};

export function play(name) {
  if (!button?.hasAttribute("data-on")) return;
  button.dataset.played = `${button.dataset.played ?? ""} ${name}`.trim();
  if (sound?.state === "running") SOUNDS[name]();
}

function wake() {
  if (!button.hasAttribute("data-on")) return;
  sound ??= new AudioContext();
  sound.resume();
}

export function soundOf(asked) {
  button = asked;
  button.toggleAttribute("data-on", window.localStorage.getItem(KEPT) === "on");
  button.addEventListener("click", () => {
    const on = button.toggleAttribute("data-on");
    window.localStorage.setItem(KEPT, on ? "on" : "off");
    wake();
    if (on) sound.resume().then(() => play("card"));
  });
  document.addEventListener("pointerdown", wake);
}
