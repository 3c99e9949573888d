// Collects the failures of a job, including late ones and stalls.

interface Outcome {
  fail(reason: string): void;
  succeed(): void;
  /** Waits for the end and throws the first failure. A stall is a failure: `progress` must grow. */
  settled(progress: () => number): Promise<void>;
  /** Throws a failure that occurred after the job had settled. */
  check(): void;
}

const patienceMs = 15_000;

export function createOutcome(): Outcome {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let failure: Error | undefined;
  // Without a handler, an early failure would end the process as an unhandled rejection before it is reported.
  promise.catch(() => {});

  function fail(reason: string): void {
    failure ??= new Error(reason);
    reject(failure);
  }

  async function settled(progress: () => number): Promise<void> {
    let before = -1;
    const watch = setInterval(() => {
      if (progress() === before) fail(`nothing more happened after ${before}`);
      before = progress();
    }, patienceMs);
    try {
      await promise;
    } finally {
      clearInterval(watch);
    }
  }

  return {
    fail,
    succeed: resolve,
    settled,
    check() {
      if (failure) throw failure;
    },
  };
}
