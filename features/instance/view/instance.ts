// What the instance says of itself to everybody: its name, its limits, and what is set up on it.
import { useSyncExternalStore } from "react";
import { getInstance } from "../calls.ts";

type Instance = Awaited<ReturnType<typeof getInstance>>;

let instance: Instance | undefined;
let asking: Promise<Instance> | undefined;
const watchers = new Set<() => void>();

/** Asks once; after a failure again when it is wanted again. Throws CallError. */
export function askInstance(): Promise<Instance> {
  asking ??= getInstance().then(
    (answer) => {
      instance = answer;
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

/** Forgets what was said, because it changed: after the first account, say. */
export function forgetInstance(): void {
  asking = undefined;
}

/** Undefined until it is known. */
export function useInstance(): Instance | undefined {
  return useSyncExternalStore(subscribe, () => instance);
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  askInstance().catch(() => {});
  return () => watchers.delete(watcher);
}
