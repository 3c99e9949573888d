// Names of the folders and files of the page that `npm ci` built, with a compressed copy beside each file that shrinks.

/** In the checkout, but not tracked by git. */
export const builtPageFolder = ".page";
/** A folder in it: files whose names hold a hash of their bytes. */
export const hashedFolder = "assets";
/** The page itself. */
export const indexFile = "index.html";
/** The suffix of a compressed copy, by encoding. */
export const encodedSuffix = { br: ".br", gzip: ".gz" } as const;
/** The style of the documentation, in the folder of hashed files. */
export const docsStyle = /^docs-[^.]*\.css$/;
