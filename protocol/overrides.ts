// The permissions of a member in one channel, worked out step by step from their roles and the overrides of the channel.
import { permission } from "./permissions.ts";

/** The bits that an override can allow or deny. */
export const overridableBits =
  permission.VIEW_CHANNEL |
  permission.SEND_MESSAGES |
  permission.MANAGE_MESSAGES |
  permission.MANAGE_CHANNELS |
  permission.CONNECT_VOICE |
  permission.SPEAK_VOICE |
  permission.SHARE_SCREEN;

/** Bits that a channel allows or denies to the holders of a role, or to one member. */
export interface Override {
  /** A role, the one of @everyone too, or a user. */
  id: string;
  kind: "role" | "member";
  allow: number;
  deny: number;
}

/** A member, with all their roles and @everyone, by position, the highest first. */
export interface RoleHolder {
  userId: string;
  isOwner: boolean;
  roles: readonly { id: string; permissions: number; isDefault: boolean }[];
}

export const stepSources = [
  "owner",
  "administrator",
  "role",
  "everyone_override",
  "role_override",
  "member_override",
  "no_view",
] as const;

type StepSource = (typeof stepSources)[number];

export interface ResolutionStep {
  source: StepSource;
  /** The user of `owner` and `member_override`, the role of all others; null for `no_view`. */
  id: string | null;
  allow: number;
  deny: number;
  /** The bits after this step. */
  result: number;
}

/**
 * Returns the steps that lead to a member's bits in a channel; the last one's `result` is what holds. The owner and
 * ADMINISTRATOR hold everything. Everybody else has the bits of all their roles, then those of the override of @everyone,
 * of the overrides of their roles together (what one of them allows wins over what another denies), and of their own.
 * Without VIEW_CHANNEL nothing is left.
 */
export function resolve(
  { userId, isOwner, roles }: RoleHolder,
  overrides: readonly Override[],
): ResolutionStep[] {
  const steps: ResolutionStep[] = [];
  let result = 0;
  const take = (source: StepSource, id: string | null, allow: number, deny: number) => {
    result = (result & ~deny) | allow;
    steps.push({ source, id, allow, deny, result });
  };
  const ofRole = (id: string) => overrides.find((each) => each.kind === "role" && each.id === id);

  const administrator = roles.find(({ permissions }) => permissions & permission.ADMINISTRATOR);
  if (isOwner) take("owner", userId, overridableBits, 0);
  else if (administrator) take("administrator", administrator.id, overridableBits, 0);
  if (steps.length > 0) return steps;

  const lowestFirst = roles.toReversed();
  for (const { id, permissions } of lowestFirst) take("role", id, permissions & overridableBits, 0);
  for (const { id } of roles.filter(({ isDefault }) => isDefault)) {
    const everyone = ofRole(id);
    if (everyone) take("everyone_override", id, everyone.allow, everyone.deny);
  }
  const before = result;
  let [allowed, denied] = [0, 0];
  for (const { id } of lowestFirst.filter(({ isDefault }) => !isDefault)) {
    const override = ofRole(id);
    if (!override) continue;
    allowed |= override.allow;
    denied |= override.deny;
    result = (before & ~denied) | allowed;
    steps.push({ source: "role_override", id, allow: override.allow, deny: override.deny, result });
  }
  const own = overrides.find(({ kind, id }) => kind === "member" && id === userId);
  if (own) take("member_override", userId, own.allow, own.deny);
  if (!(result & permission.VIEW_CHANNEL)) take("no_view", null, 0, overridableBits);
  return steps;
}
