// Calls of all operations that `dearestCalls` leaves out. Most need preparing first, which is not measured.
import { permission } from "../../protocol/permissions.ts";
import { Browser } from "../../tests/doubles/web-push.ts";
import type { City } from "../bystander/scenes/city.ts";
import type { Person, Stage } from "../people.ts";

export interface PreparedCall {
  method: string;
  path: string;
  body?: unknown;
  /** The owner's token by default; null for a call without a token. */
  token?: string | null;
}

/** The context of a function that prepares a call. */
export interface Means {
  stage: Stage;
  facts: City;
  /** Different for each call of the operation. */
  number: number;
  ask<Answer>(method: string, path: string, body?: unknown, token?: string): Promise<Answer>;
}

type Prepare = (means: Means) => PreparedCall | Promise<PreparedCall>;
interface WithId {
  id: string;
}

const get = (path: string): PreparedCall => ({ method: "GET", path });
const put = (path: string, body?: unknown): PreparedCall => ({ method: "PUT", path, body });
const post = (path: string, body?: unknown): PreparedCall => ({ method: "POST", path, body });
const patch = (path: string, body?: unknown): PreparedCall => ({ method: "PATCH", path, body });
const remove = (path: string): PreparedCall => ({ method: "DELETE", path });

const server = ({ stage }: Means) => `/servers/${stage.serverId}`;
const channel = ({ stage }: Means) => `/channels/${stage.channelId}`;
/** A member who neither leaves nor is removed below. */
const citizen = ({ facts, number }: Means) => facts.some[15 + (number % 10)]!;
/** Members who leave or are removed, in five groups at the end of the list. */
const leaving = ({ facts, number }: Means, group: 0 | 1 | 2 | 3 | 4) => {
  const index = facts.some.length - 1 - group * 60 - number;
  return { id: facts.some[index]!, token: facts.tokens[index]! };
};
const last = ({ stage }: Means): Person => stage.people.at(-1)!;
const noise = { reason: "noise" };
const passwordOf = ({ username }: Person) => `the password of ${username}`;
const emailOf = ({ username }: Person) => `${username}@bench.invalid`;

/** Creates a badge and deletes earlier ones, because their number is limited. */
async function badge({ ask, number }: Means): Promise<string> {
  for (const { id } of await ask<WithId[]>("GET", "/badges")) await ask("DELETE", `/badges/${id}`);
  return (await ask<WithId>("POST", "/badges", { name: `Badge ${number}`, icon: "⭐" })).id;
}

async function said({ ask, stage }: Means): Promise<string> {
  return (await ask<WithId>("POST", `/channels/${stage.channelId}/messages`, { content: "Hello." })).id;
}

/** Creates a bot and deletes earlier ones, because each person's number is limited. */
async function bot({ ask }: Means): Promise<string> {
  for (const { id } of await ask<WithId[]>("GET", "/bots")) await ask("DELETE", `/bots/${id}`);
  return (await ask<WithId>("POST", "/bots", { name: "Helper" })).id;
}

async function presentBot(means: Means): Promise<string> {
  const id = await bot(means);
  await means.ask("POST", `/bots/${id}/servers`, { server_id: means.stage.serverId });
  return id;
}

const command = ({ stage }: Means) => ({ server_id: stage.serverId, name: "play", description: "Does it" });

/** The first people after the caller, whom other calls may have blocked. */
async function friends({ ask, facts }: Means, count: number): Promise<string[]> {
  const ids = facts.people.slice(1, 1 + count);
  for (const id of ids) await ask("DELETE", `/blocks/${id}`);
  return ids;
}

async function talk(means: Means): Promise<string> {
  return (await means.ask<WithId>("POST", "/direct", { user_ids: await friends(means, 1) })).id;
}

async function group(means: Means): Promise<string> {
  return (await means.ask<WithId>("POST", "/direct", { user_ids: await friends(means, 2) })).id;
}

const override = (means: Means) => `${channel(means)}/overrides/${citizen(means)}`;

async function webhook(means: Means): Promise<{ id: string; token: string }> {
  const path = `${channel(means)}/webhooks`;
  for (const { id } of await means.ask<WithId[]>("GET", path)) await means.ask("DELETE", `/webhooks/${id}`);
  return means.ask("POST", path, { name: "A webhook" });
}

async function invite(means: Means, token?: string, server_id = means.facts.village): Promise<string> {
  const { code } = await means.ask<{ code: string }>("POST", "/invites", { server_id, max_uses: 1 }, token);
  return code;
}

async function fair({ ask, facts }: Means): Promise<string> {
  const starts_at = new Date(Date.now() + 86_400_000).toISOString();
  return (await ask<WithId>("POST", `/servers/${facts.village}/events`, { title: "Fair", starts_at })).id;
}

async function session({ stage, ask }: Means, person: Person): Promise<{ id: string; token: string }> {
  const answer = await fetch(`${stage.origin}/api/v1/auth/login/password`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: emailOf(person), password: passwordOf(person) }),
  });
  const token = answer.headers.get("X-Session-Token");
  if (!token) throw new Error(`${person.username} could not sign in: ${answer.status}`);
  const sessions = await ask<{ id: string; current: boolean }[]>("GET", "/auth/sessions", undefined, token);
  return { token, id: sessions.find(({ current }) => current)!.id };
}

/** By operation name: a function that prepares a call, or the reason why none is measured. */
export const others: Readonly<Record<string, Prepare | string>> = {
  getInstanceSettings: () => get("/admin/settings"),
  setInstanceSettings: ({ number }) =>
    put("/admin/settings", { registration: "open", name: `Bench ${number}` }),
  createBadge: ({ number }) => post("/badges", { name: `New badge ${number}`, icon: "⭐" }),
  deleteBadge: async (means) => remove(`/badges/${await badge(means)}`),
  giveBadge: async (means) => put(`/users/${citizen(means)}/badges/${await badge(means)}`),
  takeBadge: async (means) => {
    const path = `/users/${citizen(means)}/badges/${await badge(means)}`;
    await means.ask("PUT", path);
    return remove(path);
  },
  createServer: () => post("/servers", { name: "Another" }),
  deleteServer: async ({ ask }) =>
    remove(`/servers/${(await ask<WithId>("POST", "/servers", { name: "Soon gone" })).id}`),
  handOverServer: async (means) => {
    const { facts, ask } = means;
    const [owner, other] = [0, 1].map((index) => ({
      id: facts.people[index]!,
      token: means.stage.people[index]!.token,
    }));
    const { owner_id } = await ask<{ owner_id: string }>("GET", `/servers/${facts.village}`);
    const [from, to] = owner_id === owner!.id ? [owner!, other!] : [other!, owner!];
    return { ...post(`/servers/${facts.village}/owner`, { user_id: to.id }), token: from.token };
  },
  updateRole: (means) =>
    patch(`${server(means)}/roles/${means.facts.role}`, { permissions: means.number % 2 }),
  deleteRole: async (means) => {
    const { id } = await means.ask<WithId>("POST", `${server(means)}/roles`, { name: "soon gone" });
    return remove(`${server(means)}/roles/${id}`);
  },
  leaveServer: (means) => ({
    ...remove(`${server(means)}/members/@me`),
    token: leaving(means, 0).token,
  }),
  kickMember: (means) => remove(`${server(means)}/members/${leaving(means, 1).id}`),
  banUser: (means) => put(`${server(means)}/bans/${leaving(means, 2).id}`, noise),
  unbanUser: async (means) => {
    const path = `${server(means)}/bans/${leaving(means, 3).id}`;
    await means.ask("PUT", path, noise);
    return remove(path);
  },
  setPresence: ({ number }) => put("/auth/me/presence", { status: number % 2 ? "idle" : "online" }),
  getMyAvailability: () => get("/auth/me/availability"),
  setAvailability: ({ number }) =>
    put("/auth/me/availability", {
      time_zone: "Europe/Berlin",
      windows: [1, 2, 3, 4, 5].map((day) => ({ day, start: "09:00", end: `17:${10 + (number % 50)}` })),
    }),
  getAvailability: (means) => get(`/users/${citizen(means)}/availability`),
  deleteChannel: async (means) => {
    const { token } = await villageOwner(means);
    const asked = { server_id: means.facts.village, name: "soon gone" };
    const { id } = await means.ask<WithId>("POST", "/channels", asked, token);
    return { ...remove(`/channels/${id}`), token };
  },
  setOverride: (means) =>
    put(override(means), { kind: "member", deny: means.number % 2 ? permission.SEND_MESSAGES : 0 }),
  deleteOverride: async (means) => {
    await means.ask("PUT", override(means), { kind: "member", deny: permission.SHARE_SCREEN });
    return remove(override(means));
  },
  startTyping: (means) => post(`${channel(means)}/typing`),
  getFile: "it is sent from where it lies: bench -- uploads measures that",
  searchGifs: "the operator's service is asked",
  trendingGifs: "the operator's service is asked",
  setAvatar: "a picture is drawn in a process of its own",
  setServerIcon: "a picture is drawn in a process of its own",
  setBotAvatar: "a picture is drawn in a process of its own",
  deleteAvatar: () => remove("/auth/me/avatar"),
  deleteServerIcon: (means) => remove(`${server(means)}/icon`),
  deleteBotAvatar: async (means) => remove(`/bots/${await bot(means)}/avatar`),
  getAvatar: "it is sent from where it lies: bench -- uploads measures that",
  getPicture: "a host that people name is asked",
  deleteMessage: async (means) => remove(`/messages/${await said(means)}`),
  bulkDeleteMessages: async ({ ask, facts }) => {
    const path = `/channels/${facts.archive}/messages`;
    const page = await ask<WithId[]>("GET", `${path}?limit=100`);
    const kept = new Set(facts.messages);
    return post(`${path}/bulk-delete`, {
      message_ids: page.map(({ id }) => id).filter((id) => !kept.has(id)),
    });
  },
  openConversation: async (means) => post("/direct", { user_ids: await friends(means, 1) }),
  hideConversation: async (means) => remove(`/direct/${await talk(means)}`),
  addRecipient: async (means) => {
    const id = await group(means);
    const path = `/channels/${id}/recipients/${means.facts.people[2]}`;
    await means.ask("DELETE", path);
    return put(path);
  },
  removeRecipient: async (means) =>
    remove(`/channels/${await group(means)}/recipients/${means.facts.people[2]}`),
  markChannelRead: (means) => put(`${channel(means)}/read`, { message_id: null }),
  getPushSettings: () => get("/auth/me/push-settings"),
  setPushSettings: ({ number }) => put("/auth/me/push-settings", { when: number % 2 ? "always" : "away" }),
  setServerOrder: ({ facts, stage, number }) => {
    const ids = [stage.serverId, facts.village];
    return put("/auth/me/server-order", { server_ids: number % 2 ? ids : ids.reverse() });
  },
  addReaction: async (means) => post(`/messages/${await said(means)}/reactions`, { emoji: "👍" }),
  removeReaction: async (means) => {
    const path = `/messages/${await said(means)}/reactions`;
    await means.ask("POST", path, { emoji: "👍" });
    return remove(`${path}/${encodeURIComponent("👍")}`);
  },
  createWebhook: async (means) => {
    await webhook(means);
    return post(`${channel(means)}/webhooks`, { name: "One more" });
  },
  listWebhooks: (means) => get(`${channel(means)}/webhooks`),
  deleteWebhook: async (means) => remove(`/webhooks/${(await webhook(means)).id}`),
  executeWebhook: async (means) => {
    const { id, token } = await webhook(means);
    return { ...post(`/webhooks/${id}/${token}`, { content: "beep" }), token: null };
  },
  createEvent: ({ facts, number }) => {
    const starts_at = new Date(Date.now() + 86_400_000).toISOString();
    return post(`/servers/${facts.village}/events`, { title: `Fair ${number}`, starts_at });
  },
  updateEvent: ({ facts, number }) => patch(`/events/${facts.event}`, { title: `Fair, corrected ${number}` }),
  deleteEvent: async (means) => remove(`/events/${await fair(means)}`),
  setRsvp: ({ facts, number }) =>
    put(`/events/${facts.event}/rsvp`, { status: number % 2 ? "going" : "maybe" }),
  createInvite: ({ facts }) => post("/invites", { server_id: facts.village }),
  getInvite: async (means) => {
    const [one] = await means.ask<{ code: string }[]>("GET", `${server(means)}/invites?limit=1`);
    return get(`/invites/${one!.code}`);
  },
  previewInvite: async (means) => {
    const [one] = await means.ask<{ code: string }[]>("GET", `${server(means)}/invites?limit=1`);
    return { ...get(`/invites/${one!.code}/preview`), token: null };
  },
  joinByInvite: async (means) => {
    const { token } = leaving(means, 4);
    const code = await invite(means);
    return { ...post(`/invites/${code}/join`), token };
  },
  deleteInvite: async (means) => {
    const { token } = await villageOwner(means);
    return { ...remove(`/invites/${await invite(means, token)}`), token };
  },
  createBot: async (means) => {
    await bot(means);
    return post("/bots", { name: "One more" });
  },
  getBot: async (means) => get(`/bots/${await bot(means)}`),
  updateBot: async (means) => patch(`/bots/${await bot(means)}`, { name: "Renamed" }),
  deleteBot: async (means) => remove(`/bots/${await presentBot(means)}`),
  addBotToServer: async (means) =>
    post(`/bots/${await bot(means)}/servers`, { server_id: means.stage.serverId }),
  removeBotFromServer: async (means) =>
    remove(`/bots/${await presentBot(means)}/servers/${means.stage.serverId}`),
  regenerateBotToken: async (means) => post(`/bots/${await presentBot(means)}/regenerate-token`),
  createCommand: async (means) => post(`/bots/${await presentBot(means)}/commands`, command(means)),
  listBotCommands: async (means) => {
    const path = `/bots/${await presentBot(means)}/commands`;
    await means.ask("POST", path, command(means));
    return get(path);
  },
  deleteCommand: async (means) => {
    const path = `/bots/${await presentBot(means)}/commands`;
    return remove(`${path}/${(await means.ask<WithId>("POST", path, command(means))).id}`);
  },
  register: ({ number }) => {
    const username = `newcomer${number}`;
    const password = passwordOf({ username, token: "" });
    const asked = { email: `${username}@bench.invalid`, username, display_name: username, password };
    return { ...post("/auth/register", asked), token: null };
  },
  loginWithPassword: (means) => ({
    ...post("/auth/login/password", { email: emailOf(last(means)), password: passwordOf(last(means)) }),
    token: null,
  }),
  logout: async (means) => ({
    ...post("/auth/logout"),
    token: (await session(means, last(means))).token,
  }),
  changePassword: async (means) => {
    const password = passwordOf(last(means));
    return {
      ...put("/auth/me/password", { current_password: password, new_password: password }),
      token: (await session(means, last(means))).token,
    };
  },
  endSession: async (means) => {
    const { id, token } = await session(means, last(means));
    return { ...remove(`/auth/sessions/${id}`), token };
  },
  getVapidKey: () => get("/push/vapid-public-key"),
  subscribeToPush: async ({ ask, number }) => {
    const { endpoint } = new Browser(`https://93.184.216.34/${number - 1}`);
    await ask("POST", "/push/unsubscribe", { endpoint });
    return post("/push/subscribe", new Browser(`https://93.184.216.34/${number}`).subscription);
  },
  unsubscribeFromPush: async ({ ask, number }) => {
    const browser = new Browser(`https://93.184.216.34/again/${number}`);
    await ask("POST", "/push/subscribe", browser.subscription);
    return post("/push/unsubscribe", { endpoint: browser.endpoint });
  },
  sendTestPush: "push services are asked",
  startCall: "the operator's media service is needed",
  endCall: "the operator's media service is needed",
  createVoiceToken: "the operator's media service is needed",
  listVoiceParticipants: "the operator's media service is needed",
  receiveVoiceWebhook: "the operator's media service signs it",
  beginPasskey: () => post("/auth/webauthn/register/begin"),
  addPasskey: "an authenticator signs it",
  beginPasskeyLogin: () => ({ ...post("/auth/webauthn/login/begin"), token: null }),
  loginWithPasskey: "an authenticator signs it",
  listPasskeys: () => get("/auth/webauthn/credentials"),
  deletePasskey: "an authenticator makes it",
  forgotPassword: "the operator's mail server is needed",
  resetPassword: async (means) => {
    const { url } = await means.ask<{ url: string }>(
      "POST",
      `/admin/users/${means.facts.people.at(-2)}/reset-link`,
    );
    const token = url.split("token=")[1];
    return {
      ...post("/auth/password/reset", { token, new_password: "a password that is new" }),
      token: null,
    };
  },
  updateAccount: ({ facts, number }) =>
    patch(`/admin/users/${facts.some[30]}`, { disabled: number % 2 === 0 }),
  createResetLink: ({ facts }) => post(`/admin/users/${facts.people.at(-2)}/reset-link`),
  endSessionsOf: (means) => remove(`/admin/users/${means.facts.people.at(-3)}/sessions`),
  sendTestMail: "the operator's mail server is asked",
};

/** Looks up the owner of the village: ownership is transferred during the run. */
async function villageOwner({ ask, facts, stage }: Means): Promise<Person> {
  const { owner_id } = await ask<{ owner_id: string }>("GET", `/servers/${facts.village}`);
  return stage.people[facts.people.indexOf(owner_id)]!;
}
