// A script that runs in the page, in every engine: records when an element is first drawn, and the latency of keys.

/**
 * The latency of a key ends with the frame that shows it. The browser's own Event Timing ends when a screen has shown
 * it; on a machine without a screen, its entries come late, all at once, or never.
 */
export const noting = `
  let keys = [];
  const noteKey = ({ type, timeStamp }) => {
    if (type === "keydown") keys.push({ at: timeStamp, frames: 0, ms: 0 });
    const key = keys.at(-1);
    key.frames++;
    const { port1, port2 } = new MessageChannel();
    requestAnimationFrame(() => port1.postMessage(""));
    port2.onmessage = () => {
      key.frames--;
      key.ms = Math.max(key.ms, performance.now() - timeStamp);
    };
  };
  // One that no frame has shown yet takes until now, and longer.
  window.__keys = () => {
    const taken = keys.map(({ at, frames, ms }) => frames > 0 ? performance.now() - at : ms);
    keys = [];
    return taken;
  };
  for (const kind of ["keydown", "keyup"]) addEventListener(kind, noteKey, { capture: true });
  window.__await = (selector) => new Promise((done) => {
    // A message that is posted in an animation frame arrives once the frame is drawn.
    const { port1, port2 } = new MessageChannel();
    const look = () => requestAnimationFrame(() => port1.postMessage(""));
    port2.onmessage = () => document.querySelector(selector) ? done(performance.now()) : look();
    look();
  });
`;
