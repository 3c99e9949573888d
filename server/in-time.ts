// The time that work with another host may take. The runtime's client does not heed its signal in every state, so the
// clock here is our own: when it runs out the caller goes on, whatever the work still does.

export interface Time {
  /** By performance.now(). */
  until: number;
  /** Aborted when the house closes. */
  closing?: AbortSignal | undefined;
}

export class Late extends Error {
  override name = "Late";

  constructor() {
    super("too slow");
  }
}

/**
 * Runs the work until its time is over or the house closes, and rejects then. The signal that the work gets is aborted
 * at the end in every case, so that nothing of the work stays behind.
 */
export async function inTime<T>(time: Time, work: (ending: AbortSignal) => Promise<T>): Promise<T> {
  const { until, closing } = time;
  const ended = Promise.withResolvers<never>();
  const ending = new AbortController();
  const end = (reason: unknown) => {
    ended.reject(reason);
    ending.abort(reason);
  };
  const close = () => end(closing?.reason);
  closing?.throwIfAborted();
  closing?.addEventListener("abort", close, { once: true });
  const timer = setTimeout(() => end(new Late()), until - performance.now());
  try {
    return await Promise.race([work(ending.signal), ended.promise]);
  } finally {
    clearTimeout(timer);
    closing?.removeEventListener("abort", close);
    ending.abort();
  }
}

/** The same with so many milliseconds from now on. */
export function within<T>(ms: number, work: (ending: AbortSignal) => Promise<T>): Promise<T> {
  return inTime({ until: performance.now() + ms }, work);
}
