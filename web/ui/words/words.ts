// The words of the page in the reader's language: one catalogue, loaded before anything is drawn.
import { useSyncExternalStore } from "react";
import type { Words } from "../../words/en.ts";
import { isolating } from "./isolated.ts";

/** The catalogue comes in parts: what one needs to sign in, the house, what is loaded later, and pages of settings. */
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

/** As much of them as was asked for; views come after the parts that they need. */
let words: Words | undefined;
let language: Language = "en";
const parts = new Set<Part>(["first"]);
const watchers = new Set<() => void>();

/** Loads a language and draws the page anew in it. */
export async function speak(wanted: Language): Promise<void> {
  // What views ask for before anything is said is in this one.
  if (!words) language = wanted;
  const loaded = new Map<Part, object>();
  // Views may come meanwhile that need another part.
  while (loaded.size < parts.size) {
    const missing = [...parts].filter((part) => !loaded.has(part));
    const found = await Promise.all(missing.map((part) => languages[wanted][part]()));
    for (const [i, part] of missing.entries()) loaded.set(part, found[i]?.words ?? {});
  }
  words = isolating(Object.assign({}, ...loaded.values()));
  language = wanted;
  document.documentElement.lang = wanted;
  for (const watcher of watchers) watcher();
}

/** Loads a part of the catalogue beside the views that need it. */
export async function withWords<T>(part: Part, views: Promise<T>): Promise<T> {
  parts.add(part);
  const asked = language;
  const [loaded, view] = await Promise.all([languages[asked][part](), views]);
  // Where another language was chosen meanwhile, that one brings all parts.
  if (asked === language) words = Object.assign({}, words, isolating(loaded.words));
  return view;
}

/** The language that was chosen, or else the first of the reader's that there is. */
export function preferredLanguage(chosen: string | undefined): Language {
  const known = [chosen ?? "", ...navigator.languages].map((each) => each.split("-")[0] ?? "");
  return (known.find((each) => each in languages) as Language | undefined) ?? "en";
}

export function useWords(): Words {
  useSyncExternalStore(subscribe, currentLanguage);
  return currentWords();
}

/** For what is said by no view of its own. */
export function currentWords(): Words {
  if (!words) throw new Error("nothing was loaded to say");
  return words;
}

/** The language with the region that the reader's browser has for it, for times and numbers: "en-GB". */
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
