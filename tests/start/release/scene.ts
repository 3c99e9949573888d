// The actions of people on the server of a release that fill the fixture: a little of everything that a server stores.
import { permission } from "../../../protocol/permissions.ts";
import { TestBot } from "../../house/people/bots.ts";
import { TestBrowser } from "../../house/people/browser.ts";
import { type Answer, type Loose, send, TestPerson } from "../../house/people/people.ts";
import { png, upload } from "../../house/scenes/files.ts";
import { hour, inTime } from "../../house/scenes/plans.ts";
import { type Host, publicUrl } from "./known.ts";

export type Stage = Awaited<ReturnType<typeof moveIn>>;

/** The push subscription of Cleo's browser. Nothing is sent there before she returns: she is on do-not-disturb. */
const subscription = {
  endpoint: "https://push.example/send/cleos-browser",
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "Y2FuYXJ5c2luZ3M0bm9vbg",
};

async function done<T = Loose>(asked: Promise<Answer<T>>): Promise<T> {
  const { status, body } = await asked;
  if (status >= 300) throw new Error(`it could not be done: ${status} ${JSON.stringify(body)}`);
  return body;
}

const idOf = async (asked: Promise<Answer<{ id: string }>>) => (await done(asked)).id;

/** Everything before the listeners are cut off. Ada owns the garden and the attic, Ben the kitchen. */
export async function moveIn(host: Host) {
  const ada = await TestPerson.register(host, "ada");
  const ben = await TestPerson.register(host, "ben");
  const cleo = await TestPerson.register(host, "cleo");
  const dan = await TestPerson.register(host, "dan");
  const garden = await ada.makeServer("Garden");
  await ada.bringIn(garden.id, ben, cleo, dan);
  const kitchen = await ben.makeServer("Kitchen");
  await ben.bringIn(kitchen.id, cleo);
  const attic = await ada.makeServer("Attic");
  await ada.bringIn(attic.id, ben);
  await done(cleo.put("/auth/me/server-order", { server_ids: [kitchen.id, garden.id] }));
  await ada.say(attic.general.id, "Nobody will look for it here.");
  const roles = await giveRoles(ada, garden.id, ben, cleo);
  const rooms = await makeRooms(ada, garden.id);
  // Cleo is a member of the kitchen, but cannot see its channels.
  await done(
    ben.patch(`/servers/${kitchen.id}/roles/${kitchen.everyone.id}`, {
      permissions: permission.SEND_MESSAGES,
    }),
  );
  await ben.say(kitchen.general.id, "The cake is for Cleo's birthday.");
  const bot = await makeBot(ada, garden.id);
  const people = { ada, ben, cleo, dan };
  const keys = await describeThemselves(people);
  const machines = await makeMachines(ada, rooms.seeds);
  const plans = await makePlans(people, garden.id, rooms.shed);
  const talk = await talkInGeneral({ ...people, bot }, garden.general.id);
  await done(post(host, machines.webhook, { content: "Rain tomorrow.", username: "The barometer" }));
  for (let i = 0; i < 30; i++) await ada.say(rooms.compost, `Leaf number ${i}`);
  await done(ada.put(`/servers/${garden.id}/bans/${dan.id}`, { reason: "He cut the roses." }));
  return { host, people, bot, garden, kitchen, attic, roles, rooms, ...keys, ...machines, plans, talk };
}

async function giveRoles(ada: TestPerson, serverId: string, ben: TestPerson, cleo: TestPerson) {
  const gardener = permission.MANAGE_MESSAGES | permission.KICK_MEMBERS;
  const gardeners = await idOf(
    ada.post(`/servers/${serverId}/roles`, {
      name: "gardeners",
      color: "#228b22",
      permissions: gardener,
      position: 5,
    }),
  );
  const guests = await idOf(
    ada.post(`/servers/${serverId}/roles`, { name: "guests", permissions: 0, position: 1 }),
  );
  await done(ada.put(`/servers/${serverId}/members/${ben.id}/roles`, { role_ids: [gardeners, guests] }));
  await done(ada.put(`/servers/${serverId}/members/${cleo.id}/roles`, { role_ids: [guests] }));
  return { gardeners, guests };
}

async function makeRooms(ada: TestPerson, serverId: string) {
  const make = (room: Record<string, unknown>) =>
    idOf(ada.post("/channels", { server_id: serverId, ...room }));
  return {
    seeds: await make({ name: "seeds", category: "Spring", position: 2 }),
    shed: await make({ name: "shed", type: "voice", position: 3 }),
    compost: await make({ name: "compost", position: 4 }),
  };
}

async function makeBot(ada: TestPerson, serverId: string): Promise<TestBot> {
  const bot = await TestBot.make(ada, "Beeper", "Says when it rains.");
  await bot.enter(serverId);
  await done(
    bot.post(`/bots/${bot.id}/commands`, { server_id: serverId, name: "rain", description: "Does it?" }),
  );
  return bot;
}

type People = Record<"ada" | "ben" | "cleo" | "dan", TestPerson>;

async function describeThemselves({ ada, ben, cleo, dan }: People) {
  await done(ada.patch("/auth/me", { bio: "I dig.", status_text: "outside", accent_color: "#aa5500" }));
  const windows = [{ day: 1, start: "09:00", end: "17:30" }];
  await done(ben.put("/auth/me/availability", { time_zone: "Europe/Berlin", windows, dnd_outside: true }));
  await done(cleo.put("/auth/me/presence", { status: "dnd" }));
  await done(cleo.put(`/blocks/${dan.id}`));
  const badge = await idOf(
    ada.post("/badges", { name: "Green thumb", icon: "🌱", description: "It grows." }),
  );
  await done(ada.put(`/users/${ben.id}/badges/${badge}`));
  await done(cleo.post("/push/subscribe", subscription));
  const browser = new TestBrowser(ada.host);
  await done(browser.register(ada, { origin: publicUrl }, { name: "The key on the hook" }));
  return { passkey: browser.key.kept[0]!, pushed: new URL(subscription.endpoint).pathname };
}

async function makeMachines(ada: TestPerson, channelId: string) {
  const make = (name: string) =>
    done(ada.post<{ id: string; token: string }>(`/channels/${channelId}/webhooks`, { name }));
  const { id, token } = await make("Weather");
  await make("Never used");
  return { webhook: { id, token } };
}

export function post(host: Host, { id, token }: { id: string; token: string }, body: unknown) {
  return send(host, undefined, "POST", `/webhooks/${id}/${token}?wait=true`, body);
}

async function makePlans({ ada, ben, cleo }: People, serverId: string, channelId: string) {
  const week = 7 * 24 * hour;
  const planting = await idOf(
    ada.post(`/servers/${serverId}/events`, {
      title: "Planting",
      description: "Bring a spade.",
      starts_at: inTime(week),
      ends_at: inTime(week + hour),
      channel_id: channelId,
    }),
  );
  const tea = await idOf(ben.post(`/servers/${serverId}/events`, { title: "Tea", starts_at: inTime(hour) }));
  await done(ada.put(`/events/${planting}/rsvp`, { status: "going" }));
  await done(ben.put(`/events/${planting}/rsvp`, { status: "maybe" }));
  await done(cleo.put(`/events/${planting}/rsvp`, { status: "no" }));
  await done(cleo.put(`/events/${tea}/rsvp`, { status: "going" }));
  const invite = (more: Record<string, unknown>) =>
    done(ada.post("/invites", { server_id: serverId, ...more }));
  await invite({ max_uses: 3 });
  const { code } = await invite({ expires_hours: 0 });
  await done(ada.delete(`/invites/${(await invite({})).code}`));
  return { planting, tea, invite: String(code) };
}

async function talkInGeneral({ ada, ben, cleo, bot }: People & { bot: TestBot }, channelId: string) {
  const first = await ada.say(channelId, "Who has the spade? 🌱", { nonce: "first" });
  await ben.say(channelId, `Ask @${ada.username} or <@${bot.id}>.`, { reply_to: first.id });
  await ben.say(channelId, "@gardeners and @everyone: come on Saturday.");
  const wrong = await ada.say(channelId, "It is in teh shed.");
  await done(ada.patch(`/messages/${wrong.id}`, { content: "It is in the shed." }));
  const taken = await ada.say(channelId, "What nobody should read.");
  await done(ada.delete(`/messages/${taken.id}`));
  const files = [await upload(ada, "sun.png", png), await upload(ada, "plan ☕.txt", "roses, then beans\n")];
  const shown = await ada.say(channelId, "", { attachments: files.map(({ url }) => url) });
  for (const [who, emoji] of [
    [ben, "🌹"],
    [ada, "🌹"],
    [bot, "👍"],
    [cleo, "👍"],
  ] as const)
    await done(who.post(`/messages/${shown.id}/reactions`, { emoji }));
  await done(cleo.delete(`/messages/${shown.id}/reactions/${encodeURIComponent("👍")}`));
  await bot.say(channelId, "It does not rain.");
  return { first: first.id, taken: taken.id, shown: shown.id, files: files.map(({ url }) => url) };
}

/** Everything that the cut-off listeners miss: none of it changes their own permissions. */
export async function goOn({ host, people, bot, garden, kitchen, roles, talk, webhook, rooms }: Stage) {
  const { ada, ben, cleo } = people;
  const general = garden.general.id;
  const said = await ada.say(general, `@${cleo.username.toUpperCase()}'s "roses" are up:\n\t<🌹> \\o/ é`);
  await ben.say(general, "Where?", { reply_to: said.id });
  await done(ada.patch(`/messages/${said.id}`, { content: "The roses are up, all of them." }));
  await done(ben.post(`/messages/${said.id}/reactions`, { emoji: "🎉" }));
  await done(ben.delete(`/messages/${talk.shown}/reactions/${encodeURIComponent("🌹")}`));
  await done(ada.delete(`/messages/${talk.first}`));
  const eve = await TestPerson.register(host, "eve");
  await ada.bringIn(garden.id, eve);
  await done(ada.put(`/servers/${garden.id}/members/${eve.id}/roles`, { role_ids: [roles.guests] }));
  await done(ada.post("/channels", { server_id: garden.id, name: "ponds", category: "Spring", position: 1 }));
  await done(ada.patch(`/channels/${rooms.seeds}`, { name: "seeds and bulbs" }));
  await done(post(host, webhook, { content: "It rains." }));
  await bot.say(general, "It rains.");
  await eve.say(general, "I am wet.");
  await ben.say(kitchen.general.id, "Is she looking?");
  await done(ben.patch(`/servers/${kitchen.id}`, { name: "Bakery" }));
  await done(ada.patch(`/servers/${garden.id}`, { name: "Rose garden" }));
}

/** The last deletions, so that the server ends before it has swept what they leave. */
export async function clearOut({ people: { ada }, attic, rooms }: Stage): Promise<void> {
  await done(ada.delete(`/servers/${attic.id}`));
  await done(ada.delete(`/channels/${rooms.compost}`));
}
