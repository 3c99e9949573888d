// Kinds of events about what a person wants to be told.
import { kind } from "../../protocol/event.ts";
import type { NotificationSettings } from "./contract.ts";

export const notificationSettingsUpdated = kind<NotificationSettings>("NOTIFICATION_SETTINGS_UPDATE");
