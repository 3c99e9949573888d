// The page's catalogue of words in the reader's language, loaded before anything is rendered.
import { useSyncExternalStore } from "react";
import type { Words } from "../../words/en.ts";
import { isolating } from "./isolated.ts";

/** The parts of the catalogue: every page, signing in, the house, parts that are loaded later, and settings. */
const languages = {
  en: {
    first: () => import("../../words/first.en.ts"),
    gate: () => import("../../words/gate.en.ts"),
    house: () => import("../../words/en.ts"),
    rest: () => import("../../words/rest.en.ts"),
    pages: () => import("../../words/pages.en.ts"),
  },
  de: {
    first: () => import("../../words/first.de.ts"),
    gate: () => import("../../words/gate.de.ts"),
    house: () => import("../../words/de.ts"),
    rest: () => import("../../words/rest.de.ts"),
    pages: () => import("../../words/pages.de.ts"),
  },
};

export type Language = keyof typeof languages;
type Part = keyof (typeof languages)["en"];

export const languageNames: Readonly<Record<Language, string>> = { en: "English", de: "Deutsch" };

/** The loaded parts. Views are loaded after the parts that they need. */
let words: Words | undefined;
let language: Language = "en";
const parts = new Set<Part>(["first"]);
const watchers = new Set<() => void>();

/** Loads a language and renders the page in it. */
export async function speak(wanted: Language): Promise<void> {
  // Parts that views request before the first language is loaded are in this one.
  if (!words) language = wanted;
  const loaded = new Map<Part, object>();
  // Views that need another part may be loaded meanwhile.
  while (loaded.size < parts.size) {
    const missing = [...parts].filter((part) => !loaded.has(part));
    const found = await Promise.all(missing.map((part) => languages[wanted][part]()));
    for (const [i, part] of missing.entries()) loaded.set(part, found[i]?.words ?? {});
  }
  words = isolating(joined([...loaded.values()])) as Words;
  language = wanted;
  document.documentElement.lang = wanted;
  for (const watcher of watchers) watcher();
}

/** Joins parts of the catalogue: a group of words may have some in each. */
function joined(parts: readonly object[]): object {
  const all: Record<string, object> = {};
  for (const part of parts)
    for (const [group, said] of Object.entries(part)) all[group] = { ...all[group], ...said };
  return all;
}

/** Loads a part of the catalogue in parallel with the views that need it. */
export async function withWords<T>(part: Part, views: Promise<T>): Promise<T> {
  parts.add(part);
  const asked = language;
  const [loaded, view] = await Promise.all([languages[asked][part](), views]);
  // If another language was chosen meanwhile, that one loads all parts.
  if (asked === language) words = joined([words ?? {}, isolating(loaded.words)]) as Words;
  return view;
}

/** Returns the chosen language, or else the first of the browser's languages that is available. */
export function preferredLanguage(chosen: string | undefined): Language {
  const known = [chosen ?? "", ...navigator.languages].map((each) => each.split("-")[0] ?? "");
  return (known.find((each) => each in languages) as Language | undefined) ?? "en";
}

export function useWords(): Words {
  useSyncExternalStore(subscribe, currentLanguage);
  return currentWords();
}

/** Returns the words, for code outside of views. */
export function currentWords(): Words {
  if (!words) throw new Error("nothing was loaded to say");
  return words;
}

/** Returns the language with the region from the browser's settings, for times and numbers: "en-GB". */
export function currentLocale(): string {
  return navigator.languages.find((each) => each.split("-")[0] === language) ?? language;
}

export function currentLanguage(): Language {
  return language;
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
