// Our code that a browser loads before it shows anything: words, event kinds, reducers, the client. No schema library.
import { expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { isTest, type SourceFile, sourceFiles } from "./tree.ts";

/**
 * Bytes, compressed: reducers, fetching and sending of a page's copy of the data. Views come on top. The resolver of
 * permissions is some 600 of them: no event carries what its reader may do. Conversations are some 850: READY brings
 * them and every event may change one, so their reducers cannot come later. The order of servers is some 200, and
 * knowing which messages of blocked people were counted some 80. It leaves room for the feature of the tutorial.
 */
const mostBytes = 18_500;

/** Loaded with the first file that a person sends. */
const withFiles = ["protocol/upload-extensions.ts", "client/file-problem.ts"];

/** Loaded with the form of a new account. */
const withForms = ["protocol/email.ts"];

/** Loaded with the first list that is searched by name. */
const withLists = ["protocol/folded.ts"];

/** Loaded with the dialog that changes a picture. */
const withPictures = ["protocol/raster.ts"];

/** Loaded after the first message. */
const afterwards = ["client/sense.ts"];

/** Loaded when reactions to messages changed while they were being fetched. */
const withDoubts = ["client/look-again.ts"];

const notAtFirst = [...withFiles, ...withForms, ...withLists, ...withPictures, ...withDoubts, ...afterwards];

const pages = sourceFiles("client", "web", "features").filter(
  (file) => !isTest(file) && /^(client|web)\/|\/(events|state|calls)\.ts$|\/view\//.test(file.path),
);

/** Files of protocol/ that pages load; the others are for declarations and servers. */
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

/** Bundles these files for a browser, without tree shaking. */
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
