// Views that nobody needs to read the first message: they are loaded when that is there, or with their first use.
import {
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react";
import { whenShown } from "./quiet.ts";
import { withWords } from "./words.ts";

type Load<Props> = () => Promise<ComponentType<Props>>;
type View<Props> = (props: Props) => ReactNode;

const waiting = new Set<() => Promise<unknown>>();

/** A part that the network lost for a moment is asked for again after these times, in milliseconds. */
const restsMs = [500, 2000, 8000];

/** A view of a chunk of its own. Once that is there it is drawn at once, without a gap. */
export function later<Props extends object>(load: Load<Props>): View<Props> {
  const { get, known } = once(load);
  waiting.add(get);
  let Awaited = awaited();
  /** What somebody waits for is asked for again; and when that fails too, with its next use. */
  function awaited() {
    return lazy(async () => {
      try {
        return { default: await again(get) };
      } catch (error) {
        Awaited = awaited();
        throw error;
      }
    });
  }
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
  whenShown(() => void again(come).catch(() => {}));
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
    useEffect(() => {
      if (View) return;
      // Where the network was away for too long, as soon as it is back.
      const retry = () => void come().catch(() => {});
      addEventListener("online", retry);
      return () => removeEventListener("online", retry);
    }, [View]);
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

async function again<T>(get: () => Promise<T>): Promise<T> {
  for (const ms of restsMs) {
    try {
      return await get();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, ms));
    }
  }
  return get();
}

/** Loads them all, one after the other, once the first message is there and the page has nothing else to do. */
export function loadTheRest(): void {
  whenShown(async () => {
    for (const get of waiting) {
      await idle();
      // What cannot be had now is asked for again with its first use.
      await get().catch(() => {});
    }
  });
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve(), { timeout: 1000 });
    else setTimeout(resolve, 50);
  });
}
