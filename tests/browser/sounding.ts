// Tabs whose sounds are counted, and whose focus the test controls.
import type { Page } from "playwright-core";
import { until } from "../house/machine/waiting.ts";

/** An init script: the page is not focused until the test says so, and its sounds are counted. */
export const countsSounds = `(() => {
  if (location.origin !== "null") localStorage.setItem("hearth.sound", "true");
  let isLookedAt = false;
  document.hasFocus = () => isLookedAt;
  window.look = (next) => { isLookedAt = next; dispatchEvent(new Event(next ? "focus" : "blur")); };
  window.heard = 0;
  const part = () => ({ connect: (next) => next, start() {}, stop() {}, frequency: {}, gain: { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} } });
  let tones = 0;
  window.AudioContext = class {
    state = "running"; currentTime = 0; destination = {};
    createOscillator() { tones++; window.heard = tones / 2; return part(); }
    createGain() { return part(); }
  };
})();`;

/** Returns the number of sounds in all tabs together. */
export async function heardIn(tabs: readonly Page[]): Promise<number> {
  const counts = await Promise.all(tabs.map((tab) => tab.evaluate<number>("window.heard")));
  return counts.reduce((sum, each) => sum + each, 0);
}

/** Sets whether the reader looks at this tab. */
export async function look(tab: Page, isLookedAt: boolean): Promise<void> {
  await tab.evaluate(`window.look(${isLookedAt})`);
  await until(async () => (await tab.evaluate(tabsKnow)) === isLookedAt, "the other tabs do not know");
}

/** Waits for the part that plays sounds, which loads when the page is idle. */
export async function untilItSounds(tab: Page): Promise<void> {
  await until(async () => {
    await tab.evaluate("window.look(true)");
    return tab.evaluate(tabsKnow);
  }, "no part that sounds");
  await look(tab, false);
}

/** A script: whether tabs know from each other that the reader looks at one of them. */
const tabsKnow = `navigator.locks.query().then(({ held }) => held.some(({ name }) => name === "hearth-looking"))`;

/** Waits for the end of the sound, during which no tab begins another one. */
export function untilOver(tab: Page): Promise<void> {
  const isOver = `navigator.locks.query().then(({ held }) => !held.some(({ name }) => name === "hearth-sounding"))`;
  return until(() => tab.evaluate<boolean>(isOver), "the sound does not end");
}

/** The same at an address without https, where tabs ask each other. */
export async function lookPlainly(tab: Page, isLookedAt: boolean): Promise<void> {
  await tab.evaluate(`window.look(${isLookedAt})`);
  await until(async () => (await tab.evaluate(tabsSay)) === isLookedAt, "the other tabs do not know");
}

/** Waits until another tab answers this one's question: its earlier questions are answered by then. */
export function untilAnswered(tab: Page): Promise<void> {
  return until(() => tab.evaluate<boolean>(tabsSay), "no tab says that it is looked at");
}

export async function untilItSoundsPlainly(tab: Page): Promise<void> {
  await tab.evaluate("window.look(true)");
  await untilAnswered(tab);
  await lookPlainly(tab, false);
}

/** A script: the answer to a tab that asks, asked in this tab. */
const tabsSay = `new Promise((resolve) => {
  const tabs = new BroadcastChannel("hearth-looking-asked");
  const end = (isLookedAt) => {
    tabs.close();
    resolve(isLookedAt);
  };
  tabs.onmessage = ({ data }) => data === "looked at" && end(true);
  setTimeout(() => end(false), 500);
  tabs.postMessage("asked");
})`;
