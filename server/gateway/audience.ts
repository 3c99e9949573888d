// Which listeners hear an event: the audiences that they hold in a stream, and their sockets' topics.
import type { Audience } from "../../protocol/event.ts";
import type { Standing } from "../../protocol/permissions.ts";
import { question } from "../house/question.ts";
import type { UnitOfWork } from "../house/unit.ts";
import { everybody, type StreamKey } from "../place.ts";

/** The runtime's publishing by topic. */
export interface Topics {
  publish(topic: string, frame: string): void;
  /** Returns how many sockets subscribe to the topic. */
  count(topic: string): number;
}

/** The audiences that a listener holds; equal sets are the same object, as there are thousands of listeners. */
export type Held = ReadonlySet<Audience>;

/** The audience that every listener holds, even one that sees no channel. */
export const leastHeld: Held = new Set([everybody]);

/** Asks which audiences these members hold besides `everybody`: one set for each, in order. */
export const audiencesHeld = question<[members: readonly Standing[]], readonly ReadonlySet<Audience>[]>(
  "gateway.audiencesHeld",
);

/** Returns the audiences that these members hold, in order. */
export async function heldBy(unit: UnitOfWork, members: readonly Standing[]): Promise<Held[]> {
  const answers = await unit.ask(audiencesHeld, members);
  return members.map((_, i) => sharedSet(answers.flatMap((sets) => [...(sets[i] ?? [])])));
}

const mostShared = 1000;
const sharedSets = new Map<string, Held>();

function sharedSet(names: readonly Audience[]): Held {
  if (names.length === 0) return leastHeld;
  const key = [...names].sort().join(" ");
  const known = sharedSets.get(key);
  if (known) return known;
  if (sharedSets.size >= mostShared) sharedSets.clear();
  const held = new Set([everybody, ...names]);
  sharedSets.set(key, held);
  return held;
}

/** Returns the audiences of `one` that `other` does not hold. */
export function heldWithout(one: Held, other: Held): ReadonlySet<Audience> {
  return new Set([...one].filter((name) => !other.has(name)));
}

/** Returns the runtime's topic for an audience of a stream. */
export function topicOf(stream: StreamKey, audience: Audience): string {
  return `${audience} ${stream}`;
}

/** Returns every name in an event's `touches` that means this member. */
export function namesOf(userId: string, roleIds: readonly string[]): string[] {
  return [userId, "*", ...roleIds.map((id) => `role:${id}`)];
}

export function isSame(one: Held, other: Held): boolean {
  return one === other || (one.size === other.size && heldWithout(one, other).size === 0);
}

export async function heldByEach(
  unit: UnitOfWork,
  standings: ReadonlyMap<string, Standing>,
): Promise<ReadonlyMap<string, Held>> {
  const held = await heldBy(unit, [...standings.values()]);
  return new Map([...standings.keys()].map((userId, i) => [userId, held[i] ?? leastHeld]));
}
