// Deadlines for work with another host. The runtime's HTTP client ignores its abort signal in some states, so the timer
// here is our own: at the deadline the caller continues, whatever the work still does.

export interface Time {
  /** The deadline, by performance.now(). */
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
 * Runs the work until its deadline or until the house closes, and rejects then. The signal for the work is aborted at
 * the end in every case, so that nothing of the work is left running.
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

/** Like `inTime`, with a deadline this many milliseconds from now. */
export function within<T>(ms: number, work: (ending: AbortSignal) => Promise<T>): Promise<T> {
  return inTime({ until: performance.now() + ms }, work);
}
