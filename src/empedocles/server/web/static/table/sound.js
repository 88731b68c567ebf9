// Soft sounds, made here from noise and plain tones: each motion of pieces has one, and so has the end of a match.
// They begin after the reader has touched the page, as browsers demand, and can be switched off.
/** @import { TableState } from "../../messages" */
/** @import { Change } from "../motion.js" */
import { find } from "../dom.js";
import { calm } from "../motion.js";
import { keep, kept } from "./signals.js";
import { coarse } from "./state.js";

const LOUDNESS = 0.2;
const FILTERED = 2.6; // times as loud, as a filter takes most of a noise away
const SWELL = 0.012; // seconds
const SILENT = 0.0001; // a volume cannot fade to nothing at an even pace
const APART = 0.07; // seconds between the sounds of one move
const MOST = 3; // of them
const PAUSE = 0.35, RIPPLE = 0.12; // seconds before a chord, and between its tones
const BUZZ = 15; // milliseconds

/** @typedef {(to: AudioContext, start: number) => void} Voice */

/** @type {AudioContext | undefined} */
let audio;
/** @type {AudioBuffer | undefined} */
let noise; // a second of it
let touched = false;

const isOn = () => kept("sound", true);

/** @returns {AudioContext | null} null before the first gesture, and while sound is off */
function listening() {
  if (!touched || !isOn()) return null;
  audio ??= new AudioContext();
  audio.resume();
  return audio;
}

/** A volume that swells and fades. @param {AudioContext} to @param {number} start @param {number} length @param {number} loudness */
function envelope(to, start, length, loudness) {
  const node = to.createGain();
  node.gain.setValueAtTime(SILENT, start);
  node.gain.exponentialRampToValueAtTime(LOUDNESS * loudness, start + SWELL);
  node.gain.exponentialRampToValueAtTime(SILENT, start + length);
  node.connect(to.destination);
  return node;
}

/**
 * A tone that slides from one pitch to another.
 * @param {AudioContext} to @param {number} start @param {[from: number, until: number]} pitch in hertz @param {number} length @param {number} loudness
 */
function tone(to, start, [from, until], length, loudness) {
  const source = to.createOscillator();
  source.type = "sine";
  source.frequency.setValueAtTime(from, start);
  source.frequency.exponentialRampToValueAtTime(until, start + length);
  source.connect(envelope(to, start, length, loudness));
  source.start(start);
  source.stop(start + length);
}

/**
 * Noise around a pitch that slides.
 * @param {AudioContext} to @param {number} start @param {[from: number, until: number]} pitch in hertz @param {number} length @param {number} loudness
 */
function hiss(to, start, [from, until], length, loudness) {
  const source = to.createBufferSource(), filter = to.createBiquadFilter();
  source.buffer = noise ??= whiteNoise(to);
  filter.type = "bandpass";
  filter.frequency.setValueAtTime(from, start);
  filter.frequency.exponentialRampToValueAtTime(until, start + length);
  source.connect(filter).connect(envelope(to, start, length, FILTERED * loudness));
  source.start(start, Math.random() / 2);
  source.stop(start + length);
}

/** @param {AudioContext} to */
function whiteNoise(to) {
  const buffer = to.createBuffer(1, to.sampleRate, to.sampleRate), samples = buffer.getChannelData(0);
  for (let k = 0; k < samples.length; k += 1) samples[k] = 2 * Math.random() - 1;
  return buffer;
}

/** By motion. @type {Record<string, Voice>} */
const VOICES = {
  burn(to, start) {
    hiss(to, start, [700, 1600], 0.32, 0.6);
    for (const [after, pitch] of [[0.05, 2600], [0.11, 3400], [0.19, 2200], [0.24, 3000]]) hiss(to, start + after, [pitch, pitch], 0.03, 0.7);
  },
  flow(to, start) {
    tone(to, start, [420, 900], 0.13, 0.8);
    tone(to, start + 0.1, [520, 1150], 0.12, 0.5);
    hiss(to, start, [900, 500], 0.3, 0.25);
  },
  rise(to, start) {
    tone(to, start, [95, 48], 0.28, 1.2);
    hiss(to, start, [260, 120], 0.22, 0.6);
  },
  drift: (to, start) => hiss(to, start, [500, 2400], 0.34, 0.9),
  turn(to, start) {
    hiss(to, start, [3200, 1800], 0.06, 0.8);
    hiss(to, start + 0.05, [1500, 900], 0.07, 0.6);
  },
  settle(to, start) {
    tone(to, start, [420, 140], 0.09, 1.2);
    hiss(to, start, [900, 400], 0.04, 0.4);
  },
  fade: (to, start) => tone(to, start, [420, 140], 0.09, 1),
};
const CHORDS = { won: [392, 494, 587, 784], lost: [196, 165], drawn: [330, 392] };

/** What was seen is heard: at most a few sounds. @param {Change[]} changes */
export function hear(changes) {
  const to = changes.length ? listening() : null;
  if (!to) return;
  const motions = [...new Set(changes.map(({ motion }) => motion))].slice(0, MOST);
  motions.forEach((motion, k) => VOICES[motion](to, to.currentTime + k * APART));
}

/** The end of a match: a chord for winners and those who watch, a low one for others. @param {TableState} state */
export function hearEnd({ mine, winners }) {
  const to = listening();
  if (!to) return;
  const lost = mine.length && !mine.some((seat) => winners?.includes(seat));
  const chord = !winners?.length ? CHORDS.drawn : lost ? CHORDS.lost : CHORDS.won;
  chord.forEach((pitch, k) => tone(to, to.currentTime + PAUSE + RIPPLE * k, [pitch, pitch], 0.9, 0.5));
}

/** A short vibration for a move of one's own, on phones that have it. */
export function buzz() {
  if (coarse && touched && isOn() && !calm.matches) navigator.vibrate?.(BUZZ);
}

// ── The switch ───────────────────────────────────────────────────────────────────────────────────────────────────────

function showSwitch() {
  find("sound").setAttribute("aria-pressed", String(isOn()));
}

find("sound").addEventListener("click", () => {
  keep("sound", !isOn());
  showSwitch();
  hear([{ motion: "settle", deed: "arrive" }]);
});
for (const gesture of ["pointerdown", "keydown"]) addEventListener(gesture, () => (touched = true), { capture: true, once: true });
showSwitch();
