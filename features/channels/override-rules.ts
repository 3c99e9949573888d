// The rules of overrides: whom they may name, who ranks high enough to set them, and which bits a caller may change.
import { full, invalidField, Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { type Override, resolve } from "../../protocol/overrides.ts";
import { holds, permission, type Standing } from "../../protocol/permissions.ts";
import { standingsIn } from "../../server/house/standing.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { type Home, idOf } from "../../server/place.ts";
import { rolesOf } from "../roles/access.ts";
import { countOverrides } from "./overrides.ts";

/** A role or a member of a server. */
export interface Target {
  kind: Override["kind"];
  rank: number;
  /** The people whose rights an override changes, in the notation of `touches`. */
  touched: string;
}

/** Returns by id those of these ids that are roles or members of the server. */
export async function targetsAmong(
  unit: UnitOfWork,
  serverId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Target>> {
  const targets = new Map<string, Target>();
  for (const { id, position, is_default } of await rolesOf(unit, serverId)) {
    if (!ids.includes(id)) continue;
    targets.set(id, { kind: "role", rank: position, touched: is_default ? "*" : `role:${id}` });
  }
  const others = ids.filter((id) => !targets.has(id));
  for (const [id, { rank }] of await standingsIn(unit, serverId, others)) {
    targets.set(id, { kind: "member", rank, touched: id });
  }
  return targets;
}

/** Throws 403 unless the target ranks below the caller, or is the caller. */
export function needRankAboveTarget(standing: Standing, id: string, { kind, rank }: Target): void {
  if (kind === "member" && id === standing.userId) return;
  if (standing.rank > rank) return;
  const target = kind === "role" ? "role" : "person";
  throw new Refusal("hierarchy", `That ${target} does not rank below you.`);
}

/** Throws 403 unless every bit that changes is among the caller's: `standing` is theirs in the channel. */
export function needBitsOfChange(
  standing: Standing,
  before: Pick<Override, "allow" | "deny">,
  after: Pick<Override, "allow" | "deny">,
): void {
  const changed = (before.allow ^ after.allow) | (before.deny ^ after.deny);
  if (changed & ~standing.bits) {
    throw new Refusal("forbidden", "You can allow or deny only what you may do yourself in this channel.");
  }
}

/** Throws 409 if the caller would not see or manage the channel any more, or if it would have too many overrides. */
export function needGoodEnd(standing: Standing, overrides: readonly Override[]): void {
  const bits = resolve(standing, overrides).at(-1)?.result ?? 0;
  if (!holds({ bits }, permission.VIEW_CHANNEL | permission.MANAGE_CHANNELS)) {
    throw new Refusal(
      "conflict",
      "You would lose the channel yourself. Allow yourself to see and manage it first.",
    );
  }
  if (overrides.length > limits.channel_overrides_max) throw tooMany();
}

function tooMany(): Refusal {
  return full("A channel can have", limits.channel_overrides_max, "overrides");
}

/** Throws 409 if the server would have too many overrides: whoever reads one of its channels has all of them read. */
export async function needRoom({ db }: UnitOfWork, home: Home, added: number): Promise<void> {
  if ((await countOverrides(db, idOf(home))) + added > limits.overrides_per_server_max) {
    throw full("A server can have", limits.overrides_per_server_max, "overrides of channels");
  }
}

/**
 * Checks whether the caller may make a channel with these overrides (403), and whether they fit its server (400).
 * Returns those that allow or deny anything, sorted by id.
 */
export async function checkedOverrides(
  unit: UnitOfWork,
  standing: Standing,
  given: readonly Override[],
): Promise<readonly Override[]> {
  if (given.length > limits.channel_overrides_max) throw tooMany();
  const ids = given.map(({ id }) => id);
  const targets = await targetsAmong(unit, idOf(standing.home), ids);
  for (const override of given) {
    const target = targets.get(override.id);
    if (target) needRankAboveTarget(standing, override.id, target);
    needBitsOfChange(standing, none, override);
  }
  for (const [i, { id, kind }] of given.entries()) {
    if (ids.indexOf(id) !== i) throw invalidField(`overrides.${i}.id`, "occurs twice");
    const target = targets.get(id);
    if (!target) throw invalidField(`overrides.${i}.id`, "is no role or member of this server");
    if (target.kind !== kind) throw wrongKind(`overrides.${i}.kind`, target);
  }
  return given
    .filter(({ allow, deny }) => (allow | deny) !== 0)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

export const none = { allow: 0, deny: 0 };

export function wrongKind(path: string, { kind }: Target): Refusal {
  return invalidField(path, `must be ${kind}: that is what the id stands for`);
}
