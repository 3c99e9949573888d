// For what the browser may never answer: its database was seen to be silent, where it neither works nor refuses.

/** So long it has, in milliseconds. */
const patienceMs = 3000;

/** Fails where nothing is said in time. */
export function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error("the browser does not answer")), patienceMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
