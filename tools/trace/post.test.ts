// The path of a post through the server's files gets no longer.
import { expect, test } from "bun:test";
import { slipped } from "../../tests/architecture/ratchet.ts";
import { traceOfPost } from "./post.ts";

const listed = { files: 72, moves: 318 };

test("a post goes through no more files than before, and moves between them no more often", async () => {
  const { files, moves } = await traceOfPost();
  const remedy = "npm run trace names the files; give a step to one that is on the way already";
  expect(
    slipped({ files: files.length, moves }, 0, listed, { unit: "on the way of a post", remedy }),
  ).toEqual([]);
});
