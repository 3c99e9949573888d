// The settings of a channel's overrides, for roles and members, as the page of permissions shows and changes them.
import {
  type Override,
  type ResolutionStep,
  type RoleHolder,
  resolve,
} from "../../../../protocol/overrides.ts";
import { holds, type PermissionName, permission } from "../../../../protocol/permissions.ts";
import type { OwnChannel } from "../../state.ts";

export type Setting = "allow" | "neutral" | "deny";

/** The role or member that an override is for. */
export type Target = Pick<Override, "id" | "kind">;

/** Settings by `keyOf`. */
export type Settings = Readonly<Partial<Record<string, Setting>>>;

const textRights = ["VIEW_CHANNEL", "SEND_MESSAGES", "MANAGE_MESSAGES", "MANAGE_CHANNELS"] as const;
const voiceRights = ["CONNECT_VOICE", "SPEAK_VOICE", "SHARE_SCREEN"] as const;

export type ChannelRight = Extract<
  PermissionName,
  (typeof textRights)[number] | (typeof voiceRights)[number]
>;

/** All permissions that an override may name, in display order. */
export const everyRight: readonly ChannelRight[] = [...textRights, ...voiceRights];

/** The permissions that mean something in a channel of this type. */
export function rightsIn({ type }: Pick<OwnChannel, "type">): readonly ChannelRight[] {
  return type === "voice" ? everyRight : textRights;
}

export function keyOf(id: string, right: ChannelRight): string {
  return `${id} ${right}`;
}

function settingOf({ allow, deny }: Pick<Override, "allow" | "deny">, right: ChannelRight): Setting {
  if (allow & permission[right]) return "allow";
  return deny & permission[right] ? "deny" : "neutral";
}

/** Returns the settings of these targets, neutral where there is no override. */
export function settingsOf(
  targets: readonly Target[],
  overrides: readonly Override[],
): Record<string, Setting> {
  const all: Record<string, Setting> = {};
  for (const { id } of targets) {
    const override = overrides.find((each) => each.id === id) ?? { allow: 0, deny: 0 };
    for (const right of everyRight) all[keyOf(id, right)] = settingOf(override, right);
  }
  return all;
}

/** Returns the overrides of these targets with other settings; those that set nothing have neither bit. */
export function overridesWith(
  targets: readonly Target[],
  overrides: readonly Override[],
  settings: Settings,
): Override[] {
  return targets.map(({ id, kind }) => {
    let { allow, deny } = overrides.find((each) => each.id === id) ?? { allow: 0, deny: 0 };
    for (const right of everyRight) {
      const setting = settings[keyOf(id, right)];
      if (setting === undefined) continue;
      const bit = permission[right];
      allow = setting === "allow" ? allow | bit : allow & ~bit;
      deny = setting === "deny" ? deny | bit : deny & ~bit;
    }
    return { id, kind, allow, deny };
  });
}

/** True if the holder would not see or manage the channel any more. */
export function locksOut(holder: RoleHolder, overrides: readonly Override[]): boolean {
  const bits = resolve(holder, overrides).at(-1)?.result ?? 0;
  return !holds({ bits }, permission.VIEW_CHANNEL | permission.MANAGE_CHANNELS);
}

/** Returns the overrides that differ, those that only allow first: so nobody is kept out between two calls. */
export function changedOverrides(
  before: readonly Override[],
  after: readonly Override[],
): readonly Override[] {
  const old = ({ id }: Override) => before.find((each) => each.id === id) ?? { allow: 0, deny: 0 };
  const takes = (each: Override) => (each.deny & ~old(each).deny) | (old(each).allow & ~each.allow);
  return after
    .filter((each) => each.allow !== old(each).allow || each.deny !== old(each).deny)
    .sort((one, other) => Number(takes(one) !== 0) - Number(takes(other) !== 0));
}

/** The state without a target's own setting, and the step that decides it. */
export interface Neutral {
  isHeld: boolean;
  by: ResolutionStep | undefined;
}

export function neutralOf(
  holder: RoleHolder,
  overrides: readonly Override[],
  target: Target,
  right: ChannelRight,
): Neutral {
  const bit = permission[right];
  const others = overrides.map((each) =>
    each.id === target.id ? { ...each, allow: each.allow & ~bit, deny: each.deny & ~bit } : each,
  );
  const steps = resolve(holder, others).filter(({ source }) => source !== "no_view");
  return {
    isHeld: ((steps.at(-1)?.result ?? 0) & bit) !== 0,
    by: steps.findLast(({ allow, deny }) => ((allow | deny) & bit) !== 0),
  };
}
