// Who hears what of a stream: the names of audiences that its listeners hold, and the topics that they listen on.
import type { Audience } from "../../protocol/event.ts";
import type { Standing } from "../../protocol/permissions.ts";
import { question } from "../house/question.ts";
import type { Unit } from "../house/unit.ts";
import { everybody, type StreamKey } from "../place.ts";

/** Publishing by topic, as the runtime offers it. */
export interface Topics {
  publish(topic: string, frame: string): void;
  /** How many sockets listen. */
  count(topic: string): number;
}

/** The names that a listener holds; equal ones are the same object, as there are thousands of listeners. */
export type Held = ReadonlySet<Audience>;

/** Of a listener who hears only what is for everybody. */
export const leastHeld: Held = new Set([everybody]);

/** Which names these members hold besides that of everybody, in their order. */
export const audiencesHeld = question<[members: readonly Standing[]], readonly ReadonlySet<Audience>[]>(
  "gateway.audiencesHeld",
);

/** What these members hold, in their order. */
export async function heldBy(unit: Unit, members: readonly Standing[]): Promise<Held[]> {
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

/** The names of `one` that `other` does not hold. */
export function heldWithout(one: Held, other: Held): ReadonlySet<Audience> {
  return new Set([...one].filter((name) => !other.has(name)));
}

export function topicOf(stream: StreamKey, audience: Audience): string {
  return `${audience} ${stream}`;
}

/** Everything in an event's `touches` that means this member. */
export function namesOf(userId: string, roleIds: readonly string[]): string[] {
  return [userId, "*", ...roleIds.map((id) => `role:${id}`)];
}
