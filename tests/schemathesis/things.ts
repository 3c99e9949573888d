// The parts of the stage: its people, and a function for each kind of thing.
import type { Channel } from "../../features/channels/contract.ts";
import type { TestPerson } from "../house/people/people.ts";

export interface Host {
  readonly url: string;
}

/** Ids and other names of things, by the kind of thing. */
export interface Things {
  [kind: string]: string[];
}

export type Home = Awaited<ReturnType<TestPerson["makeServer"]>>;

/** The people and things that all others depend on. */
export interface Cast {
  host: Host;
  /** The first account. */
  alice: TestPerson;
  bob: TestPerson;
  home: Home;
  /** The id of a bot that Alice owns and that is in her server. */
  bot: string;
}

export async function makeChannel(alice: TestPerson, home: Home, type: "text" | "voice"): Promise<string> {
  return (await alice.post<Channel>("/channels", { server_id: home.id, name: "spare", type })).body.id;
}

/** Makes a bot of Alice's and adds it to her server. */
export async function makeBot(alice: TestPerson, home: Home): Promise<string> {
  const { body: bot } = await alice.post<{ id: string }>("/bots", { name: "tea-bot" });
  await alice.post(`/bots/${bot.id}/servers`, { server_id: home.id });
  return bot.id;
}

export async function makeGroup(alice: TestPerson, userIds: readonly string[]): Promise<string> {
  return (await alice.post<Channel>("/direct", { user_ids: userIds })).body.id;
}

let commands = 0;

export async function makeCommand(alice: TestPerson, home: Home, bot: string): Promise<string> {
  const command = { server_id: home.id, name: `tea-${++commands}` };
  return (await alice.post<{ id: string }>(`/bots/${bot}/commands`, command)).body.id;
}

export async function makeEvent(alice: TestPerson, home: Home): Promise<string> {
  const tea = { title: "Tea", starts_at: "2130-01-31T18:00:00.000Z" };
  return (await alice.post<{ id: string }>(`/servers/${home.id}/events`, tea)).body.id;
}

export async function makeWebhook(alice: TestPerson, home: Home): Promise<{ id: string; token: string }> {
  const path = `/channels/${home.general.id}/webhooks`;
  return (await alice.post<{ id: string; token: string }>(path, { name: "Kettle" })).body;
}
