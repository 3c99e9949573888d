// Every address of the page: one list for all tests that visit each, so that no new page is forgotten.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import type { TestPerson } from "../house/people/people.ts";
import { type Home, type Scene, untilSo } from "./scene.ts";

export const ofPerson = [
  "profile",
  "sign-in",
  "devices",
  "appearance",
  "accessibility",
  "notifications",
  "keys",
  "language",
  "blocked",
  "availability",
];
export const ofServer = ["overview", "roles", "members", "invites", "bans", "webhooks", "bots", "events"];
export const ofChannel = ["overview", "permissions", "webhooks"];
export const ofConsole = ["health", "people", "servers", "storage", "badges", "settings"];

export interface Furnished {
  alice: TestPerson;
  bob: TestPerson;
  server: Home;
  messageId: string;
  inviteCode: string;
  /** A conversation of the two, with a message in it. */
  conversation: { id: string; messageId: string };
}

/** Alice owns the instance and a server, with a message of Bob's, and has a conversation with him. */
export async function somewhere(scene: Scene): Promise<Furnished> {
  const { alice, bob, server, general } = await scene.twoPeople();
  const { id: messageId } = await bob.say(general.id, `@${alice.username} is there *soup*?`);
  const { code } = (await alice.post<{ code: string }>("/invites", { server_id: server.id })).body;
  const { id } = (await alice.post<{ id: string }>("/direct", { user_ids: [bob.id] })).body;
  const conversation = { id, messageId: (await alice.say(id, "Is there *soup*?")).id };
  return { alice, bob, server, messageId, inviteCode: code, conversation };
}

/** The addresses of each route in web/app.tsx and web/shell/shell.tsx. "*" is any other. */
export function addresses({
  server,
  messageId,
  inviteCode,
  conversation,
}: Furnished): Record<string, string[]> {
  const channel = `/servers/${server.id}/channels/${server.general.id}`;
  const direct = `/direct/${conversation.id}`;
  return {
    "/login": ["/login"],
    "/register": ["/register"],
    "/reset-password": ["/reset-password", "/reset-password#token=never-was"],
    "/invite/:code": [`/invite/${inviteCode}`, "/invite/never-was"],
    "/servers/:serverId": [`/servers/${server.id}`],
    "/servers/:serverId/channels/:channelId": [channel, `${channel}?show=mentions`],
    "/servers/:serverId/channels/:channelId/messages/:messageId": [`${channel}/messages/${messageId}`],
    "/servers/:serverId/channels/:channelId/settings/:page?": [
      "",
      ...ofChannel.map((page) => `/${page}`),
      "/nowhere",
    ].map((page) => `${channel}/settings${page}`),
    "/servers/:serverId/settings/:page?": ["", ...ofServer.map((page) => `/${page}`), "/nowhere"].map(
      (page) => `/servers/${server.id}/settings${page}`,
    ),
    "/direct/:channelId?": ["/direct", direct, "/direct/never-was"],
    "/direct/:channelId/messages/:messageId": [`${direct}/messages/${conversation.messageId}`],
    "/settings/*?": ["/settings", ...ofPerson.map((page) => `/settings/${page}`)],
    "/admin/:page?": ["/admin", ...ofConsole.map((page) => `/admin/${page}`), "/admin/nowhere"],
    "/": ["/"],
    "*": ["/nowhere/at/all"],
  };
}

/** The routes that the page declares. */
export function declaredRoutes(): string[] {
  const sources = ["app.tsx", "shell/shell.tsx"].map((path) =>
    readFileSync(fileURLToPath(new URL(`../../web/${path}`, import.meta.url)), "utf8"),
  );
  const paths = sources.flatMap((source) =>
    [...source.matchAll(/<Route path="([^"]+)"/g)].map(([, path]) => path),
  );
  return paths.filter((path) => path !== undefined);
}

/** Waits until the page shows the content of its address. */
export async function untilShown(page: Page): Promise<void> {
  // On a phone the first of them may be in a hidden pane.
  await page.locator("main, h1, h2").filter({ visible: true }).first().waitFor();
  await untilLoaded(page);
}

export function untilLoaded(page: Page): Promise<void> {
  return untilSo(
    page,
    `![...document.querySelectorAll("[role=status]")].some((each) => each.textContent === "Loading" || each.textContent === "Messages are loading")`,
  );
}
