// Paths of pictures that could not be loaded, which are not asked for again. The tab keeps them over a reload.
import { create } from "zustand";
import { keepInTab, keptInTab } from "./tab-store.ts";

const key = "hearth.failed";
/** The most that the tab keeps, the latest: each may have some thousand characters. */
const mostKept = 99;

export const useFailedPictures = create(() => new Set((keptInTab(key) ?? "").split(" ")));

export function noteFailedPicture(path: string): void {
  keep(new Set(useFailedPictures.getState()).add(path));
}

/** Called when the server is reached again: they may have failed for want of it. */
export function forgetFailedPictures(): void {
  keep(new Set());
}

function keep(paths: Set<string>): void {
  useFailedPictures.setState(paths, true);
  keepInTab(key, [...paths].slice(-mostKept).join(" "));
}
