// Operations on the overrides of channels, and what becomes of overrides when a role is deleted or a member leaves.
import { notFound } from "../../protocol/errors.ts";
import { type Override, type ResolutionStep, resolve } from "../../protocol/overrides.ts";
import { insteadOf } from "../../server/gateway/audience.ts";
import { handle, when } from "../../server/house/feature.ts";
import { standingOf } from "../../server/house/standing.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { idOf } from "../../server/place.ts";
import { authorOf } from "../accounts/access.ts";
import { memberRemoved } from "../members/contract.ts";
import { rolesOf } from "../roles/access.ts";
import { roleDeleted } from "../roles/contract.ts";
import { need } from "../servers/access.ts";
import { findChannel, placeOf, type VisibleChannel } from "./access.ts";
import * as contract from "./contract.ts";
import {
  needBitsOfChange,
  needGoodEnd,
  needRankAboveTarget,
  none,
  type Target,
  targetsAmong,
  wrongKind,
} from "./override-rules.ts";
import { deleteOverride, selectOverridden, upsertOverride } from "./overrides.ts";
import { classesOf } from "./sight.ts";
import { classOf, type ServerChannel, updateChannel, viewers } from "./store.ts";

export const overrideOperations = [
  handle(contract.listOverrides, async ({ caller, params, unit }) => {
    const { channel } = await findChannel(unit, caller.userId, params.id);
    return overridesOf(unit, channel);
  }),

  handle(contract.setOverride, async ({ caller, params, body, unit }) => {
    const visible = await findChannel(unit, caller.userId, params.id);
    const { roleOrUserID: id } = params;
    const target = (await targetsAmong(unit, visible.channel.server_id, [id])).get(id);
    if (!target) throw notFound();
    need(visible.standing, "MANAGE_CHANNELS");
    if (target.kind !== body.kind) throw wrongKind("kind", target);
    await change(unit, visible, { id, ...body }, target);
  }),

  handle(contract.deleteOverride, async ({ caller, params, unit }) => {
    const visible = await findChannel(unit, caller.userId, params.id);
    const { roleOrUserID: id } = params;
    const known = (await overridesOf(unit, visible.channel)).find((each) => each.id === id);
    const target =
      (await targetsAmong(unit, visible.channel.server_id, [id])).get(id) ?? (known && formerMember(id));
    if (!target) throw notFound();
    need(visible.standing, "MANAGE_CHANNELS");
    await change(unit, visible, { id, kind: target.kind, ...none }, target);
  }),

  handle(contract.explainPermissions, async ({ caller, params, unit }) => {
    const { channel, standing } = await findChannel(unit, caller.userId, params.id);
    const target = await standingOf(unit, channel.server_id, params.userID);
    if (!target) throw notFound();
    if (params.userID !== caller.userId) need(standing, "MANAGE_SERVER");
    const steps = resolve(target, await overridesOf(unit, channel));
    const named = await withNames(unit, channel.server_id, steps);
    return { permissions: steps.at(-1)?.result ?? 0, steps: named };
  }),
];

export const overrideEventHandlers = [
  when(roleDeleted, async (unit, _, { id }) => {
    for (const { channel, override } of await selectOverridden(unit.db, id)) {
      await put(unit, channel, { ...override, ...none });
      await tell(unit, channel);
    }
  }),
  // Their denied bits stay, so that leaving and coming back gains nothing.
  when(memberRemoved, async (unit, { home }, { user_id }) => {
    for (const { channel, override } of await selectOverridden(unit.db, user_id)) {
      if (channel.server_id !== idOf(home) || override.allow === 0) continue;
      await put(unit, channel, { ...override, allow: 0 });
      await tell(unit, channel);
    }
  }),
];

/** A member who left keeps what a channel denies to them. */
function formerMember(id: string): Target {
  return { kind: "member", rank: 0, touched: id };
}

async function overridesOf(unit: UnitOfWork, channel: ServerChannel): Promise<Override[]> {
  return [...(await classesOf(unit, placeOf(channel).home)).overridesOf(channel.audience)];
}

/** Sets an override after the checks, and tells those who see the channel. */
async function change(
  unit: UnitOfWork,
  { channel, standing }: VisibleChannel,
  override: Override,
  target: Target,
): Promise<void> {
  const before = await overridesOf(unit, channel);
  const known = before.find(({ id }) => id === override.id) ?? none;
  needRankAboveTarget(standing, override.id, target);
  needBitsOfChange(standing, known, override);
  if (known.allow === override.allow && known.deny === override.deny) return;
  const others = before.filter(({ id }) => id !== override.id);
  needGoodEnd(standing, isNone(override) ? others : [...others, override]);
  await put(unit, channel, override);
  if (channel.audience !== viewers) return tell(unit, channel, [target.touched]);
  // With its first override the channel leaves the class of those that everybody sees, for good.
  const audience = classOf(channel.id);
  await updateChannel(unit.db, channel.id, { audience });
  await tell(unit, { ...channel, audience }, ["*", insteadOf(viewers)]);
}

function isNone({ allow, deny }: Override): boolean {
  return (allow | deny) === 0;
}

async function put(unit: UnitOfWork, channel: ServerChannel, override: Override): Promise<void> {
  if (isNone(override)) await deleteOverride(unit.db, channel.id, override.id);
  else await upsertOverride(unit.db, channel.id, override);
}

async function tell(
  unit: UnitOfWork,
  channel: ServerChannel,
  touches: readonly string[] = [],
): Promise<void> {
  const data = { channel_id: channel.id, overrides: await overridesOf(unit, channel) };
  unit.emit(contract.overridesUpdated, placeOf(channel), data, touches);
}

/** Adds the name of each step's role or member. */
async function withNames(unit: UnitOfWork, serverId: string, steps: readonly ResolutionStep[]) {
  const roles = new Map((await rolesOf(unit, serverId)).map(({ id, name }) => [id, name]));
  return Promise.all(
    steps.map(async (step) => {
      if (step.id === null) return { ...step, name: null };
      return { ...step, name: roles.get(step.id) ?? (await authorOf(unit, step.id)).display_name };
    }),
  );
}
