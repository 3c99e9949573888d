// Requests that are still to be made with the session before it is ended.

const pending = new Set<() => Promise<unknown>>();

/** Calls `run` before the person signs out. Returns the function that takes it back. */
export function beforeSigningOut(run: () => Promise<unknown>): () => void {
  pending.add(run);
  return () => pending.delete(run);
}

/** Makes all of them. Each reports its own failure, which does not prevent signing out. */
export async function finishPending(): Promise<void> {
  await Promise.allSettled([...pending].map((run) => run()));
}
