// Who hears what of a server: all members, or those who can see its channels; and the topics they listen on.
import type { Audience } from "../../protocol/event.ts";
import { holds, permission, type Standing } from "../../protocol/permissions.ts";
import type { LoggedEvent } from "../bus/bus.ts";

/** Publishing by topic, as the runtime offers it. */
export interface Topics {
  publish(topic: string, frame: string): void;
  /** How many sockets listen. */
  count(topic: string): number;
}

export function audienceOf(standing: Standing): Audience {
  return holds(standing, permission.VIEW_CHANNEL) ? "viewers" : "members";
}

/** Viewers hear everything, the others what is for all members. */
export function hears(audience: Audience, event: Pick<LoggedEvent, "audience">): boolean {
  return event.audience === "members" || audience === "viewers";
}

export function topicOf(serverId: string, audience: Audience): string {
  return audience === "members" ? `m${serverId}` : `v${serverId}`;
}

/** Everything in an event's `touches` that means this member. */
export function namesOf(userId: string, roleIds: readonly string[]): string[] {
  return [userId, "*", ...roleIds.map((id) => `role:${id}`)];
}
