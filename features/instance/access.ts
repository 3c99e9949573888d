// Settings that the instance's admins can change while the server runs: who may register, and the instance's name.
import { Refusal } from "../../protocol/errors.ts";
import { type Config, type InstanceSettings, instanceSettings } from "../../server/config/config.ts";
import type { Db } from "../../server/database/database.ts";
import { keep, kept } from "../../server/database/instance.ts";
import type { House } from "../../server/house/house.ts";
import type { Soon } from "../../server/house/known.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";

export { needSetupCode } from "./setup.ts";

const changeable = Object.keys(instanceSettings) as readonly (keyof InstanceSettings)[];

/** The name of the cache, and its only key: every process drops it when a setting changes. */
const cacheName = "instance";
const onlyKey = "settings";

/** Returns the settings in force; in a transaction, those that hold until it commits. */
export function settingsNow(unit: UnitOfWork): Soon<InstanceSettings> {
  const { house } = unit;
  if (unit.alone) return settingsInForce(house, unit.db);
  const cache = house.cache<InstanceSettings>(cacheName, 1);
  return cache.get(onlyKey, () => settingsInForce(house, house.database.read));
}

/** A setting given at the start takes precedence, then the one that admins chose, then the default. */
async function settingsInForce({ config }: House, db: Db): Promise<InstanceSettings> {
  const { fixed: _, ...settings } = config.instance;
  return { ...settings, ...(await chosenSettings(config, db)) };
}

/** Returns the settings that the instance's admins chose while a server ran, without those fixed at the start. */
export async function chosenSettings({ instance }: Config, db: Db): Promise<Partial<InstanceSettings>> {
  const chosen: Partial<Record<keyof InstanceSettings, string>> = {};
  for (const name of changeable) {
    const value = instance.fixed.includes(name) ? undefined : await kept(db, name);
    if (value !== undefined) chosen[name] = value;
  }
  // Only values that the operation accepts are ever stored.
  return chosen as Partial<InstanceSettings>;
}

/**
 * Stores the settings that differ. Returns the settings after that, and the names of the changed ones. Throws conflict
 * (409), and changes nothing, when one of them is fixed.
 */
export async function changeSettings(
  unit: UnitOfWork,
  wished: Partial<InstanceSettings>,
): Promise<{ settings: InstanceSettings; changed: (keyof InstanceSettings)[] }> {
  const before = await settingsNow(unit);
  const changed = changeable.filter((name) => wished[name] !== undefined && wished[name] !== before[name]);
  const fixed = changed.find((name) => unit.house.config.instance.fixed.includes(name));
  if (fixed) {
    const setting = instanceSettings[fixed];
    throw new Refusal("conflict", `${setting} is set where this server was started, so it is changed there.`);
  }
  for (const name of changed) await keep(unit.db, name, wished[name] ?? "");
  if (changed.length > 0) unit.drop(cacheName, onlyKey);
  return { settings: { ...before, ...wished }, changed };
}
