// Starts a server in a temporary folder, with the fixtures of the screenshots.
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { idBefore } from "../../client/id-before.ts";
import type { Channel } from "../../features/channels/contract.ts";
import type { Role } from "../../features/roles/contract.ts";
import type { Server } from "../../features/servers/contract.ts";
import { GifProviderDouble } from "../../tests/doubles/gif-provider.ts";
import { temporaryFolder } from "../../tests/house/machine/folder.ts";
import { freePort } from "../../tests/house/machine/port.ts";
import { type ServerProcess, startServer } from "../../tests/house/machine/process.ts";
import { Ear } from "../../tests/house/people/ear.ts";
import { LiveKitServer, livekitPath } from "../../tests/house/servers/livekit-server.ts";
import { MailBox } from "../../tests/house/servers/mail-box.ts";
import type { Who } from "./community.ts";
import * as community from "./community.ts";
import { Neighbour } from "./neighbour.ts";
import { talk } from "./talk.ts";
import { makeTalks } from "./talks.ts";

const day = 24 * 60 * 60_000;

export interface Town {
  readonly url: string;
  readonly people: Readonly<Record<Who, Neighbour>>;
  readonly reader: Neighbour;
  /** A person with an account who is in no server. */
  readonly newcomer: Neighbour;
  readonly serverId: string;
  readonly emptyServerId: string;
  /** Channels by name; `empty` is the one of the empty server. */
  readonly channels: ReadonlyMap<string, Channel>;
  /** Ids of the reader's conversations by their keys. */
  readonly talks: ReadonlyMap<string, string>;
  readonly inviteCode: string;
  readonly hasVoice: boolean;
  /** Ids of messages in the main channel by their keys, and by `newest`. */
  readonly said: ReadonlyMap<string, string>;
  /** Makes the main channel unread from the message with this key on. */
  unread(from: string): Promise<void>;
  end(): Promise<void>;
}

export async function buildTown(): Promise<Town> {
  const folder = temporaryFolder();
  const port = await freePort();
  const [mail, gifs] = [await MailBox.open(), new GifProviderDouble()];
  const media = livekitPath ? await LiveKitServer.make(port) : undefined;
  await media?.start();
  const settings = {
    ...{
      DATA_DIR: folder.path,
      PORT: String(port),
      AVATAR_URL: "https://faces.example/",
      RATE_CALLS: "9/99",
    },
    ...{
      VAPID_SUBJECT: "mailto:robin@people.example",
      ...mail.settings,
      ...gifs.settings,
      ...media?.settings,
    },
  };
  const host = { url: "" };
  let running: ServerProcess = await startServer({ settings });
  host.url = running.url;
  const seeded = await seed(host);
  await running.stop();
  dateBack(join(folder.path, "hearth.db"), seeded.times);
  running = await startServer({ settings });
  const ears = await gather(seeded);
  return {
    url: running.url,
    ...seeded,
    hasVoice: media !== undefined,
    unread: (from) => markUnread(seeded, from),
    end: async () => {
      for (const ear of ears) ear.close();
      await running.stop();
      await media?.end();
      await mail.close();
      gifs.stop();
      folder.remove();
    },
  };
}

type Seeded = Omit<Town, "url" | "end" | "unread" | "hasVoice"> & {
  bot: Neighbour;
  /** The time of each message, in milliseconds since 1970. */
  times: ReadonlyMap<string, number>;
};

async function seed(host: { readonly url: string }): Promise<Seeded> {
  const people = await registerAll(host);
  const reader = people[community.reader];
  const server = await reader.done<Server>("POST", "/servers", { name: community.server });
  const { code } = await reader.done<{ code: string }>("POST", "/invites", { server_id: server.id });
  for (const each of Object.values(people))
    if (each !== reader) await each.done("POST", `/invites/${code}/join`);
  await reader.done("PUT", "/admin/settings", { name: community.instanceName });
  await giveRoles(reader, server.id, people);
  const channels = await makeChannels(reader, server.id);
  const machines = await makeMachines(reader, server.id, channels);
  const speakers = { ...people, ...machines };
  const main = channelOf(channels, community.mainChannel);
  const { said, times } = await talk(speakers, main);
  await makeNews(people, channels);
  await planEvent(people, server.id, channels);
  await makeOtherServers(people);
  const talks = await makeTalks(people);
  const empty = await reader.done<Server>("POST", "/servers", { name: community.emptyServer });
  const [only] = await reader.done<Channel[]>("GET", `/channels?server_id=${empty.id}`);
  if (only) channels.set("empty", only);
  const newcomer = await Neighbour.register(host, "nils", "Nils Arvidsson");
  return {
    ...{ people, reader, newcomer, bot: machines.bot, channels, talks, said, times, inviteCode: code },
    ...{ serverId: server.id, emptyServerId: empty.id },
  };
}

async function registerAll(host: { readonly url: string }): Promise<Record<Who, Neighbour>> {
  const all: Partial<Record<Who, Neighbour>> = {};
  for (const [who, { name, status }] of Object.entries(community.people) as [
    Who,
    { name: string; status: string },
  ][]) {
    const person = await Neighbour.register(host, who, name);
    await person.done("PATCH", "/auth/me", { status_text: status, bio: community.bios[who] ?? "" });
    all[who] = person;
  }
  return all as Record<Who, Neighbour>;
}

async function giveRoles(reader: Neighbour, serverId: string, people: Record<Who, Neighbour>): Promise<void> {
  let position = community.roles.length;
  for (const { name, color, permissions } of community.roles) {
    const body = { name, color, permissions, position: position-- };
    const role = await reader.done<Role>("POST", `/servers/${serverId}/roles`, body);
    for (const [who, person] of Object.entries(people) as [Who, Neighbour][]) {
      if (community.people[who].role !== name) continue;
      await reader.done("PUT", `/servers/${serverId}/members/${person.id}/roles`, { role_ids: [role.id] });
    }
  }
}

async function makeChannels(reader: Neighbour, serverId: string): Promise<Map<string, Channel>> {
  const made = new Map<string, Channel>();
  const [general] = await reader.done<Channel[]>("GET", `/channels?server_id=${serverId}`);
  let position = 1;
  for (const wanted of community.channels) {
    const type = "type" in wanted ? wanted.type : "text";
    const { name, category } = wanted;
    const body = { server_id: serverId, name, category, type, position: position++ };
    const channel = await reader.done<Channel>("POST", "/channels", body);
    made.set(name, channel);
    if (type === "text" && name !== community.mainChannel)
      await reader.say(channel.id, `Here we talk about ${name}.`);
    if ("isMuted" in wanted)
      await reader.done("PUT", `/channels/${channel.id}/notification-settings`, {
        level: "none",
        muted_until: "9999-12-31T23:59:59.999Z",
      });
  }
  if (general) await reader.done("DELETE", `/channels/${general.id}`);
  return made;
}

/** Creates a bot, and a webhook of the main channel. */
async function makeMachines(reader: Neighbour, serverId: string, channels: ReadonlyMap<string, Channel>) {
  const { name, description, commands } = community.bot;
  const made = await reader.done<{ id: string; token: string }>("POST", "/bots", { name, description });
  await reader.done("POST", `/bots/${made.id}/servers`, { server_id: serverId });
  for (const command of commands)
    await reader.done("POST", `/bots/${made.id}/commands`, { server_id: serverId, ...command });
  const main = channelOf(channels, community.mainChannel);
  const hook = await reader.done<{ url: string }>("POST", `/channels/${main.id}/webhooks`, {
    name: community.webhook,
  });
  return { bot: new Neighbour(reader.host, made.id, made.token, "Bot"), webhook: hook.url };
}

async function makeNews(
  people: Record<Who, Neighbour>,
  channels: ReadonlyMap<string, Channel>,
): Promise<void> {
  const reader = people[community.reader];
  await reader.done("POST", `/servers/${channelOf(channels, community.mainChannel).server_id}/read`);
  for (const channel of community.channels) {
    if (!("news" in channel)) continue;
    const { who, text } = channel.news;
    await people[who].say(channelOf(channels, channel.name).id, text);
  }
}

async function planEvent(
  people: Record<Who, Neighbour>,
  serverId: string,
  channels: ReadonlyMap<string, Channel>,
): Promise<void> {
  const { title, description, inDays, from, to, going, maybe } = community.event;
  const date = new Date(Date.now() + inDays * day).toISOString().slice(0, 10);
  const { id } = await people.amina.done<{ id: string }>("POST", `/servers/${serverId}/events`, {
    ...{ title, description, channel_id: channelOf(channels, community.voiceRoom).id },
    ...{ starts_at: `${date}T${from}:00Z`, ends_at: `${date}T${to}:00Z` },
  });
  for (const who of going) await people[who].done("PUT", `/events/${id}/rsvp`, { status: "going" });
  for (const who of maybe) await people[who].done("PUT", `/events/${id}/rsvp`, { status: "maybe" });
}

async function makeOtherServers(people: Record<Who, Neighbour>): Promise<void> {
  const [reader, amina] = [people[community.reader], people.amina];
  for (const { name, icon, news } of community.otherServers) {
    const body = { name, ...(icon && { icon: iconAddress(icon) }) };
    const server = await amina.done<Server>("POST", "/servers", body);
    const { code } = await amina.done<{ code: string }>("POST", "/invites", { server_id: server.id });
    await reader.done("POST", `/invites/${code}/join`);
    const [general] = await amina.done<Channel[]>("GET", `/channels?server_id=${server.id}`);
    if (news && general) await amina.say(general.id, news);
  }
}

function iconAddress(icon: string): string {
  return `https://icons.example/${icon}.png`;
}

export function channelOf(channels: ReadonlyMap<string, Channel>, name: string): Channel {
  const channel = channels.get(name);
  if (!channel) throw new Error(`there is no channel ${name}`);
  return channel;
}

/** Sets the times of messages in the database while no server runs, because no API can post into the past. */
function dateBack(path: string, times: ReadonlyMap<string, number>): void {
  const database = new Database(path, { strict: true });
  const change = database.prepare(
    "update messages set created_at = ?, edited_at = edited_at + ? - created_at where id = ?",
  );
  database.transaction(() => {
    for (const [id, at] of times) change.run(at, at, id);
  })();
  change.finalize();
  database.close();
}

/** Sets the presence of the people who are not offline, and opens their sockets. */
async function gather({ people, bot }: Seeded): Promise<Ear[]> {
  const ears = [await Ear.open(bot.host.url, bot.token)];
  for (const [who, { here }] of Object.entries(community.people) as [Who, { here: string }][]) {
    if (here === "offline") continue;
    await people[who].done("PUT", "/auth/me/presence", { status: here });
    ears.push(await Ear.open(people[who].host.url, people[who].token));
  }
  return ears;
}

async function markUnread({ reader, channels, said }: Seeded, from: string): Promise<void> {
  const id = said.get(from);
  if (id === undefined) throw new Error(`nobody said ${from}`);
  const main = channelOf(channels, community.mainChannel);
  await reader.done("PUT", `/channels/${main.id}/read`, { message_id: idBefore(id) });
}
