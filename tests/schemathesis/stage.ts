// What Schemathesis finds in the house: things to look at and change, and spare ones that it may end.
import type { Channel } from "../../features/channels/contract.ts";
import type { Role } from "../../features/roles/contract.ts";
import { send, TestPerson } from "../house/people.ts";

interface Door {
  readonly url: string;
}

/** Ids (and invite codes) by the kind of thing. */
export interface Things {
  [kind: string]: string[];
}

export interface Stage {
  /** A session of Alice's, who owns the server that stays. */
  session: string;
  /** Sessions of people whom nobody needs: they may be ended. */
  throwaways: string[];
  /** They last for the whole run. */
  kept: Things;
  /** They may be deleted, kicked, banned or handed over. */
  spare: Things;
}

const spares = 12;
/** Of what a person may have only some of. */
const fewer = 5;

/** Of those who change it: Schemathesis could not guess it. */
export const knownPassword = "correct horse battery";

export async function setStage(door: Door): Promise<Stage> {
  const alice = await TestPerson.register(door, "alice");
  const bob = await TestPerson.register(door, "bob");
  const carol = await TestPerson.register(door, "carol", knownPassword);
  const dave = await TestPerson.register(door, "dave", knownPassword);
  const home = await alice.makeServer("Home");
  await alice.bringIn(home.id, bob);
  const said = await alice.say(home.general.id, "Tea is ready", { nonce: "tea" });
  await bob.post(`/messages/${said.id}/reactions`, { emoji: "🎉" });
  const keepers = await alice.giveRole(home.id, bob, 3);
  const { body: open } = await alice.post<{ code: string }>("/invites", { server_id: home.id, max_uses: 0 });
  return {
    session: alice.token,
    throwaways: [carol.token, dave.token],
    kept: {
      server: [home.id],
      channel: [home.general.id],
      message: [said.id, (await bob.say(home.general.id, "Coming", { reply_to: said.id })).id],
      role: [home.everyone.id, keepers.id],
      user: [alice.id, bob.id],
      code: [open.code],
      login: [carol.username, carol.email],
      file: [await upload(door, alice)],
      bot: [await makeBot(alice, home)],
      room: [await makeChannel(alice, home, "voice")],
    },
    spare: await makeSpares(door, alice, bob, home),
  };
}

type Home = Awaited<ReturnType<TestPerson["makeServer"]>>;

async function makeChannel(alice: TestPerson, home: Home, type: "text" | "voice"): Promise<string> {
  return (await alice.post<Channel>("/channels", { server_id: home.id, name: "spare", type })).body.id;
}

/** The bot is in Alice's server. */
async function makeBot(alice: TestPerson, home: Home): Promise<string> {
  const { body: bot } = await alice.post<{ id: string }>("/bots", { name: "tea-bot" });
  await alice.post(`/bots/${bot.id}/servers`, { server_id: home.id });
  return bot.id;
}

/** Answers what the file is called. */
async function upload(door: Door, alice: TestPerson): Promise<string> {
  const body = new FormData();
  body.append("file", new File(["Two spoons of tea."], "recipe.txt", { type: "text/plain" }));
  const headers = { Authorization: `Bearer ${alice.token}` };
  const answer = await fetch(`${door.url}/api/v1/upload`, { method: "POST", headers, body });
  const { url } = (await answer.json()) as { url: string };
  return url.slice(url.lastIndexOf("/") + 1);
}

async function makeSpares(door: Door, alice: TestPerson, bob: TestPerson, home: Home): Promise<Things> {
  const guests = await times(async () => TestPerson.register(door, "guest"));
  await alice.bringIn(home.id, ...guests);
  const visited = await times(async () => {
    const server = await bob.makeServer("Bob's");
    await bob.bringIn(server.id, alice);
    return server.id;
  });
  return {
    server: await times(async () => (await alice.makeServer("Spare")).id),
    handedOver: await times(async () => {
      const server = await alice.makeServer("For Bob");
      await alice.bringIn(server.id, bob);
      return server.id;
    }),
    visited,
    channel: await times(() => makeChannel(alice, home, "text")),
    message: await times(async () => (await alice.say(home.general.id, "Never mind")).id),
    cleared: await times(async () => (await bob.say(home.general.id, "Look here!")).id),
    role: await times(
      async () => (await alice.post<Role>(`/servers/${home.id}/roles`, { name: "spare" })).body.id,
    ),
    user: guests.slice(0, spares / 2).map((guest) => guest.id),
    kicked: guests.slice(spares / 2).map((guest) => guest.id),
    code: await times(
      async () => (await alice.post<{ code: string }>("/invites", { server_id: home.id })).body.code,
    ),
    bot: await times(() => makeBot(alice, home), fewer),
    leavingBot: await times(() => makeBot(alice, home), fewer),
    session: await sessionsToEnd(door, alice),
  };
}

/** Alice's other sessions; the one that she calls with is not among them. */
async function sessionsToEnd(door: Door, alice: TestPerson): Promise<string[]> {
  for (let i = 0; i < spares; i++) {
    await send(door, undefined, "POST", "/auth/login/password", {
      email: alice.username,
      password: alice.password,
    });
  }
  const { body } = await alice.get<{ id: string; current: boolean }[]>("/auth/sessions");
  return body.filter((session) => !session.current).map((session) => session.id);
}

async function times<T>(make: () => Promise<T>, count = spares): Promise<T[]> {
  const made: T[] = [];
  while (made.length < count) made.push(await make());
  return made;
}
