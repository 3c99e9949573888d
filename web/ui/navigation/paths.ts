// Builds the paths of the page from their parameters.
import { pagePath } from "../../../protocol/links.ts";

export const paths = {
  server: (serverId: string) => `/servers/${serverId}`,
  channel: (serverId: string, channelId: string) =>
    pagePath.channel.replace("{serverID}", serverId).replace("{channelID}", channelId),
  message: (serverId: string, channelId: string, messageId: string) =>
    `${paths.channel(serverId, channelId)}/messages/${messageId}`,
  settings: (page: string) => `${pagePath.settings}/${page}`,
  /** A wide frame shows the first page there, a phone the list of pages. */
  allServerSettings: (serverId: string) => `/servers/${serverId}/settings`,
  serverSettings: (serverId: string, page: string) =>
    `${pagePath.serverSettings.replace("{serverID}", serverId)}/${page}`,
  admin: (page: string) => `${pagePath.console}/${page}`,
  invite: (code: string) => pagePath.invite.replace("{code}", code),
};
