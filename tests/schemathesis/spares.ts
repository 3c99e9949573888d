// Spare things that Schemathesis may end, and tokens that it may spend: no other operation uses them.
import type { Role } from "../../features/roles/contract.ts";
import { TestBrowser } from "../house/people/browser.ts";
import { send, TestPerson } from "../house/people/people.ts";
import { tokenIn } from "../house/servers/mail-box.ts";
import type { Outside } from "./outside.ts";
import {
  type Cast,
  type Host,
  makeBot,
  makeChannel,
  makeCommand,
  makeEvent,
  makeWebhook,
  type Things,
} from "./things.ts";

const spares = 12;
/** How many to make of things that are limited for a person, or slow to make. */
const fewer = 5;

export async function makeSpares(cast: Cast, outside: Outside): Promise<Things> {
  const { host, alice, bob, home, bot } = cast;
  const guests = await times(async () => TestPerson.register(host, "guest"));
  await alice.bringIn(home.id, ...guests);
  const seated = await times(async () => TestPerson.register(host, "seated"), fewer);
  await alice.bringIn(home.id, ...seated);
  const browser = new TestBrowser(host);
  return {
    ...(await spareServers(cast)),
    channel: await times(() => makeChannel(alice, home, "text")),
    message: await times(async () => (await alice.say(home.general.id, "Never mind")).id),
    cleared: await times(async () => (await bob.say(home.general.id, "Look here!")).id),
    role: await times(
      async () => (await alice.post<Role>(`/servers/${home.id}/roles`, { name: "spare" })).body.id,
    ),
    user: guests.slice(0, spares / 2).map((guest) => guest.id),
    kicked: guests.slice(spares / 2).map((guest) => guest.id),
    seated: seated.map((guest) => guest.id),
    code: await times(
      async () => (await alice.post<{ code: string }>("/invites", { server_id: home.id })).body.code,
    ),
    bot: await times(() => makeBot(alice, home), fewer),
    leavingBot: await times(() => makeBot(alice, home), fewer),
    command: await times(() => makeCommand(alice, home, bot)),
    event: await times(() => makeEvent(alice, home)),
    badge: await times(
      async () => (await alice.post<{ id: string }>("/badges", { name: "Spare", icon: "🫖" })).body.id,
    ),
    webhook: await times(async () => (await makeWebhook(alice, home)).id, fewer),
    passkey: await times(async () => (await browser.register(alice)).body.id, fewer),
    session: await sessionsToEnd(host, alice),
    resetToken: await times(() => forget(host, outside), fewer),
  };
}

async function spareServers({ alice, bob }: Cast): Promise<Things> {
  return {
    server: await times(async () => (await alice.makeServer("Spare")).id),
    handedOver: await times(async () => {
      const server = await alice.makeServer("For Bob");
      await alice.bringIn(server.id, bob);
      return server.id;
    }),
    visited: await times(async () => {
      const server = await bob.makeServer("Bob's");
      await bob.bringIn(server.id, alice);
      return server.id;
    }),
  };
}

/** Makes sessions of Alice's and returns the ids of all but the one that she calls with. */
async function sessionsToEnd(host: Host, alice: TestPerson): Promise<string[]> {
  for (let i = 0; i < spares; i++) {
    await send(host, undefined, "POST", "/auth/login/password", {
      email: alice.username,
      password: alice.password,
    });
  }
  const { body } = await alice.get<{ id: string; current: boolean }[]>("/auth/sessions");
  return body.filter((session) => !session.current).map((session) => session.id);
}

/** Requests a new password for a new account, and returns the token that comes by mail. */
async function forget(host: Host, { mail }: Outside): Promise<string> {
  const { email } = await TestPerson.register(host, "forgetful");
  await send(host, undefined, "POST", "/auth/password/forgot", { email });
  return tokenIn(await mail.linkTo(email));
}

async function times<T>(make: () => Promise<T>, count = spares): Promise<T[]> {
  const made: T[] = [];
  while (made.length < count) made.push(await make());
  return made;
}
