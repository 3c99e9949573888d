// A page whose reader looks away and comes back, as the test says; and when it looks whether something is read.

/** For scripts that run before the page's own. */
export const canLookAway = `{
  let isAway = false;
  const looks = new Map();
  const [repeat, end] = [setInterval, clearInterval].map((each) => each.bind(globalThis));
  globalThis.setInterval = (run, ms, ...about) => {
    const id = repeat(run, ms, ...about);
    if (ms === 1000) looks.set(id, run);
    return id;
  };
  globalThis.clearInterval = (id) => {
    looks.delete(id);
    end(id);
  };
  document.hasFocus = () => !isAway;
  globalThis.lookAway = (wanted) => {
    isAway = wanted;
    dispatchEvent(new Event(wanted ? "blur" : "focus"));
  };
  globalThis.aSecondPasses = () => {
    for (const run of looks.values()) run();
  };
}`;
