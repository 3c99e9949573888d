// The requests that the permission matrix makes to an endpoint, and the permissions that they need.
import type { PermissionName } from "../../protocol/permissions.ts";
import { Browser } from "../doubles/web-push.ts";
import type { TestBot } from "../house/people/bots.ts";
import type { Kind, Stage } from "./stage.ts";

/** A request to an endpoint; `token` replaces the caller's own, `cookie` is sent in addition. */
export interface Aim {
  params?: Readonly<Record<string, string>>;
  query?: string;
  body?: unknown;
  token?: string;
  cookie?: string;
}

/** Sets up the target of a request. Without a kind, one target serves all callers who are refused. */
export type SetUp = (stage: Stage, kind?: Kind) => Promise<Aim> | Aim;

export const see: readonly PermissionName[] = ["VIEW_CHANNEL"];
export const speak: readonly PermissionName[] = ["VIEW_CHANNEL", "SEND_MESSAGES"];
export const manageChannels: readonly PermissionName[] = ["VIEW_CHANNEL", "MANAGE_CHANNELS"];
export const manageMessages: readonly PermissionName[] = ["VIEW_CHANNEL", "MANAGE_MESSAGES"];
export const connect: readonly PermissionName[] = ["VIEW_CHANNEL", "CONNECT_VOICE"];
export const manageServer: readonly PermissionName[] = ["MANAGE_SERVER"];
export const kick: readonly PermissionName[] = ["KICK_MEMBERS"];
export const ban: readonly PermissionName[] = ["BAN_MEMBERS"];

export const nothing = (): Aim => ({});
export const onServer =
  (body?: unknown) =>
  (stage: Stage): Aim => ({ params: { id: stage.server.id, serverID: stage.server.id }, body });
export const inGeneral =
  (body?: unknown) =>
  (stage: Stage): Aim => ({
    params: { id: stage.server.general.id, channelID: stage.server.general.id },
    body,
  });
export const onChannel =
  (body?: unknown) =>
  async (stage: Stage): Promise<Aim> => ({ params: { id: (await stage.channel()).id }, body });
export const onMessage =
  (body?: unknown, more: Record<string, string> = {}) =>
  async (stage: Stage): Promise<Aim> => ({
    params: { messageID: (await stage.message()).id, ...more },
    body,
  });
export const onOwnMessage =
  (needs: readonly PermissionName[], body?: unknown) =>
  async (stage: Stage): Promise<Aim> => ({ params: { messageID: (await stage.ownMessage(needs)).id }, body });
export const onRole =
  (body?: unknown) =>
  async (stage: Stage): Promise<Aim> => ({
    params: { serverID: stage.server.id, roleID: (await stage.role()).id },
    body,
  });
export const onTarget =
  (body?: unknown) =>
  async (stage: Stage): Promise<Aim> => {
    const userID = (await stage.presentTarget()).id;
    return { params: { id: stage.server.id, serverID: stage.server.id, userID }, body };
  };

export const onEvent =
  (body?: unknown) =>
  async (stage: Stage): Promise<Aim> => ({ params: { id: (await stage.event()).id }, body });
export const inNewChannel =
  (body?: unknown) =>
  async (stage: Stage): Promise<Aim> => ({ params: { channelID: (await stage.channel()).id }, body });
/** The owner of the instance stands in for the allowed caller: the roles of a server do not matter here. */
export const asKeeper =
  (aim: SetUp): SetUp =>
  async (stage, kind) => ({ ...(await aim(stage, kind)), ...(kind && { token: stage.keeper.token }) });

/** Targets a bot of the allowed caller. */
export const onBot =
  (body?: unknown) =>
  async (stage: Stage): Promise<Aim> => ({
    params: { id: (await stage.bot(stage.people.allowed)).id },
    body,
  });
/** A bot of the allowed caller that is in the server; the caller holds MANAGE_SERVER then. */
export const onPresentBot = async (stage: Stage): Promise<TestBot> => {
  const bot = await stage.bot(stage.people.allowed);
  await bot.enter(stage.server.id);
  return bot;
};
export const offer = (stage: Stage, name: string) => ({
  server_id: stage.server.id,
  name,
  description: "Does it",
});

let newcomers = 0;
export function newcomer(): Aim {
  const username = `newcomer_${++newcomers}`;
  const email = `${username}@people.example`;
  return { body: { username, email, display_name: "Newcomer", password: "correct horse battery" } };
}

export const newPassword = "another horse battery";
export const someBrowser = new Browser("https://93.184.216.34/send/somebody");
