// When what people wait for is there: the first message is drawn; or a page stands, and nothing was loaded for a while.

const quietMs = 700;

let isShown = false;
const waiting = new Set<() => void>();

/** What the reader came for is drawn, and will be painted with the next frame. */
export function shown(): void {
  requestAnimationFrame(() => requestAnimationFrame(begin));
}

function begin(): void {
  isShown = true;
  for (const run of waiting) run();
  waiting.clear();
}

/** Runs once, when that is on the screen; on a page without messages, and in a hidden window, when it is quiet. */
export function whenShown(run: () => void): void {
  if (isShown) {
    run();
    return;
  }
  if (waiting.size === 0) whenQuiet(begin);
  waiting.add(run);
}

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
    // A page or a list on its way is what people wait for, however long its server takes.
    if (
      !document.querySelector("main") ||
      document.querySelector("main[data-coming], main [aria-busy=true]")
    ) {
      wait();
      return;
    }
    observer.disconnect();
    run();
  }
}
