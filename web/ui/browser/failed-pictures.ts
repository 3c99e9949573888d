// Addresses of pictures that could not be loaded, which are not asked for again. The tab keeps them over a reload.
import { create } from "zustand";
import { keepInTab, keptInTab } from "./tab-store.ts";

const key = "hearth.failed";
/** The most addresses: each may have 2048 characters. */
const mostFailed = 99;

/** The latest first. */
export const useFailedPictures = create(() => (keptInTab(key) ?? "").split(" "));

export function noteFailedPicture(url: string): void {
  keep([url, ...useFailedPictures.getState()].slice(0, mostFailed));
}

/** Called when the server is reached again: they may have failed for want of it. */
export function forgetFailedPictures(): void {
  keep([]);
}

function keep(urls: string[]): void {
  useFailedPictures.setState(urls, true);
  keepInTab(key, urls.join(" "));
}
