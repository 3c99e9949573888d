// Views that nobody needs to read the first message: they are loaded when that is there, or with their first use.
import { type ComponentType, type ReactNode, Suspense, useState, useSyncExternalStore } from "react";
import { lazily, persistently } from "./lazily.ts";
import { whenShown } from "./quiet.ts";
import { withWords } from "./words.ts";

type Load<Props> = () => Promise<ComponentType<Props>>;
type View<Props> = (props: Props) => ReactNode;

const waiting = new Set<() => Promise<unknown>>();

/** A view of a chunk of its own. Once that is there it is drawn at once, without a gap. */
export function later<Props extends object>(load: Load<Props>): View<Props> {
  const { get, known } = once(load);
  waiting.add(get);
  const Awaited = lazily(async () => ({ default: await get() }));
  return function Later(props: Props) {
    // As long as it is mounted it stays the same component, and keeps its state.
    const [View] = useState(() => known() ?? Awaited);
    return (
      <Suspense>
        <View {...props} />
      </Suspense>
    );
  };
}

/** The same for what is always there but can wait: nothing is drawn before the first message is. */
export function unhurried<Props extends object>(load: Load<Props>): View<Props> {
  const { Unhurried, come } = waited(load);
  waiting.add(come);
  return Unhurried;
}

/** The same for what everybody looks for beside the first message: it comes right behind that, before all others. */
export function following<Props extends object>(load: Load<Props>): View<Props> {
  const { Unhurried, come } = waited(load);
  whenShown(() => void persistently(come).catch(() => {}));
  return Unhurried;
}

function waited<Props extends object>(load: Load<Props>) {
  const { get, known } = once(load);
  const drawn = new Set<() => void>();
  const come = async () => {
    await get();
    for (const draw of drawn) draw();
  };
  const subscribe = (draw: () => void) => {
    drawn.add(draw);
    return () => drawn.delete(draw);
  };
  function Unhurried(props: Props) {
    const View = useSyncExternalStore(subscribe, known);
    return View ? <View {...props} /> : null;
  }
  return { Unhurried, come };
}

function once<Props>(load: Load<Props>) {
  let loaded: ComponentType<Props> | undefined;
  const get = async () => {
    loaded ??= await withWords("rest", load());
    return loaded;
  };
  return { get, known: () => loaded };
}

/** Loads them all, one after the other, once the first message is there and the page has nothing else to do. */
export function loadTheRest(): void {
  whenShown(async () => {
    for (const get of waiting) {
      await idle();
      // What cannot be had now is asked for again with its first use.
      await persistently(get).catch(() => {});
    }
  });
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve(), { timeout: 1000 });
    else setTimeout(resolve, 50);
  });
}
