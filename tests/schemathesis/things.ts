// What the stage is made of: the people on it, and how each kind of thing is made.
import type { Channel } from "../../features/channels/contract.ts";
import type { TestPerson } from "../house/people/people.ts";

export interface Host {
  readonly url: string;
}

/** Ids, and whatever else names a thing, by the kind of thing. */
export interface Things {
  [kind: string]: string[];
}

export type Home = Awaited<ReturnType<TestPerson["makeServer"]>>;

/** Who and what everything else hangs on. */
export interface Cast {
  host: Host;
  /** The first account. */
  alice: TestPerson;
  bob: TestPerson;
  home: Home;
  /** Alice's, and in the server. */
  bot: string;
}

export async function makeChannel(alice: TestPerson, home: Home, type: "text" | "voice"): Promise<string> {
  return (await alice.post<Channel>("/channels", { server_id: home.id, name: "spare", type })).body.id;
}

/** The bot is in Alice's server. */
export async function makeBot(alice: TestPerson, home: Home): Promise<string> {
  const { body: bot } = await alice.post<{ id: string }>("/bots", { name: "tea-bot" });
  await alice.post(`/bots/${bot.id}/servers`, { server_id: home.id });
  return bot.id;
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
