// A timeout for browser APIs that may never answer: IndexedDB was observed to neither succeed nor fail.

/** The timeout in milliseconds. */
const patienceMs = 3000;

/** Rejects when the work does not settle in time. */
export function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error("the browser does not answer")), patienceMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
