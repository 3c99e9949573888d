// What a browser loads of us before it shows anything: words, kinds of events, reducers, the client. No schema library.
import { expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { isTest, type SourceFile, sourceFiles } from "./tree.ts";

/** A copy of everything that a page keeps true, what fetches it and what sends; what draws it comes on top. */
const mostBytes = 16_600;

/** A page loads them with the first file that somebody sends. */
const withFiles = ["protocol/upload-extensions.ts", "client/file-problem.ts"];

/** A page loads it with the form of a new account. */
const withForms = ["protocol/email.ts"];

/** A page loads it with the first list that somebody looks a name up in. */
const withLists = ["protocol/folded.ts"];

/** A page loads it behind the first message. */
const afterwards = ["client/sense.ts"];

/** A page loads it when reactions to messages changed while it fetched them. */
const withDoubts = ["client/look-again.ts"];

const notAtFirst = [...withFiles, ...withForms, ...withLists, ...withDoubts, ...afterwards];

const pages = sourceFiles("client", "web", "features").filter(
  (file) => !isTest(file) && /^(client|web)\/|\/(events|state|calls)\.ts$|\/view\//.test(file.path),
);

/** What pages load of protocol/; the rest is for declarations and servers. */
function loadedByPages(): SourceFile[] {
  const files = new Map(sourceFiles("protocol").map((file) => [file.path, file]));
  const found = new Set<SourceFile>();
  const follow = ({ loads }: SourceFile) => {
    for (const path of loads) {
      const file = files.get(path);
      if (!file || found.has(file)) continue;
      found.add(file);
      follow(file);
    }
  };
  for (const page of pages) follow(page);
  return [...found];
}

const loaded = [
  ...loadedByPages(),
  ...sourceFiles("features").filter((file) => /\/(events|state)\.ts$/.test(file.path)),
  ...sourceFiles("client"),
].filter((file) => !isTest(file) && !notAtFirst.includes(file.path));

test("it is small, and no schema library is in it", async () => {
  const { code, inputs } = await bundled(loaded);
  expect(inputs).toContain("features/messages/state.ts");
  expect(inputs.filter((path) => path.includes("node_modules"))).toEqual([]);
  expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(mostBytes);
});

test("a reducer that took a value from a declaration would be found by it", async () => {
  const { inputs } = await bundled(
    sourceFiles("features/channels").filter(({ path }) => /contract/.test(path)),
  );
  expect(inputs.some((path) => path.includes("node_modules/zod/"))).toBe(true);
});

/** As a page would get it, all of it: nothing is left out for not being used. */
async function bundled(files: readonly SourceFile[]): Promise<{ code: string; inputs: string[] }> {
  const all = files.map(({ path }, i) => `export * as part${i} from "./${path}";`).join("\n");
  const entry = `${import.meta.dir}/../../everything.ts`;
  const { outputs, metafile } = await Bun.build({
    entrypoints: [entry],
    files: { [entry]: all },
    target: "browser",
    minify: true,
    external: withDoubts.map((path) => `*${path.replace("client", "")}`),
    metafile: true,
  });
  const [output] = outputs;
  if (!output || !metafile) throw new Error("nothing was bundled");
  return { code: await output.text(), inputs: Object.keys(metafile.inputs) };
}
