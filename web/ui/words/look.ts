// How the reader wants the page: kept by this browser, shown at once. `public/look.js` shows it before the first paint.
import { useSyncExternalStore } from "react";
import { keep, kept, onKeptElsewhere } from "../browser/kept.ts";
import { persistently } from "../browser/lazily.ts";
import { type Language, preferredLanguage, speak } from "./words.ts";

export const themes = ["light", "dark", "contrast"] as const;

/** Of each, nothing: as the system has it, or else as the page has it by default. */
export interface Look {
  theme?: (typeof themes)[number] | undefined;
  density?: "compact" | undefined;
  /** In pixels. */
  textSize?: number | undefined;
  /** 1: as people chose their colours; 0: grey. */
  saturation?: number | undefined;
  /** Hours of a day, by 12 or by 24. */
  hours?: 12 | 24 | undefined;
  language?: Language | undefined;
  motion?: "reduced" | undefined;
  reading?: "pages" | undefined;
}

export const textSizes = { min: 13, max: 20, byDefault: 15 };

const key = "look";
let look: Look = kept<Look>(key) ?? {};
const watchers = new Set<() => void>();

export function currentLook(): Look {
  return look;
}

export function useLook(): Look {
  return useSyncExternalStore(subscribe, currentLook);
}

/** Changes some of it, for this browser and at once. */
export function changeLook(change: Look): void {
  const { language } = look;
  look = { ...look, ...change };
  keep(key, look);
  showLook(look, document.documentElement);
  if (look.language !== language) speakChosen();
  for (const watcher of watchers) watcher();
}

/** A language that cannot be had now is asked for again, as long as no other one is chosen. */
function speakChosen(): void {
  const { language } = look;
  const load = async () => {
    if (look.language === language) await speak(preferredLanguage(language));
  };
  void persistently(load).catch(() => {});
}

/** The same as `public/look.js` does before anything is loaded. */
export function showLook({ theme, density, textSize, saturation, motion }: Look, root: HTMLElement): void {
  setOrDrop(root, "theme", theme);
  setOrDrop(root, "density", density);
  setOrDrop(root, "motion", motion);
  root.style.fontSize = textSize ? `${(textSize / textSizes.byDefault) * 100}%` : "";
  if (saturation === undefined) root.style.removeProperty("--saturation");
  else root.style.setProperty("--saturation", String(saturation));
}

function setOrDrop(root: HTMLElement, name: string, value: string | undefined): void {
  if (value === undefined) delete root.dataset[name];
  else root.dataset[name] = value;
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

onKeptElsewhere(key, () => {
  const { language } = look;
  look = kept<Look>(key) ?? {};
  showLook(look, document.documentElement);
  if (look.language !== language) speakChosen();
  for (const watcher of watchers) watcher();
});
