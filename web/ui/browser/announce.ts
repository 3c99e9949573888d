// Says something to those who listen to the page, without a place on the screen.
import { kept } from "./kept.ts";

const place = document.getElementById("announcer");

/** How much of what others write is said: the choice is kept by this browser. */
export const announcedLevels = ["all", "mentions", "none"] as const;
export type Announced = (typeof announcedLevels)[number];
export const announcedKey = "announced";

/**
 * Waits for what is being said. Several at once are said after one another. What others write is said as far as the
 * reader wants it; what comes of the reader's own acts always.
 */
export function announce(sentence: string, about: "page" | "message" | "mention" = "page"): void {
  if (!place || !isWanted(about)) return;
  const line = document.createElement("p");
  line.textContent = sentence;
  place.append(line);
  setTimeout(() => line.remove(), 5000);
}

function isWanted(about: "page" | "message" | "mention"): boolean {
  const level = kept<Announced>(announcedKey) ?? "all";
  return about === "page" || level === "all" || (level === "mentions" && about === "mention");
}
