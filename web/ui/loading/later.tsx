// Views that are not needed to read the first message: loaded after it, or on first use.
import type { ComponentType } from "react";
import { holdKeys } from "../browser/held-keys.ts";
import { type LazyView, lazily, persistently, unasked } from "../browser/lazily.ts";
import { whenShown } from "../browser/quiet.ts";
import { withWords } from "../words/words.ts";
import { tellNotLoaded } from "./not-loaded.ts";

type Load<Props> = () => Promise<ComponentType<Props>>;

type Ask = () => Promise<unknown>;

/** The parts that are loaded after the first message: those that show something by themselves, and those for first use. */
export interface Parts {
  mounted: Ask[];
  onUse: Ask[];
}

const parts: Parts = { mounted: [], onUse: [] };

/** Returns a view from a separate chunk. Once that is loaded, the view renders without a gap. */
export function later<Props extends object>(load: Load<Props>): LazyView<Props> {
  const view = lazily(() => withWords("rest", load()));
  parts.onUse.push(view.ask);
  return view;
}

/** Like `later`, for a view that takes the keyboard: keys pressed before it is loaded are held for it. */
export function laterWithKeys<Props extends object>(load: Load<Props>): LazyView<Props> {
  const view = lazily(() => withWords("rest", load()), undefined, holdKeys);
  parts.onUse.push(view.ask);
  return view;
}

/** Like `later`, for a view that is always mounted but can wait: it shows nothing until it is loaded in its turn. */
export function unhurried<Props extends object>(load: Load<Props>): LazyView<Props> {
  const view = unasked(() => withWords("rest", load()));
  parts.mounted.push(view.ask);
  return view;
}

/**
 * Like `unhurried`, for what people expect beside the first message: where it is rendered, it is loaded right after
 * that message, before all others. `meanwhile` keeps its place.
 */
export function following<Props extends object>(
  load: Load<Props>,
  meanwhile?: ComponentType<Props>,
): LazyView<Props> {
  const view = unasked(() => withWords("rest", load()), askWhenShown, meanwhile);
  parts.mounted.push(view.ask);
  return view;
}

/** Loads a value right after the first message, or on an earlier `ask`; `known` returns undefined until then. */
export function afterwards<T>(load: () => Promise<T>): { known(): T | undefined; ask(): Promise<T> } {
  let known: T | undefined;
  const ask = async () => {
    known ??= await persistently(load);
    return known;
  };
  askWhenShown(ask);
  return { known: () => known, ask };
}

/**
 * Returns a function that is loaded later. A call before that runs as soon as it is loaded, or shows a toast when
 * loading fails.
 */
export function doneLater<Given extends unknown[]>(
  load: () => Promise<(...given: Given) => unknown>,
): (...given: Given) => void {
  let known: ((...given: Given) => unknown) | undefined;
  const ask = async () => {
    known ??= await persistently(load);
  };
  parts.onUse.push(ask);
  return (...given) => {
    if (known) known(...given);
    else void ask().then(() => known?.(...given), tellNotLoaded);
  };
}

/** Loads all of these parts behind the first message. */
export function loadTheRest(): void {
  askWhenShown(async () => {
    const { loadRest } = await persistently(() => import("./the-rest.ts"));
    await loadRest(parts);
  });
}

function askWhenShown(ask: Ask): void {
  whenShown(() => void ask().catch(unheard));
}

/** Ignores a failure: the part is requested again on first use. */
const unheard = () => {};
