// The reader's appearance settings, stored by this browser. `public/look.js` applies them before the first paint.
import { useSyncExternalStore } from "react";
import { keep, kept, onKeptElsewhere } from "../browser/kept.ts";
import { persistently } from "../browser/lazily.ts";
import { type Language, preferredLanguage, speak } from "./words.ts";

export const themes = ["light", "dark", "contrast"] as const;

/** An undefined setting follows the system, or else the page's default. */
export interface Look {
  theme?: (typeof themes)[number] | undefined;
  density?: "compact" | undefined;
  /** Text size in pixels. */
  textSize?: number | undefined;
  /** The saturation of people's chosen colours: 1 is unchanged, 0 is grey. */
  saturation?: number | undefined;
  /** A 12-hour or 24-hour clock. */
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

/** Changes some settings, stores them and applies them immediately. */
export function changeLook(change: Look): void {
  const { language } = look;
  look = { ...look, ...change };
  keep(key, look);
  showLook(look, document.documentElement);
  if (look.language !== language) speakChosen();
  for (const watcher of watchers) watcher();
}

/** Loads the chosen language, with retries until another one is chosen. */
function speakChosen(): void {
  const { language } = look;
  const load = async () => {
    if (look.language === language) await speak(preferredLanguage(language));
  };
  void persistently(load).catch(() => {});
}

/** Applies the settings as `public/look.js` does before anything is loaded. */
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
