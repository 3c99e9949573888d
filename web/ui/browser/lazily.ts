// Lazy views from separate files: loaded when first rendered or requested, with retries while the network is away.
import {
  type ComponentType,
  createElement,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from "react";

/** The pause between two tries, in milliseconds. */
const pauseMs = 2000;
/** After this many failures with a reachable server, the file is gone: the server has a newer version of the page. */
const mostTries = 3;

type Load<Props> = () => Promise<ComponentType<Props>>;

export interface LazyView<Props> {
  (props: Props): ReactNode;
  /** Loads the view before it is rendered, unless it is loaded. Can be called again after a failure. */
  ask(): Promise<void>;
}

/**
 * Returns a view that renders `meanwhile` until it is loaded. React's `lazy` tries only once, and delays its content
 * for 300 ms after another suspension. `hold` is called when the wait begins; the function that it returns, when the
 * wait ends.
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
    // The region around it shows the error.
    if (fault) throw fault.error;
    return createElement(meanwhile, props);
  }
  return Object.assign(Lazily, { ask });
}

/**
 * Like `lazily`, for a view that rendering does not load: it renders `meanwhile` until it was requested by `ask`, as
 * `rendered` may do in its time.
 */
export function unasked<Props extends object>(
  load: Load<Props>,
  rendered?: (ask: () => Promise<void>) => void,
  meanwhile: ComponentType<Props> = nothing,
): LazyView<Props> {
  const { subscribe, known, ask } = fetched(load);
  function Unasked(props: Props) {
    const View = useSyncExternalStore(subscribe, known);
    useEffect(() => rendered?.(ask), []);
    return createElement(View ?? meanwhile, props);
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

/** Retries until it is loaded. Throws the last error when a reachable server does not have it. */
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

/** Waits until the network is back, or for `pauseMs`. */
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
