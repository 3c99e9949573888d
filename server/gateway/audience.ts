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

/** Names of audiences, or a map by their names. */
type Names = ReadonlySet<Audience> | ReadonlyMap<Audience, unknown>;

/** Asks which audiences these members hold besides `everybody`: the names for each, in order. */
export const audiencesHeld = question<[members: readonly Standing[]], readonly Names[]>(
  "gateway.audiencesHeld",
);

/** Asks which audiences a person holds in their own stream besides `everybody`. */
export const personalAudiences = question<[userId: string], readonly Audience[]>("gateway.personalAudiences");

/** Returns the audiences that these members hold, in order. */
export async function heldBy(unit: UnitOfWork, members: readonly Standing[]): Promise<Held[]> {
  const [answer = [], ...more] = await unit.ask(audiencesHeld, members);
  return members.map((_, i) => {
    const names = answer[i] ?? leastHeld;
    return more.length === 0
      ? sharedSetOf(names)
      : sharedSet([names, ...more.map((each) => each[i] ?? leastHeld)].flatMap((each) => [...each.keys()]));
  });
}

/** Most members get their names from the same object, which may have hundreds. */
const setsOfNames = new WeakMap<Names, Held>();

function sharedSetOf(names: Names): Held {
  const known = setsOfNames.get(names);
  if (known) return known;
  const held = sharedSet([...names.keys()]);
  setsOfNames.set(names, held);
  return held;
}

const mostShared = 1000;
const sharedSets = new Map<string, Held>();

function sharedSet(given: Iterable<Audience>): Held {
  const names = [...new Set(given)].filter((name) => name !== everybody);
  if (names.length === 0) return leastHeld;
  const key = [...names].sort().join(" ");
  const known = sharedSets.get(key);
  if (known) return known;
  if (sharedSets.size >= mostShared) sharedSets.clear();
  const held = new Set([everybody, ...names]);
  sharedSets.set(key, held);
  return held;
}

/** By the two sets: their difference, as thousands of listeners go from the same set to the same other one. */
const differences = new WeakMap<Held, WeakMap<Held, Held>>();

/** Returns the audiences of `one` that `other` does not hold; the same object for the same two. */
export function heldWithout(one: Held, other: Held): Held {
  const known = differences.get(one) ?? new WeakMap<Held, Held>();
  const left = known.get(other) ?? new Set([...one].filter((name) => !other.has(name)));
  differences.set(one, known.set(other, left));
  return left;
}

/** Returns the runtime's topic for an audience of a stream. */
export function topicOf(stream: StreamKey, audience: Audience): string {
  return `${audience} ${stream}`;
}

/** The beginning of each name in `touches` that says that the event is the first of its audience. */
export const beginsAudience = "audience:";

/** In an event's `touches`: its audience is new, and the event is the first that this audience hears. */
export const newAudience = `${beginsAudience}new`;

const replacing = `${beginsAudience}instead-of:`;

/** In an event's `touches`: from this event on, its audience takes the place of this one. */
export function insteadOf(audience: Audience): string {
  return replacing + audience;
}

/** Returns the audience whose place the event's audience takes, by its `touches`. */
export function replacedBy(touches: readonly string[]): Audience | undefined {
  return touches.find((name) => name.startsWith(replacing))?.slice(replacing.length);
}

/**
 * Returns the audiences that a listener held before an event that changes them. An audience that is new with the event
 * counts as held by those who hold it afterwards, and one that replaces another by those who held the other: what they
 * see stays the same, so that they are told nothing of it, or they are told that they lost it.
 */
export function heldBefore(
  held: Held,
  after: Held | undefined,
  { audience, touches }: { audience: Audience; touches: readonly string[] },
): Held {
  const replaced = replacedBy(touches);
  const countsAsHeld = touches.includes(newAudience)
    ? after?.has(audience)
    : replaced !== undefined && held.has(replaced);
  return countsAsHeld && !held.has(audience) ? extended(held, audience) : held;
}

/** By set: the last audience that it was extended by, as thousands of listeners hold the same set. */
const extensions = new WeakMap<Held, { by: Audience; to: Held }>();

function extended(held: Held, audience: Audience): Held {
  const known = extensions.get(held);
  if (known?.by === audience) return known.to;
  const to = sharedSet([...held, audience]);
  extensions.set(held, { by: audience, to });
  return to;
}

/** Returns the same set without these audiences. */
export function withoutAudiences(held: Held, names: ReadonlySet<Audience>): Held {
  return [...names].some((name) => held.has(name)) ? sharedSet(heldWithout(held, names)) : held;
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
