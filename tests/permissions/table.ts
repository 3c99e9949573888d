// permissions.md as data: for each endpoint, the answer to each kind of caller.
import { type PermissionName, permission } from "../../protocol/permissions.ts";
import { pictureOf } from "../house/material/images.ts";
import { TestBrowser } from "../house/people/browser.ts";
import { formOf, upload } from "../house/scenes/files.ts";
import { pictureQuery } from "../house/scenes/pictures.ts";
import {
  asKeeper,
  ban,
  connect,
  inGeneral,
  inNewChannel,
  kick,
  manageChannels,
  manageMessages,
  manageServer,
  newcomer,
  newPassword,
  nothing,
  offer,
  onBot,
  onChannel,
  onEvent,
  onMessage,
  onOwnMessage,
  onPresentBot,
  onRole,
  onServer,
  onTarget,
  type SetUp,
  see,
  someBrowser,
  speak,
} from "./aims.ts";

export interface Row {
  route: string;
  /** The permissions of the allowed caller, who has no others. */
  needs: readonly PermissionName[];
  /** Statuses in the order of `kinds`. `403` is 403 forbidden, `403:hierarchy` names another code, `-`: not called. */
  cells: string;
  aim: SetUp;
}

const somePicture = async () => formOf("picture.png", await pictureOf("png", { width: 64, height: 64 }));

function row(route: string, needs: readonly PermissionName[], cells: string, aim: SetUp): Row {
  return { route, needs, cells, aim };
}

//  anonymous · stranger · blind · lacking · allowed · admin · owner
export const table: readonly Row[] = [
  row("POST /auth/register", [], "201 201 - - 201 - 201", newcomer),
  row("POST /auth/login/password", [], "200 200 - - 200 - 200", ({ spare }) => ({
    body: { email: spare.email, password: spare.password },
  })),
  row("POST /auth/password/forgot", [], "204 204 - - 204 - 204", ({ spare }) => ({
    body: { email: spare.email },
  })),
  row("POST /auth/password/reset", [], "204 204 - - 204 - 204", async (stage) => ({
    body: { token: await stage.resetToken(), new_password: stage.spare.password },
  })),
  row("POST /auth/logout", [], "401 - - - 204 - -", async (stage, kind) =>
    kind ? { token: (await stage.session()).token } : {},
  ),
  row("GET /auth/me", [], "401 200 200 200 200 200 200", nothing),
  row("PATCH /auth/me", [], "401 200 200 200 200 200 200", () => ({ body: { bio: "Hello." } })),
  row(
    "PUT /auth/me/password",
    [],
    "401 403:wrong_password - - 204 - 403:wrong_password",
    async (stage, kind) =>
      kind
        ? {
            token: (await stage.session()).token,
            body: { current_password: stage.spare.password, new_password: stage.spare.password },
          }
        : { body: { current_password: newPassword, new_password: newPassword } },
  ),
  row("GET /auth/sessions", [], "401 200 200 200 200 200 200", nothing),
  // Everybody but the spare person, who stands in for the allowed caller, targets somebody else's session.
  row("DELETE /auth/sessions/{id}", [], "401 404 404 404 204 404 404", async (stage, kind) => {
    const { id, token } = await stage.session();
    return kind ? { params: { id }, token } : { params: { id } };
  }),
  row("POST /auth/webauthn/register/begin", [], "401 200 200 200 200 200 200", nothing),
  row(
    "POST /auth/webauthn/register/finish",
    [],
    "401 201 201 201 201 201 201",
    async (stage, kind = "anonymous") => {
      const person = stage.person(kind);
      if (!person) return { body: {} };
      const browser = new TestBrowser(stage.house);
      const { cookie, publicKey } = await browser.beginRegistration(person);
      return { cookie, body: browser.key.create(publicKey) };
    },
  ),
  row("POST /auth/webauthn/login/begin", [], "200 200 - - 200 - 200", nothing),
  row("POST /auth/webauthn/login/finish", [], "200 200 - - 200 - 200", async (stage) => {
    const browser = new TestBrowser(stage.house);
    await browser.register(stage.owner);
    const { cookie, publicKey } = await browser.beginLogin();
    return { cookie, body: browser.key.get(publicKey) };
  }),
  row("GET /auth/webauthn/credentials", [], "401 200 200 200 200 200 200", nothing),
  // Everybody but the allowed caller targets somebody else's passkey.
  row(
    "DELETE /auth/webauthn/credentials/{id}",
    [],
    "401 404 404 404 204 404 404",
    async (stage, kind = "anonymous") => {
      const made = await new TestBrowser(stage.house).register(stage.person(kind) ?? stage.target);
      return { params: { id: made.body.id } };
    },
  ),
  row("PUT /auth/me/avatar", [], "401 200 200 200 200 200 200", async () => ({ body: await somePicture() })),
  row("DELETE /auth/me/avatar", [], "401 204 204 204 204 204 204", nothing),
  row("GET /avatars/{name}", [], "200 200 200 200 200 200 200", async ({ owner }) => {
    const { body } = await owner.put("/auth/me/avatar", await somePicture());
    return { params: { name: String(body.avatar).split("/").at(-1) ?? "" } };
  }),
  row("PUT /auth/me/presence", [], "401 204 204 204 204 204 204", () => ({ body: { status: "idle" } })),

  row("POST /servers", [], "401 201 201 201 201 201 201", () => ({ body: { name: "A new one" } })),
  row("GET /servers", [], "401 200 200 200 200 200 200", nothing),
  row("GET /servers/{id}", [], "401 404 200 200 200 200 200", onServer()),
  row(
    "PATCH /servers/{id}",
    [],
    "401 404 403:owner_only 403:owner_only 403:owner_only 403:owner_only 200",
    onServer({ name: "The renamed stage" }),
  ),
  row(
    "PUT /servers/{id}/icon",
    [],
    "401 404 403:owner_only 403:owner_only 403:owner_only 403:owner_only 200",
    async (stage) => onServer(await somePicture())(stage),
  ),
  row(
    "DELETE /servers/{id}/icon",
    [],
    "401 404 403:owner_only 403:owner_only 403:owner_only 403:owner_only 204",
    onServer(),
  ),
  row(
    "DELETE /servers/{id}",
    [],
    "401 404 403:owner_only 403:owner_only 403:owner_only 403:owner_only 204",
    async (stage, kind) => ({ params: { id: kind ? (await stage.otherServer()).id : stage.server.id } }),
  ),
  row(
    "POST /servers/{id}/owner",
    [],
    "401 404 403:owner_only 403:owner_only 403:owner_only 403:owner_only 204",
    async (stage, kind) => ({
      params: { id: kind ? (await stage.otherServer(stage.target)).id : stage.server.id },
      body: { user_id: stage.target.id },
    }),
  ),

  row(
    "POST /servers/{serverID}/roles",
    manageServer,
    "401 404 201 403 201 201 201",
    onServer({ name: "a new role", permissions: 0, position: 1 }),
  ),
  row("GET /servers/{serverID}/roles", [], "401 404 200 200 200 200 200", onServer()),
  row(
    "PATCH /servers/{serverID}/roles/{roleID}",
    manageServer,
    "401 404 200 403 200 200 200",
    onRole({ name: "a renamed role" }),
  ),
  row("DELETE /servers/{serverID}/roles/{roleID}", manageServer, "401 404 204 403 204 204 204", onRole()),
  row(
    "PUT /servers/{serverID}/members/{userID}/roles",
    manageServer,
    "401 404 204 403 204 204 204",
    async (stage) => ({ ...(await onTarget()(stage)), body: { role_ids: [(await stage.role()).id] } }),
  ),
  row("GET /servers/{serverID}/members/{userID}/roles", [], "401 404 200 200 200 200 200", onTarget()),

  row("GET /users/{id}", [], "401 404 200 200 200 200 200", async (stage) => ({
    params: { id: (await stage.presentTarget()).id },
  })),
  row("GET /users/{id}/availability", [], "401 404 200 200 200 200 200", async (stage) => ({
    params: { id: (await stage.presentTarget()).id },
  })),
  row("GET /auth/me/availability", [], "401 200 200 200 200 200 200", nothing),
  row("PUT /auth/me/availability", [], "401 200 200 200 200 200 200", () => ({
    body: { time_zone: "UTC", windows: [{ day: 1, start: "09:00", end: "17:00" }] },
  })),
  row("GET /blocks", [], "401 200 200 200 200 200 200", nothing),
  row("PUT /blocks/{userID}", [], "401 404 204 204 204 204 204", onTarget()),
  row("DELETE /blocks/{userID}", [], "401 404 204 204 204 204 204", onTarget()),
  row("GET /push/vapid-public-key", [], "401 200 200 200 200 200 200", nothing),
  row("GET /auth/me/push-settings", [], "401 200 200 200 200 200 200", nothing),
  row("PUT /auth/me/server-order", [], "401 204 204 204 204 204 204", () => ({ body: { server_ids: [] } })),
  row("PUT /auth/me/push-settings", [], "401 204 204 204 204 204 204", () => ({ body: { when: "always" } })),
  row("POST /push/subscribe", [], "401 204 204 204 204 204 204", () => ({ body: someBrowser.subscription })),
  row("POST /push/unsubscribe", [], "401 204 204 204 204 204 204", () => ({
    body: { endpoint: someBrowser.endpoint },
  })),
  row("GET /servers/{id}/members", [], "401 404 200 200 200 200 200", onServer()),
  row("DELETE /servers/{id}/members/@me", [], "401 404 204 204 204 204 409", async (stage, kind) => ({
    params: { id: kind ? (await stage.otherServer(stage.person(kind))).id : stage.server.id },
  })),
  row("DELETE /servers/{id}/members/{userID}", kick, "401 404 204 403 204 204 204", onTarget()),
  row("GET /servers/{id}/bans", ban, "401 404 200 403 200 200 200", onServer()),
  row("PUT /servers/{id}/bans/{userID}", ban, "401 404 204 403 204 204 204", onTarget({ reason: "noise" })),
  row("DELETE /servers/{id}/bans/{userID}", ban, "401 404 204 403 204 204 204", async (stage) => {
    const aim = await onTarget()(stage);
    await stage.owner.put(`/servers/${stage.server.id}/bans/${stage.target.id}`);
    return aim;
  }),

  row("POST /channels", manageChannels, "401 404 403 403 201 201 201", (stage) => ({
    body: { server_id: stage.server.id, name: "a new room" },
  })),
  row("GET /channels", [], "401 404 200 200 200 200 200", (stage) => ({
    query: `server_id=${stage.server.id}`,
  })),
  row("GET /channels/{id}", see, "401 404 404 - 200 200 200", onChannel()),
  row(
    "PATCH /channels/{id}",
    manageChannels,
    "401 404 404 403 200 200 200",
    onChannel({ name: "another name" }),
  ),
  row("DELETE /channels/{id}", manageChannels, "401 404 404 403 204 204 204", onChannel()),
  row("GET /channels/{id}/overrides", see, "401 404 404 - 200 200 200", onChannel()),
  row(
    "PUT /channels/{id}/overrides/{roleOrUserID}",
    manageChannels,
    "401 404 404 403 204 204 204",
    async (stage) => ({
      params: { id: (await stage.channel()).id, roleOrUserID: (await stage.presentTarget()).id },
      body: { kind: "member", deny: permission.VIEW_CHANNEL },
    }),
  ),
  row(
    "DELETE /channels/{id}/overrides/{roleOrUserID}",
    manageChannels,
    "401 404 404 403 204 204 204",
    async (stage) => {
      const { id: roleOrUserID } = await stage.presentTarget();
      return { params: { id: (await stage.channelWithOverride()).id, roleOrUserID } };
    },
  ),
  // The case of one's own permissions is in features/channels.
  row(
    "GET /channels/{id}/permissions/{userID}",
    ["VIEW_CHANNEL", "MANAGE_SERVER"],
    "401 404 404 403 200 200 200",
    async (stage) => {
      const { id: userID } = await stage.presentTarget();
      return { params: { id: (await stage.channel()).id, userID } };
    },
  ),
  row("POST /direct", [], "401 404 201 201 201 201 201", async (stage) => {
    const somebody = await stage.house.person("somebody");
    await stage.owner.bringIn(stage.server.id, somebody);
    return { body: { user_ids: [somebody.id] } };
  }),
  row("GET /direct", [], "401 200 200 200 200 200 200", nothing),
  // The allowed caller is in these conversations, and owns the groups; everybody else is a stranger to them.
  row("DELETE /direct/{id}", [], "401 404 404 404 204 404 404", async (stage) => ({
    params: { id: (await stage.conversation()).id },
  })),
  row("PUT /channels/{id}/recipients/{userID}", [], "401 404 404 404 204 404 404", async (stage) => ({
    params: { id: (await stage.group()).id, userID: (await stage.presentTarget()).id },
  })),
  row("DELETE /channels/{id}/recipients/{userID}", [], "401 404 404 404 204 404 404", async (stage) => {
    const { id, recipients } = await stage.group();
    return { params: { id, userID: recipients.at(-1)?.id ?? "" } };
  }),
  row("POST /channels/{id}/typing", speak, "401 404 404 403 204 204 204", inGeneral()),

  row("PUT /channels/{channelID}/read", see, "401 404 404 - 204 204 204", inGeneral({ message_id: null })),
  row("POST /servers/{id}/read", [], "401 404 204 204 204 204 204", onServer()),
  row("GET /notification-settings", [], "401 200 200 200 200 200 200", nothing),
  row(
    "PUT /servers/{id}/notification-settings",
    [],
    "401 404 204 204 204 204 204",
    onServer({ level: "none" }),
  ),
  row(
    "PUT /channels/{channelID}/notification-settings",
    see,
    "401 404 404 - 204 204 204",
    inGeneral({ level: "none" }),
  ),

  row("GET /channels/{channelID}/messages", see, "401 404 404 - 200 200 200", inGeneral()),
  row(
    "POST /channels/{channelID}/messages",
    speak,
    "401 404 404 403 201 201 201",
    inGeneral({ content: "Hello." }),
  ),
  row("GET /messages/{messageID}", see, "401 404 404 - 200 200 200", onMessage()),
  row(
    "PATCH /messages/{messageID}",
    speak,
    "401 404 404 403:author_only 200 403:author_only 403:author_only",
    onOwnMessage(speak, { content: "Corrected." }),
  ),
  row(
    "DELETE /messages/{messageID}",
    see,
    "401 404 404 403:author_only 204 403:author_only 403:author_only",
    onOwnMessage(see),
  ),
  row(
    "POST /channels/{channelID}/messages/bulk-delete",
    manageMessages,
    "401 404 404 403 204 204 204",
    async (stage) => inGeneral({ message_ids: [(await stage.message()).id] })(stage),
  ),

  row(
    "POST /messages/{messageID}/reactions",
    speak,
    "401 404 404 403 204 204 204",
    onMessage({ emoji: "👍" }),
  ),
  row("DELETE /messages/{messageID}/reactions/{emoji}", see, "401 404 404 - 204 204 204", async (stage) => {
    const aim = await onMessage(undefined, { emoji: "👍" })(stage);
    await stage.owner.post(`/messages/${aim.params?.messageID}/reactions`, { emoji: "👍" });
    return aim;
  }),
  row("GET /messages/{messageID}/reactions", see, "401 404 404 - 200 200 200", onMessage()),

  row("POST /invites", [], "401 404 201 201 201 201 201", (stage) => ({
    body: { server_id: stage.server.id },
  })),
  row("GET /invites/{code}", [], "401 200 200 200 200 200 200", async (stage) => ({
    params: { code: (await stage.invite()).code },
  })),
  row("GET /invites/{code}/preview", [], "200 200 200 200 200 200 200", async (stage) => ({
    params: { code: (await stage.invite()).code },
  })),
  row("POST /invites/{code}/join", [], "401 200 200 200 200 200 200", async (stage) => ({
    params: { code: (await stage.otherServer()).code },
  })),
  row("GET /servers/{id}/invites", manageServer, "401 404 200 403 200 200 200", onServer()),
  row("DELETE /invites/{code}", manageServer, "401 404 204 403 204 204 204", async (stage) => ({
    params: { code: (await stage.invite()).code },
  })),

  row("POST /bots", [], "401 201 201 201 201 201 201", () => ({ body: { name: "A bot" } })),
  row("GET /bots", [], "401 200 200 200 200 200 200", nothing),
  row("GET /bots/{id}", [], "401 404 404 404 200 404 404", onBot()),
  row("PATCH /bots/{id}", [], "401 404 404 404 200 404 404", onBot({ name: "Renamed" })),
  row("PUT /bots/{id}/avatar", [], "401 404 404 404 200 404 404", async (stage) =>
    onBot(await somePicture())(stage),
  ),
  row("DELETE /bots/{id}/avatar", [], "401 404 404 404 204 404 404", onBot()),
  row("DELETE /bots/{id}", [], "401 404 404 404 204 404 404", onBot()),
  row("POST /bots/{id}/regenerate-token", [], "401 404 404 404 200 404 404", onBot()),
  // The case of the bot's owner without MANAGE_SERVER is in features/bots.
  row("POST /bots/{id}/servers", manageServer, "401 404 404 404 204 404 404", (stage) =>
    onBot({ server_id: stage.server.id })(stage),
  ),
  row("DELETE /bots/{id}/servers/{serverID}", manageServer, "401 404 204 403 204 204 204", async (stage) => {
    const bot = await stage.bot(stage.owner);
    await bot.enter(stage.server.id);
    return { params: { id: bot.id, serverID: stage.server.id } };
  }),
  row("POST /bots/{id}/commands", manageServer, "401 404 404 404 201 404 404", async (stage) => ({
    params: { id: (await onPresentBot(stage)).id },
    body: offer(stage, "play"),
  })),
  row("GET /bots/{id}/commands", [], "401 404 404 404 200 404 404", onBot()),
  row("DELETE /bots/{id}/commands/{cmdID}", manageServer, "401 404 404 404 204 404 404", async (stage) => {
    const bot = await onPresentBot(stage);
    const { body } = await bot.post(`/bots/${bot.id}/commands`, offer(stage, "play"));
    return { params: { id: bot.id, cmdID: String(body.id) } };
  }),
  row("GET /servers/{serverID}/commands", [], "401 404 200 200 200 200 200", onServer()),

  row(
    "POST /channels/{channelID}/webhooks",
    manageChannels,
    "401 404 404 403 201 201 201",
    inNewChannel({ name: "A webhook" }),
  ),
  row("GET /channels/{channelID}/webhooks", manageChannels, "401 404 404 403 200 200 200", inNewChannel()),
  row("DELETE /webhooks/{webhookID}", manageChannels, "401 404 404 403 204 204 204", async (stage) => ({
    params: { webhookID: (await stage.webhook()).id },
  })),
  // Anybody who has the token may call; the case of a wrong token is in features/webhooks.
  row("POST /webhooks/{webhookID}/{token}", [], "204 204 204 204 204 204 204", async (stage) => {
    const { id, token } = await stage.webhook();
    return { params: { webhookID: id, token }, body: { content: "beep" } };
  }),

  row("GET /badges", [], "401 200 200 200 200 200 200", nothing),
  row(
    "POST /badges",
    [],
    "401 403 403 403 201 403 403",
    asKeeper(() => ({ body: { name: "A badge", icon: "⭐" } })),
  ),
  row(
    "DELETE /badges/{id}",
    [],
    "401 403 403 403 204 403 403",
    asKeeper(async (stage) => ({ params: { id: (await stage.badge()).id } })),
  ),
  row(
    "GET /users/{id}/badges",
    [],
    "401 403 403 403 200 403 403",
    asKeeper(({ target }) => ({ params: { id: target.id } })),
  ),
  row(
    "PUT /users/{id}/badges/{badgeID}",
    [],
    "401 403 403 403 204 403 403",
    asKeeper(async (stage) => ({ params: { id: stage.target.id, badgeID: (await stage.badge()).id } })),
  ),
  row(
    "DELETE /users/{id}/badges/{badgeID}",
    [],
    "401 403 403 403 204 403 403",
    asKeeper(async (stage) => {
      const badgeID = (await stage.badge()).id;
      await stage.keeper.put(`/users/${stage.target.id}/badges/${badgeID}`);
      return { params: { id: stage.target.id, badgeID } };
    }),
  ),

  row("GET /servers/{id}/events", [], "401 404 200 200 200 200 200", onServer()),
  row(
    "POST /servers/{id}/events",
    [],
    "401 404 201 201 201 201 201",
    onServer({ title: "An event", starts_at: "2130-01-31T18:00:00.000Z" }),
  ),
  // The case of one's own event without MANAGE_SERVER is in features/schedule.
  row("PATCH /events/{id}", manageServer, "401 404 200 403 200 200 200", onEvent({ title: "Renamed" })),
  row("DELETE /events/{id}", manageServer, "401 404 204 403 204 204 204", onEvent()),
  row("PUT /events/{id}/rsvp", [], "401 404 204 204 204 204 204", onEvent({ status: "going" })),

  row("POST /voice/token", connect, "401 404 404 403 200 200 200", async (stage) => ({
    body: { room_name: (await stage.voiceChannel()).id },
  })),
  row("GET /voice/rooms/{roomID}/participants", see, "401 404 404 - 200 200 200", async (stage) => ({
    params: { roomID: (await stage.voiceChannel()).id },
  })),
  row("POST /channels/{id}/call", [], "401 404 404 404 204 404 404", async (stage) => ({
    params: { id: (await stage.conversation()).id },
  })),
  row("DELETE /channels/{id}/call", [], "401 404 404 404 204 404 404", async (stage) => ({
    params: { id: (await stage.conversation()).id },
  })),
  // Only the media service can sign.
  row("POST /voice/webhook", [], Array.from({ length: 7 }, () => "401:bad_signature").join(" "), () => ({
    body: { event: "room_finished" },
  })),

  row("POST /upload", [], "401 201 201 201 201 201 201", () => ({ body: formOf("letter.txt", "Dear all,") })),
  row("GET /files/{filename}", [], "401 200 200 200 200 200 200", async (stage) => ({
    params: { filename: (await upload(stage.owner, "letter.txt", "Dear all,")).url.replace("/files/", "") },
  })),
  row("GET /gifs/search", [], "401 200 200 200 200 200 200", () => ({ query: "q=tea" })),
  row("GET /gifs/trending", [], "401 200 200 200 200 200 200", nothing),
  row("GET /pictures", [], "401 200 200 200 200 200 200", () => ({
    query: pictureQuery("http://pictures.example/sun.png"),
  })),

  row("GET /instance", [], "200 200 200 200 200 200 200", nothing),

  // The cases of further admins, and of what no admin may do, are in features/administration.
  row("GET /admin/users", [], "401 403 403 403 200 403 403", asKeeper(nothing)),
  row(
    "PATCH /admin/users/{id}",
    [],
    "401 403 403 403 200 403 403",
    asKeeper(({ target }) => ({ params: { id: target.id }, body: { disabled: false } })),
  ),
  row(
    "POST /admin/users/{id}/reset-link",
    [],
    "401 403 403 403 200 403 403",
    asKeeper(({ spare }) => ({ params: { id: spare.id } })),
  ),
  row(
    "DELETE /admin/users/{id}/sessions",
    [],
    "401 403 403 403 204 403 403",
    asKeeper(({ spare }) => ({ params: { id: spare.id } })),
  ),
  row("GET /admin/servers", [], "401 403 403 403 200 403 403", asKeeper(nothing)),
  row("GET /admin/storage", [], "401 403 403 403 200 403 403", asKeeper(nothing)),
  row("GET /admin/health", [], "401 403 403 403 200 403 403", asKeeper(nothing)),
  row("POST /admin/test-mail", [], "401 403 403 403 204 403 403", asKeeper(nothing)),
  row(
    "POST /admin/test-push",
    [],
    "401 403 403 403 204 403 403",
    asKeeper(async (stage) => {
      await stage.subscribeKeeper();
      return {};
    }),
  ),
  row("GET /admin/settings", [], "401 403 403 403 200 403 403", asKeeper(nothing)),
  row(
    "PUT /admin/settings",
    [],
    "401 403 403 403 200 403 403",
    asKeeper(() => ({ body: { registration: "open", name: "The stage" } })),
  ),
];
