// What admins of the instance can change while the server runs: who may register, and what the instance is called.
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

/** Returns the settings in force; in a transaction those that hold until it is committed. */
export function settingsNow(unit: UnitOfWork): Soon<InstanceSettings> {
  const { house } = unit;
  if (unit.alone) return settingsInForce(house, unit.db);
  const cache = house.cache<InstanceSettings>(cacheName, 1);
  return cache.get(onlyKey, () => settingsInForce(house, house.database.read));
}

/** A setting that is given holds; else the one that was chosen, else the default. */
async function settingsInForce({ config }: House, db: Db): Promise<InstanceSettings> {
  const { fixed: _, ...settings } = config.instance;
  return { ...settings, ...(await chosenSettings(config, db)) };
}

/** Returns what admins of the instance chose while a server ran, of that which no setting fixes. */
export async function chosenSettings({ instance }: Config, db: Db): Promise<Partial<InstanceSettings>> {
  const chosen: Partial<Record<keyof InstanceSettings, string>> = {};
  for (const name of changeable) {
    const value = instance.fixed.includes(name) ? undefined : await kept(db, name);
    if (value !== undefined) chosen[name] = value;
  }
  // Nothing else than what the operation takes was ever kept.
  return chosen as Partial<InstanceSettings>;
}

/**
 * Keeps what is to be different from now on. Returns the settings as they are then, and the names of those that changed.
 * Throws conflict (409), and changes nothing, when one of them is fixed.
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
