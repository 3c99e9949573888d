// Operations on the overrides of channels, and what becomes of overrides when a role is deleted or a member leaves.
import { notFound } from "../../protocol/errors.ts";
import { type Override, type ResolutionStep, resolve } from "../../protocol/overrides.ts";
import { insteadOf } from "../../server/gateway/audience.ts";
import { handle, when } from "../../server/house/feature.ts";
import { nextTurn, pieces } from "../../server/house/pieces.ts";
import { standingOf } from "../../server/house/standing.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { idOf } from "../../server/place.ts";
import { authorOf } from "../accounts/access.ts";
import { memberRemoved } from "../members/contract.ts";
import { rolesOf } from "../roles/access.ts";
import { roleDeleted } from "../roles/contract.ts";
import { need } from "../servers/access.ts";
import { findChannel, findServerChannel, placeOf, type VisibleServerChannel } from "./access.ts";
import * as contract from "./contract.ts";
import {
  needBitsOfChange,
  needGoodEnd,
  needRankAboveTarget,
  needRoom,
  none,
  type Target,
  targetsAmong,
  wrongKind,
} from "./override-rules.ts";
import { deleteOverride, selectOverridden, selectOverrides, upsertOverride } from "./overrides.ts";
import { classOf, type ServerChannel, updateChannel, viewers } from "./store.ts";

export const overrideOperations = [
  handle(contract.listOverrides, async ({ caller, params, unit }) => {
    const { channel, conversation } = await findChannel(unit, caller.userId, params.id);
    return conversation ? [] : overridesOf(unit, channel);
  }),

  handle(contract.setOverride, async ({ caller, params, body, unit }) => {
    const visible = await findServerChannel(unit, caller.userId, params.id);
    const { roleOrUserID: id } = params;
    const target = (await targetsAmong(unit, visible.channel.server_id, [id])).get(id);
    if (!target) throw notFound();
    need(visible.standing, "MANAGE_CHANNELS");
    await change(unit, visible, { id, ...body }, target);
  }),

  handle(contract.deleteOverride, async ({ caller, params, unit }) => {
    const visible = await findServerChannel(unit, caller.userId, params.id);
    const { roleOrUserID: id } = params;
    const known = (await overridesOf(unit, visible.channel)).find((each) => each.id === id);
    const target =
      (await targetsAmong(unit, visible.channel.server_id, [id])).get(id) ?? (known && formerMember(id));
    if (!target) throw notFound();
    need(visible.standing, "MANAGE_CHANNELS");
    await change(unit, visible, { id, kind: target.kind, ...none }, target);
  }),

  handle(contract.explainPermissions, async ({ caller, params, unit }) => {
    const { channel, standing } = await findServerChannel(unit, caller.userId, params.id);
    const target = await standingOf(unit, channel.server_id, params.userID);
    if (!target) throw notFound();
    if (params.userID !== caller.userId) need(standing, "MANAGE_SERVER");
    const steps = resolve(target, await overridesOf(unit, channel));
    const named = await withNames(unit, channel.server_id, steps);
    return { permissions: steps.at(-1)?.result ?? 0, steps: named };
  }),
];

export const overrideEventHandlers = [
  when(roleDeleted, (unit, { home }, { id }) => changeEach(unit, idOf(home), id, () => none)),
  // Denials stay, so that leaving and coming back gains nothing.
  when(memberRemoved, (unit, { home }, { user_id }) =>
    changeEach(unit, idOf(home), user_id, ({ deny }) => ({ allow: 0, deny })),
  ),
];

/** Channels whose overrides change before other work has its turn. */
const changedAtOnce = 50;

/** Changes the override of a role or member in each channel of the server that has one. */
async function changeEach(
  unit: UnitOfWork,
  serverId: string,
  targetId: string,
  change: (override: Override) => Pick<Override, "allow" | "deny">,
): Promise<void> {
  let isFirst = true;
  const all = await selectOverridden(unit.db, serverId, targetId);
  for (const some of pieces(all, () => 1, changedAtOnce)) {
    if (!isFirst) await nextTurn();
    isFirst = false;
    for (const { channel, override, overrides } of some) {
      const after = { ...override, ...change(override) };
      if (isSame(override, after)) continue;
      await put(unit, channel, after);
      tell(unit, channel, withOverride(overrides, after));
    }
  }
}

/** A member who left keeps what a channel denies to them. */
function formerMember(id: string): Target {
  return { kind: "member", rank: 0, touched: id };
}

async function overridesOf({ db }: UnitOfWork, { id, audience }: ServerChannel): Promise<Override[]> {
  return audience === viewers ? [] : ((await selectOverrides(db, [id])).get(id) ?? []);
}

/** Sets an override after the checks, and tells those who see the channel. */
async function change(
  unit: UnitOfWork,
  { channel, standing }: VisibleServerChannel,
  override: Override,
  target: Target,
): Promise<void> {
  const before = await overridesOf(unit, channel);
  const known = before.find(({ id }) => id === override.id) ?? none;
  needRankAboveTarget(standing, override.id, target);
  needBitsOfChange(standing, known, override);
  if (target.kind !== override.kind) throw wrongKind("kind", target);
  if (isSame(known, override)) return;
  const after = withOverride(before, override);
  needGoodEnd(standing, after);
  if (known === none) await needRoom(unit, standing.home, 1);
  await put(unit, channel, override);
  if (channel.audience !== viewers) return tell(unit, channel, after, [target.touched]);
  // With its first override the channel leaves the class of those that everybody sees, for good.
  const audience = classOf(channel.id);
  await updateChannel(unit.db, channel.id, { audience });
  tell(unit, { ...channel, audience }, after, ["*", insteadOf(viewers)]);
}

function isSame(one: Pick<Override, "allow" | "deny">, other: Pick<Override, "allow" | "deny">): boolean {
  return one.allow === other.allow && one.deny === other.deny;
}

/** Returns the overrides with this one in place of an earlier one for the same role or member, sorted by id. */
function withOverride(overrides: readonly Override[], override: Override): Override[] {
  const others = overrides.filter(({ id }) => id !== override.id);
  const after = isNone(override) ? others : [...others, override];
  return after.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

function isNone({ allow, deny }: Override): boolean {
  return (allow | deny) === 0;
}

async function put(unit: UnitOfWork, channel: ServerChannel, override: Override): Promise<void> {
  if (isNone(override)) await deleteOverride(unit.db, channel.id, override.id);
  else await upsertOverride(unit.db, channel.id, override);
}

function tell(
  unit: UnitOfWork,
  channel: ServerChannel,
  overrides: Override[],
  touches: readonly string[] = [],
): void {
  unit.emit(contract.overridesUpdated, placeOf(channel), { channel_id: channel.id, overrides }, touches);
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
