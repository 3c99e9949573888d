// Builds the paths of the page from their parameters.
import type { Message } from "../../../features/messages/contract.ts";
import { messagePath, pagePath } from "../../../protocol/links.ts";

export const paths = {
  server: (serverId: string) => `/servers/${serverId}`,
  channel: ({ server_id, id }: { server_id: string | null; id: string }) =>
    (server_id === null ? pagePath.direct : pagePath.channel.replace("{serverID}", server_id)).replace(
      "{channelID}",
      id,
    ),
  message: ({ server_id, channel_id, id }: Pick<Message, "server_id" | "channel_id" | "id">) =>
    messagePath({ server_id, channel_id, message_id: id }),
  settings: (page: string) => `${pagePath.settings}/${page}`,
  /** A wide frame shows the first page there, a phone the list of pages. */
  allServerSettings: (serverId: string) => `/servers/${serverId}/settings`,
  serverSettings: (serverId: string, page: string) =>
    `${pagePath.serverSettings.replace("{serverID}", serverId)}/${page}`,
  admin: (page: string) => `${pagePath.console}/${page}`,
  invite: (code: string) => pagePath.invite.replace("{code}", code),
};
