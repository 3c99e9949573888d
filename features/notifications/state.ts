// A client's copy of what the user wants to be told.
import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import type { NotificationSettings } from "./contract.ts";
import { notificationSettingsUpdated } from "./events.ts";

/** Of somebody who set nothing, and before READY. */
export const nothingSet: NotificationSettings = { servers: [], channels: [] };

/**
 * Returns the settings after a frame. Those of a channel that the user does not see any more stay, and count again with
 * the sight of it.
 */
export function notificationSettingsAfter(
  settings: NotificationSettings,
  frame: ServerFrame,
): NotificationSettings {
  return is(frame, notificationSettingsUpdated) ? frame.data : settings;
}
