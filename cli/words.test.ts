// Parsing the arguments of `hearth`: words of the command, settings, flags, and requests for help.
import { expect, test } from "bun:test";
import { wordsAndSettings } from "./words.ts";

const nothing = { words: [], settings: [], flags: [], asksForHelp: false };
const spoken = (text: string) => wordsAndSettings(text.split(" ").filter(Boolean));

test("words are words wherever they stand, and a setting takes its value along, in either form", () => {
  expect(spoken("")).toEqual(nothing);
  expect(spoken("admin disable bob")).toEqual({ ...nothing, words: ["admin", "disable", "bob"] });
  expect(spoken("--port 9000 serve --data-dir=/srv --registration open now")).toEqual({
    ...nothing,
    words: ["serve", "now"],
    settings: ["--port", "9000", "--data-dir=/srv", "--registration", "open"],
  });
  expect(spoken("serve --port")).toEqual({ ...nothing, words: ["serve"], settings: ["--port"] });
  expect(spoken("serve --port=9000 now")).toMatchObject({
    words: ["serve", "now"],
    settings: ["--port=9000"],
  });
  expect(spoken("serve -x 1")).toMatchObject({ words: ["serve"], settings: ["-x", "1"] });
});

test("flags and --to are no settings, and take nothing else along; a dash alone is a word", () => {
  expect(spoken("restore --check backup.tar")).toEqual({
    ...nothing,
    ...{ words: ["restore", "backup.tar"], flags: ["--check"] },
  });
  expect(spoken("restore --check -")).toMatchObject({ words: ["restore", "-"], flags: ["--check"] });
  expect(spoken("migrate --stay --data-dir /srv")).toEqual({
    ...nothing,
    ...{ words: ["migrate"], flags: ["--stay"], settings: ["--data-dir", "/srv"] },
  });
  expect(spoken("blobs copy --to s3")).toEqual({ ...nothing, words: ["blobs", "copy"], to: "s3" });
  expect(spoken("blobs copy --to")).toEqual({ ...nothing, words: ["blobs", "copy"], to: "" });
});

test("--help and -h ask for help, wherever they stand", () => {
  for (const asked of ["--help", "admin --help", "-h serve"]) expect(spoken(asked).asksForHelp).toBe(true);
});
