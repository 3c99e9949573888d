// Detects a usable page: the first message is rendered, or a page is shown and nothing was loaded for a while.

const quietMs = 700;

let isShown = false;
const waiting = new Set<() => void>();

/** Called when the first message is rendered, before it is painted. */
export function shown(): void {
  requestAnimationFrame(() => requestAnimationFrame(begin));
}

function begin(): void {
  isShown = true;
  for (const run of waiting) run();
  waiting.clear();
}

/** Runs once, when the first message is painted; without messages or in a hidden window, when the page is quiet. */
export function whenShown(run: () => void): void {
  if (isShown) {
    run();
    return;
  }
  if (waiting.size === 0) whenQuiet(begin);
  waiting.add(run);
}

/** Runs once, when a page is shown and nothing was loaded for `quietMs`. */
export function whenQuiet(run: () => void): void {
  let timer = setTimeout(look, quietMs);
  const observer = new PerformanceObserver(wait);
  observer.observe({ type: "resource" });

  function wait() {
    clearTimeout(timer);
    timer = setTimeout(look, quietMs);
  }

  function look() {
    if (!document.querySelector("main") || isComing()) {
      wait();
      return;
    }
    observer.disconnect();
    run();
  }
}

/** A page or list that is still loading is what people wait for, however long the server takes. */
export function isComing(): boolean {
  return document.querySelector("main[data-coming], main [aria-busy=true]") !== null;
}
