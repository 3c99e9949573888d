// The meaning of Enter in the composer and in a correction: it sends, or inserts a line break for people who write several lines.
import { kept } from "../browser/kept.ts";

export const sendKey = "composer.send";
export const byCtrlEnter = "ctrl+enter";

type Keys = Pick<KeyboardEvent, "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/** True if Enter alone inserts a line break. */
export function enterBreaksLine(): boolean {
  return kept(sendKey) === byCtrlEnter;
}

/** True if Enter with these keys sends. */
export function sends({ ctrlKey, metaKey, shiftKey, altKey }: Keys): boolean {
  return ctrlKey || metaKey || !(shiftKey || altKey || enterBreaksLine());
}
