// The oldest browsers in which the page works. README.md and docs/web.md name them, `web/public/look.js` tells older ones
// apart, and a test looks through the built page for what they lack.

/** By the name of the engine's browser: Edge has the versions of Chrome, and iOS those of Safari. */
export const oldestBrowsers = { chrome: "119", firefox: "128", safari: "16.4" };
