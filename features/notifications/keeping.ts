// Stores notification settings, and sends them to the person's devices.
import { full } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { listPace } from "../../server/house/list-pace.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { personPlace } from "../../server/place.ts";
import { isDefault, mutedUntil, settingsOf } from "./access.ts";
import { notificationSettingsUpdated } from "./contract.ts";
import { deleteSettings, type SettingsTable, selectSettings, upsertSetting } from "./store.ts";

/** Throws rate_limited (429). */
export const takeTurn = listPace(
  "notification settings",
  limits.notification_settings_max,
  "You change too often what you want to be told. Wait a moment.",
);

/**
 * Replaces a setting. Does nothing if both are equal. Throws conflict (409) if the person has reached the limit of
 * settings, and rate_limited (429). The caller has locked the person.
 */
export async function keepSetting(unit: UnitOfWork, given: SettingsTable): Promise<void> {
  const now = Date.now();
  const { user_id, target_id } = given;
  const rows = await selectSettings(unit.db, user_id);
  const before = rows.find((row) => row.target_id === target_id) ?? { level: null, muted_until: null };
  if (before.level === given.level && mutedUntil(before, now) === mutedUntil(given, now)) return;
  const others = rows.filter((row) => row.target_id !== target_id);
  const over = others.filter((row) => isDefault(row, now));
  const isNeedless = isDefault(given, now);
  if (!isNeedless && others.length - over.length >= limits.notification_settings_max) {
    throw full("One person can have", limits.notification_settings_max, "notification settings");
  }
  await takeTurn(unit.house, user_id);
  if (!isNeedless) await upsertSetting(unit.db, { ...given, muted_until: mutedUntil(given, now) });
  const needless = unit.house.clock.mayDelete() ? over.map((row) => row.target_id) : [];
  await deleteSettings(unit.db, user_id, isNeedless ? [...needless, target_id] : needless);
  await emitSettings(unit, user_id);
}

/** Emits all current settings of a person. */
export async function emitSettings(unit: UnitOfWork, userId: string): Promise<void> {
  unit.emit(notificationSettingsUpdated, personPlace(userId), await settingsOf(unit, userId));
}
