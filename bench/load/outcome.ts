// One place where anything that goes wrong during a job ends up, also when it goes wrong late, or not at all.

export interface Outcome {
  fail(reason: string): void;
  succeed(): void;
  /** Waits for the end; throws the first failure. Silence is one: `progress` must grow. */
  settled(progress: () => number): Promise<void>;
  /** Throws when something failed after the job had settled. */
  check(): void;
}

const patienceMs = 15_000;

export function createOutcome(): Outcome {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let failure: Error | undefined;
  // Whether anybody waits yet or not, a failure must not end the process before it is told.
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
