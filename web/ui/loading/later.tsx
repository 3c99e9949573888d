// Views that nobody needs to read the first message: they are loaded when that is there, or with their first use.
import type { ComponentType } from "react";
import { holdKeys } from "../browser/held-keys.ts";
import { idle } from "../browser/idle.ts";
import { type LazyView, lazily, persistently, unasked } from "../browser/lazily.ts";
import { whenShown } from "../browser/quiet.ts";
import { withWords } from "../words/words.ts";
import { tellNotLoaded } from "./not-loaded.ts";

type Load<Props> = () => Promise<ComponentType<Props>>;

const waiting = new Set<LazyView<never>["ask"]>();

/** A view of a chunk of its own. Once that is there it is drawn at once, without a gap. */
export function later<Props extends object>(load: Load<Props>): LazyView<Props> {
  const view = lazily(() => withWords("rest", load()));
  waiting.add(view.ask);
  return view;
}

/** The same for what takes the keys once it is there: those that are pressed before wait for it. */
export function laterWithKeys<Props extends object>(load: Load<Props>): LazyView<Props> {
  const view = lazily(() => withWords("rest", load()), undefined, holdKeys);
  waiting.add(view.ask);
  return view;
}

/** The same for what is always there but can wait: nothing is drawn before the first message is. */
export function unhurried<Props extends object>(load: Load<Props>): LazyView<Props> {
  const view = unasked(() => withWords("rest", load()));
  waiting.add(view.ask);
  return view;
}

/** The same for what everybody looks for beside the first message: it comes right behind that, before all others. */
export function following<Props extends object>(load: Load<Props>): LazyView<Props> {
  const view = unasked(() => withWords("rest", load()));
  whenShown(() => void view.ask().catch(unheard));
  return view;
}

/** What is loaded right behind the first message: undefined until then, unless somebody asks for it sooner. */
export function afterwards<T>(load: () => Promise<T>): { known(): T | undefined; ask(): Promise<T> } {
  let known: T | undefined;
  const ask = async () => {
    known ??= await persistently(load);
    return known;
  };
  whenShown(() => void ask().catch(unheard));
  return { known: () => known, ask };
}

/**
 * Something that is done rather than drawn. When it is done before it is there, it is done as soon as it is; where it does
 * not come, that is told.
 */
export function doneLater<Given extends unknown[]>(
  load: () => Promise<(...given: Given) => unknown>,
): (...given: Given) => void {
  let known: ((...given: Given) => unknown) | undefined;
  const ask = async () => {
    known ??= await persistently(load);
  };
  waiting.add(ask);
  return (...given) => {
    if (known) known(...given);
    else void ask().then(() => known?.(...given), tellNotLoaded);
  };
}

/** A page that is busy for longer than so many milliseconds loads the next part all the same. */
const busyMs = 1000;
/** A part that is neither there nor refused after so many milliseconds holds up the others no longer. */
const patienceMs = 5000;

/** Loads them all, one after the other, once the first message is there and the page has nothing else to do. */
export function loadTheRest(): void {
  whenShown(async () => {
    for (const ask of waiting) {
      await idle(busyMs);
      const patience = new Promise((resolve) => setTimeout(resolve, patienceMs));
      await Promise.race([ask().catch(unheard), patience]);
    }
  });
}

/** What cannot be had now is asked for again with its first use. */
const unheard = () => {};
