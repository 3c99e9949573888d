// Preloaded into the server: instruments its files, and lets the parent process start and stop the recorder.
import { join } from "node:path";
import { isTest, sourceFiles } from "../../tests/architecture/tree.ts";
import { instrument } from "./instrument.ts";
import { Recorder, recorderName } from "./recorder.ts";

const root = join(import.meta.dir, "../..");
const files = sourceFiles("protocol", "features", "server").filter(
  (file) => !isTest(file) && file.path.endsWith(".ts") && !file.path.includes("/view/"),
);
const instrumented = await instrument(Object.fromEntries(files.map(({ path, text }) => [path, text])));

const recorder = new Recorder(files.map(({ path }) => path));
Object.assign(globalThis, { [recorderName]: recorder });

Bun.plugin({
  name: "trace",
  setup(build) {
    build.onLoad({ filter: /\/(protocol|features|server)\/.*\.ts$/ }, async ({ path }) => {
      const contents = instrumented[path.slice(root.length + 1)] ?? (await Bun.file(path).text());
      return { contents, loader: "ts" };
    });
  },
});

process.on("message", (command: "start" | "stop") => {
  if (command === "start") recorder.start();
  process.send?.(command === "start" ? "started" : recorder.stop());
});
