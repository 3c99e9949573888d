// Creates a server with a new owner, channels and new members over the public HTTP API.

import { inFlight } from "./in-flight.ts";
import { call, type Person, register } from "./person.ts";
import { patiently } from "./request.ts";
import type { Channel } from "./wire.ts";

// The server hashes passwords on few threads: more registrations at once would only wait.
const REGISTERING_AT_ONCE = 8;

export interface Room {
  owner: Person;
  serverId: string;
  /** Channel ids by name. */
  channels: Map<string, string>;
  /** Members by username, in the order asked for. */
  members: Map<string, Person>;
}

/** The people and channels of the room; `entered` is called for each member who has joined. */
interface Plan {
  owner: string;
  channels: string[];
  members: string[];
  entered?: () => void;
}

export async function openRoom(url: string, plan: Plan): Promise<Room> {
  // A password that is never used again: these people keep the session from their registration.
  const password = crypto.randomUUID();
  const owner = await register(url, plan.owner, password);
  const server = await call<{ id: string }>(owner, "POST", "/servers", { name: "The room" });
  const channels = new Map<string, string>();
  for (const name of plan.channels) {
    const channel = await call<Channel>(owner, "POST", "/channels", { server_id: server.id, name });
    channels.set(name, channel.id);
  }
  const invite = await call<{ code: string }>(owner, "POST", "/invites", { server_id: server.id });
  const entered = new Map<string, Person>();
  await inFlight(plan.members, REGISTERING_AT_ONCE, async (username) => {
    const person = await register(url, username, password);
    await patiently(() => call(person, "POST", `/invites/${invite.code}/join`));
    entered.set(username, person);
    plan.entered?.();
  });
  const members = new Map(plan.members.map((name) => [name, entered.get(name) as Person]));
  return { owner, serverId: server.id, channels, members };
}
