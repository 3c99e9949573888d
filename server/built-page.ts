// Where the page lies that `npm ci` built: its files, and beside each that shrinks the same one compressed.

/** Lies in the checkout, but is not part of it. */
export const builtPageFolder = ".page";
/** Below it: files whose names hold a hash of their bytes. */
export const hashedFolder = "assets";
/** The page itself. */
export const indexFile = "index.html";
/** By encoding: what is added to a file's name. */
export const encodedSuffix = { br: ".br", gzip: ".gz" } as const;
