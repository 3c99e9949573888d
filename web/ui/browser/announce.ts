// Announces sentences to screen readers, without showing them.
import { kept } from "./kept.ts";

const place = document.getElementById("announcer");

/** The messages of others that are announced; the choice is stored by this browser. */
export const announcedLevels = ["all", "mentions", "none"] as const;
export type Announced = (typeof announcedLevels)[number];
export const announcedKey = "announced";

/**
 * Announces a sentence politely, after current speech; several are read in order. Messages of others are announced as
 * far as the reader wants, results of the reader's own actions always.
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
