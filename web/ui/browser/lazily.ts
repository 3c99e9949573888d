// Views of files of their own: loaded when they are first drawn or asked for, also through a network that is away for a while.
import {
  type ComponentType,
  createElement,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from "react";

/** Between two tries, in milliseconds. */
const pauseMs = 2000;
/** A server that answers and does not have it after so many tries has a newer version of the page. */
const mostTries = 3;

type Load<Props> = () => Promise<ComponentType<Props>>;

export interface LazyView<Props> {
  (props: Props): ReactNode;
  /** Loads it before it is drawn, unless that is done. After a failure it can be asked for again. */
  ask(): Promise<void>;
}

/**
 * A view that is drawn as soon as it is there, and in whose place stands `meanwhile` until then. React's `lazy` asks once
 * only, and what it waits for is held back for 300 ms after anything else was waited for. `hold` is called while it is
 * waited for; what it returns, when that ends.
 */
export function lazily<Props extends object>(
  load: Load<Props>,
  meanwhile: ComponentType<Props> = nothing,
  hold?: () => () => void,
): LazyView<Props> {
  const { subscribe, known, ask } = fetched(load);
  function Lazily(props: Props) {
    const View = useSyncExternalStore(subscribe, known);
    const [fault, setFault] = useState<{ error: unknown }>();
    useEffect(() => {
      ask().catch((error: unknown) => setFault({ error }));
    }, []);
    useLayoutEffect(() => (View ? undefined : hold?.()), [View]);
    if (View) return createElement(View, props);
    // The region around it tells of it.
    if (fault) throw fault.error;
    return createElement(meanwhile, props);
  }
  return Object.assign(Lazily, { ask });
}

/** The same for what is only drawn once somebody has asked for it: whoever draws it can wait. */
export function unasked<Props extends object>(load: Load<Props>): LazyView<Props> {
  const { subscribe, known, ask } = fetched(load);
  function Unasked(props: Props) {
    const View = useSyncExternalStore(subscribe, known);
    return View ? createElement(View, props) : null;
  }
  return Object.assign(Unasked, { ask });
}

function nothing() {
  return null;
}

function fetched<Props>(load: Load<Props>) {
  let view: ComponentType<Props> | undefined;
  let asking: Promise<void> | undefined;
  const watchers = new Set<() => void>();
  const subscribe = (watcher: () => void) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  };
  async function fetch() {
    try {
      view = await persistently(load);
    } catch (error) {
      asking = undefined;
      throw error;
    }
    for (const watcher of watchers) watcher();
  }
  const ask = () => (asking ??= fetch());
  return { subscribe, known: () => view, ask };
}

/** Tries until it is there. Throws what the last try did where the server is there and does not have it. */
export async function persistently<T>(load: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; ) {
    try {
      return await load();
    } catch (error) {
      if (tries >= mostTries) throw error;
    }
    await pause();
    if (await isThere()) tries++;
  }
}

/** Until the network is said to be back, and otherwise for a while. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, pauseMs);
    addEventListener("online", end);
  });
}

async function isThere(): Promise<boolean> {
  try {
    return (await fetch("/api/v1/instance", { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}
