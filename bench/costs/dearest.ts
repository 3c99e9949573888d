// The most expensive call of each operation on the data of the scene `city`: longest pages and lists, most mentions.
import type { City } from "../bystander/scenes/city.ts";
import type { Stage } from "../people.ts";

interface DearCall {
  /** The operation's name. */
  name: string;
  method: string;
  path: string;
  body?: unknown;
}

export function dearestCalls({ serverId, channelId }: Stage, facts: City): DearCall[] {
  const server = `/servers/${serverId}`;
  const messages = `/channels/${facts.archive}/messages`;
  const names = facts.some
    .slice(0, 100)
    .map((id) => `<@${id}>`)
    .join("");
  const words = facts.some
    .slice(0, 100)
    .map((_, index) => `@citizen${index}`)
    .join(" ");
  const strangers = Array.from({ length: 400 }, (_, index) => `@n~x${index}`).join(" ");
  const get = (name: string, path: string): DearCall => ({ name, method: "GET", path });
  return [
    get("listMembers", `${server}/members?limit=1000`),
    get("listMembers", `${server}/members?limit=100`),
    get("listMembers", `/servers/${facts.village}/members?q=c&limit=100`),
    get("listMembers", `${server}/members?q=c&limit=100`),
    get("listMembers", `${server}/members?ids=${facts.some.slice(0, 100).join(",")}`),
    get("listBlocks", "/blocks"),
    get("listChannels", `/channels?server_id=${serverId}`),
    get("getNotificationSettings", "/notification-settings"),
    {
      name: "setChannelNotifications",
      method: "PUT",
      path: `/channels/${channelId}/notification-settings`,
      body: {},
    },
    { name: "setServerNotifications", method: "PUT", path: `${server}/notification-settings`, body: {} },
    { name: "markServerRead", method: "POST", path: `${server}/read` },
    { name: "createMessage", method: "POST", path: messages, body: { content: names } },
    { name: "createMessage", method: "POST", path: messages, body: { content: words } },
    { name: "createMessage", method: "POST", path: messages, body: { content: strangers } },
    {
      name: "createMessage",
      method: "POST",
      path: messages,
      body: { content: `@everyone @citizen ${"who comes? ".repeat(300)}` },
    },
    { name: "createMessage", method: "POST", path: messages, body: { content: "Good morning." } },
    { name: "updateMessage", method: "PATCH", path: `/messages/${facts.message}`, body: { content: names } },
    {
      name: "updateMessage",
      method: "PATCH",
      path: `/messages/${facts.message}`,
      body: { content: "Good evening." },
    },
    { name: "unblockUser", method: "DELETE", path: `/blocks/${facts.some[0]}` },
    { name: "blockUser", method: "PUT", path: `/blocks/${facts.some[0]}` },
    {
      name: "createChannel",
      method: "POST",
      path: "/channels",
      body: { server_id: serverId, name: "one too many" },
    },
    { name: "updateChannel", method: "PATCH", path: `/channels/${channelId}`, body: { name: "general" } },
    { name: "updateMe", method: "PATCH", path: "/auth/me", body: { bio: "b".repeat(1000) } },
    { name: "updateServer", method: "PATCH", path: server, body: { name: "The bench" } },
    { name: "createRole", method: "POST", path: `${server}/roles`, body: { name: "one more" } },
    {
      name: "setMemberRoles",
      method: "PUT",
      path: `${server}/members/${facts.some[1]}/roles`,
      body: { role_ids: [] },
    },
    get("listConversations", "/direct?limit=100"),
    get("listMessages", `${messages}?limit=100`),
    get("listMessages", `${messages}?limit=100&around=${facts.message}`),
    get("listAccounts", "/admin/users?q=nobodyiscalledso&limit=100"),
    get("listAccounts", "/admin/users?limit=100"),
    get("listAllServers", "/admin/servers?limit=100"),
    get("listReactions", `/messages/${facts.message}/reactions`),
    get("listEvents", `${server}/events`),
    get("listInvites", `${server}/invites`),
    get("listRoles", `${server}/roles`),
    get("listServers", "/servers"),
    get("listBans", `${server}/bans`),
    get("listServerCommands", `${server}/commands`),
    get("listBadges", "/badges"),
    get("listBadgesOf", `/users/${facts.some[0]}/badges`),
    get("listBots", "/bots"),
    get("listSessions", "/auth/sessions"),
    get("listMemberRoles", `${server}/members/${facts.some[0]}/roles`),
    get("getServer", server),
    get("getChannel", `/channels/${channelId}`),
    get("listOverrides", `/channels/${channelId}/overrides`),
    get("explainPermissions", `/channels/${channelId}/permissions/${facts.some[0]}`),
    get("getMessage", `/messages/${facts.message}`),
    get("getUser", `/users/${facts.some[0]}`),
    get("getMe", "/auth/me"),
    get("getStorage", "/admin/storage"),
    get("getHealth", "/admin/health"),
    get("getInstance", "/instance"),
  ];
}

/** Returns the body with another text for each number: a repeated one would change nothing and cost nothing. */
export function varied(body: unknown, number: number): unknown {
  const given = body as { content?: string; bio?: string } | undefined;
  if (given?.content !== undefined)
    return { ...given, content: `${given.content.replaceAll("~", String(number))} ${number}` };
  if (given?.bio !== undefined) return { ...given, bio: `${number}${given.bio}`.slice(0, 1000) };
  return given && Object.keys(given).length === 0 ? { level: number % 2 ? "all" : "none" } : given;
}
