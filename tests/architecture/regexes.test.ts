// Regular expressions: none takes far longer than linear time on any input.
import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { analyse, type Literal, type Report } from "scslre";
import { repeatedStarts } from "./repeated-starts.ts";
import { regexesIn } from "./syntax.ts";
import { isTest, sourceFiles } from "./tree.ts";

/** Settings are written by the operator and read at the start. The page is built from our own files. */
const ofOurOwn = /^server\/config\/|^web\/vite\.config\.ts/;

interface Found {
  path: string;
  regex: string;
  reports: readonly Report[];
}

async function superLinear(texts: Readonly<Record<string, string>>): Promise<Found[]> {
  const literals = (await regexesIn(texts)).map(({ path, regex }) => {
    const end = regex.lastIndexOf("/");
    return { path, source: regex.slice(1, end), flags: regex.slice(end + 1) };
  });
  return literals.map(analysed).filter(({ reports }) => reports.length > 0);
}

function analysed({ path, source, flags }: Literal & { path: string }): Found {
  return { path, regex: `/${source}/${flags}`, reports: analyse({ source, flags }).reports };
}

test("the analysis finds a runtime that doubles with each letter, one that grows with the square, and passes a linear one", async () => {
  const found = await superLinear({
    "a.ts": String.raw`const a = /^(?:a|a\u0300)*(?:(?:a|\u0300)+)+$/u, b = /\s+$/, c = /^[a-z]+$/, d = "/(a+)+$/";`,
  });
  const kinds = found.map(({ regex, reports }) => [regex, reports.some(({ exponential }) => exponential)]);
  expect(kinds).toEqual([
    [String.raw`/^(?:a|a\u0300)*(?:(?:a|\u0300)+)+$/u`, true],
    [String.raw`/\s+$/`, false],
  ]);
});

/** The analysis knows only starts of a single character, and only pairs of adjacent stars. */
test("the search for repeated starts finds words that begin a match again, and those between two stars", () => {
  const found = [
    /<Contents>(.*?)<\/Contents>/gs,
    /<M>[^<]*\b(?:cap|quota)\b[^<]*\bexceeded\b/,
    /^<span[^>]*font:[^>]*mono/,
    /x(?=ab.*c)/,
    /^<Contents>(.*?)<\/Contents>/s,
    /<a>[^<]*<\/a>/g,
    /<a>.*/g,
  ].map(({ source, flags }) => repeatedStarts(source, flags));
  expect(found).toEqual([["<Contents>"], ["cap"], ["font:"], ["xab"], [], [], []]);
});

/** Repeated starts that were reviewed by hand: the reason why they are harmless, or the time of their longest input. */
const weighed: Readonly<Record<string, string>> = {
  "features/administration/health.ts": "it ends with any character but a dot: only dots make it fail",
  "features/messages/view/composer/paste.ts": "the first 8,192 characters of a page, in its reader's browser",
  "features/messages/view/drafting/codes.ts": "a message of 4,000 characters, in its writer's browser: 1 ms",
  "features/messages/view/model/plain.ts": "it ends with the text at the latest, and so never fails",
  "features/sessions/view/settings/user-agent.ts": "a device's own name for itself, 7,200 characters: 4 ms",
};

const product = sourceFiles("protocol", "features", "server", "client", "cli", "web");
const files = product.filter((file) => !isTest(file) && !ofOurOwn.test(file.path));

test("each regular expression of the product takes time in proportion to its text", async () => {
  const found = await superLinear(Object.fromEntries(files.map(({ path, text }) => [path, text])));
  expect(found.map(({ path, regex }) => `${path} ${regex}`)).toEqual([]);
});

test("none is tried from many beginnings to the end of its text each time, beside those that were weighed", async () => {
  const literals = await regexesIn(Object.fromEntries(files.map(({ path, text }) => [path, text])));
  const found = literals.filter(({ regex }) => {
    const end = regex.lastIndexOf("/");
    return repeatedStarts(regex.slice(1, end), regex.slice(end + 1)).length > 0;
  });
  const paths = new Set(found.map(({ path }) => path));
  expect([...paths].sort()).toEqual(Object.keys(weighed));
  expect(found.filter(({ path }) => !(path in weighed))).toEqual([]);
});

/** Its combining marks are bounded by the joiners around them: 40,000 characters of any kind took 4 ms at most. */
const measured = ["protocol/names.ts"];

/** Files that construct regular expressions in functions, from our own words between disjoint character classes. */
const inFunctions = [
  "features/instance/setup.ts",
  "server/blobs/s3-list.ts",
  "server/bus/redis-facts.ts",
  "server/http/encodings.ts",
  "server/telemetry/log.ts",
];

test("so do those that are put together from parts, which no literal shows", async () => {
  const making = files.filter(({ text }) => text.includes("new RegExp(")).map(({ path }) => path);
  const script = fileURLToPath(new URL("made-regexes.ts", import.meta.url));
  const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, script, ...making]);
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  const lines = stdout.toString().trim().split("\n");
  const made = lines.map((line) => JSON.parse(line) as [path: string, source: string, flags: string]);
  const found = made.flatMap(([path, source, flags]) =>
    measured.includes(path) ? [] : [analysed({ path, source, flags })],
  );
  expect(
    found.filter(({ reports }) => reports.length > 0).map(({ path, regex }) => `${path} ${regex}`),
  ).toEqual([]);
  const silent = making.filter((path) => !made.some(([of]) => of === path));
  expect(silent.sort()).toEqual(inFunctions);
});
