// What Enter does where one writes: it sends, or for those who write several lines it breaks the line.
import { kept } from "../browser/kept.ts";

export const sendKey = "composer.send";
export const byCtrlEnter = "ctrl+enter";

/** Whether Enter alone breaks the line. */
export function enterBreaksLine(): boolean {
  return kept(sendKey) === byCtrlEnter;
}
