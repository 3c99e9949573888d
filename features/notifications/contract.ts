// Notification settings: the level of each server and channel, and when a person's browsers get pushes.
import { z } from "zod";
import { event } from "../../protocol/event.ts";
import { operation } from "../../protocol/operation.ts";
import { id, moment, time } from "../../protocol/shapes.ts";
import * as kinds from "./events.ts";

/** The messages that a person is notified of: all, those that mention them, or none. */
const level = z.enum(["all", "mentions", "none"]);

export type Level = z.infer<typeof level>;

const untilUnmuted = "9999-12-31T23:59:59.999Z: until it is unmuted";
const mutedUntil = time.nullable().meta({ description: `Nothing is told until then. ${untilUnmuted}` });

export const serverNotifications = z
  .object({ server_id: id, level, muted_until: mutedUntil })
  .meta({ id: "ServerNotifications" });

export const channelNotifications = z
  .object({
    channel_id: id,
    level: level.nullable().meta({ description: "null: that of the server" }),
    muted_until: mutedUntil,
  })
  .meta({ id: "ChannelNotifications" });

/** Settings that differ from the default, for the servers and channels that the person can see now. */
export const notificationSettings = z
  .object({ servers: z.array(serverNotifications), channels: z.array(channelNotifications) })
  .meta({ id: "NotificationSettings" });

export type NotificationSettings = z.infer<typeof notificationSettings>;

const muting = moment
  .nullable()
  .default(null)
  .meta({ description: `A past time is null. ${untilUnmuted}` });

export const getNotificationSettings = operation({
  name: "getNotificationSettings",
  method: "GET",
  path: "/notification-settings",
  summary: "What the caller wants to be told, where that is not the default, of what they see now",
  caller: "person",
  lane: "read",
  cost: { worst: 2 },
  answers: { 200: { description: "The settings", body: notificationSettings } },
});

export const setServerNotifications = operation({
  name: "setServerNotifications",
  method: "PUT",
  path: "/servers/{id}/notification-settings",
  summary: "Say what one wants to be told of a server; what is left out is the default",
  caller: "person",
  lane: "write",
  cost: { worst: 3 },
  params: z.object({ id }),
  body: z.object({
    level: level.default("mentions").meta({ description: "For all channels that say nothing else" }),
    muted_until: muting,
  }),
  answers: { 204: { description: "It is so" } },
  errors: ["conflict"],
});

export const setChannelNotifications = operation({
  name: "setChannelNotifications",
  method: "PUT",
  path: "/channels/{channelID}/notification-settings",
  summary: "Say what one wants to be told of a channel; what is left out is the default",
  caller: "person",
  lane: "write",
  cost: { worst: 3 },
  params: z.object({ channelID: id }),
  body: z.object({
    level: level.nullable().default(null).meta({ description: "null: that of the server" }),
    muted_until: muting,
  }),
  answers: { 204: { description: "It is so" } },
  errors: ["conflict"],
});

export const notificationSettingsUpdated = event(kinds.notificationSettingsUpdated, {
  summary: "The person wants to be told something else; these are all of their settings",
  data: notificationSettings,
  happensIn: "person",
  replaces: () => "",
});

/** For bots it is empty. */
export const readyShapes = { whole: z.object({ notification_settings: notificationSettings }) };

const pushSettings = z
  .object({
    when: z.enum(["away", "always"]).meta({
      description: "away: nothing is pushed while one of the person's sockets says anything but PING",
    }),
  })
  .meta({ id: "PushSettings" });

export type PushWhen = z.infer<typeof pushSettings>["when"];

export const getPushSettings = operation({
  name: "getPushSettings",
  method: "GET",
  path: "/auth/me/push-settings",
  summary: "When the caller's browsers get pushes",
  caller: "person",
  lane: "read",
  answers: { 200: { description: "The setting", body: pushSettings } },
});

export const setPushSettings = operation({
  name: "setPushSettings",
  method: "PUT",
  path: "/auth/me/push-settings",
  summary: "Say when one's browsers get pushes",
  caller: "person",
  lane: "write",
  body: z.object({ when: pushSettings.shape.when.default("away") }),
  answers: { 204: { description: "It is so" } },
});
