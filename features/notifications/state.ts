// A client's copy of the user's notification settings.
import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import type { NotificationSettings } from "./contract.ts";
import { notificationSettingsUpdated } from "./events.ts";

/** The settings of a person who set nothing, and those before READY. */
export const nothingSet: NotificationSettings = { servers: [], channels: [] };

/**
 * Returns the settings after a frame. Those of channels that become invisible stay, and apply again when the channel
 * reappears.
 */
export function notificationSettingsAfter(
  settings: NotificationSettings,
  frame: ServerFrame,
): NotificationSettings {
  return is(frame, notificationSettingsUpdated) ? frame.data : settings;
}
