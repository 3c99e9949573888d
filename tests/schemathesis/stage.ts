// The fixture of the Schemathesis runs: things to read and change, and spare ones that may be ended.

import { TestPerson } from "../house/people/people.ts";
import { upload } from "../house/scenes/files.ts";
import type { Outside } from "./outside.ts";
import { type Signed, signedBodies } from "./signed.ts";
import { makeSpares } from "./spares.ts";
import {
  type Cast,
  type Host,
  makeBot,
  makeChannel,
  makeCommand,
  makeEvent,
  makeGroup,
  makeWebhook,
  type Things,
} from "./things.ts";

export interface Stage {
  /** A session of Alice's, who owns the instance and the server that is kept. */
  session: string;
  /** Sessions of people who are not needed otherwise: they may be ended. */
  throwaways: string[];
  /** Things that last for the whole run. */
  kept: Things;
  /** Things that may be deleted, kicked, banned, handed over or spent. */
  spare: Things;
  signed: Signed[];
}

/** The password of the people who change it: Schemathesis could not guess it. */
export const knownPassword = "correct horse battery";

export async function setStage(host: Host, outside: Outside): Promise<Stage> {
  const alice = await TestPerson.register(host, "alice");
  const bob = await TestPerson.register(host, "bob");
  const carol = await TestPerson.register(host, "carol", knownPassword);
  const dave = await TestPerson.register(host, "dave", knownPassword);
  const mallory = await TestPerson.register(host, "mallory");
  const home = await alice.makeServer("Home");
  await alice.bringIn(home.id, bob);
  await alice.put(`/servers/${home.id}/bans/${mallory.id}`);
  const bot = await makeBot(alice, home);
  const cast = { host, alice, bob, home, bot };
  const spare = await makeSpares(cast, outside);
  return {
    session: alice.token,
    throwaways: [carol.token, dave.token],
    kept: {
      ...(await keepTalk(cast)),
      ...(await keepPlaces(cast)),
      user: [alice.id, bob.id],
      somebodyElse: [bob.id],
      group: [await makeGroup(alice, [bob.id, ...(spare.seated ?? [])])],
      banned: [mallory.id],
      login: [carol.username, carol.email],
    },
    spare,
    signed: await signedBodies(host, bob, outside),
  };
}

/** Alice's message has a file, so its text may be emptied. */
async function keepTalk({ alice, bob, home }: Cast): Promise<Things> {
  const { url } = await upload(alice, "recipe.txt", "Two spoons of tea.");
  const said = await alice.say(home.general.id, "Tea is ready", { nonce: "tea", attachments: [url] });
  const answered = await bob.say(home.general.id, "Coming", { reply_to: said.id });
  await bob.post(`/messages/${said.id}/reactions`, { emoji: "🎉" });
  return {
    message: [said.id, answered.id],
    attachment: [url],
    file: [url.slice(url.lastIndexOf("/") + 1)],
  };
}

async function keepPlaces({ alice, bob, home, bot }: Cast): Promise<Things> {
  const keepers = await alice.giveRole(home.id, bob, 3);
  const { body: open } = await alice.post<{ code: string }>("/invites", { server_id: home.id, max_uses: 0 });
  const { body: badge } = await alice.post<{ id: string }>("/badges", { name: "Tea master", icon: "🍵" });
  await alice.put(`/users/${bob.id}/badges/${badge.id}`);
  const webhook = await makeWebhook(alice, home);
  return {
    server: [home.id],
    channel: [home.general.id],
    room: [await makeChannel(alice, home, "voice")],
    role: [home.everyone.id, keepers.id],
    code: [open.code],
    bot: [bot],
    command: [await makeCommand(alice, home, bot)],
    event: [await makeEvent(alice, home)],
    badge: [badge.id],
    webhook: [webhook.id],
    webhookToken: [webhook.token],
  };
}
