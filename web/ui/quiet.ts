// The time when what people wait for is there: a page stands, and nothing was loaded for a while.

const quietMs = 700;

/** Runs once, when it is so. */
export function whenQuiet(run: () => void): void {
  let timer = setTimeout(look, quietMs);
  const observer = new PerformanceObserver(wait);
  observer.observe({ type: "resource" });

  function wait() {
    clearTimeout(timer);
    timer = setTimeout(look, quietMs);
  }

  function look() {
    if (!document.querySelector("main")) {
      wait();
      return;
    }
    observer.disconnect();
    run();
  }
}
