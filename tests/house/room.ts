// A server with an owner, channels and members, made through the public door.

import { call, type Person, register } from "../../tools/client/person.ts";
import type { Channel } from "../../tools/client/wire.ts";

const PASSWORD = "correct horse battery";

export interface Room {
  owner: Person;
  serverId: string;
  channels: string[];
  /** Members by the names they were asked for. */
  members: Person[];
}

export async function openRoom(url: string, channelNames: string[], memberNames: string[]): Promise<Room> {
  const owner = await register(url, "olga", PASSWORD);
  const server = await call<{ id: string }>(owner, "POST", "/servers", { name: "The room" });
  const channels: string[] = [];
  for (const name of channelNames) {
    channels.push((await call<Channel>(owner, "POST", "/channels", { server_id: server.id, name })).id);
  }
  const invite = await call<{ code: string }>(owner, "POST", "/invites", { server_id: server.id });
  const members: Person[] = [];
  for (const name of memberNames) {
    const member = await register(url, name, PASSWORD);
    await call(member, "POST", `/invites/${invite.code}/join`);
    members.push(member);
  }
  return { owner, serverId: server.id, channels, members };
}
