// Revocations by operation: each right holds on another process before, and must not a second later.
import type { Message } from "../../features/messages/contract.ts";
import type { Role } from "../../features/roles/contract.ts";
import { limits } from "../../protocol/limits.ts";
import { permission } from "../../protocol/permissions.ts";
import { pictureOf } from "../house/material/images.ts";
import { at } from "../house/open/cluster.ts";
import type { TestHouse } from "../house/open/engines.ts";
import { TestBot } from "../house/people/bots.ts";
import { TestBrowser } from "../house/people/browser.ts";
import type { Ear } from "../house/people/ear.ts";
import { type Answer, type Loose, send, type TestCaller, TestPerson } from "../house/people/people.ts";
import { formOf } from "../house/scenes/files.ts";
import { hour, inTime } from "../house/scenes/plans.ts";

/** The address of the proxy before all processes. */
export const publicUrl = "http://localhost:5555";

/** Alice owns the instance and the server and calls one process; Bob calls the other. */
export interface Scene {
  one: TestHouse;
  other: TestHouse;
  alice: TestPerson;
  bob: TestPerson;
  home: Awaited<ReturnType<TestPerson["makeServer"]>>;
}

interface Taking {
  /** Revokes it, on the one process. */
  take(): Promise<Answer<unknown>>;
  /** True if it still holds on the other process. */
  holds(): Promise<boolean>;
  /** A socket on the other process that the revocation closes. */
  socket?: Ear;
  undo?(): Promise<unknown>;
}

const isFine = async (asked: Promise<Answer<unknown>>) => (await asked).status < 300;
const posts =
  (who: TestCaller, { home }: Scene) =>
  () =>
    isFine(who.post(`/channels/${home.general.id}/messages`, { content: "still here" }));
const signedIn = (who: TestPerson) => () => isFine(who.get("/auth/me"));
const lists = (who: TestCaller, path: string, text: string) => async () =>
  JSON.stringify((await who.get(path)).body).includes(text);

async function bodyOf<T = Loose>(asked: Promise<Answer<T>>): Promise<T> {
  const { status, body } = await asked;
  if (status >= 300) throw new Error(`it could not be done: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** Bob's permission to post comes from a role alone. */
async function byRole({ alice, bob, home }: Scene): Promise<{ path: string; role: Role }> {
  const role = await alice.giveRole(home.id, bob, permission.SEND_MESSAGES, 2);
  const roles = `/servers/${home.id}/roles`;
  const permissions = home.everyone.permissions & ~permission.SEND_MESSAGES;
  await bodyOf(alice.patch(`${roles}/${home.everyone.id}`, { permissions }));
  return { path: `${roles}/${role.id}`, role };
}

/** A message on the newest page of the other process. */
async function shown({ alice, home }: Scene): Promise<{ path: string; said: Message; page: string }> {
  const said = await alice.say(home.general.id, "a slip of the tongue");
  return { path: `/messages/${said.id}`, said, page: `/channels/${home.general.id}/messages` };
}

async function botOf(scene: Scene): Promise<{ here: TestBot; there: TestBot; path: string }> {
  const here = await TestBot.make(scene.alice);
  await here.enter(scene.home.id);
  const there = Object.assign(Object.create(TestBot.prototype) as TestBot, here, {
    owner: at(scene.other.url, scene.alice),
  });
  return { here, there, path: `/bots/${here.id}` };
}

/** A session of Bob's that ends, along with its socket. */
async function sessionOf(scene: Scene, take: () => Promise<Answer<unknown>>): Promise<Taking> {
  return { take, holds: signedIn(scene.bob), socket: await scene.bob.listen() };
}

async function anotherSession({ one, bob }: Scene): Promise<TestPerson> {
  const login = { email: bob.username, password: bob.password };
  const { headers } = await send(one, undefined, "POST", "/auth/login/password", login);
  return Object.assign(at(one.url, bob), { token: headers.get("x-session-token") });
}

async function badgeOf({ alice, bob }: Scene) {
  const badge = { name: "Green thumb", icon: "🌱", description: "It grows." };
  const { id } = await bodyOf(alice.post<{ id: string }>("/badges", badge));
  await bodyOf(alice.put(`/users/${bob.id}/badges/${id}`));
  return { id, holds: lists(bob, `/users/${bob.id}`, id) };
}

const ofServers: Record<string, (scene: Scene) => Promise<Taking>> = {
  async deleteServer(scene) {
    return { take: () => scene.alice.delete(`/servers/${scene.home.id}`), holds: posts(scene.bob, scene) };
  },
  async handOverServer({ alice, bob, home, other }) {
    const path = `/servers/${home.id}`;
    return {
      take: () => alice.post(`${path}/owner`, { user_id: bob.id }),
      holds: () => isFine(at(other.url, alice).patch(path, { name: "Mine" })),
    };
  },
  async updateRole(scene) {
    const { path } = await byRole(scene);
    return { take: () => scene.alice.patch(path, { permissions: 0 }), holds: posts(scene.bob, scene) };
  },
  async deleteRole(scene) {
    const { path } = await byRole(scene);
    return { take: () => scene.alice.delete(path), holds: posts(scene.bob, scene) };
  },
  async setMemberRoles(scene) {
    await byRole(scene);
    const { alice, bob, home } = scene;
    const path = `/servers/${home.id}/members/${bob.id}/roles`;
    return { take: () => alice.put(path, { role_ids: [] }), holds: posts(bob, scene) };
  },
  async leaveServer(scene) {
    const { one, bob, home } = scene;
    return {
      take: () => at(one.url, bob).delete(`/servers/${home.id}/members/@me`),
      holds: posts(bob, scene),
    };
  },
  async kickMember(scene) {
    const { alice, bob, home } = scene;
    return { take: () => alice.delete(`/servers/${home.id}/members/${bob.id}`), holds: posts(bob, scene) };
  },
  async banUser(scene) {
    const { alice, bob, home } = scene;
    return { take: () => alice.put(`/servers/${home.id}/bans/${bob.id}`, {}), holds: posts(bob, scene) };
  },
  async deleteChannel(scene) {
    const { alice, bob, home } = scene;
    return { take: () => alice.delete(`/channels/${home.general.id}`), holds: posts(bob, scene) };
  },
  async setOverride(scene) {
    const { alice, bob, home } = scene;
    const path = `/channels/${home.general.id}/overrides/${bob.id}`;
    const denied = { kind: "member", deny: permission.VIEW_CHANNEL };
    return { take: () => alice.put(path, denied), holds: posts(bob, scene) };
  },
  async deleteOverride(scene) {
    const { alice, bob, home } = scene;
    const path = `/channels/${home.general.id}/overrides`;
    await bodyOf(alice.put(`${path}/${bob.id}`, { kind: "member", allow: permission.SEND_MESSAGES }));
    const denied = { kind: "role", deny: permission.SEND_MESSAGES };
    await bodyOf(alice.put(`${path}/${home.everyone.id}`, denied));
    return { take: () => alice.delete(`${path}/${bob.id}`), holds: posts(bob, scene) };
  },
  async deleteInvite({ alice, home, other }) {
    const { code } = await bodyOf(alice.post<{ code: string }>("/invites", { server_id: home.id }));
    const joins = async () => {
      const guest = at(other.url, await TestPerson.register(other, "guest"));
      return isFine(guest.post(`/invites/${code}/join`));
    };
    return { take: () => alice.delete(`/invites/${code}`), holds: joins };
  },
  async deleteEvent({ alice, bob, home }) {
    const path = `/servers/${home.id}/events`;
    const event = { title: "Tea", starts_at: inTime(hour) };
    const { id } = await bodyOf(alice.post<{ id: string }>(path, event));
    return { take: () => alice.delete(`/events/${id}`), holds: lists(bob, path, id) };
  },
};

/** A conversation that Alice begins on her process with Bob, or with Bob and Carol. */
async function talk(
  scene: Scene,
  ...more: TestPerson[]
): Promise<{ id: string; writes: () => Promise<boolean> }> {
  const { alice, bob } = scene;
  const user_ids = [bob, ...more].map(({ id }) => id);
  const { id } = await bodyOf(alice.post<{ id: string }>("/direct", { user_ids }));
  await alice.say(id, "Between us.");
  return { id, writes: () => isFine(bob.post(`/channels/${id}/messages`, { content: "Yes." })) };
}

const ofConversations: Record<string, (scene: Scene) => Promise<Taking>> = {
  async blockUser(scene) {
    const { alice, bob } = scene;
    const { writes } = await talk(scene);
    return {
      take: () => alice.put(`/blocks/${bob.id}`),
      holds: writes,
      undo: () => alice.delete(`/blocks/${bob.id}`),
    };
  },
  async hideConversation(scene) {
    const { id } = await talk(scene);
    return {
      take: () => at(scene.one.url, scene.bob).delete(`/direct/${id}`),
      holds: lists(scene.bob, "/direct", id),
    };
  },
  async removeRecipient(scene) {
    const { alice, bob, home, one } = scene;
    const carol = await TestPerson.register(one, "carol");
    await alice.bringIn(home.id, carol);
    const { id, writes } = await talk(scene, carol);
    return { take: () => alice.delete(`/channels/${id}/recipients/${bob.id}`), holds: writes };
  },
};

const ofMessages: Record<string, (scene: Scene) => Promise<Taking>> = {
  async updateMessage(scene) {
    const { path, said, page } = await shown(scene);
    return {
      take: () => scene.alice.patch(path, { content: "well said" }),
      holds: lists(scene.bob, page, said.content),
    };
  },
  async deleteMessage(scene) {
    const { path, said, page } = await shown(scene);
    return { take: () => scene.alice.delete(path), holds: lists(scene.bob, page, said.content) };
  },
  async bulkDeleteMessages(scene) {
    const { said, page } = await shown(scene);
    return {
      take: () => scene.alice.post(`${page}/bulk-delete`, { message_ids: [said.id] }),
      holds: lists(scene.bob, page, said.content),
    };
  },
  async removeReaction(scene) {
    const { path, page } = await shown(scene);
    await bodyOf(scene.alice.post(`${path}/reactions`, { emoji: "🌱" }));
    const emoji = encodeURIComponent("🌱");
    return {
      take: () => scene.alice.delete(`${path}/reactions/${emoji}`),
      holds: lists(scene.bob, page, "🌱"),
    };
  },
  async updateMe(scene) {
    const { page } = await shown(scene);
    await bodyOf(scene.alice.patch("/auth/me", { display_name: "Alice of Old" }));
    return {
      take: () => scene.alice.patch("/auth/me", { display_name: "alice" }),
      holds: lists(scene.bob, page, "Alice of Old"),
    };
  },
  async deleteAvatar(scene) {
    const { page } = await shown(scene);
    const picture = await pictureOf("png", { width: 64, height: 64 });
    const { avatar } = await bodyOf(scene.alice.put("/auth/me/avatar", formOf("picture", picture)));
    return {
      take: () => scene.alice.delete("/auth/me/avatar"),
      holds: lists(scene.bob, page, String(avatar)),
    };
  },
  async deleteWebhook({ alice, home, other }) {
    const made = alice.post<{ id: string; token: string }>(`/channels/${home.general.id}/webhooks`, {
      name: "Weather",
    });
    const { id, token } = await bodyOf(made);
    const executes = () =>
      isFine(send(other, undefined, "POST", `/webhooks/${id}/${token}`, { content: "Rain." }));
    return { take: () => alice.delete(`/webhooks/${id}`), holds: executes };
  },
};

const ofBots: Record<string, (scene: Scene) => Promise<Taking>> = {
  async deleteBot(scene) {
    const { there, path } = await botOf(scene);
    const holds = () => isFine(there.get("/servers"));
    return { take: () => scene.alice.delete(path), holds, socket: await there.listen() };
  },
  async regenerateBotToken(scene) {
    const { there, path } = await botOf(scene);
    const holds = () => isFine(there.get("/servers"));
    return { take: () => scene.alice.post(`${path}/regenerate-token`), holds, socket: await there.listen() };
  },
  async removeBotFromServer(scene) {
    const { there, path } = await botOf(scene);
    return { take: () => scene.alice.delete(`${path}/servers/${scene.home.id}`), holds: posts(there, scene) };
  },
  async deleteCommand(scene) {
    const { here, path } = await botOf(scene);
    const command = { server_id: scene.home.id, name: "rain", description: "Does it?" };
    const { id } = await bodyOf(here.post<{ id: string }>(`${path}/commands`, command));
    const list = `/servers/${scene.home.id}/commands`;
    return { take: () => here.delete(`${path}/commands/${id}`), holds: lists(scene.bob, list, id) };
  },
};

const ofSessions: Record<string, (scene: Scene) => Promise<Taking>> = {
  logout: (scene) => sessionOf(scene, () => at(scene.one.url, scene.bob).post("/auth/logout")),
  async changePassword(scene) {
    const elsewhere = await anotherSession(scene);
    const change = { current_password: scene.bob.password, new_password: "another horse battery" };
    return sessionOf(scene, () => elsewhere.put("/auth/me/password", change));
  },
  async endSession(scene) {
    const [{ id } = { id: "" }] = await bodyOf(scene.bob.get<{ id: string }[]>("/auth/sessions"));
    const elsewhere = await anotherSession(scene);
    return sessionOf(scene, () => elsewhere.delete(`/auth/sessions/${id}`));
  },
  async resetPassword(scene) {
    const made = await bodyOf(
      scene.alice.post<{ url: string }>(`/admin/users/${scene.bob.id}/reset-link`, {}),
    );
    const token = /[^/=#?]+$/.exec(made.url)?.[0];
    const body = { token, new_password: "another horse battery" };
    return sessionOf(scene, () => send(scene.one, undefined, "POST", "/auth/password/reset", body));
  },
  updateAccount: (scene) =>
    sessionOf(scene, () => scene.alice.patch(`/admin/users/${scene.bob.id}`, { disabled: true })),
  endSessionsOf: (scene) =>
    sessionOf(scene, () => scene.alice.delete(`/admin/users/${scene.bob.id}/sessions`)),
  async loginWithPassword(scene) {
    // Logging in above the maximum ends the oldest session.
    for (let i = 1; i < limits.sessions_max; i++) await anotherSession(scene);
    const login = { email: scene.bob.username, password: scene.bob.password };
    return sessionOf(scene, () => send(scene.one, undefined, "POST", "/auth/login/password", login));
  },
  async deletePasskey({ one, other, bob }) {
    const [browser, there] = [new TestBrowser(one), new TestBrowser(other)];
    const lies = { origin: publicUrl };
    const { id } = await bodyOf(browser.register(bob, lies));
    const enters = async () => {
      const { cookie, publicKey } = await there.beginLogin();
      return isFine(there.finishLogin(cookie, browser.key.get(publicKey, lies)));
    };
    return { take: () => at(one.url, bob).delete(`/auth/webauthn/credentials/${id}`), holds: enters };
  },
};

const ofInstance: Record<string, (scene: Scene) => Promise<Taking>> = {
  async setInstanceSettings({ alice, other }) {
    const set = (registration: string) => alice.put("/admin/settings", { registration });
    const registers = () =>
      TestPerson.register(other, "late").then(
        () => true,
        () => false,
      );
    return { take: () => set("closed"), holds: registers, undo: () => set("open") };
  },
  async takeBadge(scene) {
    const { id, holds } = await badgeOf(scene);
    return { take: () => scene.alice.delete(`/users/${scene.bob.id}/badges/${id}`), holds };
  },
  async deleteBadge(scene) {
    const { id, holds } = await badgeOf(scene);
    return { take: () => scene.alice.delete(`/badges/${id}`), holds };
  },
};

/** By the name of the operation. */
export const revocations = {
  ...ofConversations,
  ...ofServers,
  ...ofMessages,
  ...ofBots,
  ...ofSessions,
  ...ofInstance,
};
