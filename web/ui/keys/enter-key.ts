// The meaning of Enter in the composer: it sends, or inserts a line break for people who write several lines.
import { kept } from "../browser/kept.ts";

export const sendKey = "composer.send";
export const byCtrlEnter = "ctrl+enter";

/** True if Enter alone inserts a line break. */
export function enterBreaksLine(): boolean {
  return kept(sendKey) === byCtrlEnter;
}
