// Waits for an idle page. WebKit has no `requestIdleCallback`; there a page is idle once a frame is drawn in time.

/** The time from the start of a frame to the next task, above which a page is busy, in milliseconds. */
const frameMs = 16;

/** Resolves once the page is idle, after `mostMs` milliseconds at the latest. */
export function idle(mostMs: number): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve(), { timeout: mostMs });
    else whenDrawnInTime(resolve, mostMs);
  });
}

function whenDrawnInTime(run: () => void, mostMs: number): void {
  let isOver = false;
  const end = () => {
    isOver = true;
    clearTimeout(late);
    run();
  };
  // A hidden page draws no frames.
  const late = setTimeout(end, mostMs);
  const look = () => {
    const begun = performance.now();
    setTimeout(() => {
      if (isOver) return;
      if (performance.now() - begun < frameMs) end();
      else requestAnimationFrame(look);
    });
  };
  requestAnimationFrame(look);
}
