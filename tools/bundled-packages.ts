// What packages are like in a bundle, where they would else not be what they are by themselves.
import { readFileSync } from "node:fs";

/**
 * Pino looks at the stack, once, for the file that the log's other destinations would be named from; there are none. The
 * first stack that is read of a bundle has its source map loaded, which takes 20 ms and 5 MiB: that of the first error
 * is soon enough.
 */
export const withoutPinosCaller: Bun.BunPlugin = {
  name: "without pino's caller",
  setup(build) {
    const contents = "module.exports = function getCallers() {}";
    build.onLoad({ filter: /\/pino\/lib\/caller\.js$/ }, () => ({ contents, loader: "js" }));
  },
};

/**
 * In a bundle the modules of the newer kind begin before those of the older kind, whatever is imported first. The
 * certificates of passkeys need this one to have begun before theirs, so it becomes one of the newer kind.
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
