// Pictures that failed: none is forgotten, however many they are, and the tab keeps the latest.
import { expect, test } from "bun:test";
import { forgetFailedPictures, noteFailedPicture, useFailedPictures } from "./failed-pictures.ts";
import { keptInTab } from "./tab-store.ts";

test("each is remembered until the network comes back; over a reload the latest are", () => {
  const paths = Array.from({ length: 300 }, (_, i) => `/avatars/${i}.webp`);
  for (const path of paths) noteFailedPicture(path);
  expect(paths.filter((path) => !useFailedPictures.getState().has(path))).toEqual([]);
  expect(keptInTab("hearth.failed")?.split(" ")).toEqual(paths.slice(-99));
  forgetFailedPictures();
  expect(useFailedPictures.getState().has(paths[299] ?? "")).toBe(false);
});
