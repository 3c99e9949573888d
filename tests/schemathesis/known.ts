// Maps names of the API to kinds of things on the stage, and lists valid values where Swagger cannot express the rule.
import { Browser } from "../doubles/web-push.ts";
import { knownPassword } from "./stage.ts";

/** The kind of thing that a name in a path, a query or a body identifies; for `id` the word before it is looked up. */
export const kindOf: Record<string, string> = {
  serverID: "server",
  server_id: "server",
  channelID: "channel",
  channel_id: "channel",
  messageID: "message",
  reply_to: "message",
  message_ids: "message",
  before: "message",
  around: "message",
  roleID: "role",
  role_ids: "role",
  roleOrUserID: "role",
  userID: "user",
  user_id: "user",
  code: "code",
  servers: "server",
  server_ids: "server",
  roomID: "room",
  channels: "channel",
  messages: "message",
  users: "user",
  bots: "bot",
  room_name: "room",
  filename: "file",
  attachments: "attachment",
  cmdID: "command",
  events: "event",
  badges: "badge",
  badgeID: "badge",
  webhookID: "webhook",
  "executeWebhook.token": "webhookToken",
  "openConversation.user_ids": "somebodyElse",
  "loginWithPassword.email": "login",
  "addRecipient.id": "group",
  "addRecipient.userID": "somebodyElse",
  "removeRecipient.id": "group",
  "listBans.after": "banned",
  "listInvites.before": "code",
  "listAccounts.after": "user",
  "listAllServers.after": "server",
  "blockUser.userID": "somebodyElse",
  "unblockUser.userID": "somebodyElse",
};

/** Parameters of operations that end a thing or take it from the caller: they get spare things that no other uses. */
export const spareFor: Record<string, string> = {
  "deleteServer.id": "server",
  "handOverServer.id": "handedOver",
  "leaveServer.id": "visited",
  "deleteChannel.id": "channel",
  "deleteMessage.messageID": "message",
  "deleteBot.id": "bot",
  "removeBotFromServer.id": "leavingBot",
  "bulkDeleteMessages.message_ids": "cleared",
  "deleteRole.roleID": "role",
  "kickMember.userID": "kicked",
  "removeRecipient.userID": "seated",
  "banUser.userID": "user",
  "deleteInvite.code": "code",
  "updateAccount.id": "user",
  "createResetLink.id": "user",
  "endSessionsOf.id": "user",
  "endSession.id": "session",
  "deleteCommand.cmdID": "command",
  "deleteEvent.id": "event",
  "deleteBadge.id": "badge",
  "deleteWebhook.webhookID": "webhook",
  "deletePasskey.id": "passkey",
  "resetPassword.token": "resetToken",
};

/** A browser that no push reaches: this network was returned, and its addresses lead nowhere. */
const browser = new Browser("https://[3ffe::1]/push");

/** Values of fields with rules that Swagger 2.0 cannot express: a few stand for all. */
export const narrowed: Record<string, (string | number)[]> = {
  emoji: ["🎉", ":wave:", "👩‍🚀"],
  time_zone: ["Europe/Berlin", "UTC"],
  "createBadge.icon": ["🎉", "https://pictures.example/badge.png"],
  "executeWebhook.avatar_url": ["https://pictures.example/robot.png", "http://nas.lan/robot.png", ""],
  starts_at: ["2130-01-31T18:00:00.000Z", "2130-02-01T09:30:00+02:00"],
  ends_at: ["2131-01-31T20:00:00.000Z"],
  "subscribeToPush.endpoint": [browser.endpoint],
  p256dh: [browser.p256dh],
  auth: [browser.auth],
  "setInstanceSettings.registration": ["open"],
  current_password: [knownPassword, "wrong horse battery"],
  "loginWithPassword.password": [knownPassword],
  // Bits of channels, none of them in both.
  "setOverride.allow": [0, 1, 3],
  "setOverride.deny": [0, 4, 64],
  "setOverride.kind": ["role"],
};

/** Fields that have to fit others of their call, as Swagger cannot say: the overrides' ids are of the same server. */
export const leftOut = new Set(["createChannel.overrides"]);

/** Fields that may be null for some things only: only a group may have no name. */
export const neverNull = new Set(["updateChannel.name"]);

/** Names that only get existing values: a well-formed one that leads nowhere would be refused as invalid. */
export const onlyKnown = new Set([
  ...["role_ids", "reply_to", "attachments", "channel_id"],
  ...["before", "around", "after"],
]);
