// The public description of the instance: its name, its limits, and its features.
import { useSyncExternalStore } from "react";
import { keep, kept } from "../../../web/ui/browser/kept.ts";
import { getInstance } from "../calls.ts";

type Instance = Awaited<ReturnType<typeof getInstance>>;

const key = "instance";

/** The last known description, until it is fetched: without a network it cannot be. */
let instance: Instance | undefined = kept<Instance>(key);
let asking: Promise<Instance> | undefined;
const watchers = new Set<() => void>();

/** Fetches it once; after a failure again with the next call. Throws CallError. */
export function askInstance(): Promise<Instance> {
  asking ??= getInstance().then(
    (answer) => {
      instance = answer;
      // Before the instance has an owner, nothing in it is stable.
      if (answer.setup === "done") keep(key, answer);
      for (const watcher of watchers) watcher();
      return answer;
    },
    (error: unknown) => {
      asking = undefined;
      throw error;
    },
  );
  return asking;
}

/** Has it fetched again with the next call, because it changed: after the first account, for example. */
export function forgetInstance(): void {
  asking = undefined;
}

/** Returns the description; undefined until it is known. */
export function useInstance(): Instance | undefined {
  return useSyncExternalStore(subscribe, () => instance);
}

/** Returns the last known description, outside of components. */
export function knownInstance(): Instance | undefined {
  return instance;
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  askInstance().catch(() => {});
  return () => watchers.delete(watcher);
}
