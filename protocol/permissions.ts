// The permission bits and the arithmetic on them. Each operation says what a bit allows.
import type { ErrorCode } from "./errors.ts";

export const permission = {
  VIEW_CHANNEL: 1,
  SEND_MESSAGES: 2,
  MANAGE_MESSAGES: 4,
  KICK_MEMBERS: 8,
  BAN_MEMBERS: 16,
  MANAGE_SERVER: 32,
  MANAGE_CHANNELS: 64,
  ADMINISTRATOR: 128,
  CONNECT_VOICE: 256,
  SPEAK_VOICE: 512,
  SHARE_SCREEN: 1024,
} as const;

export type PermissionName = keyof typeof permission;

/** All bits together. */
export const allPermissions = 2047;

/** The bits of @everyone in a new server: see, send, and the three voice bits. */
export const defaultPermissions =
  permission.VIEW_CHANNEL |
  permission.SEND_MESSAGES |
  permission.CONNECT_VOICE |
  permission.SPEAK_VOICE |
  permission.SHARE_SCREEN;

/** The bits that have no effect without VIEW_CHANNEL. */
const channelBits =
  permission.SEND_MESSAGES |
  permission.MANAGE_MESSAGES |
  permission.MANAGE_CHANNELS |
  permission.CONNECT_VOICE |
  permission.SPEAK_VOICE |
  permission.SHARE_SCREEN;

/**
 * Returns the bits of a member: those of all roles and of @everyone; the owner and ADMINISTRATOR hold every bit.
 * Without VIEW_CHANNEL the channel bits are dropped.
 */
export function effectivePermissions(isOwner: boolean, roleBits: Iterable<number>): number {
  if (isOwner) return allPermissions;
  let bits = 0;
  for (const each of roleBits) bits |= each;
  if (bits & permission.ADMINISTRATOR) return allPermissions;
  return bits & permission.VIEW_CHANNEL ? bits : bits & ~channelBits;
}

export interface RoleRights {
  id: string;
  permissions: number;
  position: number;
  isDefault: boolean;
}

/**
 * Names what rights belong to: cached facts, locks and versions hang on it, by its row in `streams`. A server is the home
 * of its channels, a person of what concerns them alone. `direct:` is a home without a log, for people who talk outside
 * of servers: its row has a version only, and its events are in the logs of the people in it.
 */
export type Home = `server:${string}` | `person:${string}` | `direct:${string}`;

/** A member's standing in one home: the facts that decide all their rights. */
export interface Standing {
  home: Home;
  userId: string;
  isOwner: boolean;
  /** Assigned roles; @everyone is implicit and not listed. */
  roleIds: readonly string[];
  /** The rights of those roles and of @everyone, by position, the highest first. */
  roles: readonly RoleRights[];
  /** Effective bits. */
  bits: number;
  /** Highest position held; the owner ranks above all, @everyone is 0. */
  rank: number;
  /** The answer to what the member may not do here for the time being, though they hold the rights otherwise. */
  silence?: { code: ErrorCode; sentence: string };
}

export function holds(standing: { bits: number }, bit: number): boolean {
  return (standing.bits & bit) === bit;
}
