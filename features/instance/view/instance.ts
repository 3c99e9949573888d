// What the instance says of itself to everybody: its name, its limits, and what is set up on it.
import { useSyncExternalStore } from "react";
import { keep, kept } from "../../../web/ui/browser/kept.ts";
import { getInstance } from "../calls.ts";

type Instance = Awaited<ReturnType<typeof getInstance>>;

const key = "instance";

/** As it said when a page was open here last, until it is asked: without a network nobody can be. */
let instance: Instance | undefined = kept<Instance>(key);
let asking: Promise<Instance> | undefined;
const watchers = new Set<() => void>();

/** Asks once; after a failure again when it is wanted again. Throws CallError. */
export function askInstance(): Promise<Instance> {
  asking ??= getInstance().then(
    (answer) => {
      instance = answer;
      // Before it has an owner nothing of it stays as it is.
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

/** Forgets what was said, because it changed: after the first account, say. */
export function forgetInstance(): void {
  asking = undefined;
}

/** Undefined until it is known. */
export function useInstance(): Instance | undefined {
  return useSyncExternalStore(subscribe, () => instance);
}

/** The same outside of what is drawn: as it was said last. */
export function knownInstance(): Instance | undefined {
  return instance;
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  askInstance().catch(() => {});
  return () => watchers.delete(watcher);
}
