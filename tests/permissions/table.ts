// permissions.md as data: for each endpoint, what each kind of caller is answered.
import type { PermissionName } from "../../protocol/permissions.ts";
import type { Kind, Stage } from "./stage.ts";

/** What to call an endpoint with; `token` replaces the caller's own. */
export interface Aim {
  params?: Readonly<Record<string, string>>;
  query?: string;
  body?: unknown;
  token?: string;
}

export interface Row {
  route: string;
  /** What the allowed one holds, and nothing else. */
  needs: readonly PermissionName[];
  /** In the order of `kinds`. `403` is 403 forbidden, `403:hierarchy` names another code, `-` is not asked. */
  cells: string;
  /** Sets up what is acted on. Without a kind it serves all who are refused. */
  aim(stage: Stage, kind?: Kind): Promise<Aim> | Aim;
}

const see: readonly PermissionName[] = ["VIEW_CHANNEL"];
const speak: readonly PermissionName[] = ["VIEW_CHANNEL", "SEND_MESSAGES"];
const manageChannels: readonly PermissionName[] = ["VIEW_CHANNEL", "MANAGE_CHANNELS"];
const manageMessages: readonly PermissionName[] = ["VIEW_CHANNEL", "MANAGE_MESSAGES"];
const manageServer: readonly PermissionName[] = ["MANAGE_SERVER"];
const kick: readonly PermissionName[] = ["KICK_MEMBERS"];
const ban: readonly PermissionName[] = ["BAN_MEMBERS"];

function row(route: string, needs: readonly PermissionName[], cells: string, aim: Row["aim"]): Row {
  return { route, needs, cells, aim };
}

const nothing = (): Aim => ({});
const onServer =
  (body?: unknown) =>
  (stage: Stage): Aim => ({ params: { id: stage.server.id, serverID: stage.server.id }, body });
const inGeneral =
  (body?: unknown) =>
  (stage: Stage): Aim => ({
    params: { id: stage.server.general.id, channelID: stage.server.general.id },
    body,
  });
const onChannel =
  (body?: unknown) =>
  async (stage: Stage): Promise<Aim> => ({ params: { id: (await stage.channel()).id }, body });
const onMessage =
  (body?: unknown, more: Record<string, string> = {}) =>
  async (stage: Stage): Promise<Aim> => ({
    params: { messageID: (await stage.message()).id, ...more },
    body,
  });
const onOwnMessage =
  (needs: readonly PermissionName[], body?: unknown) =>
  async (stage: Stage): Promise<Aim> => ({ params: { messageID: (await stage.ownMessage(needs)).id }, body });
const onRole =
  (body?: unknown) =>
  async (stage: Stage): Promise<Aim> => ({
    params: { serverID: stage.server.id, roleID: (await stage.role()).id },
    body,
  });
const onTarget =
  (body?: unknown) =>
  async (stage: Stage): Promise<Aim> => {
    const userID = (await stage.presentTarget()).id;
    return { params: { id: stage.server.id, serverID: stage.server.id, userID }, body };
  };

let newcomers = 0;
function newcomer(): Aim {
  const username = `newcomer_${++newcomers}`;
  const email = `${username}@people.example`;
  return { body: { username, email, display_name: "Newcomer", password: "correct horse battery" } };
}

const newPassword = "another horse battery";

//  anonymous · stranger · blind · lacking · allowed · admin · owner
export const table: readonly Row[] = [
  row("POST /auth/register", [], "201 201 - - 201 - 201", newcomer),
  row("POST /auth/login/password", [], "200 200 - - 200 - 200", ({ spare }) => ({
    body: { email: spare.email, password: spare.password },
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
  // Everybody but the spare person, who stands in for the allowed one, aims at a session of another.
  row("DELETE /auth/sessions/{id}", [], "401 404 404 404 204 404 404", async (stage, kind) => {
    const { id, token } = await stage.session();
    return kind ? { params: { id }, token } : { params: { id } };
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
  row("POST /channels/{id}/typing", speak, "401 404 404 403 204 204 204", inGeneral()),

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
  row("POST /invites/{code}/join", [], "401 200 200 200 200 200 200", async (stage) => ({
    params: { code: (await stage.otherServer()).code },
  })),
  row("GET /servers/{id}/invites", manageServer, "401 404 200 403 200 200 200", onServer()),
  row("DELETE /invites/{code}", manageServer, "401 404 204 403 204 204 204", async (stage) => ({
    params: { code: (await stage.invite()).code },
  })),

  row("GET /instance", [], "200 200 200 200 200 200 200", nothing),
];
