// Operations on notification settings, and their deletion when people leave.
import { type Feature, handle, when } from "../../server/house/feature.ts";
import { whenAsked } from "../../server/house/question.ts";
import { leave, sweepOf } from "../../server/house/sweeping.ts";
import { idOf } from "../../server/place.ts";
import { lockUser } from "../accounts/access.ts";
import { findChannel, selectChannelIds } from "../channels/access.ts";
import { channelDeleted } from "../channels/contract.ts";
import { seatLost } from "../direct/seats.ts";
import { memberRemoved } from "../members/contract.ts";
import { findMembership } from "../servers/access.ts";
import { serverDeleted } from "../servers/contract.ts";
import { settingsOf } from "./access.ts";
import * as contract from "./contract.ts";
import { emitSettings, keepSetting } from "./keeping.ts";
import { nothingSet } from "./state.ts";
import {
  deleteSettings,
  deleteSettingsIn,
  notificationMigrations,
  selectPushWhen,
  setPushWhen,
} from "./store.ts";

const settingsOfTarget = sweepOf(
  "notification_settings",
  "target_id",
  ["user_id", "target_id"],
  ["target_id", "user_id"],
);

export const notifications: Feature = {
  name: "notifications",
  migrations: notificationMigrations,
  events: [contract.notificationSettingsUpdated],
  operations: [
    handle(contract.getNotificationSettings, ({ caller, unit }) => settingsOf(unit, caller.userId)),

    handle(contract.setServerNotifications, async ({ caller, params, body, unit }) => {
      // Serializes the calls of one person, because each emits all of the settings.
      await lockUser(unit, caller.userId);
      await findMembership(unit, caller.userId, params.id);
      const level = body.level === "mentions" ? null : body.level;
      const target = { user_id: caller.userId, target_id: params.id, server_id: params.id };
      await keepSetting(unit, { ...target, level, muted_until: body.muted_until });
    }),

    handle(contract.setChannelNotifications, async ({ caller, params, body, unit }) => {
      await lockUser(unit, caller.userId);
      const { channel } = await findChannel(unit, caller.userId, params.channelID);
      const target = { user_id: caller.userId, target_id: channel.id, server_id: channel.server_id };
      // Without a server there is no other level than this one to take.
      const level = channel.server_id === null && body.level === "all" ? null : body.level;
      await keepSetting(unit, { ...target, level, muted_until: body.muted_until });
    }),

    handle(contract.getPushSettings, async ({ caller, unit }) => {
      const chosen = await selectPushWhen(unit.db, [caller.userId]);
      return { when: chosen.get(caller.userId) ?? "away" };
    }),

    handle(contract.setPushSettings, ({ caller, body, unit }) =>
      setPushWhen(unit.db, caller.userId, body.when),
    ),
  ],
  eventHandlers: [
    when(memberRemoved, async (unit, { home }, { user_id }) => {
      if (!(await deleteSettingsIn(unit.db, user_id, idOf(home)))) return;
      await lockUser(unit, user_id);
      await emitSettings(unit, user_id);
    }),
    when(channelDeleted, (unit, _place, { id }) => leave(unit, settingsOfTarget, [id])),
    when(serverDeleted, async (unit, _place, { id }) =>
      leave(unit, settingsOfTarget, [id, ...(await selectChannelIds(unit.db, id))]),
    ),
  ],
  answers: [
    whenAsked(seatLost, async (unit, userId, channelId) => {
      if (!(await deleteSettings(unit.db, userId, [channelId]))) return;
      await lockUser(unit, userId);
      await emitSettings(unit, userId);
    }),
  ],
  sweeps: [settingsOfTarget],
  readyShapes: contract.readyShapes,
  async readyOfCaller(unit, caller) {
    return { notification_settings: caller.isBot ? nothingSet : await settingsOf(unit, caller.userId) };
  },
};
