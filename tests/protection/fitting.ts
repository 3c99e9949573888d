// Valid values by the name of a parameter or field, so that a fuzz test gets past the check of the shape.
import type { Operation } from "../../protocol/operation.ts";
import { TestBot } from "../house/people/bots.ts";
import type { TestPerson } from "../house/people/people.ts";

export interface Things {
  server: string;
  channel: string;
  message: string;
  role: string;
  member: string;
  code: string;
  bot: string;
  webhook: string;
  webhookToken: string;
  event: string;
  badge: string;
}

/** Makes a server of Alice's with one of everything, and Bob as a member. She owns the instance: she came first. */
export async function stock(alice: TestPerson, bob: TestPerson): Promise<Things> {
  await letComeBack(alice, bob);
  const home = await alice.makeServer();
  await alice.bringIn(home.id, bob);
  const role = await alice.giveRole(home.id, bob, 4);
  const said = await alice.say(home.general.id, "Hello");
  const invite = (await alice.post<{ code: string }>("/invites", { server_id: home.id })).body;
  const make = async (path: string, body: object) =>
    (await alice.post<{ id: string; token: string }>(path, body)).body;
  const webhook = await make(`/channels/${home.general.id}/webhooks`, { name: "Builds" });
  const plan = { title: "Tea", starts_at: "2130-01-31T18:00:00.000Z" };
  return {
    server: home.id,
    channel: home.general.id,
    message: said.id,
    role: role.id,
    member: bob.id,
    code: invite.code,
    bot: (await TestBot.make(alice)).id,
    webhook: webhook.id,
    webhookToken: webhook.token,
    event: (await make(`/servers/${home.id}/events`, plan)).id,
    badge: (await make("/badges", { name: "Helper", icon: "⭐" })).id,
  };
}

/** Enables Bob and signs him in again: an admin operation may have disabled him or ended his sessions. */
async function letComeBack(alice: TestPerson, bob: TestPerson): Promise<void> {
  if ((await bob.get("/auth/me")).status === 200) return;
  await alice.patch(`/admin/users/${bob.id}`, { disabled: false });
  const login = { email: bob.username, password: bob.password };
  bob.token = (await bob.post("/auth/login/password", login)).headers.get("x-session-token") ?? "";
}

/** Deletes what `stock` made: the servers and bots of a person and the badges of an instance are limited. */
export async function clear(alice: TestPerson, things: Things): Promise<void> {
  await alice.delete(`/servers/${things.server}`);
  for (const kind of ["bots", "badges"]) {
    for (const { id } of (await alice.get<{ id: string }[]>(`/${kind}`)).body)
      await alice.delete(`/${kind}/${id}`);
  }
}

/** A valid value for the placeholder at this place of a path; the word before `{id}` tells what it identifies. */
export function fittingParameter(operation: Operation, place: number, things: Things): string {
  const parts = operation.path.split("/");
  const name = parts[place]?.slice(1, -1) ?? "";
  const byName: Record<string, string> = {
    serverID: things.server,
    channelID: things.channel,
    messageID: things.message,
    roleID: things.role,
    userID: things.member,
    code: things.code,
    webhookID: things.webhook,
    token: things.webhookToken,
    badgeID: things.badge,
    emoji: "🎉",
  };
  const byWord: Record<string, string> = {
    servers: things.server,
    channels: things.channel,
    messages: things.message,
    users: things.member,
    bots: things.bot,
    events: things.event,
    badges: things.badge,
  };
  return byName[name] ?? byWord[parts[place - 1] ?? ""] ?? things.server;
}

/** A valid value for a field of a body or a query. */
export function fittingField(name: string, things: Things): unknown {
  const fields: Record<string, unknown> = {
    server_id: things.server,
    user_id: things.member,
    reply_to: things.message,
    role_ids: [things.role],
    message_ids: [things.message],
    before: things.message,
    after: things.message,
    around: things.message,
    limit: 5,
    name: "A name",
    display_name: "A name",
    content: "Something to say",
    emoji: "🎉",
    color: "#aabbcc",
    accent_color: "#aabbcc",
    permissions: 3,
    position: 2,
    type: "voice",
    status: "idle",
    icon: "https://pictures.example/1.png",
    nonce: "a-nonce",
    attachments: [],
    starts_at: "2130-01-31T18:00:00.000Z",
    ends_at: "2130-01-31T20:00:00.000Z",
    channel_id: things.channel,
    avatar_url: "https://pictures.example/1.png",
    url: "http://pictures.example/1.png",
    wait: "true",
    expires_hours: 5,
    max_uses: 9,
    password: "correct horse battery",
    new_password: "correct horse battery",
  };
  return fields[name] ?? "text";
}
