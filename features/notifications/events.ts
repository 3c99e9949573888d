// Events about notification settings.
import { kind } from "../../protocol/event.ts";
import type { NotificationSettings } from "./contract.ts";

export const notificationSettingsUpdated = kind<NotificationSettings>("NOTIFICATION_SETTINGS_UPDATE");
