// Views that nobody needs to read the first message: they are loaded when the page is quiet, or with their first use.
import { type ComponentType, Suspense, useState, useSyncExternalStore } from "react";
import { lazily, persistently } from "./lazily.ts";
import { whenQuiet } from "./quiet.ts";

const waiting = new Set<() => Promise<unknown>>();

/** A view of a chunk of its own. Once that is there it is drawn at once, without a gap. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  const get = async () => {
    loaded ??= await load();
    return loaded;
  };
  waiting.add(get);
  const Awaited = lazily(async () => ({ default: await get() }));
  return function Later(props: Props) {
    // As long as it is mounted it stays the same component, and keeps its state.
    const [View] = useState(() => loaded ?? Awaited);
    return (
      <Suspense>
        <View {...props} />
      </Suspense>
    );
  };
}

/** The same for what is always there but can wait: nothing is drawn before the page is quiet. */
export function unhurried<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  const drawn = new Set<() => void>();
  waiting.add(async () => {
    loaded ??= await load();
    for (const draw of drawn) draw();
  });
  const subscribe = (draw: () => void) => {
    drawn.add(draw);
    return () => drawn.delete(draw);
  };
  return function Unhurried(props: Props) {
    const View = useSyncExternalStore(subscribe, () => loaded);
    return View ? <View {...props} /> : null;
  };
}

/** Loads them all, one after the other, once the page is quiet. */
export function loadTheRest(): void {
  whenQuiet(async () => {
    // What cannot be had now is asked for again with its first use.
    for (const get of waiting) await persistently(get).catch(() => {});
  });
}
