// Bundler plugins for packages that would not work in a bundle as they do outside of it.
import { readFileSync } from "node:fs";

/**
 * Pino reads the stack once, for a file name that only other log destinations need; there are none. The first stack
 * that is read in a bundle loads its source map, which takes 20 ms and 5 MiB: the first error is soon enough for that.
 */
export const withoutPinosCaller: Bun.BunPlugin = {
  name: "without pino's caller",
  setup(build) {
    const contents = "module.exports = function getCallers() {}";
    build.onLoad({ filter: /\/pino\/lib\/caller\.js$/ }, () => ({ contents, loader: "js" }));
  },
};

/**
 * In a bundle, ES modules are evaluated before CommonJS modules, whatever the order of the imports. The certificate
 * modules of passkeys need reflect-metadata to be evaluated before them, so `export {}` makes it an ES module.
 */
export const reflectionInTime: Bun.BunPlugin = {
  name: "reflection in time",
  setup(build) {
    build.onLoad({ filter: /\/reflect-metadata\/Reflect\.js$/ }, ({ path }) => ({
      contents: `${readFileSync(path, "utf8")}\nexport {};`,
      loader: "js",
    }));
  },
};
