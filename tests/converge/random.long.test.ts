// State + events = fresh state: after any random actions of three people, each one's copy equals a fresh READY.
import { test } from "bun:test";
import fc from "fast-check";
import type { Server } from "../../features/servers/contract.ts";
import { allPermissions, permission } from "../../protocol/permissions.ts";
import { seedFor } from "../house/machine/chance.ts";
import { onEachEngine, type TestHouse } from "../house/open/engines.ts";
import { TestBot } from "../house/people/bots.ts";
import type { TestPerson } from "../house/people/people.ts";
import { Follower, quiet, seenOnline } from "./follower.ts";

const { VIEW_CHANNEL, SEND_MESSAGES, ADMINISTRATOR } = permission;
const emoji = ["👍", "🎉", ":wave:"];
const bits = [0, VIEW_CHANNEL, VIEW_CHANNEL | SEND_MESSAGES, 1795, allPermissions & ~ADMINISTRATOR];

/** The index of the actor, the action, and two numbers for its choices. */
type Step = { who: number; deed: keyof typeof deeds; a: number; b: number };

interface World {
  people: TestPerson[];
  serverId: string;
  everyoneId: string;
  code: string;
  channels: string[];
  messages: string[];
  roles: string[];
  others: string[];
  bots: TestBot[];
}

type Deed = (actor: TestPerson, world: World, a: number, b: number) => Promise<unknown>;

// Refused actions (403, 404, 409) change nothing; random ones often are refused.
const deeds = {
  async post(actor, world, a, b) {
    const body = { content: `said ${b}`, ...(b % 3 === 0 && { reply_to: pick(world.messages, b) }) };
    const answer = await actor.post(`/channels/${pick(world.channels, a)}/messages`, body);
    if (answer.status === 201) world.messages.push(String(answer.body.id));
  },
  correct: (actor, world, a, b) =>
    actor.patch(`/messages/${pick(world.messages, a)}`, { content: `no: ${b}` }),
  takeBack: (actor, world, a) => actor.delete(`/messages/${pick(world.messages, a)}`),
  sweep: (actor, world, a, b) =>
    actor.post(`/channels/${pick(world.channels, a)}/messages/bulk-delete`, {
      message_ids: [pick(world.messages, a), pick(world.messages, b)],
    }),
  react: (actor, world, a, b) =>
    actor.post(`/messages/${pick(world.messages, a)}/reactions`, { emoji: pick(emoji, b) }),
  unreact: (actor, world, a, b) =>
    actor.delete(`/messages/${pick(world.messages, a)}/reactions/${encodeURIComponent(pick(emoji, b))}`),
  async openChannel(actor, world, a) {
    const body = { server_id: world.serverId, name: `room ${a}`, position: a % 4 };
    const answer = await actor.post("/channels", body);
    if (answer.status === 201) world.channels.push(String(answer.body.id));
  },
  changeChannel: (actor, world, a, b) =>
    actor.patch(`/channels/${pick(world.channels, a)}`, { name: `renamed ${b}`, position: b % 4 }),
  closeChannel: (actor, world, a) => actor.delete(`/channels/${pick(world.channels.slice(1), a)}`),
  async makeRole(actor, world, a, b) {
    const body = { name: `role ${a}`, permissions: pick(bits, b), position: 1 + (a % 3) };
    const answer = await actor.post(`/servers/${world.serverId}/roles`, body);
    if (answer.status === 201) world.roles.push(String(answer.body.id));
  },
  changeRole: (actor, world, a, b) =>
    actor.patch(`/servers/${world.serverId}/roles/${pick(world.roles, a)}`, {
      permissions: pick(bits, b),
      position: 1 + (b % 3),
    }),
  dropRole: (actor, world, a) => actor.delete(`/servers/${world.serverId}/roles/${pick(world.roles, a)}`),
  giveRoles: (actor, world, a, b) =>
    actor.put(`/servers/${world.serverId}/members/${pick(world.people, a).id}/roles`, {
      role_ids: world.roles.filter((_, i) => (b >> i) & 1),
    }),
  blindfold: (actor, world, _a, b) =>
    actor.patch(`/servers/${world.serverId}/roles/${world.everyoneId}`, {
      permissions: b % 2 === 0 ? SEND_MESSAGES : 1795,
    }),
  kick: (actor, world, a) => actor.delete(`/servers/${world.serverId}/members/${pick(world.people, a).id}`),
  leave: (actor, world) => actor.delete(`/servers/${world.serverId}/members/@me`),
  async ban(actor, world, a) {
    await actor.put(`/servers/${world.serverId}/bans/${pick(world.people, a).id}`);
    await actor.delete(`/servers/${world.serverId}/bans/${pick(world.people, a).id}`);
  },
  // Only the maker of a bot can add it to a server, and only where they may manage that server.
  async bringBot(actor, world, a) {
    const bots = world.bots.filter(({ owner }) => owner === actor);
    if (bots.length < 2) world.bots.push(await TestBot.make(actor));
    else await actor.post(`/bots/${pick(bots, a).id}/servers`, { server_id: world.serverId });
  },
  removeBot: (actor, world, a) => {
    if (world.bots.length === 0) return Promise.resolve();
    return actor.delete(`/bots/${pick(world.bots, a).id}/servers/${world.serverId}`);
  },
  async botPosts(_actor, world, a, b) {
    if (world.bots.length === 0) return;
    const path = `/channels/${pick(world.channels, b)}/messages`;
    const answer = await pick(world.bots, a).post(path, { content: `beep ${b}` });
    if (answer.status === 201) world.messages.push(String(answer.body.id));
  },
  async scrapBot(actor, world, a) {
    const [bot] = world.bots.filter(({ owner }) => owner === actor).slice(a % 2);
    if (bot) await actor.delete(`/bots/${bot.id}`);
    world.bots = world.bots.filter((each) => each !== bot);
  },
  rejoin: (actor, world) => actor.post(`/invites/${world.code}/join`),
  handOver: (actor, world, a) =>
    actor.post(`/servers/${world.serverId}/owner`, { user_id: pick(world.people, a).id }),
  async found(actor, world, a) {
    const server = await actor.makeServer(`club ${a}`);
    world.others.push(server.id);
    await actor.bringIn(server.id, pick(world.people, a));
  },
  raze: (actor, world, a) => actor.delete(`/servers/${pick(world.others, a)}`),
  typing: (actor, world, a) => actor.post(`/channels/${pick(world.channels, a)}/typing`),
  presence: (actor, _world, a) =>
    actor.put("/auth/me/presence", { status: pick(["online", "idle", "dnd", "invisible"], a) }),
  async profile(actor, world, a) {
    // New names are not told to people without a common server; their pages keep the old name.
    const own = (await actor.get<Server[]>("/servers")).body;
    if (!own.some((server) => server.id === world.serverId)) return;
    await actor.patch("/auth/me", { display_name: `Name ${a}`, status_text: `feeling ${a % 5}` });
  },
} satisfies Record<string, Deed>;

/** Told live, beside the numbered log: their order relative to concurrent events is not guaranteed. */
const apart: readonly (keyof typeof deeds)[] = ["presence", "profile"];

const step: fc.Arbitrary<Step> = fc.record({
  who: fc.integer({ min: 0, max: 2 }),
  deed: fc.constantFrom(...(Object.keys(deeds) as (keyof typeof deeds)[])),
  a: fc.nat(60),
  b: fc.nat(60),
});
/** The steps of a wave run concurrently. */
const waves = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 8, maxLength: 14 });

onEachEngine("converging", (house) => {
  test("three people do what they like, and each one's copy stays what a fresh READY says", async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(waves, (plan) => live(house(), plan, ++run)),
      { numRuns: 6, seed: seedFor(`converging on ${house().engine}`), endOnFailure: true },
    );
  });
});

async function live(house: TestHouse, plan: readonly Step[][], run: number): Promise<void> {
  // New people each time: an older server could keep the former names of people who left it.
  const people = [await house.person("olga"), await house.person("mia"), await house.person("noah")];
  for (const person of people) await seenOnline(person);
  const world = await makeWorld(people);
  const followers: Follower[] = [];
  for (const person of people) followers.push(await Follower.of(person));
  for (const follower of followers) await follower.look();
  let marks = 0;
  const settle = () => quiet(followers, `mark ${run}.${++marks}`);
  for (const wave of plan) {
    const together = wave.filter((each) => !apart.includes(each.deed));
    await Promise.all(together.map((each) => take(world, each)));
    for (const each of wave.filter((one) => apart.includes(one.deed))) {
      await settle();
      await take(world, each);
    }
  }
  await settle();
  for (const follower of followers) await follower.expectFresh();
  for (const follower of followers) follower.close();
}

async function take(world: World, { who, deed, a, b }: Step): Promise<void> {
  const act: Deed = deeds[deed];
  await act(pick(world.people, who), world, a, b);
}

async function makeWorld(people: readonly TestPerson[]): Promise<World> {
  const [olga, ...others] = people;
  if (!olga) throw new Error("nobody is here");
  const home = await olga.makeServer();
  await olga.bringIn(home.id, ...others);
  const invite = await olga.post("/invites", { server_id: home.id, expires_hours: 0 });
  const messages = [(await olga.say(home.general.id, "Welcome")).id];
  const mods = await olga.giveRole(home.id, pick(others, 0), allPermissions & ~ADMINISTRATOR, 3);
  return {
    people: [...people],
    serverId: home.id,
    everyoneId: home.everyone.id,
    code: String(invite.body.code),
    channels: [home.general.id],
    messages,
    roles: [mods.id],
    others: [],
    bots: [],
  };
}

function pick<T>(list: readonly T[], choice: number): T {
  return list[choice % list.length] as T;
}
